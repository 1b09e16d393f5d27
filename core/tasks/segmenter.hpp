// SPDX-License-Identifier: Apache-2.0
// Word segmentation (section 3.3 of the paper): unit by unit, SPLIT begins a new word and MERGE lengthens the last one.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/unit_window.hpp"
#include "features/units.hpp"
#include "network/hidden.hpp"
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
  // White space is a word of its own where none is inside of a word, so words lie end to end. In long texts `pause` is
  // called several times a second; it may throw.
  void segment(const TextView& text, const Dictionary* dictionary, std::uint32_t standard, Scratch& scratch,
               std::vector<std::size_t>& spans, void (*pause)()) const;

 private:
  // What feature positions look at, and how what they add to the hidden layer is found.
  enum class Source : std::uint8_t { front, start, word, word_table, standard_table };

  Source source(const FeaturePosition& at) const;
  HiddenRun run_of(Source wanted, const Network& network);
  void decide(const UnitWindow& window, std::size_t first, std::size_t last, Scratch& scratch, WordSoFar& word) const;
  void embed(const UnitWindow& window, std::size_t last, Scratch& scratch) const;
  void score(const WordSoFar& word, char32_t front, const float* at_front, const float* at_start,
             Scratch& scratch) const;

  // A table of what one feature position adds.
  struct Table {
    FeaturePosition at;
    HiddenTable rows;
  };

  UnitGroups groups_;
  std::vector<Embedding> embeddings_;
  std::size_t width_;  // of the hidden layer, padded
  std::vector<float> bias_;
  // What depends on the text alone, around the front of the buffer and around the first unit of the current word; and
  // what depends on the words so far.
  HiddenRun at_front_, at_start_, at_word_;
  std::vector<Table> word_tables_{}, standard_tables_{};
  ActionLayer output_;
};

// Everything that one thread needs while it works.
class Segmenter::Scratch {
 public:
  explicit Scratch(const Segmenter& segmenter);

 private:
  friend class Segmenter;
  std::vector<std::uint32_t> hashes_{}, ids_{};
  UnitVectors vectors_;
  HiddenRun::Scratch at_front_, at_start_, at_word_;
  std::vector<float> bias_{};             // with that of the standard
  std::vector<float> front_{}, start_{};  // rows for each unit of a run
  std::vector<float> current_;            // the row at the unit that the current word starts with
  std::vector<std::uint8_t> begins_word_{};
  std::vector<const float*> rows_;  // that add up to the hidden layer of a decision
  std::array<float, ActionLayer::kMostActions> scores_{};
};

}  // namespace budgie::tasks
