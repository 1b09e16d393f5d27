// SPDX-License-Identifier: Apache-2.0
#include "network/layer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "network/vectors.hpp"

namespace budgie::network {

namespace {

// kOutputs outputs from `first` on of bias + W in, for kTexts texts at once, in vectors of kRegister: they are in
// registers while all inputs pass by. Each is added up in the same order, so a result depends neither on registers nor
// on neighbours.
template <std::size_t kRegister, std::size_t kTexts, std::size_t kOutputs>
BUDGIE_INLINE void apply_part(const Layer& layer, std::size_t first, const float* in, std::size_t in_stride,
                              float* out) {
  using Part = Vector<float, kRegister>;
  constexpr std::size_t kParts = kOutputs / kRegister;
  Part sums[kTexts][kParts];
  for (auto& text : sums) {
    for (std::size_t p = 0; p < kParts; ++p) text[p] = load<Part>(layer.bias.data() + first + p * kRegister);
  }
  const float* weights = layer.weights.data() + first;
  for (std::size_t i = 0; i < layer.inputs; ++i, weights += layer.stride) {
    for (std::size_t p = 0; p < kParts; ++p) {
      const auto weight = load<Part>(weights + p * kRegister);
      for (std::size_t t = 0; t < kTexts; ++t) sums[t][p] += in[t * in_stride + i] * weight;
    }
  }
  for (std::size_t t = 0; t < kTexts; ++t) std::memcpy(out + t * layer.stride + first, &sums[t], sizeof sums[t]);
}

// One text alone takes more outputs at a time, since each sum waits for its last addition.
template <std::size_t kRegister>
BUDGIE_INLINE void apply_in(const Layer& layer, const float* in, std::size_t texts, std::size_t in_stride, float* out) {
  std::size_t t = 0;
  for (; t + kBlock <= texts; t += kBlock) {
    for (std::size_t first = 0; first < layer.stride; first += 16) {
      apply_part<kRegister, kBlock, 16>(layer, first, in + t * in_stride, in_stride, out + t * layer.stride);
    }
  }
  for (; t < texts; ++t) {
    const float* x = in + t * in_stride;
    float* y = out + t * layer.stride;
    std::size_t first = 0;
    for (; first + 64 <= layer.stride; first += 64) apply_part<kRegister, 1, 64>(layer, first, x, in_stride, y);
    for (; first < layer.stride; first += 16) apply_part<kRegister, 1, 16>(layer, first, x, in_stride, y);
  }
}

using Apply = void (*)(const Layer&, const float*, std::size_t, std::size_t, float*);

void apply_plain(const Layer& layer, const float* in, std::size_t texts, std::size_t in_stride, float* out) {
  apply_in<4>(layer, in, texts, in_stride, out);
}

#ifdef BUDGIE_X86
__attribute__((target("arch=x86-64-v3"))) void apply_v3(const Layer& layer, const float* in, std::size_t texts,
                                                        std::size_t in_stride, float* out) {
  apply_in<8>(layer, in, texts, in_stride, out);
}

__attribute__((target("arch=x86-64-v4"))) void apply_v4(const Layer& layer, const float* in, std::size_t texts,
                                                        std::size_t in_stride, float* out) {
  apply_in<16>(layer, in, texts, in_stride, out);
}

Apply choose_apply() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return apply_v4;
  return __builtin_cpu_supports("x86-64-v3") ? apply_v3 : apply_plain;
}
#else
Apply choose_apply() { return apply_plain; }
#endif

// out = bias + W in. Written for each register by hand: the compiler keeps a vector in memory that is wider than
// registers.
const Apply apply_layer = choose_apply();

}  // namespace

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
