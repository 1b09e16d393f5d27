// SPDX-License-Identifier: Apache-2.0
#include "tasks/tagger.hpp"

#include <algorithm>

#include "dispatch.hpp"
#include "network/softmax.hpp"

namespace budgie::tasks {

namespace {

constexpr std::size_t kRun = 256;  // words whose rows are looked up, and computed, together

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

std::vector<std::vector<std::size_t>> views_of(const std::vector<Group>& groups) {
  std::vector<std::vector<std::size_t>> views(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const int position : groups[g].positions) {
      views[g].push_back(static_cast<std::size_t>(position - reach(groups).first));
    }
  }
  return views;
}

}  // namespace

Tagger::Tagger(WordGroups words, const Network& network)
    : parts_(words, network, views_of(words.groups),
             static_cast<std::size_t>(reach(words.groups).second - reach(words.groups).first) + 1),
      before_(static_cast<std::size_t>(-reach(words.groups).first)),
      behind_(static_cast<std::size_t>(reach(words.groups).second)),
      bias_(network.hidden.bias),
      output_(network.output) {}

Tagger::Scratch::Scratch(const Tagger& tagger, std::size_t words)
    : parts_(tagger.parts_, words),
      h1_(kBlock * tagger.parts_.units()),
      scores_(kBlock * tagger.output_.stride),
      distribution_(padded(tagger.tags())) {}

void Tagger::tag(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
                 std::uint32_t* answers, Stop& stop, float* probabilities, float* distributions) const {
  const std::size_t begin = starts[0], end = starts[sentences], units = parts_.units();
  std::size_t sentence = 0;
  for (std::size_t run = begin; run < end; run += kRun) {
    stop.look();
    const std::size_t run_end = std::min(end, run + kRun);
    // Windows may reach over the edges of the run, but never over those of the text.
    const std::size_t at_hand = run - std::min(run - begin, before_);
    const float* const* rows = parts_.find(words + at_hand, std::min(end, run_end + behind_) - at_hand, scratch.parts_);
    for (std::size_t block = run; block < run_end; block += kBlock) {
      const std::size_t count = std::min(kBlock, run_end - block);
      for (std::size_t b = 0; b < count; ++b) {
        const std::size_t word = block + b;
        while (starts[sentence + 1] <= word) ++sentence;
        const std::size_t left = std::min(word - starts[sentence], before_);
        const std::size_t right = std::min(starts[sentence + 1] - 1 - word, behind_);
        add_parts(bias_.data(), rows + (word - left - at_hand), before_ - left, left + 1 + right, units,
                  scratch.h1_.data() + b * units);
      }
      output_.apply(scratch.h1_.data(), count, units, scratch.scores_.data());
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
