// SPDX-License-Identifier: Apache-2.0
// Builds the Bloom filter of words that features/lexicon.hpp reads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/units.hpp"
#include "text/text.hpp"

namespace budgie::training {

struct BuiltLexicon {
  std::size_t words = 0;                // of the list: those of several units, but of at most `longest`
  std::vector<std::uint64_t> blocks{};  // of the filter
};

// `units` says what a unit is, what white space is, and what characters count as.
BuiltLexicon build_lexicon(const std::vector<text::TextView>& words, std::uint32_t longest,
                           const features::UnitGroups& units, std::size_t bits_a_word);

}  // namespace budgie::training
