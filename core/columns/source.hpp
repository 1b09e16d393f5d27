// SPDX-License-Identifier: Apache-2.0
// The stream that answers are asked of: a column by itself, or one of a table, array by array and piece by piece.
#pragma once
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "columns/arrow.hpp"
#include "columns/piece.hpp"
#include "columns/texts.hpp"
#include "stop.hpp"

namespace budgie::columns {

// An error number of a source, and what it says about that.
struct SourceError : std::exception {
  SourceError(int number_, std::string message_) : number(number_), message(std::move(message_)) {}
  const char* what() const noexcept override { return message.c_str(); }

  int number;
  std::string message;
};

// A stream of one array.
Owned<ArrowArrayStream> stream_of(Owned<ArrowSchema> schema, Owned<ArrowArray> array);

// Which columns of a table are meant.
struct Choice {
  std::optional<std::string> column{};  // the texts: may be left out where there is but one
  std::vector<std::string> keep{};      // those that stay beside the answers
};

class Source {
 public:
  // Throws std::invalid_argument where there is no such column, or none of that kind.
  Source(Owned<ArrowArrayStream> stream, Choice choice, bool takes_lists);

  // The columns that are kept: what they are.
  std::vector<Owned<ArrowSchema>> kept_schemas() const;

  // The next rows, of so many bytes of text or of one that is longer; false at the end.
  bool next(std::size_t most, Piece& piece, Stop& stop);
  // The columns that are kept, in these rows.
  std::vector<Owned<ArrowArray>> kept_arrays() const;

 private:
  void check(int number);  // of an error
  bool next_array();
  void add(Piece& piece, std::size_t row) const;

  Owned<ArrowArrayStream> stream_;
  std::shared_ptr<Owned<ArrowSchema>> schema_;
  std::optional<std::size_t> column_{};  // of a table
  std::vector<std::size_t> kept_{};      // columns of a table
  std::variant<TextType, ListType> type_{};

  std::shared_ptr<Owned<ArrowArray>> array_{};
  std::variant<Texts, Lists> rows_{};
  Nulls nulls_{};                                  // of the rows of a table
  std::size_t before_ = 0;                         // rows of its columns before the first of the table
  std::size_t length_ = 0, first_ = 0, last_ = 0;  // rows, and which of them were read last
};

}  // namespace budgie::columns
