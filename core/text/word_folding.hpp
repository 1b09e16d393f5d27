// SPDX-License-Identifier: Apache-2.0
// Which words count as one word of a table of clusters: the same when words are clustered and when they are looked up.
#pragma once
#include "text/text.hpp"

namespace budgie::text {

struct WordFolding {
  bool fold_case = false;    // simple lower case
  bool fold_digits = false;  // every digit is 0: years are one word, prices of a length another

  char32_t operator()(char32_t c) const {
    if (!fold_case && !fold_digits) return c;
    const CharacterRecord& record = character(c);
    if (fold_digits && record.kind == CharacterClass::digit) return U'0';
    return fold_case ? c + static_cast<char32_t>(record.lower) : c;
  }
};

}  // namespace budgie::text
