// SPDX-License-Identifier: Apache-2.0
// Builds the Bloom map that features/bloom.hpp reads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooms.hpp"

namespace budgie::training {

// A map that has been built.
struct BloomMapParts {
  std::vector<std::uint8_t> lengths{};
  std::vector<std::uint32_t> slots{};
  std::vector<std::uint8_t> bytes{};
};

// Builds the map of words, given by different keys, to clusters below `classes`. Throws std::invalid_argument where two
// keys, or the hashes of two bits, are the same: no two words in practice (one chance in 2^23 for 250,000 words).
BloomMapParts build_bloom_map(const std::vector<std::uint64_t>& keys, const std::vector<std::uint32_t>& clusters,
                              std::size_t classes, std::uint32_t error_bits);

}  // namespace budgie::training
