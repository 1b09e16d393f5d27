// SPDX-License-Identifier: Apache-2.0
// From any text to the characters that features see: letters and marks, with one space for everything between them.
// The only place that decodes: UTF-8 bytes, or the 1-, 2- or 4-byte code units of a Python str.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "stop.hpp"
#include "text/ascii.hpp"
#include "text/scripts.hpp"
#include "text/unicode_table.hpp"

namespace budgie::text {

constexpr char32_t kReplacement = 0xFFFD;

// A text that somebody else owns. `kind` says how its code units are read: bytes of UTF-8, or whole characters.
struct TextView {
  enum class Kind : std::uint8_t { utf8, latin1, ucs2, ucs4 };
  const void* data = nullptr;
  std::size_t length = 0;  // in code units
  Kind kind = Kind::utf8;

  std::size_t width() const { return kind == Kind::ucs4 ? 4 : kind == Kind::ucs2 ? 2 : 1; }  // bytes of a code unit
  std::size_t bytes() const { return length * width(); }
  // The code units [begin, end).
  TextView part(std::size_t begin, std::size_t end) const {
    return {static_cast<const char*>(data) + begin * width(), end - begin, kind};
  }
};

// Code points of well-formed UTF-8; each maximal part of ill-formed UTF-8 is one U+FFFD (Unicode, section 3.9).
struct Utf8 {
  using CodeUnit = std::uint8_t;

  static char32_t next(const CodeUnit*& at, const CodeUnit* end) {
    const CodeUnit lead = *at++;
    if (lead < 0x80) return lead;
    if (lead < 0xC2 || lead > 0xF4) return kReplacement;
    const int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    // The second byte's range excludes overlong forms, surrogates and what lies beyond U+10FFFF.
    const CodeUnit low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const CodeUnit high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (at == end || *at < low || *at > high) return kReplacement;
    char32_t code = static_cast<char32_t>(lead & (0x3F >> more)) << 6 | (*at++ & 0x3F);
    for (int i = 1; i < more; ++i) {
      if (at == end || (*at & 0xC0) != 0x80) return kReplacement;
      code = code << 6 | (*at++ & 0x3F);
    }
    return code;
  }

  // The first code unit from here on that does not go on with a character.
  static const CodeUnit* boundary(const CodeUnit* at, const CodeUnit* end) {
    while (at != end && (*at & 0xC0) == 0x80) ++at;
    return at;
  }
};

// The bytes of a code point in UTF-8; returns how many.
inline std::size_t encode(char32_t c, std::array<std::uint8_t, 4>& bytes) {
  const auto byte = [](char32_t value) { return static_cast<std::uint8_t>(value); };
  const auto more = [&](int shift) { return byte(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    bytes = {byte(c)};
    return 1;
  }
  if (c < 0x800) {
    bytes = {byte(0xC0 | c >> 6), more(0)};
    return 2;
  }
  if (c < 0x10000) {
    bytes = {byte(0xE0 | c >> 12), more(6), more(0)};
    return 3;
  }
  bytes = {byte(0xF0 | c >> 18), more(12), more(6), more(0)};
  return 4;
}

// A Python str: every code unit is one code point; a lone surrogate is one U+FFFD.
template <class U>
struct CodePoints {
  using CodeUnit = U;

  static char32_t next(const CodeUnit*& at, const CodeUnit*) {
    const char32_t code = *at++;
    if constexpr (sizeof(CodeUnit) > 1) {
      if ((code & 0xFFFFF800) == 0xD800 || code > 0x10FFFF) return kReplacement;
    }
    return code;
  }

  static const CodeUnit* boundary(const CodeUnit* at, const CodeUnit*) { return at; }
};

// How text becomes characters: a model's budgie.model.config.Text, as tables.
struct Folding {
  // All alphabets of Europe and most others of letters with case lie below; the rest goes through smaller tables.
  static constexpr char32_t kDirect = 0x2000;
  static constexpr std::uint16_t kSpecial = 0;  // may begin or end an address, or begin markup
  static constexpr std::uint16_t kBetween = 1;
  static constexpr char32_t kBlock = 128;  // code points
  static constexpr char32_t kBlocks = 0x110000 / kBlock;

  // Letters outside of the blocks of 128 code points listed count as no letters; no list means all of them.
  Folding(bool fold_case_, bool drop_markup_, bool drop_urls_, const std::vector<std::uint32_t>& blocks)
      : fold_case(fold_case_), drop_markup(drop_markup_), drop_urls(drop_urls_), known(kBlocks, blocks.empty()) {
    for (const std::uint32_t block : blocks) known.at(block) = 1;
    for (char32_t c = 0; c < kDirect; ++c) {
      const CharacterClass kind = character(c).kind;
      const bool special = c == '@' || c == ':' || c == '<' || is_unspaced(c);
      const char32_t between = kind == CharacterClass::space ? U' ' : special ? kSpecial : kBetween;
      direct[c] = static_cast<std::uint16_t>(is_letter(c) ? fold(c) : between);
    }
    plain_ascii = fold_case && known[0] != 0;
    for (char32_t c = 0; c < kBlock; ++c) {
      const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z', white = c == ' ' || (c >= '\t' && c <= '\r');
      const bool special = c == '@' || c == ':' || c == '<';
      plain_ascii &= direct[c] == (letter ? (c | 0x20) : white ? U' ' : special ? kSpecial : kBetween);
    }
  }

  bool is_letter(char32_t c) const { return character(c).kind <= CharacterClass::mark && known[c / kBlock] != 0; }
  char32_t fold(char32_t c) const { return fold_case ? c + static_cast<char32_t>(character(c).lower) : c; }

  bool fold_case, drop_markup, drop_urls;
  bool plain_ascii;  // whether ASCII becomes what read_ascii() makes of it
  std::vector<std::uint8_t> known;
  // What a character below kDirect becomes: a letter, ' ' for white space, kBetween for what else is between words.
  std::array<std::uint16_t, kDirect> direct;
};

// Reads a text once, from front to back, in pieces of any size.
template <class Reader>
class Characters {
 public:
  using CodeUnit = typename Reader::CodeUnit;

  Characters(const CodeUnit* begin, const CodeUnit* end, const Folding& folding, Stop& stop)
      : begin_(begin), end_(end), at_(begin), folding_(folding), stop_(stop) {}

  // Writes the next characters, at most `capacity`, and how many code units of the text were read before each of them.
  // The whole stream begins and ends with a space and never has two in a row. Returns 0 when it is over.
  template <bool kOffsets = false>
  std::size_t fill(char32_t* out, std::size_t capacity, std::size_t* offsets = nullptr) {
    // Locals, not members: a write to `out` might change a member, for all the compiler knows.
    const CodeUnit* at = at_;
    char32_t last = last_;
    const std::uint8_t* known = folding_.known.data();
    std::size_t count = 0;
    const auto put = [&](char32_t c, const CodeUnit* from) {
      if constexpr (kOffsets) offsets[count] = static_cast<std::size_t>(from - begin_);
      out[count++] = last = c;
    };
    if (last == 0) put(' ', at);
    const char32_t before = last;
    const bool reads_ascii = read_ascii != nullptr && folding_.plain_ascii;
    std::size_t token = count;  // where in `out` the current run began: behind white space, or as is_unspaced says
    // Whoever asks for pieces may look between them; but what is between words may be as long as the text.
    for (const CodeUnit* looked = end_of_stretch(at); count < capacity;) {
      if (__builtin_expect(at >= looked, 0)) {
        if (at == end_) {
          if (last != ' ') put(' ', at);
          break;
        }
        looked = next_stretch(at);
      }
      if constexpr (!kOffsets && sizeof(CodeUnit) == 1) {
        if (reads_ascii && looked - at >= kAsciiRun && capacity - count >= kAscii && begins_ascii(at)) {
          AsciiState state{count, last, token};
          const CodeUnit* behind = read_ascii(at, looked, out, capacity, state);
          if (behind != at) {
            at = behind;
            count = state.count;
            last = state.last;
            token = state.token;
            continue;
          }
        }
      }
      const CodeUnit* from = at;
      const char32_t c = Reader::next(at, end_);
      if (const std::uint16_t folded = c < Folding::kDirect ? folding_.direct[c] : Folding::kSpecial;
          folded != Folding::kSpecial) {
        // No branch depends on where words end: the character is always written, and the count says whether it stays.
        const bool letter = folded > ' ';
        if constexpr (kOffsets) offsets[count] = static_cast<std::size_t>(from - begin_);
        out[count] = letter ? folded : ' ';
        count += letter | (last != ' ');
        last = letter ? folded : ' ';
        token = folded == ' ' ? count : token;
        continue;
      }
      // What Folding::is_letter and Folding::fold say, with one look at the table.
      const CharacterRecord& record = character(c);
      if (record.kind <= CharacterClass::mark && known[c / Folding::kBlock] != 0) {
        put(folding_.fold_case ? c + static_cast<char32_t>(record.lower) : c, from);
        continue;
      }
      // Full-width commas and the like are frequent; all else takes a call.
      if ((c >= 0xFF01 && c <= 0xFF1F) || ends_token(c)) {
        token = count;
      } else if (folding_.drop_urls && (c == '@' || (c == ':' && ahead(at, 0) == '/' && ahead(at, 1) == '/'))) {
        // The whole token goes, as far back as this piece reaches. No character is looked at twice: those that are, go.
        if (const std::size_t begin = begin_of_address(out, token, count); begin < count) {
          if constexpr (kOffsets) from = begin_ + offsets[begin];
          count = begin;
          last = count > 0 ? out[count - 1] : before;
        }
        at = behind_token(at);
      } else if (folding_.drop_markup && c == '<') {
        at = behind_markup(at);
      }
      if (last != ' ') put(' ', from);
    }
    at_ = at;
    last_ = last;
    return count;
  }

 private:
  static constexpr int kLongestTag = 1000;  // code points
  static constexpr std::ptrdiff_t kAsciiRun = kAscii;

  char32_t ahead(const CodeUnit* at, std::ptrdiff_t count) const { return end_ - at > count ? at[count] : 0; }

  const CodeUnit* end_of_stretch(const CodeUnit* at) const {
    return at + std::min(end_ - at, static_cast<std::ptrdiff_t>(Stop::kStretch));
  }

  // Not inline: the loops around it keep their registers.
  __attribute__((noinline, cold)) const CodeUnit* next_stretch(const CodeUnit* at) const {
    stop_.look();
    return end_of_stretch(at);
  }

  // Behind the last character of the token out[token .. count) that no address goes across. Not inline either.
  __attribute__((noinline, cold)) static std::size_t begin_of_address(const char32_t* out, std::size_t token,
                                                                      std::size_t count) {
    while (count > token && !is_unspaced(out[count - 1])) --count;
    return count;
  }

  // Whether no address goes across this character.
  __attribute__((noinline, cold)) static bool ends_token(char32_t c) {
    return is_unspaced(c) || character(c).kind == CharacterClass::space;
  }

  const CodeUnit* behind_token(const CodeUnit* at) const {
    for (const CodeUnit* looked = end_of_stretch(at); at != end_;) {
      if (at >= looked) looked = next_stretch(at);
      const CodeUnit* before = at;
      if (ends_token(Reader::next(at, end_))) return before;
    }
    return end_;
  }

  // Behind the '>' if it comes before another '<' and near enough, else where we are. Stopping at '<' keeps this
  // linear; counting code points, not code units, gives bytes and str the same characters.
  const CodeUnit* behind_markup(const CodeUnit* at) const {
    const CodeUnit* behind = at;
    for (int i = 0; i < kLongestTag && behind != end_; ++i) {
      const char32_t c = Reader::next(behind, end_);
      if (c == '>') return behind;
      if (c == '<') break;
    }
    return at;
  }

  const CodeUnit* begin_;
  const CodeUnit* end_;
  const CodeUnit* at_;
  const Folding& folding_;
  Stop& stop_;
  char32_t last_ = 0;
};

// Calls visit(reader, begin, end) with the reader that fits the text.
template <class Visit>
auto decode(const TextView& text, Visit&& visit) {
  const auto call = [&](auto reader) {
    const auto* begin = static_cast<const typename decltype(reader)::CodeUnit*>(text.data);
    return visit(reader, begin, begin + text.length);
  };
  switch (text.kind) {
    case TextView::Kind::latin1:
      return call(CodePoints<std::uint8_t>{});
    case TextView::Kind::ucs2:
      return call(CodePoints<std::uint16_t>{});
    case TextView::Kind::ucs4:
      return call(CodePoints<std::uint32_t>{});
    default:
      return call(Utf8{});
  }
}

// Calls visit(Characters<Reader>) for the text.
template <class Visit>
auto read(const TextView& text, const Folding& folding, Stop& stop, Visit&& visit) {
  return decode(text, [&](auto reader, const auto* begin, const auto* end) {
    return visit(Characters<decltype(reader)>(begin, end, folding, stop));
  });
}

constexpr char32_t kZeroWidthSpace = 0x200B;  // of Khmer and Thai

// Whether a character is white space between words.
inline bool is_space(char32_t c) { return character(c).kind == CharacterClass::space || c == kZeroWidthSpace; }

// Whether there is nothing but white space.
inline bool is_blank(const TextView& text) {
  return decode(text, [](auto reader, const auto* at, const auto* end) {
    while (at != end) {
      if (!is_space(reader.next(at, end))) return false;
    }
    return true;
  });
}

}  // namespace budgie::text
