// SPDX-License-Identifier: Apache-2.0
// Float16, as model files have it.
#pragma once
#include <cstdint>
#include <cstring>

#include "rooms.hpp"

namespace budgie::network {

inline float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  std::uint32_t exponent = half >> 10 & 0x1F, fraction = half & 0x3FF;
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) / 16777216.0f;  // 2^-24: subnormal
    return sign != 0 ? -value : value;
  }
  const std::uint32_t bits = sign | (exponent == 31 ? 0xFF : exponent + 112) << 23 | fraction << 13;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace budgie::network
