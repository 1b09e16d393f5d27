// SPDX-License-Identifier: Apache-2.0
#include "network/network.hpp"

namespace budgie::network {

void Network::score(const float* h0, std::size_t texts, float* h1, float* scores) const {
  hidden.apply(h0, texts, h0_stride(), h1);
  for (std::size_t i = 0; i < texts * hidden.stride; ++i) h1[i] = h1[i] > 0 ? h1[i] : 0;
  output.apply(h1, texts, hidden.stride, scores);
}

EmbeddingSums::EmbeddingSums(const std::vector<Group>& groups, const std::vector<Embedding>& embeddings)
    : embeddings_(embeddings) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    begins_.push_back(begins_[g] + groups[g].vectors() * embeddings[g].dim);
    first_counts_.push_back(first_counts_[g] + groups[g].vectors());
  }
}

void EmbeddingSums::add(std::size_t group, std::size_t vector, const std::uint32_t* ids, std::size_t count,
                        double* row) const {
  embeddings_[group].add(ids, count, row + begins_[group] + vector * embeddings_[group].dim);
  row[begins_.back() + first_counts_[group] + vector] += static_cast<double>(count);
}

void EmbeddingSums::h0(const double* row, float* out) const {
  const double* count = row + begins_.back();
  for (std::size_t g = 0; g < embeddings_.size(); ++g) {
    for (std::size_t at = begins_[g]; at < begins_[g + 1]; at += embeddings_[g].dim) {
      const double times = embeddings_[g].factor(*count++);
      for (std::size_t d = at; d < at + embeddings_[g].dim; ++d) out[d] = static_cast<float>(row[d] * times);
    }
  }
}

}  // namespace budgie::network
