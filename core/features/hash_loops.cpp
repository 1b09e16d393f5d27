// SPDX-License-Identifier: Apache-2.0
#include "features/hash_loops.hpp"

#include "dispatch.hpp"
#include "text/hash.hpp"

namespace budgie::features {

BUDGIE_CLONES std::size_t mark_spaces(const char32_t* characters, std::size_t count, std::uint8_t* spaces) {
  std::uint32_t letters = 0;
  for (std::size_t i = 0; i < count; ++i) {
    spaces[i] = characters[i] == ' ';
    letters += characters[i] != ' ';
  }
  return letters;
}

BUDGIE_CLONES void extend_all(std::uint32_t* hashes, const char32_t* characters, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) hashes[i] = extend(hashes[i], characters[i]);
}

BUDGIE_CLONES void join(std::uint8_t* marks, const std::uint8_t* more, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) marks[i] |= more[i];
}

BUDGIE_CLONES void bucket_all(const std::uint32_t* hashes, std::size_t count, std::uint32_t buckets,
                              std::uint32_t* ids) {
  for (std::size_t i = 0; i < count; ++i) ids[i] = bucket(finish(hashes[i]), buckets);
}

std::size_t keep_unmarked(std::uint32_t* ids, std::size_t count, const std::uint8_t* marks) {
  // No branch depends on a mark: ids are always written, and only the count says whether they stay.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    ids[kept] = ids[i];
    kept += marks[i] ^ 1u;
  }
  return kept;
}

}  // namespace budgie::features
