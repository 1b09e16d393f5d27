// SPDX-License-Identifier: Apache-2.0
// Ids without a mark stay in their order, whatever the instruction set.
#include "features/hash_loops.hpp"

#include <random>
#include <vector>

#include "testing.hpp"

namespace budgie::testing {

namespace {

void unmarked_ids_stay() {
  std::mt19937 draw(7);
  for (std::size_t count = 0; count < 200; ++count) {
    for (const unsigned share : {0u, 1u, 3u, 7u, 8u}) {  // of eight have a mark
      std::vector<std::uint32_t> ids, expected;
      std::vector<std::uint8_t> marks;
      for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(static_cast<std::uint32_t>(draw()));
        marks.push_back(draw() % 8 < share);
        if (marks.back() == 0) expected.push_back(ids.back());
      }
      ids.resize(features::keep_unmarked(ids.data(), count, marks.data()));
      EXPECT(ids == expected);
    }
  }
}

}  // namespace

}  // namespace budgie::testing

int main() {
  budgie::testing::unmarked_ids_stay();
  return budgie::testing::result("hash loops");
}
