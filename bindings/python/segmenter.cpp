// SPDX-License-Identifier: Apache-2.0
// Segmentation as Python sees it.
#include "tasks/segmenter.hpp"

#include <memory>
#include <utility>

#include "batches.hpp"
#include "columns/tasks.hpp"
#include "model.hpp"
#include "records.hpp"
#include "tasks.hpp"

namespace budgie::python {
namespace {

struct Dictionary {
  explicit Dictionary(const nb::list& words) {
    const TextBatch batch(words);
    features::Dictionary made;
    std::size_t bytes = 0;
    for (const TextView& word : batch.views) bytes += word.bytes();
    work_on(bytes, [&](Stop& stop) {
      for (const TextView& word : batch.views) made.add(word, stop);
    });
    core = std::make_shared<const features::Dictionary>(std::move(made));
  }

  std::shared_ptr<const features::Dictionary> core{};
};

nb::list strings_of(nb::handle text, const std::vector<TokenSpan>& words) {
  return make_list(words.size(), [&](std::size_t w) { return part(text, words[w].start, words[w].end); });
}

nb::list offsets_of(nb::handle, const std::vector<TokenSpan>& words) {
  return make_list(words.size(), [&](std::size_t w) {
    return make_record(Record::token_span, number(words[w].start), number(words[w].end));
  });
}

// The offsets of the words of each sentence.
nb::list sentences_of(nb::handle text, const std::vector<TokenSpan>& words) {
  nb::list result;
  for (std::size_t first = 0, last = 0; first < words.size(); first = last) {
    for (last = first + 1; last < words.size() && !words[last].begins_sentence();) ++last;
    result.append(offsets_of(
        text, {words.begin() + static_cast<std::ptrdiff_t>(first), words.begin() + static_cast<std::ptrdiff_t>(last)}));
  }
  return result;
}

// What a call asks for: words to keep whole, the number of a standard, and whether white space is wanted, too.
struct Settings {
  const Dictionary* dictionary;
  std::uint32_t standard;
  bool spaces;
};

struct Segmenter {
  explicit Segmenter(const Model& model)
      : shared(std::make_shared<const tasks::Segmenter>(build_segmenter(model))), core(*shared) {}

  void segment(const TextView& text, const Settings& settings, tasks::Segmenter::Scratch& scratch,
               std::vector<TokenSpan>& words, Stop& stop) const {
    const features::Dictionary* kept = settings.dictionary == nullptr ? nullptr : settings.dictionary->core.get();
    core.segment(text, kept, settings.standard, scratch, words, stop);
    if (!settings.spaces) drop_blanks(text, words);
  }

  template <class Result>
  nb::list one(nb::handle text, const Settings& settings, Result&& result) const {
    const TextView units = view(text);
    std::vector<TokenSpan> words;
    work_on(units.bytes(), [&](Stop& stop) {
      tasks::Segmenter::Scratch scratch(core);
      segment(units, settings, scratch, words, stop);
    });
    return result(text, words);
  }

  template <class Result>
  nb::list several(const nb::list& texts, const Settings& settings, std::size_t threads, Result&& result) const {
    const TextBatch batch(texts);
    std::vector<std::vector<TokenSpan>> words(batch.size());
    const auto make_work = [&] {
      return [&, scratch = tasks::Segmenter::Scratch(core)](std::size_t first, std::size_t last, Stop& stop) mutable {
        for (std::size_t t = first; t < last; ++t) segment(batch.views[t], settings, scratch, words[t], stop);
      };
    };
    return answer_batch(batch, threads, 1, make_work,
                        [&](std::size_t t) { return result(batch.objects[t], std::exchange(words[t], {})); });
  }

  ColumnTask segment_column(const Dictionary* dictionary, std::uint32_t standard, bool spaces, bool offsets) const {
    std::shared_ptr<const features::Dictionary> kept = dictionary == nullptr ? nullptr : dictionary->core;
    return ColumnTask(columns::segment({shared, std::move(kept), standard, spaces}, offsets));
  }

  std::shared_ptr<const tasks::Segmenter> shared;
  const tasks::Segmenter& core;
};

}  // namespace

std::shared_ptr<const tasks::Segmenter> segmenter_in(nb::handle object) {
  return nb::cast<const Segmenter&>(object).shared;
}

template <class Result>
auto of_one(Result result) {
  return [result](const Segmenter& self, nb::handle text, const Dictionary* dictionary, std::uint32_t standard,
                  bool spaces) { return self.one(text, {dictionary, standard, spaces}, result); };
}

template <class Result>
auto of_several(Result result) {
  return [result](const Segmenter& self, const nb::list& texts, const Dictionary* dictionary, std::uint32_t standard,
                  bool spaces,
                  std::size_t threads) { return self.several(texts, {dictionary, standard, spaces}, threads, result); };
}

void bind_segmenter(nb::module_& m) {
  nb::class_<Dictionary>(m, "Dictionary").def(nb::init<const nb::list&>(), "words"_a);
  nb::class_<Segmenter> segmenter(m, "Segmenter");
  segmenter.def(nb::init<const Model&>(), "model"_a);
  const auto add = [&](const char* name, const char* name_of_batch, auto result) {
    segmenter.def(name, of_one(result), "text"_a.none(), "dictionary"_a.none(), "standard"_a, "spaces"_a);
    segmenter.def(name_of_batch, of_several(result), "texts"_a, "dictionary"_a.none(), "standard"_a, "spaces"_a,
                  "threads"_a);
  };
  add("segment", "segment_batch", strings_of);
  add("spans", "spans_batch", offsets_of);
  add("sentences", "sentences_batch", sentences_of);
  segmenter.def("segment_column", &Segmenter::segment_column, "dictionary"_a.none(), "standard"_a, "spaces"_a,
                "offsets"_a);
}

}  // namespace budgie::python
