// SPDX-License-Identifier: Apache-2.0
// What a register holds, and products of integers, whatever the instruction set. A part of kernel_loops.hpp.

// As wide as registers are: the compiler keeps a wider vector in memory.
constexpr std::size_t kRegister = BUDGIE_REGISTER;

constexpr std::size_t kParts = kLanes / kRegister;  // vectors that hold 16 floats of a row

using Vector __attribute__((vector_size(kRegister * sizeof(float)))) = float;

BUDGIE_INLINE Vector load(const float* from) {
  Vector value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Sums of 16 floats of a row over four inputs at a time: two products of 15 * 127 at most go into a sum of 16 bits, and
// eight times that still fits.
constexpr std::size_t kFits = 8;

using Integers __attribute__((vector_size(kRegister * sizeof(std::int32_t)))) = std::int32_t;

// Integers, each times its scale.
BUDGIE_INLINE Vector scaled(const void* integers, const float* scales) {
  Integers lanes;
  std::memcpy(&lanes, integers, sizeof lanes);
  return load(scales) * __builtin_convertvector(lanes, Vector);
}

// `add` takes four bytes and their weights, or two integers of 16 bits: these sums are never narrow.
#if BUDGIE_REGISTER == 16 && defined(BUDGIE_DOT)
// One instruction multiplies, adds the products up and adds them to the sum.
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
  static BUDGIE_INLINE void add(Sums& sums, const std::int16_t* pair, const std::int16_t* weights) {
    std::int32_t two;
    std::memcpy(&two, pair, sizeof two);
    sums.wide = _mm512_dpwssd_epi32(sums.wide, _mm512_set1_epi32(two), _mm512_loadu_si512(weights));
  }
  static BUDGIE_INLINE void widen(Sums&) {}
  static BUDGIE_INLINE Vector part(const Sums& sums, const float* scales, std::size_t) {
    return scaled(&sums.wide, scales);
  }
};
#elif BUDGIE_REGISTER == 16
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
  static BUDGIE_INLINE void add(Sums& sums, const std::int16_t* pair, const std::int16_t* weights) {
    std::int32_t two;
    std::memcpy(&two, pair, sizeof two);
    const __m512i products = _mm512_madd_epi16(_mm512_set1_epi32(two), _mm512_loadu_si512(weights));
    sums.wide = _mm512_add_epi32(sums.wide, products);
  }
  static BUDGIE_INLINE void widen(Sums& sums) {
    sums.wide = _mm512_add_epi32(sums.wide, _mm512_madd_epi16(sums.narrow, _mm512_set1_epi16(1)));
    sums.narrow = _mm512_setzero_si512();
  }
  static BUDGIE_INLINE Vector part(const Sums& sums, const float* scales, std::size_t) {
    return scaled(&sums.wide, scales);
  }
};
#elif BUDGIE_REGISTER == 8
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
  static BUDGIE_INLINE void add(Sums& sums, const std::int16_t* pair, const std::int16_t* weights) {
    std::int32_t two;
    std::memcpy(&two, pair, sizeof two);
    const __m256i x = _mm256_set1_epi32(two);
    for (int h = 0; h < 2; ++h) {
      const __m256i w = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights) + h);
      sums.wide[h] = _mm256_add_epi32(sums.wide[h], _mm256_madd_epi16(x, w));
    }
  }
  static BUDGIE_INLINE void widen(Sums& sums) {
    for (int h = 0; h < 2; ++h) {
      sums.wide[h] = _mm256_add_epi32(sums.wide[h], _mm256_madd_epi16(sums.narrow[h], _mm256_set1_epi16(1)));
      sums.narrow[h] = _mm256_setzero_si256();
    }
  }
  static BUDGIE_INLINE Vector part(const Sums& sums, const float* scales, std::size_t p) {
    return scaled(&sums.wide[p], scales + p * kRegister);
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
  static BUDGIE_INLINE void add(Sums& sums, const std::int16_t* pair, const std::int16_t* weights) {
    for (std::size_t u = 0; u < kLanes; ++u) sums.lanes[u] += pair[0] * weights[2 * u] + pair[1] * weights[2 * u + 1];
  }
  static BUDGIE_INLINE void widen(Sums&) {}
  static BUDGIE_INLINE Vector part(const Sums& sums, const float* scales, std::size_t p) {
    return scaled(sums.lanes + p * kRegister, scales + p * kRegister);
  }
};
#endif
