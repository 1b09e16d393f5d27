// SPDX-License-Identifier: Apache-2.0
// The loops in which hidden layers are summed up and scored, for vector registers of any size. Sums of floats have one
// order and sums of integers need none, so results are the same in all of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rooms.hpp"

namespace budgie::network {

constexpr std::size_t kLanes = 16;       // floats of a row that are worked on together; widths are multiples of it
constexpr std::size_t kBlock = 4;        // texts, or words, that share a pass over the weights of a layer
constexpr std::size_t kTile = 4;         // units of text that share a pass over the weights of a part of one
constexpr std::size_t kQuad = 4;         // inputs of bytes whose weights stand together
constexpr std::size_t kMostOutputs = 7;  // that are scored in one pass
constexpr float kLargestInput = 8191;    // as an integer of 16 bits
constexpr float kLeastInput = 1e-30F;    // what is smaller counts as nothing

// out = bias + W in, for `texts` vectors `in_stride` floats apart; results are layer.stride apart.
struct Layer;
using ApplyLayer = void (*)(const Layer& layer, const float* in, std::size_t texts, std::size_t in_stride, float* out);
extern const ApplyLayer apply_layer;

// Where the vectors of a part of h0 stand: of unit i, `dim` numbers at vectors + i * dim.
template <class Number>
struct Input {
  const Number* vectors;
  std::size_t dim;
};

// Adds to row i, `width` floats apart, the products of all inputs with their weights, for i = 0 ... count - 1; there is
// room for whole tiles. Weights are those of 16 floats of a row after the other, input by input:
//
//   | input 0: 16 floats | input 1: 16 floats | ... all inputs, for floats 0 to 15 | the same for floats 16 to 31 | ...
using AddFloats = void (*)(const Input<float>* inputs, std::size_t input_count, const float* weights, std::size_t width,
                           std::size_t count, float* rows);
extern const AddFloats add_floats;

// The same for inputs of 0 to 15 and weights of one byte: products are added up as integers and multiplied by the scale
// of each float. Dimensions are multiples of four, and the weights of four inputs stand together:
//
//   | float 0: inputs 0 1 2 3 | float 1: inputs 0 1 2 3 | ... float 15 | float 0: inputs 4 5 6 7 | ...
using AddBytes = void (*)(const Input<std::uint8_t>* inputs, std::size_t input_count, const std::int8_t* weights,
                          const float* scales, std::size_t width, std::size_t count, float* rows);
extern const AddBytes add_bytes;

// The sum of some rows, as it is or rectified.
using SumRows = void (*)(const float* const* rows, std::size_t row_count, std::size_t width, float* out);
extern const SumRows sum_rows, rectify_rows;

// The rectified sum of some rows of integers, which fits 16 bits, each times what one of them stands for.
using RectifyShorts = void (*)(const std::int16_t* const* rows, std::size_t row_count, const float* steps,
                               std::size_t width, float* out);
extern const RectifyShorts rectify_shorts;

// A layer of integers of 16 bits. Products with inputs of at most kLargestInput are added up in 32 bits. The weights of
// two inputs stand together:
//
//   | output 0: inputs 0 1 | output 1: inputs 0 1 | ... output 15 | output 0: inputs 2 3 | ... | outputs 16 to 31 ...
struct ShortLayer {
  std::size_t pairs = 0, width = 0;
  std::vector<std::int16_t> weights{};
  std::vector<float> integers{};  // of each output: how many make a weight of 1
  std::vector<float> scales{},
      most{};  // what a sum is multiplied by; where it is rounded, it lies between -most and most

  ShortLayer() = default;
  // `weights` stand input by input, `width` of them for each. Scales are up to whoever knows what inputs stand for.
  ShortLayer(std::size_t inputs, std::size_t width, const float* weights);
};

// Vectors stand one behind the other; of vector i the outputs go to rows[i], rounded to 16 bits.
using ApplyShorts = void (*)(const ShortLayer& layer, const std::int16_t* vectors, std::size_t count,
                             std::int16_t* const* rows);
extern const ApplyShorts apply_shorts;

// The same with floats for outputs, `width` apart: of vector i, bias + sums times scales times steps[i].
using ApplyShortsToFloats = void (*)(const ShortLayer& layer, const float* bias, const std::int16_t* vectors,
                                     const float* steps, std::size_t count, float* out);
extern const ApplyShortsToFloats apply_shorts_to_floats;

// Numbers as integers, of which the largest is kLargestInput; returns what one of them stands for.
using ToShorts = float (*)(const float* numbers, std::size_t count, std::int16_t* out);
extern const ToShorts to_shorts;

// Numbers times their scales, as integers: rounded, and between -most and most.
using RoundShorts = void (*)(const float* numbers, const float* scales, const float* most, std::size_t count,
                             std::int16_t* out);
extern const RoundShorts round_shorts;

// Bytes whose products are one more row, as in add_bytes: `quads` times four of them. They never leave the registers.
struct Quads {
  const std::uint8_t* bytes = nullptr;
  std::size_t quads = 0;
  const std::int8_t* weights = nullptr;
  const float* scales = nullptr;
};

// The rectified sum of some rows, and of some bytes, times each of at most kMostOutputs rows of the output layer, which
// are `width` apart: all in one pass.
using ScoreRows = void (*)(const float* const* rows, std::size_t row_count, const Quads& quads, const float* output,
                           std::size_t outputs, std::size_t width, float* scores);
extern const ScoreRows score_rows;

// The first of the largest of `count` scores, of which there is one at least.
using BestOf = std::size_t (*)(const float* scores, std::size_t count);
extern const BestOf best_of;

}  // namespace budgie::network
