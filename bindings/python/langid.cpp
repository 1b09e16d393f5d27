// SPDX-License-Identifier: Apache-2.0
// Language identification as Python sees it.
#include "tasks/langid.hpp"

#include "batches.hpp"
#include "model.hpp"

namespace budgie::python {
namespace {

// What every small result record can do: print itself, be compared, hashed and pickled.
template <class Record>
void define_record(nb::class_<Record>& record, std::vector<const char*> fields) {
  const auto values = [fields](nb::handle self) {
    nb::list list;
    for (const char* field : fields) list.append(self.attr(field));
    return nb::tuple(list);
  };
  record.def("__repr__", [fields](nb::handle self) {
    std::string text = nb::cast<std::string>(self.type().attr("__name__")) + "(";
    for (const char* field : fields) {
      if (text.back() != '(') text += ", ";
      text += std::string(field) + "=" + nb::cast<std::string>(nb::repr(self.attr(field)));
    }
    return text + ")";
  });
  record.def(
      "__eq__",
      [values](nb::handle self, nb::handle other) {
        return self.type().is(other.type()) && values(self).equal(values(other));
      },
      nb::arg("other").none());
  record.def("__hash__", [values](nb::handle self) { return nb::hash(values(self)); });
  record.def("__reduce__", [values](nb::handle self) { return nb::make_tuple(self.type(), values(self)); });
}

struct Identification {
  nb::object language;
  double probability;
  bool reliable;
};

struct SpanRecord {
  std::size_t begin;
  std::size_t end;
  nb::object language;
  double probability;
  bool reliable;
};

// The numbers of the languages to choose from, ascending: converted once, not at every call.
struct Languages {
  explicit Languages(std::vector<std::uint32_t> numbers_) : numbers(std::move(numbers_)) {}
  std::vector<std::uint32_t> numbers;
};

struct Identifier {
  Identifier(const Model& model, float threshold_)
      : core(build_langid(model)), threshold(threshold_), labels(labels_of(model)) {}

  Identification record(const Answer& answer) const {
    if (answer.language == Answer::kUndetermined) return {undetermined, 0.0, false};
    const double p = static_cast<double>(answer.probability);
    return {labels[static_cast<std::size_t>(answer.language)], p, answer.probability >= threshold};
  }

  Identification identify(nb::handle text, const Languages& allowed) const {
    const TextView one = view(text);
    Answer answer;
    work_on_one(one, [&](LanguageIdentifier::Scratch& scratch, Stop& stop) {
      core.identify(&one, 1, allowed.numbers, scratch, &answer, stop);
    });
    return record(answer);
  }

  nb::list identify_batch(const nb::list& texts, const Languages& allowed, std::size_t threads) const {
    const TextBatch batch(texts);
    std::vector<Answer> found(batch.size());
    const auto make_work = [&] {
      return [&, scratch = LanguageIdentifier::Scratch(core)](std::size_t first, std::size_t last, Stop& stop) mutable {
        core.identify(batch.views.data() + first, last - first, allowed.numbers, scratch, found.data() + first, stop);
      };
    };
    return answer_batch(batch, threads, 1, make_work, [&](std::size_t t) { return nb::cast(record(found[t])); });
  }

  std::vector<Identification> rank(nb::handle text, std::size_t k, const Languages& allowed) const {
    const TextView one = view(text);
    std::vector<Answer> answers;
    work_on_one(one, [&](LanguageIdentifier::Scratch& scratch, Stop& stop) {
      answers = core.rank(one, k, allowed.numbers, scratch, stop);
    });
    std::vector<Identification> result;
    for (const Answer& answer : answers) result.push_back(record(answer));
    return result;
  }

  std::vector<SpanRecord> spans(nb::handle text, const Languages& allowed) const {
    const TextView one = view(text);
    std::vector<LanguageSpan> found;
    work_on_one(one, [&](LanguageIdentifier::Scratch& scratch, Stop& stop) {
      found = core.spans(one, allowed.numbers, scratch, stop);
    });
    std::vector<SpanRecord> result;
    for (const LanguageSpan& span : found) {
      Identification answer = record(span.answer);
      result.push_back({span.begin, span.end, answer.language, answer.probability, answer.reliable});
    }
    return result;
  }

  std::size_t letters(nb::handle text) const {
    const TextView one = view(text);
    std::size_t letters = 0;
    work_on_one(one,
                [&](LanguageIdentifier::Scratch& scratch, Stop& stop) { letters = core.letters(one, scratch, stop); });
    return letters;
  }

  std::vector<float> scores(nb::handle text) const {
    const TextView one = view(text);
    std::vector<float> scores;
    work_on_one(one,
                [&](LanguageIdentifier::Scratch& scratch, Stop& stop) { scores = core.scores(one, scratch, stop); });
    return scores;
  }

  template <class Work>
  void work_on_one(const TextView& text, Work&& work) const {
    work_on(text.bytes(), [&](Stop& stop) {
      LanguageIdentifier::Scratch scratch(core);
      work(scratch, stop);
    });
  }

  LanguageIdentifier core;
  float threshold;
  std::vector<nb::object> labels;
  nb::object undetermined = nb::str("und");
};

}  // namespace

void bind_langid(nb::module_& m) {
  nb::class_<Identification> identification(m, "Identification", "The language of a text, and how sure that is.");
  identification
      .def(
          "__init__",
          [](Identification* self, nb::str language, double probability, bool reliable) {
            new (self) Identification{std::move(language), probability, reliable};
          },
          "language"_a, "probability"_a, "reliable"_a)
      .def_ro("language", &Identification::language, "Code of the language; 'und' for text without letters.")
      .def_ro("probability", &Identification::probability, "Calibrated probability that `language` is right.")
      .def_ro("reliable", &Identification::reliable, "Whether the probability is high enough to act on.");
  define_record(identification, {"language", "probability", "reliable"});

  nb::class_<SpanRecord> span(m, "Span", "A part of a text in one language.");
  span.def(
          "__init__",
          [](SpanRecord* self, std::size_t begin, std::size_t end, nb::str language, double probability,
             bool reliable) { new (self) SpanRecord{begin, end, std::move(language), probability, reliable}; },
          "begin"_a, "end"_a, "language"_a, "probability"_a, "reliable"_a)
      .def_ro("begin", &SpanRecord::begin, "Offset of the first character (str) or byte (bytes).")
      .def_ro("end", &SpanRecord::end, "Offset behind the last one.")
      .def_ro("language", &SpanRecord::language, "Code of the language; 'und' for text without letters.")
      .def_ro("probability", &SpanRecord::probability, "Calibrated probability of the language for this part alone.")
      .def_ro("reliable", &SpanRecord::reliable, "Whether the probability is high enough to act on.");
  define_record(span, {"begin", "end", "language", "probability", "reliable"});

  nb::class_<Languages>(m, "Languages").def(nb::init<std::vector<std::uint32_t>>());
  nb::class_<Identifier>(m, "Identifier")
      .def(nb::init<const Model&, float>(), "model"_a, "threshold"_a)
      // .none(): None has to reach view(), whose message is better than nanobind's.
      .def("identify", &Identifier::identify, "text"_a.none(), "allowed"_a)
      .def("identify_batch", &Identifier::identify_batch)
      .def("rank", &Identifier::rank, "text"_a.none(), "k"_a, "allowed"_a)
      .def("spans", &Identifier::spans, "text"_a.none(), "allowed"_a)
      .def("letters", &Identifier::letters, "text"_a.none())
      .def("scores", &Identifier::scores, "text"_a.none());
}

}  // namespace budgie::python
