// SPDX-License-Identifier: Apache-2.0
#include "features/hash_loops.hpp"

#include <array>

#include "dispatch.hpp"
#include "text/hash.hpp"

#ifdef BUDGIE_X86
#include <immintrin.h>
#endif

namespace budgie::features {

BUDGIE_CLONES std::size_t mark_spaces(const char32_t* characters, std::size_t count, std::uint8_t* spaces) {
  std::uint32_t letters = 0;
  for (std::size_t i = 0; i < count; ++i) {
    spaces[i] = characters[i] == ' ';
    letters += characters[i] != ' ';
  }
  return letters;
}

BUDGIE_CLONES void extend_all(std::uint32_t* hashes, const char32_t* characters, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) hashes[i] = extend(hashes[i], characters[i]);
}

BUDGIE_CLONES void join(std::uint8_t* marks, const std::uint8_t* more, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) marks[i] |= more[i];
}

BUDGIE_CLONES void bucket_all(const std::uint32_t* hashes, std::size_t count, std::uint32_t buckets,
                              std::uint32_t* ids) {
  for (std::size_t i = 0; i < count; ++i) ids[i] = bucket(finish(hashes[i]), buckets);
}

namespace {

// No branch depends on a mark: ids are always written, and only the count says whether they stay.
std::size_t keep_each(std::uint32_t* ids, std::size_t i, std::size_t count, const std::uint8_t* marks,
                      std::size_t kept) {
  for (; i < count; ++i) {
    ids[kept] = ids[i];
    kept += marks[i] ^ 1u;
  }
  return kept;
}

std::size_t keep_plain(std::uint32_t* ids, std::size_t count, const std::uint8_t* marks) {
  return keep_each(ids, 0, count, marks, 0);
}

#ifdef BUDGIE_X86
// Several at a time: all of them are written, where those before them or they themselves have stood.

// For each choice of eight, by its bits, the places of those that stay.
using Places = std::array<std::array<std::uint8_t, 8>, 256>;
constexpr Places places() {
  Places all{};
  for (std::size_t stays = 0; stays < all.size(); ++stays) {
    std::size_t kept = 0;
    for (std::uint8_t i = 0; i < 8; ++i) {
      if (stays >> i & 1) all[stays][kept++] = i;
    }
  }
  return all;
}
constexpr Places kPlaces = places();

__attribute__((target("arch=x86-64-v3"))) std::size_t keep_v3(std::uint32_t* ids, std::size_t count,
                                                              const std::uint8_t* marks) {
  std::size_t i = 0, kept = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i some = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(marks + i));
    const auto stays = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128()))) & 0xFF;
    const __m128i from = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPlaces[stays].data()));
    const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids + i));
    const __m256i left = _mm256_permutevar8x32_epi32(eight, _mm256_cvtepu8_epi32(from));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(ids + kept), left);
    kept += static_cast<std::size_t>(__builtin_popcount(stays));
  }
  return keep_each(ids, i, count, marks, kept);
}

__attribute__((target("arch=x86-64-v4"))) std::size_t keep_v4(std::uint32_t* ids, std::size_t count,
                                                              const std::uint8_t* marks) {
  std::size_t i = 0, kept = 0;
  for (; i + 16 <= count; i += 16) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(marks + i));
    const __mmask16 stays = _mm_testn_epi8_mask(some, some);
    _mm512_storeu_si512(ids + kept, _mm512_maskz_compress_epi32(stays, _mm512_loadu_si512(ids + i)));
    kept += static_cast<std::size_t>(__builtin_popcount(stays));
  }
  return keep_each(ids, i, count, marks, kept);
}
#endif

KeepUnmarked* choose() {
#ifdef BUDGIE_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return keep_v4;
  if (__builtin_cpu_supports("x86-64-v3")) return keep_v3;
#endif
  return keep_plain;
}

}  // namespace

KeepUnmarked* const keep_unmarked = choose();

}  // namespace budgie::features
