// SPDX-License-Identifier: Apache-2.0
// From any text to the characters that features see: letters and marks, with one space for everything between them.
// The only place that decodes: UTF-8 bytes, or the 1-, 2- or 4-byte units of a Python str.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "unicode_table.hpp"

namespace budgie {

constexpr char32_t kReplacement = 0xFFFD;

// How text becomes characters; part of the model's configuration (budgie.config.Text).
struct Folding {
  bool fold_case = true;
  bool drop_markup = false;
  bool drop_urls = true;
};

// A text that somebody else owns. `kind` says how its units are read.
struct TextView {
  enum class Kind : std::uint8_t { utf8, latin1, ucs2, ucs4 };
  const void* data = nullptr;
  std::size_t units = 0;
  Kind kind = Kind::utf8;

  std::size_t bytes() const { return units * (kind == Kind::ucs4 ? 4 : kind == Kind::ucs2 ? 2 : 1); }
};

// Code points of well-formed UTF-8; each maximal part of ill-formed UTF-8 is one U+FFFD (Unicode, section 3.9).
struct Utf8 {
  using Unit = std::uint8_t;

  static char32_t next(const Unit*& at, const Unit* end) {
    const Unit lead = *at++;
    if (lead < 0x80) return lead;
    if (lead < 0xC2 || lead > 0xF4) return kReplacement;
    const int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    // The second byte's range excludes overlong forms, surrogates and what lies beyond U+10FFFF.
    const Unit low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const Unit high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (at == end || *at < low || *at > high) return kReplacement;
    char32_t code = static_cast<char32_t>(lead & (0x3F >> more)) << 6 | (*at++ & 0x3F);
    for (int i = 1; i < more; ++i) {
      if (at == end || (*at & 0xC0) != 0x80) return kReplacement;
      code = code << 6 | (*at++ & 0x3F);
    }
    return code;
  }
};

// A Python str: every unit is one code point; a lone surrogate is one U+FFFD.
template <class U>
struct CodePoints {
  using Unit = U;

  static char32_t next(const Unit*& at, const Unit*) {
    const char32_t code = *at++;
    if constexpr (sizeof(Unit) > 1) {
      if ((code & 0xFFFFF800) == 0xD800 || code > 0x10FFFF) return kReplacement;
    }
    return code;
  }
};

// Reads a text once, from front to back, in pieces of any size.
template <class Reader>
class Characters {
 public:
  using Unit = typename Reader::Unit;

  Characters(const TextView& text, const Folding& folding)
      : begin_(static_cast<const Unit*>(text.data)),
        end_(begin_ + text.units),
        at_(begin_),
        searched_(begin_),
        folding_(folding) {}

  // Writes the next characters, at most `capacity`, and how many units of the text were read before each of them.
  // The whole stream begins and ends with a space and never has two in a row. Returns 0 when it is over.
  template <bool kOffsets = false>
  std::size_t fill(char32_t* out, std::size_t capacity, std::size_t* offsets = nullptr) {
    std::size_t count = 0;
    std::size_t token = 0;  // where in `out` the current run without white space began
    const auto put = [&](char32_t c, const Unit* from) {
      if constexpr (kOffsets) offsets[count] = static_cast<std::size_t>(from - begin_);
      out[count++] = last_ = c;
    };
    if (last_ == 0) put(' ', at_);
    while (count < capacity) {
      if (at_ == end_) {
        if (last_ != ' ') put(' ', at_);
        break;
      }
      const Unit* from = at_;
      const char32_t c = Reader::next(at_, end_);
      const CharacterRecord& record = character(c);
      if (record.kind <= CharacterClass::mark) {
        put(folding_.fold_case ? c + static_cast<char32_t>(record.lower) : c, from);
        continue;
      }
      if (record.kind == CharacterClass::space) {
        token = count;
      } else if (folding_.drop_urls && (c == '@' || (c == ':' && ahead(0) == '/' && ahead(1) == '/'))) {
        // The whole token goes, as far back as this piece reaches.
        if (count > token) {
          count = token;
          last_ = count > 0 ? out[count - 1] : ' ';
        }
        skip_token();
      } else if (folding_.drop_markup && c == '<') {
        skip_markup();
      }
      if (last_ != ' ') put(' ', from);
    }
    return count;
  }

 private:
  static constexpr std::ptrdiff_t kLongestTag = 1000;

  char32_t ahead(std::ptrdiff_t units) const { return end_ - at_ > units ? at_[units] : 0; }

  void skip_token() {
    while (at_ != end_) {
      const Unit* before = at_;
      if (character(Reader::next(at_, end_)).kind == CharacterClass::space) {
        at_ = before;
        return;
      }
    }
  }

  // Moves behind the '>' if there is one near enough. `searched_` remembers where there is none: linear time.
  void skip_markup() {
    const Unit* limit = end_ - at_ > kLongestTag ? at_ + kLongestTag : end_;
    const Unit* start = std::max(at_, searched_);
    const Unit* found = start < limit ? std::find(start, limit, static_cast<Unit>('>')) : limit;
    if (found == limit) {
      searched_ = std::max(searched_, limit);
    } else {
      at_ = found + 1;
    }
  }

  const Unit* begin_;
  const Unit* end_;
  const Unit* at_;
  const Unit* searched_;
  Folding folding_;
  char32_t last_ = 0;
};

// Calls visit(Characters<Reader>) with the reader that fits the text.
template <class Visit>
auto read(const TextView& text, const Folding& folding, Visit&& visit) {
  switch (text.kind) {
    case TextView::Kind::latin1:
      return visit(Characters<CodePoints<std::uint8_t>>(text, folding));
    case TextView::Kind::ucs2:
      return visit(Characters<CodePoints<std::uint16_t>>(text, folding));
    case TextView::Kind::ucs4:
      return visit(Characters<CodePoints<std::uint32_t>>(text, folding));
    default:
      return visit(Characters<Utf8>(text, folding));
  }
}

}  // namespace budgie
