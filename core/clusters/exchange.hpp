// SPDX-License-Identifier: Apache-2.0
// The exchange algorithm: each word in turn moves to the class where the text is most likely, until few words move.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "clusters/class_counts.hpp"

namespace budgie::clusters {

class Exchange {
 public:
  struct Settings {
    std::size_t classes;
    bool two_sided;
    std::size_t cycles;       // see below
    std::size_t rounds;       // over all words, at most, after the last cycle
    std::uint64_t seed;       // order of equally frequent words, and how classes are split
    std::size_t batch_words;  // most words of a batch
  };

  // Throws std::invalid_argument unless there is at least one class and one word a batch.
  Exchange(const Bigrams& bigrams, Settings settings);

  // Batches for as long as that; at least one. Where a slice of time ends changes nothing in the result. Returns
  // whether there is more to do.
  bool advance(std::size_t threads, double seconds);
  // One batch of words. What is in it depends on how frequent words are, and on nothing else: neither threads nor
  // machines that share its words change the result.
  void next_batch(std::size_t threads) { apply(choose(0, 1, threads), threads); }
  // Map: the class where each word of the batch fits best while all counts stay as they are, of the words `first`,
  // `first` + `step`, and so on, which take about as long whichever is the first.
  std::vector<std::uint32_t> choose(std::size_t first, std::size_t step, std::size_t threads) const;
  // Reduce: words that move take their counts to the classes chosen, in order; one that would leave or join a class
  // that another one has changed looks again first. Throws std::invalid_argument unless each word of the batch has one.
  void apply(const std::vector<std::uint32_t>& choices, std::size_t threads);
  // Goes on where another exchange of the same words and settings was when it had done so many rounds. Throws
  // std::invalid_argument if it cannot have been there.
  void resume(std::size_t round, std::size_t last_moves, std::vector<std::uint32_t> class_of_words);
  bool done() const { return done_; }

  std::size_t round() const { return round_; }
  std::size_t rounds() const { return kRoundsOfCycle * settings_.cycles + settings_.rounds; }  // at most
  std::size_t words_done() const { return borders_[batch_]; }                                  // of this round
  std::size_t last_moves() const { return last_moves_; }                                       // in the one before
  std::vector<std::uint32_t> classes_of_words() const;
  double likelihood() const { return counts_->likelihood(); }
  double mutual_information() const { return clusters::mutual_information(bigrams_, *counts_); }

 private:
  // Exchange alone cannot make two classes one, nor one two, and ends where only that would help. So it begins with
  // cycles: some rounds with half as many classes again, mergers of those that are most alike, one more round, and
  // the next cycle begins with half of the classes, drawn by lot, cut in two.
  static constexpr std::size_t kRoundsOfCycle = 3;
  static constexpr std::size_t kRoundsBeforeMergers = 2;

  std::size_t batch_words() const { return done_ ? 0 : borders_[batch_ + 1] - borders_[batch_]; }
  std::size_t classes_in(std::size_t round) const;
  bool ends_before(std::size_t round) const;
  void finish_round(std::size_t threads);
  void split(std::uint64_t cycle);

  const Bigrams& bigrams_;
  Settings settings_;
  std::size_t most_classes_;          // within a cycle
  std::vector<std::uint32_t> order_;  // of words: the most frequent first
  std::vector<std::size_t> borders_;  // of batches in it
  std::size_t round_ = 0, batch_ = 0, moves_ = 0, last_moves_ = 0;
  bool done_;
  std::unique_ptr<ClassCounts> counts_;
};

// Merges the classes that lose least by it until `classes` are left; gives the class of each word, numbered anew.
std::vector<std::uint32_t> merge(ClassCounts& counts, std::size_t words, std::size_t classes, std::size_t threads);

}  // namespace budgie::clusters
