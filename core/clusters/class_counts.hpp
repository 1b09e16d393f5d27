// SPDX-License-Identifier: Apache-2.0
// The classes of all words, and the counts of classes that tell where one word fits best while all others stay.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "clusters/entropy.hpp"
#include "clusters/text_counts.hpp"

namespace budgie::clusters {

// The likelihood of a text under a class bigram model: sums of f(x) = x log x of counts, in nats. What may move are
// words, among the first `classes()` classes. Behind them come two that keep what they have: that of all words too rare
// to be clustered, and that of the borders between sentences.
class ClassCounts {
 public:
  struct Choice {
    std::uint32_t to;
    double gain;  // of likelihood, against staying
  };
  // What one thread needs while it looks for a class.
  struct Scratch {
    explicit Scratch(const ClassCounts& counts)
        : gains(counts.all_classes()),
          costs(counts.all_classes()),
          before(counts.all_classes()),
          behind(counts.all_classes()),
          row(counts.all_classes()) {}

    std::vector<double> gains, costs;                               // of joining each class
    std::vector<double> before, behind;                             // how often each class stands there
    std::vector<std::uint32_t> classes_before{}, classes_behind{};  // those that do
    std::vector<std::pair<std::uint32_t, double>> words_before{};   // each with its count
    CountTable row;
  };

  virtual ~ClassCounts() = default;

  std::size_t classes() const { return totals_.size() - 2; }
  std::size_t all_classes() const { return totals_.size(); }
  const std::vector<std::uint32_t>& class_of() const { return class_of_; }  // of each symbol
  const CountTable& totals() const { return totals_; }                      // of each class

  // Where the word fits best: its own class unless another one is better. Changes nothing: any number of threads may
  // ask, each with a Scratch of its own.
  virtual Choice best_class(std::uint32_t word, Scratch& scratch) const = 0;

  // Which of the other classes that have words loses least if the class `from`, with all of its words, joins it.
  virtual Choice best_merger(std::uint32_t from, const std::vector<std::uint32_t>& words, Scratch& scratch) const = 0;

  // Takes all that belongs to the word from its class to another one.
  virtual void move(std::uint32_t word, std::uint32_t to, Scratch& scratch) = 0;

  virtual double likelihood() const = 0;

 protected:
  // class_of is of words; the two symbols that are none are put behind them.
  ClassCounts(const Bigrams& bigrams, std::vector<std::uint32_t> class_of, std::size_t classes);

  // The class other than `from` with the highest gain, for n words that now gain `staying` where they are. A class
  // costs `weight` times what f gains of its total.
  Choice best_other(std::uint32_t from, double n, double weight, double staying, bool empty_too,
                    Scratch& scratch) const;
  Choice better_or_stay(std::uint32_t from, Choice choice) const;
  void move_total(std::uint32_t word, std::uint32_t to);

  const Bigrams& bigrams_;
  std::vector<std::uint32_t> class_of_;
  CountTable totals_;
};

std::unique_ptr<ClassCounts> make_class_counts(const Bigrams& bigrams, std::vector<std::uint32_t> class_of,
                                               std::size_t classes, bool two_sided);

// Average mutual information of neighbouring classes, in bits.
double mutual_information(const Bigrams& bigrams, const ClassCounts& counts);

}  // namespace budgie::clusters
