// SPDX-License-Identifier: Apache-2.0
// Hidden layers of words as integers of 16 bits: where all that is added to a unit has one sign, and is as much as it
// can be, no sum overflows: neither that of its products, in 32 bits, nor that of its parts, in 16.
#include "network/hidden.hpp"

#include <cmath>
#include <random>

#include "testing.hpp"

using namespace budgie::features;
using namespace budgie::network;
using namespace budgie::testing;

namespace {

constexpr std::size_t kUnits = 32;

// A network that looks at words from `parts` positions. Each word has the same numbers, all of one size and with any
// sign, and weights have the sign of their input or, for every other unit, the opposite one: `weight` says how large.
template <class Weight>
Network make_network(std::mt19937& draw, std::size_t parts, std::size_t dim, bool bytes, float bias, Weight&& weight) {
  Embedding embedding;
  embedding.dim = static_cast<std::uint32_t>(dim);
  if (bytes) {
    embedding.scale = 0.25F;
    embedding.integers.assign(dim, 0);  // the largest number of its kind
  } else {
    for (std::size_t i = 0; i < dim; ++i) embedding.floats.push_back(draw() % 2 == 0 ? 0.5F : -0.5F);
  }
  std::vector<float> numbers(dim), weights, biases;
  embedding.row(0, numbers.data());
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    const float sign = unit % 2 == 0 ? 1 : -1;
    for (std::size_t i = 0; i < parts * dim; ++i) {
      weights.push_back(std::copysign(weight(unit, i), numbers[i % dim]) * sign);
    }
    biases.push_back(bias * sign);
  }
  Network network;
  network.embeddings.push_back(embedding);
  network.hidden = Layer(parts * dim, kUnits, weights.data(), biases.data());
  return network;
}

// Compares the hidden layer of such a network with what it should be, up to a share of it.
void check_largest(const Network& network, std::size_t parts, double tolerance) {
  Group group;
  group.kind = Group::Kind::words;
  for (std::size_t part = 0; part < parts; ++part) group.positions.push_back(static_cast<int>(part));
  const HiddenWords<std::int16_t> hidden({{group}}, network, parts, [](const FeaturePosition& at) {
    return std::optional<std::size_t>(static_cast<std::size_t>(at.position));
  });
  HiddenWords<std::int16_t>::Scratch scratch(hidden);
  // More words than share a pass, and fewer.
  const std::vector<std::string> words = {"a", "b", "c", "d", "e"};
  const std::int16_t* const* rows = hidden.find(views(words).data(), words.size(), scratch, never);
  const std::size_t width = hidden.width(), dim = network.embeddings[0].dim;
  std::vector<float> numbers(dim), found(width);
  network.embeddings[0].row(0, numbers.data());
  for (std::size_t word = 0; word < words.size(); ++word) {
    std::vector<const std::int16_t*> some = {hidden.bias()};
    for (std::size_t part = 0; part < parts; ++part) some.push_back(hidden.part(rows[word], part));
    hidden.rectify(some.data(), some.size(), found.data());
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      double sum = static_cast<double>(network.hidden.bias[unit]);
      for (std::size_t i = 0; i < parts * dim; ++i) {
        sum += static_cast<double>(network.hidden.weights[i * width + unit]) * static_cast<double>(numbers[i % dim]);
      }
      if (unit % 2 == 0) EXPECT(std::abs(static_cast<double>(found[unit]) - sum) <= tolerance * sum);
      if (unit % 2 != 0) EXPECT(found[unit] == 0);
    }
  }
}

void sums_as_large_as_they_can_be() {
  std::mt19937 draw(1);
  for (int i = 0; i < 60; ++i) {
    const std::size_t parts = 1 + draw() % (i % 2 == 0 ? 7 : 129), dim = 1 + draw() % 40;
    const float size = std::pow(10.0F, static_cast<float>(draw() % 26) - 20);  // up to what a file may hold
    const float bias = size * static_cast<float>(draw() % 3);
    const auto equal = [&](std::size_t, std::size_t) { return size; };
    const auto any = [&](std::size_t, std::size_t) { return size * static_cast<float>(draw() % 1000) / 1000; };
    check_largest(make_network(draw, parts, dim, false, bias, equal), parts, 0.01);
    check_largest(make_network(draw, parts, dim, true, bias, equal), parts, 0.01);
    check_largest(make_network(draw, parts, dim, false, size, any), parts, 0.01);
  }
}

// As many inputs as a file may ask for: a weight is a few steps, or one. A few large weights leave just as much room as
// the small ones need, which are half a step each and rounded up, and lie between two floats of their sum: added up as
// floats, they come to less than they are.
void sums_of_as_many_as_there_can_be() {
  constexpr std::size_t kMany = 1 << 16, kLarge = 8;
  constexpr float kGap = 1.0F / (1 << 20);  // between floats from 8 to 16
  std::mt19937 draw(2);
  check_largest(make_network(draw, 1, kMany, false, 0, [](std::size_t, std::size_t) { return 1.0F; }), 1, 0.2);
  for (const float part : {0.49F, 0.4F, 0.0F}) {
    const auto weight = [part](std::size_t unit, std::size_t i) {
      return 2 * (i < kLarge ? 1 : kGap * (static_cast<float>(10 + unit / 2) + part));  // inputs are halves
    };
    check_largest(make_network(draw, 1, kMany, false, 0, weight), 1, 0.2);
  }
}

}  // namespace

int main() {
  sums_as_large_as_they_can_be();
  sums_of_as_many_as_there_can_be();
  return result("hidden");
}
