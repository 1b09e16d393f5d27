// SPDX-License-Identifier: Apache-2.0
// The network of the paper (section 2): embedding rows -> h0 -> one hidden layer of rectified linear units -> scores.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace budgie {

constexpr std::size_t kBlock = 4;  // texts that share one pass over the weights

// Vectors are padded with zeros, so that no loop needs a special case for its last few numbers.
constexpr std::size_t padded(std::size_t count) { return (count + 15) / 16 * 16; }

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

  // Adds the rows `ids` to `sums` (dim of them). Doubles hold integer sums exactly, so their order does not matter.
  void add(const std::uint32_t* ids, std::size_t count, double* sums) const;

  // The sum or the mean of the rows `ids` as dim floats; zeros if there are none. `sums` is room to work in.
  void combine(const std::uint32_t* ids, std::size_t count, std::vector<double>& sums, float* out) const;

  // What a sum of `count` rows is multiplied by to become part of h0.
  double factor(double count) const { return scale / (mean && count > 0 ? count : 1); }
};

// A fully connected layer. Weights are stored input by input, so that one input's share is one run of memory.
struct Layer {
  std::size_t inputs = 0;  // padded
  std::size_t outputs = 0;
  std::size_t stride = 0;  // padded(outputs)
  std::vector<float> weights{};
  std::vector<float> bias{};

  Layer() = default;
  Layer(std::size_t inputs, std::size_t outputs, const float* row_major, const float* bias);

  // bias + W in, for `texts` vectors `in_stride` floats apart; results are `stride` apart.
  void apply(const float* in, std::size_t texts, std::size_t in_stride, float* out) const;
};

struct Network {
  std::vector<Embedding> embeddings;
  Layer hidden;
  Layer output;

  std::size_t h0() const { return hidden.inputs; }

  // Scores for `texts` vectors h0, `h0()` floats apart; h1 and scores are `hidden.stride` and `output.stride` apart.
  void score(const float* h0, std::size_t texts, float* h1, float* scores) const;
};

// Sums of embedding rows for one text or one window of it; sums can be taken away again exactly when rows are integers.
class EmbeddingSums {
 public:
  explicit EmbeddingSums(const Network& network);
  void clear();
  void add(std::size_t group, const std::uint32_t* ids, std::size_t count);
  void add(const EmbeddingSums& other, double sign);
  void h0(float* out) const;

 private:
  const Network* network_;
  std::vector<std::size_t> start_;
  std::vector<double> sums_;
  std::vector<double> counts_;
};

// Replaces each of `count` scores by exp((score - best) / temperature) and returns the sum: divided by it they are
// probabilities. `scores` has room for padded(count).
float exponentiate(std::vector<float>& scores, std::size_t count, float best, float temperature);

float from_half(std::uint16_t half);

}  // namespace budgie
