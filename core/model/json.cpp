// SPDX-License-Identifier: Apache-2.0
#include "model/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "model/error.hpp"
#include "text/text.hpp"

namespace budgie::model {

namespace {

constexpr int kDeepest = 32;  // a config with a network inside has seven levels
constexpr std::string_view kNotFinite[] = {"NaN", "Infinity", "-Infinity"};

class Parser {
 public:
  Parser(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  Json whole() {
    Json value = parse(0);
    skip_spaces();
    if (at_ != text_.size()) fail("there is more behind its end");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Error(what_ + " is not valid JSON: " + why); }
  [[noreturn]] void fail_here(const char* wanted) const {
    fail(std::string(wanted) + " is missing at byte " + std::to_string(at_));
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void skip_spaces() {
    while (at_ < text_.size() && (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r')) ++at_;
  }

  Json parse(int depth) {
    if (depth > kDeepest) throw Error(what_ + " is nested too deeply");
    skip_spaces();
    Json value;
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        value.kind = Json::Kind::string;
        value.text = string();
        return value;
      default:
        break;
    }
    if (take("null")) return value;
    value.kind = Json::Kind::boolean;
    value.boolean = take("true");
    if (value.boolean || take("false")) return value;
    return number();
  }

  Json object(int depth) {
    Json value;
    value.kind = Json::Kind::object;
    take('{');
    skip_spaces();
    if (take('}')) return value;
    do {
      skip_spaces();
      if (peek() != '"') fail_here("a name");
      value.names.push_back(string());
      skip_spaces();
      if (!take(':')) fail_here("a colon");
      value.items.push_back(parse(depth + 1));
      skip_spaces();
    } while (take(','));
    if (!take('}')) fail_here("a comma or a brace");
    check_names(value.names);
    return value;
  }

  void check_names(const std::vector<std::string>& names) const {
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) fail("the name " + quoted(*twice) + " occurs twice");
  }

  Json array(int depth) {
    Json value;
    value.kind = Json::Kind::array;
    take('[');
    skip_spaces();
    if (take(']')) return value;
    do {
      value.items.push_back(parse(depth + 1));
      skip_spaces();
    } while (take(','));
    if (!take(']')) fail_here("a comma or a bracket");
    return value;
  }

  Json number() {
    const std::size_t begin = at_;
    for (const std::string_view word : kNotFinite) {
      if (take(word)) fail("the number " + quoted(word) + " is not finite");
    }
    const auto digits = [&] {
      const std::size_t from = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      return at_ - from;
    };
    take('-');
    const bool zero = take('0');
    if (!zero && digits() == 0) {
      at_ = begin;
      fail_here("a value");
    }
    bool real = false;
    if (take('.')) {
      real = true;
      if (digits() == 0) fail_here("a digit");
    }
    if (peek() == 'e' || peek() == 'E') {
      real = true;
      ++at_;
      if (!take('+')) take('-');
      if (digits() == 0) fail_here("a digit");
    }
    Json value;
    value.text = text_.substr(begin, at_ - begin);
    if (real) {
      value.kind = Json::Kind::real;
      if (const double number = std::strtod(value.text.c_str(), nullptr); number - number != 0) {
        fail("the number " + quoted(value.text) + " is not finite");
      }
      return value;
    }
    value.kind = Json::Kind::integer;
    const char* end = value.text.data() + value.text.size();
    // A minus zero is no whole number to safetensors.
    if (std::from_chars(value.text.data(), end, value.integer).ec != std::errc() || value.text == "-0") {
      fail("the number " + quoted(value.text) + " is out of range");
    }
    return value;
  }

  std::string string() {
    std::string result;
    take('"');
    while (!take('"')) {
      if (at_ == text_.size()) fail("a string has no end");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20) fail("a control character stands in a string at byte " + std::to_string(at_));
      if (c == '\\') {
        ++at_;
        escape(result);
      } else if (c < 0x80) {
        result += text_[at_++];
      } else {
        character(result);
      }
    }
    return result;
  }

  // One character of UTF-8; what is ill-formed would come out as a replacement character.
  void character(std::string& result) {
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(text_.data()) + at_;
    const auto* at = begin;
    const char32_t c = Utf8::next(at, begin + (text_.size() - at_));
    const std::string_view bytes = text_.substr(at_, static_cast<std::size_t>(at - begin));
    if (c == kReplacement && bytes != "\xEF\xBF\xBD") fail("it is not UTF-8 at byte " + std::to_string(at_));
    result += bytes;
    at_ += bytes.size();
  }

  void escape(std::string& result) {
    constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char which = peek();
    ++at_;
    if (const std::size_t place = kEscapes.find(which); place != kEscapes.npos) {
      result += kMeanings[place];
      return;
    }
    if (which != 'u') fail("an escape is unknown at byte " + std::to_string(at_ - 1));
    char32_t c = four_digits();
    if (c >= 0xD800 && c < 0xDC00 && take("\\u")) {
      const char32_t low = four_digits();
      if (low < 0xDC00 || low > 0xDFFF) fail_surrogate();
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    }
    if (c >= 0xD800 && c < 0xE000) fail_surrogate();
    std::array<std::uint8_t, 4> bytes;
    const std::size_t count = encode(c, bytes);
    result.append(reinterpret_cast<const char*>(bytes.data()), count);
  }

  [[noreturn]] void fail_surrogate() const { fail("a string is not valid Unicode: lone surrogates not allowed"); }

  char32_t four_digits() {
    std::uint32_t value = 0;
    const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() < 4 || error != std::errc() || end != digits.data() + 4) {
      fail("an escape is unknown at byte " + std::to_string(at_));
    }
    at_ += 4;
    return value;
  }

  std::string_view text_;
  const std::string& what_;
  std::size_t at_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? nullptr : &items[static_cast<std::size_t>(found - names.begin())];
}

Json parse_object(std::string_view text, const std::string& what) {
  Json value = Parser(text, what).whole();
  if (!value.is(Json::Kind::object)) throw Error(what + " is not a JSON object");
  return value;
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(c));
      result += buffer;
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace budgie::model
