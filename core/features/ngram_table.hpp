// SPDX-License-Identifier: Apache-2.0
// A stored vocabulary: which row of an embedding matrix belongs to which n-gram of units. Row 0 is that of all others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rooms.hpp"

namespace budgie::features {

class NgramTable {
 public:
  static constexpr std::uint32_t kUnknown = 0;

  NgramTable() = default;

  // Keys in ascending order, as differences of seven bits a byte, the lowest bits first: key i has row i + 1.
  NgramTable(const std::uint8_t* bytes, std::size_t size) {
    std::vector<std::uint64_t> keys;
    std::uint64_t key = 0, difference = 0;
    int shift = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (shift < 64) difference |= std::uint64_t{bytes[i] & 0x7Fu} << shift;
      shift += 7;
      if ((bytes[i] & 0x80u) != 0) continue;
      keys.push_back(key += difference);
      difference = 0;
      shift = 0;
    }
    std::size_t slots = 16;
    while (slots < 2 * keys.size()) slots *= 2;
    mask_ = slots - 1;
    slots_.resize(slots);
    std::size_t all_probes = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::size_t slot = place(keys[i]);
      for (int probes = 0; slots_[slot].row != kUnknown && slots_[slot].key != keys[i]; ++probes) {
        if (probes == kMostProbes || ++all_probes > kProbesOfKey * keys.size())
          throw std::invalid_argument("a vocabulary was made to be slow");
        slot = (slot + 1) & mask_;
      }
      slots_[slot] = {keys[i], static_cast<std::uint32_t>(i + 1)};
      if (keys[i] < kDirect) {
        direct_.resize(kDirect, kUnknown);
        direct_[keys[i]] = slots_[slot].row;
      }
    }
  }

  std::uint32_t find(std::uint64_t key) const {
    if (key < direct_.size()) return direct_[key];
    std::size_t slot = place(key);
    // Keys side by side may fill half of all slots: what is not within reach of its place is not there.
    for (int probes = 0; probes <= kMostProbes && slots_[slot].row != kUnknown; ++probes) {
      if (slots_[slot].key == key) return slots_[slot].row;
      slot = (slot + 1) & mask_;
    }
    return kUnknown;
  }

  // Tells the processor that a key will be looked for.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[place(key)]); }

 private:
  static constexpr std::uint64_t kDirect = 0x10000;  // single characters, but for the rarest
  static constexpr int kMostProbes = 1000;           // no n-grams that occur need more than some dozens,
  static constexpr std::size_t kProbesOfKey = 16;    // nor more than one on average

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t row = kUnknown;
  };

  std::size_t place(std::uint64_t key) const {
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(mixed ^ mixed >> 32) & mask_;
  }

  std::size_t mask_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(1);
  std::vector<std::uint32_t> direct_{};
};

}  // namespace budgie::features
