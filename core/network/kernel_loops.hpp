// SPDX-License-Identifier: Apache-2.0
// The loops behind segmenter_kernels.hpp. segmenter_kernels.cpp includes this once for each instruction set, in a
// namespace of its own: hence no guard, and no other includes. BUDGIE_WIDTH is the width of a register in floats.

// ---- floats ----------------------------------------------------------------------------------------------------

// As wide as registers are: the compiler keeps a wider vector in memory.
constexpr std::size_t kWidth = BUDGIE_WIDTH;

constexpr std::size_t kParts = kLanes / kWidth;  // vectors that hold what belongs to 16 hidden units

using Vector __attribute__((vector_size(kWidth * sizeof(float)))) = float;

BUDGIE_INLINE Vector load(const float* from) {
  Vector value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <std::size_t kUnits>
BUDGIE_INLINE void add_float_tile(const Input<float>* inputs, std::size_t input_count, const float* weight,
                                  std::size_t units, std::size_t i, float* out) {
  Vector sum[kUnits];
  for (std::size_t t = 0; t < kUnits; ++t) sum[t] = load(out + t * units);
  for (std::size_t n = 0; n < input_count; ++n) {
    const std::size_t dim = inputs[n].dim;
    const float* vector = inputs[n].vectors + i * dim;
    for (std::size_t d = 0; d < dim; ++d, weight += kLanes) {
      const Vector w = load(weight);
      for (std::size_t t = 0; t < kUnits; ++t) sum[t] += vector[t * dim + d] * w;
    }
  }
  for (std::size_t t = 0; t < kUnits; ++t) std::memcpy(out + t * units, &sum[t], sizeof sum[t]);
}

inline void add_floats(const Input<float>* inputs, std::size_t input_count, const float* weights, std::size_t units,
                       std::size_t count, float* sums) {
  std::size_t total = 0;
  for (std::size_t n = 0; n < input_count; ++n) total += inputs[n].dim;
  for (std::size_t block = 0; block < units; block += kLanes, weights += total * kLanes) {
    for (std::size_t part = 0; part < kLanes; part += kWidth) {
      if (count == 1) {  // of a word: there is no room for a whole tile
        add_float_tile<1>(inputs, input_count, weights + part, units, 0, sums + block + part);
        continue;
      }
      for (std::size_t i = 0; i < count; i += kTile) {
        add_float_tile<kTile>(inputs, input_count, weights + part, units, i, sums + i * units + block + part);
      }
    }
  }
}

// ---- bytes -----------------------------------------------------------------------------------------------------

// Sums of 16 hidden units over four inputs at a time: two products of 15 * 127 at most go into a sum of 16 bits, and
// eight times that still fits.
constexpr std::size_t kFits = 8;

using Integers __attribute__((vector_size(kWidth * sizeof(std::int32_t)))) = std::int32_t;

// Integers, each times its scale.
BUDGIE_INLINE Vector scaled(const void* integers, const float* scales) {
  Integers lanes;
  std::memcpy(&lanes, integers, sizeof lanes);
  return load(scales) * __builtin_convertvector(lanes, Vector);
}

#if BUDGIE_WIDTH == 16 && defined(BUDGIE_DOT)
// One instruction multiplies, adds four products up and adds them to the sum.
struct Simd {
  struct Sums {
    __m512i wide;
  };
  static BUDGIE_INLINE void clear(Sums& sums) { sums.wide = _mm512_setzero_si512(); }
  static BUDGIE_INLINE void add(Sums& sums, const std::uint8_t* quad, const std::int8_t* weights) {
    std::int32_t four;
    std::memcpy(&four, quad, sizeof four);
    sums.wide = _mm512_dpbusd_epi32(sums.wide, _mm512_set1_epi32(four), _mm512_loadu_si512(weights));
  }
  static BUDGIE_INLINE void widen(Sums&) {}
  static BUDGIE_INLINE Vector part(const Sums& sums, const float* scales, std::size_t) {
    return scaled(&sums.wide, scales);
  }
};
#elif BUDGIE_WIDTH == 16
struct Simd {
  struct Sums {
    __m512i narrow, wide;
  };
  static BUDGIE_INLINE void clear(Sums& sums) { sums.narrow = sums.wide = _mm512_setzero_si512(); }
  static BUDGIE_INLINE void add(Sums& sums, const std::uint8_t* quad, const std::int8_t* weights) {
    std::int32_t four;
    std::memcpy(&four, quad, sizeof four);
    const __m512i products = _mm512_maddubs_epi16(_mm512_set1_epi32(four), _mm512_loadu_si512(weights));
    sums.narrow = _mm512_add_epi16(sums.narrow, products);
  }
  static BUDGIE_INLINE void widen(Sums& sums) {
    sums.wide = _mm512_add_epi32(sums.wide, _mm512_madd_epi16(sums.narrow, _mm512_set1_epi16(1)));
    sums.narrow = _mm512_setzero_si512();
  }
  static BUDGIE_INLINE Vector part(const Sums& sums, const float* scales, std::size_t) {
    return scaled(&sums.wide, scales);
  }
};
#elif BUDGIE_WIDTH == 8
struct Simd {
  struct Sums {
    __m256i narrow[2], wide[2];
  };
  static BUDGIE_INLINE void clear(Sums& sums) {
    for (int h = 0; h < 2; ++h) sums.narrow[h] = sums.wide[h] = _mm256_setzero_si256();
  }
  static BUDGIE_INLINE void add(Sums& sums, const std::uint8_t* quad, const std::int8_t* weights) {
    std::int32_t four;
    std::memcpy(&four, quad, sizeof four);
    const __m256i x = _mm256_set1_epi32(four);
    for (int h = 0; h < 2; ++h) {
      const __m256i w = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights) + h);
      sums.narrow[h] = _mm256_add_epi16(sums.narrow[h], _mm256_maddubs_epi16(x, w));
    }
  }
  static BUDGIE_INLINE void widen(Sums& sums) {
    for (int h = 0; h < 2; ++h) {
      sums.wide[h] = _mm256_add_epi32(sums.wide[h], _mm256_madd_epi16(sums.narrow[h], _mm256_set1_epi16(1)));
      sums.narrow[h] = _mm256_setzero_si256();
    }
  }
  static BUDGIE_INLINE Vector part(const Sums& sums, const float* scales, std::size_t p) {
    return scaled(&sums.wide[p], scales + p * kWidth);
  }
};
#else
struct Simd {
  struct Sums {
    std::int32_t lanes[kLanes];
  };
  static BUDGIE_INLINE void clear(Sums& sums) { sums = {}; }
  static BUDGIE_INLINE void add(Sums& sums, const std::uint8_t* quad, const std::int8_t* weights) {
    for (std::size_t u = 0; u < kLanes; ++u) {
      for (std::size_t q = 0; q < kQuad; ++q) sums.lanes[u] += quad[q] * weights[u * kQuad + q];
    }
  }
  static BUDGIE_INLINE void widen(Sums&) {}
  static BUDGIE_INLINE Vector part(const Sums& sums, const float* scales, std::size_t p) {
    return scaled(sums.lanes + p * kWidth, scales + p * kWidth);
  }
};
#endif

// kBlocks times 16 hidden units of kUnits units of text: as many sums as registers hold.
template <std::size_t kUnits, std::size_t kBlocks>
BUDGIE_INLINE void add_tile(const Input<std::uint8_t>* inputs, std::size_t input_count, const std::int8_t* weights,
                            std::size_t block_size, const float* scales, std::size_t units, std::size_t i, float* out) {
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
    float* to = out + t * units + b * kLanes;
    for (std::size_t p = 0; p < kParts; ++p) {
      const Vector sum = load(to + p * kWidth) + Simd::part(sums[b][t], scales + b * kLanes, p);
      std::memcpy(to + p * kWidth, &sum, sizeof sum);
    }
  });
}

template <std::size_t kUnits, std::size_t kBlocks>
BUDGIE_INLINE void add_all(const Input<std::uint8_t>* inputs, std::size_t input_count, const std::int8_t* weights,
                           const float* scales, std::size_t units, std::size_t count, float* sums) {
  std::size_t size = 0;  // of the weights of one block
  for (std::size_t n = 0; n < input_count; ++n) size += inputs[n].dim * kLanes;
  std::size_t block = 0;
  for (; block + kBlocks * kLanes <= units; block += kBlocks * kLanes, weights += kBlocks * size) {
    for (std::size_t i = 0; i < count; i += kUnits) {
      float* out = sums + i * units + block;
      add_tile<kUnits, kBlocks>(inputs, input_count, weights, size, scales + block, units, i, out);
    }
  }
  for (; block < units; block += kLanes, weights += size) {
    for (std::size_t i = 0; i < count; i += kUnits) {
      add_tile<kUnits, 1>(inputs, input_count, weights, size, scales + block, units, i, sums + i * units + block);
    }
  }
}

inline void add_bytes(const Input<std::uint8_t>* inputs, std::size_t input_count, const std::int8_t* weights,
                      const float* scales, std::size_t units, std::size_t count, float* sums) {
  constexpr std::size_t kBlocks = kWidth == 16 ? 2 : 1;
  if (count == 1) return add_all<1, 2 * kBlocks>(inputs, input_count, weights, scales, units, count, sums);
  add_all<kTile, kBlocks>(inputs, input_count, weights, scales, units, count, sums);
}

// ---- a decision ------------------------------------------------------------------------------------------------

inline float prefer_split(const float* front, const float* start, const float* const* rows, std::size_t row_count,
                          const Quads& quads, const float* output, std::size_t units) {
  Vector total[kParts] = {};
  const std::int8_t* weights = quads.weights;
  for (std::size_t block = 0; block < units; block += kLanes) {
    Simd::Sums sums;
    Simd::clear(sums);
    for (std::size_t q = 0; q < quads.quads; ++q, weights += kLanes * kQuad) {
      Simd::add(sums, quads.bytes + q * kQuad, weights);
      if (q % kFits == kFits - 1) Simd::widen(sums);
    }
    Simd::widen(sums);
    for (std::size_t p = 0; p < kParts; ++p) {
      const std::size_t unit = block + p * kWidth;
      Vector sum = load(front + unit) + load(start + unit);
      for (std::size_t n = 0; n < row_count; ++n) sum += load(rows[n] + unit);
      if (quads.quads > 0) sum += Simd::part(sums, quads.scales + block, p);
      const Vector zero = {};
      total[p] += (sum > zero ? sum : zero) * load(output + unit);
    }
  }
  float lanes[kLanes];
  std::memcpy(lanes, total, sizeof lanes);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}
