// SPDX-License-Identifier: Apache-2.0
// Sentences as Python has them, for all that works on lists of words.
#pragma once
#include <string>
#include <vector>

#include "parallel.hpp"
#include "texts.hpp"

namespace budgie::python {

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

// Calls work(first sentence, last, scratch) on several threads, and looks for Ctrl-C after some bytes. `core` is what a
// scratch is made for.
template <class Core, class Work>
void in_runs(const Core& core, const SentenceBatch& batch, std::size_t threads, std::size_t bytes_at_once,
             Work&& work) {
  for (std::size_t first = 0; first < batch.sentences();) {
    std::size_t last = first;
    for (std::size_t bytes = 0; last < batch.sentences() && bytes < bytes_at_once; ++last) {
      bytes += batch.bytes(last, last + 1);
    }
    {
      nb::gil_scoped_release release;
      in_parallel(last - first, threads, [&] {
        return [&, scratch = typename Core::Scratch(core)](std::size_t from, std::size_t to) mutable {
          work(first + from, first + to, scratch);
        };
      });
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    first = last;
  }
}

}  // namespace budgie::python
