// SPDX-License-Identifier: Apache-2.0
// POS tagging (section 3.2 of the paper): each word of a sentence is one decision, made by itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "network.hpp"
#include "word_cache.hpp"
#include "words.hpp"

namespace budgie {

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class Tagger {
 public:
  class Scratch;

  Tagger(WordGroups words, const Network& network);

  std::size_t tags() const { return output_.outputs; }

  // Tags `sentences` sentences that stand one behind the other: sentence s is words[starts[s]] to words[starts[s + 1]],
  // and its tags go to the same places of `answers`. `scores`, if any, gets what the network says of each tag of each
  // word, tags() numbers a word, from the first of these sentences on.
  void tag(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
           std::uint32_t* answers, float* scores = nullptr) const;

 private:
  void find_words(const TextView* words, std::size_t count, Scratch& scratch) const;
  void fill_waiting(Scratch& scratch) const;
  void embed(const TextView& word, Scratch& scratch, float* out) const;

  WordGroups words_;
  std::vector<Embedding> embeddings_;
  std::vector<std::size_t> begins_;      // where in the vector of a word each group begins, and where the last ends
  std::size_t before_ = 0, behind_ = 0;  // how many words before and behind the focus matter
  // What a word adds to the hidden layer depends on the word and on how far away it is, and on nothing else. For each
  // distance: the groups that look so far, and the part of the hidden layer that belongs to them.
  struct Distance {
    std::vector<std::size_t> groups{};
    Layer layer{};
  };
  std::vector<Distance> distances_;  // from the first word before the focus to the last one behind it
  std::vector<float> bias_;
  std::size_t units_;  // of the hidden layer, padded
  Layer output_;
};

// Everything that one thread needs while it works. It remembers words, and may be used for one sentence after another.
class Tagger::Scratch {
 public:
  // `words` is how many are to be tagged, where they are few: less memory is then asked for.
  explicit Scratch(const Tagger& tagger, std::size_t words = std::numeric_limits<std::size_t>::max());

 private:
  friend class Tagger;
  WordFeatures features_;
  WordCache cache_;
  std::vector<const float*> rows_;       // of the words at hand
  std::vector<WordCache::Row> waiting_;  // words whose rows are still to be computed
  std::vector<float> vectors_;           // of the words that wait
  std::vector<float> inputs_;            // what one distance takes from these
  std::vector<float> outputs_;           // and what it makes of that
  std::vector<double> sums_;
  std::vector<float> h1_;
  std::vector<float> scores_;
};

}  // namespace budgie
