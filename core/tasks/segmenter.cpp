// SPDX-License-Identifier: Apache-2.0
#include "tasks/segmenter.hpp"

#include <algorithm>

#include "tasks/transitions.hpp"

namespace budgie::tasks {

namespace {

constexpr std::size_t kAhead = 24;  // rows that are on their way from memory

}  // namespace

Segmenter::Segmenter(UnitGroups groups, const Network& network)
    : groups_(std::move(groups)),
      embeddings_(network.embeddings),
      units_(network.hidden.stride),
      at_front_(units_),
      at_start_(units_),
      at_word_(units_),
      bias_(network.hidden.bias),
      output_(units_),
      output_bias_(network.output.bias[0] - network.output.bias[1]) {
  for (std::size_t u = 0; u < network.hidden.outputs; ++u) {
    const float* weights = network.output.weights.data() + u * network.output.stride;
    output_[u] = weights[0] - weights[1];
  }
  // h0 is group after group, in each group position after position, and then those that start from the word.
  const float* weights = network.hidden.weights.data();
  for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
    const Group& group = groups_.groups[g];
    const Embedding& embedding = embeddings_[g];
    const bool few = group.buckets <= kFewBuckets;
    for (const int position : group.positions) {
      if (group.kind == Group::Kind::standard) {
        products_of_standards_.push_back(multiply(g, position, weights));
      } else if (groups_.fixed(g)) {
        at_front_.add({g, position}, embedding, weights);
      } else if (few) {
        products_of_word_.push_back(multiply(g, position, weights));
      } else {
        at_word_.add({g, position}, embedding, weights);
      }
      weights += embedding.dim * units_;
    }
    for (const int position : group.starts) {
      at_start_.add({g, position}, embedding, weights);
      weights += embedding.dim * units_;
    }
  }
  for (HiddenPart* part : {&at_front_, &at_start_, &at_word_}) part->finish(bias_);
}

// The products of all rows of a group with the weights of one distance.
Segmenter::Products Segmenter::multiply(std::size_t group, int position, const float* weights) const {
  const Embedding& embedding = embeddings_[group];
  const std::uint32_t buckets = groups_.groups[group].buckets;
  Products products{{group, position}, std::vector<float>(buckets * units_)};
  std::vector<float> row(embedding.dim);
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
    embedding.row(bucket, row.data());
    float* out = products.rows.data() + bucket * units_;
    for (std::size_t d = 0; d < row.size(); ++d) {
      for (std::size_t u = 0; u < units_; ++u) out[u] += row[d] * weights[d * units_ + u];
    }
  }
  return products;
}

Segmenter::Scratch::Scratch(const Segmenter& segmenter)
    : floats_(segmenter.groups_.groups.size()),
      bytes_(segmenter.groups_.groups.size()),
      current_(segmenter.units_),
      floats_of_word_(segmenter.at_word_.inputs()),
      bytes_of_word_(segmenter.at_word_.inputs()),
      rows_of_word_(segmenter.products_of_word_.size()),
      sum_(segmenter.units_) {}

void Segmenter::segment(const TextView& text, const Dictionary* dictionary, std::uint32_t standard, Scratch& scratch,
                        std::vector<std::size_t>& spans, Stop& stop) const {
  UnitWindow window(groups_, dictionary);
  WordSoFar word;
  std::size_t begin = 0, end = 0;  // of the current word
  const auto put = [&](std::size_t from, std::size_t to) {
    if (from == to) return;
    spans.push_back(from);
    spans.push_back(to);
  };
  std::fill(scratch.current_.begin(), scratch.current_.end(), 0.0F);
  scratch.bias_ = bias_;
  for (const Products& products : products_of_standards_) {
    const float* row = products.rows.data() + standard * units_;
    for (std::size_t u = 0; u < units_; ++u) scratch.bias_[u] += row[u];
  }
  window.slide(text, stop, [&](std::size_t first, std::size_t last) {
    stop.look();
    decide(window, first, last, scratch, word);
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

void Segmenter::decide(const UnitWindow& window, std::size_t first, std::size_t last, Scratch& scratch,
                       WordSoFar& word) const {
  embed(window, last, scratch);
  scratch.front_.resize((last - first + kTile) * units_);
  for (std::size_t i = 0; i < last - first; ++i) {
    std::copy_n(scratch.bias_.data(), units_, scratch.front_.data() + i * units_);
  }
  apply(at_front_, first, last, scratch, scratch.front_.data());
  const bool has_starts = !at_start_.empty();
  if (has_starts) {
    scratch.start_.assign((last - first + kTile) * units_, 0);
    apply(at_start_, first, last, scratch, scratch.start_.data());
  }
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
    if (system.open(now)) {
      const float* at_front = scratch.front_.data() + (now.front - first) * units_;
      scratch.scores_[0] = score(now.word, window.ids[now.front], at_front, start, scratch);
    }
    return scratch.scores_;
  });
  follow_word(state);
  if (start != scratch.current_.data()) std::copy_n(start, units_, scratch.current_.data());
  word = state.word;
}

// The rows of the fixed groups for all units in sight.
void Segmenter::embed(const UnitWindow& window, std::size_t last, Scratch& scratch) const {
  const std::size_t count = last + groups_.behind();
  scratch.rows_.resize(count);
  for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
    if (!groups_.fixed(g) || groups_.groups[g].kind == Group::Kind::standard) continue;
    unit_rows(groups_, g, 0, window.ids.data(), window.kinds.data(), count, scratch.hashes_, scratch.rows_.data());
    const auto fill = [&](auto& vectors) {
      const std::size_t dim = embeddings_[g].dim, room = (count + kTile) * dim;
      if (vectors.size() < room) vectors.resize(room);
      for (std::size_t i = 0; i < count; ++i) {
        embeddings_[g].prefetch(scratch.rows_[std::min(i + kAhead, count - 1)]);
        embeddings_[g].row(scratch.rows_[i], vectors.data() + i * dim);
      }
    };
    embeddings_[g].small() ? fill(scratch.bytes_[g]) : fill(scratch.floats_[g]);
  }
}

void Segmenter::apply(const HiddenPart& part, std::size_t first, std::size_t last, Scratch& scratch,
                      float* sums) const {
  const auto in = [&](const auto& vectors) {
    return [&](const Tap& tap) {
      const std::size_t dim = embeddings_[tap.group].dim;
      const auto from = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first) + tap.position);
      return Input<std::decay_t<decltype(vectors[0][0])>>{vectors[tap.group].data() + from * dim, dim};
    };
  };
  part.apply(in(scratch.floats_), in(scratch.bytes_), last - first, sums, scratch.room_);
}

float Segmenter::score(const WordSoFar& word, char32_t front, const float* at_front, const float* at_start,
                       Scratch& scratch) const {
  const auto row_of = [&](const Tap& tap) { return word.row(groups_.groups[tap.group], tap.position, front); };
  for (std::size_t i = 0; i < products_of_word_.size(); ++i) {
    const Products& products = products_of_word_[i];
    scratch.rows_of_word_[i] = products.rows.data() + row_of(products.tap) * units_;
  }
  std::uint8_t* bytes = scratch.bytes_of_word_.data();
  for (const Tap& tap : at_word_.byte_taps()) {
    embeddings_[tap.group].row(row_of(tap), bytes);
    bytes += embeddings_[tap.group].dim;
  }
  if (at_word_.has_floats()) {
    std::copy_n(at_front, units_, scratch.sum_.data());
    float* vectors = scratch.floats_of_word_.data();
    const auto floats = [&](const Tap& tap) {
      const Input<float> input{vectors, embeddings_[tap.group].dim};
      embeddings_[tap.group].row(row_of(tap), vectors);
      vectors += input.dim;
      return input;
    };
    at_word_.apply_floats(floats, 1, scratch.sum_.data(), scratch.room_);
    at_front = scratch.sum_.data();
  }
  return output_bias_ + prefer_split(at_front, at_start, scratch.rows_of_word_.data(), products_of_word_.size(),
                                     at_word_.quads(scratch.bytes_of_word_.data()), output_.data(), units_);
}

}  // namespace budgie::tasks
