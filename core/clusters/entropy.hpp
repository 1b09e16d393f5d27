// SPDX-License-Identifier: Apache-2.0
// x log x, of which every likelihood of counts is a sum.
#pragma once
#include <cstddef>
#include <vector>

#include "exponential.hpp"

namespace budgie::clusters {

// For whole numbers from 0 to 2^52, in nats.
BUDGIE_INLINE double x_log_x(double x) { return x * logarithm(x); }

// Counts with f(x) = x log x of each, and what one more would add: f(x + 1) - f(x).
class CountTable {
 public:
  explicit CountTable(std::size_t size) : counts_(size), terms_(size), firsts_(size) {}

  void set(std::size_t at, double count) {
    counts_[at] = count;
    terms_[at] = x_log_x(count);
    firsts_[at] = x_log_x(count + 1) - terms_[at];
  }
  void add(std::size_t at, double n) { set(at, counts_[at] + n); }

  std::size_t size() const { return counts_.size(); }
  double count(std::size_t at) const { return counts_[at]; }
  double term(std::size_t at) const { return terms_[at]; }
  // What f gains, or had gained, from n of this count.
  double gain_of_more(std::size_t at, double n) const { return x_log_x(counts_[at] + n) - terms_[at]; }
  double gain_of_last(std::size_t at, double n) const { return terms_[at] - x_log_x(counts_[at] - n); }

  // gains[i] += gain_of_more(first + i, n) for `size` counts: the loop in which clustering spends its time.
  void add_gains(std::size_t first, std::size_t size, double n, double* gains) const;

 private:
  std::vector<double> counts_, terms_, firsts_;
};

}  // namespace budgie::clusters
