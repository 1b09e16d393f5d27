// SPDX-License-Identifier: Apache-2.0
// From a stream of text to what clustering needs of it: how often each word occurs, and which words follow each other.
// The text is read twice, in chunks of any size, and never held in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/word_folding.hpp"

namespace budgie::clusters {

// A word of UTF-8 as it is counted; what is ill-formed becomes U+FFFD.
void fold_word(std::string_view word, WordFolding folding, std::string& out);

// Cuts chunks of UTF-8 into words and sentences: a sentence is a line that has words, words are separated by ASCII
// white space. Only a word that a chunk has cut in two is kept.
class SentenceReader {
 public:
  explicit SentenceReader(WordFolding folding) : folding_(folding) {}

  // Calls visit(word) for each word that ends in this chunk, and visit with an empty word at the end of each sentence.
  template <class Visit>
  void read(std::string_view chunk, Visit&& visit) {
    const char* at = chunk.data();
    const char* const end = at + chunk.size();
    while (at != end) {
      const char* from = at;
      while (at != end && !is_space(*at)) ++at;
      if (begun_.empty() && at != end) {
        if (at != from) give({from, static_cast<std::size_t>(at - from)}, visit);
      } else {
        begun_.append(from, at);
        if (at == end) return;
        finish_word(visit);
      }
      if (*at++ == '\n') finish_sentence(visit);
    }
  }

  // The end of a file is the end of a sentence, too.
  template <class Visit>
  void finish(Visit&& visit) {
    finish_word(visit);
    finish_sentence(visit);
  }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  template <class Visit>
  void give(std::string_view word, Visit& visit) {
    has_words_ = true;
    if (plain(word)) return visit(word);
    fold_word(word, folding_, folded_);
    visit(std::string_view(folded_));
  }

  template <class Visit>
  void finish_word(Visit& visit) {
    if (!begun_.empty()) give(begun_, visit);
    begun_.clear();
  }

  template <class Visit>
  void finish_sentence(Visit& visit) {
    if (has_words_) visit(std::string_view());
    has_words_ = false;
  }

  bool plain(std::string_view word) const;  // surely well-formed, and nothing to fold

  WordFolding folding_;
  bool has_words_ = false;
  std::string begun_{};   // the first part of a word whose end is yet to come
  std::string folded_{};  // the word in hand
};

// Numbers words in the order they are added.
class WordNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::size_t size() const { return ends_.size(); }
  std::string_view word(std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {text_.data() + begin, ends_[number] - begin};
  }
  std::uint32_t find(std::string_view word) const { return places_.empty() ? kNone : places_[place_of(word)]; }
  std::uint32_t add(std::string_view word);

 private:
  std::size_t place_of(std::string_view word) const;

  std::string text_{};                   // all words, one behind the other
  std::vector<std::size_t> ends_{};      // of each word in the text
  std::vector<std::uint32_t> places_{};  // open addressing; at most half full
};

// Words, and how often each was seen.
struct WordCounts {
  WordNumbers vocabulary{};
  std::vector<std::uint64_t> counts{};
};

// The first pass.
class WordCounter {
 public:
  explicit WordCounter(WordFolding folding) : reader_(folding) {}

  void read(std::string_view chunk);
  void finish_file();

  // What somebody else has counted in the files, or lines, that come next in the text: as if they had been read here.
  void add(const WordCounts& next);

  std::uint64_t words() const { return words_; }

  // All words, in the order in which they were first seen.
  WordCounts take() { return std::exchange(counted_, {}); }
  // The `most` most frequent of the words seen at least `least` times; of equally frequent ones the first seen.
  WordCounts keep(std::size_t most, std::uint64_t least) const;

 private:
  void count(std::string_view word, std::uint64_t times);

  SentenceReader reader_;
  std::uint64_t words_ = 0;
  WordCounts counted_{};
};

// How often each symbol follows each other one. Symbols are the kept words by number, then one for all other words,
// then one for the border between sentences, with which the text also begins and ends.
struct Bigrams {
  struct Neighbour {
    std::uint32_t symbol;
    std::uint32_t count;
  };
  // The neighbours of symbol s are those from starts[s] to starts[s + 1], ascending.
  struct Side {
    const Neighbour* begin(std::size_t symbol) const { return neighbours.data() + starts[symbol]; }
    const Neighbour* end(std::size_t symbol) const { return neighbours.data() + starts[symbol + 1]; }
    std::size_t size(std::size_t symbol) const { return starts[symbol + 1] - starts[symbol]; }

    std::vector<std::size_t> starts{};
    std::vector<Neighbour> neighbours{};
  };

  std::size_t symbols() const { return totals.size(); }
  std::size_t words() const { return totals.size() - 2; }  // that are to be clustered

  Side before{}, behind{};
  std::vector<std::uint64_t> totals{};  // of each symbol
  std::uint64_t total = 0;
};

struct SymbolPair {
  std::uint32_t first, second, count;
};

// Of pairs that ascend.
Bigrams make_bigrams(const std::vector<SymbolPair>& pairs, std::size_t symbols);

// The second pass. Pairs are sorted in runs and merged: as compact as the result, and without a seek for each of them.
class BigramCounter {
 public:
  BigramCounter(const WordNumbers& vocabulary, WordFolding folding)
      : reader_(folding), vocabulary_(vocabulary), last_(static_cast<std::uint32_t>(vocabulary.size()) + 1) {}

  void read(std::string_view chunk);
  void finish_file();

  // What somebody else has counted in other files, or lines, of the text, with the same vocabulary.
  void add(const Bigrams& other);

  std::uint64_t words() const { return words_; }

  Bigrams take();

 private:
  void count(std::string_view word);
  void merge_fresh();
  // Takes in pairs that ascend: next(pair) gives one after the other, and false behind the last.
  template <class Next>
  void merge(std::size_t expected, Next&& next);

  SentenceReader reader_;
  const WordNumbers& vocabulary_;
  std::uint64_t words_ = 0;
  std::uint32_t last_;                  // symbol
  std::vector<std::uint64_t> fresh_{};  // pairs in the order of the text, the first symbol in the high half
  std::vector<SymbolPair> pairs_{};     // ascending
};

}  // namespace budgie::clusters
