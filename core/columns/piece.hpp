// SPDX-License-Identifier: Apache-2.0
// Some rows of a column.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "stop.hpp"
#include "text/text.hpp"

namespace budgie::columns {

constexpr std::size_t kBytesOfAnyText = 256;  // even an empty text costs as much time as some bytes
constexpr std::size_t kBytesOfAnyWord = 16;   // and memory, where a list needs no bytes for its words

// What is null is empty here, so that models need not know of it.
class Piece {
 public:
  std::vector<TextView> texts{};  // of rows, or the words of their lists one behind the other
  std::vector<bool> null_texts{};
  std::vector<std::size_t> starts{0};  // of lists: where the words of each row begin, and where the last ones end
  std::vector<bool> null_lists{};
  bool lists = false;
  bool binary = false;  // texts are bytes, and characters else

  std::size_t rows() const { return lists ? null_lists.size() : texts.size(); }
  std::size_t bytes(std::size_t row) const {
    if (!lists) return texts[row].length + kBytesOfAnyText;
    std::size_t sum = kBytesOfAnyText;
    for (std::size_t w = starts[row]; w < starts[row + 1]; ++w) sum += texts[w].length + kBytesOfAnyWord;
    return sum;
  }

  // Makes offsets into texts count characters, where these are no bytes: as of a str, ASCII stays where it lies.
  void decode();

  // Calls work(first, last, stop), which make_work() makes for each thread, for all rows.
  template <class MakeWork>
  void work_on(std::size_t threads, const Stop& stop, MakeWork make_work) const {
    const auto bytes_of = [&](std::size_t row) { return bytes(row); };
    Batch(rows(), bytes_of, std::move(make_work), [](const std::vector<Share>&) {}).run(threads, stop);
  }

 private:
  std::vector<std::u32string> decoded_{};
};

}  // namespace budgie::columns
