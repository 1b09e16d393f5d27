// SPDX-License-Identifier: Apache-2.0
// What training asks the core for: row numbers of texts, words and units, what gold does, and what features look into.
#include <nanobind/ndarray.h>

#include "batches.hpp"
#include "model.hpp"
#include "training/bloom_builder.hpp"
#include "training/gold_decisions.hpp"
#include "training/gold_states.hpp"
#include "training/lexicon_builder.hpp"

namespace budgie::python {

namespace {

// The ids of one group for many texts in the form that torch's EmbeddingBag takes: all ids, and where each text begins.
struct IdLists {
  std::vector<std::int64_t> ids{};
  std::vector<std::int64_t> starts{};

  void begin() { starts.push_back(static_cast<std::int64_t>(ids.size())); }
  void add(const std::uint32_t* more, std::size_t count) { ids.insert(ids.end(), more, more + count); }
};

// Arrays of NumPy, which own their numbers.
template <class Number, std::size_t kAxes>
nb::ndarray<nb::numpy, Number, nb::ndim<kAxes>> array(std::vector<Number>&& numbers,
                                                      const std::size_t (&shape)[kAxes]) {
  auto* kept = new std::vector<Number>(std::move(numbers));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return {kept->data(), kAxes, shape, owner};
}

auto row(std::vector<std::int64_t>&& numbers) {
  const std::size_t shape[] = {numbers.size()};
  return array(std::move(numbers), shape);
}

auto table(std::vector<std::int32_t>&& numbers, std::size_t rows, std::size_t columns) {
  const std::size_t shape[] = {rows, columns};
  return array(std::move(numbers), shape);
}

nb::list arrays(std::vector<IdLists>&& groups) {
  nb::list result;
  for (IdLists& group : groups) {
    result.append(nb::make_tuple(row(std::move(group.ids)), row(std::move(group.starts))));
  }
  return result;
}

// Features of running text.
struct Features {
  explicit Features(const std::string& json) : Features(Resources(json, {}).config) {}
  explicit Features(const Config& config) : groups(groups_of(config)), folding(folding_of(config)) {}

  nb::list ids(const nb::list& texts) const {
    const TextBatch batch(texts);
    std::vector<IdLists> found(groups.size());
    without_gil([&](Stop& stop, Released&) {
      FeatureExtractor extractor(groups);
      for (const TextView& text : batch.views) {
        for (IdLists& group : found) group.begin();
        extractor.extract(text, folding, stop, [&](std::size_t g, const std::uint32_t* ids, std::size_t count) {
          found[g].add(ids, count);
        });
      }
    });
    return arrays(std::move(found));
  }

  std::vector<Group> groups;
  Folding folding;
};

// Features of single words. A group of several vectors has as many lists for each word.
struct WordFeatures {
  WordFeatures(const std::string& json, const nb::dict& resources) : WordFeatures(Resources(json, resources)) {}
  explicit WordFeatures(const Resources& from) : groups(word_groups(from.config, from.tensors)) {}

  nb::list ids(const nb::list& words) const {
    const TextBatch batch(words);
    std::vector<IdLists> found(groups.groups.size());
    without_gil([&](Stop& stop, Released&) {
      features::WordFeatures features(groups);
      for (const TextView& word : batch.views) {
        stop.look();
        for (std::size_t g = 0; g < found.size(); ++g) {
          if (groups.groups[g].vectors() == 1) found[g].begin();
        }
        features.extract(word, stop, [&](std::size_t g, std::size_t, const std::uint32_t* ids, std::size_t count) {
          if (groups.groups[g].vectors() > 1) found[g].begin();
          found[g].add(ids, count);
        });
      }
    });
    return arrays(std::move(found));
  }

  WordGroups groups;
};

// What cuts texts into units.
struct Units : UnitGroups {
  Units(bool runs_, const std::string& spaces_, const nb::bytes& pairs)
      : UnitGroups{{}, {}, {}, runs_, spaces_named(spaces_)} {
    if (pairs.size() % Variants::kPair != 0) throw nb::value_error("variants end inside of a pair");
    variants = Variants(static_cast<const std::uint8_t*>(pairs.data()), pairs.size() / Variants::kPair);
  }
  explicit Units(UnitGroups groups_) : UnitGroups(std::move(groups_)) {}

  // The units of a text: begin, end, id, and whether there is something to decide.
  nb::list units(nb::handle text) const {
    nb::list result;
    UnitWindow window(*this, nullptr);
    Stop never;
    window.slide(view(text), never, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const bool open = Rules::open(window.rules[i]);
        result.append(nb::make_tuple(window.begins[i], window.ends[i], std::uint32_t{window.ids[i]}, open));
      }
    });
    return result;
  }
};

// Features of the units of texts, and those of the decisions that gold makes of them.
struct UnitFeatures : Units {
  UnitFeatures(const std::string& json, const nb::dict& resources) : UnitFeatures(Resources(json, resources)) {}
  explicit UnitFeatures(const Resources& from) : Units(unit_groups(from.config, from.tensors)) {}

  // For every unit with something to decide, one behind the other: the rows of each group, and what gold does, if words
  // and sentences begin at these offsets of each text.
  nb::tuple decisions(const nb::list& texts, std::vector<std::vector<std::size_t>> words,
                      std::vector<std::vector<std::size_t>> sentences,
                      const std::vector<std::uint32_t>& standards) const {
    const TextBatch batch(texts);
    if (words.size() != batch.size() || sentences.size() != batch.size() || standards.size() != batch.size())
      throw nb::value_error("as many words, sentences and standards as texts are needed");
    Decisions found{std::vector<std::vector<std::int32_t>>(groups.size())};
    without_gil([&](Stop& stop, Released&) {
      for (std::size_t t = 0; t < batch.size(); ++t) {
        const GoldText gold{std::move(words[t]), std::move(sentences[t]), standards[t]};
        follow_gold(*this, batch.views[t], gold, found, stop);
      }
    });
    nb::list rows;
    const std::size_t count = found.actions.size();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      rows.append(table(std::move(found.rows[g]), count, groups[g].slots()));
    }
    const std::size_t shape[] = {count};
    return nb::make_tuple(rows, array(std::move(found.actions), shape));
  }
};

// How many words went into a lexicon, and its bits.
nb::tuple make_lexicon(const nb::list& words, std::uint32_t longest, const Units& units, std::size_t bits_a_word) {
  const BuiltLexicon built = build_lexicon(TextBatch(words).views, longest, units, bits_a_word);
  return nb::make_tuple(built.words, bytes(built.blocks.data(), built.blocks.size() * sizeof built.blocks[0]));
}

// Features of the states that gold goes through when it puts sentences into order.
struct StateFeatures {
  explicit StateFeatures(const std::string& json) : columns(groups_of(parse_config(json))) {}

  // Columns of words, columns of rows, moves, where each sentence ends.
  nb::tuple states(const std::vector<std::vector<std::uint32_t>>& orders) const {
    GoldStates found;
    without_gil([&](Stop& stop, Released&) {
      for (const std::vector<std::uint32_t>& order : orders) {
        stop.look();
        found.add_sentence(columns, order);
      }
    });
    const std::size_t count = found.moves.size(), sentences = found.ends.size();
    return nb::make_tuple(table(std::move(found.words), count, columns.words.size()),
                          table(std::move(found.rows), count, columns.spans.size()),
                          table(std::move(found.moves), count, 1), table(std::move(found.ends), sentences, 1));
  }

  StateColumns columns;
};

// ---- word clusters ---------------------------------------------------------------------------------------------

// The lengths of codes, the slots of each layer, the bits.
nb::tuple make_bloom_map(const nb::list& words, const std::vector<std::uint32_t>& clusters, std::size_t classes,
                         std::uint32_t error_bits, bool fold_case, bool fold_digits) {
  std::vector<std::uint64_t> keys;
  for (nb::handle word : words) keys.push_back(BloomMap::key(view(word), {fold_case, fold_digits}));
  BloomMapParts map;
  {
    const Released released;
    map = build_bloom_map(keys, clusters, classes, error_bits);
  }
  return nb::make_tuple(bytes(map.lengths.data(), map.lengths.size()), map.slots,
                        bytes(map.bytes.data(), map.bytes.size()));
}

}  // namespace

void bind_training(nb::module_& m) {
  nb::class_<Features>(m, "Features")
      .def(nb::init<const std::string&>(), "config"_a)
      .def("ids", &Features::ids, "texts"_a);
  nb::class_<WordFeatures>(m, "WordFeatures")
      .def(nb::init<const std::string&, const nb::dict&>(), "config"_a, "resources"_a)
      .def("ids", &WordFeatures::ids, "words"_a);
  nb::class_<Units>(m, "Units")
      .def(nb::init<bool, const std::string&, const nb::bytes&>(), "runs"_a, "spaces"_a,
           "variants"_a = nb::bytes("", 0))
      .def("units", &Units::units, "text"_a.none());
  nb::class_<UnitFeatures, Units>(m, "UnitFeatures")
      .def(nb::init<const std::string&, const nb::dict&>(), "config"_a, "resources"_a)
      .def("decisions", &UnitFeatures::decisions, "texts"_a, "words"_a, "sentences"_a, "standards"_a);
  m.attr("LONGEST_WORD") = Lexicon::kLongest;
  m.attr("OUTSIDE") = std::uint32_t{kOutside};
  m.def("build_lexicon", &make_lexicon, "words"_a, "longest"_a, "units"_a, "bits_a_word"_a);
  nb::class_<StateFeatures>(m, "StateFeatures")
      .def(nb::init<const std::string&>(), "config"_a)
      .def_prop_ro("words", [](const StateFeatures& self) { return self.columns.words_of; })
      .def_prop_ro("spans", [](const StateFeatures& self) { return self.columns.spans_of; })
      .def("states", &StateFeatures::states, "orders"_a);
  m.def("build_bloom_map", &make_bloom_map, "words"_a, "clusters"_a, "classes"_a, "error_bits"_a, "fold_case"_a,
        "fold_digits"_a);
  m.def("size_of_bloom_map", &BloomMap::size, "slots"_a);
}

}  // namespace budgie::python
