// SPDX-License-Identifier: Apache-2.0
// Language identification (section 3.1 of the paper): the whole text is one state, each language one action.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/running_text.hpp"
#include "network/network.hpp"

namespace budgie::tasks {

// The probability of the answer is calibrated: scores are divided by a + b / sqrt(letters) first.
struct Calibration {
  float a = 1;
  float b = 0;
};

struct Answer {
  static constexpr std::int32_t kUndetermined = -1;
  std::int32_t language = kUndetermined;  // number of the label
  float probability = 0;
};

struct LanguageSpan {
  std::size_t begin = 0;  // units of the text (bytes of UTF-8, code points of a str)
  std::size_t end = 0;
  Answer answer{};
};

// Immutable once made, so any number of threads may use one.
class LanguageIdentifier {
 public:
  LanguageIdentifier(std::vector<Group> groups, Folding folding, Network network, Calibration calibration);

  std::size_t languages() const { return network_.output.outputs; }

  // `allowed` lists the languages to choose from, in ascending order.
  void identify(const TextView* texts, std::size_t count, const std::vector<std::uint32_t>& allowed, Answer* answers,
                Stop& stop) const;
  std::vector<Answer> rank(const TextView& text, std::size_t k, const std::vector<std::uint32_t>& allowed,
                           Stop& stop) const;
  std::vector<LanguageSpan> spans(const TextView& text, const std::vector<std::uint32_t>& allowed, Stop& stop) const;

  // How many letters and marks of a text the network sees: what the calibration depends on.
  std::size_t letters(const TextView& text, Stop& stop) const;

  // Unscaled scores of every language: what the network says before calibration.
  std::vector<float> scores(const TextView& text, Stop& stop) const;

 private:
  struct Scratch;
  friend class SpanFinder;
  float temperature(std::size_t letters) const;

  std::vector<Group> groups_;
  Folding folding_;
  Network network_;
  Calibration calibration_;
};

// Everything that one thread needs while it works.
struct LanguageIdentifier::Scratch {
  Scratch(const LanguageIdentifier& identifier_, Stop& stop_)
      : identifier(identifier_),
        stop(stop_),
        extractor(identifier.groups_),
        sums(identifier.groups_, identifier.network_.embeddings),
        row(sums.size()),
        h0(kBlock * identifier.network_.h0()),
        h1(kBlock * identifier.network_.hidden.stride),
        scores(kBlock * identifier.network_.output.stride) {}

  // Adds the features of a text to a row of sums; returns its number of letters.
  std::size_t sum(const TextView& text, double* into) {
    return extractor.extract(
        text, identifier.folding_, stop,
        [&](std::size_t group, const std::uint32_t* ids, std::size_t count) { sums.add(group, 0, ids, count, into); });
  }

  // Makes h0 of a text, the `place`-th of a block; returns its number of letters.
  std::size_t embed(const TextView& text, std::size_t place) {
    std::fill(row.begin(), row.end(), 0.0);
    const std::size_t letters = sum(text, row.data());
    sums.h0(row.data(), h0.data() + place * identifier.network_.h0());
    return letters;
  }

  // The scores of the allowed languages, side by side. All languages are the common case, and then this is a copy.
  void gather(std::size_t place, const std::vector<std::uint32_t>& allowed, std::vector<float>& into) const {
    const float* all = scores.data() + place * identifier.network_.output.stride;
    if (allowed.back() + 1 == allowed.size()) {
      std::copy_n(all, allowed.size(), into.begin());
    } else {
      for (std::size_t i = 0; i < allowed.size(); ++i) into[i] = all[allowed[i]];
    }
  }

  const LanguageIdentifier& identifier;
  Stop& stop;
  FeatureExtractor extractor;
  EmbeddingSums sums;
  std::vector<double> row;            // of sums, of the text at hand
  std::vector<float> h0, h1, scores;  // kBlock of each
};

}  // namespace budgie::tasks
