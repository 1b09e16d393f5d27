// SPDX-License-Identifier: Apache-2.0
// A feature group: one embedding matrix, and which features look rows up in it (section 2 of the paper).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooms.hpp"

namespace budgie::features {

constexpr std::uint32_t kLongestNgram = 8;

// Rows of one embedding matrix and what looks them up. Running text has n-grams and words; single words (words.hpp)
// have these, bytes, shapes and clusters; the spans of a preorderer have tags, swapped and length; units (units.hpp)
// have all but bytes, clusters, tags and swapped.
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
    swapped,
    sentence,
    endings,
    opening,
    line
  };
  static constexpr std::array kKindNames = {"ngrams",   "words",   "bytes",    "shapes",  "clusters", "vocabulary",
                                            "kinds",    "length",  "standard", "lexicon", "tags",     "swapped",
                                            "sentence", "endings", "opening",  "line"};  // as they stand in files
  static_assert(kKindNames.size() == static_cast<std::size_t>(Kind::line) + 1, "a name for each");

  Kind kind = Kind::ngrams;
  std::uint32_t n = 1;
  std::uint32_t buckets = 1;
  bool across = true;            // running text: may a space stand inside an n-gram, or only at its ends
  bool ends = true;              // single words: do n-grams see where the word begins and ends
  std::vector<int> positions{};  // words or units relative to the focus
  std::vector<int> starts{};     // units relative to the first one of the current word; positions are to the front
  std::vector<std::uint32_t> places{};  // corners of spans, to which positions are relative (preordering.hpp)
  bool by_standard = false;             // units: does each standard have rows of its own

  // What kind of kind it is. Those of a span are what a preorderer has of spans as a whole, and those of a word what it
  // has of single words; those that depend on words change with where a segmenter has ended words so far.
  static constexpr bool is_of_span(Kind kind) { return kind == Kind::swapped || kind == Kind::length; }
  static constexpr bool is_of_word(Kind kind) { return !is_of_span(kind) && kind != Kind::tags; }
  static constexpr bool depends_on_words(Kind kind) {
    return kind == Kind::length || kind == Kind::words || kind == Kind::sentence || kind == Kind::opening;
  }

  std::size_t vectors() const { return kind == Kind::bytes ? std::size_t{2} * n : 1; }  // a position
  std::size_t slots() const {                                                           // vectors of h0 in all
    return (positions.size() * (places.empty() ? 1 : places.size()) + starts.size()) * vectors();
  }
};

inline const char* name_of(Group::Kind kind) { return Group::kKindNames[static_cast<std::size_t>(kind)]; }

// A part of h0: a group, looked at from somewhere.
struct FeaturePosition {
  std::size_t group = 0;    // its number
  int position = 0;         // words or units from the focus or the front of the buffer, or from
  std::uint32_t place = 0;  // a corner of a span, or
  bool start = false;       // the first unit of the current word
};

// Calls visit(position) for each position of a group, in the order of h0.
template <class Visit>
void for_each_position(const Group& group, std::size_t number, Visit&& visit) {
  for (std::size_t p = 0; p < (group.places.empty() ? 1 : group.places.size()); ++p) {
    const std::uint32_t place = group.places.empty() ? 0 : group.places[p];
    for (const int position : group.positions) visit(FeaturePosition{number, position, place, false});
  }
  for (const int position : group.starts) visit(FeaturePosition{number, position, 0, true});
}

}  // namespace budgie::features
