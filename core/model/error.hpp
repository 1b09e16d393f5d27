// SPDX-License-Identifier: Apache-2.0
// Why a model cannot be used: one sentence, without the name of the file.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rooms.hpp"

namespace budgie::model {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A name out of a file, for a message: it may be long and hold anything. As Python would print it, in ASCII.
std::string quoted(std::string_view name);

// Refuses a number outside of a range.
void check_range(const std::string& what, std::int64_t value, std::int64_t low, std::int64_t high);

}  // namespace budgie::model
