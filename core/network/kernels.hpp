// SPDX-License-Identifier: Apache-2.0
// The loops in which a segmenter spends its time, for vector registers of any width. Sums of floats have one order and
// sums of integers need none, so results are the same in all of them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace budgie::network {

constexpr std::size_t kLanes = 16;  // hidden units whose weights stand together
constexpr std::size_t kTile = 4;    // units of text that share a pass over the weights
constexpr std::size_t kQuad = 4;    // inputs of bytes whose weights stand together

// Where the vectors of a part of h0 stand: of unit i, `dim` numbers at vectors + i * dim.
template <class Number>
struct Input {
  const Number* vectors;
  std::size_t dim;
};

// Adds to sums[i], `units` floats apart, the products of all inputs with their weights, for i = 0 … count - 1; there is
// room for whole tiles. Weights are those of 16 hidden units after the other, input by input.
using AddFloats = void (*)(const Input<float>* inputs, std::size_t input_count, const float* weights, std::size_t units,
                           std::size_t count, float* sums);
extern const AddFloats add_floats;

// The same for inputs of 0 to 15 and weights of one byte: products are added up as integers and multiplied by the scale
// of each hidden unit. Dimensions are multiples of four, and of four inputs the weights of a unit stand together.
using AddBytes = void (*)(const Input<std::uint8_t>* inputs, std::size_t input_count, const std::int8_t* weights,
                          const float* scales, std::size_t units, std::size_t count, float* sums);
extern const AddBytes add_bytes;

// Bytes that one decision adds, as in add_bytes: `quads` times four of them.
struct Quads {
  const std::uint8_t* bytes;
  std::size_t quads;
  const std::int8_t* weights;
  const float* scales;
};

// How much the network prefers SPLIT: the rectified sum of all parts, `rows` among them, times the weights of the
// output.
using PreferSplit = float (*)(const float* front, const float* start, const float* const* rows, std::size_t row_count,
                              const Quads& quads, const float* output, std::size_t units);
extern const PreferSplit prefer_split;

}  // namespace budgie::network
