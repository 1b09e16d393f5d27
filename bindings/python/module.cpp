// SPDX-License-Identifier: Apache-2.0
// The module: features, Bloom maps and networks, and what the other bindings add. Model files are read and checked in
// budgie/model.py before anything arrives here.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>

#include "batches.hpp"
#include "network/half.hpp"
#include "network/network.hpp"
#include "tasks/preordering.hpp"
#include "training/bloom_builder.hpp"

namespace budgie::python {
namespace {

// ---- feature groups -------------------------------------------------------------------------------------------

Group make_group(const std::string& kind, std::uint32_t n, std::uint32_t buckets, bool across, bool ends,
                 std::vector<int> positions, std::vector<int> starts, std::vector<std::uint32_t> places) {
  constexpr std::pair<const char*, Group::Kind> kKinds[] = {
      {"ngrams", Group::Kind::ngrams},   {"words", Group::Kind::words},       {"bytes", Group::Kind::bytes},
      {"shapes", Group::Kind::shapes},   {"clusters", Group::Kind::clusters}, {"vocabulary", Group::Kind::vocabulary},
      {"kinds", Group::Kind::kinds},     {"length", Group::Kind::length},     {"standard", Group::Kind::standard},
      {"lexicon", Group::Kind::lexicon}, {"tags", Group::Kind::tags},         {"swapped", Group::Kind::swapped}};
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](auto& one) { return one.first == kind; });
  const bool counted = kind == "ngrams" || kind == "bytes" || kind == "vocabulary" || kind == "kinds";
  const auto beyond = [](std::uint32_t place) { return place >= 2 * kSpansSeen * kCorners; };
  if (found == std::end(kKinds) || buckets == 0 || std::any_of(places.begin(), places.end(), beyond) ||
      (counted && (n < 1 || n > kLongestNgram)))
    throw nb::value_error("a feature group does not make sense");
  return {found->second, n, buckets, across, ends, std::move(positions), std::move(starts), std::move(places)};
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

}  // namespace

nb::list Features::ids(const nb::list& texts) const {
  const TextBatch batch(texts);
  std::vector<IdLists> found(groups.size());
  without_gil([&](Stop& stop, Released&) {
    FeatureExtractor extractor(groups);
    for (const TextView& text : batch.views) {
      for (IdLists& group : found) group.begin();
      extractor.extract(text, folding, stop,
                        [&](std::size_t g, const std::uint32_t* ids, std::size_t count) { found[g].add(ids, count); });
    }
  });
  return arrays(std::move(found));
}

nb::list SingleWords::ids(const nb::list& words) const {
  const TextBatch batch(words);
  std::vector<IdLists> found(groups.size());
  without_gil([&](Stop& stop, Released&) {
    WordFeatures features(*this);
    for (const TextView& word : batch.views) {
      stop.look();
      features.extract(word, [&](std::size_t g, std::size_t, const std::uint32_t* ids, std::size_t count) {
        found[g].begin();
        found[g].add(ids, count);
      });
    }
  });
  return arrays(std::move(found));
}

namespace {

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
  for (nb::handle word : words) keys.push_back(BloomMap::key(view(word), {fold_case, fold_digits}));
  BloomMapParts map;
  {
    const Released released;
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

}  // namespace
}  // namespace budgie::python

NB_MODULE(_core, m) {
  using namespace budgie::python;
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
      .def_static("make", &make_group, "kind"_a, "n"_a, "buckets"_a, "across"_a, "ends"_a, "positions"_a, "starts"_a,
                  "places"_a);
  nb::class_<BloomMap>(m, "BloomMap")
      .def_static("make", &make_bloom_map, "lengths"_a, "slots"_a, "error_bits"_a, "fold_case"_a, "fold_digits"_a,
                  "bits"_a)
      .def_static("build", &build, "words"_a, "clusters"_a, "classes"_a, "error_bits"_a, "fold_case"_a, "fold_digits"_a)
      .def_static("size", &BloomMap::size, "slots"_a)
      .def("find", [](const BloomMap& self, nb::handle word) { return self.find(view(word)); }, "word"_a);
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

  bind_records(m);
  bind_langid(m);
  bind_tagger(m);
  bind_segmenter(m);
  bind_preorderer(m);
  bind_clusters(m);
}
