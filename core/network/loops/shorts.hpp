// SPDX-License-Identifier: Apache-2.0
// Integers of 16 bits: rows of them, and layers. A part of kernel_loops.hpp.

using Shorts __attribute__((vector_size(kRegister * sizeof(std::int16_t)))) = std::int16_t;

BUDGIE_INLINE Shorts load(const std::int16_t* from) {
  Shorts value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline void rectify_shorts(const std::int16_t* const* rows, std::size_t row_count, const float* steps,
                           std::size_t width, float* out) {
  using Sixteen __attribute__((vector_size(kLanes * sizeof(std::int16_t)))) = std::int16_t;
  for (std::size_t block = 0; block < width; block += kLanes) {
    Sixteen sums{};
    for (std::size_t n = 0; n < row_count; ++n) {
      Sixteen row;
      std::memcpy(&row, rows[n] + block, sizeof row);
      sums += row;
    }
    sums = sums > Sixteen{} ? sums : Sixteen{};
    for (std::size_t p = 0; p < kLanes; p += kRegister) {
      const Shorts some = load(reinterpret_cast<const std::int16_t*>(&sums) + p);
      const Vector scaled = __builtin_convertvector(some, Vector) * load(steps + block + p);
      std::memcpy(out + block + p, &scaled, sizeof scaled);
    }
  }
}

// Conversions cut fractions off, towards zero: numbers are made positive first.
BUDGIE_INLINE void round_to(std::int16_t* out, Vector value) {
  constexpr std::int32_t kMiddle = 1 << 15;
  const Integers whole = __builtin_convertvector(value + (kMiddle + 0.5F), Integers) - kMiddle;
  const Shorts rounded = __builtin_convertvector(whole, Shorts);
  std::memcpy(out, &rounded, sizeof rounded);
}

BUDGIE_INLINE void round_to(std::int16_t* out, Vector value, const float* most) {
  const Vector limit = load(most);
  value = value < limit ? value : limit;
  round_to(out, value > -limit ? value : -limit);
}

inline float to_shorts(const float* numbers, std::size_t count, std::int16_t* out) {
  Vector most{};
  for (std::size_t i = 0; i < count; i += kRegister) {
    const Vector some = load(numbers + i);
    const Vector sizes = some > Vector{} ? some : -some;
    most = sizes > most ? sizes : most;
  }
  float largest = kLeastInput;
  for (std::size_t i = 0; i < kRegister; ++i) largest = most[i] > largest ? most[i] : largest;
  const float scale = kLargestInput / largest;
  for (std::size_t i = 0; i < count; i += kRegister) round_to(out + i, load(numbers + i) * scale);
  return largest / kLargestInput;
}

inline void round_shorts(const float* numbers, const float* scales, const float* most, std::size_t count,
                         std::int16_t* out) {
  for (std::size_t i = 0; i < count; i += kRegister) round_to(out + i, load(numbers + i) * load(scales + i), most + i);
}

// kBlocks times 16 outputs from `first` on, for kVectors vectors at once. Calls put(vector, output, sums times scales).
template <std::size_t kVectors, std::size_t kBlocks, class Put>
BUDGIE_INLINE void apply_shorts_part(const ShortLayer& layer, std::size_t first, const std::int16_t* vectors,
                                     Put&& put) {
  Simd::Sums sums[kVectors][kBlocks];
  for (auto& vector : sums) {
    for (auto& block : vector) Simd::clear(block);
  }
  const std::int16_t* weights = layer.weights.data() + first * 2 * layer.pairs;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < layer.pairs; ++i, weights += 2 * kLanes) {
    for (std::size_t b = 0; b < kBlocks; ++b) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        Simd::add(sums[v][b], vectors + 2 * (v * layer.pairs + i), weights + b * 2 * kLanes * layer.pairs);
      }
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    for (std::size_t b = 0; b < kBlocks; ++b) {
      const std::size_t block = first + b * kLanes;
      for (std::size_t p = 0; p < kParts; ++p) {
        put(v, block + p * kRegister, Simd::part(sums[v][b], layer.scales.data() + block, p));
      }
    }
  }
}

template <std::size_t kVectors, class Put>
BUDGIE_INLINE void apply_shorts_to(const ShortLayer& layer, const std::int16_t* vectors, Put&& put) {
  constexpr std::size_t kBlocks = kRegister == 16 ? 2 : 1;
  std::size_t first = 0;
  for (; first + kBlocks * kLanes <= layer.width; first += kBlocks * kLanes) {
    apply_shorts_part<kVectors, kBlocks>(layer, first, vectors, put);
  }
  for (; first < layer.width; first += kLanes) apply_shorts_part<kVectors, 1>(layer, first, vectors, put);
}

// Calls put(vector, output, sums times scales) for all of them, as many outputs at a time as a register holds.
template <class Put>
BUDGIE_INLINE void apply_shorts_to_all(const ShortLayer& layer, const std::int16_t* vectors, std::size_t count,
                                       Put&& put) {
  for (std::size_t first = 0; first < count;) {
    const std::int16_t* from = vectors + first * 2 * layer.pairs;
    const auto put_there = [&](std::size_t v, std::size_t at, Vector sums) { put(first + v, at, sums); };
    if (first + kBlock <= count) {
      apply_shorts_to<kBlock>(layer, from, put_there);
      first += kBlock;
    } else {
      apply_shorts_to<1>(layer, from, put_there);
      ++first;
    }
  }
}

inline void apply_shorts(const ShortLayer& layer, const std::int16_t* vectors, std::size_t count,
                         std::int16_t* const* rows) {
  apply_shorts_to_all(layer, vectors, count, [&](std::size_t v, std::size_t at, Vector sums) {
    round_to(rows[v] + at, sums, layer.most.data() + at);
  });
}

inline void apply_shorts_to_floats(const ShortLayer& layer, const float* bias, const std::int16_t* vectors,
                                   const float* steps, std::size_t count, float* out) {
  apply_shorts_to_all(layer, vectors, count, [&](std::size_t v, std::size_t at, Vector sums) {
    const Vector output = load(bias + at) + sums * steps[v];
    std::memcpy(out + v * layer.width + at, &output, sizeof output);
  });
}
