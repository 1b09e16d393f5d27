// SPDX-License-Identifier: Apache-2.0
// Segmentation as Python sees it.
#include "tasks/segmenter.hpp"

#include <utility>

#include "batches.hpp"
#include "model.hpp"
#include "records.hpp"
#include "tasks.hpp"

namespace budgie::python {
namespace {

struct Dictionary : features::Dictionary {
  explicit Dictionary(const nb::list& words) {
    const TextBatch batch(words);
    std::size_t bytes = 0;
    for (const TextView& word : batch.views) bytes += word.bytes();
    work_on(bytes, [&](Stop& stop) {
      for (const TextView& word : batch.views) add(word, stop);
    });
  }
};

nb::object part(PyObject* text, std::size_t begin, std::size_t end) {
  const auto from = static_cast<Py_ssize_t>(begin), to = static_cast<Py_ssize_t>(end);
  return checked(PyUnicode_Check(text) ? PyUnicode_Substring(text, from, to)
                                       : PyBytes_FromStringAndSize(PyBytes_AS_STRING(text) + from, to - from));
}

nb::list strings_of(PyObject* text, const std::vector<TokenSpan>& words) {
  return make_list(words.size(), [&](std::size_t w) { return part(text, words[w].start, words[w].end); });
}

bool begins_sentence(const TokenSpan& word) { return static_cast<Action>(word.action) == Action::sentence; }

nb::list offsets_of(PyObject*, const std::vector<TokenSpan>& words) {
  return make_list(words.size(), [&](std::size_t w) {
    return make_record(Record::token_span, number(words[w].start), number(words[w].end));
  });
}

// The offsets of the words of each sentence.
nb::list sentences_of(PyObject* text, const std::vector<TokenSpan>& words) {
  nb::list result;
  for (std::size_t first = 0, last = 0; first < words.size(); first = last) {
    for (last = first + 1; last < words.size() && !begins_sentence(words[last]);) ++last;
    result.append(offsets_of(
        text, {words.begin() + static_cast<std::ptrdiff_t>(first), words.begin() + static_cast<std::ptrdiff_t>(last)}));
  }
  return result;
}

struct Segmenter {
  explicit Segmenter(const Model& model) : core(build_segmenter(model)) {}

  template <class Result>
  nb::list one(nb::handle text, const Dictionary* dictionary, std::uint32_t standard, Result&& result) const {
    const TextView units = view(text);
    std::vector<TokenSpan> words;
    work_on(units.bytes(), [&](Stop& stop) {
      tasks::Segmenter::Scratch scratch(core);
      core.segment(units, dictionary, standard, scratch, words, stop);
    });
    return result(text.ptr(), words);
  }

  template <class Result>
  nb::list several(const nb::list& texts, const Dictionary* dictionary, std::uint32_t standard, std::size_t threads,
                   Result&& result) const {
    const TextBatch batch(texts);
    std::vector<std::vector<TokenSpan>> words(batch.size());
    const auto make_work = [&] {
      return [&, scratch = tasks::Segmenter::Scratch(core)](std::size_t first, std::size_t last, Stop& stop) mutable {
        for (std::size_t t = first; t < last; ++t) {
          core.segment(batch.views[t], dictionary, standard, scratch, words[t], stop);
        }
      };
    };
    return answer_batch(batch, threads, 1, make_work,
                        [&](std::size_t t) { return result(batch.objects[t].ptr(), std::exchange(words[t], {})); });
  }

  tasks::Segmenter core;
};

}  // namespace

const tasks::Segmenter& segmenter_in(nb::handle object) { return nb::cast<const Segmenter&>(object).core; }

void bind_segmenter(nb::module_& m) {
  nb::class_<Dictionary>(m, "Dictionary").def(nb::init<const nb::list&>(), "words"_a);
  nb::class_<Segmenter>(m, "Segmenter")
      .def(nb::init<const Model&>(), "model"_a)
      .def(
          "segment",
          [](const Segmenter& self, nb::handle text, const Dictionary* dictionary, std::uint32_t standard) {
            return self.one(text, dictionary, standard, strings_of);
          },
          "text"_a.none(), "dictionary"_a.none(), "standard"_a)
      .def(
          "spans",
          [](const Segmenter& self, nb::handle text, const Dictionary* dictionary, std::uint32_t standard) {
            return self.one(text, dictionary, standard, offsets_of);
          },
          "text"_a.none(), "dictionary"_a.none(), "standard"_a)
      .def(
          "segment_batch",
          [](const Segmenter& self, const nb::list& texts, const Dictionary* dictionary, std::uint32_t standard,
             std::size_t threads) { return self.several(texts, dictionary, standard, threads, strings_of); },
          "texts"_a, "dictionary"_a.none(), "standard"_a, "threads"_a)
      .def(
          "sentences",
          [](const Segmenter& self, nb::handle text, const Dictionary* dictionary, std::uint32_t standard) {
            return self.one(text, dictionary, standard, sentences_of);
          },
          "text"_a.none(), "dictionary"_a.none(), "standard"_a)
      .def(
          "sentences_batch",
          [](const Segmenter& self, const nb::list& texts, const Dictionary* dictionary, std::uint32_t standard,
             std::size_t threads) { return self.several(texts, dictionary, standard, threads, sentences_of); },
          "texts"_a, "dictionary"_a.none(), "standard"_a, "threads"_a)
      .def(
          "spans_batch",
          [](const Segmenter& self, const nb::list& texts, const Dictionary* dictionary, std::uint32_t standard,
             std::size_t threads) { return self.several(texts, dictionary, standard, threads, offsets_of); },
          "texts"_a, "dictionary"_a.none(), "standard"_a, "threads"_a);
}

}  // namespace budgie::python
