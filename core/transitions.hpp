// SPDX-License-Identifier: Apache-2.0
// The loops over any transition system: by scores, and by what gold would do. A system has
//   State, actions(), allowed(state, action), apply(state, action), done(state)
// and, for training, oracle(state): the allowed action that gold would take. Some action is always allowed until a
// state is done.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

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

// The most probable of several ways to the end, `width` of which are followed side by side. The probability of a way is
// the product of those of its actions, each among the allowed ones.
template <class System, class Score>
void run_with_beam(const System& system, typename System::State& state, Score&& score, std::size_t width) {
  struct Way {
    typename System::State state;
    double log_probability;
    bool done;
  };
  struct Step {
    std::size_t way, action;
    double log_probability;
  };
  std::vector<Way> ways, before;
  std::vector<Step> steps;
  ways.push_back({state, 0, system.done(state)});
  // Probabilities only fall, so once the best way is done no other can overtake it.
  while (!ways[0].done) {
    steps.clear();
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (ways[w].done) {
        steps.push_back({w, system.actions(), ways[w].log_probability});
        continue;
      }
      const float* scores = score(ways[w].state);
      double highest = -std::numeric_limits<double>::infinity(), sum = 0;
      for (std::size_t action = 0; action < system.actions(); ++action) {
        if (system.allowed(ways[w].state, action)) highest = std::max<double>(highest, scores[action]);
      }
      for (std::size_t action = 0; action < system.actions(); ++action) {
        if (system.allowed(ways[w].state, action)) sum += std::exp(scores[action] - highest);
      }
      for (std::size_t action = 0; action < system.actions(); ++action) {
        if (!system.allowed(ways[w].state, action)) continue;
        steps.push_back({w, action, ways[w].log_probability + scores[action] - highest - std::log(sum)});
      }
    }
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step& a, const Step& b) { return a.log_probability > b.log_probability; });
    if (steps.size() > width) steps.resize(width);
    std::swap(ways, before);
    ways.clear();
    for (const Step& step : steps) {
      ways.push_back({before[step.way].state, step.log_probability, before[step.way].done});
      if (ways.back().done) continue;
      system.apply(ways.back().state, step.action);
      ways.back().done = system.done(ways.back().state);
    }
  }
  state = std::move(ways[0].state);
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
