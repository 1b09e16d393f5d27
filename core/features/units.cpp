// SPDX-License-Identifier: Apache-2.0
#include "features/units.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace budgie::features {

Spaces spaces_named(std::string_view name) {
  const auto found = std::find(kSpacesNames.begin(), kSpacesNames.end(), name);
  if (found == kSpacesNames.end()) throw std::invalid_argument("there are no spaces of that name");
  return static_cast<Spaces>(found - kSpacesNames.begin());
}

bool UnitGroups::spelt() const {
  return std::any_of(groups.begin(), groups.end(), [](const Group& of) {
    return of.kind == Group::Kind::shapes || of.kind == Group::Kind::endings || of.kind == Group::Kind::opening ||
           of.kind == Group::Kind::line;
  });
}

namespace {

constexpr std::size_t kAhead = 16;  // n-grams that are on their way from memory

// The farthest that a fixed group looks, as `distance(position)` measures.
template <class Distance>
std::size_t reach(const UnitGroups& groups, Distance&& distance) {
  int farthest = 0;
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    if (!groups.fixed(g)) continue;
    for (const auto* positions : {&groups.groups[g].positions, &groups.groups[g].starts}) {
      for (const int position : *positions) farthest = std::max(farthest, distance(position));
    }
  }
  return static_cast<std::size_t>(farthest);
}

// Words of the lexicon around the boundary before each unit: the longest that ends there, that begins there and that
// goes over it, as one number.
void lexicon_rows(const Lexicon& lexicon, const char32_t* ids, std::size_t count, std::vector<std::uint32_t>& hashes,
                  std::uint32_t* rows) {
  const std::uint32_t longest = lexicon.longest();
  const auto highest = [](std::uint32_t lengths) {
    return lengths == 0 ? 0u : 31u - static_cast<std::uint32_t>(__builtin_clz(lengths));
  };
  // First the lengths of the words that begin at each unit, as bits: a word of n units is bit n - 1.
  std::fill_n(rows, count, 0u);
  hashes.assign(count, kHashSeed);
  extend_all(hashes.data(), ids, count);
  for (std::uint32_t n = Lexicon::kShortest; n <= longest; ++n) {
    extend_all(hashes.data(), ids + n - 1, count);
    for (std::size_t i = 0; i < count; ++i) rows[i] |= static_cast<std::uint32_t>(lexicon.has(hashes[i])) << (n - 1);
  }
  // From the back, as what stands before a unit is still needed there.
  for (std::size_t i = count; i-- > 0;) {
    std::uint32_t ending = 0, over = 0;
    for (std::uint32_t back = 1; back <= longest && back <= i; ++back) {
      const std::uint32_t lengths = rows[i - back];
      ending |= lengths & (1u << (back - 1)) & ~1u;
      over |= lengths & ~((2u << (back - 1)) - 1);
    }
    rows[i] = (highest(ending) * longest + highest(rows[i])) * longest + highest(over);
  }
}

}  // namespace

std::size_t UnitGroups::before() const {
  return reach(*this, [](int position) { return -position; }) + lexicon.longest();
}

std::size_t UnitGroups::behind() const {
  return reach(*this, [](int position) { return position; });
}

void unit_rows(const UnitGroups& groups, std::size_t group, std::uint32_t standard, const UnitViews& units,
               std::size_t count, std::vector<std::uint32_t>& hashes, std::uint32_t* rows) {
  const char32_t* const ids = units.ids;
  const Group& of = groups.groups[group];
  const std::uint32_t seed = of.by_standard ? extend(kHashSeed, standard) : kHashSeed;
  switch (of.kind) {
    case Group::Kind::vocabulary: {
      const NgramTable& vocabulary = groups.vocabularies[group];
      if (of.n == 1) {
        for (std::size_t i = 0; i < count; ++i) rows[i] = vocabulary.find(ids[i]);
        return;
      }
      const auto pair = [ids](std::size_t i) { return std::uint64_t{ids[i]} << 32 | ids[i + 1]; };
      for (std::size_t i = 0; i < count; ++i) {
        vocabulary.prefetch(pair(std::min(i + kAhead, count - 1)));
        rows[i] = vocabulary.find(pair(i));
      }
      return;
    }
    case Group::Kind::kinds:
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t hash = kHashSeed;
        for (std::uint32_t n = 0; n < of.n; ++n) hash = extend(hash, units.kinds[i + n]);
        rows[i] = bucket(finish(hash), of.buckets);
      }
      return;
    case Group::Kind::shapes:
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t hash = seed;
        for (std::uint32_t n = 0; n < of.n; ++n) hash = extend(hash, units.spellings[i + n].shape);
        rows[i] = bucket(finish(hash), of.buckets);
      }
      return;
    case Group::Kind::endings:
      for (std::size_t i = 0; i < count; ++i) {
        const auto& ending = units.spellings[i].ending;
        std::uint32_t hash = seed;
        for (std::size_t n = of.n; n > 0; --n) hash = extend(hash, ending[ending.size() - n]);
        rows[i] = bucket(finish(hash), of.buckets);
      }
      return;
    case Group::Kind::line:
      for (std::size_t i = 0; i < count; ++i) {
        rows[i] = std::min<std::uint32_t>(units.spellings[i].line, of.buckets - 1);
      }
      return;
    case Group::Kind::lexicon:
      return lexicon_rows(groups.lexicon, ids, count, hashes, rows);
    case Group::Kind::standard:
      std::fill_n(rows, count, std::min(standard, of.buckets - 1));
      return;
    case Group::Kind::ngrams:
      hashes.assign(count, seed);
      for (std::uint32_t n = 0; n < of.n; ++n) extend_all(hashes.data(), ids + n, count);
      bucket_all(hashes.data(), count, of.buckets, rows);
      return;
    case Group::Kind::words:
    case Group::Kind::length:
    case Group::Kind::sentence:
    case Group::Kind::opening:  // these depend on words: see WordSoFar
    case Group::Kind::bytes:
    case Group::Kind::clusters:
    case Group::Kind::tags:
    case Group::Kind::swapped:  // and these are not of units
      break;
  }
  throw std::invalid_argument(std::string("units alone have no rows of kind ") + name_of(of.kind));
}

}  // namespace budgie::features
