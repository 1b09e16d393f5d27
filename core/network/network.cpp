// SPDX-License-Identifier: Apache-2.0
#include "network/network.hpp"

#include <algorithm>

#include "dispatch.hpp"

namespace budgie::network {

namespace {

BUDGIE_CLONES void add_scaled(const double* sums, double times, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] += static_cast<float>(sums[i] * times);
}

}  // namespace

EmbeddingSums::EmbeddingSums(const std::vector<Group>& groups, const std::vector<Embedding>& embeddings,
                             bool shared_space)
    : embeddings_(embeddings), shared_space_(shared_space) {
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
  std::fill_n(out, inputs(), 0.0F);
  for (std::size_t g = 0; g < embeddings_.size(); ++g) {
    const std::size_t dim = embeddings_[g].dim;
    for (std::size_t at = begins_[g]; at < begins_[g + 1]; at += dim) {
      const double times = embeddings_[g].factor(*count++);
      add_scaled(row + at, times, dim, shared_space_ ? out : out + at);
    }
  }
}

}  // namespace budgie::network
