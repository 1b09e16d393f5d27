// SPDX-License-Identifier: Apache-2.0
#include "segmenter.hpp"

#include <algorithm>
#include <cstring>

#include "dispatch.hpp"
#include "transitions.hpp"

namespace budgie {

namespace {

constexpr std::size_t kLanes = 16;           // hidden units that a loop works on at a time
constexpr std::size_t kTile = 4;             // units of text that share a pass over the weights
constexpr std::uint32_t kFewBuckets = 1024;  // so many rows are multiplied at load

using Lanes __attribute__((vector_size(kLanes * sizeof(float)))) = float;

BUDGIE_INLINE Lanes load(const float* from) {
  Lanes value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Where the vectors of a tap stand: of unit i, `dim` floats at vectors + i * dim.
struct Input {
  const float* vectors;
  std::size_t dim;
};

// sums[i] = bias + the parts of all inputs, for units i = 0 … count - 1, of which there is room for whole tiles.
BUDGIE_CLONES void add_inputs(const Input* inputs, std::size_t count_inputs, const float* weights, const float* bias,
                              std::size_t units, std::size_t count, float* sums) {
  for (std::size_t unit = 0; unit < units; unit += kLanes) {
    const float* block_end = weights;
    for (std::size_t i = 0; i < count; i += kTile) {
      Lanes sum[kTile];
      for (Lanes& one : sum) one = load(bias + unit);
      const float* weight = weights;
      for (std::size_t n = 0; n < count_inputs; ++n) {
        const std::size_t dim = inputs[n].dim;
        const float* vector = inputs[n].vectors + i * dim;
        for (std::size_t d = 0; d < dim; ++d, weight += kLanes) {
          const Lanes w = load(weight);
          for (std::size_t t = 0; t < kTile; ++t) sum[t] += vector[t * dim + d] * w;
        }
      }
      for (std::size_t t = 0; t < kTile; ++t) std::memcpy(sums + (i + t) * units + unit, &sum[t], sizeof sum[t]);
      block_end = weight;
    }
    weights = block_end;
  }
}

// How much the network prefers SPLIT: the rectified sum of all parts, times the weights of the output.
BUDGIE_CLONES float prefer_split(const float* front, const float* start, const Rows* rows, std::size_t count_rows,
                                 const float* output, std::size_t units) {
  Lanes total = {};
  for (std::size_t unit = 0; unit < units; unit += kLanes) {
    Lanes sum = load(front + unit) + load(start + unit);
    for (std::size_t n = 0; n < count_rows; ++n) {
      for (std::size_t r = 0; r < rows[n].count; ++r) {
        sum += rows[n].factors[r] * load(rows[n].rows + r * units + unit);
      }
    }
    const Lanes zero = {};
    total += (sum > zero ? sum : zero) * load(output + unit);
  }
  float lanes[kLanes];
  std::memcpy(lanes, &total, sizeof lanes);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

}  // namespace

Segmenter::Segmenter(UnitGroups groups, const Network& network)
    : groups_(std::move(groups)),
      embeddings_(network.embeddings),
      units_(network.hidden.stride),
      bias_(network.hidden.bias),
      no_bias_(units_),
      output_(units_),
      output_bias_(network.output.bias[0] - network.output.bias[1]) {
  for (std::size_t u = 0; u < network.hidden.outputs; ++u) {
    const float* weights = network.output.weights.data() + u * network.output.stride;
    output_[u] = weights[0] - weights[1];
  }
  // h0 is group after group, in each group position after position, and then those that start from the word.
  const float* weights = network.hidden.weights.data();
  std::vector<float> front, start;  // weights of the taps, input by input
  for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
    const Group& group = groups_.groups[g];
    const std::size_t dim = embeddings_[g].dim, size = dim * units_;
    for (const int position : group.positions) {
      if (groups_.fixed(g)) {
        at_front_.taps.push_back({g, position});
        front.insert(front.end(), weights, weights + size);
      } else {
        followers_.push_back(follow(g, position, weights));
      }
      weights += size;
    }
    for (const int position : group.starts) {
      at_start_.taps.push_back({g, position});
      start.insert(start.end(), weights, weights + size);
      weights += size;
    }
  }
  at_front_.weights = pack(front);
  at_start_.weights = pack(start);
}

// Weights of 16 hidden units at a time, input by input, so that a pass over the text finds them in the nearest cache.
std::vector<float> Segmenter::pack(const std::vector<float>& weights) const {
  std::vector<float> packed;
  packed.reserve(weights.size());
  for (std::size_t unit = 0; unit < units_; unit += kLanes) {
    for (std::size_t at = unit; at < weights.size(); at += units_) {
      packed.insert(packed.end(), weights.begin() + static_cast<std::ptrdiff_t>(at),
                    weights.begin() + static_cast<std::ptrdiff_t>(at + kLanes));
    }
  }
  return packed;
}

Segmenter::Follower Segmenter::follow(std::size_t group, int position, const float* weights) const {
  const Embedding& embedding = embeddings_[group];
  const std::uint32_t buckets = groups_.groups[group].buckets;
  Follower follower{group, position};
  if (buckets > kFewBuckets) {
    follower.weights.assign(weights, weights + embedding.dim * units_);
    return follower;
  }
  follower.products.assign(buckets * units_, 0);
  std::vector<float> row(embedding.dim);
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
    embedding.row(bucket, row.data());
    float* out = follower.products.data() + bucket * units_;
    for (std::size_t d = 0; d < row.size(); ++d) {
      for (std::size_t u = 0; u < units_; ++u) out[u] += row[d] * weights[d * units_ + u];
    }
  }
  return follower;
}

Segmenter::Scratch::Scratch(const Segmenter& segmenter)
    : vectors_(segmenter.groups_.groups.size()), current_(segmenter.units_), follower_(segmenter.followers_.size()) {}

void Segmenter::segment(const TextView& text, const Dictionary* dictionary, std::uint32_t standard, Scratch& scratch,
                        std::vector<std::size_t>& spans) const {
  UnitWindow window(groups_, dictionary);
  Segmentation::State state;
  std::size_t begin = 0, end = 0;  // of the current word
  const auto put = [&](std::size_t from, std::size_t to) {
    if (from == to) return;
    spans.push_back(from);
    spans.push_back(to);
  };
  std::fill(scratch.current_.begin(), scratch.current_.end(), 0.0F);
  window.slide(text, [&](std::size_t first, std::size_t last) {
    decide(window, first, last, standard, scratch, state.word);
    for (std::size_t unit = first; unit < last; ++unit) {
      if (scratch.begins_word_[unit] != 0) {
        put(begin, end);
        put(end, window.begins[unit]);  // spaces between words that may have some inside
        begin = window.begins[unit];
      }
      end = window.ends[unit];
    }
  });
  put(begin, end);
  put(end, text.units);
}

void Segmenter::decide(const UnitWindow& window, std::size_t first, std::size_t last, std::uint32_t standard,
                       Scratch& scratch, WordSoFar& word) const {
  embed(window, last, standard, scratch);
  add_taps(at_front_, bias_.data(), first, last, scratch, scratch.front_);
  const bool has_starts = !at_start_.taps.empty();
  if (has_starts) add_taps(at_start_, no_bias_.data(), first, last, scratch, scratch.start_);
  const float* start = scratch.current_.data();
  const auto follow_word = [&](const Segmentation::State& state) {
    if (has_starts && state.word.length == 1 && state.front > first) {
      start = scratch.start_.data() + (state.front - 1 - first) * units_;
    }
  };
  scratch.begins_word_.resize(last);
  const Segmentation system{window.ids.data(), window.rules.data(), last, scratch.begins_word_.data()};
  Segmentation::State state{first, word};
  run_greedily(system, state, [&](const Segmentation::State& now) {
    follow_word(now);
    if (window.rules[now.front] == (kMaySplit | kMayMerge)) {
      const float* at_front = scratch.front_.data() + (now.front - first) * units_;
      scratch.scores_[0] = score(now.word, window.ids[now.front], at_front, start, scratch);
    }
    return scratch.scores_;
  });
  follow_word(state);
  if (start != scratch.current_.data()) std::copy_n(start, units_, scratch.current_.data());
  word = state.word;
}

void Segmenter::embed(const UnitWindow& window, std::size_t last, std::uint32_t standard, Scratch& scratch) const {
  const std::size_t count = last + groups_.behind();
  scratch.rows_.resize(count);
  for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
    if (!groups_.fixed(g)) continue;
    unit_rows(groups_, g, standard, window.ids.data(), window.kinds.data(), count, scratch.hashes_,
              scratch.rows_.data());
    const std::size_t dim = embeddings_[g].dim;
    std::vector<float>& vectors = scratch.vectors_[g];
    if (vectors.size() < (count + kTile) * dim) vectors.resize((count + kTile) * dim);
    for (std::size_t i = 0; i < count; ++i) embeddings_[g].row(scratch.rows_[i], vectors.data() + i * dim);
  }
}

void Segmenter::add_taps(const Taps& taps, const float* bias, std::size_t first, std::size_t last, Scratch& scratch,
                         std::vector<float>& sums) const {
  std::vector<Input> inputs;
  for (const Tap& tap : taps.taps) {
    const std::size_t dim = embeddings_[tap.group].dim;
    const auto from = static_cast<std::size_t>(static_cast<int>(first) + tap.position);
    inputs.push_back({scratch.vectors_[tap.group].data() + from * dim, dim});
  }
  sums.resize((last - first + kTile) * units_);
  add_inputs(inputs.data(), inputs.size(), taps.weights.data(), bias, units_, last - first, sums.data());
}

float Segmenter::score(const WordSoFar& word, char32_t front, const float* at_front, const float* at_start,
                       Scratch& scratch) const {
  static constexpr float kOnce = 1;
  scratch.parts_.clear();
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    const Follower& follower = followers_[f];
    const std::uint32_t row = word.row(groups_.groups[follower.group], follower.position, front);
    if (!follower.products.empty()) {
      scratch.parts_.push_back({follower.products.data() + row * units_, &kOnce, 1});
      continue;
    }
    std::vector<float>& factors = scratch.follower_[f];
    factors.resize(embeddings_[follower.group].dim);
    embeddings_[follower.group].row(row, factors.data());
    scratch.parts_.push_back({follower.weights.data(), factors.data(), factors.size()});
  }
  return output_bias_ +
         prefer_split(at_front, at_start, scratch.parts_.data(), scratch.parts_.size(), output_.data(), units_);
}

}  // namespace budgie
