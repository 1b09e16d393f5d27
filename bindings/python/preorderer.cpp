// SPDX-License-Identifier: Apache-2.0
// Preordering as Python sees it.
#include "tasks/preorderer.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>

#include "batches.hpp"
#include "records.hpp"
#include "tasks/transitions.hpp"

namespace budgie::python {
namespace {

using Orders = std::vector<std::vector<std::uint32_t>>;

GoldPreordering gold_of(const std::vector<std::uint32_t>& order) {
  std::vector<bool> seen(order.size());
  for (const std::uint32_t word : order) {
    if (word >= order.size() || seen[word]) throw nb::value_error("an order must have each word once");
    seen[word] = true;
  }
  return GoldPreordering(order);
}

// States to learn from, one behind the other: what features look at, and what gold does.
class States {
 public:
  void add(const Preordering::State& state, std::size_t move) {
    for (std::size_t s = 0; s < 2 * kSpansSeen; ++s) {
      const WordSpan* span = state.seen(s);
      for (std::size_t c = 0; c < kCorners; ++c) {
        words_.push_back(span == nullptr ? -1 : static_cast<std::int32_t>(span->corners[c]));  // no word is -1 too
      }
      lengths_.push_back(span == nullptr ? 0 : static_cast<std::int32_t>(span->words));
      swapped_.push_back(span == nullptr ? -1 : span->swapped);
    }
    moves_.push_back(static_cast<std::int32_t>(move));
  }
  void end_sentence() { ends_.push_back(static_cast<std::int32_t>(moves_.size())); }

  // Corners of spans, words of spans (0: no span), whether they were swapped (-1: no span), moves, where each sentence
  // ends.
  nb::tuple arrays() && {
    const std::size_t count = moves_.size();
    return nb::make_tuple(array(std::move(words_), count), array(std::move(lengths_), count),
                          array(std::move(swapped_), count), array(std::move(moves_), count),
                          array(std::move(ends_), ends_.size()));
  }

 private:
  using Array = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;
  static Array array(std::vector<std::int32_t>&& numbers, std::size_t rows) {
    auto* kept = new std::vector<std::int32_t>(std::move(numbers));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::int32_t>*>(p); });
    return Array(kept->data(), {rows, rows == 0 ? 0 : kept->size() / rows}, owner);
  }

  std::vector<std::int32_t> words_{}, lengths_{}, swapped_{}, moves_{}, ends_{};
};

// The states that gold itself goes through.
nb::tuple gold_states(const Orders& orders) {
  States states;
  Preordering::State state;
  for (const std::vector<std::uint32_t>& order : orders) {
    const GoldPreordering gold = gold_of(order);
    state.begin(order.size());
    follow_oracle(gold, state, [&](const Preordering::State& now, std::size_t move) { states.add(now, move); });
    states.end_sentence();
  }
  return std::move(states).arrays();
}

struct SentencePreorderer {
  SentencePreorderer(const SingleWords& words, std::vector<Embedding> embeddings, Layer hidden, Layer output,
                     const Tagger* tagger)
      : core(words, Network{std::move(embeddings), std::move(hidden), std::move(output)},
             tagger == nullptr ? std::nullopt : std::make_optional(*tagger)) {}

  // The permutation of a sentence and its words in that order.
  nb::object reorder(nb::handle sentence, std::size_t beam) const {
    const SentenceBatch batch = SentenceBatch::of(sentence);
    std::vector<std::uint32_t> orders(batch.views.size()), tags(orders.size());
    work_on(beam * batch.bytes(0), [&](Stop& stop) {
      Preorderer::Scratch scratch(core, orders.size());
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
      return [&, scratch = Preorderer::Scratch(core, orders.size())](std::size_t first, std::size_t last,
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

  Preorderer core;
};

}  // namespace

void bind_preorderer(nb::module_& m) {
  m.attr("CORNERS") = kCorners;
  m.attr("SPANS_SEEN") = kSpansSeen;
  m.def("gold_states", &gold_states, "orders"_a);
  nb::class_<SentencePreorderer>(m, "Preorderer")
      .def(nb::init<const SingleWords&, std::vector<Embedding>, Layer, Layer, const Tagger*>(), nb::arg(), nb::arg(),
           nb::arg(), nb::arg(), nb::arg().none())
      .def("reorder", &SentencePreorderer::reorder, "sentence"_a.none(), "beam"_a)
      .def("reorder_batch", &SentencePreorderer::reorder_batch)
      .def("permutations", &SentencePreorderer::permutations);
}

}  // namespace budgie::python
