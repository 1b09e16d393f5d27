// SPDX-License-Identifier: Apache-2.0
// Bytes of ASCII become the characters that the same text becomes as whole characters, which are read one by one.
#include <random>
#include <string>
#include <vector>

#include "testing.hpp"
#include "text/text.hpp"

namespace budgie::testing {

namespace {

std::u32string characters(const text::TextView& view, const text::Folding& folding, std::size_t piece) {
  Stop never;
  return text::read(view, folding, never, [&](auto reader) {
    std::u32string all, room(piece, 0);
    while (const std::size_t fresh = reader.fill(room.data(), piece)) all.append(room, 0, fresh);
    return all;
  });
}

void bytes_are_read_as_characters() {
  std::mt19937 draw(5);
  const std::vector<std::string> parts = {"the quick brown fox",
                                          " ",
                                          "  ",
                                          "\n\t",
                                          "ABC",
                                          "x",
                                          "12, 3.",
                                          "http://a.b/c d",
                                          "me@here.org",
                                          "<b>",
                                          "<",
                                          ":",
                                          "a word\x01",
                                          "caf\xC3\xA9 au lait",
                                          "\xE7\x8C\xAB",
                                          "\xFF",
                                          "don't (stop) here",
                                          "@",
                                          "z:z",
                                          "[{`~^_}]"};
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (std::size_t n = draw() % 30; n > 0; --n) bytes += parts[draw() % parts.size()];
    std::u32string whole;
    for (const auto *at = reinterpret_cast<const std::uint8_t*>(bytes.data()), *end = at + bytes.size(); at != end;) {
      whole += text::Utf8::next(at, end);
    }
    const text::Folding folding(round % 5 != 0, round % 3 != 0, round % 2 != 0, {});
    const std::size_t piece = round % 4 == 0 ? 1024 : 17 + draw() % 60;
    const std::u32string found = characters(view(bytes), folding, piece);
    EXPECT(found == characters({whole.data(), whole.size(), text::TextView::Kind::ucs4}, folding, piece));
  }
}

}  // namespace

}  // namespace budgie::testing

int main() {
  budgie::testing::bytes_are_read_as_characters();
  return budgie::testing::result("ascii");
}
