// SPDX-License-Identifier: Apache-2.0
// From scores to probabilities.
#pragma once
#include <cstddef>
#include <vector>

#include "rooms.hpp"

namespace budgie::network {

// Replaces each of `count` scores by exp((score - best) / temperature) and returns the sum: divided by it they are
// probabilities. `scores` has room for padded(count).
float exponentiate(std::vector<float>& scores, std::size_t count, float best, float temperature);

}  // namespace budgie::network
