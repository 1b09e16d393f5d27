// SPDX-License-Identifier: Apache-2.0
// The Bloom map (section 3.2 and appendix C of the paper): from words to clusters, without the words themselves.
//
// A cluster is a prefix code. Each bit of a word's code, and each of its error bits, is the parity of some of 64
// neighbouring slots, which its hash chooses: a linear equation over GF(2). Building solves all equations (a ribbon:
// Dillinger and Walzer 2021), and those that find no room go to the next, smaller layer (BuRR: Dillinger et al. 2022).
// That takes 1.01 bits of storage a bit, where the map of the paper takes 1.23.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/word_folding.hpp"

namespace budgie::features {

class BloomMap {
 public:
  static constexpr std::int32_t kNone = -1;  // no cluster: the word is not in the map
  static constexpr std::size_t kWidth = 64;  // slots that one equation can touch
  static constexpr std::size_t kBucket = 256;
  static constexpr std::size_t kLongestCode = 24;

  // What the slots know of a bit: where its equation begins, in which bucket, and which of the slots it adds up.
  struct Equation {
    Equation(std::uint64_t hash_, std::size_t slots)
        : hash(hash_),
          start(static_cast<std::size_t>((hash >> 32) * (slots - kWidth + 1) >> 32)),
          coefficients((hash * 0xD6E8FEB86659FD93u) | 1) {}

    bool bumped(unsigned level) const { return start % kBucket < kThresholds[level]; }
    bool mask() const { return hash & 1; }  // stored bits are random, whatever the codes: so are those of other words

    std::uint64_t hash;
    std::size_t start;
    std::uint64_t coefficients;
  };

  BloomMap() = default;
  // `lengths`: of the code of each cluster, 0 for one without words. `slots`: of each layer. `bytes`: size(slots).
  BloomMap(const std::vector<std::uint8_t>& lengths, const std::vector<std::uint32_t>& slots, std::uint32_t error_bits,
           WordFolding folding, const std::uint8_t* bytes);

  std::int32_t find(const TextView& word) const { return find_key(key(word, folding_)); }

  // The same for a word that was read character by character: kNoKey, extended by each.
  static constexpr std::uint64_t kNoKey = 0x243F6A8885A308D3u;
  std::uint64_t extend(std::uint64_t key, char32_t character) const { return extend_folded(key, folding_(character)); }
  std::int32_t find_key(std::uint64_t key) const;

  static std::uint64_t key(const TextView& word, WordFolding folding) {
    return decode(word, [&](auto reader, const auto* at, const auto* end) {
      std::uint64_t key = kNoKey;
      while (at != end) key = extend_folded(key, folding(decltype(reader)::next(at, end)));
      return key;
    });
  }

  // One hash for each bit of a word and each layer: hash_bit, then next_layer as often as the bit was bumped.
  static std::uint64_t hash_bit(std::uint64_t key, std::size_t bit) {
    return next_layer(key + bit * 0xA0761D6478BD642Fu);
  }
  static std::uint64_t next_layer(std::uint64_t hash) {
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EBu;
    return hash ^ hash >> 31;
  }

  // Bytes of the layers: for each one two bits a bucket, which say how many of its equations were bumped, and the
  // slots.
  static std::size_t size(const std::vector<std::uint32_t>& slots);
  static std::size_t size_of_levels(std::size_t slots) { return ((slots + kBucket - 1) / kBucket + 3) / 4; }

 private:
  // Equations that begin in the first so many slots of a bucket go to the next layer, by the level of the bucket.
  static constexpr std::array<std::uint32_t, 4> kThresholds = {0, 16, 48, kBucket};

  struct Layer {
    std::size_t slots;
    std::size_t levels;  // where they begin in `bytes_`
    std::size_t bits;
  };

  static std::uint64_t extend_folded(std::uint64_t key, char32_t character) {
    key = (key ^ character) * 0x9E3779B97F4A7C15u;
    return key ^ key >> 32;
  }
  bool read(std::uint64_t key, std::size_t bit) const;

  std::size_t error_bits_ = 0;
  WordFolding folding_{};
  std::array<std::uint32_t, kLongestCode + 1> counts_{};  // of codes of each length
  std::vector<std::int32_t> by_code_{};                   // clusters in the order of their codes
  std::vector<Layer> layers_{};
  std::vector<std::uint8_t> bytes_{};
};

}  // namespace budgie::features
