// SPDX-License-Identifier: Apache-2.0
// Features alone, as training asks for them: row numbers of texts, words and units; and what features are made of.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>

#include "batches.hpp"
#include "model.hpp"
#include "training/bloom_builder.hpp"

namespace budgie::python {

namespace {

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
struct SingleWords {
  SingleWords(const std::string& json, const nb::dict& resources) : SingleWords(Resources(json, resources)) {}
  explicit SingleWords(const Resources& from) : groups(word_groups(from.config, from.tensors)) {}

  nb::list ids(const nb::list& words) const {
    const TextBatch batch(words);
    std::vector<IdLists> found(groups.groups.size());
    without_gil([&](Stop& stop, Released&) {
      WordFeatures features(groups);
      for (const TextView& word : batch.views) {
        stop.look();
        for (std::size_t g = 0; g < found.size(); ++g) {
          if (groups.groups[g].vectors() == 1) found[g].begin();
        }
        features.extract(word, [&](std::size_t g, std::size_t, const std::uint32_t* ids, std::size_t count) {
          if (groups.groups[g].vectors() > 1) found[g].begin();
          found[g].add(ids, count);
        });
      }
    });
    return arrays(std::move(found));
  }

  WordGroups groups;
};

// ---- word clusters ---------------------------------------------------------------------------------------------

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
  for (nb::handle word : words) keys.push_back(BloomMap::key(view(word), {fold_case, fold_digits}));
  BloomMapParts map;
  {
    const Released released;
    map = build_bloom_map(keys, clusters, classes, error_bits);
  }
  return nb::make_tuple(nb::bytes(map.lengths.data(), map.lengths.size()), map.slots,
                        nb::bytes(map.bytes.data(), map.bytes.size()));
}

}  // namespace

void bind_features(nb::module_& m) {
  nb::class_<Features>(m, "Features")
      .def(nb::init<const std::string&>(), "config"_a)
      .def("ids", &Features::ids, "texts"_a);
  nb::class_<SingleWords>(m, "WordFeatures")
      .def(nb::init<const std::string&, const nb::dict&>(), "config"_a, "resources"_a)
      .def("ids", &SingleWords::ids, "words"_a);
  nb::class_<BloomMap>(m, "BloomMap")
      .def_static("make", &make_bloom_map, "lengths"_a, "slots"_a, "error_bits"_a, "fold_case"_a, "fold_digits"_a,
                  "bits"_a)
      .def_static("build", &build, "words"_a, "clusters"_a, "classes"_a, "error_bits"_a, "fold_case"_a, "fold_digits"_a)
      .def_static("size", &BloomMap::size, "slots"_a)
      .def("find", [](const BloomMap& self, nb::handle word) { return self.find(view(word)); }, "word"_a);
}

}  // namespace budgie::python
