// SPDX-License-Identifier: Apache-2.0
// What preorderers learn from: the states that gold goes through, and its moves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tasks/preordering.hpp"

namespace budgie::training {

// What the groups of a preorderer look at in a state: columns of words, which groups may share, and columns of rows,
// for groups that are of whole spans.
struct StateColumns {
  explicit StateColumns(const std::vector<features::Group>& groups);

  struct Word {
    std::uint32_t place;  // a corner of a span
    int position;         // words from there
  };
  struct Span {
    features::Group::Kind kind;
    std::uint32_t buckets;
    std::size_t number;
  };

  std::vector<Word> words{};
  std::vector<Span> spans{};
  std::vector<std::vector<std::size_t>> words_of{}, spans_of{};  // the columns of each group, in the order of h0
};

// One behind the other: what features look at, and what gold does.
struct GoldStates {
  std::vector<std::int32_t> words{};  // for each column the number of a word in its sentence; -1: there is none
  std::vector<std::int32_t> rows{};   // for each column a row; -1: there is no such span
  std::vector<std::int32_t> moves{};
  std::vector<std::int32_t> ends{};  // of sentences: how many states there are up to there

  // The states of one sentence, whose words in the order of the target language are `order`. Throws
  // std::invalid_argument if that is no order.
  void add_sentence(const StateColumns& columns, const std::vector<std::uint32_t>& order);
};

}  // namespace budgie::training
