// SPDX-License-Identifier: Apache-2.0
// Features of a single word (section 3.2 and appendix E of the paper): its n-grams, its first and last bytes, itself,
// its shape and its cluster -> row numbers. Training and inference both call this; features exist nowhere else.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "features/bloom.hpp"
#include "features/running_text.hpp"
#include "text/text.hpp"

namespace budgie::features {

// What features are made of. It never changes.
struct WordGroups {
  std::vector<Group> groups{};
  bool fold_case = false;
  BloomMap clusters{};
};

class WordFeatures {
 public:
  explicit WordFeatures(const WordGroups& from) : from_(from) {}

  // Calls sink(group number, vector, ids, how many) once for each vector of each group.
  template <class Sink>
  void extract(const TextView& word, Sink&& sink) {
    read(word);
    for (std::size_t g = 0; g < from_.groups.size(); ++g) {
      const Group& group = from_.groups[g];
      switch (group.kind) {
        case Group::Kind::ngrams:
          ngrams(group);
          break;
        case Group::Kind::words:
          ids_.assign(1, whole(group));
          break;
        case Group::Kind::shapes:
          ids_.assign(1, shape(group));
          break;
        case Group::Kind::clusters:
          ids_.clear();
          if (const std::int32_t cluster = from_.clusters.find(word); cluster != BloomMap::kNone) {
            ids_.push_back(static_cast<std::uint32_t>(cluster));
          }
          break;
        case Group::Kind::bytes:
          for (std::size_t vector = 0; vector < group.vectors(); ++vector) {
            const std::int32_t byte = vector < group.n ? first_[vector] : last_[vector - group.n];
            const auto id = static_cast<std::uint32_t>(byte);
            sink(g, vector, &id, byte != kNone);
          }
          continue;
        default:  // groups of units or spans, and tags: nothing of a single word
          ids_.clear();
      }
      sink(g, std::size_t{0}, ids_.data(), ids_.size());
    }
  }

 private:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::size_t kShapeSymbols = 8;

  void read(const TextView& word);
  void ngrams(const Group& group);
  std::uint32_t whole(const Group& group) const;
  std::uint32_t shape(const Group& group) const;

  const WordGroups& from_;
  std::vector<char32_t> written_;  // the word as it is written
  std::vector<char32_t> padded_;   // as n-grams see it: perhaps in lower case, with a space at either end
  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint32_t> ids_;
  std::array<std::int32_t, kLongestNgram> first_;  // bytes of UTF-8, from the front
  std::array<std::int32_t, kLongestNgram> last_;   // from the back
};

}  // namespace budgie::features
