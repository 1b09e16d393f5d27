// SPDX-License-Identifier: Apache-2.0
#include "training/gold_states.hpp"

#include <algorithm>
#include <stdexcept>

#include "tasks/transitions.hpp"

namespace budgie::training {

StateColumns::StateColumns(const std::vector<Group>& groups) : words_of(groups.size()), spans_of(groups.size()) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for_each_position(groups[g], g, [&](const FeaturePosition& at) {
      if (Group::is_of_span(groups[g].kind)) {
        spans_of[g].push_back(spans.size());
        spans.push_back({groups[g].kind, groups[g].buckets, at.place / kCorners});
        return;
      }
      const auto same = [&](const Word& word) { return word.place == at.place && word.position == at.position; };
      const auto found = std::find_if(words.begin(), words.end(), same);
      words_of[g].push_back(static_cast<std::size_t>(found - words.begin()));
      if (found == words.end()) words.push_back({at.place, at.position});
    });
  }
}

void GoldStates::add_sentence(const StateColumns& columns, const std::vector<std::uint32_t>& order) {
  std::vector<bool> seen(order.size());
  for (const std::uint32_t word : order) {
    if (word >= order.size() || seen[word]) throw std::invalid_argument("an order must have each word once");
    seen[word] = true;
  }
  Preordering::State state;
  state.begin(order.size());
  follow_oracle(GoldPreordering(order), state, [&](const Preordering::State& now, std::size_t move) {
    for (const StateColumns::Word& column : columns.words) {
      const std::uint32_t corner = now.word_at(column.place);
      const std::int64_t word = std::int64_t{corner} + column.position;
      const bool there = corner != kNoWord && word >= 0 && word < static_cast<std::int64_t>(order.size());
      words.push_back(there ? static_cast<std::int32_t>(word) : -1);
    }
    for (const StateColumns::Span& column : columns.spans) {
      const WordSpan* span = now.seen(column.number);
      rows.push_back(span == nullptr ? -1 : static_cast<std::int32_t>(span_row(column.kind, *span, column.buckets)));
    }
    moves.push_back(static_cast<std::int32_t>(move));
  });
  ends.push_back(static_cast<std::int32_t>(moves.size()));
}

}  // namespace budgie::training
