// SPDX-License-Identifier: Apache-2.0
// Units of a text, a run at a time: what is decided now, with as much before and behind it as the network looks at.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/dictionary.hpp"
#include "features/rules.hpp"
#include "features/units.hpp"

namespace budgie::features {

class UnitWindow {
 public:
  static constexpr std::size_t kRun = 256;       // units decided at a time
  static constexpr std::size_t kShortLine = 10;  // units: lines that were broken for their width have more

  UnitWindow(const UnitGroups& groups, const Dictionary* dictionary, std::size_t run = kRun)
      : rules_(groups.actions),
        spaces_(groups.spaces),
        runs_(groups.runs),
        spelt_(groups.spelt()),
        variants_(groups.variants),
        dictionary_(dictionary != nullptr && !dictionary->empty() ? dictionary : nullptr),
        at_once_(run),
        before_(groups.before()),
        ahead_(std::max(groups.behind() + kLongestNgram, dictionary_ ? dictionary_->longest() + 1 : 0)) {}

  UnitWindow(UnitGroups&&, const Dictionary*, std::size_t = kRun) = delete;  // the variants of the groups are looked at

  // Calls visit(first, last) for one run of units after the other, until all of the text has been seen. Around a run
  // there are `before` units and more than `behind`, at the ends of the text kOutside.
  template <class Visit>
  void slide(const TextView& text, Stop& stop, Visit&& visit) {
    decode(text, [&](auto reader, const auto* begin, const auto* end) {
      slide_over<decltype(reader)>(begin, end, stop, visit);
    });
  }

  std::vector<char32_t> ids{};
  std::vector<std::uint8_t> kinds{};
  std::vector<Spelling> spellings{};  // with the gap before a unit in its shape; only where a group looks at them
  std::vector<std::size_t> begins{}, ends{};
  std::vector<std::uint8_t> rules{};  // see Rules

  UnitViews views() const { return {ids.data(), kinds.data(), spellings.data()}; }

 private:
  template <class Reader, class Visit>
  void slide_over(const typename Reader::CodeUnit* begin, const typename Reader::CodeUnit* end, Stop& stop,
                  Visit& visit) {
    cut(0);
    put_outside(before_);
    searched_ = before_;
    last_kind_ = kOutsideKind;
    line_ = 0;
    UnitReader<Reader> reader(begin, end, runs_, stop);
    Unit unit;
    bool over = false;
    Gap gap = Gap::none;
    while (!over) {
      const std::size_t enough = std::max(at_once_, at_once_ + before_ + ahead_);  // without an overflow
      while (!over && ids.size() < enough) {
        over = !reader.next(unit);
        if (over) break;
        if (spaces_ != Spaces::units && unit.kind == UnitKind::space) {
          gap = std::max(gap, gap_of(unit));
          continue;
        }
        if (spelt_) put_spelling(reader.spelling(unit), last_kind_ == kOutsideKind ? Gap::outside : gap);
        put(unit, reader.position(), gap);
        gap = Gap::none;
      }
      const std::size_t size = ids.size(), last = over ? size : size - ahead_;
      put_outside(ahead_);
      if (dictionary_ != nullptr) apply_dictionary<Reader>(begin, end, last, size);
      if (last > before_) visit(before_, last);
      cut(size);
      drop(last - before_);
    }
  }

  // What white space is to the unit behind it. A line that is short, as headings are, tells more by its end.
  Gap gap_of(const Unit& space) {
    if (space.lines == 0) return space.wide ? Gap::wide : Gap::space;
    const bool is_short = line_ < kShortLine;
    line_ = 0;
    return space.lines > 1 ? Gap::paragraph : is_short ? Gap::short_line : Gap::line;
  }

  void put_spelling(Spelling spelling, Gap gap) {
    spelling.shape = static_cast<std::uint16_t>(spelling.shape * kGaps + static_cast<unsigned>(gap));
    spelling.line = static_cast<std::uint8_t>(roughly(line_));
    spellings.push_back(spelling);
  }

  void put(const Unit& unit, std::size_t end, Gap gap) {
    const auto kind = static_cast<std::uint8_t>(unit.kind);
    constexpr auto kSpace = static_cast<std::uint8_t>(UnitKind::space);
    std::uint8_t rule = rules_.any;
    if (last_kind_ == kOutsideKind || gap == Gap::paragraph) {
      rule = rules_.begin_paragraph();
    } else if (gap >= Gap::line || (spaces_ == Spaces::between && gap != Gap::none)) {
      rule = rules_.begin();
    } else if (spaces_ == Spaces::units && (kind == kSpace || last_kind_ == kSpace)) {
      rule = kind == last_kind_ ? Rules::merge : rules_.begin();
    }
    line_ = unit.lines > 0 ? 0 : line_ + 1;
    ids.push_back(variants_.fold(unit.id));
    kinds.push_back(spaces_ != Spaces::units && gap == Gap::none ? kind | kTouches : kind);
    begins.push_back(unit.begin);
    ends.push_back(end);
    rules.push_back(rule);
    last_kind_ = kind;
  }

  void put_outside(std::size_t count) {
    ids.resize(ids.size() + count, kOutside);
    kinds.resize(kinds.size() + count, kOutsideKind);
    if (spelt_) spellings.resize(spellings.size() + count, Spelling{kOutsideShape, 0, {}});
    cut(ids.size());
  }

  void cut(std::size_t size) {
    ids.resize(size);
    kinds.resize(size);
    if (spelt_) spellings.resize(size);
    begins.resize(size);
    ends.resize(size);
    rules.resize(size);
  }

  void drop(std::size_t count) {
    const auto from_front = [count](auto& of) {
      of.erase(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(count));
    };
    from_front(ids);
    from_front(kinds);
    if (spelt_) from_front(spellings);
    from_front(begins);
    from_front(ends);
    from_front(rules);
    searched_ -= count;
  }

  // The longest word that begins at a unit, and ends where a unit ends, stays whole; the search goes on behind it.
  // Where texts and words are made for it (aaaa... and aaa...b), every unit is read as far as the longest word is long:
  // the time is linear in the text, times that length. A word has at most 1000 characters
  // (budgie/formats/dictionary.py), and an automaton that spares this would cost memory and speed for all other texts.
  template <class Reader>
  void apply_dictionary(const typename Reader::CodeUnit* begin, const typename Reader::CodeUnit* end, std::size_t last,
                        std::size_t size) {
    while (searched_ < last) {
      const std::size_t first = searched_;
      std::size_t behind = first, unit = first;
      Dictionary::Node node = Dictionary::kRoot;
      for (const auto* at = begin + begins[first]; at != end;) {
        node = dictionary_->step(node, Reader::next(at, end));
        if (node == Dictionary::kNowhere) break;
        if (!dictionary_->is_word(node)) continue;
        const auto word_end = static_cast<std::size_t>(at - begin);
        while (unit < size && ends[unit] < word_end) ++unit;
        if (unit < size && ends[unit] == word_end) behind = unit + 1;
      }
      if (behind > first) {
        begin_word(rules[first]);
        std::fill(rules.begin() + static_cast<std::ptrdiff_t>(first + 1),
                  rules.begin() + static_cast<std::ptrdiff_t>(behind), Rules::merge);
        if (behind < size) begin_word(rules[behind]);
      }
      searched_ = std::max(first + 1, behind);
    }
  }

  // A word begins there, whatever else has been said of it: where a text or a paragraph begins, a sentence does, too.
  void begin_word(std::uint8_t& rule) const {
    const auto stricter = static_cast<std::uint8_t>(rule & rules_.begin());
    rule = stricter != 0 ? stricter : rules_.begin();
  }

  Rules rules_;
  Spaces spaces_;
  bool runs_, spelt_;
  const Variants& variants_;
  const Dictionary* dictionary_;
  std::size_t at_once_;  // units decided at a time
  std::size_t before_, ahead_;
  std::size_t searched_ = 0;  // up to here the dictionary has been applied
  std::uint8_t last_kind_ = kOutsideKind;
  std::uint32_t line_ = 0;  // units of the line so far
};

}  // namespace budgie::features
