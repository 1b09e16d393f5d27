// SPDX-License-Identifier: Apache-2.0
#include "model/config_checks.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>

#include "features/bloom.hpp"
#include "features/unit_window.hpp"
#include "model/error.hpp"
#include "network/layer.hpp"
#include "tasks/preordering.hpp"
#include "tasks/segmenter.hpp"
#include "text/text.hpp"

namespace budgie::model {

namespace {

using Kind = Group::Kind;

constexpr std::int64_t kMaxLabels = 65'535;
constexpr std::int64_t kFarthestPosition = 64;
constexpr std::int64_t kMaxBloomLayers = 16;
constexpr std::int64_t kMaxWeights = 1 << 24;     // of a layer, as the core has them: padded
constexpr std::int64_t kMaxH0 = 1 << 16;          // between two looks at a Stop some thousand rows are added to it
constexpr std::int64_t kMaxH0OfText = 1 << 12;    // of which langid keeps one for each of some thousand chunks
constexpr std::int64_t kMaxRemembered = 1 << 16;  // hidden units times words: what is kept of each word that comes
constexpr std::int64_t kMaxPreordered = 1 << 15;  // the same, of each word of a long sentence, and once more for sums
constexpr std::int64_t kMaxMultiplied = 1 << 24;  // hidden units times rows: what is multiplied at load, or at hand
constexpr std::int64_t kMaxProducts = 1 << 30;    // and that times dimensions: the time it takes, a tenth of a second
constexpr std::int64_t kMaxVocabulary = 1 << 20;  // n-grams: a table of them takes up to 64 bytes for each
constexpr std::int64_t kMaxVocabularies = 1 << 21;

bool has_kind(Task task, Kind kind) {
  const auto among = [kind](std::initializer_list<Kind> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  switch (task) {
    case Task::langid:
      return among({Kind::ngrams, Kind::words});
    case Task::pos:
      return among({Kind::ngrams, Kind::words, Kind::bytes, Kind::shapes, Kind::clusters});
    case Task::seg:
      return among({Kind::ngrams, Kind::words, Kind::shapes, Kind::vocabulary, Kind::kinds, Kind::length,
                    Kind::standard, Kind::lexicon, Kind::sentence, Kind::endings, Kind::opening, Kind::line});
    case Task::preorder:
      return among({Kind::ngrams, Kind::words, Kind::bytes, Kind::shapes, Kind::clusters, Kind::tags, Kind::swapped,
                    Kind::length});
  }
  return false;
}

template <class Words>
std::string joined(const Words& words, const char* between) {
  std::string result;
  for (const auto& word : words) result.append(result.empty() ? "" : between).append(word);
  return result;
}

template <class Items>
bool all_different(const Items& items) {
  return std::set<typename Items::value_type>(items.begin(), items.end()).size() == items.size();
}

bool any_of_kind(const Config& config, Kind kind) {
  return std::any_of(config.groups.begin(), config.groups.end(), [&](const GroupConfig& g) { return g.kind == kind; });
}

// What is multiplied at load: rows of embedding matrices times a part of the hidden layer each.
class Products {
 public:
  void add(const GroupConfig& group, std::int64_t times) {
    rows_ += times * group.buckets;
    products_ += times * group.buckets * group.dim;
  }
  // Of at most 2^16 hidden units, and h0 is not wider: nothing overflows.
  void check(std::int64_t hidden) const {
    check_range("hidden units times " + std::to_string(rows_) + " rows", hidden * rows_, 0, kMaxMultiplied);
    check_range("hidden units times rows times dimensions", hidden * products_, 0, kMaxProducts);
  }

 private:
  std::int64_t rows_ = 0, products_ = 0;
};

// A label must survive UTF-8 and a line of TSV.
bool is_label(const std::string& label) {
  const auto* at = reinterpret_cast<const std::uint8_t*>(label.data());
  const auto* const end = at + label.size();
  while (at != end) {
    const char32_t c = Utf8::next(at, end);
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029) return false;
  }
  return !label.empty();
}

// Rare and background labels are some of the labels, each one of them once; others remain.
void check_unusual(const Config& config) {
  std::vector<std::string> unusual = config.rare;
  unusual.insert(unusual.end(), config.background.begin(), config.background.end());
  if (unusual.empty()) return;
  if (config.task != Task::langid) throw Error("only langid has rare and background labels");
  if (!all_different(unusual)) throw Error("a label is twice among the rare and background ones");
  for (const std::string& label : unusual) {
    if (std::find(config.labels.begin(), config.labels.end(), label) == config.labels.end()) {
      throw Error("rare or background label " + quoted(label) + " is not among the labels");
    }
  }
  if (unusual.size() >= config.labels.size()) throw Error("all labels are rare or background");
}

void check_names(const Config& config) {
  for (const std::string& label : config.labels) {
    if (!is_label(label)) {
      throw Error("label " + quoted(label) + " is empty, has control characters or is not valid Unicode");
    }
  }
  if (!all_different(config.labels)) throw Error("two labels have the same name");
  check_unusual(config);
  std::vector<std::string> groups;
  for (const GroupConfig& group : config.groups) groups.push_back(group.name);
  if (!all_different(groups)) throw Error("two groups have the same name");
}

void check_rows(const GroupConfig& group, std::int64_t rows) {
  if (group.buckets == rows) return;
  throw Error("group " + group.name + " must have " + std::to_string(rows) + " rows, as many as it has features");
}

void check_langid(const Config& config) {
  for (const GroupConfig& group : config.groups) {
    if (group.positions != std::vector<int>{0} || !group.starts.empty()) {
      throw Error("langid reads the text as a whole: its groups are ngrams or words at position 0");
    }
  }
}

void check_tagging(const Config& config) {
  int first = 0, last = 0;
  for (const GroupConfig& group : config.groups) {
    if (!group.starts.empty()) throw Error("only segmentation has a current word, and groups with starts");
    for (const int position : group.positions) first = std::min(first, position), last = std::max(last, position);
  }
  const std::int64_t window = last - first + 1;
  const auto width = static_cast<std::int64_t>(padded(config.hidden));
  check_range("hidden units times " + std::to_string(window) + " words of the window", width * window, 1,
              kMaxRemembered);
}

// SPLIT and MERGE, and SENTENCE where it finds sentences, too.
void check_actions(const Config& config) {
  const bool begins = config.labels.size() <= kActionNames.size() &&
                      std::equal(config.labels.begin(), config.labels.end(), kActionNames.begin());
  if (!begins || config.labels.size() < 2) {
    throw Error("the labels of a segmenter are SPLIT and MERGE, and SENTENCE where it finds sentences");
  }
  for (const Kind kind : {Kind::sentence, Kind::opening}) {
    if (config.labels.size() > 2 || !any_of_kind(config, kind)) continue;
    throw Error(std::string("a group of kind ") + name_of(kind) + " needs the label SENTENCE");
  }
}

void check_segmentation(const Config& config) {
  check_actions(config);
  for (const GroupConfig& group : config.groups) {
    const bool depends = Group::depends_on_words(group.kind);
    const bool anywhere = !depends && group.kind != Kind::standard;
    if (!anywhere) {
      // The current word and its length, or one feature of the whole text: not units at a distance.
      const int near = group.kind == Kind::words ? 1 : 0;
      const bool far = std::any_of(group.positions.begin(), group.positions.end(),
                                   [&](int position) { return position < -near || position > near; });
      if (far || !group.starts.empty()) {
        const char* among = near == 1 ? "[-1, 0, 1]" : "[0]";
        throw Error("group " + group.name + ": positions of kind " + name_of(group.kind) + " are among " + among);
      }
    }
    if (group.kind == Kind::shapes)
      check_range("group " + group.name + ": n of shapes of units", group.n, 1, kLongestNgram);
    if (group.by_standard &&
        ((group.kind != Kind::ngrams && group.kind != Kind::shapes && group.kind != Kind::endings) ||
         config.standards.empty())) {
      throw Error("group " + group.name +
                  ": only n-grams, shapes and endings of a model with standards are by standard");
    }
    if (group.kind == Kind::standard) check_rows(group, static_cast<std::int64_t>(config.standards.size()));
    if (group.kind == Kind::lexicon) {
      const std::int64_t longest = config.lexicon ? config.lexicon->longest : 0;
      check_rows(group, longest * longest * longest);
    }
    if (group.kind == Kind::vocabulary) {
      check_range("group " + group.name + ": rows of a vocabulary", group.buckets, 1, kMaxVocabulary);
    }
  }
  if (!all_different(config.standards) || !std::all_of(config.standards.begin(), config.standards.end(), is_label)) {
    throw Error("standards must have different names without control characters");
  }
  if (config.standards.empty() == any_of_kind(config, Kind::standard)) {
    throw Error("a standard and a group of kind standard need each other");
  }
  if (config.lexicon.has_value() != any_of_kind(config, Kind::lexicon)) {
    throw Error("a lexicon and a group of kind lexicon need each other");
  }
  // A small file must not ask for much memory or time.
  const auto width = static_cast<std::int64_t>(padded(config.hidden));
  constexpr std::int64_t kAtHand = 2 * UnitWindow::kRun;
  check_range("hidden units times " + std::to_string(kAtHand) + " rows", width * kAtHand, 1, kMaxMultiplied);
  Products products;
  std::int64_t vocabularies = 0;
  for (const GroupConfig& group : config.groups) {
    const bool few = Group::depends_on_words(group.kind) && group.buckets <= Segmenter::kFewBuckets;
    if (few || group.kind == Kind::standard) products.add(group, static_cast<std::int64_t>(group.positions.size()));
    if (group.kind == Kind::vocabulary) vocabularies += group.buckets;
  }
  products.check(width);
  check_range("rows of all vocabularies", vocabularies, 0, kMaxVocabularies);
}

void check_places(const GroupConfig& group) {
  const std::vector<std::string>& known = Group::is_of_span(group.kind) ? span_names() : place_names();
  const auto is_known = [&](const std::string& place) {
    return std::find(known.begin(), known.end(), place) != known.end();
  };
  if (group.places.empty() || !std::all_of(group.places.begin(), group.places.end(), is_known)) {
    throw Error("group " + group.name + ": places of kind " + name_of(group.kind) + " are among " + joined(known, " "));
  }
}

void check_preordering(const Config& config) {
  if (!std::equal(config.labels.begin(), config.labels.end(), kMoveNames.begin(), kMoveNames.end())) {
    throw Error("the labels of a preorderer are " + joined(kMoveNames, ", "));
  }
  const Config* tagger = config.network("tagger");
  if ((tagger != nullptr) != any_of_kind(config, Kind::tags)) {
    throw Error("a tagger and a group of kind tags need each other");
  }
  if (tagger != nullptr && tagger->task != Task::pos) {
    throw Error(std::string("the tagger inside is a model for ") + name_of(tagger->task));
  }
  std::set<std::pair<std::string, int>> words;
  std::set<std::string> corners;
  Products products;
  for (const GroupConfig& group : config.groups) {
    if (!group.starts.empty()) {
      throw Error("group " + group.name + ": only segmentation has a current word, and starts");
    }
    check_places(group);
    if (Group::is_of_span(group.kind) && group.positions != std::vector<int>{0}) {
      throw Error("group " + group.name + ": a span has no words around it, only position 0");
    }
    if (group.kind == Kind::tags) check_rows(group, static_cast<std::int64_t>(tagger->labels.size()));
    if (group.kind == Kind::swapped) check_rows(group, 2);
    const bool of_word = Group::is_of_word(group.kind);
    for (const std::string& place : group.places) {
      if (!Group::is_of_span(group.kind)) corners.insert(place);
      for (const int position : group.positions) {
        if (of_word) words.emplace(place, position);
      }
    }
    if (!of_word) products.add(group, static_cast<std::int64_t>(group.slots()));
  }
  const auto looked_at = static_cast<std::int64_t>(std::max({words.size(), corners.size(), std::size_t{1}}));
  const auto width = static_cast<std::int64_t>(padded(config.hidden));
  check_range("hidden units times " + std::to_string(looked_at) + " words looked at", width * looked_at, 1,
              kMaxPreordered);
  products.check(width);
}

void check_task(const Config& config) {
  switch (config.task) {
    case Task::langid:
      return check_langid(config);
    case Task::pos:
      return check_tagging(config);
    case Task::seg:
      return check_segmentation(config);
    default:
      return check_preordering(config);
  }
}

// Vectors that are added up have one width, and the sums of their products are no larger than side by side.
void check_shared_space(const Config& config) {
  if (!config.shared_space) return;
  if (config.task != Task::langid) throw Error("only langid has groups that share one space");
  const auto groups = static_cast<std::int64_t>(config.groups.size());
  check_range("dimensions of all groups that share one space", groups * config.groups.front().dim, 1, kMaxH0OfText);
  for (const GroupConfig& group : config.groups) {
    if (group.dim == config.groups.front().dim) continue;
    throw Error("group " + group.name + ": groups that share one space must have as many dimensions each");
  }
}

// Layers are padded when they are loaded: a small file must not ask for much memory by their shape.
void check_layers_of(const Config& config) {
  const auto weights = [](std::size_t inputs, std::size_t outputs) {
    return static_cast<std::int64_t>(padded(inputs) * padded(outputs));
  };
  check_range("weights of the hidden layer, rounded up,", weights(config.h0(), config.hidden), 1, kMaxWeights);
  check_range("weights of the output layer, rounded up,", weights(config.hidden, config.labels.size()), 1, kMaxWeights);
}

}  // namespace

void check_name(const char* what, const std::string& name) {
  // No dot: "name.rows" must not be readable in two ways.
  const bool good = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (name.empty() || name.size() > 64 || !good) {
    throw Error(std::string(what) + " name " + quoted(name) + " is not 1 to 64 of the characters A-Z a-z 0-9 _ -");
  }
}

void check_position(const std::string& of_group, std::int64_t position) {
  check_range(of_group + " position", position, -kFarthestPosition, kFarthestPosition);
}

void check_layers(const std::vector<std::int64_t>& slots) {
  check_range("number of layers of the Bloom map", static_cast<std::int64_t>(slots.size()), 1, kMaxBloomLayers);
  for (const std::int64_t count : slots) {
    check_range("slots of a layer of the Bloom map", count, BloomMap::kWidth, 8 * kMaxExtent);
  }
  const std::vector<std::uint32_t> sized(slots.begin(), slots.end());
  check_range("size of the Bloom map", static_cast<std::int64_t>(BloomMap::size(sized)), 1, kMaxExtent);
}

std::pair<std::int64_t, std::int64_t> range_of_n(Kind kind) {
  if (kind == Kind::vocabulary) return {1, 2};
  if (kind == Kind::endings) return {1, Spelling::kEnding};
  if (kind == Kind::shapes) return {0, kLongestNgram};  // of a word there is one, of units there are n-grams
  const bool counted = kind == Kind::ngrams || kind == Kind::bytes || kind == Kind::kinds;
  return counted ? std::pair<std::int64_t, std::int64_t>{1, kLongestNgram}
                 : std::pair<std::int64_t, std::int64_t>{0, 0};
}

void check(const GroupConfig& group) {
  const std::string where = "group " + group.name + ":";
  if (group.kind == Kind::bytes && group.buckets != 256) {
    throw Error(where + " a matrix of bytes has 256 buckets, not " + std::to_string(group.buckets));
  }
  if (group.bits < 8 && (!group.scale_of_table || std::uint64_t{group.dim} * group.bits % 8 != 0)) {
    throw Error(where + " rows of " + std::to_string(group.bits) + " bits have one scale a table and fill whole bytes");
  }
  if (group.slots() == 0 || !all_different(group.positions) || !all_different(group.starts)) {
    throw Error(where + " positions must be one or more different numbers");
  }
  if (!all_different(group.places)) throw Error(where + " places must be different");
}

void check(const Config& config) {
  check_range("number of labels", static_cast<std::int64_t>(config.labels.size()), 1, kMaxLabels);
  check_range("number of groups", static_cast<std::int64_t>(config.groups.size()), 1, kMaxExtent);
  check_shared_space(config);
  check_range("width of h0", static_cast<std::int64_t>(config.h0()), 1,
              config.task == Task::langid ? kMaxH0OfText : kMaxH0);
  check_names(config);
  const std::string task = name_of(config.task);
  for (const GroupConfig& group : config.groups) {
    if (has_kind(config.task, group.kind)) continue;
    throw Error("group " + group.name + ": " + task + " has no groups of kind " + name_of(group.kind));
  }
  const char* of_segmenters = !config.standards.empty() ? "standards"
                              : config.lexicon          ? "a lexicon"
                              : config.multiword        ? "rules of multiword tokens"
                              : config.variants > 0     ? "variants"
                                                        : nullptr;
  if (config.task != Task::seg && of_segmenters) throw Error(std::string("only a segmenter has ") + of_segmenters);
  for (const auto& [name, inside] : config.networks) {
    if (config.task == Task::preorder && name == "tagger") continue;
    throw Error(name == "tagger" ? "only a preorderer has a tagger inside"
                                 : task + " has no network " + quoted(name) + " inside");
  }
  if (config.task != Task::preorder && std::any_of(config.groups.begin(), config.groups.end(),
                                                   [](const auto& group) { return !group.places.empty(); })) {
    throw Error("only a preorderer has places");
  }
  for (const GroupConfig& group : config.groups) {
    if (config.task == Task::seg) break;
    if (group.kind == Kind::shapes) check_range("group " + group.name + ": n of kind shapes", group.n, 0, 0);
    if (group.by_standard) throw Error("only a segmenter has groups by standard");
  }
  check_task(config);
  std::vector<const GroupConfig*> clusters;
  for (const GroupConfig& group : config.groups) {
    if (group.kind == Kind::clusters) clusters.push_back(&group);
  }
  if (config.bloom.has_value() == clusters.empty()) {
    throw Error("a Bloom map and a group of kind clusters need each other");
  }
  for (const GroupConfig* group : clusters) {
    if (group->buckets == clusters[0]->buckets) continue;
    throw Error("groups of kind clusters have the same number of buckets: all look into one Bloom map");
  }
  check_layers_of(config);
}

}  // namespace budgie::model
