// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstring>

#include "dispatch.hpp"
#include "rooms.hpp"

namespace budgie::network {

// GCC's and clang's vectors: any instruction set, no intrinsics, and the compiler keeps them in registers.
template <class T, std::size_t kCount>
using Vector __attribute__((vector_size(kCount * sizeof(T)))) = T;

template <class V, class T>
BUDGIE_INLINE V load(const T* from) {
  V value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace budgie::network
