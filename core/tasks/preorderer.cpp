// SPDX-License-Identifier: Apache-2.0
#include "tasks/preorderer.hpp"

#include <algorithm>

#include "dispatch.hpp"
#include "tasks/transitions.hpp"

namespace budgie::tasks {

namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kStatesBetweenLooks = 256;
constexpr std::size_t kFewParts = 2;  // are added in each state; more are summed up once for all states

// The sum of `count` rows. Sixteen units stay in registers while all rows pass by.
BUDGIE_CLONES void add_rows(const float* const* rows, std::size_t count, std::size_t units, float* out) {
  for (std::size_t unit = 0; unit < units; unit += kLanes) {
    float sums[kLanes] = {};
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t u = 0; u < kLanes; ++u) sums[u] += rows[i][unit + u];
    }
    for (std::size_t u = 0; u < kLanes; ++u) out[unit + u] = sums[u];
  }
}

// Bias and `count` rows, rectified, and the product of that with the three rows of the output layer.
BUDGIE_CLONES void score_rows(const float* bias, const float* const* rows, std::size_t count, std::size_t units,
                              const float* output, const float* output_bias, float* scores) {
  float shift[kLanes] = {}, append[kLanes] = {}, swap[kLanes] = {};
  for (std::size_t unit = 0; unit < units; unit += kLanes) {
    float sums[kLanes];
    for (std::size_t u = 0; u < kLanes; ++u) sums[u] = bias[unit + u];
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t u = 0; u < kLanes; ++u) sums[u] += rows[i][unit + u];
    }
    const float* weights = output + unit;
    for (std::size_t u = 0; u < kLanes; ++u) {
      const float h1 = sums[u] > 0 ? sums[u] : 0;
      shift[u] += h1 * weights[u];
      append[u] += h1 * weights[units + u];
      swap[u] += h1 * weights[2 * units + u];
    }
  }
  std::copy_n(output_bias, kMoves, scores);
  for (std::size_t u = 0; u < kLanes; ++u) {
    scores[0] += shift[u];
    scores[1] += append[u];
    scores[2] += swap[u];
  }
}

bool of_span(const Group& group) { return group.kind == Group::Kind::swapped || group.kind == Group::Kind::length; }

bool of_word(const Group& group) { return !of_span(group) && group.kind != Group::Kind::tags; }

// Calls visit(span, corner, distance) in the order of h0.
template <class Visit>
void for_each_place(const Group& group, Visit&& visit) {
  for (const std::uint32_t place : group.places) {
    for (const int position : group.positions) visit(place / kCorners, place % kCorners, position);
  }
}

template <class Places>
auto find_place(Places& places, std::size_t span, std::size_t corner) {
  return std::find_if(places.begin(), places.end(),
                      [&](const auto& place) { return place.span == span && place.corner == corner; });
}

}  // namespace

Preorderer::Preorderer(WordGroups words, const Network& network, std::optional<Tagger> tagger)
    : places_(places_of(words.groups)),
      parts_(words, network, views_of(words.groups, places_), count_views(places_)),
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

// All corners that words or tags are looked at in, with the views of words; what tags add comes later.
std::vector<Preorderer::Place> Preorderer::places_of(const std::vector<Group>& groups) {
  std::vector<Place> places;
  std::size_t views = 0;
  for (const Group& group : groups) {
    if (of_span(group)) continue;
    for_each_place(group, [&](std::size_t span, std::size_t corner, int distance) {
      auto place = find_place(places, span, corner);
      if (place == places.end()) place = places.insert(place, Place{span, corner});
      const auto same = [&](const auto& view) { return view.first == distance; };
      if (of_word(group) && std::none_of(place->words.begin(), place->words.end(), same)) {
        place->words.emplace_back(distance, views++);
      }
    });
  }
  return places;
}

std::vector<std::vector<std::size_t>> Preorderer::views_of(const std::vector<Group>& groups,
                                                           const std::vector<Place>& places) {
  std::vector<std::vector<std::size_t>> views(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!of_word(groups[g])) continue;
    for_each_place(groups[g], [&](std::size_t span, std::size_t corner, int distance) {
      for (const auto& [seen_from, view] : find_place(places, span, corner)->words) {
        if (seen_from == distance) views[g].push_back(view);
      }
    });
  }
  return views;
}

std::size_t Preorderer::count_views(const std::vector<Place>& places) {
  std::size_t views = 0;
  for (const Place& place : places) views += place.words.size();
  return views;
}

void Preorderer::multiply(const std::vector<Group>& groups, const Network& network) {
  const std::size_t units = parts_.units();
  const float* weights = network.hidden.weights.data();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Embedding& embedding = network.embeddings[g];
    if (of_word(groups[g])) {
      weights += groups[g].all_slots() * embedding.dim * units;
      continue;
    }
    std::vector<float> row(embedding.dim);
    std::vector<double> room;
    for_each_place(groups[g], [&](std::size_t span, std::size_t corner, int distance) {
      Products products(groups[g].buckets * units);
      for (std::uint32_t id = 0; id < groups[g].buckets; ++id) {
        embedding.combine(&id, 1, room, row.data());
        for (std::size_t d = 0; d < embedding.dim; ++d) {
          for (std::size_t u = 0; u < units; ++u) products[id * units + u] += row[d] * weights[d * units + u];
        }
      }
      weights += embedding.dim * units;
      if (of_span(groups[g])) {
        of_spans_.push_back({groups[g].kind, span, groups[g].buckets, std::move(products)});
      } else {
        find_place(places_, span, corner)->tags.emplace_back(distance, std::move(products));
      }
    });
  }
}

Preorderer::Scratch::Scratch(const Preorderer& preorderer, std::size_t words) : parts_(preorderer.parts_, words) {
  if (preorderer.tagger_) tagger_.emplace(*preorderer.tagger_, words);
}

void Preorderer::reorder(const TextView* words, const std::size_t* starts, std::size_t sentences, std::size_t beam,
                         Scratch& scratch, std::uint32_t* tags, std::uint32_t* orders, Stop& stop) const {
  if (tagger_) tagger_->tag(words, starts, sentences, *scratch.tagger_, tags, stop);
  std::size_t states = 0;
  const auto scores = [&](const Preordering::State& state) {
    if (++states % kStatesBetweenLooks == 0) stop.look();
    return score(state, scratch);
  };
  for (std::size_t s = 0; s < sentences; ++s) {
    for (std::size_t begin = starts[s]; begin < starts[s + 1]; begin += kLongest) {
      const std::size_t count = std::min(kLongest, starts[s + 1] - begin);
      read(words + begin, count, tags + begin, scratch);
      scratch.state_.begin(count);
      if (beam > 1) {
        run_with_beam(Preordering(), scratch.state_, scores, beam);
      } else {
        run_greedily(Preordering(), scratch.state_, scores);
      }
      scratch.state_.order(orders + begin);
      for (std::size_t w = begin; w < begin + count; ++w) orders[w] += static_cast<std::uint32_t>(begin - starts[s]);
    }
  }
}

void Preorderer::read(const TextView* words, std::size_t count, const std::uint32_t* tags, Scratch& scratch) const {
  scratch.words_ = count;
  scratch.tags_ = tags;
  scratch.rows_ = parts_.find(words, count, scratch.parts_);
  scratch.sums_.resize(std::max(scratch.sums_.size(), count * places_.size() * parts_.units()));
  scratch.summed_.assign(count * places_.size(), 0);
}

const float* Preorderer::score(const Preordering::State& state, Scratch& scratch) const {
  std::vector<const float*>& added = scratch.added_;
  added.clear();
  for (std::size_t p = 0; p < places_.size(); ++p) {
    const Place& place = places_[p];
    const WordSpan* span = state.seen(place.span);
    if (span == nullptr || span->corners[place.corner] == kNoWord) continue;
    const std::size_t word = span->corners[place.corner];
    if (place.parts() > kFewParts) {
      added.push_back(sum(p, word, scratch));
    } else {
      add_parts(place, word, scratch);
    }
  }
  for (const OfSpan& one : of_spans_) {
    const WordSpan* span = state.seen(one.span);
    if (span == nullptr) continue;
    const std::size_t length = std::min<std::size_t>(span->words, one.rows) - 1;
    const std::size_t row = one.kind == Group::Kind::swapped ? span->swapped : length;
    added.push_back(one.products.data() + row * parts_.units());
  }
  score_rows(bias_.data(), added.data(), added.size(), parts_.units(), output_.data(), output_bias_.data(),
             scratch.scores_.data());
  return scratch.scores_.data();
}

// Lists what a word in a place adds to the hidden layer.
void Preorderer::add_parts(const Place& place, std::size_t word, Scratch& scratch) const {
  const auto at = [&](int distance) { return static_cast<std::ptrdiff_t>(word) + distance; };
  const auto inside = [&](std::ptrdiff_t there) {
    return there >= 0 && there < static_cast<std::ptrdiff_t>(scratch.words_);
  };
  for (const auto& [distance, view] : place.words) {
    if (inside(at(distance))) scratch.added_.push_back(scratch.rows_[at(distance)] + view * parts_.units());
  }
  for (const auto& [distance, products] : place.tags) {
    if (inside(at(distance))) scratch.added_.push_back(products.data() + scratch.tags_[at(distance)] * parts_.units());
  }
}

// The sum of all that, worked out when it is asked for the first time.
const float* Preorderer::sum(std::size_t place, std::size_t word, Scratch& scratch) const {
  const std::size_t number = word * places_.size() + place;
  float* sums = scratch.sums_.data() + number * parts_.units();
  if (scratch.summed_[number] == 0) {
    const std::size_t before = scratch.added_.size();
    add_parts(places_[place], word, scratch);
    add_rows(scratch.added_.data() + before, scratch.added_.size() - before, parts_.units(), sums);
    scratch.added_.resize(before);
    scratch.summed_[number] = 1;
  }
  return sums;
}

}  // namespace budgie::tasks
