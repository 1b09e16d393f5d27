// SPDX-License-Identifier: Apache-2.0
// What may be done at each unit of a text: white space and a user's words decide some of it before any network does.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "rooms.hpp"

namespace budgie::features {

// What is done at a unit: SPLIT begins a word with it, MERGE adds it to the word before, SENTENCE begins a word and a
// sentence with it. Further actions begin a word, too, and say something more of it.
enum class Action : std::uint8_t { split, merge, sentence };
constexpr std::array kActionNames = {"SPLIT", "MERGE", "SENTENCE"};  // the labels of a segmenter
static_assert(kActionNames.size() == static_cast<std::size_t>(Action::sentence) + 1, "a name for each");

// What may be done at a unit, a bit an action; one bit at least.
struct Rules {
  explicit Rules(std::size_t actions) : any(static_cast<std::uint8_t>((1u << actions) - 1)) {}

  static constexpr std::uint8_t merge = 1u << static_cast<unsigned>(Action::merge);
  std::uint8_t any;
  std::uint8_t begin() const { return any & static_cast<std::uint8_t>(~merge); }  // all that begin a word
  // Where a text or a paragraph begins, a sentence does, if there are sentences.
  std::uint8_t begin_paragraph() const {
    constexpr auto kSentence = std::uint8_t{1u << static_cast<unsigned>(Action::sentence)};
    return (any & kSentence) != 0 ? kSentence : begin();
  }

  static bool allow(std::uint8_t rule, std::size_t action) { return (rule >> action & 1u) != 0; }
  static bool open(std::uint8_t rule) { return (rule & (rule - 1u)) != 0; }  // is there something to decide
};

}  // namespace budgie::features
