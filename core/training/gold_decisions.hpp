// SPDX-License-Identifier: Apache-2.0
// What segmenters learn from: the decisions that gold makes of a text, and the features of each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/units.hpp"
#include "stop.hpp"

namespace budgie::training {

// Rows of every group for one decision after the other; of each group as many as it has slots.
using DecisionRows = std::vector<std::vector<std::int32_t>>;

// Appends those of every unit with something to decide, if words begin at the offsets `starts` of the text.
void follow_gold(const features::UnitGroups& groups, const text::TextView& text, const std::vector<std::size_t>& starts,
                 std::uint32_t standard, DecisionRows& found, Stop& stop);

}  // namespace budgie::training
