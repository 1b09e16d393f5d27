// SPDX-License-Identifier: Apache-2.0
// The preorderer: a network that scores the moves of preordering.hpp, and the tagger that it may need.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "network.hpp"
#include "preordering.hpp"
#include "tagger.hpp"
#include "word_parts.hpp"

namespace budgie {

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class Preorderer {
 public:
  class Scratch;

  Preorderer(WordGroups words, const Network& network, std::optional<Tagger> tagger);

  // Puts the words of `sentences` sentences, which stand one behind the other, into the order of the target language:
  // sentence s is words[starts[s]] to words[starts[s + 1]], and the numbers of its words, counted from its first one,
  // go to the same places of `orders`; the numbers of their tags, if there is a tagger, to those of `tags`.
  void reorder(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
               std::uint32_t* tags, std::uint32_t* orders) const;

  // The steps of it. First tags for all sentences; then for one of them what does not depend on states; then a score
  // for each move in one of its states.
  void tag(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
           std::uint32_t* tags) const;
  void read(const TextView* words, std::size_t count, const std::uint32_t* tags, Scratch& scratch) const;
  const float* score(const Preordering::State& state, Scratch& scratch) const;

 private:
  // A word that features look at: a corner of a span, or the word so far away from it in the source.
  struct Place {
    std::size_t span, corner;
    std::ptrdiff_t offset;

    bool operator==(const Place& other) const {
      return span == other.span && corner == other.corner && offset == other.offset;
    }
  };
  // Rows that are few, each multiplied by the weights at load.
  struct Products {
    Group::Kind kind;
    Place place;
    std::size_t rows;
    std::vector<float> floats;
  };

  static std::vector<Place> places_of(const std::vector<Group>& groups);
  static std::vector<std::vector<std::size_t>> views_of(const std::vector<Group>& groups,
                                                        const std::vector<Place>& places);
  void multiply(const std::vector<Group>& groups, const Network& network);
  std::size_t find(const Preordering::State& state, const Place& place, std::size_t words) const;

  std::vector<Place> places_;  // the views of words
  WordParts parts_;
  std::vector<Products> products_;  // of tags and of what is said of a whole span
  std::optional<Tagger> tagger_;
  std::vector<float> bias_;
  std::vector<float> output_;  // move after move
  std::array<float, 3> output_bias_;
};

// Everything that one thread needs while it works. It remembers words, and may be used for one sentence after another.
class Preorderer::Scratch {
 public:
  // `words` is how many will come, where they are few: less memory is then asked for.
  explicit Scratch(const Preorderer& preorderer, std::size_t words = std::numeric_limits<std::size_t>::max());

 private:
  friend class Preorderer;
  WordParts::Scratch parts_;
  std::optional<Tagger::Scratch> tagger_;
  Preordering::State state_{};
  std::size_t words_ = 0;               // of the sentence at hand
  const float* const* rows_ = nullptr;  // one for each of them
  const std::uint32_t* tags_ = nullptr;
  std::vector<const float*> added_;  // what adds to the hidden layer in a state
  std::array<float, 3> scores_{};
};

}  // namespace budgie
