// SPDX-License-Identifier: Apache-2.0
// Segmentation as Python sees it.
#include "tasks/segmenter.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "batches.hpp"
#include "records.hpp"
#include "tasks/transitions.hpp"

namespace budgie::python {
namespace {

using Spans = std::vector<std::size_t>;  // begin and end of one word after the other

struct UserDictionary : Dictionary {
  explicit UserDictionary(const nb::list& words) {
    for (const TextView& word : TextBatch(words).views) add(word);
  }
};

nb::object part(PyObject* text, std::size_t begin, std::size_t end) {
  const auto from = static_cast<Py_ssize_t>(begin), to = static_cast<Py_ssize_t>(end);
  return checked(PyUnicode_Check(text) ? PyUnicode_Substring(text, from, to)
                                       : PyBytes_FromStringAndSize(PyBytes_AS_STRING(text) + from, to - from));
}

nb::list words_of(PyObject* text, const Spans& spans) {
  return make_list(spans.size() / 2, [&](std::size_t w) { return part(text, spans[2 * w], spans[2 * w + 1]); });
}

nb::list offsets_of(PyObject*, const Spans& spans) {
  return make_list(spans.size() / 2, [&](std::size_t w) {
    return make_record(Record::token_span, number(spans[2 * w]), number(spans[2 * w + 1]));
  });
}

// Features of the units of texts, and those of the decisions that gold makes of them.
struct UnitFeatures : UnitGroups {
  UnitFeatures(std::vector<Group> groups_, const std::vector<nb::bytes>& keys, const nb::bytes& words,
               std::uint32_t longest, bool runs_, bool join_)
      : UnitGroups{std::move(groups_), {}, {}, runs_, join_} {
    if (longest > 0) {
      if (words.size() < 8 || words.size() % 8 != 0 || longest > Lexicon::kLongest)
        throw nb::value_error("a lexicon does not make sense");
      lexicon = Lexicon(static_cast<const std::uint8_t*>(words.data()), words.size(), longest);
    }
    if (keys.size() != groups.size()) throw nb::value_error("as many vocabularies as groups are needed");
    for (std::size_t g = 0; g < groups.size(); ++g) {
      vocabularies.emplace_back(static_cast<const std::uint8_t*>(keys[g].data()), keys[g].size());
      if (groups[g].kind == Group::Kind::vocabulary && groups[g].buckets <= vocabularies[g].size())
        throw nb::value_error("a group has fewer rows than its vocabulary");
      if (groups[g].kind == Group::Kind::lexicon && (longest == 0 || groups[g].buckets < longest * longest * longest))
        throw nb::value_error("a group has fewer rows than its lexicon needs");
    }
  }

  // The units of a text: begin, end, id, and whether there is something to decide.
  nb::list units(nb::handle text) const {
    nb::list result;
    UnitWindow window(*this, nullptr);
    Stop never;
    window.slide(view(text), never, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const bool open = window.rules[i] == (kMaySplit | kMayMerge);
        result.append(nb::make_tuple(window.begins[i], window.ends[i], std::uint32_t{window.ids[i]}, open));
      }
    });
    return result;
  }

  // Rows of every group for every unit with something to decide, one behind the other, if words begin at the offsets
  // `starts` of each text.
  nb::list ids(const nb::list& texts, const std::vector<std::vector<std::size_t>>& starts,
               const std::vector<std::uint32_t>& standards) const {
    const TextBatch batch(texts);
    if (starts.size() != batch.views.size() || standards.size() != batch.views.size())
      throw nb::value_error("as many starts and standards as texts are needed");
    auto found = std::vector<std::vector<std::int32_t>>(groups.size());
    without_gil([&](Stop& stop, Released&) {
      for (std::size_t t = 0; t < batch.size(); ++t) follow(batch.views[t], starts[t], standards[t], found, stop);
    });
    using Array = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;
    nb::list result;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      auto* kept = new std::vector<std::int32_t>(std::move(found[g]));
      nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::int32_t>*>(p); });
      const std::size_t slots = groups[g].positions.size() + groups[g].starts.size();
      result.append(Array(kept->data(), {kept->size() / slots, slots}, owner));
    }
    return result;
  }

 private:
  void follow(const TextView& text, const std::vector<std::size_t>& starts, std::uint32_t standard,
              std::vector<std::vector<std::int32_t>>& found, Stop& stop) const {
    UnitWindow window(*this, nullptr, std::numeric_limits<std::size_t>::max());
    window.slide(text, stop, [&](std::size_t first, std::size_t last) {
      const std::size_t count = last + behind();
      std::vector<std::vector<std::uint32_t>> rows(groups.size(), std::vector<std::uint32_t>(count));
      std::vector<std::uint32_t> hashes;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (fixed(g))
          unit_rows(*this, g, standard, window.ids.data(), window.kinds.data(), count, hashes, rows[g].data());
      }
      std::vector<std::uint8_t> begins_word(last);
      const GoldSegmentation system{
          {window.ids.data(), window.rules.data(), last, begins_word.data()}, window.begins.data(), starts};
      Segmentation::State state{first, {}};
      follow_oracle(system, state, [&](const Segmentation::State& now, std::size_t) {
        if (!system.open(now)) return;
        const auto at = [](std::size_t unit, int position) {
          return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(unit) + position);
        };
        for (std::size_t g = 0; g < groups.size(); ++g) {
          const auto put = [&](std::uint32_t row) { found[g].push_back(static_cast<std::int32_t>(row)); };
          for (const int position : groups[g].positions) {
            put(fixed(g) ? rows[g][at(now.front, position)] : now.word.row(groups[g], position, window.ids[now.front]));
          }
          for (const int position : groups[g].starts) put(rows[g][at(now.front - now.word.length, position)]);
        }
      });
    });
  }
};

// How many words are made of several units, but not too many, and the bits of a lexicon of them.
nb::tuple build_lexicon(const nb::list& words, std::uint32_t longest, bool runs, bool join, std::size_t bits_a_word) {
  const UnitGroups groups{{}, {}, {}, runs, join};
  std::vector<std::uint32_t> hashes;
  Stop never;
  for (const TextView& word : TextBatch(words).views) {
    std::uint32_t hash = kHashSeed, count = 0;
    UnitWindow window(groups, nullptr);
    window.slide(word, never, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i, ++count) hash = extend(hash, window.ids[i]);
    });
    if (count >= Lexicon::kShortest && count <= longest) hashes.push_back(hash);
  }
  const std::size_t blocks = std::max<std::size_t>(1, (hashes.size() * bits_a_word + 63) / 64);
  const std::vector<std::uint64_t> filter = Lexicon::build(hashes, blocks);
  return nb::make_tuple(hashes.size(), nb::bytes(filter.data(), filter.size() * 8));
}

struct TextSegmenter {
  TextSegmenter(const UnitFeatures& features, std::vector<Embedding> embeddings, Layer hidden, Layer output)
      : core(features, Network{std::move(embeddings), std::move(hidden), std::move(output)}) {}

  template <class Result>
  nb::list one(nb::handle text, const UserDictionary* dictionary, std::uint32_t standard, Result&& result) const {
    const TextView units = view(text);
    Spans spans;
    work_on(units.bytes(), [&](Stop& stop) {
      Segmenter::Scratch scratch(core);
      core.segment(units, dictionary, standard, scratch, spans, stop);
    });
    return result(text.ptr(), spans);
  }

  template <class Result>
  nb::list several(const nb::list& texts, std::size_t threads, const UserDictionary* dictionary, std::uint32_t standard,
                   Result&& result) const {
    const TextBatch batch(texts);
    std::vector<Spans> spans(batch.size());
    const auto make_work = [&] {
      return [&, scratch = Segmenter::Scratch(core)](std::size_t first, std::size_t last, Stop& stop) mutable {
        for (std::size_t t = first; t < last; ++t) {
          core.segment(batch.views[t], dictionary, standard, scratch, spans[t], stop);
        }
      };
    };
    return answer_batch(batch, threads, 1, make_work,
                        [&](std::size_t t) { return result(batch.objects[t].ptr(), std::exchange(spans[t], {})); });
  }

  Segmenter core;
};

}  // namespace

void bind_segmenter(nb::module_& m) {
  nb::class_<UserDictionary>(m, "Dictionary").def(nb::init<const nb::list&>(), "words"_a);
  m.attr("LONGEST_WORD") = Lexicon::kLongest;
  m.attr("FEW_BUCKETS") = Segmenter::kFewBuckets;
  m.attr("OUTSIDE") = std::uint32_t{kOutside};
  m.def("build_lexicon", &build_lexicon, "words"_a, "longest"_a, "runs"_a, "join"_a, "bits_a_word"_a);
  nb::class_<UnitFeatures>(m, "UnitFeatures")
      .def(nb::init<std::vector<Group>, const std::vector<nb::bytes>&, const nb::bytes&, std::uint32_t, bool, bool>(),
           "groups"_a, "keys"_a, "words"_a, "longest"_a, "runs"_a, "join"_a)
      .def("units", &UnitFeatures::units, "text"_a.none())
      .def("ids", &UnitFeatures::ids, "texts"_a, "starts"_a, "standards"_a);
  nb::class_<TextSegmenter>(m, "Segmenter")
      .def(nb::init<const UnitFeatures&, std::vector<Embedding>, Layer, Layer>())
      .def(
          "segment",
          [](const TextSegmenter& self, nb::handle text, const UserDictionary* dictionary, std::uint32_t standard) {
            return self.one(text, dictionary, standard, words_of);
          },
          "text"_a.none(), "dictionary"_a.none(), "standard"_a)
      .def(
          "spans",
          [](const TextSegmenter& self, nb::handle text, const UserDictionary* dictionary, std::uint32_t standard) {
            return self.one(text, dictionary, standard, offsets_of);
          },
          "text"_a.none(), "dictionary"_a.none(), "standard"_a)
      .def(
          "segment_batch",
          [](const TextSegmenter& self, const nb::list& texts, std::size_t threads, const UserDictionary* dictionary,
             std::uint32_t standard) { return self.several(texts, threads, dictionary, standard, words_of); },
          "texts"_a, "threads"_a, "dictionary"_a.none(), "standard"_a)
      .def(
          "spans_batch",
          [](const TextSegmenter& self, const nb::list& texts, std::size_t threads, const UserDictionary* dictionary,
             std::uint32_t standard) { return self.several(texts, threads, dictionary, standard, offsets_of); },
          "texts"_a, "threads"_a, "dictionary"_a.none(), "standard"_a);
}

}  // namespace budgie::python
