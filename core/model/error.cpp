// SPDX-License-Identifier: Apache-2.0
#include "model/error.hpp"

#include <cstdio>

#include "text/text.hpp"

namespace budgie::model {

std::string quoted(std::string_view name) {
  constexpr std::size_t kMost = 40;  // characters
  const char mark = name.find('\'') != name.npos && name.find('"') == name.npos ? '"' : '\'';
  std::string result(1, mark);
  const auto* at = reinterpret_cast<const std::uint8_t*>(name.data());
  const auto* const end = at + name.size();
  const auto escape = [&](const char* form, char32_t c) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, form, static_cast<unsigned>(c));
    result += buffer;
  };
  for (std::size_t count = 0; at != end; ++count) {
    if (count == kMost) {
      result += "...";
      break;
    }
    const char32_t c = Utf8::next(at, end);
    if (c == '\n' || c == '\r' || c == '\t') {
      result += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (c == static_cast<char32_t>(mark) || c == '\\') {
      result += {'\\', static_cast<char>(c)};
    } else if (c >= ' ' && c < 0x7F) {
      result += static_cast<char>(c);
    } else {
      escape(c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
    }
  }
  return result + mark;
}

void check_range(const std::string& what, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return;
  const std::string range =
      low < high ? "between " + std::to_string(low) + " and " + std::to_string(high) : std::to_string(low);
  throw Error(what + " must be " + range + ", not " + std::to_string(value));
}

}  // namespace budgie::model
