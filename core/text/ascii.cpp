// SPDX-License-Identifier: Apache-2.0
#include "text/ascii.hpp"

#include "dispatch.hpp"

#ifdef BUDGIE_X86
#include <immintrin.h>
#endif

namespace budgie::text {

namespace {

#ifdef BUDGIE_X86
__attribute__((target("arch=x86-64-v4")))
const std::uint8_t* read_v4(const std::uint8_t* at, const std::uint8_t* end, char32_t* out, std::size_t capacity,
                            AsciiState& state) {
  const std::uint8_t* const begin = at;
  constexpr __mmask16 kAll = 0xFFFF;  // gcc warns of the form without it
  const __m128i space = _mm_set1_epi8(' ');
  std::size_t count = state.count;
  unsigned letter_before = state.last != ' ';
  while (end - at >= static_cast<std::ptrdiff_t>(kAscii) && capacity - count >= kAscii) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i lower = _mm_or_si128(bytes, space);
    const unsigned special = _mm_cmpeq_epi8_mask(bytes, _mm_set1_epi8('@')) |
                             _mm_cmpeq_epi8_mask(bytes, _mm_set1_epi8(':')) |
                             _mm_cmpeq_epi8_mask(bytes, _mm_set1_epi8('<'));
    const unsigned stops = static_cast<unsigned>(_mm_movemask_epi8(bytes)) | special | 1u << kAscii;
    const auto read = static_cast<unsigned>(__builtin_ctz(stops));
    const unsigned all = (1u << read) - 1;
    const unsigned letters = _mm_cmple_epu8_mask(_mm_sub_epi8(lower, _mm_set1_epi8('a')), _mm_set1_epi8(25)) & all;
    // Of what is between letters, the first is a space, and the others are nothing.
    const unsigned stays = (letters | letters << 1 | letter_before) & all;
    const __m128i folded = _mm_mask_blend_epi8(static_cast<__mmask16>(letters), space, lower);
    _mm512_storeu_si512(out + count, _mm512_maskz_compress_epi32(static_cast<__mmask16>(stays),
                                                                 _mm512_maskz_cvtepu8_epi32(kAll, folded)));
    const unsigned white = (_mm_cmpeq_epi8_mask(bytes, space) |
                            _mm_cmple_epu8_mask(_mm_sub_epi8(bytes, _mm_set1_epi8('\t')), _mm_set1_epi8(4))) &
                           all;
    if (white != 0) {
      const unsigned up_to_last = (2u << (31 - __builtin_clz(white))) - 1;
      state.token = count + static_cast<std::size_t>(__builtin_popcount(stays & up_to_last));
    }
    count += static_cast<std::size_t>(__builtin_popcount(stays));
    at += read;
    if (read > 0) letter_before = letters >> (read - 1) & 1;
    if (read < kAscii) break;
  }
  if (at == begin) return at;
  state.last = letter_before != 0 ? out[count - 1] : U' ';
  state.count = count;
  return at;
}
#endif

ReadAscii* choose() {
#ifdef BUDGIE_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return read_v4;
#endif
  return nullptr;
}

}  // namespace

ReadAscii* const read_ascii = choose();

}  // namespace budgie::text
