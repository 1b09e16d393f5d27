// SPDX-License-Identifier: Apache-2.0
// A user's words, which must stay whole, as a tree of characters.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "stop.hpp"
#include "text/text.hpp"

namespace budgie::features {

class Dictionary {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0, kNowhere = 0xFFFFFFFF;

  // Words of no characters are none. What a look ends is no word, but may be the begin of some.
  void add(const TextView& word, Stop& stop) {
    decode(word, [&](auto reader, const auto* at, const auto* end) {
      Node node = kRoot;
      std::size_t length = 0;
      for (; at != end; ++length) {
        if (++read_ % kBetweenLooks == 0) stop.look();
        node = grow(node, decltype(reader)::next(at, end), stop);
      }
      if (node != kRoot) ends_[node] = 1;
      longest_ = std::max(longest_, length);
    });
  }

  bool empty() const { return longest_ == 0; }

  // Characters of the longest word.
  std::size_t longest() const { return longest_; }

  Node step(Node from, char32_t c) const {
    if (from == kRoot && first_[c & kFirst] == 0) return kNowhere;
    for (std::size_t slot = place(from, c, slots_.size());; slot = (slot + 1) & (slots_.size() - 1)) {
      const Slot& found = slots_[slot];
      if (found.to == kRoot) return kNowhere;
      if (found.from == from && found.character == c) return found.to;
    }
  }

  bool is_word(Node node) const { return ends_[node] != 0; }

 private:
  static constexpr std::size_t kBetweenLooks = 1 << 12;  // characters, or slots
  static constexpr char32_t kFirst = 0xFFF;              // most texts have few characters that a word begins with

  struct Slot {
    Node from = 0;
    char32_t character = 0;
    Node to = kRoot;  // which no step leads to: an empty slot
  };

  static std::size_t place(Node from, char32_t c, std::size_t slots) {
    const std::uint64_t mixed = (std::uint64_t{from} << 32 | c) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(mixed ^ mixed >> 32) & (slots - 1);
  }

  Node grow(Node from, char32_t c, Stop& stop) {
    if (const Node node = step(from, c); node != kNowhere) return node;
    if (2 * ends_.size() >= slots_.size()) {
      std::vector<Slot> more(2 * slots_.size());
      for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        if (slot % kBetweenLooks == 0) stop.look();
        if (slots_[slot].to != kRoot) put(slots_[slot], more);
      }
      slots_.swap(more);
    }
    const auto node = static_cast<Node>(ends_.size());
    ends_.push_back(0);
    put({from, c, node}, slots_);
    if (from == kRoot) first_[c & kFirst] = 1;
    return node;
  }

  static void put(const Slot& fresh, std::vector<Slot>& slots) {
    std::size_t slot = place(fresh.from, fresh.character, slots.size());
    while (slots[slot].to != kRoot) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = fresh;
  }

  std::size_t longest_ = 0, read_ = 0;  // characters
  std::vector<Slot> slots_ = std::vector<Slot>(16);
  std::vector<std::uint8_t> ends_ = {0};  // of each node: does a word end there
  std::vector<std::uint8_t> first_ = std::vector<std::uint8_t>(kFirst + 1);
};

}  // namespace budgie::features
