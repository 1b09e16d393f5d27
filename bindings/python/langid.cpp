// SPDX-License-Identifier: Apache-2.0
// Language identification as Python sees it.
#include "tasks/langid.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "batches.hpp"
#include "columns/tasks.hpp"
#include "model.hpp"
#include "records.hpp"
#include "tasks.hpp"

namespace budgie::python {
namespace {

struct LanguageIdentifier {
  using Allowed = tasks::LanguageIdentifier::Allowed;
  using Fold = tasks::LanguageIdentifier::Fold;
  using Scratch = tasks::LanguageIdentifier::Scratch;

  explicit LanguageIdentifier(const Model& model)
      : shared(std::make_shared<const tasks::LanguageIdentifier>(build_langid(model))),
        core(*shared),
        labels(labels_of(model)),
        macrolanguages(labels),
        names_of_labels(model.config.labels) {
    for (const Fold& fold : core.offer().folds) macrolanguages[fold.number] = string(fold.name);
  }

  // Converted and checked once, not at every call.
  Allowed allow(std::vector<std::uint32_t> numbers, const std::vector<double>& weights) const {
    return core.allow(std::move(numbers), weights);
  }

  Allowed allow_macrolanguages(std::vector<double> weights) const {
    return core.allow_macrolanguages(std::move(weights));
  }

  // The macrolanguages of the labels: names, and numbers of labels, that which stands for all first.
  nb::list folds() const {
    const std::vector<Fold>& folds = core.offer().folds;
    return make_list(folds.size(), [&](std::size_t f) {
      std::vector<std::uint32_t> numbers{folds[f].number};
      numbers.insert(numbers.end(), folds[f].others.begin(), folds[f].others.end());
      return nb::object(nb::make_tuple(string(folds[f].name), numbers));
    });
  }

  nb::object identify(nb::handle text, const Allowed& allowed) const {
    const TextView one = view(text);
    Identification answer;
    work_on_one(one, [&](Scratch& scratch, Stop& stop) { core.identify(&one, 1, allowed, scratch, &answer, stop); });
    return record(answer, names(allowed));
  }

  nb::list identify_batch(const nb::list& texts, const Allowed& allowed, std::size_t threads) const {
    const TextBatch batch(texts);
    std::vector<Identification> found(batch.size());
    const auto make_work = [&] {
      return [&, scratch = Scratch(core)](std::size_t first, std::size_t last, Stop& stop) mutable {
        core.identify(batch.views.data() + first, last - first, allowed, scratch, found.data() + first, stop);
      };
    };
    return answer_batch(batch, threads, 1, make_work, [&](std::size_t t) { return record(found[t], names(allowed)); });
  }

  nb::list rank(nb::handle one, std::size_t k, const Allowed& allowed) const {
    return find_one(one, allowed, [&](const TextView& text, Scratch& scratch, Stop& stop) {
      return core.rank(text, k, allowed, scratch, stop);
    });
  }

  nb::list rank_batch(const nb::list& texts, std::size_t k, const Allowed& allowed, std::size_t threads) const {
    return find_batch(texts, allowed, threads, [&](const TextView& text, Scratch& scratch, Stop& stop) {
      return core.rank(text, k, allowed, scratch, stop);
    });
  }

  nb::list spans(nb::handle one, const Allowed& allowed) const {
    return find_one(one, allowed, [&](const TextView& text, Scratch& scratch, Stop& stop) {
      return core.spans(text, allowed, scratch, stop);
    });
  }

  nb::list spans_batch(const nb::list& texts, const Allowed& allowed, std::size_t threads) const {
    return find_batch(texts, allowed, threads, [&](const TextView& text, Scratch& scratch, Stop& stop) {
      return core.spans(text, allowed, scratch, stop);
    });
  }

  nb::list passages(nb::handle one, const Allowed& allowed) const {
    return find_one(one, allowed, [&](const TextView& text, Scratch& scratch, Stop& stop) {
      return core.passages(text, allowed, scratch, stop);
    });
  }

  nb::list passages_batch(const nb::list& texts, const Allowed& allowed, std::size_t threads) const {
    return find_batch(texts, allowed, threads, [&](const TextView& text, Scratch& scratch, Stop& stop) {
      return core.passages(text, allowed, scratch, stop);
    });
  }

  ColumnTask identify_column(const Allowed& allowed, bool dictionary) const {
    return ColumnTask(columns::identify(identifying(allowed, dictionary)));
  }

  ColumnTask rank_column(std::size_t k, const Allowed& allowed, bool dictionary) const {
    return ColumnTask(columns::rank(identifying(allowed, dictionary), k));
  }

  ColumnTask spans_column(const Allowed& allowed, bool dictionary) const {
    return ColumnTask(columns::spans(identifying(allowed, dictionary)));
  }

  ColumnTask passages_column(const Allowed& allowed, bool dictionary) const {
    return ColumnTask(columns::passages(identifying(allowed, dictionary)));
  }

  std::size_t letters(nb::handle text) const {
    const TextView one = view(text);
    std::size_t letters = 0;
    work_on_one(one, [&](Scratch& scratch, Stop& stop) { letters = core.letters(one, scratch, stop); });
    return letters;
  }

  nb::list scores(nb::handle text) const {
    const TextView one = view(text);
    std::vector<float> found;
    work_on_one(one, [&](Scratch& scratch, Stop& stop) { found = core.scores(one, scratch, stop); });
    return make_list(found.size(), [&](std::size_t l) { return number(static_cast<double>(found[l])); });
  }

  std::shared_ptr<const tasks::LanguageIdentifier> shared;
  const tasks::LanguageIdentifier& core;

 private:
  using Names = std::vector<nb::object>;  // by numbers of labels

  // A list of what find(text, scratch, stop) gives.
  template <class Find>
  nb::list find_one(nb::handle one, const Allowed& allowed, const Find& find) const {
    const TextView text = view(one);
    std::invoke_result_t<Find, const TextView&, Scratch&, Stop&> found;
    work_on_one(text, [&](Scratch& scratch, Stop& stop) { found = find(text, scratch, stop); });
    return records(found, names(allowed));
  }

  // The same for each of several texts.
  template <class Find>
  nb::list find_batch(const nb::list& texts, const Allowed& allowed, std::size_t threads, const Find& find) const {
    const TextBatch batch(texts);
    std::vector<std::invoke_result_t<Find, const TextView&, Scratch&, Stop&>> found(batch.size());
    const auto make_work = [&] {
      return [&, scratch = Scratch(core)](std::size_t first, std::size_t last, Stop& stop) mutable {
        for (std::size_t t = first; t < last; ++t) {
          stop.look();
          found[t] = find(batch.views[t], scratch, stop);
        }
      };
    };
    return answer_batch(batch, threads, 1, make_work,
                        [&](std::size_t t) { return records(std::exchange(found[t], {}), names(allowed)); });
  }

  nb::object record(const Identification& answer, const Names& names) const {
    return make_record(Record::identification, label(answer, names), number(static_cast<double>(answer.probability)),
                       nb::bool_(answer.reliable()));
  }

  nb::object record(const Span& span, const Names& names) const {
    return make_record(Record::span, number(span.start), number(span.end), label(span.identification, names),
                       number(static_cast<double>(span.identification.probability)),
                       nb::bool_(span.identification.reliable()));
  }

  template <class Answers>
  nb::list records(const Answers& answers, const Names& names) const {
    return make_list(answers.size(), [&](std::size_t i) { return record(answers[i], names); });
  }

  nb::object label(const Identification& answer, const Names& names) const {
    return answer.language == Identification::kUndetermined ? undetermined
                                                            : names[static_cast<std::size_t>(answer.language)];
  }

  const Names& names(const Allowed& allowed) const { return allowed.has_folds() ? macrolanguages : labels; }

  columns::Identifying identifying(const Allowed& allowed, bool dictionary) const {
    std::vector<std::string> names = names_of_labels;
    if (allowed.has_folds()) {
      for (const Fold& fold : core.offer().folds) names[fold.number] = fold.name;
    }
    names.emplace_back("und");
    return {shared, allowed, {std::make_shared<const std::vector<std::string>>(std::move(names)), dictionary}};
  }

  template <class Work>
  void work_on_one(const TextView& text, Work&& work) const {
    work_on(text.bytes(), [&](Stop& stop) {
      Scratch scratch(core);
      work(scratch, stop);
    });
  }

  Names labels;
  Names macrolanguages;  // the same, but of what stands for a macrolanguage its name
  nb::object undetermined = string("und");
  std::vector<std::string> names_of_labels;
};

}  // namespace

std::shared_ptr<const tasks::LanguageIdentifier> identifier_in(nb::handle object) {
  return nb::cast<const LanguageIdentifier&>(object).shared;
}

void bind_langid(nb::module_& m) {
  nb::class_<LanguageIdentifier::Allowed>(m, "Allowed");
  nb::class_<LanguageIdentifier>(m, "LanguageIdentifier")
      .def(nb::init<const Model&>(), "model"_a)
      .def_prop_ro("languages", [](const LanguageIdentifier& self) { return self.core.offer().languages; })
      .def_prop_ro("usual", [](const LanguageIdentifier& self) { return self.core.offer().usual; })
      .def_prop_ro("folds", &LanguageIdentifier::folds)
      .def("allow", &LanguageIdentifier::allow, "numbers"_a, "weights"_a = std::vector<double>{})
      .def("allow_macrolanguages", &LanguageIdentifier::allow_macrolanguages, "weights"_a = std::vector<double>{})
      // .none(): None has to reach view(), whose message is better than nanobind's.
      .def("identify", &LanguageIdentifier::identify, "text"_a.none(), "allowed"_a)
      .def("identify_batch", &LanguageIdentifier::identify_batch)
      .def("rank", &LanguageIdentifier::rank, "text"_a.none(), "k"_a, "allowed"_a)
      .def("rank_batch", &LanguageIdentifier::rank_batch)
      .def("spans", &LanguageIdentifier::spans, "text"_a.none(), "allowed"_a)
      .def("spans_batch", &LanguageIdentifier::spans_batch)
      .def("passages", &LanguageIdentifier::passages, "text"_a.none(), "allowed"_a)
      .def("passages_batch", &LanguageIdentifier::passages_batch)
      .def("identify_column", &LanguageIdentifier::identify_column)
      .def("rank_column", &LanguageIdentifier::rank_column)
      .def("spans_column", &LanguageIdentifier::spans_column)
      .def("passages_column", &LanguageIdentifier::passages_column)
      .def("letters", &LanguageIdentifier::letters, "text"_a.none())
      .def("scores", &LanguageIdentifier::scores, "text"_a.none());
}

}  // namespace budgie::python
