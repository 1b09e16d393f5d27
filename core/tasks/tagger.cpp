// SPDX-License-Identifier: Apache-2.0
#include "tasks/tagger.hpp"

#include <algorithm>

#include "network/softmax.hpp"

namespace budgie::tasks {

namespace {

constexpr std::size_t kRun = 256;  // words whose rows are looked up, and computed, together
constexpr std::size_t kAhead = 6;  // words whose rows are on their way from memory

// The first and the last position that any group looks at, from the focus.
std::pair<int, int> reach(const std::vector<Group>& groups) {
  std::pair<int, int> ends{0, 0};
  for (const Group& group : groups) {
    for (const int position : group.positions) {
      ends = {std::min(ends.first, position), std::max(ends.second, position)};
    }
  }
  return ends;
}

// Rows of integers where they can be had.
std::variant<HiddenWords<std::int16_t>, HiddenWords<float>> hidden_words(WordGroups words, const Network& network,
                                                                         std::size_t before, std::size_t parts) {
  const auto part_of = [before](const FeaturePosition& at) { return before + static_cast<std::size_t>(at.position); };
  const auto is_mean = [](const Embedding& embedding) { return embedding.mean; };
  if (std::all_of(network.embeddings.begin(), network.embeddings.end(), is_mean)) {
    return HiddenWords<std::int16_t>(std::move(words), network, parts, part_of);
  }
  return HiddenWords<float>(std::move(words), network, parts, part_of);
}

}  // namespace

Tagger::Tagger(WordGroups words, const Network& network)
    : before_(static_cast<std::size_t>(-reach(words.groups).first)),
      behind_(static_cast<std::size_t>(reach(words.groups).second)),
      words_(hidden_words(std::move(words), network, before_, before_ + 1 + behind_)),
      width_(network.width()),
      output_(network.output) {}

Tagger::Scratch::Scratch(const Tagger& tagger, std::size_t words)
    : h1_(kBlock * tagger.width_), scores_(kBlock * tagger.output_.stride), distribution_(padded(tagger.tags())) {
  const std::size_t count = 1 + tagger.before_ + 1 + tagger.behind_;
  std::visit(
      [&](const auto& hidden) {
        using Number = typename std::decay_t<decltype(hidden)>::Value;
        rows_.emplace<Rows<Number>>(hidden, words, count);
      },
      tagger.words_);
}

void Tagger::tag(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
                 std::uint32_t* answers, Stop& stop, float* probabilities, float* distributions) const {
  std::visit(
      [&](const auto& hidden) {
        tag_with(hidden, words, starts, sentences, scratch, answers, stop, probabilities, distributions);
      },
      words_);
}

template <class Number>
void Tagger::tag_with(const HiddenWords<Number>& hidden, const TextView* words, const std::size_t* starts,
                      std::size_t sentences, Scratch& scratch, std::uint32_t* answers, Stop& stop, float* probabilities,
                      float* distributions) const {
  auto& [seen, parts] = std::get<Scratch::Rows<Number>>(scratch.rows_);
  const std::size_t begin = starts[0], end = starts[sentences];
  std::size_t sentence = 0;
  for (std::size_t run = begin; run < end; run += kRun) {
    stop.look();
    const std::size_t run_end = std::min(end, run + kRun);
    // Windows may reach over the edges of the run, but never over those of the text.
    const std::size_t at_hand = run - std::min(run - begin, before_);
    const std::size_t last = std::min(end, run_end + behind_) - 1;
    const Number* const* found = hidden.find(words + at_hand, last + 1 - at_hand, seen, stop);
    for (std::size_t block = run; block < run_end; block += kBlock) {
      const std::size_t count = std::min(kBlock, run_end - block);
      for (std::size_t b = 0; b < count; ++b) {
        const std::size_t word = block + b;
        while (starts[sentence + 1] <= word) ++sentence;
        const std::size_t left = std::min(word - starts[sentence], before_);
        const std::size_t right = std::min(starts[sentence + 1] - 1 - word, behind_);
        hidden.prefetch(found[std::min(word + behind_ + kAhead, last) - at_hand]);
        const Number** part = parts.data();
        *part++ = hidden.bias();
        for (std::size_t i = before_ - left; i <= before_ + right; ++i) {
          *part++ = hidden.part(found[word + i - before_ - at_hand], i);
        }
        hidden.rectify(parts.data(), left + right + 2, scratch.h1_.data() + b * width_);
      }
      output_.apply(scratch.h1_.data(), count, width_, scratch.scores_.data());
      for (std::size_t b = 0; b < count; ++b) {
        const float* of_word = scratch.scores_.data() + b * output_.stride;
        const std::size_t word = block + b;
        const auto best = static_cast<std::size_t>(std::max_element(of_word, of_word + tags()) - of_word);
        answers[word] = static_cast<std::uint32_t>(best);
        if (probabilities == nullptr && distributions == nullptr) continue;
        std::vector<float>& all = scratch.distribution_;
        std::copy_n(of_word, tags(), all.begin());
        const float total = exponentiate(all, tags(), of_word[best], 1);
        if (probabilities != nullptr) probabilities[word] = all[best] / total;
        for (std::size_t t = 0; distributions != nullptr && t < tags(); ++t) {
          distributions[(word - begin) * tags() + t] = all[t] / total;
        }
      }
    }
  }
}

}  // namespace budgie::tasks
