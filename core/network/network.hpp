// SPDX-License-Identifier: Apache-2.0
// The network of the paper (section 2): embedding rows -> h0 -> one hidden layer of rectified linear units -> scores.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/group.hpp"
#include "network/embedding.hpp"
#include "network/layer.hpp"

namespace budgie::network {

struct Network {
  std::vector<Embedding> embeddings;
  Layer hidden;
  Layer output;
  bool shared_space = false;  // the vectors of all groups are added up in h0, instead of standing side by side

  std::size_t width() const { return hidden.stride; }  // of the hidden layer, padded
};

// Sums of embedding rows: of a text, a word, or all of a text up to some place. Each is a row of doubles, and rows can
// be copied, added and taken away (exactly, where embedding rows are integers) like any numbers:
//
//   | group 0: its vectors, `dim` sums each | group 1 ... | how many ids went into each vector, in the same order |
//
// One a thread is enough. Groups and embeddings must stay where they are.
class EmbeddingSums {
 public:
  EmbeddingSums(const std::vector<Group>& groups, const std::vector<Embedding>& embeddings, bool shared_space = false);

  std::size_t size() const { return begins_.back() + first_counts_.back(); }  // doubles of a row
  std::size_t begin(std::size_t group) const {
    return begins_[group];
  }  // of its sums; of its part of h0, unless shared
  std::size_t inputs() const { return shared_space_ ? embeddings_[0].dim : begins_.back(); }  // floats of h0

  void add(std::size_t group, std::size_t vector, const std::uint32_t* ids, std::size_t count, double* row) const;

  // What a row makes of h0: sums or means.
  void h0(const double* row, float* out) const;

 private:
  const std::vector<Embedding>& embeddings_;
  bool shared_space_;
  std::vector<std::size_t> begins_{0};        // and where the last group ends
  std::vector<std::size_t> first_counts_{0};  // the number of each group's first vector, and of all vectors
};

}  // namespace budgie::network
