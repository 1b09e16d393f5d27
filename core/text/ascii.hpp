// SPDX-License-Identifier: Apache-2.0
// Runs of ASCII become characters sixteen at a time, where the processor can: text.hpp says what becomes of each.
#pragma once
#include <cstddef>
#include <cstdint>

#include "rooms.hpp"

namespace budgie::text {

constexpr std::size_t kAscii = 16;  // characters at a time

// Where a reader is: how many characters were written, the last of them, and where the current run began.
struct AsciiState {
  std::size_t count;
  char32_t last;
  std::size_t token;
};

// Reads from `at` on, as long as sixteen bytes come before `end` and there is room for as many characters before
// `capacity`, up to the first byte that is not ASCII or may begin or end an address or markup. Letters are folded.
// Returns how far it has read.
using ReadAscii = const std::uint8_t*(const std::uint8_t* at, const std::uint8_t* end, char32_t* out,
                                      std::size_t capacity, AsciiState& state);
extern ReadAscii* const read_ascii;  // none where one by one is as fast

// Whether the next eight bytes are ASCII: else it is not worth a call.
inline bool begins_ascii(const std::uint8_t* at) {
  std::uint64_t eight;
  __builtin_memcpy(&eight, at, sizeof eight);
  return (eight & 0x8080808080808080) == 0;
}

}  // namespace budgie::text
