// SPDX-License-Identifier: Apache-2.0
#include "clusters/one_sided.hpp"

#include <algorithm>

namespace budgie::clusters {
namespace {

constexpr std::size_t kClassesASuccessor = 4;  // of a dense row, at most: more would be a waste of memory

}  // namespace

OneSided::OneSided(const Bigrams& bigrams, std::vector<std::uint32_t> class_of, std::size_t classes)
    : ClassCounts(bigrams, std::move(class_of), classes),
      rows_(make_rows()),
      counts_(rows_.back().begin),
      columns_(rows_.back().begin) {
  for (std::size_t v = 0; v < bigrams.symbols(); ++v) {
    for (auto* next = bigrams.behind.begin(v); next != bigrams.behind.end(v); ++next) {
      add(rows_[v], class_of_[next->symbol], next->count);
    }
  }
}

// A row for each symbol, and one more for the end.
std::vector<OneSided::Row> OneSided::make_rows() const {
  std::vector<Row> rows;
  std::size_t end = 0;
  for (std::size_t v = 0; v < bigrams_.symbols(); ++v) {
    const std::size_t successors = bigrams_.behind.size(v);
    const bool dense = kClassesASuccessor * successors >= all_classes();
    rows.push_back({end, dense ? all_classes() : 0, dense});
    end += dense ? all_classes() : successors;
  }
  rows.push_back({end, 0, false});
  return rows;
}

double OneSided::likelihood() const {
  double sum = 0;
  for (const Row& row : rows_) {
    for (std::size_t at = row.begin; at < row.begin + row.size; ++at) sum += counts_.term(at);
  }
  for (std::size_t c = 0; c < all_classes(); ++c) sum -= totals_.term(c);
  return sum;
}

// Where the row has the class; behind its last count if it has not.
std::size_t OneSided::find(const Row& row, std::uint32_t c) const {
  if (row.dense) return row.begin + c;
  const std::uint32_t* begin = columns_.data() + row.begin;
  return row.begin + static_cast<std::size_t>(std::find(begin, begin + row.size, c) - begin);
}

void OneSided::add(Row& row, std::uint32_t c, double n) {
  const std::size_t at = find(row, c), end = row.begin + row.size;
  if (at == end) {
    ++row.size;
    columns_[at] = c;
    counts_.set(at, n);
  } else if (row.dense || counts_.count(at) + n > 0) {
    counts_.add(at, n);
  } else {  // the last one takes its place
    --row.size;
    columns_[at] = columns_[end - 1];
    counts_.set(at, counts_.count(end - 1));
  }
}

// For the words before in `scratch`, which belong to n words of class `from`.
ClassCounts::Choice OneSided::best_other(std::uint32_t from, double n, bool empty_too, Scratch& scratch) const {
  std::vector<double>& gains = scratch.gains;
  std::fill(gains.begin(), gains.end(), 0.0);
  double new_everywhere = 0, staying = 0;
  for (const auto& [v, count] : scratch.words_before) {
    const Row& row = rows_[v];
    staying += counts_.gain_of_last(find(row, from), count);
    if (row.dense) {
      counts_.add_gains(row.begin, row.size, count, gains.data());
      continue;
    }
    // A class that has never followed v gains f(count). This is added to all at the end, so not to the others here.
    const double new_class = x_log_x(count);
    new_everywhere += new_class;
    std::fill_n(scratch.costs.begin(), row.size, -new_class);
    counts_.add_gains(row.begin, row.size, count, scratch.costs.data());
    for (std::size_t i = 0; i < row.size; ++i) gains[columns_[row.begin + i]] += scratch.costs[i];
  }
  return ClassCounts::best_other(from, n, 1, staying - new_everywhere, empty_too, scratch);
}

ClassCounts::Choice OneSided::best_class(std::uint32_t word, Scratch& scratch) const {
  scratch.words_before.clear();
  for (auto* before = bigrams_.before.begin(word); before != bigrams_.before.end(word); ++before) {
    scratch.words_before.emplace_back(before->symbol, before->count);
  }
  const std::uint32_t from = class_of_[word];
  return better_or_stay(from, best_other(from, static_cast<double>(bigrams_.totals[word]), true, scratch));
}

ClassCounts::Choice OneSided::best_merger(std::uint32_t from, const std::vector<std::uint32_t>& words,
                                          Scratch& scratch) const {
  auto& before_class = scratch.words_before;
  before_class.clear();
  for (const std::uint32_t word : words) {
    for (auto* before = bigrams_.before.begin(word); before != bigrams_.before.end(word); ++before) {
      before_class.emplace_back(before->symbol, 0.0);
    }
  }
  std::sort(before_class.begin(), before_class.end());
  before_class.erase(std::unique(before_class.begin(), before_class.end()), before_class.end());
  for (auto& [v, count] : before_class) count = counts_.count(find(rows_[v], from));
  return best_other(from, totals_.count(from), false, scratch);
}

void OneSided::move(std::uint32_t word, std::uint32_t to, Scratch&) {
  for (auto* before = bigrams_.before.begin(word); before != bigrams_.before.end(word); ++before) {
    add(rows_[before->symbol], class_of_[word], -static_cast<double>(before->count));
    add(rows_[before->symbol], to, before->count);
  }
  move_total(word, to);
}

}  // namespace budgie::clusters
