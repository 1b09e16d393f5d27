// SPDX-License-Identifier: Apache-2.0
// The pipeline and its documents as Python sees them.
#include "annotation/pipeline.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <atomic>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "annotation/packing.hpp"
#include "annotation/writers.hpp"
#include "batches.hpp"
#include "columns/tasks.hpp"
#include "records.hpp"
#include "tasks.hpp"

namespace budgie::python {
namespace {

// ---- documents

constexpr const char* kCapsule = "budgie.document";

// What a capsule holds: a document and all that it refers to. Not a class of nanobind's, whose instances end the
// process where there is no memory for one more.
struct Annotated {
  Document document;
  std::shared_ptr<const Names> names;
  nb::object text;
};

nb::object capsule_of(Document document, std::shared_ptr<const Names> names, nb::object text) {
  auto made = std::make_unique<Annotated>(Annotated{std::move(document), std::move(names), std::move(text)});
  const auto drop = [](PyObject* capsule) { delete static_cast<Annotated*>(PyCapsule_GetPointer(capsule, kCapsule)); };
  nb::object capsule = checked(PyCapsule_New(made.get(), kCapsule, drop));
  made.release();
  return capsule;
}

const Annotated& annotated_in(nb::handle capsule) {
  void* found = PyCapsule_GetPointer(capsule.ptr(), kCapsule);
  if (found == nullptr) throw nb::python_error();
  return *static_cast<const Annotated*>(found);
}

std::vector<nb::object> strings(const std::vector<std::string>& texts) {
  std::vector<nb::object> made;
  for (const std::string& text : texts) made.push_back(string(text));
  return made;
}

// Makes the sentences of a document, and all that is in them.
class Maker {
 public:
  explicit Maker(const Annotated& annotated)
      : document_(annotated.document),
        text_(annotated.text),
        languages_(strings(annotated.names->languages)),
        tags_(strings(annotated.names->tags)) {}

  nb::list sentences() const {
    return make_list(document_.sentences.size(), [&](std::size_t s) {
      const Sentence& sentence = document_.sentences[s];
      const std::size_t start = document_.start_of(sentence), end = document_.end_of(sentence);
      return make_tracked_record(Record::sentence, part(text_, start, end), number(start), number(end),
                                 languages_[sentence.language],
                                 make_list(sentence.last_token - sentence.first_token,
                                           [&](std::size_t t) { return token(sentence.first_token + t); }));
    });
  }

 private:
  nb::object token(std::size_t number_of) const {
    const Token& one = document_.tokens[number_of];
    const bool several = one.multiword();
    return make_record(Record::token, part(text_, one.start, one.end), number(one.start), number(one.end),
                       nb::object(nb::bool_(one.space_after)), several ? joined_tags(one) : tag(one.tag),
                       several ? words(one) : none_, probability(one.tag));
  }

  nb::object words(const Token& token) const {
    nb::object made = checked(PyTuple_New(static_cast<Py_ssize_t>(token.last_word - token.first_word)));
    for (std::size_t w = token.first_word; w < token.last_word; ++w) {
      const Word& word = document_.words[w];
      const TextView characters = document_.text_of(word);
      nb::object text = checked(
          PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, characters.data, static_cast<Py_ssize_t>(characters.length)));
      PyTuple_SET_ITEM(
          made.ptr(), static_cast<Py_ssize_t>(w - token.first_word),
          make_record(Record::word, std::move(text), tag(word.tag), probability(word.tag)).release().ptr());
    }
    return made;
  }

  nb::object joined_tags(const Token& token) const {
    if (!document_.has_tag(token)) return nb::none();
    nb::object joined = tag(document_.words[token.first_word].tag);
    for (std::size_t w = token.first_word + 1; w < token.last_word; ++w) {
      joined = checked(PyUnicode_FromFormat("%U+%U", joined.ptr(), tag(document_.words[w].tag).ptr()));
    }
    return joined;
  }

  nb::object tag(const TagOf& one) const { return one.tag == kNoTag ? nb::none() : tags_[one.tag]; }
  nb::object probability(const TagOf& one) const {
    return document_.has_probability(one) ? number(static_cast<double>(one.probability)) : nb::none();
  }

  const Document& document_;
  nb::handle text_;
  std::vector<nb::object> languages_, tags_;
  nb::object none_ = nb::steal(PyTuple_New(0));
};

// A language, by number, and how sure it is.
nb::object record_of(const Identification& found, const Names& names) {
  return make_record(Record::identification, string(names.languages[static_cast<std::size_t>(found.language)]),
                     number(static_cast<double>(found.probability)), nb::object(nb::bool_(found.reliable())));
}

nb::list spans_of(const Annotated& annotated) {
  const std::vector<Span>& spans = annotated.document.spans;
  return make_list(spans.size(), [&](std::size_t s) {
    const Identification& found = spans[s].identification;
    return make_record(Record::span, number(spans[s].start), number(spans[s].end),
                       string(annotated.names->languages[static_cast<std::size_t>(found.language)]),
                       number(static_cast<double>(found.probability)), nb::object(nb::bool_(found.reliable())));
  });
}

// Where sentences, and where tokens begin and end, one behind the other: bytes of 64-bit integers. Records of all
// tokens would take fifty times the memory of the text.
nb::tuple bounds_of(const Document& document) {
  std::vector<std::int64_t> sentences, tokens;
  const auto put = [](std::vector<std::int64_t>& bounds, std::size_t start, std::size_t end) {
    bounds.push_back(static_cast<std::int64_t>(start));
    bounds.push_back(static_cast<std::int64_t>(end));
  };
  for (const Sentence& one : document.sentences) put(sentences, document.start_of(one), document.end_of(one));
  for (const Token& one : document.tokens) put(tokens, one.start, one.end);
  const auto as_bytes = [](const std::vector<std::int64_t>& bounds) {
    return bytes(reinterpret_cast<const char*>(bounds.data()), bounds.size() * sizeof(std::int64_t));
  };
  return nb::make_tuple(as_bytes(sentences), as_bytes(tokens));
}

template <class Write>
nb::object written(const Annotated& annotated, Write&& write) {
  const TextView text = view(annotated.text);
  std::string made;
  work_on(text.bytes(), [&](Stop& stop) { made = write(annotated.document, *annotated.names, text, stop); });
  return string(made);
}

nb::object packed_of(const Annotated& annotated) {
  std::string made;
  work_on(view(annotated.text).bytes(),
          [&](Stop& stop) { made = annotation::pack(annotated.document, *annotated.names, stop); });
  return bytes(made.data(), made.size());
}

// The document of a text that packed_of() has made bytes of.
nb::object document_of(nb::object text, const nb::bytes& packed) {
  const TextView seen = view(text);
  annotation::Unpacked made;
  work_on(packed.size(), [&](Stop& stop) {
    made = annotation::unpack(static_cast<const std::uint8_t*>(packed.data()), packed.size(), seen.length, stop);
  });
  return capsule_of(std::move(made.document), std::make_shared<Names>(std::move(made.names)), std::move(text));
}

// ---- the pipeline

// The core's half, and the models that it only refers to.
struct PipelineWithModels {
  PipelineWithModels(std::shared_ptr<const tasks::LanguageIdentifier> identifier_, Names names, std::uint32_t unknown,
                     const nb::list& routes)
      : identifier(std::move(identifier_)),
        core(*identifier, std::make_shared<Names>(std::move(names)), unknown, routes_in(routes)) {}

  std::vector<Route> routes_in(const nb::list& given) {
    std::vector<Route> routes(given.size());
    for (std::size_t r = 0; r < routes.size(); ++r) {
      if (given[r].is_none()) continue;
      const auto [tokens, standard, words, words_standard, tagger, tags] = nb::cast<
          std::tuple<nb::object, std::uint32_t, nb::object, std::uint32_t, nb::object, std::vector<std::uint16_t>>>(
          given[r]);
      routes[r] = {keep(segmenter_in(tokens)),
                   standard,
                   words.is_none() ? nullptr : keep(segmenter_in(words)),
                   words_standard,
                   tagger.is_none() ? nullptr : keep(tagger_in(tagger)),
                   tags};
    }
    return routes;
  }

  template <class Model>
  const Model* keep(std::shared_ptr<const Model> model) {
    models.push_back(model);
    return model.get();
  }

  std::shared_ptr<const tasks::LanguageIdentifier> identifier;
  std::vector<std::shared_ptr<const void>> models{};
  annotation::Pipeline core;
};

struct Pipeline {
  // `routes`: for each name of a language None or (tokens, standard, words or None, standard of these, tagger or
  // None, numbers of tags).
  Pipeline(nb::handle identifier, std::vector<std::string> languages, std::vector<std::string> tags,
           std::uint32_t unknown, const nb::list& routes)
      : shared(std::make_shared<const PipelineWithModels>(
            identifier_in(identifier), Names{std::move(languages), std::move(tags)}, unknown, routes)),
        core(shared->core) {}

  // Capsules of documents; or, where models are missing, a tuple of the numbers of languages that need them. `language`
  // is that of all texts, where it is known.
  nb::object annotate_batch(const nb::list& texts, std::optional<std::uint32_t> language,
                            const tasks::LanguageIdentifier::Allowed& allowed, bool spans, bool tokens, bool tags,
                            bool probabilities, std::size_t threads) const {
    const TextBatch batch(texts);
    const Wanted wanted{spans, tokens, tags, probabilities};
    std::vector<Document> found(batch.size());
    std::vector<std::atomic<bool>> missing(core.names()->languages.size());
    std::atomic<bool> any_missing{false};
    std::size_t bytes = 0;
    for (const TextView& text : batch.views) bytes += text.bytes();
    const auto make_work = [&] {
      // A word takes two bytes at least: itself and what stands behind it.
      return [&, scratch = annotation::Pipeline::Scratch(core, bytes / 2 + 1)](std::size_t first, std::size_t last,
                                                                               Stop& stop) mutable {
        for (std::size_t t = first; t < last; ++t) {
          stop.look();
          const TextView& text = batch.views[t];
          found[t] = language ? core.in_language(text, *language)
                     : spans  ? core.find_languages(text, allowed, scratch, stop)
                              : core.find_language(text, allowed, scratch, stop);
          if (tokens) {
            core.for_missing(found[t], [&](std::uint32_t one) {
              missing[one] = true;
              any_missing = true;
            });
          }
          // What is there is done again when all models are there: no more of it than must be.
          if (!any_missing) core.annotate(text, wanted, scratch, found[t], stop);
        }
      };
    };
    nb::list capsules = answer_batch(batch, threads, 1, make_work, [&](std::size_t t) {
      return any_missing ? nb::none() : capsule_of(std::exchange(found[t], {}), core.names(), batch.objects[t]);
    });
    if (!any_missing) return std::move(capsules);
    nb::list numbers;
    for (std::size_t l = 0; l < missing.size(); ++l) {
      if (missing[l]) numbers.append(l);
    }
    return nb::object(nb::tuple(numbers));
  }

  ColumnTask annotate_column(std::optional<std::uint32_t> language, const tasks::LanguageIdentifier::Allowed& allowed,
                             bool spans, bool tokens, bool tags, bool probabilities, bool dictionary) const {
    return ColumnTask(
        columns::annotate(annotating(language, allowed, {spans, tokens, tags, probabilities}), dictionary));
  }

  ColumnTask tokens_column(std::optional<std::uint32_t> language, const tasks::LanguageIdentifier::Allowed& allowed,
                           bool offsets) const {
    return ColumnTask(columns::tokens(annotating(language, allowed, {true, true, false, false}), offsets));
  }

  columns::Annotating annotating(std::optional<std::uint32_t> language,
                                 const tasks::LanguageIdentifier::Allowed& allowed, const Wanted& wanted) const {
    return {std::shared_ptr<const annotation::Pipeline>(shared, &core), language, allowed, wanted};
  }

  std::shared_ptr<const PipelineWithModels> shared;
  const annotation::Pipeline& core;
};

}  // namespace

void bind_pipeline(nb::module_& m) {
  nb::class_<Pipeline>(m, "Pipeline")
      .def(nb::init<nb::handle, std::vector<std::string>, std::vector<std::string>, std::uint32_t, const nb::list&>(),
           "identifier"_a, "languages"_a, "tags"_a, "unknown"_a, "routes"_a)
      .def("annotate_batch", &Pipeline::annotate_batch, "texts"_a, "language"_a.none(), "allowed"_a, "spans"_a,
           "tokens"_a, "tags"_a, "probabilities"_a, "threads"_a)
      .def("annotate_column", &Pipeline::annotate_column, "language"_a.none(), "allowed"_a, "spans"_a, "tokens"_a,
           "tags"_a, "probabilities"_a, "dictionary"_a)
      .def("tokens_column", &Pipeline::tokens_column, "language"_a.none(), "allowed"_a, "offsets"_a);
  m.def("identification_of", [](nb::handle document) {
    const Annotated& annotated = annotated_in(document);
    return record_of(annotated.document.identification(), *annotated.names);
  });
  m.def("text_of", [](nb::handle document) { return annotated_in(document).text; });
  m.def("spans_of", [](nb::handle document) { return spans_of(annotated_in(document)); });
  m.def("sentences_of", [](nb::handle document) { return Maker(annotated_in(document)).sentences(); });
  m.def("bounds_of", [](nb::handle document) { return bounds_of(annotated_in(document).document); });
  m.def("packed_of", [](nb::handle document) { return packed_of(annotated_in(document)); });
  m.def("document_of", &document_of);
  m.def("conllu_of", [](nb::handle document, const std::string& prefix) {
    return written(annotated_in(document),
                   [&](const Document& one, const Names& names, const TextView& text, Stop& stop) {
                     return annotation::to_conllu(one, names, text, prefix, stop);
                   });
  });
  m.def("json_of", [](nb::handle document) {
    return written(annotated_in(document), [](const Document& one, const Names& names, const TextView& text,
                                              Stop& stop) { return annotation::to_json(one, names, text, stop); });
  });
  m.def("tsv_of", [](nb::handle document, const std::string& prefix) {
    return written(annotated_in(document),
                   [&](const Document& one, const Names& names, const TextView& text, Stop& stop) {
                     return annotation::to_tsv(one, names, text, prefix, stop);
                   });
  });
}

}  // namespace budgie::python
