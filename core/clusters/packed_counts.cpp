// SPDX-License-Identifier: Apache-2.0
#include "clusters/packed_counts.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

namespace budgie::clusters {
namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostOfCount = std::uint64_t{1} << 52;  // so that no sum of them ends in a small number

void put(std::uint64_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>(number | 0x80));
  out.push_back(static_cast<char>(number));
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view packed) : rest_(packed) {}

  std::size_t left() const { return rest_.size(); }

  // One from `least` to `most`.
  std::uint64_t number(std::uint64_t least, std::uint64_t most) {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (rest_.empty()) fail("they end too early");
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      if (shift > 56) fail("a number is too long");
      number |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) break;
    }
    if (number < least || number > most) fail("a number is out of range");
    return number;
  }

  // How many things of at least so many bytes each follow: whoever says more gets no memory for them.
  std::size_t things(std::size_t bytes) { return number(0, left() / bytes); }

  std::string_view bytes(std::size_t size) {
    if (size > rest_.size()) fail("they end too early");
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }

  void end() const {
    if (!rest_.empty()) fail("more follows them");
  }

  [[noreturn]] static void fail(const char* why) {
    throw std::invalid_argument(std::string("packed counts cannot be read: ") + why);
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string pack(const WordCounts& words) {
  std::string packed;
  put(words.counts.size(), packed);
  for (std::size_t i = 0; i < words.counts.size(); ++i) {
    put(words.vocabulary.word(i).size(), packed);
    put(words.counts[i], packed);
  }
  for (std::size_t i = 0; i < words.counts.size(); ++i) packed.append(words.vocabulary.word(i));
  return packed;
}

WordCounts unpack_words(std::string_view packed) {
  Unpacker from(packed);
  WordCounts words;
  std::vector<std::size_t> sizes(from.things(3));
  for (std::size_t& size : sizes) {
    size = from.number(1, from.left());
    words.counts.push_back(from.number(1, kMostOfCount));
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (words.vocabulary.add(from.bytes(sizes[i])) != i) Unpacker::fail("a word is there twice");
  }
  from.end();
  return words;
}

std::string pack(const Bigrams& bigrams) {
  std::string packed;
  put(bigrams.symbols(), packed);
  for (std::size_t s = 0; s < bigrams.symbols(); ++s) {
    put(bigrams.behind.size(s), packed);
    std::uint32_t before = 0;
    for (auto* next = bigrams.behind.begin(s); next != bigrams.behind.end(s); ++next) {
      put(next->symbol - before, packed);
      put(next->count, packed);
      before = next->symbol;
    }
  }
  return packed;
}

Bigrams unpack_bigrams(std::string_view packed) {
  Unpacker from(packed);
  const std::size_t symbols = from.things(1);
  if (symbols < 2 || symbols > kMost32) Unpacker::fail("a number is out of range");
  std::vector<SymbolPair> pairs;
  for (std::uint32_t first = 0; first < symbols; ++first) {
    std::uint64_t second = 0;
    const std::size_t followers = from.things(2);
    for (std::size_t i = 0; i < followers; ++i) {
      second += from.number(i == 0 ? 0 : 1, symbols - 1 - second);
      const std::uint64_t count = from.number(1, kMost32);
      pairs.push_back({first, static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(count)});
    }
  }
  from.end();
  return make_bigrams(pairs, symbols);
}

}  // namespace budgie::clusters
