// SPDX-License-Identifier: Apache-2.0
// From JSON to a Config: names and types here, what makes sense together in config_checks.cpp.
#include "model/config.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "model/config_checks.hpp"
#include "model/error.hpp"
#include "tasks/preordering.hpp"

namespace budgie::model {

namespace {

// A value for a message.
std::string shown(const Json& value) {
  switch (value.kind) {
    case Json::Kind::null:
      return "null";
    case Json::Kind::boolean:
      return value.boolean ? "true" : "false";
    case Json::Kind::array:
      return "[...]";
    case Json::Kind::object:
      return "{...}";
    default:
      return value.text;
  }
}

void check_type(const std::string& where, Json::Kind wanted, const Json& value) {
  if (value.is(wanted)) return;
  throw Error(where + " must be of type " + name_of(wanted) + ", not " + name_of(value.kind));
}

void read(const Json& value, const std::string& where, bool& out) {
  check_type(where, Json::Kind::boolean, value);
  out = value.boolean;
}

void read(const Json& value, const std::string& where, std::int64_t& out) {
  check_type(where, Json::Kind::integer, value);
  out = value.integer;
}

void read(const Json& value, const std::string& where, std::string& out) {
  check_type(where, Json::Kind::string, value);
  out = value.text;
}

template <class Item>
void read(const Json& value, const std::string& where, std::vector<Item>& out) {
  if (!value.is(Json::Kind::array)) throw Error(where + " must be a list");
  out.clear();
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    read(value.items[i], where + "[" + std::to_string(i) + "]", out.emplace_back());
  }
}

// One of several words or numbers; gives its place among them.
template <class Choices>
std::size_t choose(const Json& value, const std::string& where, Json::Kind kind, const Choices& choices) {
  const auto found = std::find(std::begin(choices), std::end(choices), value.text);
  if (value.is(kind) && found != std::end(choices)) return static_cast<std::size_t>(found - std::begin(choices));
  std::string known;
  for (const char* choice : choices) known += (known.empty() ? "" : ", ") + std::string(choice);
  throw Error(where + " must be one of " + known + ", not " + quoted(shown(value)));
}

// A JSON object whose names are known: none is unknown, and those without a default are there.
class Table {
 public:
  Table(const Json& json, std::string where, std::vector<const char*> required, std::vector<const char*> optional)
      : json_(json), where_(std::move(where)) {
    if (!json.is(Json::Kind::object)) throw Error(where_ + " must be a table of names and values");
    const auto known = [&](const std::string& name) {
      return std::find(required.begin(), required.end(), name) != required.end() ||
             std::find(optional.begin(), optional.end(), name) != optional.end();
    };
    const std::string* unknown = nullptr;
    for (const std::string& name : json.names) {
      if (!known(name) && (unknown == nullptr || name < *unknown)) unknown = &name;
    }
    if (unknown != nullptr) throw Error(where_ + " has an unknown name: " + quoted(*unknown));
    for (const char* name : required) {
      if (json.find(name) == nullptr) throw Error(where_ + " lacks " + name);
    }
  }

  std::string where(const char* name) const { return where_ + "." + name; }

  // The value of a name that is there and not null.
  const Json* find(const char* name) const {
    const Json* value = json_.find(name);
    return value == nullptr || value->is(Json::Kind::null) ? nullptr : value;
  }

  // What is not there keeps its value. A null is of the wrong type, and says so.
  template <class Value>
  void get(const char* name, Value& out) const {
    if (const Json* value = json_.find(name)) read(*value, where(name), out);
  }

  // A whole number in its range; the message begins with `what`.
  template <class Number>
  void get(const char* name, const std::string& what, std::int64_t low, std::int64_t high, Number& out) const {
    std::int64_t number = out;
    get(name, number);
    check_range(what, number, low, high);
    out = static_cast<Number>(number);
  }

  template <class Choices>
  std::size_t choose_from(const char* name, Json::Kind kind, const Choices& choices, std::size_t otherwise) const {
    const Json* value = json_.find(name);
    return value == nullptr ? otherwise : choose(*value, where(name), kind, choices);
  }

 private:
  const Json& json_;
  std::string where_;
};

TextConfig read_text(const Json& json, const std::string& where) {
  const Table table(json, where, {}, {"fold_case", "drop_markup", "drop_urls", "blocks", "units", "spaces"});
  TextConfig text;
  table.get("fold_case", text.fold_case);
  table.get("drop_markup", text.drop_markup);
  table.get("drop_urls", text.drop_urls);
  std::vector<std::int64_t> blocks;
  table.get("blocks", blocks);
  for (const std::int64_t block : blocks) {
    check_range("block of text", block, 0, Folding::kBlocks - 1);
    text.blocks.push_back(static_cast<std::uint32_t>(block));
  }
  text.runs = table.choose_from("units", Json::Kind::string, std::array{"characters", "runs"}, 1) == 1;
  text.spaces = static_cast<Spaces>(table.choose_from("spaces", Json::Kind::string, kSpacesNames, 0));
  return text;
}

BloomConfig read_bloom(const Json& json, const std::string& where) {
  const Table table(json, where, {"words", "slots"}, {"error_bits", "fold_case", "fold_digits"});
  BloomConfig bloom;
  table.get("words", "bloom.words", 1, kMaxExtent, bloom.words);
  table.get("error_bits", "bloom.error_bits", 0, kMaxErrorBits, bloom.error_bits);
  table.get("fold_case", bloom.fold_case);
  table.get("fold_digits", bloom.fold_digits);
  std::vector<std::int64_t> slots;
  table.get("slots", slots);
  check_layers(slots);
  bloom.slots.assign(slots.begin(), slots.end());
  return bloom;
}

LexiconConfig read_lexicon(const Json& json, const std::string& where) {
  const Table table(json, where, {"words", "longest", "size"}, {});
  LexiconConfig lexicon;
  table.get("words", "lexicon.words", 0, kMaxExtent, lexicon.words);
  table.get("longest", "lexicon.longest", Lexicon::kShortest, Lexicon::kLongest, lexicon.longest);
  table.get("size", "lexicon.size", 8, kMaxExtent, lexicon.size);
  if (lexicon.size % 8 != 0) throw Error("lexicon.size must be a multiple of 8, not " + std::to_string(lexicon.size));
  return lexicon;
}

MultiwordConfig read_multiword(const Json& json, const std::string& where) {
  const Table table(json, where, {"rules", "size"}, {});
  MultiwordConfig multiword;
  table.get("rules", "multiword.rules", 0, kMaxExtent, multiword.rules);
  table.get("size", "multiword.size", 1, kMaxExtent, multiword.size);
  return multiword;
}

Config read_network(const Json& json, const std::string& where);

// The networks inside, by name. `tagger` was a field of its own before there were names.
std::vector<std::pair<std::string, Config>> read_networks(const Table& table) {
  std::vector<std::pair<std::string, Config>> networks;
  if (const Json* inside = table.find("networks")) {
    if (!inside->is(Json::Kind::object)) throw Error(table.where("networks") + " must be a table of names and values");
    for (std::size_t i = 0; i < inside->names.size(); ++i) {
      const std::string& name = inside->names[i];
      check_name("network", name);
      networks.emplace_back(name, read_network(inside->items[i], table.where("networks") + "." + name));
    }
  }
  if (const Json* tagger = table.find("tagger")) {
    if (!networks.empty()) throw Error("config names its tagger twice, as tagger and among networks");
    networks.emplace_back("tagger", read_network(*tagger, table.where("tagger")));
  }
  return networks;
}

Config read_network(const Json& json, const std::string& where) {
  const Table table(json, where, {"task", "groups", "hidden", "labels"},
                    {"shared_space", "rare", "background", "text", "layer_bits", "bloom", "standards", "lexicon",
                     "multiword", "variants", "networks", "tagger"});
  Config config;
  config.task = static_cast<Task>(table.choose_from("task", Json::Kind::string, kTaskNames, 0));
  const Json& groups = *json.find("groups");
  if (!groups.is(Json::Kind::array)) throw Error(table.where("groups") + " must be a list");
  for (std::size_t i = 0; i < groups.items.size(); ++i) {
    config.groups.push_back(read_group(groups.items[i], table.where("groups") + "[" + std::to_string(i) + "]"));
  }
  table.get("shared_space", config.shared_space);
  table.get("hidden", "hidden", 1, kMaxExtent, config.hidden);
  table.get("labels", config.labels);
  table.get("rare", config.rare);
  table.get("background", config.background);
  if (json.find("text") != nullptr) config.text = read_text(*json.find("text"), table.where("text"));
  config.layer_bits = table.choose_from("layer_bits", Json::Kind::integer, std::array{"16", "32"}, 1) == 0 ? 16 : 32;
  if (const Json* bloom = table.find("bloom")) config.bloom = read_bloom(*bloom, table.where("bloom"));
  table.get("standards", config.standards);
  if (const Json* lexicon = table.find("lexicon")) {
    config.lexicon = read_lexicon(*lexicon, table.where("lexicon"));
  }
  if (const Json* multiword = table.find("multiword")) {
    config.multiword = read_multiword(*multiword, table.where("multiword"));
  }
  table.get("variants", "variants", 0, Variants::kMost, config.variants);
  config.networks = read_networks(table);
  check(config);
  return config;
}

}  // namespace

Group GroupConfig::group() const {
  std::vector<std::uint32_t> numbers;
  for (const std::string& place : places) numbers.push_back(number_of_place(place));
  return {kind, n, buckets, across, ends, positions, starts, std::move(numbers), by_standard};
}

std::size_t Config::h0() const {
  if (shared_space) return groups.front().dim;
  std::size_t sum = 0;
  for (const GroupConfig& group : groups) sum += group.slots() * group.dim;
  return sum;
}

std::size_t Config::classes() const {
  for (const GroupConfig& group : groups) {
    if (group.kind == Group::Kind::clusters) return group.buckets;
  }
  return 0;
}

const Config* Config::network(std::string_view name) const {
  for (const auto& [one, config] : networks) {
    if (one == name) return &config;
  }
  return nullptr;
}

GroupConfig read_group(const Json& json, const std::string& where) {
  const Table table(
      json, where, {"name", "kind", "buckets", "dim"},
      {"n", "positions", "starts", "places", "keys", "combine", "across", "ends", "by_standard", "bits", "scale"});
  GroupConfig group;
  table.get("name", group.name);
  check_name("group", group.name);
  const std::string of_group = "group " + group.name + ":";
  group.kind = static_cast<Group::Kind>(table.choose_from("kind", Json::Kind::string, Group::kKindNames, 0));
  table.get("buckets", of_group + " buckets", 1, kMaxExtent, group.buckets);
  table.get("dim", of_group + " dim", 1, kMaxExtent, group.dim);
  const auto [shortest, longest] = range_of_n(group.kind);
  table.get("n", of_group + " n of kind " + name_of(group.kind), shortest, longest, group.n);
  const std::int64_t most_keys = group.kind == Group::Kind::vocabulary ? kMaxExtent : 0;
  table.get("keys", of_group + " keys", 0, most_keys, group.keys);
  for (const auto& [name, positions] : {std::pair{"positions", &group.positions}, {"starts", &group.starts}}) {
    if (json.find(name) == nullptr) continue;
    std::vector<std::int64_t> numbers;
    table.get(name, numbers);
    for (const std::int64_t number : numbers) check_position(of_group, number);
    positions->assign(numbers.begin(), numbers.end());
  }
  table.get("places", group.places);
  group.mean = table.choose_from("combine", Json::Kind::string, std::array{"mean", "sum"}, 0) == 0;
  table.get("across", group.across);
  table.get("ends", group.ends);
  table.get("by_standard", group.by_standard);
  constexpr std::uint32_t kBits[] = {2, 4, 8, 32};
  group.bits = kBits[table.choose_from("bits", Json::Kind::integer, std::array{"2", "4", "8", "32"}, 2)];
  group.scale_of_table = table.choose_from("scale", Json::Kind::string, std::array{"row", "table"}, 0) == 1;
  check(group);
  return group;
}

Config read_config(const Json& json) { return read_network(json, "config"); }

// ---- and back ----------------------------------------------------------------------------------------------------

namespace {

std::string written(bool value) { return value ? "true" : "false"; }
template <class Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
std::string written(Number value) {
  return std::to_string(value);
}
std::string written(const char* value) { return json_string(value); }
std::string written(const std::string& value) { return json_string(value); }

template <class Items, class Write>
std::string list(const Items& items, Write&& write) {
  std::string result = "[";
  for (const auto& item : items) result += (result.size() > 1 ? "," : "") + write(item);
  return result + "]";
}

template <class Item>
std::string written(const std::vector<Item>& items) {
  return list(items, [](const Item& item) { return written(item); });
}

// Names and values by turns; values are JSON already.
std::string object(std::initializer_list<std::pair<const char*, std::string>> fields) {
  std::string result = "{";
  for (const auto& [name, value] : fields) {
    result += std::string(result.size() > 1 ? "," : "") + "\"" + name + "\":" + value;
  }
  return result + "}";
}

std::string written(const GroupConfig& group) {
  return object({{"name", written(group.name)},
                 {"kind", written(name_of(group.kind))},
                 {"buckets", written(group.buckets)},
                 {"dim", written(group.dim)},
                 {"n", written(group.n)},
                 {"positions", written(group.positions)},
                 {"starts", written(group.starts)},
                 {"places", written(group.places)},
                 {"keys", written(group.keys)},
                 {"combine", written(group.mean ? "mean" : "sum")},
                 {"across", written(group.across)},
                 {"ends", written(group.ends)},
                 {"by_standard", written(group.by_standard)},
                 {"bits", written(group.bits)},
                 {"scale", written(group.scale_of_table ? "table" : "row")}});
}

std::string written(const TextConfig& text) {
  return object({{"fold_case", written(text.fold_case)},
                 {"drop_markup", written(text.drop_markup)},
                 {"drop_urls", written(text.drop_urls)},
                 {"blocks", written(text.blocks)},
                 {"units", written(text.runs ? "runs" : "characters")},
                 {"spaces", written(kSpacesNames[static_cast<std::size_t>(text.spaces)])}});
}

std::string written(const BloomConfig& bloom) {
  return object({{"words", written(bloom.words)},
                 {"slots", written(bloom.slots)},
                 {"error_bits", written(bloom.error_bits)},
                 {"fold_case", written(bloom.fold_case)},
                 {"fold_digits", written(bloom.fold_digits)}});
}

std::string written(const LexiconConfig& lexicon) {
  return object(
      {{"words", written(lexicon.words)}, {"longest", written(lexicon.longest)}, {"size", written(lexicon.size)}});
}

std::string written(const MultiwordConfig& multiword) {
  return object({{"rules", written(multiword.rules)}, {"size", written(multiword.size)}});
}

template <class Part>
std::string written_or_null(const std::optional<Part>& part) {
  return part ? written(*part) : "null";
}

}  // namespace

std::string to_json(const Config& config) {
  std::string networks = "{";
  for (const auto& [name, inside] : config.networks) {
    networks += (networks.size() > 1 ? "," : "") + json_string(name) + ":" + to_json(inside);
  }
  return object({{"task", written(name_of(config.task))},
                 {"groups", list(config.groups, [](const GroupConfig& group) { return written(group); })},
                 {"shared_space", written(config.shared_space)},
                 {"hidden", written(config.hidden)},
                 {"labels", written(config.labels)},
                 {"rare", written(config.rare)},
                 {"background", written(config.background)},
                 {"text", written(config.text)},
                 {"layer_bits", written(config.layer_bits)},
                 {"bloom", written_or_null(config.bloom)},
                 {"standards", written(config.standards)},
                 {"lexicon", written_or_null(config.lexicon)},
                 {"multiword", written_or_null(config.multiword)},
                 {"variants", written(config.variants)},
                 {"networks", networks + "}"}});
}

}  // namespace budgie::model
