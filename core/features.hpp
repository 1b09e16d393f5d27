// SPDX-License-Identifier: Apache-2.0
// Feature groups over running text: characters -> row numbers of each embedding matrix (section 2 of the paper).
// Training and inference both call this; features exist nowhere else.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "hash.hpp"
#include "text.hpp"

namespace budgie {

constexpr std::uint32_t kLongestNgram = 8;

// Rows of one embedding matrix and what looks them up. Running text has n-grams and words; single words (words.hpp)
// have these, bytes, shapes and clusters; units (unit_features.hpp) have n-grams, words and vocabulary to lexicon; the
// spans of a preorderer have tags, swapped and length.
struct Group {
  enum class Kind : std::uint8_t {
    ngrams,
    words,
    bytes,
    shapes,
    clusters,
    vocabulary,
    kinds,
    length,
    standard,
    lexicon,
    tags,
    swapped
  };
  Kind kind = Kind::ngrams;
  std::uint32_t n = 1;
  std::uint32_t buckets = 1;
  bool across = true;            // running text: may a space stand inside an n-gram, or only at its ends
  bool ends = true;              // single words: do n-grams see where the word begins and ends
  std::vector<int> positions{};  // words or units relative to the focus
  std::vector<int> starts{};     // units relative to the first one of the current word; positions are to the front
  std::vector<std::uint32_t> places{};  // corners of spans, to which positions are relative (preordering.hpp)

  std::size_t slots() const { return kind == Kind::bytes ? std::size_t{2} * n : 1; }  // vectors a position
  std::size_t all_slots() const {
    return (positions.size() * (places.empty() ? 1 : places.size()) + starts.size()) * slots();
  }
};

// The loops over all characters of a piece; in features.cpp, compiled for several instruction sets.
std::size_t mark_spaces(const char32_t* characters, std::size_t count, std::uint8_t* spaces);  // returns the letters
void extend_all(std::uint32_t* hashes, const char32_t* characters, std::size_t count);
void join(std::uint8_t* marks, const std::uint8_t* more, std::size_t count);  // marks[i] |= more[i]
void bucket_all(const std::uint32_t* hashes, std::size_t count, std::uint32_t buckets, std::uint32_t* ids);
std::size_t keep_unmarked(std::uint32_t* ids, std::size_t count, const std::uint8_t* marks);  // returns how many

// Works through a text in pieces that stay in the first-level cache, whatever the length of the text.
class FeatureExtractor {
 public:
  explicit FeatureExtractor(const std::vector<Group>& groups) : groups_(groups) {
    for (const Group& group : groups_) {
      if (group.kind == Group::Kind::ngrams) longest_ = std::max(longest_, group.n);
      has_words_ |= group.kind == Group::Kind::words;
    }
  }

  // Calls sink(group number, ids, how many) several times for each group; returns the number of letters of the text.
  template <class Sink>
  std::size_t extract(const TextView& text, const Folding& folding, Sink&& sink) {
    return read(text, folding, [&](auto characters) {
      std::size_t kept = 0, letters = 0;
      word_ = kHashSeed;
      word_open_ = false;
      while (const std::size_t fresh = characters.fill(characters_.data() + kept, kPiece)) {
        const std::size_t length = kept + fresh;
        letters += mark_spaces(characters_.data() + kept, fresh, spaces_.data() + kept);
        ngrams(kept, length, sink);
        if (has_words_) words(kept, length, sink);
        // The last characters stay, since n-grams of the next piece begin with them.
        const std::size_t keeps = std::min<std::size_t>(length, longest_ > 0 ? longest_ - 1 : 0);
        std::memmove(characters_.data(), characters_.data() + length - keeps, keeps * sizeof(char32_t));
        std::memmove(spaces_.data(), spaces_.data() + length - keeps, keeps);
        kept = keeps;
      }
      return letters;
    });
  }

 private:
  static constexpr std::size_t kPiece = 1024;
  static constexpr std::size_t kRoom = kPiece + kLongestNgram;

  template <class Sink>
  void ngrams(std::size_t kept, std::size_t length, Sink& sink) {
    std::fill_n(hashes_.data(), length, kHashSeed);
    std::fill_n(broken_.data(), length, std::uint8_t{0});
    for (std::uint32_t n = 1; n <= longest_ && n <= length; ++n) {
      // Only n-grams that end in a fresh character are new.
      const std::size_t first = kept >= n - 1 ? kept - (n - 1) : 0;
      const std::size_t last = length - (n - 1);
      extend_all(hashes_.data(), characters_.data() + n - 1, last);
      if (n >= 3) join(broken_.data(), spaces_.data() + n - 2, last);
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Group& group = groups_[g];
        if (group.kind != Group::Kind::ngrams || group.n != n) continue;
        bucket_all(hashes_.data() + first, last - first, group.buckets, ids_.data());
        // A lone space is no feature; a space inside is none either, where the group says so.
        const bool any = group.across && n > 1;
        const std::uint8_t* marks = (n == 1 ? spaces_ : broken_).data() + first;
        sink(g, ids_.data(), any ? last - first : keep_unmarked(ids_.data(), last - first, marks));
      }
    }
  }

  template <class Sink>
  void words(std::size_t kept, std::size_t length, Sink& sink) {
    // No branch depends on where words end.
    std::size_t found = 0;
    std::uint32_t word = word_;
    bool open = word_open_;
    for (std::size_t i = kept; i < length; ++i) {
      const bool space = characters_[i] == ' ';
      hashes_[found] = word;
      found += space & open;
      open = !space;
      word = space ? kHashSeed : extend_word(word, characters_[i]);
    }
    word_ = word;
    word_open_ = open;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (group.kind != Group::Kind::words) continue;
      bucket_all(hashes_.data(), found, group.buckets, ids_.data());
      sink(g, ids_.data(), found);
    }
  }

  const std::vector<Group>& groups_;
  std::uint32_t longest_ = 0;  // n-gram
  bool has_words_ = false;
  std::uint32_t word_ = kHashSeed;  // hash of the word that the piece before broke off
  bool word_open_ = false;          // whether there is one: a word may have any hash, the seed too
  std::array<char32_t, kRoom> characters_;
  std::array<std::uint8_t, kRoom> spaces_;  // 1 where a character is a space
  std::array<std::uint8_t, kRoom> broken_;  // 1 where the n-gram that begins here has a space inside
  std::array<std::uint32_t, kRoom> hashes_;
  std::array<std::uint32_t, kRoom> ids_;
};

}  // namespace budgie
