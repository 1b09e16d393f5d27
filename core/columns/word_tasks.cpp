// SPDX-License-Identifier: Apache-2.0
// Segmentation and tagging.
#include <utility>

#include "columns/tasks.hpp"

namespace budgie::columns {

Task segment(const Segmenting& with, bool offsets) {
  const auto answer = [with, offsets](Piece& piece, std::size_t threads, const Stop& stop,
                                      std::vector<Column>& columns) {
    piece.decode();
    std::vector<std::vector<TokenSpan>> found(piece.rows());
    piece.work_on(threads, stop, [&] {
      return [&, scratch = Segmenter::Scratch(*with.segmenter)](std::size_t first, std::size_t last,
                                                                Stop& stop_now) mutable {
        for (std::size_t row = first; row < last; ++row) {
          with.segmenter->segment(piece.texts[row], with.dictionary.get(), with.standard, scratch, found[row],
                                  stop_now);
          if (!with.spaces) drop_blanks(piece.texts[row], found[row]);
        }
      };
    });
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (piece.null_texts[row]) {
        columns[0].add_null();
        continue;
      }
      add_tokens(piece.texts[row], std::exchange(found[row], {}), offsets, columns[0]);
    }
  };
  return {false, kMostForTokens, {tokens_column(offsets)}, answer};
}

Task tag(const std::shared_ptr<const Tagger>& tagger, const Labels& tags, bool probabilities, bool dictionary) {
  const auto answer = [tagger, probabilities](Piece& piece, std::size_t threads, const Stop& stop,
                                              std::vector<Column>& columns) {
    std::vector<std::uint32_t> found(piece.texts.size());
    std::vector<float> probable(probabilities ? found.size() : 0);
    piece.work_on(threads, stop, [&] {
      return [&, scratch = Tagger::Scratch(*tagger, found.size())](std::size_t first, std::size_t last,
                                                                   Stop& stop_now) mutable {
        tagger->tag(piece.texts.data(), piece.starts.data() + first, last - first, scratch, found.data(), stop_now,
                    probabilities ? probable.data() : nullptr);
      };
    });
    Column& lists = columns[0];
    for (std::size_t row = 0; row < piece.rows(); ++row) {
      if (piece.null_lists[row]) {
        lists.add_null();
        continue;
      }
      for (std::size_t w = piece.starts[row]; w < piece.starts[row + 1]; ++w) {
        if (piece.null_texts[w]) {
          lists.items().add_null();
        } else if (probabilities) {
          lists.items().field(0).add_label(found[w]);
          lists.items().field(1).add_probability(probable[w]);
          lists.items().end_record();
        } else {
          lists.items().add_label(found[w]);
        }
      }
      lists.end_list();
    }
  };
  Column item("item", tags, dictionary);
  if (probabilities) {
    item = Column("item", {Column("tag", tags, dictionary), Column("probability", Column::Type::probability)});
  }
  return {true, kMostForTokens, {Column("tags", std::move(item))}, answer};
}

}  // namespace budgie::columns
