// SPDX-License-Identifier: Apache-2.0
#include "training/gold_states.hpp"

#include <stdexcept>

#include "tasks/transitions.hpp"

namespace budgie::training {

void GoldStates::add_sentence(const std::vector<std::uint32_t>& order) {
  std::vector<bool> seen(order.size());
  for (const std::uint32_t word : order) {
    if (word >= order.size() || seen[word]) throw std::invalid_argument("an order must have each word once");
    seen[word] = true;
  }
  Preordering::State state;
  state.begin(order.size());
  follow_oracle(GoldPreordering(order), state, [&](const Preordering::State& now, std::size_t move) {
    for (std::size_t s = 0; s < 2 * kSpansSeen; ++s) {
      const WordSpan* span = now.seen(s);
      for (std::size_t c = 0; c < kCorners; ++c) {
        words.push_back(span == nullptr ? -1 : static_cast<std::int32_t>(span->corners[c]));  // kNoWord is -1 too
      }
      lengths.push_back(span == nullptr ? 0 : static_cast<std::int32_t>(span->words));
      swapped.push_back(span == nullptr ? -1 : span->swapped);
    }
    moves.push_back(static_cast<std::int32_t>(move));
  });
  ends.push_back(static_cast<std::int32_t>(moves.size()));
}

}  // namespace budgie::training
