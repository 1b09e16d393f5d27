// SPDX-License-Identifier: Apache-2.0
// Products of bytes. A part of kernel_loops.hpp.

// kBlocks times 16 floats of the rows of kUnits units of text: as many sums as registers hold.
template <std::size_t kUnits, std::size_t kBlocks>
BUDGIE_INLINE void add_tile(const Input<std::uint8_t>* inputs, std::size_t input_count, const std::int8_t* weights,
                            std::size_t block_size, const float* scales, std::size_t width, std::size_t i, float* out) {
  Simd::Sums sums[kBlocks][kUnits];
  const auto each = [&](auto&& call) {
    for (std::size_t b = 0; b < kBlocks; ++b) {
      for (std::size_t t = 0; t < kUnits; ++t) call(b, t);
    }
  };
  each([&](std::size_t b, std::size_t t) { Simd::clear(sums[b][t]); });
  std::size_t added = 0;
  for (std::size_t n = 0; n < input_count; ++n) {
    const std::size_t dim = inputs[n].dim;
    const std::uint8_t* vector = inputs[n].vectors + i * dim;
    for (std::size_t d = 0; d < dim; d += kQuad, weights += kLanes * kQuad) {
      each(
          [&](std::size_t b, std::size_t t) { Simd::add(sums[b][t], vector + t * dim + d, weights + b * block_size); });
      if (++added == kFits) {
        each([&](std::size_t b, std::size_t t) { Simd::widen(sums[b][t]); });
        added = 0;
      }
    }
  }
  each([&](std::size_t b, std::size_t t) {
    Simd::widen(sums[b][t]);
    float* to = out + t * width + b * kLanes;
    for (std::size_t p = 0; p < kParts; ++p) {
      const Vector sum = load(to + p * kRegister) + Simd::part(sums[b][t], scales + b * kLanes, p);
      std::memcpy(to + p * kRegister, &sum, sizeof sum);
    }
  });
}

template <std::size_t kUnits, std::size_t kBlocks>
BUDGIE_INLINE void add_all(const Input<std::uint8_t>* inputs, std::size_t input_count, const std::int8_t* weights,
                           const float* scales, std::size_t width, std::size_t count, float* rows) {
  std::size_t size = 0;  // of the weights of one block
  for (std::size_t n = 0; n < input_count; ++n) size += inputs[n].dim * kLanes;
  std::size_t block = 0;
  for (; block + kBlocks * kLanes <= width; block += kBlocks * kLanes, weights += kBlocks * size) {
    for (std::size_t i = 0; i < count; i += kUnits) {
      float* out = rows + i * width + block;
      add_tile<kUnits, kBlocks>(inputs, input_count, weights, size, scales + block, width, i, out);
    }
  }
  for (; block < width; block += kLanes, weights += size) {
    for (std::size_t i = 0; i < count; i += kUnits) {
      add_tile<kUnits, 1>(inputs, input_count, weights, size, scales + block, width, i, rows + i * width + block);
    }
  }
}

inline void add_bytes(const Input<std::uint8_t>* inputs, std::size_t input_count, const std::int8_t* weights,
                      const float* scales, std::size_t width, std::size_t count, float* rows) {
  constexpr std::size_t kBlocks = kRegister == 16 ? 2 : 1;
  if (count == 1) return add_all<1, 2 * kBlocks>(inputs, input_count, weights, scales, width, count, rows);
  add_all<kTile, kBlocks>(inputs, input_count, weights, scales, width, count, rows);
}
