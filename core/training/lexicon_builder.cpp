// SPDX-License-Identifier: Apache-2.0
#include "training/lexicon_builder.hpp"

#include <algorithm>

#include "features/unit_window.hpp"

namespace budgie::training {

BuiltLexicon build_lexicon(const std::vector<TextView>& words, std::uint32_t longest, const UnitGroups& units,
                           std::size_t bits_a_word) {
  std::vector<std::uint32_t> hashes;
  Stop never;
  for (const TextView& word : words) {
    std::uint32_t hash = kHashSeed, count = 0;
    UnitWindow window(units, nullptr);
    window.slide(word, never, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i, ++count) hash = extend(hash, window.ids[i]);
    });
    if (count >= Lexicon::kShortest && count <= longest) hashes.push_back(hash);
  }
  const std::size_t blocks = std::max<std::size_t>(1, (hashes.size() * bits_a_word + 63) / 64);
  return {hashes.size(), Lexicon::build(hashes, blocks)};
}

}  // namespace budgie::training
