// SPDX-License-Identifier: Apache-2.0
#include "clusters/entropy.hpp"

namespace budgie::clusters {
namespace {

BUDGIE_CLONES
void add_terms(const double* __restrict counts, const double* __restrict terms, double n, std::size_t size,
               double* __restrict gains) {
  for (std::size_t i = 0; i < size; ++i) gains[i] += x_log_x(counts[i] + n) - terms[i];
}

BUDGIE_CLONES
void add_firsts(const double* __restrict firsts, std::size_t size, double* __restrict gains) {
  for (std::size_t i = 0; i < size; ++i) gains[i] += firsts[i];
}

}  // namespace

// Most pairs of words are seen once.
void CountTable::add_gains(std::size_t first, std::size_t size, double n, double* gains) const {
  if (n == 1) {
    add_firsts(&firsts_[first], size, gains);
  } else {
    add_terms(&counts_[first], &terms_[first], n, size, gains);
  }
}

}  // namespace budgie::clusters
