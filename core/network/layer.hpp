// SPDX-License-Identifier: Apache-2.0
// Fully connected layers: any, for several texts at once; and one of few outputs, for one decision after the other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/kernels.hpp"

namespace budgie::network {

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

// The same with integers for weights, several times as fast: inputs are rounded to an 8191st of the largest of them.
class IntegerLayer {
 public:
  explicit IntegerLayer(const Layer& layer);

  std::size_t inputs() const { return 2 * layer_.pairs; }  // padded
  std::size_t outputs() const { return outputs_; }
  std::size_t stride() const { return layer_.width; }

  // At most kBlock texts. There is room for inputs() integers of each.
  void apply(const float* in, std::size_t texts, std::int16_t* integers, float* out) const;

 private:
  ShortLayer layer_;
  std::size_t outputs_;
  std::vector<float> bias_;
};

// An output layer of few actions. It scores a hidden layer that is still a list of rows, in the registers in which they
// are summed up. Scores are relative to that of the last action, which is 0: that is one row of weights less.
class ActionLayer {
 public:
  static constexpr std::size_t kMostActions = kMostOutputs + 1;

  explicit ActionLayer(const Layer& output);  // 2 to kMostActions outputs, or std::invalid_argument

  std::size_t actions() const { return bias_.size() + 1; }

  // The scores of all actions for the rectified sum of some rows, and of some bytes.
  void score(const float* const* rows, std::size_t row_count, const Quads& quads, float* scores) const {
    score_rows(rows, row_count, quads, weights_.data(), bias_.size(), width_, scores);
    for (std::size_t action = 0; action < bias_.size(); ++action) scores[action] += bias_[action];
    scores[bias_.size()] = 0;
  }

 private:
  std::size_t width_;             // of the hidden layer, padded
  std::vector<float> weights_{};  // action after action, but for the last
  std::vector<float> bias_{};
};

}  // namespace budgie::network
