// SPDX-License-Identifier: Apache-2.0
#include "tagger.hpp"

#include <algorithm>

#include "dispatch.hpp"

namespace budgie {

namespace {

constexpr std::size_t kRun = 256;              // words whose rows are looked up, and computed, together
constexpr std::size_t kRemembered = 16 << 20;  // bytes of each generation of remembered words

// The hidden layer of a word: bias and the parts of `count` neighbours, rectified. Neighbour i's part stands i * units
// behind the beginning of its row. Sixteen units stay in registers while all neighbours pass by.
BUDGIE_CLONES void add_parts(const float* bias, const float* const* rows, std::size_t first_part, std::size_t count,
                             std::size_t units, float* h1) {
  for (std::size_t unit = 0; unit < units; unit += 16) {
    float sums[16];
    for (std::size_t u = 0; u < 16; ++u) sums[u] = bias[unit + u];
    for (std::size_t i = 0; i < count; ++i) {
      const float* part = rows[i] + (first_part + i) * units + unit;
      for (std::size_t u = 0; u < 16; ++u) sums[u] += part[u];
    }
    for (std::size_t u = 0; u < 16; ++u) h1[unit + u] = sums[u] > 0 ? sums[u] : 0;
  }
}

}  // namespace

Tagger::Tagger(WordGroups words, const Network& network)
    : words_(std::move(words)),
      embeddings_(network.embeddings),
      bias_(network.hidden.bias),
      units_(network.hidden.stride),
      output_(network.output) {
  const std::vector<Group>& groups = words_.groups;
  int first = 0, last = 0;
  begins_.push_back(0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    begins_.push_back(begins_[g] + groups[g].slots() * embeddings_[g].dim);
    for (const int position : groups[g].positions) {
      first = std::min(first, position);
      last = std::max(last, position);
    }
  }
  before_ = static_cast<std::size_t>(-first);
  behind_ = static_cast<std::size_t>(last);
  distances_.resize(before_ + 1 + behind_);
  // h0 is group after group, and in each group position after position. Weights are stored input by input.
  const float* weights = network.hidden.weights.data();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t size = (begins_[g + 1] - begins_[g]) * units_;
    for (const int position : groups[g].positions) {
      Distance& distance = distances_[static_cast<std::size_t>(position - first)];
      distance.groups.push_back(g);
      distance.layer.weights.insert(distance.layer.weights.end(), weights, weights + size);
      weights += size;
    }
  }
  for (Distance& distance : distances_) {
    Layer& layer = distance.layer;
    layer.inputs = layer.weights.size() / units_;
    layer.outputs = layer.stride = units_;
    layer.bias.assign(units_, 0);
  }
}

Tagger::Scratch::Scratch(const Tagger& tagger, std::size_t words)
    : features_(tagger.words_),
      cache_(tagger.distances_.size() * tagger.units_,
             std::min(words, kRemembered / sizeof(float) / (tagger.distances_.size() * tagger.units_))),
      vectors_(kBlock * tagger.begins_.back()),
      inputs_(kBlock * tagger.begins_.back()),
      outputs_(kBlock * tagger.units_),
      h1_(kBlock * tagger.units_),
      scores_(kBlock * tagger.output_.stride) {
  waiting_.reserve(kBlock);
}

void Tagger::tag(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
                 std::uint32_t* answers, float* scores) const {
  const std::size_t begin = starts[0], end = starts[sentences];
  std::size_t sentence = 0;
  for (std::size_t run = begin; run < end; run += kRun) {
    const std::size_t run_end = std::min(end, run + kRun);
    // Windows may reach over the edges of the run, but never over those of the text.
    const std::size_t at_hand = run - std::min(run - begin, before_);
    find_words(words + at_hand, std::min(end, run_end + behind_) - at_hand, scratch);
    for (std::size_t block = run; block < run_end; block += kBlock) {
      const std::size_t count = std::min(kBlock, run_end - block);
      for (std::size_t b = 0; b < count; ++b) {
        const std::size_t word = block + b;
        while (starts[sentence + 1] <= word) ++sentence;
        const std::size_t left = std::min(word - starts[sentence], before_);
        const std::size_t right = std::min(starts[sentence + 1] - 1 - word, behind_);
        add_parts(bias_.data(), scratch.rows_.data() + (word - left - at_hand), before_ - left, left + 1 + right,
                  units_, scratch.h1_.data() + b * units_);
      }
      output_.apply(scratch.h1_.data(), count, units_, scratch.scores_.data());
      for (std::size_t b = 0; b < count; ++b) {
        const float* of_word = scratch.scores_.data() + b * output_.stride;
        answers[block + b] = static_cast<std::uint32_t>(std::max_element(of_word, of_word + tags()) - of_word);
        if (scores != nullptr) std::copy_n(of_word, tags(), scores + (block + b - begin) * tags());
      }
    }
  }
}

void Tagger::find_words(const TextView* words, std::size_t count, Scratch& scratch) const {
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
}

// Several words at a time share one pass over the weights.
void Tagger::fill_waiting(Scratch& scratch) const {
  const std::size_t count = scratch.waiting_.size(), width = begins_.back();
  for (std::size_t i = 0; i < count; ++i) {
    embed(scratch.waiting_[i].word, scratch, scratch.vectors_.data() + i * width);
  }
  for (std::size_t d = 0; d < distances_.size(); ++d) {
    float* input = scratch.inputs_.data();
    for (std::size_t i = 0; i < count; ++i) {
      const float* vector = scratch.vectors_.data() + i * width;
      for (const std::size_t g : distances_[d].groups)
        input = std::copy(vector + begins_[g], vector + begins_[g + 1], input);
    }
    const Layer& layer = distances_[d].layer;
    layer.apply(scratch.inputs_.data(), count, layer.inputs, scratch.outputs_.data());
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(scratch.outputs_.data() + i * units_, units_, scratch.waiting_[i].floats + d * units_);
    }
  }
  scratch.waiting_.clear();
}

void Tagger::embed(const TextView& word, Scratch& scratch, float* out) const {
  scratch.features_.extract(word,
                            [&](std::size_t group, std::size_t slot, const std::uint32_t* ids, std::size_t count) {
                              const Embedding& embedding = embeddings_[group];
                              embedding.combine(ids, count, scratch.sums_, out + begins_[group] + slot * embedding.dim);
                            });
}

}  // namespace budgie
