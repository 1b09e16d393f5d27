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

// Rows of a random layer for some random vectors and one of rounded numbers; the rectified sum of the first of them,
// then the same layer with floats for outputs.
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

  struct Kernels {
    ApplyShorts apply;
    RectifyShorts rectify;
    RoundShorts round;
    ToShorts to_shorts;
    ApplyShortsToFloats apply_to_floats;
  };

  Outcome run(const Kernels& kernels) const {
    const auto& [apply, rectify, round, to_integers, apply_to_floats] = kernels;
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
    std::vector<std::int16_t> integers(layer.width);
    const std::vector<float> steps(count, to_integers(numbers.data(), layer.width, integers.data()));
    made.rows.insert(made.rows.end(), integers.begin(), integers.end());
    made.sum.resize((count + 1) * layer.width);
    apply_to_floats(layer, numbers.data(), vectors.data(), steps.data(), count, made.sum.data() + layer.width);
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

#define BUDGIE_KERNELS(set) \
  {set::apply_shorts, set::rectify_shorts, set::round_shorts, set::to_shorts, set::apply_shorts_to_floats}

void integers_are_the_same_in_all_registers() {
  std::mt19937 draw(1);
  for (int i = 0; i < 200; ++i) {
    const Case one(draw);
    const Outcome here = one.run({apply_shorts, rectify_shorts, round_shorts, to_shorts, apply_shorts_to_floats});
    EXPECT(here == one.run(BUDGIE_KERNELS(plain)));
#ifdef BUDGIE_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v3")) {
      EXPECT(here == one.run(BUDGIE_KERNELS(v3)));
    }
    if (__builtin_cpu_supports("x86-64-v4")) {
      EXPECT(here == one.run(BUDGIE_KERNELS(v4)));
      if (__builtin_cpu_supports("avx512vnni")) {
        EXPECT(here == one.run(BUDGIE_KERNELS(v4_dot)));
      }
    }
#endif
    const std::size_t vector = draw() % one.count, unit = draw() % one.layer.width;
    const int difference = here.rows[vector * one.layer.width + unit] - one.output(vector, unit);
    EXPECT(difference >= -1 && difference <= 1);  // a half may go either way
  }
}

// Numbers that layers of floats and of integers make of the same inputs.
void a_layer_of_integers_is_nearly_one_of_floats() {
  std::mt19937 draw(2);
  std::uniform_real_distribution<float> number(-1, 1);
  for (std::size_t inputs : {1u, 15u, 64u, 130u}) {
    std::vector<float> weights(inputs * 33), bias(33);
    for (float& weight : weights) weight = number(draw);
    for (float& one : bias) one = number(draw);
    const Layer layer(inputs, bias.size(), weights.data(), bias.data());
    const IntegerLayer rounded(layer);
    std::vector<float> in(3 * layer.inputs);
    for (std::size_t t = 0; t < 2; ++t) {  // the last text is nothing but zeros
      for (std::size_t i = 0; i < inputs; ++i) in[t * layer.inputs + i] = number(draw) * (t == 0 ? 1 : 1e6F);
    }
    std::vector<float> exact(3 * layer.stride), nearly(exact);
    std::vector<std::int16_t> integers(in.size());
    layer.apply(in.data(), 3, layer.inputs, exact.data());
    rounded.apply(in.data(), 3, integers.data(), nearly.data());
    for (std::size_t t = 0; t < 3; ++t) {
      for (std::size_t o = 0; o < bias.size(); ++o) {
        const float error = std::abs(exact[t * layer.stride + o] - nearly[t * layer.stride + o]);
        EXPECT(error <= (t == 0 ? 1e-4F : t == 1 ? 1e2F : 0) * static_cast<float>(inputs));
      }
    }
  }
}

}  // namespace

}  // namespace budgie::network

int main() {
  budgie::network::integers_are_the_same_in_all_registers();
  budgie::network::a_layer_of_integers_is_nearly_one_of_floats();
  return budgie::testing::result("kernels");
}
