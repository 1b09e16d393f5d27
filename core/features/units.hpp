// SPDX-License-Identifier: Apache-2.0
// Feature groups over the units of a text (the paper's table of segmentation features, and more): which row of each
// embedding matrix belongs to each unit. Training and segmentation both call this; these features exist nowhere else.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "features/lexicon.hpp"
#include "features/ngram_table.hpp"
#include "features/running_text.hpp"
#include "features/variants.hpp"
#include "text/units.hpp"

namespace budgie::features {

constexpr char32_t kOutside = 0x7FFFFFFF;  // the unit before the first one and behind the last one

constexpr std::uint8_t kOutsideKind = 0xF;
constexpr std::uint8_t kTouches =
    0x10;  // with the kind of a unit: where words may have spaces inside, none is before it

// What white space is to a segmenter: a word of its own, something that may stand inside of a word, or what stands
// between words and belongs to none.
enum class Spaces : std::uint8_t { units, inside, between };
constexpr std::array kSpacesNames = {"break", "join", "between"};  // as they stand in files
static_assert(kSpacesNames.size() == static_cast<std::size_t>(Spaces::between) + 1, "a name for each");
Spaces spaces_named(std::string_view name);  // throws std::invalid_argument

// What stands between a unit and the one before it, where white space is no unit.
enum class Gap : std::uint8_t { none, space, wide, line, short_line, paragraph, outside };
constexpr std::uint16_t kGaps = 8;  // a shape has room for so many
constexpr std::uint16_t kOutsideShape = 0xFFFF;

// What features look at: units, as they are read. `kLongestNgram` more units follow those that rows are made of.
struct UnitViews {
  const char32_t* ids;
  const std::uint8_t* kinds;
  const text::Spelling* spellings;  // with the gap before each in its shape; null where nobody looks at them
};

// The groups of a segmenter. Positions of kind words are words: -1 the one before, 0 the current one so far, 1 the
// current one with the unit at the front.
struct UnitGroups {
  std::vector<Group> groups;
  std::vector<NgramTable> vocabularies;  // one a group; empty where the group has none
  Lexicon lexicon{};                     // where a group looks into one
  bool runs = true;                      // units as UnitReader says
  Spaces spaces = Spaces::units;
  std::size_t actions = 2;  // that are known at each unit
  Variants variants{};      // what characters count as

  // Does any group look at how units are spelt?
  bool spelt() const;

  // Whether the rows of a group depend on the text alone, and not on where words end.
  bool fixed(std::size_t group) const { return !Group::depends_on_words(groups[group].kind); }

  // How far before the front, and behind it, the n-grams of any fixed group begin.
  std::size_t before() const;
  std::size_t behind() const;
};

// Rows of a fixed group at each of `count` units: the n-gram that begins there. Throws std::invalid_argument where a
// kind is not one of units alone.
void unit_rows(const UnitGroups& groups, std::size_t group, std::uint32_t standard, const UnitViews& units,
               std::size_t count, std::vector<std::uint32_t>& hashes, std::uint32_t* rows);

// A length: exact up to 8, then by halves of powers of two; 66 at most.
inline std::uint32_t roughly(std::uint32_t count) {
  if (count <= 8) return count;
  const auto power = 31 - static_cast<std::uint32_t>(__builtin_clz(count));
  return 2 * power + 3 + (count >> (power - 1) & 1);
}

// A unit, as far as the words so far care.
struct SeenUnit {
  char32_t id = 0;
  std::uint16_t shape = 0;  // with the gap before it, where anybody looks at that
};

// Where one is in a text: how far the current word and the current sentence have got. All that groups which are not
// fixed look at.
struct WordSoFar {
  std::uint32_t length = 0;
  std::uint32_t hash = kHashSeed;
  std::uint32_t before = kHashSeed;  // hash of the word before
  std::uint32_t sentence = 0;        // units of the sentence so far
  std::uint32_t opening = 0;         // how its first word of letters is capitalised: Spelling::capitals_of

  void split(const SeenUnit& unit) {
    before = hash;
    hash = extend_word(kHashSeed, unit.id);
    length = 1;
    go_on(unit);
  }
  void merge(const SeenUnit& unit) {
    hash = extend_word(hash, unit.id);
    ++length;
    go_on(unit);
  }
  void begin_sentence(const SeenUnit& unit) {
    sentence = opening = 0;
    split(unit);
  }

  // The row of a group that is not fixed, at one of its positions; `front` is the unit at the front of the buffer.
  std::uint32_t row(const Group& group, int position, const SeenUnit& front) const {
    if (group.kind == Group::Kind::length) return std::min(length, group.buckets - 1);
    if (group.kind == Group::Kind::sentence) return std::min(roughly(sentence), group.buckets - 1);
    if (group.kind == Group::Kind::opening) {
      return std::min(opening * kOpenings + text::Spelling::capitals_of(front.shape), group.buckets - 1);
    }
    const std::uint32_t word = position < 0 ? before : position == 0 ? hash : extend_word(hash, front.id);
    return bucket(finish(word), group.buckets);
  }

 private:
  static constexpr std::uint32_t kOpenings = text::Spelling::kCapitals + 1;

  void go_on(const SeenUnit& unit) {
    ++sentence;
    if (opening == 0) opening = text::Spelling::capitals_of(unit.shape);
  }
};

}  // namespace budgie::features
