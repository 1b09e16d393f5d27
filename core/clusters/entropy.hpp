// SPDX-License-Identifier: Apache-2.0
// x log x, of which every likelihood of counts is a sum. Not libm's: results are the same bits on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "dispatch.hpp"

namespace budgie::clusters {

constexpr double kLog2 = 0.69314718055994530942;

// For whole numbers from 0 to 2^52, in nats; relative error below 1e-14.
BUDGIE_INLINE double x_log_x(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCD;  // the bits of these numbers
  constexpr std::uint64_t kTwo52 = 0x4330000000000000;
  // x = 2^exponent * m, where m is between sqrt(1/2) and sqrt(2). For x = 0 the logarithm is some finite number.
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  std::uint64_t exponent = (bits - kSqrtHalf) >> 52;
  bits -= exponent << 52;
  exponent |= kTwo52;  // not a conversion, which few processors have for vectors of such numbers
  double m, e;
  std::memcpy(&m, &bits, sizeof m);
  std::memcpy(&e, &exponent, sizeof e);
  e -= 4503599627370496.0;  // 2^52
  // log m = 2 artanh s, with |s| below 0.172.
  const double s = (m - 1.0) / (m + 1.0);
  const double t = s * s;
  double series = 2.0 / 17;
  series = series * t + 2.0 / 15;
  series = series * t + 2.0 / 13;
  series = series * t + 2.0 / 11;
  series = series * t + 2.0 / 9;
  series = series * t + 2.0 / 7;
  series = series * t + 2.0 / 5;
  series = series * t + 2.0 / 3;
  series = series * t + 2.0;
  return x * (e * kLog2 + series * s);
}

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
