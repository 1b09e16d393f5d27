// SPDX-License-Identifier: Apache-2.0
// Everything that one thread needs while it identifies languages; shared by langid.cpp and spans.cpp.
#pragma once
#include "langid.hpp"

namespace budgie {

struct LanguageIdentifier::Scratch {
  explicit Scratch(const LanguageIdentifier& identifier_)
      : identifier(identifier_),
        extractor(identifier.groups_),
        sums(identifier.network_),
        h0(kBlock * identifier.network_.h0()),
        h1(kBlock * identifier.network_.hidden.stride),
        scores(kBlock * identifier.network_.output.stride) {}

  // Adds the features of a text; returns its number of letters.
  std::size_t sum(const TextView& text, EmbeddingSums& into) {
    return extractor.extract(
        text, identifier.folding_,
        [&](std::size_t group, const std::uint32_t* ids, std::size_t count) { into.add(group, ids, count); });
  }

  // Makes h0 of a text, the `place`-th of a block; returns its number of letters.
  std::size_t embed(const TextView& text, std::size_t place) {
    sums.clear();
    const std::size_t letters = sum(text, sums);
    sums.h0(h0.data() + place * identifier.network_.h0());
    return letters;
  }

  const LanguageIdentifier& identifier;
  FeatureExtractor extractor;
  EmbeddingSums sums;
  std::vector<float> h0, h1, scores;  // kBlock of each
};

}  // namespace budgie
