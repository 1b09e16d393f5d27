// SPDX-License-Identifier: Apache-2.0
// Tagging as Python sees it.
#include <algorithm>

#include "bindings.hpp"
#include "parallel.hpp"
#include "tagger.hpp"

namespace budgie {
namespace {

// The words of several sentences, one behind the other, with references to them.
struct SentenceBatch {
  explicit SentenceBatch(const nb::list& sentences) {
    starts.reserve(sentences.size() + 1);
    // By number, each held while it is read: what makes a sequence of a sentence may be Python code.
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      add(nb::object(sentences[s]), "sentence " + std::to_string(s) + " of the batch");
    }
  }

  // `which` is for the message.
  void add(const nb::handle& sentence, const std::string& which) {
    // A str is a sequence of str: taken for a sentence, its characters would be words.
    if (PyUnicode_Check(sentence.ptr()) || PyBytes_Check(sentence.ptr())) {
      throw nb::type_error("a sentence must be a list of words, not one str or bytes: split it into words first");
    }
    const nb::object fast = nb::steal(PySequence_Fast(sentence.ptr(), "a sentence must be a list of words"));
    if (!fast.is_valid()) throw nb::python_error();
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(fast.ptr());
    PyObject** items = PySequence_Fast_ITEMS(fast.ptr());
    for (Py_ssize_t i = 0; i < count; ++i) {
      views.push_back(view(items[i], i, "word", which.c_str()));
      objects.push_back(nb::borrow(items[i]));
    }
    starts.push_back(views.size());
  }

  std::size_t sentences() const { return starts.size() - 1; }

  // How much work some sentences are.
  std::size_t bytes(std::size_t first, std::size_t last) const {
    std::size_t sum = (last - first) * kBytesOfAnyText;
    for (std::size_t w = starts[first]; w < starts[last]; ++w) sum += views[w].bytes() + kBytesOfAnyWord;
    return sum;
  }

  std::vector<nb::object> objects{};
  std::vector<TextView> views{};
  std::vector<std::size_t> starts{0};
};

struct SentenceTagger {
  SentenceTagger(const SingleWords& words, std::vector<Embedding> embeddings, Layer hidden, Layer output,
                 const nb::list& labels_)
      : core(words, Network{std::move(embeddings), std::move(hidden), std::move(output)}) {
    for (nb::handle label : labels_) labels.push_back(nb::borrow(label));
    if (labels.size() != core.tags()) throw nb::value_error("as many labels as scores are needed");
  }

  nb::list tag(nb::handle sentence) const {
    SentenceBatch batch{nb::list()};
    batch.add(sentence, "the sentence");
    std::vector<std::uint32_t> answers(batch.views.size());
    const auto work = [&] {
      Tagger::Scratch scratch(core, answers.size());
      core.tag(batch.views.data(), batch.starts.data(), 1, scratch, answers.data());
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
    in_runs(batch, threads, [&](std::size_t first, std::size_t last, Tagger::Scratch& scratch) {
      core.tag(batch.views.data(), batch.starts.data() + first, last - first, scratch, answers.data());
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
    in_runs(batch, threads, [&](std::size_t first, std::size_t last, Tagger::Scratch& scratch) {
      const std::size_t begin = batch.starts[first], words = batch.starts[last] - begin;
      const std::vector<float> all = distributions(batch, first, last, scratch, answers.data());
      for (std::size_t w = 0; w < words; ++w) found[begin + w] = all[w * core.tags() + answers[begin + w]];
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
      Tagger::Scratch scratch(core, answers.size());
      all = distributions(batch, 0, 1, scratch, answers.data());
    }
    std::vector<std::vector<float>> result;
    for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(core.tags())) {
      result.emplace_back(at, at + static_cast<std::ptrdiff_t>(core.tags()));
    }
    return result;
  }

  // Tags some sentences and gives tags() probabilities for each of their words.
  std::vector<float> distributions(const SentenceBatch& batch, std::size_t first, std::size_t last,
                                   Tagger::Scratch& scratch, std::uint32_t* answers) const {
    const std::size_t begin = batch.starts[first], words = batch.starts[last] - begin;
    std::vector<float> scores(words * core.tags());
    core.tag(batch.views.data(), batch.starts.data() + first, last - first, scratch, answers, scores.data());
    std::vector<float> row(padded(core.tags()));
    for (std::size_t w = 0; w < words; ++w) {
      float* of_word = scores.data() + w * core.tags();
      std::copy_n(of_word, core.tags(), row.data());
      const float total = exponentiate(row, core.tags(), of_word[answers[begin + w]], 1);
      for (std::size_t t = 0; t < core.tags(); ++t) of_word[t] = row[t] / total;
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

  // Calls work(first sentence, last, scratch) on several threads, and looks for Ctrl-C now and then.
  template <class Work>
  void in_runs(const SentenceBatch& batch, std::size_t threads, Work&& work) const {
    for (std::size_t first = 0; first < batch.sentences();) {
      std::size_t last = first;
      for (std::size_t bytes = 0; last < batch.sentences() && bytes < kBytesBetweenSignals; ++last) {
        bytes += batch.bytes(last, last + 1);
      }
      {
        nb::gil_scoped_release release;
        in_parallel(last - first, threads, [&] {
          return [&, scratch = Tagger::Scratch(core)](std::size_t from, std::size_t to) mutable {
            work(first + from, first + to, scratch);
          };
        });
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      first = last;
    }
  }

  Tagger core;
  std::vector<nb::object> labels;
};

}  // namespace

void bind_tagger(nb::module_& m) {
  nb::class_<SentenceTagger>(m, "Tagger")
      .def(nb::init<const SingleWords&, std::vector<Embedding>, Layer, Layer, const nb::list&>())
      .def("tag", &SentenceTagger::tag, "sentence"_a.none())
      .def("tag_batch", &SentenceTagger::tag_batch)
      .def("probabilities", &SentenceTagger::probabilities)
      .def("distributions", &SentenceTagger::distributions_of, "sentence"_a.none());
}

}  // namespace budgie
