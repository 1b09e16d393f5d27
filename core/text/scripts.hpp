// SPDX-License-Identifier: Apache-2.0
// Scripts whose words are not what stands between spaces.
#pragma once
#include "rooms.hpp"

namespace budgie::text {

constexpr bool is_han(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x20000 && c <= 0x3FFFF) || (c >= 0x3005 && c <= 0x3007) || (c >= 0x3021 && c <= 0x3029);
}

constexpr bool is_hiragana(char32_t c) { return c >= 0x3041 && c <= 0x309F; }

constexpr bool is_katakana(char32_t c) {
  return (c >= 0x30A0 && c <= 0x30FF) || (c >= 0x31F0 && c <= 0x31FF) || (c >= 0xFF66 && c <= 0xFF9F);
}

// Thai, Lao, Tibetan, Burmese; Khmer; Tai Le, New Tai Lue, Tai Tham; Bopomofo; more Burmese; Tai Viet.
constexpr bool is_syllabic(char32_t c) {
  return (c >= 0xE00 && c <= 0x109F) || (c >= 0x1780 && c <= 0x17FF) || (c >= 0x1950 && c <= 0x19DF) ||
         (c >= 0x1A20 && c <= 0x1AAF) || (c >= 0x3105 && c <= 0x312F) || (c >= 0xA9E0 && c <= 0xA9FF) ||
         (c >= 0xAA60 && c <= 0xAADF);
}

// Whether a character is of text without spaces: of these scripts, or the punctuation and the full-width forms that
// stand between them. Hangul is not, since Korean has spaces.
constexpr bool is_unspaced(char32_t c) {
  // Beyond the scripts above: Kanbun to the extensions of katakana; vertical and small forms; more kana.
  if (c < 0xE00) return false;
  if (c < 0x2E80) return is_syllabic(c);
  if (c <= 0x312F || (c >= 0xFF01 && c <= 0xFF9F)) return true;
  return is_han(c) || is_syllabic(c) || (c >= 0x3190 && c <= 0x31FF) || (c >= 0xFE30 && c <= 0xFE6F) ||
         (c >= 0x1AFF0 && c <= 0x1B16F);
}

}  // namespace budgie::text
