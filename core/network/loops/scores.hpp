// SPDX-License-Identifier: Apache-2.0
// Scores of actions, and the best of some. A part of kernel_loops.hpp.

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
