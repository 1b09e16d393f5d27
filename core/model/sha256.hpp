// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): the checksum of a model file.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rooms.hpp"

namespace budgie::model {

class Sha256 {
 public:
  void add(const void* data, std::size_t size);
  std::string hex();  // of all that was added; nothing can be added behind it

 private:
  static constexpr std::size_t kBlock = 64;

  std::array<std::uint32_t, 8> state_ = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                         0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  std::array<std::uint8_t, kBlock> rest_{};
  std::size_t in_rest_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace budgie::model
