// SPDX-License-Identifier: Apache-2.0
// The exponential function and the logarithm. Not libm's: results are the same bits on every machine.
#pragma once
#include <cstdint>
#include <cstring>

#include "dispatch.hpp"

namespace budgie {

constexpr double kLog2 = 0.69314718055994530942;

// e^x for x of at most 0, and of at least -700, which stands for all that is less; relative error below 1e-14.
BUDGIE_INLINE double exponential(double x) {
  x = x > -700.0 ? x : -700.0;
  const auto whole = static_cast<std::int32_t>(x * (1 / kLog2) - 0.5);
  // 2^whole * e^part; ln 2 in two parts, of which the first times a small whole number is exact.
  const double part = (x - whole * 0x1.62e42fee00000p-1) - whole * 0x1.a39ef35793c76p-33;
  double power = 1.0 / 39916800;
  power = power * part + 1.0 / 3628800;
  power = power * part + 1.0 / 362880;
  power = power * part + 1.0 / 40320;
  power = power * part + 1.0 / 5040;
  power = power * part + 1.0 / 720;
  power = power * part + 1.0 / 120;
  power = power * part + 1.0 / 24;
  power = power * part + 1.0 / 6;
  power = power * part + 0.5;
  power = power * part + 1.0;
  power = power * part + 1.0;
  const auto bits = static_cast<std::uint64_t>(whole + 1023) << 52;
  double two;
  std::memcpy(&two, &bits, sizeof two);
  return power * two;
}

// For x of at least sqrt(1/2); relative error below 1e-14. For x = 0 it is some finite number.
BUDGIE_INLINE double logarithm(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCD;  // the bits of these numbers
  constexpr std::uint64_t kTwo52 = 0x4330000000000000;
  // x = 2^exponent * m, where m is between sqrt(1/2) and sqrt(2).
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
  return e * kLog2 + series * s;
}

}  // namespace budgie
