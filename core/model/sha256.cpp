// SPDX-License-Identifier: Apache-2.0
#include "model/sha256.hpp"

#include <algorithm>
#include <cstring>

#include "dispatch.hpp"

#ifdef BUDGIE_X86
#include <immintrin.h>
#endif

namespace budgie::model {

namespace {

using State = std::array<std::uint32_t, 8>;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::uint32_t kRounds[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

constexpr std::uint32_t rotate(std::uint32_t x, int by) { return x >> by | x << (32 - by); }

void mix_plain(State& state, const std::uint8_t* at, std::size_t blocks) {
  for (; blocks > 0; --blocks, at += 64) {
    std::uint32_t w[64];
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint8_t* four = at + 4 * i;
      w[i] = std::uint32_t{four[0]} << 24 | std::uint32_t{four[1]} << 16 | std::uint32_t{four[2]} << 8 | four[3];
    }
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t low = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
      const std::uint32_t high = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t one =
          h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
      const std::uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    const State mixed = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += mixed[i];
  }
}

#ifdef BUDGIE_X86
// With the processor's own instructions a model file is checked at memory speed. They keep the state as the halves
// (a, b, e, f) and (c, d, g, h), and make two rounds at a time.
__attribute__((target("sha,sse4.1"))) void mix_by_processor(State& state, const std::uint8_t* at, std::size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  const auto load = [](const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); };
  const __m128i dcba = load(state.data()), hgfe = load(state.data() + 4);
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; blocks > 0; --blocks, at += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(load(at + 16 * i), swap);
    for (int four = 0; four < 16; ++four) {
      __m128i& now = w[four % 4];
      const __m128i sum = _mm_add_epi32(now, load(kRounds + 4 * four));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      // The words of four rounds from now on take the place of these.
      const __m128i next = w[(four + 1) % 4], third = w[(four + 2) % 4], last = w[(four + 3) % 4];
      const __m128i older = _mm_add_epi32(_mm_sha256msg1_epu32(now, next), _mm_alignr_epi8(last, third, 4));
      now = _mm_sha256msg2_epu32(older, last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

// __builtin_cpu_supports knows no name for these instructions in all compilers.
bool has_instructions() {
  unsigned a = 7, b = 0, c = 0, d = 0;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return (b >> 29 & 1) != 0 && __builtin_cpu_supports("sse4.1");
}

void mix(State& state, const std::uint8_t* at, std::size_t blocks) {
  static const bool fast = has_instructions();
  fast ? mix_by_processor(state, at, blocks) : mix_plain(state, at, blocks);
}
#else
void mix(State& state, const std::uint8_t* at, std::size_t blocks) { mix_plain(state, at, blocks); }
#endif

}  // namespace

void Sha256::add(const void* data, std::size_t size) {
  const auto* at = static_cast<const std::uint8_t*>(data);
  bytes_ += size;
  if (in_rest_ > 0) {
    const std::size_t more = std::min(kBlock - in_rest_, size);
    std::memcpy(rest_.data() + in_rest_, at, more);
    in_rest_ += more;
    at += more;
    size -= more;
    if (in_rest_ < kBlock) return;
    mix(state_, rest_.data(), 1);
    in_rest_ = 0;
  }
  mix(state_, at, size / kBlock);
  at += size / kBlock * kBlock;
  in_rest_ = size % kBlock;
  if (in_rest_ > 0) std::memcpy(rest_.data(), at, in_rest_);
}

std::string Sha256::hex() {
  std::uint8_t end[kBlock + 8] = {0x80};
  const std::uint64_t bits = 8 * bytes_;
  const std::size_t zeros = (kBlock + 56 - 1 - in_rest_) % kBlock;
  for (std::size_t i = 0; i < 8; ++i) end[1 + zeros + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  add(end, 1 + zeros + 8);
  std::string result;
  for (const std::uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) result += "0123456789abcdef"[word >> shift & 15];
  }
  return result;
}

}  // namespace budgie::model
