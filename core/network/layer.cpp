// SPDX-License-Identifier: Apache-2.0
#include "network/layer.hpp"

#include <algorithm>
#include <stdexcept>

namespace budgie::network {

Layer::Layer(std::size_t inputs_, std::size_t outputs_, const float* row_major, const float* bias_)
    : inputs(padded(inputs_)), outputs(outputs_), stride(padded(outputs_)) {
  weights.assign(inputs * stride, 0);
  bias.assign(stride, 0);
  std::copy_n(bias_, outputs, bias.data());
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs_; ++i) weights[i * stride + o] = row_major[o * inputs_ + i];
  }
}

void Layer::apply(const float* in, std::size_t texts, std::size_t in_stride, float* out) const {
  apply_layer(*this, in, texts, in_stride, out);
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
