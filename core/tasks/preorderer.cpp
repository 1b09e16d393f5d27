// SPDX-License-Identifier: Apache-2.0
#include "tasks/preorderer.hpp"

#include <algorithm>

namespace budgie::tasks {

namespace {

constexpr std::size_t kStatesBetweenLooks = 256;
constexpr std::size_t kFewRows = 2;  // are added in each state; more are summed up once for all states

}  // namespace

Preorderer::Preorderer(WordGroups words, const Network& network, std::optional<Tagger> tagger)
    : parts_(lay_out(words.groups, network)),
      words_(words, network, parts_, [&](const FeaturePosition& at) { return part_of(words.groups, at); }),
      tagger_(std::move(tagger)),
      output_(network.output) {}

// Finds all corners and spans that are looked at, in the order of h0, with all that is known at load; returns how many
// parts the row of a word has.
std::size_t Preorderer::lay_out(const std::vector<Group>& groups, const Network& network) {
  std::size_t parts = 0;
  for_each_position(groups, network, [&](const FeaturePosition& at, const float* weights) {
    const Group& group = groups[at.group];
    if (Group::is_of_word(group.kind)) {
      auto& words = corner(at.place).words;
      const auto same = [&](const auto& part) { return part.first == at.position; };
      if (std::any_of(words.begin(), words.end(), same)) return;
      words.emplace_back(at.position, parts++);
      ++corner(at.place).rows;
      return;
    }
    HiddenTable rows(network.embeddings[at.group], group.buckets, weights, network.width());
    if (Group::is_of_span(group.kind)) {
      span_features_.push_back({group.kind, group.buckets, at.place / kCorners, std::move(rows)});
    } else {
      corner(at.place).tags.emplace_back(at.position, std::move(rows));
      ++corner(at.place).rows;
    }
  });
  return parts;
}

Preorderer::Corner& Preorderer::corner(std::uint32_t place) {
  for (Corner& known : corners_) {
    if (known.place == place) return known;
  }
  corners_.push_back({place});
  return corners_.back();
}

// Which part of the row of a word is looked at there.
std::optional<std::size_t> Preorderer::part_of(const std::vector<Group>& groups, const FeaturePosition& at) const {
  if (!Group::is_of_word(groups[at.group].kind)) return std::nullopt;
  for (const Corner& corner : corners_) {
    for (const auto& [distance, part] : corner.words) {
      if (corner.place == at.place && distance == at.position) return part;
    }
  }
  return std::nullopt;
}

Preorderer::Scratch::Scratch(const Preorderer& preorderer, std::size_t words) : words_(preorderer.words_, words) {
  std::size_t rows = 1 + preorderer.span_features_.size();
  for (const Corner& corner : preorderer.corners_) rows += corner.rows;
  rows_.resize(rows);
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
      read(words + begin, count, tags + begin, scratch, stop);
      scratch.state_.begin(count);
      if (beam > 1) {
        scratch.beam_.run(Preordering(), scratch.state_, scores, beam);
      } else {
        run_greedily(Preordering(), scratch.state_, scores);
      }
      scratch.state_.order(orders + begin);
      for (std::size_t w = begin; w < begin + count; ++w) orders[w] += static_cast<std::uint32_t>(begin - starts[s]);
    }
  }
}

void Preorderer::read(const TextView* words, std::size_t count, const std::uint32_t* tags, Scratch& scratch,
                      Stop& stop) const {
  scratch.count_ = count;
  scratch.tags_ = tags;
  scratch.found_ = words_.find(words, count, scratch.words_, stop);
  scratch.sums_.resize(std::max(scratch.sums_.size(), count * corners_.size() * words_.width()));
  scratch.summed_.assign(count * corners_.size(), 0);
}

const float* Preorderer::score(const Preordering::State& state, Scratch& scratch) const {
  const float** row = scratch.rows_.data();
  *row++ = words_.bias();
  for (std::size_t c = 0; c < corners_.size(); ++c) {
    const Corner& corner = corners_[c];
    const std::uint32_t word = state.word_at(corner.place);
    if (word == kNoWord) continue;
    if (corner.rows > kFewRows) {
      *row = sum(c, word, scratch, row);
      ++row;
    } else {
      row = list_rows(corner, word, scratch, row);
    }
  }
  for (const SpanFeature& feature : span_features_) {
    const WordSpan* span = state.seen(feature.span);
    if (span == nullptr) continue;
    *row++ = feature.rows.row(span_row(feature.kind, *span, feature.buckets));
  }
  const auto count = static_cast<std::size_t>(row - scratch.rows_.data());
  output_.score(scratch.rows_.data(), count, Quads{}, scratch.scores_.data());
  return scratch.scores_.data();
}

// Writes all rows that a word in a corner adds; returns where the next one goes.
const float** Preorderer::list_rows(const Corner& corner, std::size_t word, const Scratch& scratch,
                                    const float** row) const {
  const auto at = [&](int distance) { return static_cast<std::ptrdiff_t>(word) + distance; };
  const auto inside = [&](std::ptrdiff_t there) {
    return there >= 0 && there < static_cast<std::ptrdiff_t>(scratch.count_);
  };
  for (const auto& [distance, part] : corner.words) {
    if (inside(at(distance))) *row++ = words_.part(scratch.found_[at(distance)], part);
  }
  for (const auto& [distance, table] : corner.tags) {
    if (inside(at(distance))) *row++ = table.row(scratch.tags_[at(distance)]);
  }
  return row;
}

// The sum of all these, worked out when it is asked for the first time; `rows` is where they can be listed.
const float* Preorderer::sum(std::size_t corner, std::size_t word, Scratch& scratch, const float** rows) const {
  const std::size_t number = word * corners_.size() + corner;
  float* sums = scratch.sums_.data() + number * words_.width();
  if (scratch.summed_[number] == 0) {
    const float** end = list_rows(corners_[corner], word, scratch, rows);
    sum_rows(rows, static_cast<std::size_t>(end - rows), words_.width(), sums);
    scratch.summed_[number] = 1;
  }
  return sums;
}

}  // namespace budgie::tasks
