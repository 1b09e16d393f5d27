// SPDX-License-Identifier: Apache-2.0
#include "preorderer.hpp"

#include <algorithm>
#include <cstdlib>

#include "dispatch.hpp"
#include "transitions.hpp"

namespace budgie {

namespace {

constexpr std::size_t kMoves = 3;
constexpr std::size_t kLanes = 16;

// Bias and `count` parts, rectified, and the product of that with the output layer. Sixteen units stay in registers
// while all parts pass by.
BUDGIE_CLONES void score_parts(const float* bias, const float* const* parts, std::size_t count, std::size_t units,
                               const float* output, const float* output_bias, float* scores) {
  float products[kMoves][kLanes] = {};
  for (std::size_t unit = 0; unit < units; unit += kLanes) {
    float sums[kLanes];
    for (std::size_t u = 0; u < kLanes; ++u) sums[u] = bias[unit + u];
    for (std::size_t i = 0; i < count; ++i) {
      const float* part = parts[i] + unit;
      for (std::size_t u = 0; u < kLanes; ++u) sums[u] += part[u];
    }
    for (std::size_t u = 0; u < kLanes; ++u) sums[u] = sums[u] > 0 ? sums[u] : 0;
    for (std::size_t move = 0; move < kMoves; ++move) {
      const float* weights = output + move * units + unit;
      for (std::size_t u = 0; u < kLanes; ++u) products[move][u] += sums[u] * weights[u];
    }
  }
  for (std::size_t move = 0; move < kMoves; ++move) {
    scores[move] = output_bias[move];
    for (std::size_t u = 0; u < kLanes; ++u) scores[move] += products[move][u];
  }
}

bool of_words(const Group& group) {
  return group.kind != Group::Kind::tags && group.kind != Group::Kind::swapped && group.kind != Group::Kind::length;
}

// Calls visit(span, corner, offset) in the order of h0.
template <class Visit>
void for_each_place(const Group& group, Visit&& visit) {
  for (const std::uint32_t place : group.places) {
    for (const int position : group.positions) visit(place / kCorners, place % kCorners, position);
  }
}

}  // namespace

Preorderer::Preorderer(WordGroups words, const Network& network, std::optional<Tagger> tagger)
    : places_(places_of(words.groups)),
      parts_(words, network, views_of(words.groups, places_), places_.size()),
      tagger_(std::move(tagger)),
      bias_(network.hidden.bias),
      output_(kMoves * network.hidden.stride) {
  multiply(words.groups, network);
  for (std::size_t move = 0; move < kMoves; ++move) {
    output_bias_[move] = network.output.bias[move];
    for (std::size_t unit = 0; unit < network.hidden.outputs; ++unit) {
      output_[move * network.hidden.stride + unit] = network.output.weights[unit * network.output.stride + move];
    }
  }
}

// What all groups of words look at.
std::vector<Preorderer::Place> Preorderer::places_of(const std::vector<Group>& groups) {
  std::vector<Place> places;
  for (const Group& group : groups) {
    if (!of_words(group)) continue;
    for_each_place(group, [&](std::size_t span, std::size_t corner, std::ptrdiff_t offset) {
      const Place place{span, corner, offset};
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    });
  }
  return places;
}

std::vector<std::vector<std::size_t>> Preorderer::views_of(const std::vector<Group>& groups,
                                                           const std::vector<Place>& places) {
  std::vector<std::vector<std::size_t>> views(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!of_words(groups[g])) continue;
    for_each_place(groups[g], [&](std::size_t span, std::size_t corner, std::ptrdiff_t offset) {
      const Place place{span, corner, offset};
      views[g].push_back(static_cast<std::size_t>(std::find(places.begin(), places.end(), place) - places.begin()));
    });
  }
  return views;
}

void Preorderer::multiply(const std::vector<Group>& groups, const Network& network) {
  const std::size_t units = parts_.units();
  const float* weights = network.hidden.weights.data();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Embedding& embedding = network.embeddings[g];
    if (of_words(groups[g])) {
      weights += groups[g].all_slots() * embedding.dim * units;
      continue;
    }
    std::vector<float> row(embedding.dim);
    std::vector<double> room;
    for_each_place(groups[g], [&](std::size_t span, std::size_t corner, std::ptrdiff_t offset) {
      const Place place{span, corner, offset};
      Products products{groups[g].kind, place, groups[g].buckets, {}};
      products.floats.resize(products.rows * units);
      for (std::uint32_t id = 0; id < groups[g].buckets; ++id) {
        embedding.combine(&id, 1, room, row.data());
        float* sums = products.floats.data() + id * units;
        for (std::size_t d = 0; d < embedding.dim; ++d) {
          for (std::size_t u = 0; u < units; ++u) sums[u] += row[d] * weights[d * units + u];
        }
      }
      weights += embedding.dim * units;
      products_.push_back(std::move(products));
    });
  }
}

Preorderer::Scratch::Scratch(const Preorderer& preorderer, std::size_t words) : parts_(preorderer.parts_, words) {
  if (preorderer.tagger_) tagger_.emplace(*preorderer.tagger_, words);
}

void Preorderer::reorder(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
                         std::uint32_t* tags, std::uint32_t* orders) const {
  tag(words, starts, sentences, scratch, tags);
  for (std::size_t s = 0; s < sentences; ++s) {
    const std::size_t begin = starts[s], count = starts[s + 1] - begin;
    read(words + begin, count, tags + begin, scratch);
    scratch.state_.begin(count);
    const auto scores = [&](const Preordering::State& state) { return score(state, scratch); };
    static const char* BEAM = std::getenv("BEAM");
    if (BEAM) run_with_beam(Preordering(), scratch.state_, scores, std::atoi(BEAM)); else
    run_greedily(Preordering(), scratch.state_, scores);
    scratch.state_.order(orders + begin);
  }
}

void Preorderer::tag(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
                     std::uint32_t* tags) const {
  if (tagger_) tagger_->tag(words, starts, sentences, *scratch.tagger_, tags);
}

void Preorderer::read(const TextView* words, std::size_t count, const std::uint32_t* tags, Scratch& scratch) const {
  scratch.words_ = count;
  scratch.tags_ = tags;
  scratch.rows_ = parts_.find(words, count, scratch.parts_);
}

const float* Preorderer::score(const Preordering::State& state, Scratch& scratch) const {
  std::vector<const float*>& added = scratch.added_;
  const std::size_t units = parts_.units();
  added.clear();
  for (std::size_t v = 0; v < places_.size(); ++v) {
    const std::size_t word = find(state, places_[v], scratch.words_);
    if (word != kNoWord) added.push_back(scratch.rows_[word] + v * units);
  }
  for (const Products& products : products_) {
    std::size_t row;
    if (products.kind == Group::Kind::tags) {
      const std::size_t word = find(state, products.place, scratch.words_);
      if (word == kNoWord) continue;
      row = scratch.tags_[word];
    } else {
      const Span* span = state.seen(products.place.span);
      if (span == nullptr) continue;
      row =
          products.kind == Group::Kind::swapped ? span->swapped : std::min<std::size_t>(span->words, products.rows) - 1;
    }
    added.push_back(products.floats.data() + row * units);
  }
  score_parts(bias_.data(), added.data(), added.size(), units, output_.data(), output_bias_.data(),
              scratch.scores_.data());
  return scratch.scores_.data();
}

std::size_t Preorderer::find(const Preordering::State& state, const Place& place, std::size_t words) const {
  const Span* span = state.seen(place.span);
  if (span == nullptr || span->corners[place.corner] == kNoWord) return kNoWord;
  const std::ptrdiff_t word = static_cast<std::ptrdiff_t>(span->corners[place.corner]) + place.offset;
  return word < 0 || word >= static_cast<std::ptrdiff_t>(words) ? kNoWord : static_cast<std::size_t>(word);
}

}  // namespace budgie
