// SPDX-License-Identifier: Apache-2.0
// What answers of several tasks have in common: tokens, languages and spans.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "columns/column.hpp"
#include "tasks/langid.hpp"

namespace budgie::columns {

// tokens: a list of texts; with `offsets` of text, start and end.
inline Column tokens_column(bool offsets) {
  Column item("item", Column::Type::text);
  if (offsets) {
    item = Column("item", {Column("text", Column::Type::text), Column("start", Column::Type::whole),
                           Column("end", Column::Type::whole)});
  }
  return {"tokens", std::move(item)};
}

// Adds a row to such a column. A token is anything that knows where it starts and ends.
template <class Tokens>
void add_tokens(const TextView& text, const Tokens& tokens, bool offsets, Column& lists) {
  for (const auto& token : tokens) {
    const TextView part = text.part(token.start, token.end);
    if (!offsets) {
      lists.items().add_text(part);
      continue;
    }
    lists.items().field(0).add_text(part);
    lists.items().field(1).add_whole(token.start);
    lists.items().field(2).add_whole(token.end);
    lists.items().end_record();
  }
  lists.end_list();
}

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
  void add(const std::vector<Span>& spans, Column& lists) const {
    for (const Span& span : spans) {
      lists.items().field(0).add_whole(span.start);
      lists.items().field(1).add_whole(span.end);
      add(span.identification, &lists.items().field(2));
      lists.items().end_record();
    }
    lists.end_list();
  }
};

}  // namespace budgie::columns
