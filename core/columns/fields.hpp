// SPDX-License-Identifier: Apache-2.0
// What answers of several tasks have in common: offsets, and languages.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns/column.hpp"
#include "tasks/langid.hpp"

namespace budgie::columns {

// Offsets into a text as its column counts them; each at or behind the last one.
class Offsets {
 public:
  Offsets(const TextView& text, bool binary)
      : begin_(static_cast<const std::uint8_t*>(text.data)), end_(begin_ + text.length), at_(begin_), binary_(binary) {}

  std::size_t operator()(std::size_t unit) {
    if (binary_) return unit;
    // Read, not counted by first bytes: what is ill-formed is as many characters as it is read as.
    for (; at_ < begin_ + unit; ++characters_) Utf8::next(at_, end_);
    return characters_;
  }

 private:
  const std::uint8_t *begin_, *end_, *at_;
  bool binary_;
  std::size_t characters_ = 0;
};

// How languages are called: one label more than there are, the last for text in none. With `dictionary` columns have
// numbers and a dictionary.
struct Languages {
  Labels names;
  bool dictionary = false;

  // language, probability, reliable
  static constexpr std::size_t kFields = 3;
  std::vector<Column> fields() const {
    return {
        {"language", names, dictionary}, {"probability", Column::Type::probability}, {"reliable", Column::Type::truth}};
  }
  // The same with start and end before them.
  std::vector<Column> span_fields() const {
    std::vector<Column> all{{"start", Column::Type::whole}, {"end", Column::Type::whole}};
    for (Column& field : fields()) all.push_back(std::move(field));
    return all;
  }

  void add(const Identification& found, Column* fields) const {
    const bool none = found.language == Identification::kUndetermined;
    fields[0].add_label(none ? names->size() - 1 : static_cast<std::size_t>(found.language));
    fields[1].add_probability(found.probability);
    fields[2].add_truth(found.reliable());
  }

  // To a column of lists of such records.
  void add(const std::vector<Identification>& all, Column& lists) const {
    for (const Identification& found : all) {
      add(found, &lists.items().field(0));
      lists.items().end_record();
    }
    lists.end_list();
  }
  void add(const std::vector<Span>& spans, Offsets offsets, Column& lists) const {
    for (const Span& span : spans) {
      lists.items().field(0).add_whole(offsets(span.start));
      lists.items().field(1).add_whole(offsets(span.end));
      add(span.identification, &lists.items().field(2));
      lists.items().end_record();
    }
    lists.end_list();
  }
};

}  // namespace budgie::columns
