// SPDX-License-Identifier: Apache-2.0
#include "columns/piece.hpp"

#include <algorithm>

namespace budgie::columns {

void Piece::decode() {
  if (binary) return;
  decoded_.reserve(texts.size());  // views into short strings must stay
  for (TextView& text : texts) {
    const auto* const bytes = static_cast<const std::uint8_t*>(text.data);
    if (std::all_of(bytes, bytes + text.length, [](std::uint8_t byte) { return byte < 0x80; })) {
      text.kind = TextView::Kind::latin1;
      continue;
    }
    std::u32string& characters = decoded_.emplace_back();
    characters.reserve(text.length);
    text::decode(text, [&](auto reader, const auto* at, const auto* end) {
      while (at != end) characters.push_back(reader.next(at, end));
    });
    text = {characters.data(), characters.size(), TextView::Kind::ucs4};
  }
}

}  // namespace budgie::columns
