// SPDX-License-Identifier: Apache-2.0
// The preorderer: a network that scores the moves of preordering.hpp, and the tagger that it may need.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "network/network.hpp"
#include "network/word_parts.hpp"
#include "tasks/preordering.hpp"
#include "tasks/tagger.hpp"

namespace budgie::tasks {

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class Preorderer {
 public:
  class Scratch;

  Preorderer(WordGroups words, const Network& network, std::optional<Tagger> tagger);

  // Puts the words of `sentences` sentences, which stand one behind the other, into the order of the target language:
  // sentence s is words[starts[s]] to words[starts[s + 1]], and the numbers of its words, counted from its first one,
  // go to the same places of `orders`; the numbers of their tags, if there is a tagger, to those of `tags`. `beam` is
  // how many ways are followed side by side. A sentence of more than kLongest words is put into order piece by piece,
  // so that memory stays bounded and time linear.
  void reorder(const TextView* words, const std::size_t* starts, std::size_t sentences, std::size_t beam,
               Scratch& scratch, std::uint32_t* tags, std::uint32_t* orders, Stop& stop) const;

 private:
  static constexpr std::size_t kLongest = 1024;

  // Rows that are few, each multiplied by the weights at load.
  using Products = std::vector<float>;

  // What a word adds to the hidden layer where it is a corner of a span: its own parts and those of its neighbours in
  // the source, each at some distance. They depend on where the word stands in the sentence and on nothing else.
  struct Place {
    std::size_t span, corner;
    std::vector<std::pair<int, std::size_t>> words{};  // distance, view
    std::vector<std::pair<int, Products>> tags{};      // distance, a row for each tag

    std::size_t parts() const { return words.size() + tags.size(); }
  };

  // What is said of a whole span.
  struct OfSpan {
    Group::Kind kind;
    std::size_t span, rows;
    Products products;
  };

  static std::vector<Place> places_of(const std::vector<Group>& groups);
  static std::vector<std::vector<std::size_t>> views_of(const std::vector<Group>& groups,
                                                        const std::vector<Place>& places);
  static std::size_t count_views(const std::vector<Place>& places);
  void multiply(const std::vector<Group>& groups, const Network& network);
  void read(const TextView* words, std::size_t count, const std::uint32_t* tags, Scratch& scratch) const;
  const float* score(const Preordering::State& state, Scratch& scratch) const;
  void add_parts(const Place& place, std::size_t word, Scratch& scratch) const;
  const float* sum(std::size_t place, std::size_t word, Scratch& scratch) const;

  std::vector<Place> places_;
  WordParts parts_;
  std::vector<OfSpan> of_spans_;
  std::optional<Tagger> tagger_;
  std::vector<float> bias_;
  std::vector<float> output_;  // move after move
  std::array<float, kMoves> output_bias_;
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
  std::size_t words_ = 0;               // of the piece at hand
  const float* const* rows_ = nullptr;  // one for each of them
  const std::uint32_t* tags_ = nullptr;
  std::vector<float> sums_{};           // of many parts: for each word and place, once somebody has asked
  std::vector<std::uint8_t> summed_{};  // whether somebody has
  std::vector<const float*> added_{};   // what adds to the hidden layer in a state
  std::array<float, kMoves> scores_{};
};

}  // namespace budgie::tasks
