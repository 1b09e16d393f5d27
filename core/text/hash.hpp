// SPDX-License-Identifier: Apache-2.0
// The hash named "budgie-1" in model files: it extends from one n-gram order to the next, so no string is ever built.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rooms.hpp"

namespace budgie::text {

constexpr std::uint32_t kHashSeed = 0x2545F491u;

inline std::uint32_t extend(std::uint32_t hash, char32_t character) {
  hash = (hash ^ static_cast<std::uint32_t>(character)) * 0x9E3779B1u;
  return hash ^ (hash >> 15);
}

// A word of any length. Only a rotation and an addition wait for the character before, so this runs at memory speed.
inline std::uint32_t extend_word(std::uint32_t hash, char32_t character) {
  return (hash << 5 | hash >> 27) + extend(kHashSeed, character);
}

// Mixes once more, so that the high bits, which choose the bucket, depend on every character.
inline std::uint32_t finish(std::uint32_t hash) {
  hash *= 0x85EBCA6Bu;
  return hash ^ (hash >> 13);
}

// Multiply-high instead of modulo: any number of buckets at the price of one multiplication.
inline std::uint32_t bucket(std::uint32_t finished, std::uint32_t buckets) {
  return static_cast<std::uint32_t>((std::uint64_t{finished} * buckets) >> 32);
}

// Any bytes, eight at a time, for tables in memory and for drawing lots: no model depends on it; the high bits, which
// depend on all of them, are brought down at the end.
inline std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  const auto* at = static_cast<const char*>(data);
  std::uint64_t hash = size * kFactor + seed;
  for (; size >= 8; size -= 8, at += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, at, 8);
    hash = (hash ^ eight) * kFactor;
    hash ^= hash >> 32;
  }
  std::uint64_t rest = 0;
  if (size > 0) std::memcpy(&rest, at, size);
  hash = (hash ^ rest) * kFactor;
  return hash ^ hash >> 32;
}

}  // namespace budgie::text
