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

struct Group {
  enum class Kind : std::uint8_t { ngrams, words };
  Kind kind = Kind::ngrams;
  std::uint32_t n = 1;
  std::uint64_t buckets = 1;  // 2^32 of them give the hashes themselves
  bool across = true;                // may a space stand inside an n-gram, or only at its ends
  std::vector<std::uint8_t> keys{};  // one for each bucket where rows belong to one feature each, else empty
};

// hashes[i] = extend(hashes[i], characters[i]) for all i.
void extend_all(std::uint32_t* hashes, const char32_t* characters, std::size_t count);

// finished[i] = finish(hashes[i]) and ids[i] = its bucket, for all i.
void finish_all(const std::uint32_t* hashes, std::size_t count, std::uint64_t buckets, std::uint32_t* finished,
                std::uint32_t* ids);

// Works through a text in pieces that stay in the first-level cache, whatever the length of the text.
class FeatureExtractor {
 public:
  explicit FeatureExtractor(const std::vector<Group>& groups) : groups_(groups) {
    for (const Group& group : groups_) {
      if (group.kind == Group::Kind::ngrams) longest_ = std::max(longest_, group.n);
    }
  }

  // Calls sink(group number, ids, how many) several times for each group; returns the number of letters of the text.
  template <class Sink>
  std::size_t extract(const TextView& text, const Folding& folding, Sink&& sink) {
    return read(text, folding, [&](auto characters) {
      std::size_t kept = 0, letters = 0;
      word_ = kHashSeed;
      while (const std::size_t fresh = characters.fill(characters_.data() + kept, kPiece)) {
        const std::size_t length = kept + fresh;
        letters += measure(kept, length);
        ngrams(kept, length, sink);
        words(kept, length, sink);
        // The last characters stay, since n-grams of the next piece begin with them.
        kept = std::min<std::size_t>(length, longest_ > 0 ? longest_ - 1 : 0);
        std::memmove(characters_.data(), characters_.data() + length - kept, kept * sizeof(char32_t));
      }
      return letters;
    });
  }

 private:
  static constexpr std::size_t kPiece = 1024;
  static constexpr std::size_t kRoom = kPiece + kLongestNgram;

  // Fills reach_: the longest n-gram from each character that has no space inside. Returns the number of new letters.
  std::size_t measure(std::size_t kept, std::size_t length) {
    std::size_t letters = 0;
    std::uint8_t reach = 0;
    for (std::size_t i = length; i-- > 0;) {
      reach = reach < kLongestNgram ? reach + 1 : reach;
      const bool space = characters_[i] == ' ';
      // A lone space is no feature (n = 1), but a space may begin an n-gram: reach_ counts from it as from a letter.
      reach_[i] = reach;
      letters += !space && i >= kept;
      if (space) reach = 1;
    }
    return letters;
  }

  template <class Sink>
  void ngrams(std::size_t kept, std::size_t length, Sink& sink) {
    std::fill_n(hashes_.data(), length, kHashSeed);
    for (std::uint32_t n = 1; n <= longest_ && n <= length; ++n) {
      // Only n-grams that end in a fresh character are new.
      const std::size_t first = kept >= n - 1 ? kept - (n - 1) : 0;
      const std::size_t last = length - (n - 1);
      extend_all(hashes_.data(), characters_.data() + n - 1, last);
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Group& group = groups_[g];
        if (group.kind != Group::Kind::ngrams || group.n != n) continue;
        finish_all(hashes_.data() + first, last - first, group.buckets, finished_.data() + first, ids_.data() + first);
        std::size_t count = 0;
        for (std::size_t i = first; i < last; ++i) {
          const std::uint32_t id = ids_[i];
          ids_[count] = id;
          const bool whole = n == 1 ? characters_[i] != ' ' : group.across || reach_[i] >= n;
          count += whole && (group.keys.empty() || group.keys[id] == key(finished_[i]));
        }
        sink(g, ids_.data(), count);
      }
    }
  }

  template <class Sink>
  void words(std::size_t kept, std::size_t length, Sink& sink) {
    std::size_t found = 0;
    for (std::size_t i = kept; i < length; ++i) {
      if (characters_[i] != ' ') {
        word_ = extend(word_, characters_[i]);
      } else if (word_ != kHashSeed) {
        finished_[found++] = finish(word_);
        word_ = kHashSeed;
      }
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (group.kind != Group::Kind::words) continue;
      std::size_t count = 0;
      for (std::size_t i = 0; i < found; ++i) {
        const std::uint32_t id = ids_[count] = bucket(finished_[i], group.buckets);
        count += group.keys.empty() || group.keys[id] == key(finished_[i]);
      }
      sink(g, ids_.data(), count);
    }
  }

  const std::vector<Group>& groups_;
  std::uint32_t longest_ = 0;
  std::uint32_t word_ = kHashSeed;  // hash of the word that the piece before broke off
  std::array<char32_t, kRoom> characters_;
  std::array<std::uint8_t, kRoom> reach_;
  std::array<std::uint32_t, kRoom> hashes_;
  std::array<std::uint32_t, kRoom> finished_;
  std::array<std::uint32_t, kRoom> ids_;
};

}  // namespace budgie
