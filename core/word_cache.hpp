// SPDX-License-Identifier: Apache-2.0
// Remembers one row of floats for each of the words seen lately, in a bounded amount of memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "text.hpp"

namespace budgie {

// Two generations of words: when the young one is full, it becomes the old one, and the old one is forgotten, but for
// words that came again since. The texts of the words must stay where they are as long as the cache is used.
class WordCache {
 public:
  struct Row {
    TextView word;
    float* floats;
  };

  WordCache(std::size_t width, std::size_t words) : width_(width), words_(words) {}

  // Call before a run of at most `coming` words: their rows then stay where they are until the next call.
  void make_room(std::size_t coming) {
    if (young_.used + coming <= young_.capacity()) return;
    if (young_.used > 0) std::swap(young_, old_);
    young_.reset(std::max(coming, words_), width_);
  }

  // The row of a word, and whether it is new, so that somebody has to fill it in.
  std::pair<Row, bool> find(const TextView& word) {
    const std::uint64_t hash = hash_of(word);
    if (float* row = young_.find(word, hash, width_)) return {{word, row}, false};
    float* row = young_.add(word, hash, width_);
    const float* known = old_.find(word, hash, width_);
    if (known != nullptr) std::memcpy(row, known, width_ * sizeof(float));
    return {{word, row}, known == nullptr};
  }

 private:
  struct Generation {
    std::size_t used = 0;
    std::vector<std::pair<TextView, std::uint64_t>> keys{};
    std::vector<std::uint32_t>
        places{};                     // open addressing: number of a key, plus one; a power of two, at most half full
    std::unique_ptr<float[]> rows{};  // not a vector, which would fill it with zeros

    std::size_t capacity() const { return places.size() / 2; }

    void reset(std::size_t words, std::size_t width) {
      std::size_t size = 2;
      while (size < 2 * words) size *= 2;
      if (size > places.size()) rows.reset(new float[size / 2 * width]);
      places.assign(std::max(size, places.size()), 0);
      keys.clear();
      used = 0;
    }

    float* find(const TextView& word, std::uint64_t hash, std::size_t width) {
      if (places.empty()) return nullptr;
      for (std::size_t at = hash & (places.size() - 1); places[at] != 0; at = (at + 1) & (places.size() - 1)) {
        const auto& [key, key_hash] = keys[places[at] - 1];
        if (key_hash == hash && same(key, word)) return rows.get() + (places[at] - 1) * width;
      }
      return nullptr;
    }

    float* add(const TextView& word, std::uint64_t hash, std::size_t width) {
      std::size_t at = hash & (places.size() - 1);
      while (places[at] != 0) at = (at + 1) & (places.size() - 1);
      keys.emplace_back(word, hash);
      places[at] = static_cast<std::uint32_t>(++used);
      return rows.get() + (used - 1) * width;
    }
  };

  static bool same(const TextView& one, const TextView& other) {
    return one.kind == other.kind && one.units == other.units && std::memcmp(one.data, other.data, one.bytes()) == 0;
  }

  // Eight bytes at a time; the high bits, which depend on all of them, are brought down at the end.
  static std::uint64_t hash_of(const TextView& word) {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
    const auto* at = static_cast<const char*>(word.data);
    std::size_t left = word.bytes();
    std::uint64_t hash = left * kFactor + static_cast<std::uint64_t>(word.kind);
    for (; left >= 8; left -= 8, at += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, at, 8);
      hash = (hash ^ eight) * kFactor;
      hash ^= hash >> 32;
    }
    std::uint64_t rest = 0;
    if (left > 0) std::memcpy(&rest, at, left);
    hash = (hash ^ rest) * kFactor;
    return hash ^ hash >> 32;
  }

  std::size_t width_;
  std::size_t words_;
  Generation young_, old_;
};

}  // namespace budgie
