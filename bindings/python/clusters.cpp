// SPDX-License-Identifier: Apache-2.0
// Clustering as Python sees it: two passes over a text, then the exchange algorithm in slices of time.
#include "clusters/exchange.hpp"
#include "clusters/packed_counts.hpp"
#include "lists.hpp"
#include "texts.hpp"

namespace budgie::python {
namespace {

using WithoutGil = nb::call_guard<Released>;  // other threads, such as that of a progress bar, go on

std::string_view bytes_of(const nb::bytes& chunk) { return {static_cast<const char*>(chunk.data()), chunk.size()}; }

template <class Counter>
void read_chunk(Counter& counter, const nb::bytes& chunk) {
  const std::string_view bytes = bytes_of(chunk);
  const Released released;
  counter.read(bytes);
}

nb::list words_of(const WordCounts& kept) {
  nb::list words;
  for (std::size_t i = 0; i < kept.vocabulary.size(); ++i) {
    words.append(string(kept.vocabulary.word(i)));
  }
  return words;
}

// Pickled as bytes.
template <class Counts>
nb::bytes packed_of(const Counts& counts) {
  std::string packed;
  {
    const Released released;
    packed = pack(counts);
  }
  return nb::bytes(packed.data(), packed.size());
}

template <auto unpack, class Counts>
void unpack_into(Counts& counts, const nb::bytes& packed) {
  const std::string_view bytes = bytes_of(packed);
  const Released released;
  new (&counts) Counts(unpack(bytes));
}

std::string folded(const std::string& word, bool fold_case, bool fold_digits) {
  std::string out;
  fold_word(word, {fold_case, fold_digits}, out);
  return out;
}

void make_exchange(Exchange* self, const Bigrams& bigrams, std::size_t classes, bool two_sided, std::size_t cycles,
                   std::size_t rounds, std::uint64_t seed, std::size_t batch_words) {
  const Released released;
  new (self) Exchange(bigrams, {classes, two_sided, cycles, rounds, seed, batch_words});
}

}  // namespace

void bind_clusters(nb::module_& m) {
  m.def("fold_word", &folded, "word"_a, "fold_case"_a, "fold_digits"_a);
  nb::class_<WordCounts>(m, "WordCounts")
      .def("__getstate__", &packed_of<WordCounts>)
      .def("__setstate__", &unpack_into<unpack_words, WordCounts>)
      .def_prop_ro("words", &words_of)
      .def_ro("counts", &WordCounts::counts);
  nb::class_<WordCounter>(m, "WordCounter")
      .def(
          "__init__",
          [](WordCounter* self, bool fold_case, bool fold_digits) { new (self) WordCounter({fold_case, fold_digits}); },
          "fold_case"_a, "fold_digits"_a)
      .def("read", &read_chunk<WordCounter>, "chunk"_a)
      .def("finish_file", &WordCounter::finish_file, WithoutGil())
      .def("add", &WordCounter::add, "next"_a, WithoutGil())
      .def_prop_ro("words", &WordCounter::words)
      .def("take", &WordCounter::take, WithoutGil())
      .def("keep", &WordCounter::keep, "most"_a, "least"_a, WithoutGil());
  nb::class_<Bigrams>(m, "Bigrams")
      .def("__getstate__", &packed_of<Bigrams>)
      .def("__setstate__", &unpack_into<unpack_bigrams, Bigrams>)
      .def_ro("total", &Bigrams::total)
      .def_ro("totals", &Bigrams::totals);
  nb::class_<BigramCounter>(m, "BigramCounter")
      .def(
          "__init__",
          [](BigramCounter* self, const WordCounts& kept, bool fold_case, bool fold_digits) {
            new (self) BigramCounter(kept.vocabulary, {fold_case, fold_digits});
          },
          "kept"_a, "fold_case"_a, "fold_digits"_a, nb::keep_alive<1, 2>())
      .def("read", &read_chunk<BigramCounter>, "chunk"_a)
      .def("finish_file", &BigramCounter::finish_file, WithoutGil())
      .def("add", &BigramCounter::add, "other"_a, WithoutGil())
      .def_prop_ro("words", &BigramCounter::words)
      .def("take", &BigramCounter::take, WithoutGil());
  nb::class_<Exchange>(m, "Exchange")
      .def("__init__", &make_exchange, "bigrams"_a, "classes"_a, "two_sided"_a, "cycles"_a, "rounds"_a, "seed"_a,
           "batch_words"_a, nb::keep_alive<1, 2>())
      .def("advance", &Exchange::advance, "threads"_a, "seconds"_a, WithoutGil())
      .def("choose", &Exchange::choose, "first"_a, "step"_a, "threads"_a, WithoutGil())
      .def("apply", &Exchange::apply, "choices"_a, "threads"_a, WithoutGil())
      .def("resume", &Exchange::resume, "round"_a, "last_moves"_a, "classes"_a, WithoutGil())
      .def_prop_ro("done", &Exchange::done)
      .def_prop_ro("round", &Exchange::round)
      .def_prop_ro("rounds", &Exchange::rounds)
      .def_prop_ro("words_done", &Exchange::words_done)
      .def_prop_ro("last_moves", &Exchange::last_moves)
      .def_prop_ro("likelihood", &Exchange::likelihood)
      .def_prop_ro("mutual_information", &Exchange::mutual_information)
      .def_prop_ro("classes", &Exchange::classes_of_words);
}

}  // namespace budgie::python
