// SPDX-License-Identifier: Apache-2.0
// Characters that count as others: what a table folds, and which tables are refused.
#include "features/variants.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include "features/unit_window.hpp"
#include "testing.hpp"
#include "training/lexicon_builder.hpp"

namespace budgie::testing {
namespace {

using namespace features;
using Pairs = std::vector<std::pair<char32_t, char32_t>>;

Variants made_of(const Pairs& pairs) {
  std::vector<std::uint8_t> bytes;
  for (const auto& [from, to] : pairs) {
    for (const char32_t code : {from, to}) {
      for (const int shift : {0, 8, 16}) bytes.push_back(static_cast<std::uint8_t>(code >> shift));
    }
  }
  return Variants(bytes.data(), pairs.size());
}

void folds_what_is_listed() {
  const Variants variants = made_of({{0, 'a'}, {0x3400, 0x9FFF}, {0x570B, 0x56FD}, {0x2A6DF, 0x4E00}, {0x10FFFF, 'b'}});
  EXPECT(variants.fold(0) == 'a' && variants.fold(0x3400) == 0x9FFF && variants.fold(0x570B) == 0x56FD);
  EXPECT(variants.fold(0x2A6DF) == 0x4E00 && variants.fold(0x10FFFF) == 'b');
  for (const char32_t other : {U'\1', U'a', U'\u570A', U'\u570C', U'\u56FD', U'\U0010FFFE', kOutside, U'\x7FFF0000'}) {
    EXPECT(variants.fold(other) == other);
  }
  EXPECT(variants.fold(0x80000000u) == 0x80000000u && variants.fold(0xFFFFFFFFu) == 0xFFFFFFFFu);
  EXPECT(!variants.empty() && Variants().empty() && made_of({}).empty());
  EXPECT(Variants().fold(0x570B) == 0x570B && Variants().fold(0) == 0);
}

void refuses_what_is_no_table() {
  const auto refused = [](const Pairs& pairs) { return throws<std::invalid_argument>([&] { made_of(pairs); }); };
  EXPECT(refused({{2, 'a'}, {1, 'a'}}));                                   // not in order
  EXPECT(refused({{1, 'a'}, {1, 'b'}}));                                   // twice
  EXPECT(refused({{1, 1}}));                                               // itself
  EXPECT(refused({{1, 2}, {2, 3}}) && refused({{1, 2}, {2, 1}}));          // what counts as another one
  EXPECT(refused({{0x110000, 'a'}}) && refused({{'a', 0xFFFFFF}}));        // behind all characters
  EXPECT(refused({{0xD800, 'a'}}) && refused({{'a', 0xDFFF}}));            // surrogates
  EXPECT(!refused({{0xD7FF, 'a'}, {0xE000, 'a'}}) && !refused({{1, 0}}));  // their neighbours
}

// Ids of units are folded, and where units are stays as it is; a lexicon has both forms of a word.
void both_forms_have_the_same_units() {
  UnitGroups groups;
  groups.variants = made_of({{0x570B, 0x56FD}});  // 國 counts as 国
  const auto ids_of = [&](const char* text) {
    std::vector<char32_t> ids;
    UnitWindow window(groups, nullptr);
    window.slide(view(text), never, [&](std::size_t first, std::size_t last) {
      ids.insert(ids.end(), window.ids.begin() + static_cast<std::ptrdiff_t>(first),
                 window.ids.begin() + static_cast<std::ptrdiff_t>(last));
      EXPECT(window.begins[first] == 0 && window.ends[first] == 3);
    });
    return ids;
  };
  EXPECT(ids_of("國家") == ids_of("国家") && ids_of("國家")[0] == 0x56FD);
  const auto lexicon_of = [&](const std::string& word) {
    return training::build_lexicon(views({word}), 5, groups, 10).blocks;
  };
  EXPECT(lexicon_of("國家") == lexicon_of("国家"));
}

}  // namespace
}  // namespace budgie::testing

int main() {
  using namespace budgie::testing;
  folds_what_is_listed();
  refuses_what_is_no_table();
  both_forms_have_the_same_units();
  return result("variants");
}
