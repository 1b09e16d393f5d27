// SPDX-License-Identifier: Apache-2.0
// The loops over any transition system: by scores, and by what gold would do. A system has
//   State, actions(), allowed(state, action), apply(state, action), done(state)
// and, for training, oracle(state): the allowed action that gold would take. Some action is always allowed until a
// state is done.
#pragma once
#include <cstddef>
#include <limits>

namespace budgie {

// The allowed action of the highest score, the first of several; scores are finite.
template <class System>
std::size_t best_action(const System& system, const typename System::State& state, const float* scores) {
  std::size_t best = 0;
  float highest = -std::numeric_limits<float>::infinity();
  for (std::size_t action = 0; action < system.actions(); ++action) {
    if (scores[action] > highest && system.allowed(state, action)) {
      best = action;
      highest = scores[action];
    }
  }
  return best;
}

// `score(state)` gives one score for each action.
template <class System, class Score>
void run_greedily(const System& system, typename System::State& state, Score&& score) {
  while (!system.done(state)) system.apply(state, best_action(system, state, score(state)));
}

// `visit(state)` sees each state before gold acts on it.
template <class System, class Visit>
void follow_oracle(const System& system, typename System::State& state, Visit&& visit) {
  while (!system.done(state)) {
    visit(static_cast<const typename System::State&>(state));
    system.apply(state, system.oracle(state));
  }
}

}  // namespace budgie
