// SPDX-License-Identifier: Apache-2.0
// The loops behind kernels.hpp. kernel_sets.hpp includes this once for each instruction set, in a namespace of its own:
// hence no guard, and no other includes. BUDGIE_REGISTER is how many floats a register holds.

// As wide as registers are: the compiler keeps a wider vector in memory.
constexpr std::size_t kRegister = BUDGIE_REGISTER;

constexpr std::size_t kParts = kLanes / kRegister;  // vectors that hold 16 floats of a row

using Vector __attribute__((vector_size(kRegister * sizeof(float)))) = float;

BUDGIE_INLINE Vector load(const float* from) {
  Vector value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// ---- layers ----------------------------------------------------------------------------------------------------

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

// ---- floats ----------------------------------------------------------------------------------------------------

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

// ---- bytes -----------------------------------------------------------------------------------------------------

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

// ---- sums of rows ----------------------------------------------------------------------------------------------

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

// ---- integers of 16 bits ---------------------------------------------------------------------------------------

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

// ---- scores ----------------------------------------------------------------------------------------------------

// 16 floats in pairs, those that stand 8 apart first, whatever the registers.
BUDGIE_INLINE float sum_of_lanes(const Vector* sixteen) {
  using Eight __attribute__((vector_size(8 * sizeof(float)))) = float;
  using Four __attribute__((vector_size(4 * sizeof(float)))) = float;
  Eight eights[2];
  std::memcpy(eights, sixteen, sizeof eights);
  eights[0] += eights[1];
  Four fours[2];
  std::memcpy(fours, eights, sizeof fours);
  fours[0] += fours[1];
  return (fours[0][0] + fours[0][2]) + (fours[0][1] + fours[0][3]);
}

// kOutputs of them, or with 0 as many as `outputs` says: then they do not stay in registers.
template <std::size_t kOutputs>
BUDGIE_INLINE void score_in_one_pass(const float* const* rows, std::size_t row_count, const Quads& quads,
                                     const float* output, std::size_t outputs, std::size_t width, float* scores) {
  const std::size_t count = kOutputs > 0 ? kOutputs : outputs;
  Vector totals[kOutputs > 0 ? kOutputs : kMostOutputs][kParts] = {};
  const std::int8_t* weights = quads.weights;
  for (std::size_t block = 0; block < width; block += kLanes) {
    Vector hidden[kParts];
    sum_block(rows, row_count, block, hidden);
    if (quads.quads > 0) {
      Simd::Sums sums;
      Simd::clear(sums);
      for (std::size_t q = 0; q < quads.quads; ++q, weights += kLanes * kQuad) {
        Simd::add(sums, quads.bytes + q * kQuad, weights);
        if (q % kFits == kFits - 1) Simd::widen(sums);
      }
      Simd::widen(sums);
      for (std::size_t p = 0; p < kParts; ++p) hidden[p] += Simd::part(sums, quads.scales + block, p);
    }
    for (std::size_t p = 0; p < kParts; ++p) {
      hidden[p] = rectified(hidden[p]);
      for (std::size_t o = 0; o < count; ++o) {
        totals[o][p] += hidden[p] * load(output + o * width + block + p * kRegister);
      }
    }
  }
  for (std::size_t o = 0; o < count; ++o) scores[o] = sum_of_lanes(totals[o]);
}

inline void score_rows(const float* const* rows, std::size_t row_count, const Quads& quads, const float* output,
                       std::size_t outputs, std::size_t width, float* scores) {
  switch (outputs) {
    case 1:
      return score_in_one_pass<1>(rows, row_count, quads, output, outputs, width, scores);
    case 2:
      return score_in_one_pass<2>(rows, row_count, quads, output, outputs, width, scores);
    default:
      return score_in_one_pass<0>(rows, row_count, quads, output, outputs, width, scores);
  }
}

// In lanes, each of which keeps the first of its largest.
inline std::size_t best_of(const float* scores, std::size_t count) {
  std::size_t best = 0, i = 0;
  if (count >= kRegister) {
    Vector most = load(scores);
    Integers at;
    for (std::size_t lane = 0; lane < kRegister; ++lane) at[lane] = static_cast<std::int32_t>(lane);
    Integers first = at;
    for (i = kRegister; i + kRegister <= count; i += kRegister) {
      const Vector some = load(scores + i);
      at += static_cast<std::int32_t>(kRegister);
      first = some > most ? at : first;
      most = some > most ? some : most;
    }
    best = static_cast<std::size_t>(first[0]);
    for (std::size_t lane = 1; lane < kRegister; ++lane) {
      const auto place = static_cast<std::size_t>(first[lane]);
      if (most[lane] > scores[best] || (most[lane] == scores[best] && place < best)) best = place;
    }
  }
  for (; i < count; ++i) best = scores[i] > scores[best] ? i : best;
  return best;
}
