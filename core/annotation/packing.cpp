// SPDX-License-Identifier: Apache-2.0
// The bytes, in order: a version; two flags; the names of languages and of tags that are needed, each with its length;
// the language; spans; tokens with their words; sentences. Lists have their length before them. What lies end to end
// has lengths instead of offsets. Numbers are those of varint.hpp; probabilities are floats of four bytes.
#include "annotation/packing.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "varint.hpp"

namespace budgie::annotation {

namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kLook = 64;  // tokens between two looks whether to stop
constexpr char32_t kLastCharacter = 0x10FFFF;

class Packer {
 public:
  Packer(const Document& document, const Names& names, Stop& stop)
      : document_(document), languages_(names.languages), tags_(names.tags), stop_(stop) {}

  std::string pack() {
    put(languages_.number_of(document_.language));
    put(document_.spans.size());
    for (const Span& span : document_.spans) {
      const Identification& found = span.identification;
      put(span.end - span.start);
      put(languages_.number_of(static_cast<std::size_t>(found.language)) << 1 | (found.rivalled ? 1U : 0U));
      put_float(found.probability);
    }
    put(document_.tokens.size());
    std::size_t end = 0;
    for (std::size_t t = 0; t < document_.tokens.size(); ++t) {
      if (t % kLook == 0) stop_.look();
      const Token& token = document_.tokens[t];
      put(token.start - end);
      put(token.end - token.start);
      put(std::size_t{token.last_word - token.first_word} << 1 | (token.space_after ? 1U : 0U));
      put(token.tag);
      for (std::size_t w = token.first_word; w < token.last_word; ++w) put(document_.words[w]);
      end = token.end;
    }
    put(document_.sentences.size());
    for (const Sentence& sentence : document_.sentences) {
      put(sentence.last_token - sentence.first_token);
      put(languages_.number_of(sentence.language));
    }
    const std::string body = std::move(out_);
    out_ = {static_cast<char>(kVersion)};
    put((document_.tagged ? 1U : 0U) | (document_.probable ? 2U : 0U));
    put(languages_.used);
    put(tags_.used);
    return out_ + body;
  }

 private:
  // Names are numbered in the order in which they are needed.
  struct Numbers {
    explicit Numbers(const std::vector<std::string>& all) : names(all), numbers(all.size()) {}

    std::size_t number_of(std::size_t name) {
      if (numbers[name] == 0) {
        used.push_back(names[name]);
        numbers[name] = used.size();
      }
      return numbers[name] - 1;
    }

    const std::vector<std::string>& names;
    std::vector<std::size_t> numbers;  // from 1
    std::vector<std::string> used{};
  };

  void put(const Word& word) {
    put(word.end - word.start);
    for (std::size_t c = word.start; c < word.end; ++c) put(std::size_t{document_.characters[c]});
    put(word.tag);
  }
  // 0 is none.
  void put(const TagOf& tag) {
    put(tag.tag == kNoTag ? 0 : tags_.number_of(tag.tag) + 1);
    if (document_.has_probability(tag)) put_float(tag.probability);
  }
  void put(const std::vector<std::string>& texts) {
    put(texts.size());
    for (const std::string& text : texts) {
      put(text.size());
      out_ += text;
    }
  }
  void put(std::size_t number) { put_varint(number, out_); }
  void put_float(float number) {
    std::uint32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    for (int shift = 0; shift < 32; shift += 8) out_ += static_cast<char>(bits >> shift);
  }

  const Document& document_;
  Numbers languages_, tags_;
  Stop& stop_;
  std::string out_{};
};

bool is_utf8(const std::string& text) {
  return decode({text.data(), text.size()}, [&](auto reader, const auto* at, const auto* end) {
    std::string again;
    std::array<std::uint8_t, 4> bytes;
    while (at != end) {
      const std::size_t count = encode(reader.next(at, end), bytes);
      again.append(reinterpret_cast<const char*>(bytes.data()), count);
    }
    return again == text;
  });
}

class Unpacker {
 public:
  Unpacker(const std::uint8_t* bytes, std::size_t size, std::size_t length, Stop& stop)
      : at_(bytes), end_(bytes + size), length_(length), stop_(stop) {}

  Unpacked unpack() {
    if (byte() != kVersion) throw std::invalid_argument("a document that another version of Budgie has packed");
    const std::size_t flags = upto(3);
    document().tagged = (flags & 1) != 0;
    document().probable = (flags & 2) != 0;
    names().languages = texts();
    names().tags = texts();
    need(names().tags.size() < kNoTag);
    document().language = language(number());
    take_spans();
    take_tokens();
    take_sentences();
    need(at_ == end_);
    return std::move(made_);
  }

 private:
  void take_spans() {
    std::size_t at = 0;
    for (std::size_t count = number(); count > 0; --count) {
      Span span;
      span.start = at;
      at = span.end = behind(at);
      const std::size_t found = number();
      span.identification = {static_cast<std::int32_t>(language(found >> 1)), probability(), (found & 1) != 0};
      document().spans.push_back(span);
    }
    need(at == length_);
  }

  void take_tokens() {
    std::size_t at = 0;
    for (std::size_t count = number(); count > 0; --count) {
      if (count % kLook == 0) stop_.look();
      Token token;
      token.start = at + upto(length_ - at);
      at = token.end = behind(token.start);
      const std::size_t words = number();
      token.space_after = (words & 1) != 0;
      token.tag = tag();
      token.first_word = static_cast<std::uint32_t>(document().words.size());
      for (std::size_t word = 0; word < words >> 1; ++word) take_word(token);
      token.last_word = static_cast<std::uint32_t>(document().words.size());
      document().tokens.push_back(token);
    }
  }

  // One more word of a token: all of them have a tag, or none.
  void take_word(const Token& token) {
    need(document().words.size() < std::numeric_limits<std::uint32_t>::max());
    Word word;
    word.start = document().characters.size();
    for (std::size_t left = number(); left > 0; --left) {
      document().characters += static_cast<char32_t>(upto(kLastCharacter));
    }
    word.end = document().characters.size();
    word.tag = tag();
    document().words.push_back(word);
    need((word.tag.tag == kNoTag) == (document().words[token.first_word].tag.tag == kNoTag));
  }

  void take_sentences() {
    std::size_t at = 0;
    for (std::size_t count = number(); count > 0; --count) {
      const std::size_t tokens = upto(document().tokens.size() - at);
      need(tokens > 0);
      document().sentences.push_back({at, at + tokens, language(number())});
      at += tokens;
    }
    need(at == document().tokens.size());
  }

  TagOf tag() {
    TagOf found;
    if (const std::size_t number = upto(names().tags.size()); number > 0) {
      found.tag = static_cast<std::uint16_t>(number - 1);
    }
    if (document().has_probability(found)) found.probability = probability();
    return found;
  }
  std::uint32_t language(std::size_t number) const {
    need(number < names().languages.size() && number <= std::numeric_limits<std::int32_t>::max());
    return static_cast<std::uint32_t>(number);
  }
  float probability() {
    std::uint32_t bits = 0;
    for (int shift = 0; shift < 32; shift += 8) bits |= std::uint32_t{byte()} << shift;
    float found;
    std::memcpy(&found, &bits, sizeof found);
    need(found >= 0 && found <= 1.001F);  // sums of floats
    return found;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> found;
    for (std::size_t count = number(); count > 0; --count) {
      const std::size_t size = number();
      need(size <= static_cast<std::size_t>(end_ - at_));
      found.emplace_back(reinterpret_cast<const char*>(at_), size);
      need(is_utf8(found.back()));
      at_ += size;
    }
    return found;
  }

  // The offset behind something that begins at `start` and is not empty.
  std::size_t behind(std::size_t start) {
    const std::size_t size = upto(length_ - start);
    need(size > 0);
    return start + size;
  }
  std::size_t upto(std::size_t most) {
    const std::size_t found = number();
    need(found <= most);
    return found;
  }
  std::size_t number() {
    std::uint64_t found;
    need(take_varint(at_, end_, found));
    return found;
  }
  std::uint8_t byte() {
    need(at_ != end_);
    return *at_++;
  }
  static void need(bool sound) {
    if (!sound) throw std::invalid_argument("a packed document is damaged");
  }

  Document& document() { return made_.document; }
  Names& names() { return made_.names; }
  const Names& names() const { return made_.names; }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::size_t length_;
  Stop& stop_;
  Unpacked made_{};
};

}  // namespace

std::string pack(const Document& document, const Names& names, Stop& stop) {
  return Packer(document, names, stop).pack();
}

Unpacked unpack(const std::uint8_t* bytes, std::size_t size, std::size_t length, Stop& stop) {
  return Unpacker(bytes, size, length, stop).unpack();
}

}  // namespace budgie::annotation
