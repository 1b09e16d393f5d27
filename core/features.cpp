// SPDX-License-Identifier: Apache-2.0
#include "features.hpp"

#include "dispatch.hpp"

namespace budgie {

BUDGIE_CLONES void extend_all(std::uint32_t* hashes, const char32_t* characters, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) hashes[i] = extend(hashes[i], characters[i]);
}

BUDGIE_CLONES void finish_all(const std::uint32_t* hashes, std::size_t count, std::uint64_t buckets,
                              std::uint32_t* finished, std::uint32_t* ids) {
  for (std::size_t i = 0; i < count; ++i) {
    finished[i] = finish(hashes[i]);
    ids[i] = bucket(finished[i], buckets);
  }
}

}  // namespace budgie
