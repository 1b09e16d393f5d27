// SPDX-License-Identifier: Apache-2.0
// Numbers below 2^56 as bytes: seven bits each, the low ones first, and the eighth says that more follow.
#pragma once
#include <cstdint>
#include <string>

namespace budgie {

inline void put_varint(std::uint64_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

// Moves `at` behind the number; false if there is none.
inline bool take_varint(const std::uint8_t*& at, const std::uint8_t* end, std::uint64_t& number) {
  number = 0;
  for (int shift = 0; shift < 56 && at != end; shift += 7) {
    const std::uint8_t part = *at++;
    number |= std::uint64_t{part & 0x7FU} << shift;
    if (part < 0x80) return true;
  }
  return false;
}

}  // namespace budgie
