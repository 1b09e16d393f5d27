// SPDX-License-Identifier: Apache-2.0
// Word segmentation (section 3.3 of the paper): unit by unit, SPLIT begins a new word and MERGE lengthens the last one.
// There may be more actions that begin a word.
#pragma once
#include <cstddef>
#include <cstdint>

#include "features/rules.hpp"
#include "features/units.hpp"
#include "tasks/transitions.hpp"

namespace budgie::tasks {

// The transition system, over a window of units. Its stack needs no more than the word on top.
struct Segmentation {
  struct State {
    std::size_t front = 0;  // of the buffer
    WordSoFar word{};
  };

  std::size_t actions() const { return count; }
  bool allowed(const State& state, std::size_t action) const { return Rules::allow(rules[state.front], action); }
  bool done(const State& state) const { return state.front == end; }
  bool open(const State& state) const { return Rules::open(rules[state.front]); }
  void apply(State& state, std::size_t action) const {
    taken[state.front] = static_cast<std::uint8_t>(action);
    const SeenUnit unit = seen(state.front++);
    switch (static_cast<Action>(action)) {
      case Action::merge:
        return state.word.merge(unit);
      case Action::sentence:
        return state.word.begin_sentence(unit);
      default:
        return state.word.split(unit);
    }
  }

  SeenUnit seen(std::size_t unit) const {
    return {units.ids[unit], units.spellings != nullptr ? units.spellings[unit].shape : std::uint16_t{0}};
  }

  std::size_t count;          // of actions
  UnitViews units;            // as far as they have been read
  const std::uint8_t* rules;  // what may be done at each
  std::size_t end;            // of the buffer
  std::uint8_t* taken;        // the action at each unit
};

// The same where one knows the words.
struct GoldSegmentation : Segmentation {
  std::size_t oracle(const State& state) const {
    const std::size_t wanted = gold[state.front];
    return allowed(state, wanted) ? wanted : first_allowed(*this, state);
  }

  const std::uint8_t* gold;  // the action that makes the words of each unit
};

}  // namespace budgie::tasks
