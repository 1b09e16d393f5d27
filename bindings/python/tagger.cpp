// SPDX-License-Identifier: Apache-2.0
// Tagging as Python sees it.
#include "tasks/tagger.hpp"

#include <memory>
#include <string>
#include <vector>

#include "batches.hpp"
#include "columns/tasks.hpp"
#include "model.hpp"
#include "records.hpp"
#include "tasks.hpp"

namespace budgie::python {
namespace {

struct Tagger {
  using Scratch = tasks::Tagger::Scratch;

  explicit Tagger(const Model& model)
      : shared(std::make_shared<const tasks::Tagger>(build_tagger(model))),
        core(*shared),
        labels(labels_of(model)),
        names(std::make_shared<const std::vector<std::string>>(model.config.labels)) {}

  nb::list tag(nb::handle sentence) const {
    const SentenceBatch batch = SentenceBatch::of(sentence);
    std::vector<std::uint32_t> answers(batch.views.size());
    work_on(batch.bytes(0), [&](Stop& stop) {
      Scratch scratch(core, answers.size());
      core.tag(batch.views.data(), batch.starts.data(), 1, scratch, answers.data(), stop);
    });
    return make_list(answers.size(), [&](std::size_t w) { return labels[answers[w]]; });
  }

  // A list for each sentence; with `probable` of records of tags and their probabilities.
  nb::list tag_batch(const nb::list& sentences, bool probable, std::size_t threads) const {
    if (!probable) {
      return several(sentences, false, threads, [&](std::uint32_t tag, float) { return labels[tag]; });
    }
    return several(sentences, true, threads, [&](std::uint32_t tag, float probability) {
      return make_record(Record::tag, labels[tag], number(static_cast<double>(probability)));
    });
  }

  ColumnTask tag_column(bool probable, bool dictionary) const {
    return ColumnTask(columns::tag(shared, names, probable, dictionary));
  }

  // The probability of each tag that tag_batch gives.
  nb::list probabilities(const nb::list& sentences, std::size_t threads) const {
    return several(sentences, true, threads,
                   [](std::uint32_t, float probability) { return number(static_cast<double>(probability)); });
  }

  // For each word of one sentence the probability of every tag.
  nb::list distributions(nb::handle sentence) const {
    const SentenceBatch batch = SentenceBatch::of(sentence);
    std::vector<std::uint32_t> answers(batch.views.size());
    const std::size_t tags = core.tags();
    const std::unique_ptr<float[]> found(new float[answers.size() * tags]);
    work_on(batch.bytes(0), [&](Stop& stop) {
      Scratch scratch(core, answers.size());
      core.tag(batch.views.data(), batch.starts.data(), 1, scratch, answers.data(), stop, nullptr, found.get());
    });
    return make_list(answers.size(), [&](std::size_t w) {
      return make_list(tags, [&](std::size_t t) { return number(static_cast<double>(found[w * tags + t])); });
    });
  }

  // A list for each sentence of what make(tag, probability) says of each word.
  template <class Make>
  nb::list several(const nb::list& sentences, bool probable, std::size_t threads, Make&& make) const {
    const SentenceBatch batch(sentences);
    std::vector<std::uint32_t> answers(batch.views.size());
    std::vector<float> probabilities(probable ? answers.size() : 0);
    const auto make_work = [&] {
      return [&, scratch = Scratch(core, answers.size())](std::size_t first, std::size_t last, Stop& stop) mutable {
        core.tag(batch.views.data(), batch.starts.data() + first, last - first, scratch, answers.data(), stop,
                 probable ? probabilities.data() : nullptr);
      };
    };
    return answer_batch(batch, threads, 1, make_work, [&](std::size_t s) {
      const std::size_t begin = batch.starts[s];
      return make_list(batch.starts[s + 1] - begin, [&](std::size_t w) {
        return make(answers[begin + w], probable ? probabilities[begin + w] : 0);
      });
    });
  }

  std::shared_ptr<const tasks::Tagger> shared;
  const tasks::Tagger& core;
  std::vector<nb::object> labels;
  columns::Labels names;
};

}  // namespace

std::shared_ptr<const tasks::Tagger> tagger_in(nb::handle object) { return nb::cast<const Tagger&>(object).shared; }

void bind_tagger(nb::module_& m) {
  m.def("are_plain", &are_plain, "sentences"_a);
  nb::class_<Tagger>(m, "Tagger")
      .def(nb::init<const Model&>(), "model"_a)
      .def("tag", &Tagger::tag, "sentence"_a.none())
      .def("tag_batch", &Tagger::tag_batch)
      .def("tag_column", &Tagger::tag_column)
      .def("probabilities", &Tagger::probabilities)
      .def("distributions", &Tagger::distributions, "sentence"_a.none());
}

}  // namespace budgie::python
