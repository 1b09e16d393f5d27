// SPDX-License-Identifier: Apache-2.0
#include "tagger.hpp"

#include <algorithm>

#include "dispatch.hpp"
#include "transitions.hpp"

namespace budgie {

namespace {

constexpr std::size_t kRun = 256;             // words whose rows are looked up, and computed, together
constexpr std::size_t kRemembered = 8 << 20;  // bytes of each generation of remembered words

// The tags of a sentence, from its first word to its last.
struct TagWords {
  struct State {
    std::size_t word;
  };
  std::size_t tags;
  std::size_t end;
  std::uint32_t* answers;

  std::size_t actions() const { return tags; }
  bool allowed(const State&, std::size_t) const { return true; }
  void apply(State& state, std::size_t action) const { answers[state.word++] = static_cast<std::uint32_t>(action); }
  bool done(const State& state) const { return state.word == end; }
};

// out = start + the sum of `count` rows, rectified. Sixteen units stay in registers while all rows pass by.
BUDGIE_CLONES void add_rows(const float* start, const float* const* rows, std::size_t count, std::size_t units,
                            float* out) {
  for (std::size_t first = 0; first < units; first += 16) {
    float sums[16];
    for (std::size_t u = 0; u < 16; ++u) sums[u] = start[first + u];
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t u = 0; u < 16; ++u) sums[u] += rows[r][first + u];
    }
    for (std::size_t u = 0; u < 16; ++u) out[first + u] = sums[u] > 0 ? sums[u] : 0;
  }
}

}  // namespace

// One sentence, or the part of a long one whose words are at hand.
struct Tagger::Sentence {
  std::size_t begin, end;        // numbers of its words
  std::size_t at_hand;           // number of the first word that has a row in scratch.rows_
  const std::uint32_t* answers;  // by number of the word
};

Tagger::Tagger(std::vector<Group> groups, bool fold_case, const Network& network)
    : groups_(std::move(groups)),
      fold_case_(fold_case),
      embeddings_(network.embeddings),
      bias_(network.hidden.bias),
      units_(network.hidden.stride),
      output_(network.output) {
  std::size_t width = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    begins_.push_back(width);
    if (groups_[g].kind == Group::Kind::tags) continue;
    width += groups_[g].slots() * embeddings_[g].dim;
    for (const int position : groups_[g].positions) {
      first_ = std::min(first_, position);
      last_ = std::max(last_, position);
    }
  }
  const auto distances = static_cast<std::size_t>(last_ - first_ + 1);
  window_.inputs = padded(width);
  window_.outputs = window_.stride = distances * units_;
  window_.weights.assign(window_.inputs * window_.stride, 0);
  window_.bias.assign(window_.stride, 0);
  // h0 is group after group, and in each group position after position.
  const float* weights = network.hidden.weights.data();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t dim = embeddings_[g].dim;
    for (const int position : groups_[g].positions) {
      if (groups_[g].kind == Group::Kind::tags) {
        TagRows table{position, std::vector<float>(tags() * units_)};
        std::vector<double> sums(dim);
        std::vector<float> vector(dim);
        for (std::uint32_t tag = 0; tag < tags(); ++tag) {
          embeddings_[g].combine(&tag, 1, sums, vector.data());
          for (std::size_t d = 0; d < dim; ++d) {
            for (std::size_t u = 0; u < units_; ++u) {
              table.rows[tag * units_ + u] += vector[d] * weights[d * units_ + u];
            }
          }
        }
        tag_rows_.push_back(std::move(table));
        weights += dim * units_;
        continue;
      }
      const auto distance = static_cast<std::size_t>(position - first_);
      for (std::size_t d = 0; d < groups_[g].slots() * dim; ++d, weights += units_) {
        std::copy_n(weights, units_, window_.weights.data() + (begins_[g] + d) * window_.stride + distance * units_);
      }
    }
  }
}

Tagger::Scratch::Scratch(const Tagger& tagger, std::size_t words)
    : features_(tagger.groups_, tagger.fold_case_),
      cache_(tagger.window_.stride, std::min(words, kRemembered / sizeof(float) / tagger.window_.stride)),
      vectors_(kBlock * tagger.window_.inputs),
      computed_(kBlock * tagger.window_.stride),
      h1_(tagger.units_),
      scores_(tagger.output_.stride) {
  waiting_.reserve(kBlock);
}

void Tagger::tag(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
                 std::uint32_t* answers, float* scores) const {
  const std::size_t before = static_cast<std::size_t>(-first_), behind = static_cast<std::size_t>(last_);
  std::size_t sentence = 0;
  for (std::size_t run = starts[0]; run < starts[sentences];) {
    const std::size_t run_end = std::min(starts[sentences], run + kRun);
    // A window may reach over the edges of the run, but never over those of the text.
    const std::size_t at_hand = run - std::min(run - starts[0], before);
    find_words(words + at_hand, std::min(starts[sentences], run_end + behind) - at_hand, scratch);
    while (run < run_end) {
      while (starts[sentence + 1] <= run) ++sentence;
      const Sentence part{starts[sentence], starts[sentence + 1], at_hand, answers};
      const std::size_t end = std::min(part.end, run_end);
      TagWords::State state{run};
      run_greedily(TagWords{tags(), end, answers}, state, [&](const TagWords::State& now) {
        hide(part, now.word, scratch);
        output_.apply(scratch.h1_.data(), 1, scratch.h1_.size(), scratch.scores_.data());
        if (scores != nullptr) std::copy_n(scratch.scores_.data(), tags(), scores + (now.word - starts[0]) * tags());
        return scratch.scores_.data();
      });
      run = end;
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
  const std::size_t count = scratch.waiting_.size();
  for (std::size_t i = 0; i < count; ++i) {
    embed(scratch.waiting_[i].word, scratch, scratch.vectors_.data() + i * window_.inputs);
  }
  window_.apply(scratch.vectors_.data(), count, window_.inputs, scratch.computed_.data());
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(scratch.computed_.data() + i * window_.stride, window_.stride, scratch.waiting_[i].floats);
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

// The hidden layer of a word: what the words around it and the tags before it add, in this order.
void Tagger::hide(const Sentence& sentence, std::size_t word, Scratch& scratch) const {
  std::vector<const float*>& added = scratch.added_;
  added.clear();
  for (int position = first_; position <= last_; ++position) {
    const std::size_t there = word + static_cast<std::size_t>(position);  // wraps below zero, and is then too large
    if (there < sentence.begin || there >= sentence.end) continue;
    added.push_back(scratch.rows_[there - sentence.at_hand] + static_cast<std::size_t>(position - first_) * units_);
  }
  for (const TagRows& table : tag_rows_) {
    const std::size_t there = word + static_cast<std::size_t>(table.position);
    if (there < sentence.begin || there >= sentence.end) continue;
    added.push_back(table.rows.data() + sentence.answers[there] * units_);
  }
  add_rows(bias_.data(), added.data(), added.size(), units_, scratch.h1_.data());
}

}  // namespace budgie
