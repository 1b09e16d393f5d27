// SPDX-License-Identifier: Apache-2.0
// What is known of a text: languages, sentences, tokens, words and tags. Offsets are in the text's own measure: bytes
// of UTF-8 or characters of a str.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tasks/langid.hpp"

namespace budgie::annotation {

// The names behind the numbers of a document.
struct Names {
  std::vector<std::string> languages{};
  std::vector<std::string> tags{};
};

constexpr std::uint16_t kNoTag = 0xFFFF;

struct TagOf {
  std::uint16_t tag = kNoTag;
  float probability = 0;  // where asked for
};

struct Token {
  std::size_t start = 0, end = 0;
  // Of a multiword token the first of its words and the one behind the last; else both are the same.
  std::uint32_t first_word = 0, last_word = 0;
  TagOf tag{};               // if it is a word itself
  bool space_after = false;  // white space stands behind it

  bool multiword() const { return first_word != last_word; }
};

// A word of a multiword token: its characters are [start, end) of Document::characters.
struct Word {
  std::size_t start = 0, end = 0;
  TagOf tag{};
};

struct Sentence {
  std::size_t first_token = 0, last_token = 0;  // and the one behind the last; never none
  std::uint32_t language = 0;
};

struct Document {
  // The language that most of the text is in, by number; if that of none is known, that of none.
  std::uint32_t language = 0;
  std::vector<Span> spans{};  // tile the text; languages by number, also where none is known
  std::vector<Sentence> sentences{};
  std::vector<Token> tokens{};
  std::vector<Word> words{};
  std::u32string characters{};
  bool tagged = false, probable = false;  // whether tags, and probabilities, were asked for

  // That language, as sure as it is of the longest span in it; not at all where there is none.
  Identification identification() const {
    Identification found{static_cast<std::int32_t>(language)};
    std::size_t longest = 0;
    for (const Span& span : spans) {
      if (span.identification.language != found.language || span.end - span.start <= longest) continue;
      longest = span.end - span.start;
      found = span.identification;
    }
    return found;
  }
  std::size_t start_of(const Sentence& sentence) const { return tokens[sentence.first_token].start; }
  std::size_t end_of(const Sentence& sentence) const { return tokens[sentence.last_token - 1].end; }
  bool has_tag(const Token& token) const {
    return (token.multiword() ? words[token.first_word].tag.tag : token.tag.tag) != kNoTag;
  }
  bool has_probability(const TagOf& tag) const { return probable && tag.tag != kNoTag; }
  TextView text_of(const Word& word) const {
    return {characters.data() + word.start, word.end - word.start, TextView::Kind::ucs4};
  }
};

}  // namespace budgie::annotation
