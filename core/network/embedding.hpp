// SPDX-License-Identifier: Apache-2.0
// An embedding matrix: row numbers in, sums and means of rows out.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooms.hpp"

namespace budgie::network {

// One embedding matrix, in one of three forms. With one scale for the whole matrix its rows stay integers of 8 or 4
// bits, and sums are exact; with one scale a row (the paper) or float rows it is expanded to floats at load.
struct Embedding {
  std::uint32_t dim = 0;
  bool mean = true;
  float scale = 1;                       // what a sum is multiplied by
  std::uint32_t bits = 8;                // of an integer weight: 2, 4 or 8
  std::vector<std::uint8_t> integers{};  // weight = (q - zero) * scale; zero is 128 for 8 bits, else (2^bits - 1) / 2
  std::vector<float> floats{};

  // What a stored zero stands for, before it is scaled.
  float zero() const { return bits == 8 ? 128 : static_cast<float>((1u << bits) - 1) / 2; }

  // All weights lie between this and less than nothing by as much.
  float largest() const {
    float most = integers.empty() ? 0 : zero() * scale;
    for (const float weight : floats) most = std::max(most, std::abs(weight) * scale);
    return most;
  }

  // Whether weights are integers of at most 15, in vectors that fours can be taken of.
  bool small() const { return !integers.empty() && bits < 8 && dim % 4 == 0; }

  // One row as dim floats, or as the dim integers that are stored.
  void row(std::uint32_t id, float* out) const;
  void row(std::uint32_t id, std::uint8_t* out) const;

  // Tells the processor that a row will be needed.
  void prefetch(std::uint32_t id) const {
    __builtin_prefetch(integers.empty() ? static_cast<const void*>(floats.data() + std::size_t{id} * dim)
                                        : integers.data() + std::size_t{id} * dim * bits / 8);
  }

  // Adds the rows `ids` to `sums` (dim of them). Doubles hold integer sums exactly, so their order does not matter. All
  // texts and words come in pieces, so that at most some thousand ids come at once; 2^28 of them would fit 32 bits.
  void add(const std::uint32_t* ids, std::size_t count, double* sums) const;

  // What a sum of `count` rows is multiplied by to become part of h0.
  double factor(double count) const { return scale / (mean && count > 0 ? count : 1); }
};

}  // namespace budgie::network
