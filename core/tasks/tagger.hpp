// SPDX-License-Identifier: Apache-2.0
// POS tagging (section 3.2 of the paper): each word of a sentence is one decision, made by itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "network/hidden.hpp"
#include "network/network.hpp"

namespace budgie::tasks {

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class Tagger {
 public:
  class Scratch;

  Tagger(WordGroups words, const Network& network);

  std::size_t tags() const { return output_.outputs; }

  // Tags `sentences` sentences that stand one behind the other: sentence s is words[starts[s]] to words[starts[s + 1]],
  // and its tags go to the same places of `answers`. If wanted, the probability of each of these goes to the same place
  // of `probabilities`, and those of all tags of a word, tags() numbers, to `distributions`, from the first of these
  // sentences on.
  void tag(const TextView* words, const std::size_t* starts, std::size_t sentences, Scratch& scratch,
           std::uint32_t* answers, Stop& stop, float* probabilities = nullptr, float* distributions = nullptr) const;

 private:
  template <class Number>
  void tag_with(const HiddenWords<Number>& hidden, const TextView* words, const std::size_t* starts,
                std::size_t sentences, Scratch& scratch, std::uint32_t* answers, Stop& stop, float* probabilities,
                float* distributions) const;

  std::size_t before_, behind_;  // how many words before and behind the focus matter
  // Part by part: as the first word before the focus, ... as the last one behind it.
  std::variant<HiddenWords<std::int16_t>, HiddenWords<float>> words_;
  std::size_t width_;  // of the hidden layer
  Layer output_;
};

// Everything that one thread needs while it works. It remembers words, and may be used for one sentence after another.
class Tagger::Scratch {
 public:
  // `words` is how many are to be tagged, where they are few: less memory is then asked for.
  explicit Scratch(const Tagger& tagger, std::size_t words = std::numeric_limits<std::size_t>::max());

 private:
  friend class Tagger;
  template <class Number>
  struct Rows {
    Rows(const HiddenWords<Number>& hidden, std::size_t of_words, std::size_t count)
        : words(hidden, of_words), rows(count) {}

    typename HiddenWords<Number>::Scratch words;
    std::vector<const Number*> rows;  // that add up to the hidden layer of a word
  };
  std::variant<std::monostate, Rows<std::int16_t>, Rows<float>> rows_;
  std::vector<float> h1_;
  std::vector<float> scores_;
  std::vector<float> distribution_;  // of one word
};

}  // namespace budgie::tasks
