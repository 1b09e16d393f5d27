// SPDX-License-Identifier: Apache-2.0
#include "features/words.hpp"

namespace budgie::features {

namespace {

// What a character is in the shape of a word. Marks belong to the letter before them and are nothing.
constexpr char32_t kUpper = 'X', kLower = 'x', kDigit = '9', kNothing = 0x110000;

char32_t symbol(char32_t c) {
  const CharacterRecord& record = character(c);
  switch (record.kind) {
    case CharacterClass::letter:
      return record.lower != 0 ? kUpper : kLower;
    case CharacterClass::mark:
      return kNothing;
    case CharacterClass::digit:
      return kDigit;
    default:
      return c;
  }
}

}  // namespace

void WordFeatures::read(const TextView& word) {
  written_.clear();
  decode(word, [&](auto reader, const auto* at, const auto* end) {
    while (at != end) written_.push_back(decltype(reader)::next(at, end));
    return 0;
  });
  padded_.assign(1, U' ');
  for (const char32_t c : written_) {
    padded_.push_back(from_.fold_case ? c + static_cast<char32_t>(character(c).lower) : c);
  }
  padded_.push_back(U' ');
  first_.fill(kNone);
  last_.fill(kNone);
  std::array<std::uint8_t, 4> bytes;
  std::size_t found = 0;
  for (std::size_t i = 0; i < written_.size() && found < kLongestNgram; ++i) {
    const std::size_t count = encode(written_[i], bytes);
    for (std::size_t b = 0; b < count && found < kLongestNgram; ++b) first_[found++] = bytes[b];
  }
  found = 0;
  for (std::size_t i = written_.size(); i > 0 && found < kLongestNgram; --i) {
    for (std::size_t b = encode(written_[i - 1], bytes); b > 0 && found < kLongestNgram; --b) {
      last_[found++] = bytes[b - 1];
    }
  }
}

void WordFeatures::ngrams(const Group& group) {
  const bool ends = group.ends && group.n > 1;  // an end alone is no feature
  const char32_t* characters = padded_.data() + (ends ? 0 : 1);
  const std::size_t length = padded_.size() - (ends ? 0 : 2);
  ids_.clear();
  if (length < group.n) return;
  const std::size_t count = length - group.n + 1;
  hashes_.assign(count, kHashSeed);
  for (std::uint32_t i = 0; i < group.n; ++i) extend_all(hashes_.data(), characters + i, count);
  ids_.resize(count);
  bucket_all(hashes_.data(), count, group.buckets, ids_.data());
}

std::uint32_t WordFeatures::whole(const Group& group) const {
  std::uint32_t hash = kHashSeed;
  for (std::size_t i = 1; i + 1 < padded_.size(); ++i) hash = extend_word(hash, padded_[i]);
  return bucket(finish(hash), group.buckets);
}

// "McDonald's" is XxXxx'x and "1,250" is 9,99: a run of equal symbols counts as two of them.
std::uint32_t WordFeatures::shape(const Group& group) const {
  std::uint32_t hash = kHashSeed;
  char32_t before = kNothing;
  bool run = false;
  std::size_t count = 0;
  for (std::size_t i = 0; i < written_.size() && count < kShapeSymbols; ++i) {
    const char32_t now = symbol(written_[i]);
    if (now == kNothing || (now == before && run)) continue;
    run = now == before;
    before = now;
    hash = extend_word(hash, now);
    ++count;
  }
  return bucket(finish(hash), group.buckets);
}

}  // namespace budgie::features
