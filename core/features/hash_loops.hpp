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
std::size_t keep_unmarked(std::uint32_t* ids, std::size_t count, const std::uint8_t* marks);  // returns how many

}  // namespace budgie::features
