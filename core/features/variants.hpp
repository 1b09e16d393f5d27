// SPDX-License-Identifier: Apache-2.0
// Characters that count as others to all features, as traditional Chinese ones may count as simplified ones: one
// network then reads both scripts, while offsets and words stay those of the text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace budgie::features {

class Variants {
 public:
  static constexpr std::size_t kPair = 6;         // bytes: a character and what it counts as, three each, little-endian
  static constexpr std::int64_t kMost = 1 << 16;  // pairs

  Variants() = default;

  // Throws std::invalid_argument unless the first characters ascend, all are characters, and none that others count as
  // counts as another one itself.
  Variants(const std::uint8_t* pairs, std::size_t count);

  bool empty() const { return pages_.empty(); }

  // Of any unit: the id of several characters, and what is outside, lies behind all pages.
  char32_t fold(char32_t id) const {
    const std::size_t page = id >> kPageBits;
    return page < pages_.size() ? id + differences_[pages_[page] + (id & (kPage - 1))] : id;
  }

 private:
  static constexpr int kPageBits = 8;
  static constexpr std::size_t kPage = std::size_t{1} << kPageBits;  // characters

  std::vector<std::uint32_t> pages_{};        // where the differences of each page begin; most share those of nothing
  std::vector<std::uint32_t> differences_{};  // modulo 2^32
};

}  // namespace budgie::features
