// SPDX-License-Identifier: Apache-2.0
// The loops over all characters of a piece of text, or all units of a run, compiled for several instruction sets.
#pragma once
#include <cstddef>
#include <cstdint>

#include "rooms.hpp"

namespace budgie::features {

std::size_t mark_spaces(const char32_t* characters, std::size_t count, std::uint8_t* spaces);  // returns the letters
void extend_all(std::uint32_t* hashes, const char32_t* characters, std::size_t count);
void join(std::uint8_t* marks, const std::uint8_t* more, std::size_t count);  // marks[i] |= more[i]
void bucket_all(const std::uint32_t* hashes, std::size_t count, std::uint32_t buckets, std::uint32_t* ids);

// Keeps the ids without a mark, in their order, and returns how many these are. Marks are 0 or 1.
using KeepUnmarked = std::size_t(std::uint32_t* ids, std::size_t count, const std::uint8_t* marks);
extern KeepUnmarked* const keep_unmarked;

}  // namespace budgie::features
