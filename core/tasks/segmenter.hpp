// SPDX-License-Identifier: Apache-2.0
// The segmenter: a network that scores the actions of segmentation.hpp, and has as many outputs.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/unit_window.hpp"
#include "features/units.hpp"
#include "network/hidden.hpp"
#include "network/network.hpp"
#include "tasks/multiword.hpp"
#include "tasks/segmentation.hpp"

namespace budgie::tasks {

// A word of a text, and the action that began it. Offsets are in the text's own measure: bytes of UTF-8 or characters
// of a str.
struct TokenSpan {
  std::size_t start = 0;
  std::size_t end = 0;
  std::uint8_t action = static_cast<std::uint8_t>(Action::split);

  bool begins_sentence() const { return static_cast<Action>(action) == Action::sentence; }
};

// Leaves out the words of a text that are nothing but white space.
void drop_blanks(const TextView& text, std::vector<TokenSpan>& words);

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class Segmenter {
 public:
  static constexpr std::uint32_t kFewBuckets = 1024;  // so many rows are multiplied at load

  class Scratch;

  Segmenter(UnitGroups groups, const Network& network, Multiword multiword = {});

  std::size_t standards() const { return standards_; }
  bool finds_sentences() const { return groups_.actions > static_cast<std::size_t>(Action::sentence); }
  const Multiword& multiword() const { return multiword_; }

  // Appends the words of a text to `words`, by one of standards() definitions of a word: std::invalid_argument where
  // there is no such `standard`. White space is a word of its own where none is inside of a word, so words lie end to
  // end; what only stands between words that may have some inside counts as split off. Where white space never is a
  // word (Spaces::between) it is left out.
  void segment(const TextView& text, const Dictionary* dictionary, std::uint32_t standard, Scratch& scratch,
               std::vector<TokenSpan>& words, Stop& stop) const;

 private:
  // What feature positions look at, and how what they add to the hidden layer is found.
  enum class Source : std::uint8_t { front, start, word, word_table, standard_table };

  Source source(const FeaturePosition& at) const;
  HiddenRun run_of(Source wanted, const Network& network) const;
  void decide(const UnitWindow& window, std::size_t first, std::size_t last, std::uint32_t standard, Scratch& scratch,
              WordSoFar& word) const;
  void embed(const UnitWindow& window, std::size_t last, std::uint32_t standard, Scratch& scratch) const;
  void score(const WordSoFar& word, const SeenUnit& front, const float* at_front, const float* at_start,
             Scratch& scratch) const;

  // A table of what one feature position adds.
  struct Table {
    FeaturePosition at;
    HiddenTable rows;
  };

  UnitGroups groups_;
  std::vector<Embedding> embeddings_;
  std::size_t width_;        // of the hidden layer, padded
  std::vector<float> bias_;  // less the excess of the runs
  // What depends on the text alone, around the front of the buffer and around the first unit of the current word; and
  // what depends on the words so far.
  HiddenRun at_front_, at_start_, at_word_;
  std::vector<Table> word_tables_{}, standard_tables_{};
  std::size_t standards_ = 1;
  ActionLayer output_;
  Multiword multiword_;
};

// Everything that one thread needs while it works.
class Segmenter::Scratch {
 public:
  explicit Scratch(const Segmenter& segmenter);

 private:
  friend class Segmenter;
  std::vector<std::uint32_t> hashes_{};
  std::vector<std::vector<std::uint32_t>> ids_;  // of each fixed group
  UnitVectors vectors_;
  HiddenRun::Scratch at_front_, at_start_, at_word_;
  std::vector<float> bias_{};             // with that of the standard
  std::vector<float> front_{}, start_{};  // rows for each unit of a run
  std::vector<float> current_;            // the row at the unit that the current word starts with
  std::vector<std::uint8_t> taken_{};     // the action at each unit
  std::vector<const float*> rows_;        // that add up to the hidden layer of a decision
  std::array<float, ActionLayer::kMostActions> scores_{};
};

}  // namespace budgie::tasks
