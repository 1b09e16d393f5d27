// SPDX-License-Identifier: Apache-2.0
#include "network/softmax.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "network/vectors.hpp"

namespace budgie::network {

namespace {

// e^((score - best) / temperature) as 2^n times a polynomial: the same bits on every machine, and in vector registers.
BUDGIE_CLONES void exponentials(float* scores, std::size_t count, float best, float per_temperature) {
  for (std::size_t i = 0; i < count; ++i) {
    const float x = (scores[i] - best) * per_temperature;
    const float y = (x > -87.0f ? x : -87.0f) * 1.44269504f;
    const auto whole = static_cast<std::int32_t>(y - 0.5f);
    const float part = (y - static_cast<float>(whole)) * 0.693147181f;  // at most ln 2 / 2
    float power = part * 0.0013888889f + 0.0083333333f;
    power = power * part + 0.041666667f;
    power = power * part + 0.16666667f;
    power = power * part + 0.5f;
    power = power * part + 1.0f;
    power = power * part + 1.0f;
    const std::int32_t bits = (whole + 127) << 23;
    float two;
    std::memcpy(&two, &bits, sizeof two);
    scores[i] = power * two;
  }
}

}  // namespace

float exponentiate(std::vector<float>& scores, std::size_t count, float best, float temperature) {
  std::fill(scores.begin() + static_cast<std::ptrdiff_t>(count), scores.end(), -std::numeric_limits<float>::infinity());
  exponentials(scores.data(), scores.size(), best, 1 / temperature);
  Vector<float, 4> sums = {};
  for (std::size_t i = 0; i < scores.size(); i += 4) sums += load<Vector<float, 4>>(scores.data() + i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace budgie::network
