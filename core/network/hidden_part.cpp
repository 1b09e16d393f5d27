// SPDX-License-Identifier: Apache-2.0
#include "network/hidden_part.hpp"

#include <algorithm>
#include <cmath>

namespace budgie::network {

void HiddenPart::add(const Tap& tap, const Embedding& embedding, const float* weights) {
  Taps& taps = embedding.small() ? bytes_ : floats_;
  taps.taps.push_back(tap);
  const float scale = embedding.small() ? embedding.scale : 1;
  for (std::size_t i = 0; i < embedding.dim * units_; ++i) taps.weights.push_back(weights[i] * scale);
  if (embedding.small()) zeros_.insert(zeros_.end(), embedding.dim, embedding.zero());
}

void HiddenPart::finish(std::vector<float>& bias) {
  for (std::size_t block = 0; block < units_; block += kLanes) {
    for (std::size_t at = block; at < floats_.weights.size(); at += units_) {
      packed_.insert(packed_.end(), &floats_.weights[at], &floats_.weights[at] + kLanes);
    }
  }
  floats_.weights = {};
  const std::vector<float>& weights = bytes_.weights;
  scales_.assign(units_, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    scales_[i % units_] = std::max(scales_[i % units_], std::abs(weights[i]) / 127);
  }
  packed_bytes_.resize(weights.size());
  std::vector<double> excess(units_);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t input = i / units_, unit = i % units_, inputs = weights.size() / units_;
    const float rounded = scales_[unit] > 0 ? std::floor(weights[i] / scales_[unit] + 0.5F) : 0;
    const float byte = std::clamp(rounded, -127.0F, 127.0F);
    excess[unit] += static_cast<double>(byte * zeros_[input]);
    const std::size_t block = unit / kLanes * inputs * kLanes;
    const std::size_t quad = (input / kQuad * kLanes + unit % kLanes) * kQuad + input % kQuad;
    packed_bytes_[block + quad] = static_cast<std::int8_t>(byte);
  }
  for (std::size_t u = 0; u < units_; ++u) bias[u] -= static_cast<float>(excess[u] * static_cast<double>(scales_[u]));
  bytes_.weights = {};
}

}  // namespace budgie::network
