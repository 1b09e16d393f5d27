// SPDX-License-Identifier: Apache-2.0
// Our exponential function and our logarithm are as near to the right numbers as they say, and bounded where they end.
#include "exponential.hpp"

#include <cmath>
#include <limits>

#include "testing.hpp"

namespace budgie::testing {
namespace {

bool near(double found, double expected) { return std::abs(found - expected) <= 1e-14 * std::abs(expected); }

void exponentials_are_right() {
  for (double x = 0; x >= -700; x -= 0.00917) EXPECT(near(exponential(x), std::exp(x)));
  EXPECT(exponential(0) == 1);
  const double least = exponential(-700);
  EXPECT(least > 0 && exponential(-701) == least);
  EXPECT(exponential(-std::numeric_limits<double>::infinity()) == least);
  EXPECT(exponential(std::numeric_limits<double>::quiet_NaN()) == least);
}

void logarithms_are_right() {
  for (double x = 0.7072; x < 1e300; x *= 1.00137) EXPECT(near(logarithm(x), std::log(x)));
  for (double x = 1; x < 9e15; x = x * 3 + 1) EXPECT(near(logarithm(x), std::log(x)));
  EXPECT(logarithm(1) == 0);
  EXPECT(std::isfinite(logarithm(0)));
}

}  // namespace
}  // namespace budgie::testing

int main() {
  budgie::testing::exponentials_are_right();
  budgie::testing::logarithms_are_right();
  return budgie::testing::result("exponential");
}
