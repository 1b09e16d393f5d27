// SPDX-License-Identifier: Apache-2.0
// Feature groups over running text: characters -> row numbers of each embedding matrix (section 2 of the paper).
// Training and inference both call this; features exist nowhere else.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "features/group.hpp"
#include "features/hash_loops.hpp"
#include "text/hash.hpp"
#include "text/text.hpp"

namespace budgie::features {

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
  // The ids stay until the call after the next, so that rows can be on their way from memory in the meantime.
  template <class Sink>
  std::size_t extract(const TextView& text, const Folding& folding, Stop& stop, Sink&& sink) {
    return read(text, folding, stop, [&](auto characters) {
      std::size_t kept = 0, letters = 0;
      word_ = kHashSeed;
      word_open_ = false;
      while (const std::size_t fresh = characters.fill(characters_.data() + kept, kPiece)) {
        if (fresh == kPiece) stop.look();
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
        std::uint32_t* ids = next_ids();
        bucket_all(hashes_.data() + first, last - first, group.buckets, ids);
        // A lone space is no feature; a space inside is none either, where the group says so.
        const bool any = group.across && n > 1;
        const std::uint8_t* marks = (n == 1 ? spaces_ : broken_).data() + first;
        sink(g, ids, any ? last - first : keep_unmarked(ids, last - first, marks));
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
      std::uint32_t* ids = next_ids();
      bucket_all(hashes_.data(), found, group.buckets, ids);
      sink(g, ids, found);
    }
  }

  std::uint32_t* next_ids() {
    turn_ ^= 1u;
    return ids_[turn_].data();
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
  std::array<std::array<std::uint32_t, kRoom>, 2> ids_;
  std::size_t turn_ = 0;  // which of these was filled last
};

}  // namespace budgie::features
