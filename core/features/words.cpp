// SPDX-License-Identifier: Apache-2.0
#include "features/words.hpp"

#include <algorithm>

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

WordFeatures::WordFeatures(const WordGroups& from) : from_(from) {
  for (const Group& group : from.groups) {
    has_whole_ |= group.kind == Group::Kind::words;
    has_shape_ |= group.kind == Group::Kind::shapes;
    has_bytes_ |= group.kind == Group::Kind::bytes;
    has_cluster_ |= group.kind == Group::Kind::clusters;
  }
}

void WordFeatures::begin(const TextView& word) {
  word_ = word;
  read_ = kept_ = length_ = 0;
  first_piece_ = true;
  last_piece_ = false;
  whole_ = shape_ = kHashSeed;
  key_ = BloomMap::kNoKey;
  symbols_ = 0;
  symbol_ = kNothing;
  run_ = false;
}

bool WordFeatures::read_piece(Stop& stop) {
  if (last_piece_) return false;
  first_piece_ = length_ == 0;
  if (!first_piece_) stop.look();
  kept_ = std::min<std::size_t>(length_, kLongestNgram);
  for (std::size_t i = 0; i < kept_; ++i) {
    written_[i] = written_[length_ - kept_ + i];
    characters_[i] = characters_[length_ - kept_ + i];
  }
  length_ = kept_;
  if (first_piece_) written_[length_] = characters_[length_] = U' ', ++length_;
  const std::size_t fresh = length_;
  decode(word_, [&](auto reader, const auto* begin, const auto* end) {
    const auto* at = begin + read_;
    std::size_t length = length_;
    for (const std::size_t full = length + kPiece; at != end && length < full; ++length) {
      written_[length] = decltype(reader)::next(at, end);
    }
    length_ = length;
    read_ = static_cast<std::size_t>(at - begin);
    last_piece_ = at == end;
    return 0;
  });
  for (std::size_t i = fresh; i < length_; ++i) {
    const char32_t c = written_[i];
    characters_[i] = from_.fold_case ? c + static_cast<char32_t>(character(c).lower) : c;
  }
  if (has_whole_) {
    for (std::size_t i = fresh; i < length_; ++i) whole_ = extend_word(whole_, characters_[i]);
  }
  if (has_cluster_) {
    for (std::size_t i = fresh; i < length_; ++i) key_ = from_.clusters.extend(key_, written_[i]);
  }
  if (has_shape_) extend_shape(written_.data() + fresh, length_ - fresh);
  if (has_bytes_ && first_piece_) find_first_bytes();
  if (has_bytes_ && last_piece_) find_last_bytes();
  if (last_piece_) characters_[length_++] = U' ';
  return true;
}

void WordFeatures::find_first_bytes() {
  first_.fill(kNone);
  std::array<std::uint8_t, 4> bytes;
  std::size_t found = 0;
  for (std::size_t i = 1; i < length_ && found < kLongestNgram; ++i) {
    const std::size_t count = encode(written_[i], bytes);
    for (std::size_t b = 0; b < count && found < kLongestNgram; ++b) first_[found++] = bytes[b];
  }
}

void WordFeatures::find_last_bytes() {
  last_.fill(kNone);
  std::array<std::uint8_t, 4> bytes;
  std::size_t found = 0;
  for (std::size_t i = length_; i > (first_piece_ ? 1 : 0) && found < kLongestNgram; --i) {
    for (std::size_t b = encode(written_[i - 1], bytes); b > 0 && found < kLongestNgram; --b) {
      last_[found++] = bytes[b - 1];
    }
  }
}

// Writes the ids of the n-grams that end in this piece; returns how many.
std::size_t WordFeatures::ngrams(const Group& group) {
  const bool ends = group.ends && group.n > 1;  // an end alone is no feature
  const std::size_t edge = first_piece_ && !ends ? 1 : 0;
  const std::size_t first = std::max<std::size_t>(edge, kept_ >= group.n ? kept_ + 1 - group.n : 0);
  const std::size_t last = length_ - (last_piece_ && !ends ? 1 : 0);
  if (last < first + group.n) return 0;
  const std::size_t count = last - first - group.n + 1;
  std::fill_n(hashes_.data(), count, kHashSeed);
  for (std::uint32_t i = 0; i < group.n; ++i) extend_all(hashes_.data(), characters_.data() + first + i, count);
  bucket_all(hashes_.data(), count, group.buckets, ids_.data());
  return count;
}

// "McDonald's" is XxXxx'x and "1,250" is 9,99: a run of equal symbols counts as two of them.
void WordFeatures::extend_shape(const char32_t* characters, std::size_t count) {
  for (std::size_t i = 0; i < count && symbols_ < kShapeSymbols; ++i) {
    const char32_t now = symbol(characters[i]);
    if (now == kNothing || (now == symbol_ && run_)) continue;
    run_ = now == symbol_;
    symbol_ = now;
    shape_ = extend_word(shape_, now);
    ++symbols_;
  }
}

}  // namespace budgie::features
