// SPDX-License-Identifier: Apache-2.0
#include "unit_features.hpp"

#include <algorithm>

namespace budgie {

bool UnitGroups::fixed(std::size_t group) const {
  const Group::Kind kind = groups[group].kind;
  return kind != Group::Kind::length && kind != Group::Kind::words;
}

namespace {

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

}  // namespace

std::size_t UnitGroups::before() const {
  return reach(*this, [](int position) { return -position; });
}

std::size_t UnitGroups::behind() const {
  return reach(*this, [](int position) { return position; });
}

void unit_rows(const UnitGroups& groups, std::size_t group, std::uint32_t standard, const char32_t* ids,
               const std::uint8_t* kinds, std::size_t count, std::vector<std::uint32_t>& hashes, std::uint32_t* rows) {
  const Group& of = groups.groups[group];
  switch (of.kind) {
    case Group::Kind::vocabulary: {
      const Vocabulary& vocabulary = groups.vocabularies[group];
      for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t key = ids[i];
        if (of.n == 2) key = key << 32 | ids[i + 1];
        rows[i] = vocabulary.find(key);
      }
      return;
    }
    case Group::Kind::kinds:
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t hash = kHashSeed;
        for (std::uint32_t n = 0; n < of.n; ++n) hash = extend(hash, kinds[i + n]);
        rows[i] = bucket(finish(hash), of.buckets);
      }
      return;
    case Group::Kind::standard:
      std::fill_n(rows, count, std::min(standard, of.buckets - 1));
      return;
    default:
      hashes.assign(count, kHashSeed);
      for (std::uint32_t n = 0; n < of.n; ++n) extend_all(hashes.data(), ids + n, count);
      bucket_all(hashes.data(), count, of.buckets, rows);
  }
}

}  // namespace budgie
