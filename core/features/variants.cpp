// SPDX-License-Identifier: Apache-2.0
#include "features/variants.hpp"

#include <stdexcept>

namespace budgie::features {

namespace {

std::uint32_t character_at(const std::uint8_t* bytes) {
  return static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16);
}

bool is_character(std::uint32_t code) { return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF); }

}  // namespace

Variants::Variants(const std::uint8_t* pairs, std::size_t count) : differences_(kPage) {
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t from = character_at(pairs + i * kPair), to = character_at(pairs + i * kPair + kPair / 2);
    if (!is_character(from) || !is_character(to)) throw std::invalid_argument("a variant is no character");
    if (i > 0 && from <= before) throw std::invalid_argument("variants do not ascend");
    before = from;
    pages_.resize((from >> kPageBits) + 1);
    std::uint32_t& page = pages_.back();
    if (page == 0) {
      page = static_cast<std::uint32_t>(differences_.size());
      differences_.resize(page + kPage);
    }
    differences_[page + (from & (kPage - 1))] = to - from;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t to = character_at(pairs + i * kPair + kPair / 2);
    if (fold(to) != to || character_at(pairs + i * kPair) == to) {
      throw std::invalid_argument("a variant counts as a character that counts as another one");
    }
  }
}

}  // namespace budgie::features
