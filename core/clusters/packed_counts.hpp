// SPDX-License-Identifier: Apache-2.0
// Counts as bytes, on their way from one machine to another. What comes back is checked: nothing that bytes can hold
// makes counts that reach out of memory. Numbers are those of varint.hpp.
//
//   words   how many; length and count of each; all words, one behind the other
//   pairs   how many symbols; for each how many follow it, and of these, ascending, the distance from the one before
//           and the count
#pragma once
#include <string>
#include <string_view>

#include "clusters/text_counts.hpp"

namespace budgie::clusters {

std::string pack(const WordCounts& words);
std::string pack(const Bigrams& bigrams);

// Throw std::invalid_argument.
WordCounts unpack_words(std::string_view packed);
Bigrams unpack_bigrams(std::string_view packed);

}  // namespace budgie::clusters
