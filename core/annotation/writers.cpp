// SPDX-License-Identifier: Apache-2.0
#include "annotation/writers.hpp"

#include <charconv>
#include <cstdio>
#include <utility>

namespace budgie::annotation {

namespace {

constexpr std::size_t kLook = 64;  // tokens between two looks whether to stop

// Puts together one text.
class Writer {
 public:
  Writer(const Document& document, const Names& names, const TextView& text, Stop& stop)
      : document_(document), names_(names), text_(text), stop_(stop) {}

  std::string conllu(const std::string& prefix) {
    std::size_t number = 0;
    for (const Sentence& sentence : document_.sentences) {
      put("# sent_id = ", prefix, ++number, "\n# lang = ", names_.languages[sentence.language], "\n# text = ");
      put_line(document_.start_of(sentence), document_.end_of(sentence));
      put("\n");
      std::size_t word = 0;
      for_each_token(sentence, [&](const Token& token) { put_rows(token, word); });
      put("\n");
    }
    return std::move(out_);
  }

  std::string json() {
    put("{\"language\": ");
    put_json(names_.languages[document_.language]);
    put(", \"reliable\": ", document_.identification().reliable() ? "true" : "false", ", \"spans\": ");
    put_list(document_.spans, [&](const Span& span) {
      put("{\"start\": ", span.start, ", \"end\": ", span.end, ", \"language\": ");
      put_json(names_.languages[static_cast<std::size_t>(span.identification.language)]);
      put(", \"probability\": ", span.identification.probability,
          ", \"reliable\": ", span.identification.reliable() ? "true" : "false", "}");
    });
    put(", \"sentences\": ");
    put_list(document_.sentences, [&](const Sentence& sentence) {
      put("{\"start\": ", document_.start_of(sentence), ", \"end\": ", document_.end_of(sentence), ", \"language\": ");
      put_json(names_.languages[sentence.language]);
      put(", \"tokens\": [");
      bool first = true;
      for_each_token(sentence, [&](const Token& token) {
        if (!std::exchange(first, false)) put(", ");
        put_json(token);
      });
      put("]}");
    });
    put("}");
    return std::move(out_);
  }

  std::string tsv(const std::string& prefix) {
    std::size_t number = 0;
    for (const Sentence& sentence : document_.sentences) {
      ++number;
      for_each_token(sentence, [&](const Token& token) {
        put(prefix, number, "\t", token.start, "\t", token.end, "\t", names_.languages[sentence.language], "\t");
        put_line(token.start, token.end);
        put("\t");
        put_tags(token);
        if (document_.probable) {
          put("\t");
          if (document_.has_probability(token.tag)) put(token.tag.probability);
        }
        put("\n");
      });
      put("\n");
    }
    return std::move(out_);
  }

 private:
  template <class Visit>
  void for_each_token(const Sentence& sentence, Visit&& visit) {
    for (std::size_t t = sentence.first_token; t < sentence.last_token; ++t) {
      if (t % kLook == 0) stop_.look();
      visit(document_.tokens[t]);
    }
  }

  // ---- CoNLL-U

  void put_rows(const Token& token, std::size_t& word) {
    const std::size_t first = word + 1, count = token.multiword() ? token.last_word - token.first_word : 1;
    word += count;
    put(first);
    if (token.multiword()) put("-", word);
    put("\t");
    put_line(token.start, token.end);
    put("\t_\t", token.multiword() ? "_" : name_of(token.tag), "\t_\t_\t_\t_\t_\t");
    if (!token.space_after) put("SpaceAfter=No|");
    if (document_.has_probability(token.tag)) put("TagProb=", token.tag.probability, "|");
    put("TokenRange=", token.start, ":", token.end, "\n");
    for (std::size_t w = 0; w < (token.multiword() ? count : 0); ++w) {
      const Word& one = document_.words[token.first_word + w];
      put(first + w, "\t");
      put_line(document_.text_of(one));
      put("\t_\t", name_of(one.tag), "\t_\t_\t_\t_\t_\t");
      if (document_.has_probability(one.tag)) {
        put("TagProb=", one.tag.probability, "\n");
      } else {
        put("_\n");
      }
    }
  }

  // ---- JSON

  void put_json(const Token& token) {
    put("{\"text\": ");
    put_json(text_.part(token.start, token.end));
    put(", \"start\": ", token.start, ", \"end\": ", token.end,
        ", \"space_after\": ", token.space_after ? "true" : "false");
    if (document_.tagged) {
      put(", \"tag\": ");
      if (document_.has_tag(token)) {
        put("\"");
        put_tags(token);
        put("\"");
      } else {
        put("null");
      }
      if (document_.has_probability(token.tag)) put(", \"probability\": ", token.tag.probability);
    }
    if (token.multiword()) {
      put(", \"words\": [");
      for (std::size_t w = token.first_word; w < token.last_word; ++w) {
        const Word& word = document_.words[w];
        put(w == token.first_word ? "{\"text\": " : ", {\"text\": ");
        put_json(document_.text_of(word));
        if (word.tag.tag != kNoTag) put(", \"tag\": \"", name_of(word.tag), "\"");
        if (document_.has_probability(word.tag)) put(", \"probability\": ", word.tag.probability);
        put("}");
      }
      put("]");
    }
    put("}");
  }

  template <class Things, class Put>
  void put_list(const Things& things, Put&& put_one) {
    put("[");
    bool first = true;
    for (const auto& thing : things) {
      if (!std::exchange(first, false)) put(", ");
      put_one(thing);
    }
    put("]");
  }

  void put_json(const TextView& text) {
    put("\"");
    decode(text, [&](auto reader, const auto* at, const auto* end) {
      while (at != end) {
        const char32_t c = reader.next(at, end);
        if (c == '"' || c == '\\') {
          out_ += '\\';
          out_ += static_cast<char>(c);
        } else if (c < 0x20) {
          char escape[7];
          std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
          out_ += escape;
        } else {
          put_character(c);
        }
      }
      return 0;
    });
    put("\"");
  }
  void put_json(const std::string& text) { put_json(TextView{text.data(), text.size()}); }

  // ---- all

  const char* name_of(const TagOf& tag) const { return tag.tag == kNoTag ? "_" : names_.tags[tag.tag].c_str(); }

  // The tag of a token, or those of its words.
  void put_tags(const Token& token) {
    if (!document_.has_tag(token)) return put("_");
    if (!token.multiword()) return put(name_of(token.tag));
    for (std::size_t w = token.first_word; w < token.last_word; ++w) {
      put(w == token.first_word ? "" : "+", name_of(document_.words[w].tag));
    }
  }

  // A part of the text with one space for each run of white space.
  void put_line(std::size_t begin, std::size_t end) { put_line(text_.part(begin, end)); }
  void put_line(const TextView& text) {
    decode(text, [&](auto reader, const auto* at, const auto* last) {
      bool space = false;
      while (at != last) {
        const char32_t c = reader.next(at, last);
        const bool now = is_space(c);
        if (now && !space) out_ += ' ';
        if (!now) put_character(c);
        space = now;
      }
      return 0;
    });
  }

  void put_character(char32_t c) {
    if (c < 0x80) {
      out_ += static_cast<char>(c);
      return;
    }
    std::array<std::uint8_t, 4> bytes;
    const std::size_t count = encode(c, bytes);
    out_.append(reinterpret_cast<const char*>(bytes.data()), count);
  }

  template <class... Things>
  void put(const Things&... things) {
    (put_one(things), ...);
  }
  void put_one(const char* text) { out_ += text; }
  void put_one(const std::string& text) { out_ += text; }
  void put_one(std::size_t number) {
    char digits[20];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  // A probability, to four places; without a locale.
  void put_one(float probability) {
    const auto scaled = static_cast<unsigned>(probability * 10000 + 0.5F);
    const auto digit = [&](unsigned place) { return static_cast<char>('0' + scaled / place % 10); };
    for (const char c : {digit(10000), '.', digit(1000), digit(100), digit(10), digit(1)}) out_ += c;
  }

  const Document& document_;
  const Names& names_;
  const TextView& text_;
  Stop& stop_;
  std::string out_{};
};

}  // namespace

std::string to_conllu(const Document& document, const Names& names, const TextView& text, const std::string& prefix,
                      Stop& stop) {
  return Writer(document, names, text, stop).conllu(prefix);
}

std::string to_json(const Document& document, const Names& names, const TextView& text, Stop& stop) {
  return Writer(document, names, text, stop).json();
}

std::string to_tsv(const Document& document, const Names& names, const TextView& text, const std::string& prefix,
                   Stop& stop) {
  return Writer(document, names, text, stop).tsv(prefix);
}

}  // namespace budgie::annotation
