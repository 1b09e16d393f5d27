// SPDX-License-Identifier: Apache-2.0
// What segmenters learn from: the decisions that gold makes of a text, and the features of each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/units.hpp"
#include "stop.hpp"

namespace budgie::training {

// What is known of a text: the offsets at which words begin, and those of them that begin a sentence, both in order.
struct GoldText {
  std::vector<std::size_t> words;
  std::vector<std::size_t> sentences;
  std::uint32_t standard = 0;
};

// One decision after the other.
struct Decisions {
  std::vector<std::vector<std::int32_t>> rows;  // of every group; of each as many a decision as it has slots
  std::vector<std::uint8_t> actions{};          // what gold does
};

// Appends those of every unit of a text with something to decide.
void follow_gold(const features::UnitGroups& groups, const text::TextView& text, const GoldText& gold, Decisions& found,
                 Stop& stop);

}  // namespace budgie::training
