// SPDX-License-Identifier: Apache-2.0
// The loops over any transition system: by scores, and by what gold would do. A system has
//   State, actions(), allowed(state, action), apply(state, action), done(state)
// and, for training, oracle(state): the allowed action that gold would take. Some action is always allowed until a
// state is done.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "rooms.hpp"

namespace budgie::tasks {

template <class System>
std::size_t first_allowed(const System& system, const typename System::State& state) {
  std::size_t action = 0;
  while (!system.allowed(state, action)) ++action;
  return action;
}

// The allowed action of the highest score, the first of several. It is an allowed one whatever the scores are: where
// they are no numbers, the first.
template <class System>
std::size_t best_action(const System& system, const typename System::State& state, const float* scores) {
  std::size_t best = first_allowed(system, state);
  for (std::size_t action = best + 1; action < system.actions(); ++action) {
    if (scores[action] > scores[best] && system.allowed(state, action)) best = action;
  }
  return best;
}

// `score(state)` gives one score for each action.
template <class System, class Score>
void run_greedily(const System& system, typename System::State& state, Score&& score) {
  while (!system.done(state)) system.apply(state, best_action(system, state, score(state)));
}

// The most probable of several ways to the end, `width` of which are followed side by side. The probability of a way is
// the product of those of its actions, each among the allowed ones.
template <class System, class Score>
void run_with_beam(const System& system, typename System::State& state, Score&& score, std::size_t width) {
  struct Way {
    typename System::State state{};
    double log_probability = 0;
    bool done = false;
  };
  struct Step {
    std::size_t way, action;
    double log_probability;
  };
  std::vector<Way> ways(width), before(width);
  std::vector<Step> steps;
  std::size_t count = 1;
  ways[0] = {state, 0, system.done(state)};
  // Probabilities only fall, so once the best way is done no other can overtake it.
  while (!ways[0].done) {
    steps.clear();
    for (std::size_t w = 0; w < count; ++w) {
      const Way& way = ways[w];
      if (way.done) {
        steps.push_back({w, 0, way.log_probability});
        continue;
      }
      const float* scores = score(way.state);
      const double highest = scores[best_action(system, way.state, scores)];
      const std::size_t first = steps.size();
      double sum = 0;
      for (std::size_t action = 0; action < system.actions(); ++action) {
        if (!system.allowed(way.state, action)) continue;
        sum += std::exp(scores[action] - highest);
        steps.push_back({w, action, way.log_probability + scores[action] - highest});
      }
      for (std::size_t s = first; s < steps.size(); ++s) steps[s].log_probability -= std::log(sum);
    }
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step& a, const Step& b) { return a.log_probability > b.log_probability; });
    count = std::min(width, steps.size());
    std::swap(ways, before);
    for (std::size_t i = 0; i < count; ++i) {
      const Step& step = steps[i];
      ways[i] = before[step.way];  // assigned, not made: memory is used again
      ways[i].log_probability = step.log_probability;
      if (ways[i].done) continue;
      system.apply(ways[i].state, step.action);
      ways[i].done = system.done(ways[i].state);
    }
  }
  state = std::move(ways[0].state);
}

// `visit(state, action)` sees each state before gold acts on it, and how it acts.
template <class System, class Visit>
void follow_oracle(const System& system, typename System::State& state, Visit&& visit) {
  while (!system.done(state)) {
    const std::size_t action = system.oracle(state);
    visit(static_cast<const typename System::State&>(state), action);
    system.apply(state, action);
  }
}

}  // namespace budgie::tasks
