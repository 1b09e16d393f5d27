// SPDX-License-Identifier: Apache-2.0
// What makes sense in a config: ranges, what belongs to which task, what needs each other. The memory safety of all
// rooms rests on these checks and on those of tensors.cpp; nothing is checked again behind them.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "features/lexicon.hpp"
#include "model/config.hpp"

namespace budgie::model {

void check_name(const char* what, const std::string& name);
void check_position(const std::string& of_group, std::int64_t position);
void check_layers(const std::vector<std::int64_t>& slots);  // of a Bloom map
std::pair<std::int64_t, std::int64_t> range_of_n(Group::Kind kind);
void check(const GroupConfig& group);
void check(const Config& config);

}  // namespace budgie::model
