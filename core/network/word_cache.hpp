// SPDX-License-Identifier: Apache-2.0
// Remembers one row of numbers for each of the words seen lately, in a bounded amount of memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "stop.hpp"
#include "text/hash.hpp"
#include "text/text.hpp"

namespace budgie::network {

// Two generations of words: when the young one is full, it becomes the old one, and what is left of the old one is
// forgotten. A word that comes again moves from the old one to the young one; its row stays where it is.
// The texts of the words must stay where they are as long as the cache is used.
template <class Number>
class WordCache {
 public:
  struct Row {
    TextView word;
    Number* numbers;
  };

  // Rows of `size` numbers, and `words` words a generation.
  WordCache(std::size_t size, std::size_t words)
      : size_(size),
        words_(words),
        slab_(std::clamp<std::size_t>(kSlabNumbers / std::max<std::size_t>(1, size), 1, 64)) {}

  void forget_all() { *this = WordCache(size_, words_); }

  // Call before a run of at most `coming` words: their rows are then kept until the next call.
  void make_room(std::size_t coming) {
    if (young_.entries.size() + coming <= young_.words) return;
    for (const Entry& entry : old_.entries) {
      if (entry.row != nullptr) free_.push_back(entry.row);
    }
    std::swap(young_, old_);
    young_.clear(std::max(coming, words_));
  }

  // The row of a word, and whether it is new, so that somebody has to fill it in. A word that is as long as a book is
  // read in stretches; where a look ends that, nothing has changed.
  std::pair<Row, bool> find(const TextView& word, Stop& stop) {
    const std::uint64_t hash = hash_of(word, stop);
    if (const Entry* entry = young_.find(word, hash, stop)) return {{word, entry->row}, false};
    Entry* known = old_.find(word, hash, stop);
    const bool fresh = known == nullptr;
    Number* row = fresh ? new_row() : std::exchange(known->row, nullptr);
    young_.add({word, hash, row});
    return {{word, row}, fresh};
  }

 private:
  struct Entry {
    TextView word;
    std::uint64_t hash;
    Number* row;  // none once the word has moved to the young generation
  };

  struct Generation {
    std::vector<Entry> entries{};
    std::vector<std::uint32_t> places{};  // open addressing: number of an entry, plus one; at most half full

    std::size_t words = 0;  // that there is room for

    void clear(std::size_t room) {
      words = room;
      std::size_t size = std::max<std::size_t>(2, places.size());
      while (size < 2 * words) size *= 2;
      places.assign(size, 0);
      entries.clear();
    }

    Entry* find(const TextView& word, std::uint64_t hash, Stop& stop) {
      if (places.empty()) return nullptr;
      const std::size_t mask = places.size() - 1;
      for (std::size_t at = hash & mask; places[at] != 0; at = (at + 1) & mask) {
        Entry& entry = entries[places[at] - 1];
        if (entry.hash == hash && same(entry.word, word, stop)) return &entry;
      }
      return nullptr;
    }

    void add(const Entry& entry) {
      const std::size_t mask = places.size() - 1;
      std::size_t at = entry.hash & mask;
      while (places[at] != 0) at = (at + 1) & mask;
      entries.push_back(entry);
      places[at] = static_cast<std::uint32_t>(entries.size());
    }
  };

  static constexpr std::size_t kSlabNumbers = 1 << 16;

  Number* new_row() {
    if (free_.empty()) {
      slabs_.emplace_back(new Number[slab_ * size_]);
      for (std::size_t i = slab_; i > 0; --i) free_.push_back(slabs_.back().get() + (i - 1) * size_);
    }
    Number* row = free_.back();
    free_.pop_back();
    return row;
  }

  // Whether visit(begin, size) is true of all stretches of so many bytes.
  template <class Visit>
  static bool in_stretches(std::size_t bytes, Stop& stop, Visit&& visit) {
    for (std::size_t begin = 0;; begin += Stop::kStretch) {
      const std::size_t rest = bytes - begin;
      if (rest <= Stop::kStretch) return visit(begin, rest);
      if (!visit(begin, Stop::kStretch)) return false;
      stop.look();
    }
  }

  static bool same(const TextView& one, const TextView& other, Stop& stop) {
    if (one.kind != other.kind || one.length != other.length) return false;
    const auto *left = static_cast<const char*>(one.data), *right = static_cast<const char*>(other.data);
    if (left == right) return true;
    return in_stretches(one.bytes(), stop, [&](std::size_t begin, std::size_t size) {
      return std::memcmp(left + begin, right + begin, size) == 0;
    });
  }

  static std::uint64_t hash_of(const TextView& word, Stop& stop) {
    auto hash = static_cast<std::uint64_t>(word.kind);
    in_stretches(word.bytes(), stop, [&](std::size_t begin, std::size_t size) {
      hash = hash_bytes(static_cast<const char*>(word.data) + begin, size, hash);
      return true;
    });
    return hash;
  }

  std::size_t size_;  // of a row
  std::size_t words_;
  std::size_t slab_;  // rows that are allocated together
  Generation young_, old_;
  std::vector<std::unique_ptr<Number[]>> slabs_;
  std::vector<Number*> free_;  // rows that nobody uses
};

}  // namespace budgie::network
