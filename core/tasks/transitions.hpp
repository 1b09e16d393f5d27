// SPDX-License-Identifier: Apache-2.0
// The loops over any transition system: by scores, and by what gold would do. A system has
//   State, actions(), allowed(state, action), apply(state, action), done(state)
// and, for training, oracle(state): the allowed action that gold would take. Some action is always allowed until a
// state is done.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "exponential.hpp"
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

// Beam search: of all paths to the end the most probable that it finds, following a number of hypotheses side by side.
// The probability of a path is the product of those of its actions, each among the allowed ones. A beam may be used
// again, and uses its memory again.
template <class System>
class Beam {
 public:
  using State = typename System::State;

  // `score(state)` gives one score for each action; `hypotheses` are followed.
  template <class Score>
  void run(const System& system, State& state, Score&& score, std::size_t hypotheses) {
    now_.resize(std::max(now_.size(), hypotheses));
    next_.resize(now_.size());
    now_[0] = {state, 0, system.done(state)};
    std::size_t count = 1;
    // Probabilities only fall, so once the best hypothesis is done no other can overtake it.
    while (!now_[0].done) {
      steps_.clear();
      for (std::size_t h = 0; h < count; ++h) {
        if (now_[h].done) {
          put({h, 0, now_[h].log_probability}, hypotheses);
        } else {
          expand(system, h, score(now_[h].state), hypotheses);
        }
      }
      count = steps_.size();
      for (std::size_t i = 0; i < count; ++i) {
        Hypothesis& next = next_[i];
        next = now_[steps_[i].from];  // assigned, not made: memory is used again
        next.log_probability = steps_[i].log_probability;
        if (next.done) continue;
        system.apply(next.state, steps_[i].action);
        next.done = system.done(next.state);
      }
      std::swap(now_, next_);
    }
    std::swap(state, now_[0].state);
  }

 private:
  struct Hypothesis {
    State state{};
    double log_probability = 0;
    bool done = false;
  };
  struct Step {
    std::size_t from, action;
    double log_probability;
  };

  void expand(const System& system, std::size_t from, const float* scores, std::size_t most) {
    const Hypothesis& hypothesis = now_[from];
    const double highest = scores[best_action(system, hypothesis.state, scores)];
    double sum = 0;
    for (std::size_t action = 0; action < system.actions(); ++action) {
      if (system.allowed(hypothesis.state, action)) sum += exponential(scores[action] - highest);
    }
    const double log_sum = logarithm(sum);
    for (std::size_t action = 0; action < system.actions(); ++action) {
      if (!system.allowed(hypothesis.state, action)) continue;
      put({from, action, hypothesis.log_probability + scores[action] - highest - log_sum}, most);
    }
  }

  // Keeps the `most` most probable steps in order, of equal ones the first.
  void put(const Step& step, std::size_t most) {
    const auto better = [&](const Step& other) { return step.log_probability > other.log_probability; };
    if (steps_.size() == most) {
      if (!better(steps_.back())) return;
      steps_.pop_back();
    }
    auto at = steps_.end();
    while (at != steps_.begin() && better(*(at - 1))) --at;
    steps_.insert(at, step);
  }

  std::vector<Hypothesis> now_{}, next_{};
  std::vector<Step> steps_{};
};

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
