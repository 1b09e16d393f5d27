// SPDX-License-Identifier: Apache-2.0
// Many texts or sentences from Python, and the list of what is found in them.
#pragma once
#include <string>
#include <vector>

#include "lists.hpp"
#include "texts.hpp"

namespace budgie::python {

constexpr std::size_t kBytesOfAnyText = 256;  // even an empty text costs as much time as some bytes
constexpr std::size_t kBytesOfAnyWord = 16;   // and so does a word

// Texts where they lie, with references to them: the list may change while the GIL is released, or when a signal comes.
struct TextBatch {
  explicit TextBatch(const nb::list& list) {
    objects.reserve(list.size());
    views.reserve(list.size());
    for (std::size_t t = 0; t < list.size(); ++t) {
      objects.emplace_back(list[t]);
      views.push_back(view(objects.back().ptr(), [&] { return "text " + std::to_string(t) + " of the batch"; }));
      look_for_signals();
    }
  }

  std::size_t size() const { return views.size(); }
  std::size_t bytes(std::size_t text) const { return views[text].bytes() + kBytesOfAnyText; }

  std::vector<nb::object> objects{};
  std::vector<TextView> views{};
};

// Whether a sentence can be read without running any Python code. Below the frames of this module none may run: when
// Python is at its end, a thread that comes to run some is ended by unwinding its stack (Released::take_back), and
// frames of C++ that know nothing of that end the whole process. budgie/tasks/batches.py makes lists of all else.
inline bool is_plain(nb::handle sentence) {
  return PyList_CheckExact(sentence.ptr()) || PyTuple_CheckExact(sentence.ptr());
}

inline bool are_plain(const nb::list& sentences) {
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    if (!is_plain(sentences[s])) return false;
    look_for_signals();
  }
  return true;
}

// The words of several sentences, one behind the other.
struct SentenceBatch {
  SentenceBatch() = default;

  explicit SentenceBatch(const nb::list& sentences) {
    // Vectors that grow would be copied again and again, and nobody else would run meanwhile.
    starts.reserve(sentences.size() + 1);
    std::size_t words = 0;
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      if (is_plain(sentences[s])) words += static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sentences[s].ptr()));
      look_for_signals();
    }
    objects.reserve(words);
    views.reserve(words);
    // Each is held while it is read: the list may change when other threads have their turn.
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      add(nb::object(sentences[s]), [&] { return "sentence " + std::to_string(s) + " of the batch"; });
    }
  }

  // A batch of one.
  static SentenceBatch of(nb::handle sentence) {
    SentenceBatch batch;
    batch.add(sentence, [] { return std::string("the sentence"); });
    return batch;
  }

  std::size_t size() const { return starts.size() - 1; }
  std::size_t bytes(std::size_t sentence) const {
    std::size_t sum = kBytesOfAnyText;
    for (std::size_t w = starts[sentence]; w < starts[sentence + 1]; ++w) sum += views[w].bytes() + kBytesOfAnyWord;
    return sum;
  }

  std::vector<nb::object> objects{};
  std::vector<TextView> views{};
  std::vector<std::size_t> starts{0};

 private:
  // `name()` is for the message.
  template <class Name>
  void add(const nb::handle& sentence, Name&& name) {
    // A str is a sequence of str: taken for a sentence, its characters would be words.
    if (PyUnicode_Check(sentence.ptr()) || PyBytes_Check(sentence.ptr())) {
      throw nb::type_error("a sentence must be a list of words, not one str or bytes: split it into words first");
    }
    if (!is_plain(sentence)) {
      throw nb::type_error(
          (std::string("a sentence must be a list of words, not ") + Py_TYPE(sentence.ptr())->tp_name).c_str());
    }
    for (Py_ssize_t w = 0; w < PySequence_Fast_GET_SIZE(sentence.ptr()); ++w) {
      objects.push_back(nb::borrow(PySequence_Fast_GET_ITEM(sentence.ptr(), w)));
      views.push_back(view(objects.back().ptr(), [&] { return "word " + std::to_string(w) + " of " + name(); }));
      look_for_signals();
    }
    starts.push_back(views.size());
    look_for_signals();
  }
};

// [answer(0), ..., answer(batch.size() - 1)], each made when work on it is done. make_work() is as in core/batch.hpp.
// `times` is how often as much work there is as usual.
template <class Batch, class MakeWork, class Answer>
nb::list answer_batch(const Batch& batch, std::size_t threads, std::size_t times, MakeWork&& make_work,
                      Answer&& answer) {
  List answers(batch.size());
  const auto put = [&](std::size_t first, std::size_t last) {
    const Uncollected uncollected;
    for (std::size_t i = first; i < last; ++i) answers.put(i, answer(i));
  };
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < batch.size() && bytes <= kTrifle; ++i) bytes += times * batch.bytes(i);
  if (bytes <= kTrifle) {
    Stop never;
    make_work()(0, batch.size(), never);
    put(0, batch.size());
  } else {
    without_gil([&](Stop& stop, Released& released) {
      const auto hand_over = [&](const std::vector<Share>& shares) {
        const Released::Paused paused(released);
        for (const Share& share : shares) put(share.first, share.last);
      };
      const auto bytes_of = [&](std::size_t i) { return times * batch.bytes(i); };
      budgie::Batch(batch.size(), bytes_of, make_work, hand_over).run(threads, stop);
    });
  }
  return std::move(answers).take();
}

}  // namespace budgie::python
