// SPDX-License-Identifier: Apache-2.0
// No loop takes an action that is not allowed, whatever a network says: scores that are no numbers, or infinite.
#include "tasks/transitions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "tasks/preordering.hpp"
#include "testing.hpp"

namespace budgie::testing {
namespace {

using tasks::kMoves;
using tasks::Preordering;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// One decision: what may be done is the state, a bit an action.
struct Choice {
  using State = std::uint32_t;
  std::size_t count;

  std::size_t actions() const { return count; }
  bool allowed(State state, std::size_t action) const { return (state >> action & 1u) != 0; }
};

// Scores of every kind, three at a time, and all that can be allowed of three actions.
void best_action_is_allowed() {
  const float kinds[] = {kNan, -kInfinity, kInfinity, -1, 0, 1};
  for (const float a : kinds) {
    for (const float b : kinds) {
      for (const float c : kinds) {
        const float scores[] = {a, b, c};
        for (std::uint32_t allowed = 1; allowed < 8; ++allowed) {
          const Choice choice{3};
          const std::size_t best = tasks::best_action(choice, allowed, scores);
          check(best < 3 && choice.allowed(allowed, best), "the best action is allowed");
          if (best >= 3 || std::isnan(a) || std::isnan(b) || std::isnan(c)) continue;
          for (std::size_t other = 0; other < 3; ++other) {
            if (!choice.allowed(allowed, other)) continue;
            check(other < best ? scores[other] < scores[best] : scores[other] <= scores[best], "no other is better");
          }
        }
      }
    }
  }
}

// A sentence is put into some order, each word once.
template <class Run>
void is_an_order(std::size_t words, Run&& run) {
  Preordering::State state;
  state.begin(words);
  run(state);
  std::vector<std::uint32_t> order(words, words), expected(words);
  state.order(order.data());
  std::sort(order.begin(), order.end());
  std::iota(expected.begin(), expected.end(), 0u);
  check(order == expected, "an order has each word once");
}

void preordering_ends() {
  tasks::Beam<Preordering> beam;
  for (const float first : {kNan, -kInfinity, kInfinity, 0.0f}) {
    for (const float last : {kNan, -kInfinity, 2.0f}) {
      const float scores[kMoves] = {first, kNan, last};
      const auto score = [&](const Preordering::State&) { return scores; };
      for (const std::size_t words : {0, 1, 2, 3, 20}) {
        is_an_order(words, [&](auto& state) { tasks::run_greedily(Preordering(), state, score); });
        is_an_order(words, [&](auto& state) { beam.run(Preordering(), state, score, 3); });
      }
    }
  }
}

}  // namespace
}  // namespace budgie::testing

int main() {
  budgie::testing::best_action_is_allowed();
  budgie::testing::preordering_ends();
  return budgie::testing::result("transitions");
}
