// SPDX-License-Identifier: Apache-2.0
// The network of the paper (section 2): embedding rows -> h0 -> one hidden layer of rectified linear units -> scores.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/embedding.hpp"
#include "network/layer.hpp"

namespace budgie::network {

struct Network {
  std::vector<Embedding> embeddings;
  Layer hidden;
  Layer output;

  std::size_t h0() const { return hidden.inputs; }
  std::size_t width() const { return hidden.stride; }  // of the hidden layer, padded

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

}  // namespace budgie::network
