// SPDX-License-Identifier: Apache-2.0
#include "tasks/segmenter.hpp"

#include <algorithm>
#include <stdexcept>

#include "tasks/transitions.hpp"

namespace budgie::tasks {

static_assert(ActionLayer::kMostActions <= 8, "a rule has a bit for each action");

namespace {

UnitGroups with_actions(UnitGroups groups, std::size_t actions) {
  groups.actions = actions;
  return groups;
}

}  // namespace

void drop_blanks(const TextView& text, std::vector<TokenSpan>& words) {
  const auto blank = [&](const TokenSpan& word) { return is_blank(text.part(word.start, word.end)); };
  words.erase(std::remove_if(words.begin(), words.end(), blank), words.end());
}

Segmenter::Segmenter(UnitGroups groups, const Network& network, Multiword multiword)
    : groups_(with_actions(std::move(groups), network.output.outputs)),
      embeddings_(network.embeddings),
      width_(network.width()),
      bias_(network.hidden.bias),
      at_front_(run_of(Source::front, network)),
      at_start_(run_of(Source::start, network)),
      at_word_(run_of(Source::word, network)),
      output_(network.output),
      multiword_(std::move(multiword)) {
  for (const HiddenRun* run : {&at_front_, &at_start_, &at_word_}) {
    for (std::size_t i = 0; i < width_; ++i) bias_[i] -= run->excess()[i];
  }
  for_each_position(groups_.groups, network, [&](const FeaturePosition& at, const float* weights) {
    const Source from = source(at);
    if (from != Source::word_table && from != Source::standard_table) return;
    const std::size_t buckets = groups_.groups[at.group].buckets;
    (from == Source::word_table ? word_tables_ : standard_tables_)
        .push_back({at, HiddenTable(embeddings_[at.group], buckets, weights, width_)});
  });
  if (!standard_tables_.empty()) standards_ = standard_tables_[0].rows.ids();
  for (const Table& table : standard_tables_) standards_ = std::min(standards_, table.rows.ids());
}

Segmenter::Source Segmenter::source(const FeaturePosition& at) const {
  const Group& group = groups_.groups[at.group];
  if (at.start) return Source::start;
  if (group.kind == Group::Kind::standard) return Source::standard_table;
  if (groups_.fixed(at.group)) return Source::front;
  return group.buckets <= kFewBuckets ? Source::word_table : Source::word;
}

HiddenRun Segmenter::run_of(Source wanted, const Network& network) const {
  return HiddenRun(groups_.groups, network, [&](const FeaturePosition& at) { return source(at) == wanted; });
}

Segmenter::Scratch::Scratch(const Segmenter& segmenter)
    : ids_(segmenter.groups_.groups.size()),
      vectors_(segmenter.groups_.groups.size()),
      at_front_(segmenter.at_front_),
      at_start_(segmenter.at_start_),
      at_word_(segmenter.at_word_),
      current_(segmenter.width_),
      rows_(2 + segmenter.word_tables_.size()) {}

void Segmenter::segment(const TextView& text, const Dictionary* dictionary, std::uint32_t standard, Scratch& scratch,
                        std::vector<TokenSpan>& words, Stop& stop) const {
  if (standard >= standards_) throw std::invalid_argument("there is no standard of such a number");
  UnitWindow window(groups_, dictionary);
  WordSoFar so_far;
  TokenSpan word;
  const auto put = [&](const TokenSpan& one) {
    if (one.start < one.end) words.push_back(one);
  };
  const auto put_space = [&](std::size_t end) {
    if (groups_.spaces != Spaces::between) put({word.end, end});
  };
  std::fill(scratch.current_.begin(), scratch.current_.end(), 0.0F);
  window.slide(text, stop, [&](std::size_t first, std::size_t last) {
    stop.look();
    decide(window, first, last, standard, scratch, so_far);
    for (std::size_t unit = first; unit < last; ++unit) {
      if (static_cast<Action>(scratch.taken_[unit]) != Action::merge) {
        put(word);
        put_space(window.begins[unit]);  // between words that may have some inside
        word = {window.begins[unit], 0, scratch.taken_[unit]};
      }
      word.end = window.ends[unit];
    }
  });
  put(word);
  put_space(text.length);
}

void Segmenter::decide(const UnitWindow& window, std::size_t first, std::size_t last, std::uint32_t standard,
                       Scratch& scratch, WordSoFar& word) const {
  embed(window, last, standard, scratch);
  scratch.bias_ = bias_;
  for (const Table& table : standard_tables_) {
    const float* const rows[] = {scratch.bias_.data(), table.rows.row(standard)};
    sum_rows(rows, 2, width_, scratch.bias_.data());
  }
  const std::size_t count = last - first;
  scratch.front_.resize((count + kTile) * width_);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(scratch.bias_.data(), width_, scratch.front_.data() + i * width_);
  }
  at_front_.add_to(scratch.front_.data(), scratch.vectors_, first, count, scratch.at_front_);
  const bool has_starts = !at_start_.empty();
  if (has_starts) {
    scratch.start_.assign((count + kTile) * width_, 0);
    at_start_.add_to(scratch.start_.data(), scratch.vectors_, first, count, scratch.at_start_);
  }
  const float* start = scratch.current_.data();
  const auto follow_word = [&](const Segmentation::State& state) {
    const std::size_t length = state.word.length;  // 0 at the first unit of a text: the word is to start there
    if (has_starts && length < 2 && state.front >= first + length) {
      start = scratch.start_.data() + (state.front - length - first) * width_;
    }
  };
  scratch.taken_.resize(last);
  const Segmentation system{output_.actions(), window.views(), window.rules.data(), last, scratch.taken_.data()};
  Segmentation::State state{first, word};
  run_greedily(system, state, [&](const Segmentation::State& now) {
    follow_word(now);
    if (system.open(now)) {
      const float* at_front = scratch.front_.data() + (now.front - first) * width_;
      score(now.word, system.seen(now.front), at_front, start, scratch);
    }
    return scratch.scores_.data();
  });
  follow_word(state);
  if (start != scratch.current_.data()) std::copy_n(start, width_, scratch.current_.data());
  word = state.word;
}

// The vectors of the fixed groups for all units in sight.
void Segmenter::embed(const UnitWindow& window, std::size_t last, std::uint32_t standard, Scratch& scratch) const {
  const std::size_t count = last + groups_.behind();
  const auto has_vectors = [&](std::size_t g) {
    return groups_.fixed(g) && groups_.groups[g].kind != Group::Kind::standard;
  };
  for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
    if (!has_vectors(g)) continue;
    scratch.ids_[g].resize(count);
    unit_rows(groups_, g, standard, window.views(), count, scratch.hashes_, scratch.ids_[g].data());
  }
  for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
    if (has_vectors(g)) scratch.vectors_.fill(g, embeddings_[g], scratch.ids_[g].data(), count);
  }
}

void Segmenter::score(const WordSoFar& word, const SeenUnit& front, const float* at_front, const float* at_start,
                      Scratch& scratch) const {
  const auto id = [&](const FeaturePosition& at) { return word.row(groups_.groups[at.group], at.position, front); };
  const float** row = scratch.rows_.data();
  *row++ = at_word_.add_floats_to(at_front, embeddings_, id, scratch.at_word_);
  if (!at_start_.empty()) *row++ = at_start;
  for (const Table& table : word_tables_) *row++ = table.rows.row(id(table.at));
  const Quads quads = at_word_.quads(embeddings_, id, scratch.at_word_);
  const auto count = static_cast<std::size_t>(row - scratch.rows_.data());
  output_.score(scratch.rows_.data(), count, quads, scratch.scores_.data());
}

}  // namespace budgie::tasks
