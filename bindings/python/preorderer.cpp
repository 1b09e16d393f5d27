// SPDX-License-Identifier: Apache-2.0
// Preordering as Python sees it.
#include "tasks/preorderer.hpp"

#include "batches.hpp"
#include "model.hpp"
#include "records.hpp"

namespace budgie::python {
namespace {

struct Preorderer {
  explicit Preorderer(const Model& model) : core(build_preorderer(model)) {}

  // The permutation of a sentence and its words in that order.
  nb::object reorder(nb::handle sentence, std::size_t beam) const {
    const SentenceBatch batch = SentenceBatch::of(sentence);
    std::vector<std::uint32_t> orders(batch.views.size()), tags(orders.size());
    work_on(beam * batch.bytes(0), [&](Stop& stop) {
      tasks::Preorderer::Scratch scratch(core, orders.size());
      core.reorder(batch.views.data(), batch.starts.data(), 1, beam, scratch, tags.data(), orders.data(), stop);
    });
    return reordering(batch, orders, 0);
  }

  nb::list reorder_batch(const nb::list& sentences, std::size_t beam, std::size_t threads) const {
    return several(sentences, beam, threads, reordering);
  }

  nb::list permutations(const nb::list& sentences, std::size_t beam, std::size_t threads) const {
    return several(sentences, beam, threads, numbers);
  }

  // Calls result(batch, orders, sentence) for each sentence.
  template <class Result>
  nb::list several(const nb::list& sentences, std::size_t beam, std::size_t threads, Result&& result) const {
    const SentenceBatch batch(sentences);
    std::vector<std::uint32_t> orders(batch.views.size()), tags(orders.size());
    const auto make_work = [&] {
      return [&, scratch = tasks::Preorderer::Scratch(core, orders.size())](std::size_t first, std::size_t last,
                                                                            Stop& stop) mutable {
        core.reorder(batch.views.data(), batch.starts.data() + first, last - first, beam, scratch, tags.data(),
                     orders.data(), stop);
      };
    };
    return answer_batch(batch, threads, beam, make_work, [&](std::size_t s) { return result(batch, orders, s); });
  }

  static nb::object reordering(const SentenceBatch& batch, const std::vector<std::uint32_t>& orders,
                               std::size_t sentence) {
    return make_tracked_record(Record::reordering, numbers(batch, orders, sentence), words(batch, orders, sentence));
  }

  static nb::list numbers(const SentenceBatch& batch, const std::vector<std::uint32_t>& orders, std::size_t sentence) {
    const std::size_t begin = batch.starts[sentence];
    return make_list(batch.starts[sentence + 1] - begin,
                     [&](std::size_t w) { return number(std::size_t{orders[begin + w]}); });
  }

  static nb::list words(const SentenceBatch& batch, const std::vector<std::uint32_t>& orders, std::size_t sentence) {
    const std::size_t begin = batch.starts[sentence];
    return make_list(batch.starts[sentence + 1] - begin,
                     [&](std::size_t w) { return batch.objects[begin + orders[begin + w]]; });
  }

  tasks::Preorderer core;
};

}  // namespace

void bind_preorderer(nb::module_& m) {
  nb::class_<Preorderer>(m, "Preorderer")
      .def(nb::init<const Model&>(), "model"_a)
      .def("reorder", &Preorderer::reorder, "sentence"_a.none(), "beam"_a)
      .def("reorder_batch", &Preorderer::reorder_batch)
      .def("permutations", &Preorderer::permutations);
}

}  // namespace budgie::python
