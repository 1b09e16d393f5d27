// SPDX-License-Identifier: Apache-2.0
#include "clusters/class_counts.hpp"

#include <algorithm>
#include <limits>

#include "clusters/one_sided.hpp"
#include "clusters/two_sided.hpp"

namespace budgie::clusters {

ClassCounts::ClassCounts(const Bigrams& bigrams, std::vector<std::uint32_t> class_of, std::size_t classes)
    : bigrams_(bigrams), class_of_(std::move(class_of)), totals_(classes + 2) {
  class_of_.push_back(static_cast<std::uint32_t>(classes));
  class_of_.push_back(static_cast<std::uint32_t>(classes) + 1);
  for (std::size_t s = 0; s < bigrams.symbols(); ++s) totals_.add(class_of_[s], static_cast<double>(bigrams.totals[s]));
}

ClassCounts::Choice ClassCounts::best_other(std::uint32_t from, double n, double weight, double staying, bool empty_too,
                                            Scratch& scratch) const {
  std::fill(scratch.costs.begin(), scratch.costs.end(), 0.0);
  totals_.add_gains(0, classes(), n, scratch.costs.data());
  staying -= weight * totals_.gain_of_last(from, n);
  Choice best{from, -std::numeric_limits<double>::infinity()};
  for (std::uint32_t c = 0; c < classes(); ++c) {
    const double gain = scratch.gains[c] - weight * scratch.costs[c] - staying;
    if (gain > best.gain && c != from && (empty_too || totals_.count(c) > 0)) best = {c, gain};
  }
  return best;
}

ClassCounts::Choice ClassCounts::better_or_stay(std::uint32_t from, Choice choice) const {
  constexpr double kLeast = 1e-6;  // nats: less may be an error of rounding, and words would move for ever
  return choice.gain > kLeast ? choice : Choice{from, 0};
}

void ClassCounts::move_total(std::uint32_t word, std::uint32_t to) {
  const auto n = static_cast<double>(bigrams_.totals[word]);
  totals_.add(class_of_[word], -n);
  totals_.add(to, n);
  class_of_[word] = to;
}

std::unique_ptr<ClassCounts> make_class_counts(const Bigrams& bigrams, std::vector<std::uint32_t> class_of,
                                               std::size_t classes, bool two_sided) {
  if (two_sided) return std::make_unique<TwoSided>(bigrams, std::move(class_of), classes);
  return std::make_unique<OneSided>(bigrams, std::move(class_of), classes);
}

double mutual_information(const Bigrams& bigrams, const ClassCounts& counts) {
  const std::size_t classes = counts.all_classes();
  const std::vector<std::uint32_t>& class_of = counts.class_of();
  std::vector<double> pairs(classes * classes);
  for (std::size_t s = 0; s < bigrams.symbols(); ++s) {
    double* row = pairs.data() + class_of[s] * classes;
    for (auto* next = bigrams.behind.begin(s); next != bigrams.behind.end(s); ++next) {
      row[class_of[next->symbol]] += next->count;
    }
  }
  const auto total = static_cast<double>(bigrams.total);
  if (total == 0) return 0;
  double sum = x_log_x(total);
  for (const double count : pairs) sum += x_log_x(count);
  for (std::size_t c = 0; c < classes; ++c) sum -= 2 * counts.totals().term(c);
  return sum / total / kLog2;
}

}  // namespace budgie::clusters
