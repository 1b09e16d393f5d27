// SPDX-License-Identifier: Apache-2.0
#include "clusters/two_sided.hpp"

#include <algorithm>

namespace budgie::clusters {

TwoSided::TwoSided(const Bigrams& bigrams, std::vector<std::uint32_t> class_of, std::size_t classes)
    : ClassCounts(bigrams, std::move(class_of), classes),
      by_first_(all_classes() * all_classes()),
      by_second_(all_classes() * all_classes()) {
  std::vector<double> row(all_classes());
  std::vector<std::vector<std::uint32_t>> symbols(all_classes());
  for (std::uint32_t s = 0; s < bigrams.symbols(); ++s) {
    symbols[class_of_[s]].push_back(s);
    constant_ += x_log_x(static_cast<double>(bigrams.totals[s]));
  }
  for (std::size_t c = 0; c < all_classes(); ++c) {
    std::fill(row.begin(), row.end(), 0.0);
    for (const std::uint32_t s : symbols[c]) {
      for (auto* next = bigrams.behind.begin(s); next != bigrams.behind.end(s); ++next) {
        row[class_of_[next->symbol]] += next->count;
      }
    }
    for (std::size_t d = 0; d < all_classes(); ++d) add(c, d, row[d]);
  }
}

void TwoSided::add(std::size_t c, std::size_t d, double n) {
  by_first_.add(at(c, d), n);
  by_second_.add(at(d, c), n);
}

double TwoSided::likelihood() const {
  double sum = constant_;
  for (std::size_t i = 0; i < by_first_.size(); ++i) sum += by_first_.term(i);
  for (std::size_t c = 0; c < all_classes(); ++c) sum -= 2 * totals_.term(c);
  return sum;
}

// Fills in which classes stand before and behind the word, and how often. Returns how often the word follows itself:
// that pair moves with the word and is in neither.
double TwoSided::count_neighbours(std::uint32_t word, Scratch& scratch) const {
  double self = 0;
  const auto count = [&](const Bigrams::Side& side, std::vector<double>& counts, std::vector<std::uint32_t>& beside) {
    std::fill(counts.begin(), counts.end(), 0.0);
    beside.clear();
    for (auto* other = side.begin(word); other != side.end(word); ++other) {
      if (other->symbol == word) {
        self = other->count;
        continue;
      }
      const std::uint32_t c = class_of_[other->symbol];
      if (counts[c] == 0) beside.push_back(c);
      counts[c] += other->count;
    }
  };
  count(bigrams_.before, scratch.before, scratch.classes_before);
  count(bigrams_.behind, scratch.behind, scratch.classes_behind);
  return self;
}

// Adds for each class c what the neighbours on one side bring: row d of `matrix` says how often d stands there beside
// each c. In the row of `from`, where the word still is, the word's `other` side has its part, which must not count.
void TwoSided::add_side(const CountTable& matrix, std::uint32_t from, const std::vector<std::uint32_t>& classes_beside,
                        const std::vector<double>& side, const std::vector<double>& other, Scratch& scratch) const {
  for (const std::uint32_t d : classes_beside) {
    if (d != from) {
      matrix.add_gains(at(d, 0), all_classes(), side[d], scratch.gains.data());
      continue;
    }
    for (std::size_t c = 0; c < all_classes(); ++c) {
      scratch.row.set(c, c == from ? 0 : matrix.count(at(d, c)) - other[c]);
    }
    scratch.row.add_gains(0, all_classes(), side[d], scratch.gains.data());
  }
}

ClassCounts::Choice TwoSided::best_other(std::uint32_t from, double n, double self, bool empty_too,
                                         Scratch& scratch) const {
  const std::vector<double>&before = scratch.before, &behind = scratch.behind;
  std::fill(scratch.gains.begin(), scratch.gains.end(), 0.0);
  add_side(by_first_, from, scratch.classes_before, before, behind, scratch);
  add_side(by_second_, from, scratch.classes_behind, behind, before, scratch);
  // A class beside itself: what comes from both sides, and what follows itself, is added to one and the same count.
  const auto join = [&](std::uint32_t c) {
    const std::size_t diagonal = at(c, c);
    scratch.gains[c] += by_first_.gain_of_more(diagonal, before[c] + behind[c] + self) -
                        by_first_.gain_of_more(diagonal, before[c]) - by_first_.gain_of_more(diagonal, behind[c]);
  };
  if (self > 0) {
    for (std::uint32_t c = 0; c < classes(); ++c) join(c);
  } else {
    for (const std::uint32_t c : scratch.classes_before) {
      if (behind[c] > 0) join(c);
    }
  }
  double staying = by_first_.gain_of_last(at(from, from), before[from] + behind[from] + self);
  for (const std::uint32_t d : scratch.classes_before) {
    if (d != from) staying += by_first_.gain_of_last(at(d, from), before[d]);
  }
  for (const std::uint32_t d : scratch.classes_behind) {
    if (d != from) staying += by_second_.gain_of_last(at(d, from), behind[d]);
  }
  return ClassCounts::best_other(from, n, 2, staying, empty_too, scratch);
}

ClassCounts::Choice TwoSided::best_class(std::uint32_t word, Scratch& scratch) const {
  const std::uint32_t from = class_of_[word];
  const double self = count_neighbours(word, scratch);
  return better_or_stay(from, best_other(from, static_cast<double>(bigrams_.totals[word]), self, true, scratch));
}

ClassCounts::Choice TwoSided::best_merger(std::uint32_t from, const std::vector<std::uint32_t>&,
                                          Scratch& scratch) const {
  const auto copy = [&](const CountTable& matrix, std::vector<double>& counts, std::vector<std::uint32_t>& beside) {
    beside.clear();
    for (std::uint32_t d = 0; d < all_classes(); ++d) {
      counts[d] = d == from ? 0 : matrix.count(at(from, d));
      if (counts[d] > 0) beside.push_back(d);
    }
  };
  copy(by_second_, scratch.before, scratch.classes_before);
  copy(by_first_, scratch.behind, scratch.classes_behind);
  return best_other(from, totals_.count(from), by_first_.count(at(from, from)), false, scratch);
}

void TwoSided::move(std::uint32_t word, std::uint32_t to, Scratch& scratch) {
  const std::uint32_t from = class_of_[word];
  const double self = count_neighbours(word, scratch);
  for (const std::uint32_t d : scratch.classes_behind) {
    add(from, d, -scratch.behind[d]);
    add(to, d, scratch.behind[d]);
  }
  for (const std::uint32_t d : scratch.classes_before) {
    add(d, from, -scratch.before[d]);
    add(d, to, scratch.before[d]);
  }
  add(from, from, -self);
  add(to, to, self);
  move_total(word, to);
}

}  // namespace budgie::clusters
