// SPDX-License-Identifier: Apache-2.0
// The loops over integers of 16 bits give the same bits whatever the registers are.
#include "network/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "network/kernel_sets.hpp"
#include "testing.hpp"

namespace budgie::network {

namespace {

// Rows of a random layer for some random vectors and one of rounded numbers; the rectified sum of the first of them.
struct Outcome {
  std::vector<std::int16_t> rows;
  std::vector<float> sum;

  bool operator==(const Outcome& other) const {
    return rows == other.rows && std::memcmp(sum.data(), other.sum.data(), sum.size() * sizeof(float)) == 0;
  }
};

struct Case {
  ShortLayer layer{};
  std::size_t count;
  std::vector<std::int16_t> vectors{};

  explicit Case(std::mt19937& draw) : count(1 + draw() % 9) {
    layer.pairs = draw() % 60;
    layer.width = kLanes * (1 + draw() % 17);
    for (std::size_t i = 0; i < 2 * layer.pairs * layer.width; ++i) layer.weights.push_back(number(draw, 4000));
    for (std::size_t i = 0; i < layer.width; ++i) {
      layer.scales.push_back(static_cast<float>(1 + draw() % 1000) * 1e-6F);
      layer.most.push_back(static_cast<float>(draw() % 10922));  // three of them fit 16 bits
    }
    for (std::size_t i = 0; i < count * 2 * layer.pairs; ++i) vectors.push_back(number(draw, 8191));
  }

  static std::int16_t number(std::mt19937& draw, int most) {
    return static_cast<std::int16_t>(static_cast<int>(draw() % static_cast<unsigned>(2 * most + 1)) - most);
  }

  Outcome run(ApplyShorts apply, RectifyShorts rectify, RoundShorts round) const {
    Outcome made{std::vector<std::int16_t>(count * layer.width), std::vector<float>(layer.width)};
    std::vector<std::int16_t*> rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back(made.rows.data() + i * layer.width);
    apply(layer, vectors.data(), count, rows.data());
    const std::vector<const std::int16_t*> some(rows.begin(), rows.begin() + static_cast<int>(count < 3 ? count : 3));
    rectify(some.data(), some.size(), layer.scales.data(), layer.width, made.sum.data());
    const std::vector<float> most(layer.width, 32766);
    made.rows.resize(made.rows.size() + layer.width);
    std::vector<float> numbers;  // halves, and more than fits
    for (std::size_t i = 0; i < layer.width; ++i)
      numbers.push_back(static_cast<float>(vectors.size() % 7 + i * 137) * 0.5F);
    for (std::size_t i = 0; i < layer.width; i += 2) numbers[i] *= -20;
    const std::vector<float> ones(layer.width, 1);
    round(numbers.data(), ones.data(), most.data(), layer.width, made.rows.data() + count * layer.width);
    return made;
  }

  // What one output is, by hand.
  std::int16_t output(std::size_t vector, std::size_t unit) const {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < 2 * layer.pairs; ++i) {
      const std::size_t block = unit / kLanes * 2 * layer.pairs * kLanes;
      const std::size_t at = block + (i / 2 * kLanes + unit % kLanes) * 2 + i % 2;
      sum += vectors[vector * 2 * layer.pairs + i] * layer.weights[at];
    }
    float value = static_cast<float>(sum) * layer.scales[unit];
    value = std::min(std::max(value, -layer.most[unit]), layer.most[unit]);
    return static_cast<std::int16_t>(std::floor(value + 0.5F));
  }
};

void integers_are_the_same_in_all_registers() {
  std::mt19937 draw(1);
  for (int i = 0; i < 200; ++i) {
    const Case one(draw);
    const Outcome here = one.run(apply_shorts, rectify_shorts, round_shorts);
    EXPECT(here == one.run(plain::apply_shorts, plain::rectify_shorts, plain::round_shorts));
#ifdef BUDGIE_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v3")) {
      EXPECT(here == one.run(v3::apply_shorts, v3::rectify_shorts, v3::round_shorts));
    }
    if (__builtin_cpu_supports("x86-64-v4")) {
      EXPECT(here == one.run(v4::apply_shorts, v4::rectify_shorts, v4::round_shorts));
      if (__builtin_cpu_supports("avx512vnni")) {
        EXPECT(here == one.run(v4_dot::apply_shorts, v4_dot::rectify_shorts, v4_dot::round_shorts));
      }
    }
#endif
    const std::size_t vector = draw() % one.count, unit = draw() % one.layer.width;
    const int difference = here.rows[vector * one.layer.width + unit] - one.output(vector, unit);
    EXPECT(difference >= -1 && difference <= 1);  // a half may go either way
  }
}

}  // namespace

}  // namespace budgie::network

int main() {
  budgie::network::integers_are_the_same_in_all_registers();
  return budgie::testing::result("kernels");
}
