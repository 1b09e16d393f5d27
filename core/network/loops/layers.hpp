// SPDX-License-Identifier: Apache-2.0
// Layers, and sums of rows, of floats. A part of kernel_loops.hpp.

// kOutputs outputs from `first` on, for kTexts texts at once: they are in registers while all inputs pass by. Each is
// added up in the same order, so a result depends neither on registers nor on neighbours.
template <std::size_t kTexts, std::size_t kOutputs>
BUDGIE_INLINE void apply_part(const Layer& layer, std::size_t first, const float* in, std::size_t in_stride,
                              float* out) {
  constexpr std::size_t kVectors = kOutputs / kRegister;
  Vector sums[kTexts][kVectors];
  for (auto& text : sums) {
    for (std::size_t v = 0; v < kVectors; ++v) text[v] = load(layer.bias.data() + first + v * kRegister);
  }
  const float* weights = layer.weights.data() + first;
  for (std::size_t i = 0; i < layer.inputs; ++i, weights += layer.stride) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Vector weight = load(weights + v * kRegister);
      for (std::size_t t = 0; t < kTexts; ++t) sums[t][v] += in[t * in_stride + i] * weight;
    }
  }
  for (std::size_t t = 0; t < kTexts; ++t) std::memcpy(out + t * layer.stride + first, &sums[t], sizeof sums[t]);
}

// One text alone takes more outputs at a time, since each sum waits for its last addition.
inline void apply_layer(const Layer& layer, const float* in, std::size_t texts, std::size_t in_stride, float* out) {
  std::size_t t = 0;
  for (; t + kBlock <= texts; t += kBlock) {
    for (std::size_t first = 0; first < layer.stride; first += kLanes) {
      apply_part<kBlock, kLanes>(layer, first, in + t * in_stride, in_stride, out + t * layer.stride);
    }
  }
  for (; t < texts; ++t) {
    const float* x = in + t * in_stride;
    float* y = out + t * layer.stride;
    std::size_t first = 0;
    for (; first + 4 * kLanes <= layer.stride; first += 4 * kLanes) apply_part<1, 4 * kLanes>(layer, first, x, 0, y);
    for (; first < layer.stride; first += kLanes) apply_part<1, kLanes>(layer, first, x, 0, y);
  }
}

template <std::size_t kUnits>
BUDGIE_INLINE void add_float_tile(const Input<float>* inputs, std::size_t input_count, const float* weight,
                                  std::size_t width, std::size_t i, float* out) {
  Vector sum[kUnits];
  for (std::size_t t = 0; t < kUnits; ++t) sum[t] = load(out + t * width);
  for (std::size_t n = 0; n < input_count; ++n) {
    const std::size_t dim = inputs[n].dim;
    const float* vector = inputs[n].vectors + i * dim;
    for (std::size_t d = 0; d < dim; ++d, weight += kLanes) {
      const Vector w = load(weight);
      for (std::size_t t = 0; t < kUnits; ++t) sum[t] += vector[t * dim + d] * w;
    }
  }
  for (std::size_t t = 0; t < kUnits; ++t) std::memcpy(out + t * width, &sum[t], sizeof sum[t]);
}

inline void add_floats(const Input<float>* inputs, std::size_t input_count, const float* weights, std::size_t width,
                       std::size_t count, float* rows) {
  std::size_t total = 0;
  for (std::size_t n = 0; n < input_count; ++n) total += inputs[n].dim;
  for (std::size_t block = 0; block < width; block += kLanes, weights += total * kLanes) {
    for (std::size_t part = 0; part < kLanes; part += kRegister) {
      if (count == 1) {  // of a word: there is no room for a whole tile
        add_float_tile<1>(inputs, input_count, weights + part, width, 0, rows + block + part);
        continue;
      }
      for (std::size_t i = 0; i < count; i += kTile) {
        add_float_tile<kTile>(inputs, input_count, weights + part, width, i, rows + i * width + block + part);
      }
    }
  }
}

// 16 floats of the sum of some rows stay in registers while all rows pass by.
BUDGIE_INLINE void sum_block(const float* const* rows, std::size_t row_count, std::size_t block, Vector* sums) {
  for (std::size_t p = 0; p < kParts; ++p) sums[p] = Vector{};
  for (std::size_t n = 0; n < row_count; ++n) {
    for (std::size_t p = 0; p < kParts; ++p) sums[p] += load(rows[n] + block + p * kRegister);
  }
}

BUDGIE_INLINE Vector rectified(Vector sum) { return sum > Vector{} ? sum : Vector{}; }

template <bool kRectified>
inline void sum_rows(const float* const* rows, std::size_t row_count, std::size_t width, float* out) {
  for (std::size_t block = 0; block < width; block += kLanes) {
    Vector sums[kParts];
    sum_block(rows, row_count, block, sums);
    for (Vector& sum : sums) sum = kRectified ? rectified(sum) : sum;
    std::memcpy(out + block, sums, sizeof sums);
  }
}
