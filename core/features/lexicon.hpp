// SPDX-License-Identifier: Apache-2.0
// A list of words of several units, as a Bloom filter: some strings that are no words are taken for one, no word is
// missed. The network learns from the text how far to trust it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/hash.hpp"

namespace budgie::features {

class Lexicon {
 public:
  static constexpr std::uint32_t kShortest = 2, kLongest = 8;  // units of a word

  Lexicon() = default;
  Lexicon(const std::uint8_t* bytes, std::size_t size, std::uint32_t longest) : longest_(longest), blocks_(size / 8) {
    std::memcpy(blocks_.data(), bytes, blocks_.size() * 8);
  }

  std::uint32_t longest() const { return longest_; }

  // `hash` is that of the n-gram of units, as in hash.hpp, not yet finished.
  bool has(std::uint32_t hash) const {
    const std::uint64_t mask = bits(hash);
    return (blocks_[bucket(finish(hash), static_cast<std::uint32_t>(blocks_.size()))] & mask) == mask;
  }

  // The filter of some words, in blocks of 64 bits: one look into memory finds out about a word.
  static std::vector<std::uint64_t> build(const std::vector<std::uint32_t>& hashes, std::size_t blocks) {
    std::vector<std::uint64_t> result(blocks);
    for (const std::uint32_t hash : hashes) {
      result[bucket(finish(hash), static_cast<std::uint32_t>(blocks))] |= bits(hash);
    }
    return result;
  }

 private:
  // Four of the 64 bits, not those that chose the block.
  static std::uint64_t bits(std::uint32_t hash) {
    const std::uint64_t mixed = (std::uint64_t{hash} + 1) * 0xD6E8FEB86659FD93u;
    std::uint64_t mask = 0;
    for (int shift = 34; shift < 58; shift += 6) mask |= std::uint64_t{1} << (mixed >> shift & 63);
    return mask;
  }

  std::uint32_t longest_ = 0;
  std::vector<std::uint64_t> blocks_{};
};

}  // namespace budgie::features
