// SPDX-License-Identifier: Apache-2.0
#include "network/word_parts.hpp"

#include <algorithm>

namespace budgie::network {

namespace {

constexpr std::size_t kRemembered = 16 << 20;  // bytes of each generation of remembered words

}  // namespace

WordParts::WordParts(WordGroups words, const Network& network, const std::vector<std::vector<std::size_t>>& seen,
                     std::size_t views)
    : words_(std::move(words)), embeddings_(network.embeddings), views_(views), units_(network.hidden.stride) {
  // h0 is group after group, and in each group view after view. Weights are stored input by input.
  const float* weights = network.hidden.weights.data();
  begins_.push_back(0);
  for (std::size_t g = 0; g < seen.size(); ++g) {
    const std::size_t inputs = words_.groups[g].slots() * embeddings_[g].dim;
    begins_.push_back(begins_[g] + inputs);
    for (const std::size_t v : seen[g]) {
      std::vector<float>& part = views_[v].layer.weights;
      views_[v].groups.push_back(g);
      part.insert(part.end(), weights, weights + inputs * units_);
      weights += inputs * units_;
    }
    if (seen[g].empty()) weights += words_.groups[g].all_slots() * embeddings_[g].dim * units_;
  }
  for (View& view : views_) {
    view.layer.inputs = view.layer.weights.size() / units_;
    view.layer.outputs = view.layer.stride = units_;
    view.layer.bias.assign(units_, 0);
  }
}

WordParts::Scratch::Scratch(const WordParts& parts, std::size_t words)
    : features_(parts.words_),
      cache_(parts.width(), std::min(words, kRemembered / sizeof(float) / std::max<std::size_t>(1, parts.width()))),
      vectors_(kBlock * parts.begins_.back()),
      inputs_(kBlock * parts.begins_.back()),
      outputs_(kBlock * parts.units_) {
  waiting_.reserve(kBlock);
}

const float* const* WordParts::find(const TextView* words, std::size_t count, Scratch& scratch) const {
  scratch.cache_.make_room(count);
  scratch.rows_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto [row, fresh] = scratch.cache_.find(words[i]);
    scratch.rows_[i] = row.floats;
    if (!fresh) continue;
    scratch.waiting_.push_back(row);
    if (scratch.waiting_.size() == kBlock) fill_waiting(scratch);
  }
  fill_waiting(scratch);
  return scratch.rows_.data();
}

// Several words at a time share one pass over the weights.
void WordParts::fill_waiting(Scratch& scratch) const {
  const std::size_t count = scratch.waiting_.size(), width = begins_.back();
  for (std::size_t i = 0; i < count; ++i) {
    embed(scratch.waiting_[i].word, scratch, scratch.vectors_.data() + i * width);
  }
  for (std::size_t v = 0; v < views_.size(); ++v) {
    float* input = scratch.inputs_.data();
    for (std::size_t i = 0; i < count; ++i) {
      const float* vector = scratch.vectors_.data() + i * width;
      for (const std::size_t g : views_[v].groups)
        input = std::copy(vector + begins_[g], vector + begins_[g + 1], input);
    }
    const Layer& layer = views_[v].layer;
    layer.apply(scratch.inputs_.data(), count, layer.inputs, scratch.outputs_.data());
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(scratch.outputs_.data() + i * units_, units_, scratch.waiting_[i].floats + v * units_);
    }
  }
  scratch.waiting_.clear();
}

void WordParts::embed(const TextView& word, Scratch& scratch, float* out) const {
  scratch.features_.extract(word,
                            [&](std::size_t group, std::size_t slot, const std::uint32_t* ids, std::size_t count) {
                              const Embedding& embedding = embeddings_[group];
                              embedding.combine(ids, count, scratch.sums_, out + begins_[group] + slot * embedding.dim);
                            });
}

}  // namespace budgie::network
