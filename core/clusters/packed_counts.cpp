// SPDX-License-Identifier: Apache-2.0
#include "clusters/packed_counts.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

#include "varint.hpp"

namespace budgie::clusters {
namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostOfCount = std::uint64_t{1} << 52;  // so that no sum of them ends in a small number

class Unpacker {
 public:
  explicit Unpacker(std::string_view packed)
      : at_(reinterpret_cast<const std::uint8_t*>(packed.data())), end_(at_ + packed.size()) {}

  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  // One from `least` to `most`.
  std::uint64_t number(std::uint64_t least, std::uint64_t most) {
    std::uint64_t number;
    need(take_varint(at_, end_, number) && number >= least && number <= most);
    return number;
  }

  // How many things of at least so many bytes each follow: whoever says more gets no memory for them.
  std::size_t things(std::size_t bytes) { return number(0, left() / bytes); }

  std::string_view bytes(std::size_t size) {
    need(size <= left());
    at_ += size;
    return {reinterpret_cast<const char*>(at_ - size), size};
  }

  static void need(bool sound) {
    if (!sound) throw std::invalid_argument("packed counts are damaged");
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace

std::string pack(const WordCounts& words) {
  std::string packed;
  put_varint(words.counts.size(), packed);
  for (std::size_t i = 0; i < words.counts.size(); ++i) {
    put_varint(words.vocabulary.word(i).size(), packed);
    put_varint(words.counts[i], packed);
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
    Unpacker::need(words.vocabulary.add(from.bytes(sizes[i])) == i);  // else it was there already
  }
  Unpacker::need(from.left() == 0);
  return words;
}

std::string pack(const Bigrams& bigrams) {
  std::string packed;
  put_varint(bigrams.symbols(), packed);
  for (std::size_t s = 0; s < bigrams.symbols(); ++s) {
    put_varint(bigrams.behind.size(s), packed);
    std::uint32_t before = 0;
    for (auto* next = bigrams.behind.begin(s); next != bigrams.behind.end(s); ++next) {
      put_varint(next->symbol - before, packed);
      put_varint(next->count, packed);
      before = next->symbol;
    }
  }
  return packed;
}

Bigrams unpack_bigrams(std::string_view packed) {
  Unpacker from(packed);
  const std::size_t symbols = from.things(1);
  Unpacker::need(symbols >= 2 && symbols <= kMost32);
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
  Unpacker::need(from.left() == 0);
  return make_bigrams(pairs, symbols);
}

}  // namespace budgie::clusters
