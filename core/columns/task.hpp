// SPDX-License-Identifier: Apache-2.0
// What is made of the rows of a column.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "columns/column.hpp"
#include "columns/piece.hpp"
#include "stop.hpp"

namespace budgie::columns {

// Bytes of text that answers are made of at a time: languages, and tokens, which take many times the memory of a text.
constexpr std::size_t kMostForLanguages = 4 << 20, kMostForTokens = 1 << 20;

// A task with a model and all that was asked for. It never changes: any number of streams may use one.
struct Task {
  bool takes_lists = false;       // of words, and texts else
  std::size_t most = 0;           // bytes of text at a time
  std::vector<Column> columns{};  // of answers, without any rows
  // Adds a row to each of the columns for each row of a piece, which is of no use to others then.
  std::function<void(Piece&, std::size_t threads, const Stop&, std::vector<Column>&)> answer{};
};

}  // namespace budgie::columns
