// SPDX-License-Identifier: Apache-2.0
#include "network/layer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace budgie::network {

Layer::Layer(std::size_t inputs_, std::size_t outputs_, const float* row_major, const float* bias_)
    : inputs(padded(inputs_)), outputs(outputs_), stride(padded(outputs_)) {
  weights.assign(inputs * stride, 0);
  bias.assign(stride, 0);
  std::copy_n(bias_, outputs, bias.data());
  // Some outputs at a time: both sides are then read and written in lines.
  for (std::size_t first = 0; first < outputs; first += kLanes) {
    const std::size_t last = std::min(first + kLanes, outputs);
    for (std::size_t i = 0; i < inputs_; ++i) {
      for (std::size_t o = first; o < last; ++o) weights[i * stride + o] = row_major[o * inputs_ + i];
    }
  }
}

void Layer::apply(const float* in, std::size_t texts, std::size_t in_stride, float* out) const {
  apply_layer(*this, in, texts, in_stride, out);
}

ShortLayer::ShortLayer(std::size_t inputs, std::size_t width_, const float* weights_)
    : pairs((inputs + 1) / 2), width(width_), weights(2 * pairs * width), integers(width) {
  constexpr float kLargestSum = 1u << 31;
  constexpr auto kMostWeights = static_cast<std::int32_t>(kLargestSum / kLargestInput);  // of an output, all together
  static_assert(std::int64_t{kMostWeights} * static_cast<std::int64_t>(kLargestInput) < std::int64_t{1} << 31);
  constexpr float kLargest = std::numeric_limits<std::int16_t>::max();
  const float room = kLargestSum / kLargestInput - static_cast<float>(pairs + 1);  // roundings left out
  std::vector<float> largest(width), sums(width);
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t o = 0; o < width; ++o) {
      const float weight = std::abs(weights_[i * width + o]);
      largest[o] = std::max(largest[o], weight);
      sums[o] += weight;
    }
  }
  for (std::size_t o = 0; o < width; ++o) {
    if (largest[o] > kLeastInput) integers[o] = std::min(kLargest / largest[o], room / sums[o]);
  }
  // Of many weights, floats may add up to less than there is: what is too much is cut off.
  std::vector<std::int32_t> left(width, kMostWeights);
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t o = 0; o < width; ++o) {
      const auto rounded = static_cast<std::int32_t>(std::floor(weights_[i * width + o] * integers[o] + 0.5F));
      const std::int32_t fits = std::clamp(rounded, -left[o], left[o]);
      left[o] -= std::abs(fits);
      std::int16_t* block = weights.data() + o / kLanes * 2 * pairs * kLanes;
      block[(i / 2 * kLanes + o % kLanes) * 2 + i % 2] = static_cast<std::int16_t>(fits);
    }
  }
}

IntegerLayer::IntegerLayer(const Layer& layer)
    : layer_(layer.inputs, layer.stride, layer.weights.data()), outputs_(layer.outputs), bias_(layer.bias) {
  for (const float integers : layer_.integers) layer_.scales.push_back(integers > 0 ? 1 / integers : 0);
}

void IntegerLayer::apply(const float* in, std::size_t texts, std::int16_t* integers, float* out) const {
  float steps[kBlock];
  for (std::size_t t = 0; t < texts; ++t) {
    steps[t] = to_shorts(in + t * inputs(), inputs(), integers + t * inputs());
  }
  apply_shorts_to_floats(layer_, bias_.data(), integers, steps, texts, out);
}

ActionLayer::ActionLayer(const Layer& output) : width_(output.inputs) {
  if (output.outputs < 2 || output.outputs > kMostActions) throw std::invalid_argument("too few or too many actions");
  const std::size_t last = output.outputs - 1;
  weights_.resize(last * width_);
  bias_.resize(last);
  for (std::size_t action = 0; action < last; ++action) {
    bias_[action] = output.bias[action] - output.bias[last];
    for (std::size_t i = 0; i < width_; ++i) {
      const float* weights = output.weights.data() + i * output.stride;
      weights_[action * width_ + i] = weights[action] - weights[last];
    }
  }
}

}  // namespace budgie::network
