// SPDX-License-Identifier: Apache-2.0
// The two-sided class bigram model of Brown et al. (1992), P(class | class before) P(word | class). Its likelihood is
// the sum of f(N(c, d)) over pairs of classes, less 2 f(N(c)) over classes: their mutual information, and a constant.
#pragma once
#include "clusters/class_counts.hpp"

namespace budgie::clusters {

class TwoSided final : public ClassCounts {
 public:
  TwoSided(const Bigrams& bigrams, std::vector<std::uint32_t> class_of, std::size_t classes);

  Choice best_class(std::uint32_t word, Scratch& scratch) const override;
  Choice best_merger(std::uint32_t from, const std::vector<std::uint32_t>& words, Scratch& scratch) const override;
  void move(std::uint32_t word, std::uint32_t to, Scratch& scratch) override;
  double likelihood() const override;

 private:
  std::size_t at(std::size_t row, std::size_t column) const { return row * all_classes() + column; }
  void add(std::size_t c, std::size_t d, double n);
  double count_neighbours(std::uint32_t word, Scratch& scratch) const;
  void add_side(const CountTable& matrix, std::uint32_t from, const std::vector<std::uint32_t>& classes_beside,
                const std::vector<double>& side, const std::vector<double>& other, Scratch& scratch) const;
  Choice best_other(std::uint32_t from, double n, double self, bool empty_too, Scratch& scratch) const;

  // N(c, d) in both orientations, so that loops over c run along a row; by_second_ has d for its rows.
  CountTable by_first_, by_second_;
  double constant_ = 0;
};

}  // namespace budgie::clusters
