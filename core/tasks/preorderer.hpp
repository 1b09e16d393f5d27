// SPDX-License-Identifier: Apache-2.0
// The preorderer: a network that scores the moves of preordering.hpp, and the tagger that it may need.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "network/hidden.hpp"
#include "network/network.hpp"
#include "tasks/preordering.hpp"
#include "tasks/tagger.hpp"
#include "tasks/transitions.hpp"

namespace budgie::tasks {

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class Preorderer {
 public:
  class Scratch;

  Preorderer(WordGroups words, const Network& network, std::optional<Tagger> tagger);

  // Puts the words of `sentences` sentences, which stand one behind the other, into the order of the target language:
  // sentence s is words[starts[s]] to words[starts[s + 1]], and the numbers of its words, counted from its first one,
  // go to the same places of `orders`; the numbers of their tags, if there is a tagger, to those of `tags`. `beam` is
  // how many hypotheses are followed side by side. A sentence of more than kLongest words is put into order piece by
  // piece, so that memory stays bounded and time linear.
  void reorder(const TextView* words, const std::size_t* starts, std::size_t sentences, std::size_t beam,
               Scratch& scratch, std::uint32_t* tags, std::uint32_t* orders, Stop& stop) const;

 private:
  static constexpr std::size_t kLongest = 1024;

  // What a word adds to the hidden layer where it is a corner of a span: its own row and those of words and tags at
  // some distance from it in the source. They depend on where the word stands in the sentence, and not on the state.
  struct Corner {
    std::uint32_t place;                               // number of the span, times kCorners, and of the corner
    std::vector<std::pair<int, std::size_t>> words{};  // distance, part of the row of a word
    std::vector<std::pair<int, HiddenTable>> tags{};   // distance, a row for each tag
    std::size_t rows = 0;                              // of all of them
  };

  // What is said of a whole span.
  struct SpanFeature {
    Group::Kind kind;
    std::uint32_t buckets;
    std::size_t span;
    HiddenTable rows;
  };

  Corner& corner(std::uint32_t place);
  std::size_t lay_out(const std::vector<Group>& groups, const Network& network);
  std::optional<std::size_t> part_of(const std::vector<Group>& groups, const FeaturePosition& at) const;
  void read(const TextView* words, std::size_t count, const std::uint32_t* tags, Scratch& scratch, Stop& stop) const;
  const float* score(const Preordering::State& state, Scratch& scratch) const;
  const float** list_rows(const Corner& corner, std::size_t word, const Scratch& scratch, const float** row) const;
  const float* sum(std::size_t corner, std::size_t word, Scratch& scratch, const float** rows) const;

  std::vector<Corner> corners_{};
  std::vector<SpanFeature> span_features_{};
  std::size_t parts_;  // of the row of a word
  HiddenWords<float> words_;
  std::optional<Tagger> tagger_;
  ActionLayer output_;
};

// Everything that one thread needs while it works. It remembers words, and may be used for one sentence after another.
class Preorderer::Scratch {
 public:
  // `words` is how many will come, where they are few: less memory is then asked for.
  explicit Scratch(const Preorderer& preorderer, std::size_t words = std::numeric_limits<std::size_t>::max());

 private:
  friend class Preorderer;
  HiddenWords<float>::Scratch words_;
  std::optional<Tagger::Scratch> tagger_;
  Preordering::State state_{};
  Beam<Preordering> beam_{};
  std::size_t count_ = 0;                // words of the piece at hand
  const float* const* found_ = nullptr;  // the row of each of them
  const std::uint32_t* tags_ = nullptr;
  std::vector<float> sums_{};           // of many rows: for each word and corner, once somebody has asked
  std::vector<std::uint8_t> summed_{};  // whether somebody has
  std::vector<const float*> rows_{};    // that add up to the hidden layer of a state
  std::array<float, ActionLayer::kMostActions> scores_{};
};

}  // namespace budgie::tasks
