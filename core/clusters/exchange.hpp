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
  // One batch of words. Map: each finds its best class while all counts stay as they are. Reduce: those that move take
  // their counts to their new classes, in order; one that would leave or join a class that another one has changed
  // looks again first. What is in a batch depends on how frequent words are, and on nothing else: neither threads, nor
  // machines if they shared the words of a batch, change the result.
  void next_batch(std::size_t threads);
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
  std::vector<ClassCounts::Choice> choices_{};
};

// Merges the classes that lose least by it until `classes` are left; gives the class of each word, numbered anew.
std::vector<std::uint32_t> merge(ClassCounts& counts, std::size_t words, std::size_t classes, std::size_t threads);

}  // namespace budgie::clusters
