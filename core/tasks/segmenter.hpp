// SPDX-License-Identifier: Apache-2.0
// Word segmentation (section 3.3 of the paper): unit by unit, SPLIT begins a new word and MERGE lengthens the last one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/unit_window.hpp"
#include "features/units.hpp"
#include "network/hidden_part.hpp"
#include "network/network.hpp"

namespace budgie::tasks {

enum class Action : std::uint8_t { split, merge };

// The transition system, over a window of units. Its stack needs no more than the word on top.
struct Segmentation {
  struct State {
    std::size_t front = 0;  // of the buffer
    WordSoFar word{};
  };

  std::size_t actions() const { return 2; }
  bool allowed(const State& state, std::size_t action) const { return (rules[state.front] >> action & 1u) != 0; }
  bool done(const State& state) const { return state.front == end; }
  // Whether there is something to decide.
  bool open(const State& state) const { return rules[state.front] == (kMaySplit | kMayMerge); }
  void apply(State& state, std::size_t action) const {
    const bool split = static_cast<Action>(action) == Action::split;
    begins_word[state.front] = split;
    const char32_t id = ids[state.front++];
    split ? state.word.split(id) : state.word.merge(id);
  }

  const char32_t* ids;        // of the units
  const std::uint8_t* rules;  // what may be done at each
  std::size_t end;            // of the buffer
  std::uint8_t* begins_word;  // for each unit: was it split off
};

// The same where one knows the words.
struct GoldSegmentation : Segmentation {
  // SPLIT where a word begins and MERGE elsewhere, unless the rules have only the other.
  std::size_t oracle(const State& state) const {
    const bool split = std::binary_search(starts.begin(), starts.end(), begins[state.front]);
    const auto wanted = static_cast<std::size_t>(split ? Action::split : Action::merge);
    return allowed(state, wanted) ? wanted : 1 - wanted;
  }

  const std::size_t* begins;               // offset of each unit
  const std::vector<std::size_t>& starts;  // offsets at which words begin, ascending
};

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class Segmenter {
 public:
  static constexpr std::uint32_t kFewBuckets = 1024;  // so many rows are multiplied at load

  class Scratch;

  Segmenter(UnitGroups groups, const Network& network);

  const UnitGroups& groups() const { return groups_; }

  // Appends begin and end of each word to `spans`, in the text's own measure: bytes of UTF-8 or characters of a str.
  // White space is a word of its own where none is inside of a word, so words lie end to end.
  void segment(const TextView& text, const Dictionary* dictionary, std::uint32_t standard, Scratch& scratch,
               std::vector<std::size_t>& spans, Stop& stop) const;

 private:
  // Rows that are few, each multiplied by the weights at load.
  struct Products {
    Tap tap;
    std::vector<float> rows;
  };

  Products multiply(std::size_t group, int position, const float* weights) const;
  void decide(const UnitWindow& window, std::size_t first, std::size_t last, Scratch& scratch, WordSoFar& word) const;
  void embed(const UnitWindow& window, std::size_t last, Scratch& scratch) const;
  void apply(const HiddenPart& part, std::size_t first, std::size_t last, Scratch& scratch, float* sums) const;
  float score(const WordSoFar& word, char32_t front, const float* at_front, const float* at_start,
              Scratch& scratch) const;

  UnitGroups groups_;
  std::vector<Embedding> embeddings_;
  std::size_t units_;  // of the hidden layer, padded
  // What depends on the text alone, around the front of the buffer and around the first unit of the current word; and
  // what depends on the words so far.
  HiddenPart at_front_, at_start_, at_word_;
  std::vector<Products> products_of_word_, products_of_standards_;
  std::vector<float> bias_;
  std::vector<float> output_;  // by how much each hidden unit prefers SPLIT to MERGE
  float output_bias_;
};

// Everything that one thread needs while it works.
class Segmenter::Scratch {
 public:
  explicit Scratch(const Segmenter& segmenter);

 private:
  friend class Segmenter;
  std::vector<std::uint32_t> hashes_{}, rows_{};
  std::vector<std::vector<float>> floats_;        // of each group the vectors, unit after unit
  std::vector<std::vector<std::uint8_t>> bytes_;  // the same where they are small integers
  std::vector<float> bias_{};                     // with that of the standard
  std::vector<float> front_{}, start_{};          // sums for each unit of a run
  std::vector<float> current_;                    // the sum at the unit that the current word starts with
  std::vector<std::uint8_t> begins_word_{};
  std::vector<float> floats_of_word_;
  std::vector<std::uint8_t> bytes_of_word_;
  HiddenPart::Room room_{};
  std::vector<const float*> rows_of_word_;
  std::vector<float> sum_;
  float scores_[2] = {0, 0};
};

}  // namespace budgie::tasks
