// SPDX-License-Identifier: Apache-2.0
// The units that words are made of: characters, or runs of characters that no word ends inside of.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "text/hash.hpp"
#include "text/scripts.hpp"
#include "text/text.hpp"

namespace budgie::text {

enum class UnitKind : std::uint8_t { space, other, digits, alphabet, han, hiragana, katakana, syllabic };

// The script of a letter, as far as it matters to where words end: letters of most alphabets stand together until a
// space comes, those named here do not.
inline UnitKind script_of(char32_t c) {
  if (c < 0xE00) return UnitKind::alphabet;
  if (is_han(c)) return UnitKind::han;
  if (is_hiragana(c)) return UnitKind::hiragana;
  if (is_katakana(c)) return UnitKind::katakana;
  if (is_syllabic(c)) return UnitKind::syllabic;
  return UnitKind::alphabet;
}

inline UnitKind kind_of(char32_t c) {
  switch (character(c).kind) {
    case CharacterClass::letter:
    case CharacterClass::mark:
      return script_of(c);
    case CharacterClass::digit:
      return UnitKind::digits;
    case CharacterClass::space:
      return UnitKind::space;
    default:
      return c == kZeroWidthSpace ? UnitKind::space : c == 0x3007 ? UnitKind::han : UnitKind::other;
  }
}

// Half-width Katakana, from U+FF66 on, as they are usually written; their voicing marks as combining ones.
constexpr char16_t kKatakana[] =
    u"\u30F2\u30A1\u30A3\u30A5\u30A7\u30A9\u30E3\u30E5\u30E7\u30C3\u30FC\u30A2\u30A4\u30A6\u30A8\u30AA\u30AB\u30AD"
    u"\u30AF"
    u"\u30B1\u30B3\u30B5\u30B7\u30B9\u30BB\u30BD\u30BF\u30C1\u30C4\u30C6\u30C8\u30CA\u30CB\u30CC\u30CD\u30CE\u30CF"
    u"\u30D2"
    u"\u30D5\u30D8\u30DB\u30DE\u30DF\u30E0\u30E1\u30E2\u30E4\u30E6\u30E8\u30E9\u30EA\u30EB\u30EC\u30ED\u30EF\u30F3"
    u"\u3099\u309A";

// A Kana with a voicing mark as one character, or 0 where there is none: in the table of Unicode it mostly comes right
// after the Kana without.
inline char32_t voiced(char32_t kana, char32_t mark) {
  const char32_t hiragana = script_of(kana) == UnitKind::katakana ? kana - 0x60 : kana;
  const bool h_row = hiragana >= 0x306F && hiragana <= 0x307B && (hiragana - 0x306F) % 3 == 0;
  if (mark == 0x309A) return h_row ? kana + 2 : 0;
  if (mark != 0x3099) return 0;
  if (hiragana == 0x3046) return kana + 0x4E;             // u
  if (kana >= 0x30EF && kana <= 0x30F2) return kana + 8;  // Katakana wa to wo
  const bool k_to_t = (hiragana >= 0x304B && hiragana <= 0x3061 && hiragana % 2 == 1) ||
                      (hiragana >= 0x3064 && hiragana <= 0x3068 && hiragana % 2 == 0);
  return k_to_t || h_row || hiragana == 0x309D ? kana + 1 : 0;
}

// Whether letters of its script are capitals or small ones: Latin, Greek, Cyrillic, Armenian. What is small there goes
// on with a sentence; where there are no capitals it tells nothing.
inline bool has_case(char32_t letter) {
  const auto between = [letter](char32_t first, char32_t last) { return first <= letter && letter <= last; };
  return letter < 0x590 || between(0x1C80, 0x1C8F) || between(0x1E00, 0x1FFF) || between(0x2C60, 0x2C7F) ||
         between(0xA640, 0xA7FF) || between(0xAB30, 0xAB6F) || between(0xFB00, 0xFB17) || between(0xFF21, 0xFF5A);
}

struct Unit {
  std::size_t begin = 0;  // in the text, in its own measure: bytes of UTF-8, or characters of a str
  std::uint32_t id = 0;   // a character, or the hash of several with the highest bit set
  UnitKind kind = UnitKind::other;
  std::uint8_t lines = 0;  // of white space: how many line ends are in it, up to two
  bool wide = false;       // of white space: is it more than one space
};

// How a unit is written: its kind, its capitals and roughly how long it is, as one number, and how it ends.
struct Spelling {
  static constexpr std::size_t kEnding = 4;  // characters
  enum class Capitals : std::uint8_t { none, one_letter, first, all, some, caseless };

  static constexpr std::uint16_t kCapitals = 6, kLengths = 4, kGaps = 8;  // that a shape has room for

  // How a shape is capitalised, from 1 on; 0 where it is not of letters of an alphabet.
  static std::uint32_t capitals_of(std::uint16_t shape) {
    const std::uint32_t both = shape / (kLengths * kGaps);
    return both / kCapitals == static_cast<std::uint32_t>(UnitKind::alphabet) ? 1 + both % kCapitals : 0;
  }

  std::uint16_t shape = 0;
  std::uint8_t line = 0;                   // roughly how many units of its line stand before it
  std::array<char32_t, kEnding> ending{};  // small letters, the last one last; 0 before the first one of the unit
};

// Reads a text once, from front to back, unit by unit.
template <class Reader>
class UnitReader {
 public:
  using CodeUnit = typename Reader::CodeUnit;

  // Full-width forms count as plain ones and capitals as small letters. Either each character is a unit, or with `runs`
  // numbers, words of an alphabet (with the joiners inside of them), addresses, emoji, and letters with their marks
  // stay whole.
  UnitReader(const CodeUnit* begin, const CodeUnit* end, bool runs, Stop& stop)
      : begin_(begin), end_(end), at_(begin), runs_(runs), stop_(stop) {}

  // How far it has read.
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

  bool next(Unit& unit) {
    if (at_ == end_) return false;
    look();
    unit.begin = position();
    const char32_t first = take();
    unit.kind = kind_of(first);
    unit.id = first;
    unit.lines = is_line_end(first) ? 1 : 0;
    unit.wide = false;
    if (!runs_) return true;
    switch (unit.kind) {
      case UnitKind::space:
        unit.wide = first == '\t';
        for (char32_t last = first; at_ != end_ && kind_of(peek()) == UnitKind::space;) {
          const char32_t c = take();
          if (is_line_end(c) && !(c == '\n' && last == '\r') && unit.lines < 2) ++unit.lines;
          unit.wide = true;
          last = c;
          look();
        }
        unit.id = ' ';
        return true;
      case UnitKind::digits:
        unit.id = number();
        break;
      case UnitKind::alphabet:
        unit.id = address(unit.begin, first) ? kAddress : word(first);
        break;
      default:
        break;
    }
    attach(unit, first);
    return true;
  }

  // How the unit that was just read is written; of a long one its first and its last characters count.
  Spelling spelling(const Unit& unit) const {
    Spelling found;
    std::size_t length = 0, capitals = 0;
    bool first = false, cased = false;
    const auto put = [&](char32_t c) {
      const CharacterRecord& record = character(c);
      std::copy(found.ending.begin() + 1, found.ending.end(), found.ending.begin());
      found.ending.back() = c + static_cast<char32_t>(record.lower);
      return record.lower != 0;
    };
    const CodeUnit* at = begin_ + unit.begin;
    for (; at != at_ && length < kSpelt; ++length) {
      const char32_t c = Reader::next(at, at_);
      const bool capital = put(c);
      capitals += capital;
      if (length == 0) {
        first = capital;
        cased = unit.kind != UnitKind::alphabet || has_case(c);
      }
    }
    if (at_ - at > static_cast<std::ptrdiff_t>(kSpelt)) at = Reader::boundary(at_ - kSpelt, at_);
    while (at != at_) put(Reader::next(at, at_));
    using Capitals = Spelling::Capitals;
    const Capitals how = capitals == 0            ? (cased ? Capitals::none : Capitals::caseless)
                         : length == 1            ? Capitals::one_letter
                         : capitals == length     ? Capitals::all
                         : capitals == 1 && first ? Capitals::first
                                                  : Capitals::some;
    const bool counted = unit.kind == UnitKind::alphabet || unit.kind == UnitKind::digits;
    const auto number = [](auto one) { return static_cast<unsigned>(one); };
    found.shape =
        static_cast<std::uint16_t>((number(unit.kind) * Spelling::kCapitals + number(how)) * Spelling::kLengths +
                                   (counted ? number(std::min<std::size_t>(length, 4)) - 1 : 0));
    return found;
  }

 private:
  static constexpr std::size_t kSpelt = 16;  // characters, or code units, of either end of a unit
  static constexpr std::uint32_t kHashed = 0x80000000u;
  static constexpr std::uint32_t kAddress = kHashed;
  static constexpr int kLongestName = 64;  // of a mailbox: how far one looks for an @
  static constexpr int kDigitsTold = 5;    // numbers of more digits look alike

  // A unit may be as long as the text.
  void look() {
    if (at_ < looked_) return;
    stop_.look();
    looked_ = at_ + std::min(end_ - at_, static_cast<std::ptrdiff_t>(Stop::kStretch));
  }

  char32_t take() {
    const char32_t c = Reader::next(at_, end_);
    if (c >= 0xFF66 && c <= 0xFF9F) return kKatakana[c - 0xFF66];
    const char32_t narrow = c >= 0xFF01 && c <= 0xFF5E ? c - 0xFEE0 : c;
    return narrow + static_cast<char32_t>(character(narrow).lower);
  }

  char32_t peek() const { return UnitReader(*this).take(); }

  // What a number looks like to the network: how many digits, and whether there is a point.
  std::uint32_t number() {
    std::uint32_t hash = extend(kHashSeed, '0');
    for (int told = 1; at_ != end_;) {
      UnitReader ahead(*this);
      char32_t c = ahead.take();
      const bool point = c == '.' || c == ',';
      if (point) {
        if (ahead.at_ == end_) break;
        c = ahead.take();
      }
      if (kind_of(c) != UnitKind::digits) break;
      at_ = ahead.at_;
      look();
      if (point) hash = extend(hash, '.');
      if (++told <= kDigitsTold) hash = extend(hash, '0');
    }
    return hash | kHashed;
  }

  std::uint32_t word(char32_t first) {
    std::uint32_t hash = extend_word(kHashSeed, first);
    while (at_ != end_) {
      UnitReader ahead(*this);
      char32_t c = ahead.take();
      if (is_joiner(c) && ahead.at_ != end_) {
        // It says how two letters are written (Persian, Sinhala), not that one word ends and another begins.
        const char32_t joiner = c;
        c = ahead.take();
        if (kind_of(c) == UnitKind::alphabet) hash = extend_word(hash, joiner);
      }
      if (kind_of(c) != UnitKind::alphabet) break;
      hash = extend_word(hash, c);
      at_ = ahead.at_;
      look();
    }
    return finish(hash) | kHashed;
  }

  static bool plain(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

  // Goes to the end of a web or mail address, if one begins with the letter that was just read.
  bool address(std::size_t begin, char32_t first) {
    if (!plain(first)) return false;
    UnitReader ahead(*this);
    ahead.at_ = begin_ + begin;
    char32_t seen[4] = {};
    for (int i = 0; i < kLongestName && ahead.at_ascii(); ++i) {
      const char32_t c = ahead.take();
      if (c == ':' && i > 1 && ahead.skip("//")) return go_behind_address(ahead);
      if (c == '.' && i == 3 && seen[0] == 'w' && seen[1] == 'w' && seen[2] == 'w') return go_behind_address(ahead);
      if (c == '@') return ahead.at_ascii() && plain(ahead.peek()) && go_behind_address(ahead);
      if (!plain(c) && c != '.' && c != '_' && c != '-' && c != '+') return false;
      if (i < 4) seen[i] = c;
    }
    return false;
  }

  // Full-width forms, and letters that have an ASCII letter as their small one, are text.
  bool at_ascii() const { return at_ != end_ && *at_ < 0x80; }

  bool skip(const char* text) {
    for (; *text != 0; ++text) {
      if (!at_ascii() || take() != static_cast<char32_t>(*text)) return false;
    }
    return true;
  }

  // An address goes on to the first character that is not plain ASCII or cannot be meant; a full stop ends a sentence,
  // and a comma or a semicolon stands between two addresses.
  bool go_behind_address(UnitReader ahead) {
    const CodeUnit* behind = ahead.at_;
    while (ahead.at_ != ahead.end_) {
      const char32_t c = *ahead.at_;
      if (c <= ' ' || c >= 0x7F || c == '<' || c == '>' || c == '"' || c == '\'' || c == '(' || c == ')') break;
      if (c == ',' || c == ';') break;
      ++ahead.at_;
      ahead.look();
      if (c != '.' && c != '!' && c != '?' && c != ':') behind = ahead.at_;
    }
    at_ = behind;
    return true;
  }

  // Marks, and what joins emoji and letters below one another, belong to the character before them.
  void attach(Unit& unit, char32_t last) {
    const bool flag = is_flag(last);
    for (bool paired = false; at_ != end_;) {
      UnitReader ahead(*this);
      char32_t c = ahead.take();
      const bool joiner = c == 0x200D;
      const bool below = last == 0x17D2 || last == 0x1039;  // Khmer coeng, Burmese virama
      const bool modifier = (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0xE0020 && c <= 0xE007F);
      const bool second = flag && !paired && is_flag(c);
      if (!joiner && !modifier && !second && character(c).kind != CharacterClass::mark &&
          !(below && kind_of(c) == UnitKind::syllabic)) {
        break;
      }
      paired |= second;
      const char32_t whole = voiced(unit.id, c);
      unit.id = whole != 0 ? whole : extend(unit.id, c) | kHashed;
      if (joiner && ahead.at_ != ahead.end_ && kind_of(ahead.peek()) == UnitKind::other) {
        c = ahead.take();
        unit.id = extend(unit.id, c) | kHashed;
      }
      at_ = ahead.at_;
      look();
      last = c;
    }
  }

  static bool is_line_end(char32_t c) { return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029; }
  static bool is_joiner(char32_t c) { return c == 0x200C || c == 0x200D; }  // without and with a visible join
  static bool is_flag(char32_t c) { return c >= 0x1F1E6 && c <= 0x1F1FF; }

  const CodeUnit* begin_;
  const CodeUnit* end_;
  const CodeUnit* at_;
  const CodeUnit* looked_ = at_;  // up to here nobody has to look whether to stop
  bool runs_;
  Stop& stop_;
};

}  // namespace budgie::text
