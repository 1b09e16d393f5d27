// SPDX-License-Identifier: Apache-2.0
// A feature group: one embedding matrix, and which features look rows up in it (section 2 of the paper).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooms.hpp"

namespace budgie::features {

constexpr std::uint32_t kLongestNgram = 8;

// Rows of one embedding matrix and what looks them up. Running text has n-grams and words; single words (words.hpp)
// have these, bytes, shapes and clusters; units (unit_features.hpp) have n-grams, words and vocabulary to lexicon; the
// spans of a preorderer have tags, swapped and length.
struct Group {
  enum class Kind : std::uint8_t {
    ngrams,
    words,
    bytes,
    shapes,
    clusters,
    vocabulary,
    kinds,
    length,
    standard,
    lexicon,
    tags,
    swapped
  };
  Kind kind = Kind::ngrams;
  std::uint32_t n = 1;
  std::uint32_t buckets = 1;
  bool across = true;            // running text: may a space stand inside an n-gram, or only at its ends
  bool ends = true;              // single words: do n-grams see where the word begins and ends
  std::vector<int> positions{};  // words or units relative to the focus
  std::vector<int> starts{};     // units relative to the first one of the current word; positions are to the front
  std::vector<std::uint32_t> places{};  // corners of spans, to which positions are relative (preordering.hpp)

  std::size_t slots() const { return kind == Kind::bytes ? std::size_t{2} * n : 1; }  // vectors a position
  std::size_t all_slots() const {
    return (positions.size() * (places.empty() ? 1 : places.size()) + starts.size()) * slots();
  }
};

}  // namespace budgie::features
