// SPDX-License-Identifier: Apache-2.0
#include "network/network.hpp"

#include <algorithm>

namespace budgie::network {

void Network::score(const float* h0, std::size_t texts, float* h1, float* scores) const {
  hidden.apply(h0, texts, this->h0(), h1);
  for (std::size_t i = 0; i < texts * hidden.stride; ++i) h1[i] = h1[i] > 0 ? h1[i] : 0;
  output.apply(h1, texts, hidden.stride, scores);
}

EmbeddingSums::EmbeddingSums(const Network& network) : network_(&network) {
  std::size_t start = 0;
  for (const Embedding& embedding : network.embeddings) {
    start_.push_back(start);
    start += embedding.dim;
  }
  sums_.assign(start, 0);
  counts_.assign(network.embeddings.size(), 0);
}

void EmbeddingSums::clear() {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  std::fill(counts_.begin(), counts_.end(), 0.0);
}

void EmbeddingSums::add(std::size_t group, const std::uint32_t* ids, std::size_t count) {
  network_->embeddings[group].add(ids, count, sums_.data() + start_[group]);
  counts_[group] += static_cast<double>(count);
}

void EmbeddingSums::add(const EmbeddingSums& other, double sign) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += sign * other.sums_[i];
  for (std::size_t g = 0; g < counts_.size(); ++g) counts_[g] += sign * other.counts_[g];
}

void EmbeddingSums::h0(float* out) const {
  for (std::size_t g = 0; g < counts_.size(); ++g) {
    const Embedding& embedding = network_->embeddings[g];
    const double times = embedding.factor(counts_[g]);
    for (std::size_t d = 0; d < embedding.dim; ++d) {
      out[start_[g] + d] = static_cast<float>(sums_[start_[g] + d] * times);
    }
  }
}

}  // namespace budgie::network
