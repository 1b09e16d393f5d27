// SPDX-License-Identifier: Apache-2.0
// A fully connected layer, for several texts at once.
#pragma once
#include <cstddef>
#include <vector>

#include "rooms.hpp"

namespace budgie::network {

constexpr std::size_t kBlock = 4;  // texts that share one pass over the weights

// Vectors are padded with zeros, so that no loop needs a special case for its last few numbers.
constexpr std::size_t padded(std::size_t count) { return (count + 15) / 16 * 16; }

// A fully connected layer. Weights are stored input by input, so that one input's share is one run of memory.
struct Layer {
  std::size_t inputs = 0;  // padded
  std::size_t outputs = 0;
  std::size_t stride = 0;  // padded(outputs)
  std::vector<float> weights{};
  std::vector<float> bias{};

  Layer() = default;
  Layer(std::size_t inputs, std::size_t outputs, const float* row_major, const float* bias);

  // bias + W in, for `texts` vectors `in_stride` floats apart; results are `stride` apart.
  void apply(const float* in, std::size_t texts, std::size_t in_stride, float* out) const;
};

}  // namespace budgie::network
