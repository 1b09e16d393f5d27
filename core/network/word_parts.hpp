// SPDX-License-Identifier: Apache-2.0
// What words add to the hidden layer. That depends on the word and on the view it is seen from (how far from the focus
// it stands, or which corner of which span it is), and on nothing else: so it is worked out once, and remembered.
#pragma once
#include <cstddef>
#include <limits>
#include <vector>

#include "features/words.hpp"
#include "network/network.hpp"
#include "network/word_cache.hpp"

namespace budgie::network {

// Immutable once made.
class WordParts {
 public:
  class Scratch;

  // `seen[g]` are the views that group g looks at a word from, in the order of h0; a group of no views is no group of
  // words. There are `views` views in all.
  WordParts(WordGroups words, const Network& network, const std::vector<std::vector<std::size_t>>& seen,
            std::size_t views);

  // A row has the parts of all views, one behind the other, each of units() floats.
  std::size_t units() const { return units_; }
  std::size_t width() const { return views_.size() * units_; }

  // The rows of some words, which must stay where they are; rows are kept until the next call.
  const float* const* find(const TextView* words, std::size_t count, Scratch& scratch) const;

 private:
  // The groups that look at a word from there, and the part of the hidden layer that belongs to them.
  struct View {
    std::vector<std::size_t> groups{};
    Layer layer{};
  };

  void fill_waiting(Scratch& scratch) const;
  void embed(const TextView& word, Scratch& scratch, float* out) const;

  WordGroups words_;
  std::vector<Embedding> embeddings_;
  std::vector<std::size_t> begins_;  // where in the vector of a word each group begins, and where the last ends
  std::vector<View> views_;
  std::size_t units_;  // of the hidden layer, padded
};

// Everything that one thread needs while it works. It remembers words from one call to the next.
class WordParts::Scratch {
 public:
  // `words` is how many will come, where they are few: less memory is then asked for.
  explicit Scratch(const WordParts& parts, std::size_t words = std::numeric_limits<std::size_t>::max());

 private:
  friend class WordParts;
  WordFeatures features_;
  WordCache cache_;
  std::vector<const float*> rows_;       // of the words at hand
  std::vector<WordCache::Row> waiting_;  // words whose rows are still to be computed
  std::vector<float> vectors_;           // of the words that wait
  std::vector<float> inputs_;            // what one view takes from these
  std::vector<float> outputs_;           // and what it makes of that
  std::vector<double> sums_;
};

}  // namespace budgie::network
