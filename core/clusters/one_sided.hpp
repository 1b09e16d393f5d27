// SPDX-License-Identifier: Apache-2.0
// The one-sided, predictive class bigram model of Uszkoreit and Brants (2008), P(class | word before) P(word | class).
// Its likelihood is the sum of f(N(v, c)) over words before and classes, less f(N(c)) over classes.
#pragma once
#include "clusters/class_counts.hpp"

namespace budgie::clusters {

class OneSided final : public ClassCounts {
 public:
  OneSided(const Bigrams& bigrams, std::vector<std::uint32_t> class_of, std::size_t classes);

  Choice best_class(std::uint32_t word, Scratch& scratch) const override;
  Choice best_merger(std::uint32_t from, const std::vector<std::uint32_t>& words, Scratch& scratch) const override;
  void move(std::uint32_t word, std::uint32_t to, Scratch& scratch) override;
  double likelihood() const override;

 private:
  // N(v, c) for one v: of all classes by number where many words follow v, else of those that do follow it, in any
  // order, in as much room as v has successors.
  struct Row {
    std::size_t begin;
    std::size_t size;
    bool dense;
  };

  std::vector<Row> make_rows() const;
  std::size_t find(const Row& row, std::uint32_t c) const;
  void add(Row& row, std::uint32_t c, double n);
  Choice best_other(std::uint32_t from, double n, bool empty_too, Scratch& scratch) const;

  std::vector<Row> rows_;
  CountTable counts_;                   // of all rows
  std::vector<std::uint32_t> columns_;  // of the counts of rows that are not dense: their classes
};

}  // namespace budgie::clusters
