// SPDX-License-Identifier: Apache-2.0
// A hidden layer is a sum of rows. Each feature position (a group of features, looked at from somewhere) adds one: its
// part of h0 times its part of the weights. These products are what a network costs, and few of them are ever new.
//
//   h1 = rectified(bias + row + row + ...)            a row: what one feature position adds, `width` numbers
//
//   HiddenTable   multiplied at load                  a row for each id, where ids are few: tags, lengths, standards
//   HiddenWords   once a word, then remembered        a row for each word, with a part for each position
//   HiddenRun     for a run of units at a time        a row for each unit: n-grams are too many to remember
//
// kernels.hpp adds rows up, and scores the sum.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "features/words.hpp"
#include "network/kernels.hpp"
#include "network/network.hpp"
#include "network/word_cache.hpp"

namespace budgie::network {

// Calls visit(position, weights) for each feature position, in the order of h0. `weights` are those of the hidden layer
// that belong to it: input by input, `width` for each.
template <class Visit>
void for_each_position(const std::vector<Group>& groups, const Network& network, Visit&& visit) {
  const float* weights = network.hidden.weights.data();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t inputs = groups[g].vectors() * network.embeddings[g].dim;
    for_each_position(groups[g], g, [&](const FeaturePosition& at) {
      visit(at, weights);
      weights += inputs * network.width();
    });
  }
}

// ---- multiplied at load ----------------------------------------------------------------------------------------

// Immutable once made.
class HiddenTable {
 public:
  HiddenTable(const Embedding& embedding, std::size_t ids, const float* weights, std::size_t width);

  std::size_t ids() const { return rows_.size() / width_; }
  const float* row(std::size_t id) const { return rows_.data() + id * width_; }

 private:
  std::size_t width_;
  std::vector<float> rows_;
};

// ---- once a word -----------------------------------------------------------------------------------------------

// A word is looked at from several positions. One product gives what it adds from each of them, part after part:
//
//   row of a word: | part 0: width numbers | part 1: width numbers | ...
//
// Numbers are floats, or integers of 16 bits: these are half the memory to read for each word of a text, twice as many
// words are remembered, and new words are products of integers. What one of them stands for (its step) differs from
// unit to unit of the hidden layer: as little as lets all parts and the bias together fit, whatever the words are. That
// can be said where an input is a mean of embedding rows, and not where it is a sum.
//
// Immutable once made.
template <class Number>
class HiddenWords {
 public:
  class Scratch;
  using Value = Number;
  static constexpr bool kIntegers = std::is_integral_v<Number>;

  // `part_of` says which of `parts` parts a feature position belongs to, or none where it does not look at words.
  using PartOf = std::function<std::optional<std::size_t>(const FeaturePosition&)>;
  HiddenWords(WordGroups words, const Network& network, std::size_t parts, const PartOf& part_of);

  std::size_t width() const { return width_; }

  // The rows of some words, which must stay where they are; rows are kept until the next call.
  const Number* const* find(const TextView* words, std::size_t count, Scratch& scratch, Stop& stop) const;

  const Number* part(const Number* row, std::size_t number) const { return row + number * width_; }
  const Number* bias() const { return bias_.data(); }

  // The rectified sum of some parts, and perhaps the bias.
  void rectify(const Number* const* parts, std::size_t count, float* out) const;

  // Tells the processor that a row will be needed.
  void prefetch(const Number* row) const {
    constexpr std::size_t kLine = 64;  // bytes
    const auto* bytes = reinterpret_cast<const char*>(row);
    for (std::size_t at = 0; at < parts_.size() * width_ * sizeof(Number); at += kLine) __builtin_prefetch(bytes + at);
  }

 private:
  struct Seen {
    std::size_t group, inputs;  // a group that looks at a word, and how many inputs it has
  };

  // The groups that look at a word from there, and the part of the hidden layer that belongs to them.
  struct Part {
    std::vector<Seen> groups{};
    std::size_t inputs = 0;
    std::conditional_t<kIntegers, ShortLayer, Layer> layer{};
  };

  using Weights = std::vector<std::vector<const float*>>;  // of each part and group: input by input
  void pack(const Network& network, const Weights& weights);
  void fill_waiting(Scratch& scratch, Stop& stop) const;
  void embed(const TextView& word, Scratch& scratch, Stop& stop, Number* out) const;

  WordGroups words_;
  std::vector<Embedding> embeddings_;
  std::size_t width_;
  std::vector<Part> parts_;
  std::vector<Number> bias_{};
  std::vector<float> steps_{};                        // integers: what one stands for
  std::vector<float> input_scales_{}, input_most_{};  // and how numbers of h0 become integers
};

// Everything that one thread needs while it works. It remembers words from one call to the next.
template <class Number>
class HiddenWords<Number>::Scratch {
 public:
  // `words` is how many will come, where they are few: less memory is then asked for.
  explicit Scratch(const HiddenWords& hidden, std::size_t words = std::numeric_limits<std::size_t>::max());

 private:
  friend class HiddenWords;
  WordFeatures features_;
  WordCache<Number> cache_;
  std::vector<const Number*> rows_{};                       // of the words at hand
  std::vector<typename WordCache<Number>::Row> waiting_{};  // words whose rows are still to be computed
  EmbeddingSums sums_;
  std::vector<double> row_;      // of sums, of one word
  std::vector<float> vector_;    // h0 of one word
  std::vector<Number> vectors_;  // of the words that wait
  std::vector<Number> inputs_;   // what one part takes from these
  std::vector<float> outputs_;   // and what it makes of that
};

template <>
void HiddenWords<float>::pack(const Network& network, const Weights& weights);
template <>
void HiddenWords<std::int16_t>::pack(const Network& network, const Weights& weights);
extern template class HiddenWords<float>;
extern template class HiddenWords<std::int16_t>;

// ---- a run at a time -------------------------------------------------------------------------------------------

// The embedding vectors of a run of units: of each group one a unit, as floats, or as bytes where rows are small
// integers. Runs of one text look at them from several positions.
class UnitVectors {
 public:
  explicit UnitVectors(std::size_t groups) : floats_(groups), bytes_(groups) {}

  // The vectors of a group, by the ids of `count` units.
  void fill(std::size_t group, const Embedding& embedding, const std::uint32_t* ids, std::size_t count);

 private:
  friend class HiddenRun;
  std::vector<std::vector<float>> floats_;
  std::vector<std::vector<std::uint8_t>> bytes_;
};

// Immutable once made. Where rows of an embedding are small integers, weights are rounded to bytes.
class HiddenRun {
 public:
  class Scratch;

  // The feature positions that `takes` says.
  using Takes = std::function<bool(const FeaturePosition&)>;
  HiddenRun(const std::vector<Group>& groups, const Network& network, const Takes& takes);

  // What rows of bytes, which are stored without a sign, add to the hidden layer too much: the bias has to be as much
  // less.
  const std::vector<float>& excess() const { return excess_; }

  bool empty() const { return float_inputs_.empty() && byte_inputs_.empty(); }

  // Adds to `count` rows what is seen from the units `first` on; there is room for whole tiles.
  void add_to(float* rows, const UnitVectors& vectors, std::size_t first, std::size_t count, Scratch& scratch) const;

  // The same for a single unit, whose ids are id(position), in two steps: `row`, or a copy of it to which all floats
  // have been added; and the bytes, which the kernel that scores a decision adds by itself. Added to the row, too, they
  // would cost a segmenter 4 % more time.
  template <class Id>
  const float* add_floats_to(const float* row, const std::vector<Embedding>& embeddings, Id&& id,
                             Scratch& scratch) const;
  template <class Id>
  Quads quads(const std::vector<Embedding>& embeddings, Id&& id, Scratch& scratch) const;

 private:
  struct Lookup {
    FeaturePosition at;
    std::size_t dim;  // of what is found there
  };

  void pack_floats(const std::vector<float>& weights);
  void pack_bytes(const std::vector<float>& weights, const std::vector<float>& zeros);
  static std::size_t size(const std::vector<Lookup>& lookups);

  std::size_t width_;
  std::vector<Lookup> float_inputs_{}, byte_inputs_{};
  std::vector<float> float_weights_{};
  std::vector<std::int8_t> byte_weights_{};
  std::vector<float> scales_{};  // of the weights of bytes, one a float of a row
  std::vector<float> excess_{};
};

// Everything that one thread needs while it works.
class HiddenRun::Scratch {
 public:
  explicit Scratch(const HiddenRun& hidden);

 private:
  friend class HiddenRun;
  std::vector<Input<float>> float_inputs_;
  std::vector<Input<std::uint8_t>> byte_inputs_;
  std::vector<float> floats_;  // vectors of a single unit
  std::vector<std::uint8_t> bytes_;
  std::vector<float> row_;
};

template <class Id>
const float* HiddenRun::add_floats_to(const float* row, const std::vector<Embedding>& embeddings, Id&& id,
                                      Scratch& scratch) const {
  if (float_inputs_.empty()) return row;
  float* vector = scratch.floats_.data();
  for (std::size_t i = 0; i < float_inputs_.size(); ++i) {
    const Lookup& lookup = float_inputs_[i];
    embeddings[lookup.at.group].row(id(lookup.at), vector);
    scratch.float_inputs_[i] = {vector, lookup.dim};
    vector += lookup.dim;
  }
  scratch.row_.assign(row, row + width_);
  add_floats(scratch.float_inputs_.data(), float_inputs_.size(), float_weights_.data(), width_, 1, scratch.row_.data());
  return scratch.row_.data();
}

template <class Id>
Quads HiddenRun::quads(const std::vector<Embedding>& embeddings, Id&& id, Scratch& scratch) const {
  std::uint8_t* vector = scratch.bytes_.data();
  for (const Lookup& lookup : byte_inputs_) {
    embeddings[lookup.at.group].row(id(lookup.at), vector);
    vector += lookup.dim;
  }
  return {scratch.bytes_.data(), scratch.bytes_.size() / kQuad, byte_weights_.data(), scales_.data()};
}

}  // namespace budgie::network
