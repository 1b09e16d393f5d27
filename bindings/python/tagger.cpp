// SPDX-License-Identifier: Apache-2.0
// Tagging as Python sees it.
#include "tasks/tagger.hpp"

#include <algorithm>

#include "model.hpp"
#include "network/softmax.hpp"
#include "sentence_batch.hpp"

namespace budgie::python {
namespace {

struct SentenceTagger : Tagger {
  explicit SentenceTagger(const Model& model) : Tagger(build_tagger(model)), labels(labels_of(model)) {}

  nb::list tag(nb::handle sentence) const {
    SentenceBatch batch{nb::list()};
    batch.add(sentence, "the sentence");
    std::vector<std::uint32_t> answers(batch.views.size());
    const auto work = [&] {
      Scratch scratch(*this, answers.size());
      Tagger::tag(batch.views.data(), batch.starts.data(), 1, scratch, answers.data());
    };
    if (batch.bytes(0, 1) > kBytesWorthReleasing) {
      nb::gil_scoped_release release;
      work();
    } else {
      work();
    }
    return names(answers.data(), answers.size());
  }

  nb::list tag_batch(const nb::list& sentences, std::size_t threads) const {
    const SentenceBatch batch(sentences);
    std::vector<std::uint32_t> answers(batch.views.size());
    in_runs<Tagger>(
        *this, batch, threads, kBytesBetweenSignals, [&](std::size_t first, std::size_t last, Scratch& scratch) {
          Tagger::tag(batch.views.data(), batch.starts.data() + first, last - first, scratch, answers.data());
        });
    nb::list result;
    for (std::size_t s = 0; s < batch.sentences(); ++s) {
      result.append(names(answers.data() + batch.starts[s], batch.starts[s + 1] - batch.starts[s]));
    }
    return result;
  }

  // The probability of each tag that tag_batch gives.
  nb::list probabilities(const nb::list& sentences, std::size_t threads) const {
    const SentenceBatch batch(sentences);
    std::vector<std::uint32_t> answers(batch.views.size());
    std::vector<float> found(batch.views.size());
    in_runs<Tagger>(*this, batch, threads, kBytesBetweenSignals,
                    [&](std::size_t first, std::size_t last, Scratch& scratch) {
                      const std::size_t begin = batch.starts[first], words = batch.starts[last] - begin;
                      const std::vector<float> all = distributions(batch, first, last, scratch, answers.data());
                      for (std::size_t w = 0; w < words; ++w) found[begin + w] = all[w * tags() + answers[begin + w]];
                    });
    nb::list result;
    for (std::size_t s = 0; s < batch.sentences(); ++s) {
      nb::list of_sentence;
      for (std::size_t w = batch.starts[s]; w < batch.starts[s + 1]; ++w) of_sentence.append(found[w]);
      result.append(of_sentence);
    }
    return result;
  }

  // For each word of one sentence the probability of every tag.
  std::vector<std::vector<float>> distributions_of(nb::handle sentence) const {
    SentenceBatch batch{nb::list()};
    batch.add(sentence, "the sentence");
    std::vector<std::uint32_t> answers(batch.views.size());
    std::vector<float> all;
    {
      nb::gil_scoped_release release;
      Scratch scratch(*this, answers.size());
      all = distributions(batch, 0, 1, scratch, answers.data());
    }
    std::vector<std::vector<float>> result;
    for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(tags())) {
      result.emplace_back(at, at + static_cast<std::ptrdiff_t>(tags()));
    }
    return result;
  }

  // Tags some sentences and gives tags() probabilities for each of their words.
  std::vector<float> distributions(const SentenceBatch& batch, std::size_t first, std::size_t last, Scratch& scratch,
                                   std::uint32_t* answers) const {
    const std::size_t begin = batch.starts[first], words = batch.starts[last] - begin;
    std::vector<float> scores(words * tags());
    Tagger::tag(batch.views.data(), batch.starts.data() + first, last - first, scratch, answers, scores.data());
    std::vector<float> row(padded(tags()));
    for (std::size_t w = 0; w < words; ++w) {
      float* of_word = scores.data() + w * tags();
      std::copy_n(of_word, tags(), row.data());
      const float total = exponentiate(row, tags(), of_word[answers[begin + w]], 1);
      for (std::size_t t = 0; t < tags(); ++t) of_word[t] = row[t] / total;
    }
    return scores;
  }

  nb::list names(const std::uint32_t* answers, std::size_t count) const {
    auto list = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(count)));
    if (!list.is_valid()) throw nb::python_error();
    for (std::size_t i = 0; i < count; ++i) {
      PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), labels[answers[i]].inc_ref().ptr());
    }
    return list;
  }

  std::vector<nb::object> labels;
};

}  // namespace

void bind_tagger(nb::module_& m) {
  nb::class_<SentenceTagger>(m, "Tagger")
      .def(nb::init<const Model&>(), "model"_a)
      .def("tag", &SentenceTagger::tag, "sentence"_a.none())
      .def("tag_batch", &SentenceTagger::tag_batch)
      .def("probabilities", &SentenceTagger::probabilities)
      .def("distributions", &SentenceTagger::distributions_of, "sentence"_a.none());
}

}  // namespace budgie::python
