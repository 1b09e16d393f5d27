// SPDX-License-Identifier: Apache-2.0
// With cluster_bindings.cpp the only file that knows Python. Model files are read and checked in budgie/model.py before
// anything arrives here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "langid.hpp"
#include "parallel.hpp"
#include "tagger.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace budgie {

void bind_clusters(nb::module_& m);  // cluster_bindings.cpp

namespace {

// The units of a str where they lie (nothing is encoded or cached on the str), or the bytes of UTF-8. `place` and `of`
// are for the message: which of several texts this is.
TextView view(PyObject* object, Py_ssize_t place = -1, const char* unit = "text", const char* of = "the batch") {
  if (PyUnicode_Check(object)) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(object) != 0) throw nb::python_error();
#endif
    const auto kind = PyUnicode_KIND(object);
    return {PyUnicode_DATA(object), static_cast<std::size_t>(PyUnicode_GET_LENGTH(object)),
            kind == PyUnicode_1BYTE_KIND   ? TextView::Kind::latin1
            : kind == PyUnicode_2BYTE_KIND ? TextView::Kind::ucs2
                                           : TextView::Kind::ucs4};
  }
  if (PyBytes_Check(object)) {
    return {PyBytes_AS_STRING(object), static_cast<std::size_t>(PyBytes_GET_SIZE(object)), TextView::Kind::utf8};
  }
  const std::string which =
      place < 0 ? std::string("a ") + unit : std::string(unit) + " " + std::to_string(place) + " of " + of;
  throw nb::type_error((which + " must be str or bytes (UTF-8), not " + Py_TYPE(object)->tp_name).c_str());
}

// References to the texts of a batch: the list may change while the GIL is released.
struct Batch {
  explicit Batch(const nb::list& list) {
    objects.reserve(list.size());
    views.reserve(list.size());
    for (nb::handle item : list) {
      views.push_back(view(item.ptr(), static_cast<Py_ssize_t>(views.size())));
      objects.push_back(nb::borrow(item));
    }
  }
  std::vector<nb::object> objects;
  std::vector<TextView> views;
};

constexpr std::size_t kBytesBetweenSignals = 16 << 20;
constexpr std::size_t kBytesOfAnyText = 256;            // even an empty text costs as much time as some bytes
constexpr std::size_t kBytesOfAnyWord = 16;             // and so does a word
constexpr std::size_t kBytesWorthReleasing = 32 << 10;  // less is done before another thread has woken up

// ---- feature groups -------------------------------------------------------------------------------------------

Group make_group(const std::string& kind, std::uint32_t n, std::uint32_t buckets, bool across, bool ends,
                 std::vector<int> positions) {
  constexpr std::pair<const char*, Group::Kind> kKinds[] = {{"ngrams", Group::Kind::ngrams},
                                                            {"words", Group::Kind::words},
                                                            {"bytes", Group::Kind::bytes},
                                                            {"shapes", Group::Kind::shapes},
                                                            {"clusters", Group::Kind::clusters}};
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](auto& one) { return one.first == kind; });
  const bool counted = kind == "ngrams" || kind == "bytes";
  if (found == std::end(kKinds) || buckets == 0 || (counted && (n < 1 || n > kLongestNgram)))
    throw nb::value_error("a feature group does not make sense");
  return {found->second, n, buckets, across, ends, std::move(positions)};
}

// The ids of one group for many texts in the form that torch's EmbeddingBag takes: all ids, and where each text begins.
struct IdLists {
  std::vector<std::int64_t> ids{};
  std::vector<std::int64_t> starts{};

  void begin() { starts.push_back(static_cast<std::int64_t>(ids.size())); }
  void add(const std::uint32_t* more, std::size_t count) { ids.insert(ids.end(), more, more + count); }
};

nb::list arrays(std::vector<IdLists>&& groups) {
  using Array = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
  const auto array = [](std::vector<std::int64_t>&& numbers) {
    auto* kept = new std::vector<std::int64_t>(std::move(numbers));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
    return Array(kept->data(), {kept->size()}, owner);
  };
  nb::list result;
  for (IdLists& group : groups)
    result.append(nb::make_tuple(array(std::move(group.ids)), array(std::move(group.starts))));
  return result;
}

// Features of running text.
struct Features {
  Features(std::vector<Group> groups_, bool fold_case, bool drop_markup, bool drop_urls,
           const std::vector<std::uint32_t>& blocks)
      : groups(std::move(groups_)), folding(fold_case, drop_markup, drop_urls, blocks) {}

  nb::list ids(const nb::list& texts) const {
    const Batch batch(texts);
    std::vector<IdLists> found(groups.size());
    {
      nb::gil_scoped_release release;
      FeatureExtractor extractor(groups);
      for (const TextView& text : batch.views) {
        for (IdLists& group : found) group.begin();
        extractor.extract(text, folding, [&](std::size_t g, const std::uint32_t* ids, std::size_t count) {
          found[g].add(ids, count);
        });
      }
    }
    return arrays(std::move(found));
  }

  std::vector<Group> groups;
  Folding folding;
};

// Features of single words. A group of several slots has as many lists for each word.
struct SingleWords : WordGroups {
  SingleWords(std::vector<Group> groups_, bool fold_case_, const BloomMap* clusters_)
      : WordGroups{std::move(groups_), fold_case_, clusters_ ? *clusters_ : BloomMap()} {
    for (const Group& group : groups) {
      if (group.kind == Group::Kind::clusters && group.buckets < clusters.classes())
        throw nb::value_error("a group has fewer rows than there are clusters");
    }
  }

  nb::list ids(const nb::list& words) const {
    const Batch batch(words);
    std::vector<IdLists> found(groups.size());
    {
      nb::gil_scoped_release release;
      WordFeatures features(*this);
      for (const TextView& word : batch.views) {
        features.extract(word, [&](std::size_t g, std::size_t, const std::uint32_t* ids, std::size_t count) {
          found[g].begin();
          found[g].add(ids, count);
        });
      }
    }
    return arrays(std::move(found));
  }
};

// ---- word clusters --------------------------------------------------------------------------------------------

BloomMap make_bloom_map(const nb::bytes& lengths, const std::vector<std::uint32_t>& slots, std::uint32_t error_bits,
                        bool fold_case, bool fold_digits, const nb::bytes& bits) {
  const auto bytes = [](const nb::bytes& of) { return static_cast<const std::uint8_t*>(of.data()); };
  const auto few = [](std::uint32_t count) { return count < BloomMap::kWidth; };
  const auto* const codes = bytes(lengths);
  if (bits.size() != BloomMap::size(slots) || std::any_of(slots.begin(), slots.end(), few) ||
      std::any_of(codes, codes + lengths.size(), [](std::uint8_t l) { return l > BloomMap::kLongestCode; }))
    throw nb::value_error("a Bloom map does not make sense");
  return BloomMap({bytes(lengths), bytes(lengths) + lengths.size()}, slots, error_bits, {fold_case, fold_digits},
                  bytes(bits));
}

nb::tuple build(const nb::list& words, const std::vector<std::uint32_t>& clusters, std::size_t classes,
                std::uint32_t error_bits, bool fold_case, bool fold_digits) {
  std::vector<std::uint64_t> keys;
  for (nb::handle word : words) keys.push_back(BloomMap::key(view(word.ptr()), {fold_case, fold_digits}));
  BloomMapParts map;
  {
    nb::gil_scoped_release release;
    map = build_bloom_map(keys, clusters, classes, error_bits);
  }
  return nb::make_tuple(nb::bytes(map.lengths.data(), map.lengths.size()), map.slots,
                        nb::bytes(map.bytes.data(), map.bytes.size()));
}

// ---- network --------------------------------------------------------------------------------------------------

std::vector<float> floats(const nb::bytes& data, const std::string& dtype) {
  if (dtype == "F32") {
    const auto* begin = static_cast<const float*>(data.data());
    std::vector<float> result(data.size() / sizeof(float));
    std::memcpy(result.data(), begin, result.size() * sizeof(float));
    return result;
  }
  std::vector<float> result(data.size() / 2);
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint16_t half;
    std::memcpy(&half, static_cast<const char*>(data.data()) + 2 * i, 2);
    result[i] = from_half(half);
  }
  return result;
}

// `scales` is empty for float rows, has one entry for the whole matrix, or one for each row.
Embedding make_embedding(std::uint32_t dim, bool mean, std::uint32_t bits, const nb::bytes& rows,
                         const nb::bytes& scales) {
  Embedding embedding;
  embedding.dim = dim;
  embedding.mean = mean;
  if (scales.size() == 0) {
    embedding.floats = floats(rows, "F32");
    return embedding;
  }
  const auto* q = static_cast<const std::uint8_t*>(rows.data());
  const std::vector<float> scale = floats(scales, "F16");
  if (scale.size() == 1) {
    embedding.scale = scale[0];
    embedding.bits = bits;
    embedding.integers.assign(q, q + rows.size());
  } else {
    embedding.floats.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      embedding.floats[i] = static_cast<float>(q[i] - 128) * scale[i / dim];
    }
  }
  return embedding;
}

Layer make_layer(const nb::bytes& weights, const std::string& dtype, const nb::bytes& bias) {
  const std::vector<float> w = floats(weights, dtype);
  const std::vector<float> b = floats(bias, "F32");
  if (b.empty() || w.empty() || w.size() % b.size() != 0) throw nb::value_error("a layer does not make sense");
  return Layer(w.size() / b.size(), b.size(), w.data(), b.data());
}

// ---- language identification ----------------------------------------------------------------------------------

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
  Identifier(const Features& features, std::vector<Embedding> embeddings, Layer hidden, Layer output, float a, float b,
             float threshold_, const nb::list& labels_)
      : core(features.groups, features.folding, Network{std::move(embeddings), std::move(hidden), std::move(output)},
             Calibration{a, b}),
        threshold(threshold_) {
    for (nb::handle label : labels_) labels.push_back(nb::borrow(label));
    if (labels.size() != core.languages()) throw nb::value_error("as many labels as scores are needed");
  }

  Identification record(const Answer& answer) const {
    if (answer.language == Answer::kUndetermined) return {undetermined, 0.0, false};
    const double p = static_cast<double>(answer.probability);
    return {labels[static_cast<std::size_t>(answer.language)], p, answer.probability >= threshold};
  }

  Identification identify(nb::handle text, const Languages& allowed) const {
    const TextView one = view(text.ptr());
    Answer answer;
    if (one.units > 10'000) {
      nb::gil_scoped_release release;
      core.identify(&one, 1, allowed.numbers, &answer);
    } else {
      core.identify(&one, 1, allowed.numbers, &answer);
    }
    return record(answer);
  }

  nb::list identify_batch(const nb::list& texts, const Languages& allowed, std::size_t threads) const {
    const Batch batch(texts);
    const std::size_t count = batch.views.size();
    std::vector<Answer> answers(count);
    for (std::size_t first = 0; first < count;) {
      std::size_t last = first;
      for (std::size_t bytes = 0; last < count && bytes < kBytesBetweenSignals; ++last) {
        bytes += batch.views[last].bytes() + kBytesOfAnyText;
      }
      {
        nb::gil_scoped_release release;
        in_parallel(last - first, threads, [&] {
          return [&](std::size_t from, std::size_t to) {
            core.identify(batch.views.data() + first + from, to - from, allowed.numbers, answers.data() + first + from);
          };
        });
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      first = last;
    }
    nb::list result;
    for (const Answer& answer : answers) result.append(record(answer));
    return result;
  }

  std::vector<Identification> rank(nb::handle text, std::size_t k, const Languages& allowed) const {
    const TextView one = view(text.ptr());
    std::vector<Answer> answers;
    {
      nb::gil_scoped_release release;
      answers = core.rank(one, k, allowed.numbers);
    }
    std::vector<Identification> result;
    for (const Answer& answer : answers) result.push_back(record(answer));
    return result;
  }

  std::vector<SpanRecord> spans(nb::handle text, const Languages& allowed) const {
    const TextView one = view(text.ptr());
    std::vector<Span> found;
    {
      nb::gil_scoped_release release;
      found = core.spans(one, allowed.numbers);
    }
    std::vector<SpanRecord> result;
    for (const Span& span : found) {
      Identification answer = record(span.answer);
      result.push_back({span.begin, span.end, answer.language, answer.probability, answer.reliable});
    }
    return result;
  }

  std::size_t letters(nb::handle text) const { return core.letters(view(text.ptr())); }

  std::vector<float> scores(nb::handle text) const { return core.scores(view(text.ptr())); }

  LanguageIdentifier core;
  float threshold;
  std::vector<nb::object> labels;
  nb::object undetermined = nb::str("und");
};

// ---- tagging --------------------------------------------------------------------------------------------------

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
}  // namespace budgie

NB_MODULE(_core, m) {
  using namespace budgie;
  m.doc() = "The C++ core of Budgie.";
#ifdef NDEBUG
  // A thread that still runs, or a cache of somebody else, may hold a model when Python ends: nobody's mistake.
  nb::set_leak_warnings(false);
#endif
  m.attr("UNICODE") = kUnicodeVersion;
  m.attr("HASH") = "budgie-1";
  m.attr("LONGEST_NGRAM") = kLongestNgram;
  m.attr("LONGEST_CODE") = BloomMap::kLongestCode;
  m.attr("FEWEST_SLOTS") = BloomMap::kWidth;

  nb::class_<Group>(m, "Group")
      .def_static("make", &make_group, "kind"_a, "n"_a, "buckets"_a, "across"_a, "ends"_a, "positions"_a);
  nb::class_<BloomMap>(m, "BloomMap")
      .def_static("make", &make_bloom_map, "lengths"_a, "slots"_a, "error_bits"_a, "fold_case"_a, "fold_digits"_a,
                  "bits"_a)
      .def_static("build", &build, "words"_a, "clusters"_a, "classes"_a, "error_bits"_a, "fold_case"_a, "fold_digits"_a)
      .def_static("size", &BloomMap::size, "slots"_a)
      .def("find", [](const BloomMap& self, nb::handle word) { return self.find(view(word.ptr())); }, "word"_a);
  nb::class_<Features>(m, "Features")
      .def(nb::init<std::vector<Group>, bool, bool, bool, const std::vector<std::uint32_t>&>(), "groups"_a,
           "fold_case"_a, "drop_markup"_a, "drop_urls"_a, "blocks"_a)
      .def("ids", &Features::ids, "texts"_a);
  nb::class_<SingleWords>(m, "WordFeatures")
      .def(nb::init<std::vector<Group>, bool, const BloomMap*>(), "groups"_a, "fold_case"_a, "clusters"_a.none())
      .def("ids", &SingleWords::ids, "words"_a);
  nb::class_<Embedding>(m, "Embedding")
      .def_static("make", &make_embedding, "dim"_a, "mean"_a, "bits"_a, "rows"_a, "scales"_a);
  nb::class_<Layer>(m, "Layer").def_static("make", &make_layer, "weights"_a, "dtype"_a, "bias"_a);

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
      .def(nb::init<const Features&, std::vector<Embedding>, Layer, Layer, float, float, float, const nb::list&>())
      // .none(): None has to reach view(), whose message is better than nanobind's.
      .def("identify", &Identifier::identify, "text"_a.none(), "allowed"_a)
      .def("identify_batch", &Identifier::identify_batch)
      .def("rank", &Identifier::rank, "text"_a.none(), "k"_a, "allowed"_a)
      .def("spans", &Identifier::spans, "text"_a.none(), "allowed"_a)
      .def("letters", &Identifier::letters, "text"_a)
      .def("scores", &Identifier::scores, "text"_a.none());
  nb::class_<SentenceTagger>(m, "Tagger")
      .def(nb::init<const SingleWords&, std::vector<Embedding>, Layer, Layer, const nb::list&>())
      .def("tag", &SentenceTagger::tag, "sentence"_a.none())
      .def("tag_batch", &SentenceTagger::tag_batch)
      .def("probabilities", &SentenceTagger::probabilities)
      .def("distributions", &SentenceTagger::distributions_of, "sentence"_a.none());
  bind_clusters(m);
}
