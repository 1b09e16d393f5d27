// SPDX-License-Identifier: Apache-2.0
// What a network looks like: its feature groups, layers and labels. A model file has it as JSON, and the same
// description drives training and inference. A Config that exists is sound: all of it has been checked.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/group.hpp"
#include "features/units.hpp"
#include "model/json.hpp"

namespace budgie::model {

enum class Task : std::uint8_t { langid, pos, seg, preorder };
constexpr std::array kTaskNames = {"langid", "pos", "seg", "preorder"};  // as they stand in files
static_assert(kTaskNames.size() == static_cast<std::size_t>(Task::preorder) + 1, "a name for each");
inline const char* name_of(Task task) { return kTaskNames[static_cast<std::size_t>(task)]; }

constexpr std::int64_t kMaxExtent = 1 << 24;  // of any axis of any tensor, and of any count without a tighter limit
constexpr std::int64_t kMaxErrorBits = 32;    // of a Bloom map

struct GroupConfig {
  std::string name{};
  Group::Kind kind = Group::Kind::ngrams;
  std::uint32_t buckets = 1;  // V_g of the paper: rows of the matrix
  std::uint32_t dim = 1;      // D_g of the paper
  std::uint32_t n = 0;
  std::vector<int> positions{0};
  std::vector<int> starts{};
  std::vector<std::string> places{};
  std::uint32_t keys = 0;  // of kind vocabulary: bytes of the stored n-grams
  bool mean = true;        // or the sum: how several ids of one position become one vector
  bool across = true;
  bool ends = true;
  std::uint32_t bits = 8;  // of a weight: 2, 4, 8 for integers with float16 scales, 32 for floats
  bool by_standard = false;
  bool scale_of_table = false;  // one scale for the whole matrix, or one for each row (the paper)

  // As feature extraction has it.
  Group group() const;
  // How many vectors of `dim` this group adds to h0.
  std::size_t slots() const { return group().slots(); }
};

// How raw text becomes the characters, or the units, that features see.
struct TextConfig {
  bool fold_case = true;
  bool drop_markup = false;
  bool drop_urls = true;
  std::vector<std::uint32_t> blocks{};
  bool runs = true;                                   // segmentation: are units runs of characters, or characters
  features::Spaces spaces = features::Spaces::units;  // segmentation: what white space is
};

struct BloomConfig {
  std::uint32_t words = 1;
  std::vector<std::uint32_t> slots{};
  std::uint32_t error_bits = 0;
  bool fold_case = false;
  bool fold_digits = false;
};

struct LexiconConfig {
  std::uint32_t words = 0;
  std::uint32_t longest = 2;
  std::uint32_t size = 8;
};

// Rules that split tokens into words (tasks/multiword.hpp).
struct MultiwordConfig {
  std::uint32_t rules = 0;
  std::uint32_t size = 1;
};

struct Config {
  Task task = Task::langid;
  std::vector<GroupConfig> groups{};
  bool shared_space = false;  // the vectors of all groups are added up in h0, instead of standing side by side
  std::uint32_t hidden = 1;   // M of the paper
  std::vector<std::string> labels{};
  // Of an identifier: labels that are not chosen from unless somebody asks for them, and those of text in no language.
  std::vector<std::string> rare{};
  std::vector<std::string> background{};
  TextConfig text{};
  std::uint32_t layer_bits = 32;
  std::optional<BloomConfig> bloom{};
  std::vector<std::string> standards{};
  std::optional<LexiconConfig> lexicon{};
  std::optional<MultiwordConfig> multiword{};
  std::uint32_t variants = 0;  // of a segmenter: characters that count as others (features/variants.hpp)
  std::vector<std::pair<std::string, Config>> networks{};  // inside of this one, by name: a preorderer's tagger

  // Width of the embedding layer.
  std::size_t h0() const;
  // How many clusters words may belong to.
  std::size_t classes() const;
  const Config* network(std::string_view name) const;
};

// The config that JSON describes; throws Error with the place and the reason.
Config read_config(const Json& json);
GroupConfig read_group(const Json& json, const std::string& where);

// All of a config as JSON, every default written out.
std::string to_json(const Config& config);

}  // namespace budgie::model
