// SPDX-License-Identifier: Apache-2.0
// Features of a single word (section 3.2 and appendix E of the paper): its n-grams, its first and last bytes, itself,
// its shape and its cluster -> row numbers. Training and inference both call this; features exist nowhere else.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "features/bloom.hpp"
#include "features/running_text.hpp"
#include "stop.hpp"
#include "text/text.hpp"

namespace budgie::features {

// What features are made of. It never changes.
struct WordGroups {
  std::vector<Group> groups{};
  bool fold_case = false;
  BloomMap clusters{};
};

// Works through a word in pieces, whatever its length: somebody's "word" may be a whole file.
class WordFeatures {
 public:
  explicit WordFeatures(const WordGroups& from);

  // Calls sink(group number, vector, ids, how many) for each vector of each group: once, but n-grams of a long word
  // come in several calls.
  template <class Sink>
  void extract(const TextView& word, Stop& stop, Sink&& sink) {
    begin(word);
    while (read_piece(stop)) {
      for (std::size_t g = 0; g < from_.groups.size(); ++g) {
        if (from_.groups[g].kind == Group::Kind::ngrams) sink(g, std::size_t{0}, ids_.data(), ngrams(from_.groups[g]));
      }
    }
    for (std::size_t g = 0; g < from_.groups.size(); ++g) {
      const Group& group = from_.groups[g];
      const auto put = [&](std::size_t vector, std::int32_t id) {
        const auto one = static_cast<std::uint32_t>(id);
        sink(g, vector, &one, std::size_t{id != kNone});
      };
      switch (group.kind) {
        case Group::Kind::words:
          put(0, row(whole_, group));
          break;
        case Group::Kind::shapes:
          put(0, row(shape_, group));
          break;
        case Group::Kind::clusters:
          put(0, from_.clusters.find_key(key_));
          break;
        case Group::Kind::bytes:
          for (std::size_t i = 0; i < group.n; ++i) put(i, first_[i]);
          for (std::size_t i = 0; i < group.n; ++i) put(group.n + i, last_[i]);
          break;
        default:  // groups of units or spans, and tags: nothing of a single word
          break;
      }
    }
  }

 private:
  static constexpr std::int32_t kNone = BloomMap::kNone;
  static constexpr std::size_t kPiece = 1024;  // characters
  static constexpr std::size_t kShapeSymbols = 8;

  void begin(const TextView& word);
  bool read_piece(Stop& stop);
  void extend_shape(const char32_t* characters, std::size_t count);
  void find_first_bytes();
  void find_last_bytes();
  std::size_t ngrams(const Group& group);
  static std::int32_t row(std::uint32_t hash, const Group& group) {
    return static_cast<std::int32_t>(bucket(finish(hash), group.buckets));
  }

  const WordGroups& from_;
  bool has_whole_ = false, has_shape_ = false, has_bytes_ = false, has_cluster_ = false;  // whether a group asks for it

  TextView word_{};
  std::size_t read_ = 0;  // code units of it
  bool first_piece_ = true, last_piece_ = false;
  std::uint32_t whole_ = kHashSeed;
  std::uint64_t key_ = BloomMap::kNoKey;
  std::uint32_t shape_ = kHashSeed;
  std::size_t symbols_ = 0;  // of the shape so far
  char32_t symbol_ = 0;      // its last one
  bool run_ = false;         // whether that was the second one of its kind

  // The piece at hand, with the last characters of the one before it, since n-grams may begin there:
  //
  //   ' ' T h e   first pieces ...   r e a d ' '      a space at either end of the word
  //                    | kept_ | fresh ... | length_
  std::size_t kept_ = 0, length_ = 0;
  template <class T>
  using Piece = std::array<T, kLongestNgram + kPiece + 2>;
  Piece<char32_t> written_;     // as they are written
  Piece<char32_t> characters_;  // as n-grams see them: perhaps in lower case
  Piece<std::uint32_t> hashes_;
  Piece<std::uint32_t> ids_;
  std::array<std::int32_t, kLongestNgram> first_;  // bytes of UTF-8, from the front
  std::array<std::int32_t, kLongestNgram> last_;   // from the back
};

}  // namespace budgie::features
