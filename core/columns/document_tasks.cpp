// SPDX-License-Identifier: Apache-2.0
// What the pipeline finds: the fields of budgie.Document and what is in it.
#include <string>
#include <utility>

#include "columns/tasks.hpp"

namespace budgie::columns {

namespace {

using Type = Column::Type;

// The documents of a piece.
std::vector<Document> documents(const Annotating& with, Piece& piece, std::size_t threads, const Stop& stop) {
  piece.decode();
  std::vector<Document> found(piece.rows());
  std::size_t bytes = 0;
  for (const TextView& text : piece.texts) bytes += text.bytes();
  piece.work_on(threads, stop, [&] {
    // A word takes two bytes at least: itself and what stands behind it.
    return [&, scratch = annotation::Pipeline::Scratch(*with.pipeline, bytes / 2 + 1)](
               std::size_t first, std::size_t last, Stop& stop_now) mutable {
      for (std::size_t row = first; row < last; ++row) {
        stop_now.look();
        const TextView& text = piece.texts[row];
        found[row] = with.language ? with.pipeline->in_language(text, *with.language)
                                   : with.pipeline->find_languages(text, with.allowed, scratch, stop_now);
        with.pipeline->annotate(text, with.wanted, scratch, found[row], stop_now);
      }
    };
  });
  return found;
}

// The columns of sentences, and rows of them.
class Sentences {
 public:
  Sentences(const Annotating& with, Languages languages)
      : names_(with.pipeline->names()), wanted_(with.wanted), languages_(std::move(languages)) {}

  Column column() const {
    std::vector<Column> of_word{{"text", Type::text}};
    std::vector<Column> of_token{
        {"text", Type::text}, {"start", Type::whole}, {"end", Type::whole}, {"space_after", Type::truth}};
    for (std::vector<Column>* fields : {&of_word, &of_token}) {
      if (wanted_.tags) fields->emplace_back("tag", Type::text);
      if (wanted_.tags && wanted_.probabilities) fields->emplace_back("probability", Type::probability);
    }
    of_token.emplace_back("words", Column("item", std::move(of_word)));
    return {"sentences", Column("item", {Column("start", Type::whole), Column("end", Type::whole),
                                         Column("language", languages_.names, languages_.dictionary),
                                         Column("tokens", Column("item", std::move(of_token)))})};
  }

  void add(const Document& document, const TextView& text, Column& lists) const {
    for (const Sentence& sentence : document.sentences) {
      Column& one = lists.items();
      one.field(0).add_whole(document.start_of(sentence));
      for (std::size_t t = sentence.first_token; t < sentence.last_token; ++t) {
        add(document, document.tokens[t], text, one.field(3).items());
      }
      one.field(1).add_whole(document.end_of(sentence));
      one.field(2).add_label(sentence.language);
      one.field(3).end_list();
      one.end_record();
    }
    lists.end_list();
  }

 private:
  void add(const Document& document, const Token& token, const TextView& text, Column& one) const {
    one.field(0).add_text(text.part(token.start, token.end));
    one.field(1).add_whole(token.start);
    one.field(2).add_whole(token.end);
    one.field(3).add_truth(token.space_after);
    const std::size_t words = 4 + add_tag(document, token.tag, tag_of(document, token), one, 4);
    for (std::size_t w = token.first_word; w < token.last_word; ++w) {
      const Word& word = document.words[w];
      Column& item = one.field(words).items();
      item.field(0).add_text(document.text_of(word));
      add_tag(document, word.tag, tag_of(word.tag), item, 1);
      item.end_record();
    }
    one.field(words).end_list();
    one.end_record();
  }

  std::string tag_of(const TagOf& tag) const { return tag.tag == kNoTag ? std::string() : names_->tags[tag.tag]; }

  // Those of several words have a + between them.
  std::string tag_of(const Document& document, const Token& token) const {
    if (!token.multiword()) return tag_of(token.tag);
    std::string joined = tag_of(document.words[token.first_word].tag);
    for (std::size_t w = token.first_word + 1; w < token.last_word; ++w) {
      if (!joined.empty()) joined += "+" + tag_of(document.words[w].tag);
    }
    return joined;
  }

  // From one field of a record on, if tags are wanted; returns how many fields that are.
  std::size_t add_tag(const Document& document, const TagOf& tag, const std::string& name, Column& record,
                      std::size_t first) const {
    if (!wanted_.tags) return 0;
    if (name.empty()) {
      record.field(first).add_null();
    } else {
      record.field(first).add_text({name.data(), name.size()});
    }
    if (!wanted_.probabilities) return 1;
    if (document.has_probability(tag)) {
      record.field(first + 1).add_probability(tag.probability);
    } else {
      record.field(first + 1).add_null();
    }
    return 2;
  }

  std::shared_ptr<const Names> names_;
  Wanted wanted_;
  Languages languages_;
};

}  // namespace

Task annotate(const Annotating& with, bool dictionary) {
  const std::shared_ptr<const Names> names = with.pipeline->names();
  const Languages languages{Labels(names, &names->languages), dictionary};
  if (!with.wanted.spans && !with.language) {  // several texts at a time, and no documents
    return identify({{with.pipeline, &with.pipeline->identifier()}, with.allowed, languages});
  }
  const Sentences sentences(with, languages);
  std::vector<Column> made = languages.fields();
  if (with.wanted.spans) made.emplace_back("spans", Column("item", languages.span_fields()));
  if (with.wanted.tokens) made.push_back(sentences.column());
  const auto answer = [with, languages, sentences](Piece& piece, std::size_t threads, const Stop& stop,
                                                   std::vector<Column>& columns) {
    std::vector<Document> found = documents(with, piece, threads, stop);
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (piece.null_texts[row]) {
        for (Column& column : columns) column.add_null();
        continue;
      }
      const Document document = std::exchange(found[row], {});
      const TextView& text = piece.texts[row];
      languages.add(document.identification(), columns.data());
      if (with.wanted.spans) languages.add(document.spans, columns[Languages::kFields]);
      if (with.wanted.tokens) sentences.add(document, text, columns.back());
    }
  };
  return {false, kMostForTokens, std::move(made), answer};
}

Task tokens(const Annotating& with, bool offsets) {
  const auto answer = [with, offsets](Piece& piece, std::size_t threads, const Stop& stop,
                                      std::vector<Column>& columns) {
    std::vector<Document> found = documents(with, piece, threads, stop);
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (piece.null_texts[row]) {
        columns[0].add_null();
        continue;
      }
      add_tokens(piece.texts[row], std::exchange(found[row], {}).tokens, offsets, columns[0]);
    }
  };
  return {false, kMostForTokens, {tokens_column(offsets)}, answer};
}

}  // namespace budgie::columns
