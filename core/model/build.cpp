// SPDX-License-Identifier: Apache-2.0
#include "model/build.hpp"

#include <optional>

#include "model/error.hpp"
#include "tasks/macrolanguages.hpp"

namespace budgie::model {

namespace {

const Tensor& tensor(const Tensors& tensors, const std::string& name) { return tensors.find(name)->second; }

// With one scale for the whole matrix rows stay integers; with one a row they become floats.
Embedding embedding_of(const GroupConfig& group, const Tensors& tensors) {
  const Tensor& rows = tensor(tensors, group.name + ".rows");
  Embedding embedding;
  embedding.dim = group.dim;
  embedding.mean = group.mean;
  if (group.bits == 32) {
    embedding.floats = rows.floats();
    return embedding;
  }
  const std::vector<float> scales = tensor(tensors, group.name + ".scales").floats();
  // A matrix of one row has one scale in either form.
  if (scales.size() == 1) {
    embedding.scale = scales[0];
    embedding.bits = group.bits;
    embedding.integers.assign(rows.data, rows.data + rows.bytes());
    return embedding;
  }
  embedding.floats.resize(rows.bytes());
  for (std::size_t i = 0; i < embedding.floats.size(); ++i) {
    embedding.floats[i] = static_cast<float>(rows.data[i] - 128) * scales[i / group.dim];
  }
  return embedding;
}

Layer layer_of(const Tensors& tensors, const std::string& name) {
  const std::vector<float> weights = tensor(tensors, name + ".weight").floats();
  const std::vector<float> bias = tensor(tensors, name + ".bias").floats();
  return Layer(weights.size() / bias.size(), bias.size(), weights.data(), bias.data());
}

Network network_of(const Config& config, const Tensors& tensors) {
  Network network;
  for (const GroupConfig& group : config.groups) network.embeddings.push_back(embedding_of(group, tensors));
  network.hidden = layer_of(tensors, "hidden");
  network.output = layer_of(tensors, "output");
  network.shared_space = config.shared_space;
  return network;
}

BloomMap bloom_map_of(const Config& config, const Tensors& tensors) {
  if (!config.bloom) return {};
  const BloomConfig& bloom = *config.bloom;
  const Tensor& lengths = tensor(tensors, "bloom.lengths");
  return BloomMap({lengths.data, lengths.data + lengths.bytes()}, bloom.slots, bloom.error_bits,
                  {bloom.fold_case, bloom.fold_digits}, tensor(tensors, "bloom.bits").data);
}

Tagger tagger_of(const Config& config, const Tensors& tensors) {
  return Tagger(word_groups(config, tensors), network_of(config, tensors));
}

Multiword multiword_of(const Config& config, const Tensors& tensors) {
  if (!config.multiword) return {};
  const Tensor& rules = tensor(tensors, "multiword.rules");
  try {
    return Multiword({reinterpret_cast<const char*>(rules.data), rules.bytes()}, config.standards);
  } catch (const std::invalid_argument& error) {
    throw Error(error.what());
  }
}

void check_task(const Model& model, Task task, const char* purpose) {
  if (model.config.task == task) return;
  throw Error(std::string("this is a model for ") + name_of(model.config.task) + ", not for " + purpose);
}

// The macrolanguages that several of the labels are, of which `usual` has the numbers.
std::vector<LanguageIdentifier::Fold> folds_of(const Config& config, const std::vector<std::uint32_t>& usual) {
  std::vector<LanguageIdentifier::Fold> folds;
  for (const Macrolanguage& macrolanguage : kMacrolanguages) {
    std::vector<std::uint32_t> found;
    for (const std::string_view member : macrolanguage.members) {
      for (const std::uint32_t number : usual) {
        if (config.labels[number] == member) found.push_back(number);
      }
    }
    if (found.size() > 1) folds.push_back({macrolanguage.name, found[0], {found.begin() + 1, found.end()}});
  }
  return folds;
}

LanguageIdentifier::Offer offer_of(const Config& config) {
  const auto among = [](const std::vector<std::string>& some, const std::string& label) {
    return std::find(some.begin(), some.end(), label) != some.end();
  };
  LanguageIdentifier::Offer offer;
  for (std::uint32_t number = 0; number < config.labels.size(); ++number) {
    const bool background = among(config.background, config.labels[number]);
    (background ? offer.background : offer.languages).push_back(number);
    if (!background && !among(config.rare, config.labels[number])) offer.usual.push_back(number);
  }
  offer.folds = folds_of(config, offer.usual);
  return offer;
}

}  // namespace

std::vector<Group> groups_of(const Config& config) {
  std::vector<Group> groups;
  for (const GroupConfig& group : config.groups) groups.push_back(group.group());
  return groups;
}

Folding folding_of(const Config& config) {
  return Folding(config.text.fold_case, config.text.drop_markup, config.text.drop_urls, config.text.blocks);
}

WordGroups word_groups(const Config& config, const Tensors& tensors) {
  return {groups_of(config), config.text.fold_case, bloom_map_of(config, tensors)};
}

UnitGroups unit_groups(const Config& config, const Tensors& tensors) {
  UnitGroups units{groups_of(config), {}, {}, config.text.runs, config.text.spaces, config.labels.size()};
  for (const GroupConfig& group : config.groups) {
    NgramTable ngrams;
    if (group.kind == Group::Kind::vocabulary) {
      const Tensor& keys = tensor(tensors, group.name + ".keys");
      try {
        ngrams = NgramTable(keys.data, keys.bytes());
      } catch (const std::invalid_argument& error) {
        throw Error(error.what());
      }
    }
    units.vocabularies.push_back(std::move(ngrams));
  }
  if (config.lexicon) {
    const Tensor& words = tensor(tensors, "lexicon.bits");
    units.lexicon = Lexicon(words.data, words.bytes(), config.lexicon->longest);
  }
  units.variants = variants_of(config, tensors);
  return units;
}

LanguageIdentifier build_langid(const Model& model) {
  check_task(model, Task::langid, "language identification");
  const std::vector<float> calibration = tensor(model.tensors, "calibration").floats();
  return LanguageIdentifier(groups_of(model.config), folding_of(model.config), network_of(model.config, model.tensors),
                            {calibration[0], calibration[1]}, offer_of(model.config));
}

Tagger build_tagger(const Model& model) {
  check_task(model, Task::pos, "tagging");
  return tagger_of(model.config, model.tensors);
}

Segmenter build_segmenter(const Model& model) {
  check_task(model, Task::seg, "segmentation");
  return Segmenter(unit_groups(model.config, model.tensors), network_of(model.config, model.tensors),
                   multiword_of(model.config, model.tensors));
}

Preorderer build_preorderer(const Model& model) {
  check_task(model, Task::preorder, "preordering");
  std::optional<Tagger> tagger;
  if (const Config* config = model.config.network("tagger")) {
    tagger = tagger_of(*config, tensors_of("tagger", model.tensors));
  }
  return Preorderer(word_groups(model.config, model.tensors), network_of(model.config, model.tensors),
                    std::move(tagger));
}

}  // namespace budgie::model
