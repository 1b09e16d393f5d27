// SPDX-License-Identifier: Apache-2.0
// A column of answers that is being filled, row by row.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "columns/arrow.hpp"
#include "text/text.hpp"

namespace budgie::columns {

// Texts that come again and again, by number.
using Labels = std::shared_ptr<const std::vector<std::string>>;

class Column {
 public:
  enum class Type : std::uint8_t { text, label, probability, whole, truth, list, record };

  Column(std::string name, Type type) : name_(std::move(name)), type_(type) {}
  // Of labels: as texts, or with `dictionary` as numbers and a dictionary of all labels, of 32,767 at most.
  Column(std::string name, Labels labels, bool dictionary);
  // A list of `items`.
  Column(std::string name, Column items) : name_(std::move(name)), type_(Type::list) {
    children_.push_back(std::move(items));
  }
  // A record of several fields.
  Column(std::string name, std::vector<Column> fields)
      : name_(std::move(name)), type_(Type::record), children_(std::move(fields)) {}

  const std::string& name() const { return name_; }

  // A row each. What is not UTF-8 becomes U+FFFD.
  void add_text(const TextView& text);
  void add_label(std::size_t number);
  void add_probability(float value);
  void add_whole(std::size_t value);
  void add_truth(bool value);
  // Of all items that were added since the last list.
  void end_list();
  // Of the fields, each of which must have a row more.
  void end_record() { end_row(true); }
  void add_null();

  Column& items() { return children_.front(); }
  Column& field(std::size_t number) { return children_[number]; }

  // What it is, and all of its rows, for others.
  Owned<ArrowSchema> schema() const;
  Owned<ArrowArray> array() &&;

 private:
  void end_row(bool valid);
  void end_text();
  void add_bytes(const void* bytes, std::size_t count);
  template <class Number>
  void add_number(Number number) {
    add_bytes(&number, sizeof number);
  }

  std::string name_;
  Type type_;
  Labels labels_{};
  bool dictionary_ = false;
  std::vector<Column> children_{};
  std::size_t rows_ = 0, nulls_ = 0;
  std::vector<std::uint8_t> valid_{};     // a bit for each row
  std::vector<std::int32_t> offsets_{0};  // of texts and lists: where each begins, and where the last one ends
  std::vector<std::uint8_t> values_{};    // of all others, and the bytes of texts
};

}  // namespace budgie::columns
