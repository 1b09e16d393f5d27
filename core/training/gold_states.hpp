// SPDX-License-Identifier: Apache-2.0
// What preorderers learn from: the states that gold goes through, and its moves.
#pragma once
#include <cstdint>
#include <vector>

#include "tasks/preordering.hpp"

namespace budgie::training {

// One behind the other: what features look at, and what gold does.
struct GoldStates {
  std::vector<std::int32_t> words{};    // corners of the spans seen; -1: no span, or no such word
  std::vector<std::int32_t> lengths{};  // words of the spans; 0: no span
  std::vector<std::int32_t> swapped{};  // whether they were; -1: no span
  std::vector<std::int32_t> moves{};
  std::vector<std::int32_t> ends{};  // of sentences: how many states there are up to there

  // The states of one sentence, whose words in the order of the target language are `order`. Throws
  // std::invalid_argument if that is no order.
  void add_sentence(const std::vector<std::uint32_t>& order);
};

}  // namespace budgie::training
