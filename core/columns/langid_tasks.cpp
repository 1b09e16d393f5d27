// SPDX-License-Identifier: Apache-2.0
#include <type_traits>
#include <utility>

#include "columns/tasks.hpp"

namespace budgie::columns {

namespace {

using Scratch = LanguageIdentifier::Scratch;

// A list of what find(text, scratch, stop) finds, in each row.
template <class Find, class Add>
Task lists(std::shared_ptr<const LanguageIdentifier> identifier, Column column, Find find, Add add) {
  const auto answer = [identifier, find, add](Piece& piece, std::size_t threads, const Stop& stop,
                                              std::vector<Column>& columns) {
    piece.decode();
    std::vector<std::invoke_result_t<Find, const TextView&, Scratch&, Stop&>> found(piece.rows());
    piece.work_on(threads, stop, [&] {
      return [&, scratch = Scratch(*identifier)](std::size_t first, std::size_t last, Stop& stop_now) mutable {
        for (std::size_t row = first; row < last; ++row) {
          stop_now.look();
          if (!piece.null_texts[row]) found[row] = find(piece.texts[row], scratch, stop_now);
        }
      };
    });
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (piece.null_texts[row]) {
        columns[0].add_null();
      } else {
        add(found[row], columns[0]);
      }
    }
  };
  return {false, kMostForLanguages, {std::move(column)}, answer};
}

using FindSpans = std::vector<Span> (LanguageIdentifier::*)(const TextView&, const LanguageIdentifier::Allowed&,
                                                            Scratch&, Stop&) const;

Task spans_by(FindSpans find, const Identifying& with) {
  const auto call = [with, find](const TextView& text, Scratch& scratch, Stop& stop) {
    return ((*with.identifier).*find)(text, with.allowed, scratch, stop);
  };
  const auto add = [with](const std::vector<Span>& found, Column& column) { with.languages.add(found, column); };
  return lists(with.identifier, {"spans", {"item", with.languages.span_fields()}}, call, add);
}

}  // namespace

Task identify(const Identifying& with) {
  const auto answer = [with](Piece& piece, std::size_t threads, const Stop& stop, std::vector<Column>& columns) {
    std::vector<Identification> found(piece.rows());
    piece.work_on(threads, stop, [&] {
      return [&, scratch = Scratch(*with.identifier)](std::size_t first, std::size_t last, Stop& stop_now) mutable {
        with.identifier->identify(piece.texts.data() + first, last - first, with.allowed, scratch, found.data() + first,
                                  stop_now);
      };
    });
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (piece.null_texts[row]) {
        for (Column& column : columns) column.add_null();
      } else {
        with.languages.add(found[row], columns.data());
      }
    }
  };
  return {false, kMostForLanguages, with.languages.fields(), answer};
}

Task rank(const Identifying& with, std::size_t k) {
  const auto call = [with, k](const TextView& text, Scratch& scratch, Stop& stop) {
    return with.identifier->rank(text, k, with.allowed, scratch, stop);
  };
  const auto add = [with](const std::vector<Identification>& found, Column& column) {
    with.languages.add(found, column);
  };
  return lists(with.identifier, {"ranking", {"item", with.languages.fields()}}, call, add);
}

Task spans(const Identifying& with) { return spans_by(&LanguageIdentifier::spans, with); }

Task passages(const Identifying& with) { return spans_by(&LanguageIdentifier::passages, with); }

}  // namespace budgie::columns
