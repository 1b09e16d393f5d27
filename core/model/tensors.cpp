// SPDX-License-Identifier: Apache-2.0
#include "model/tensors.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "features/bloom.hpp"
#include "model/error.hpp"

namespace budgie::model {

namespace {

constexpr std::array<const char*, 3> kDtypes = {"U8", "F16", "F32"};
constexpr double kLeastTemperature = 1.0 / 1024, kGreatestTemperature = 1024;

// A float16.
float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  std::uint32_t exponent = half >> 10 & 0x1F, fraction = half & 0x3FF;
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) / 16777216.0f;  // 2^-24: subnormal
    return sign != 0 ? -value : value;
  }
  const std::uint32_t bits = sign | (exponent == 31 ? 0xFF : exponent + 112) << 23 | fraction << 13;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::string shown(const Tensor& tensor) {
  std::string result = std::string(name_of(tensor.dtype)) + " [";
  for (const std::uint32_t extent : tensor.shape) {
    result += (result.back() == '[' ? "" : ", ") + std::to_string(extent);
  }
  return result + "]";
}

// The form of a tensor without its data.
Tensor form(Dtype dtype, std::vector<std::size_t> shape) { return {dtype, {shape.begin(), shape.end()}}; }

bool ends_with(const std::string& name, std::string_view end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

// Whether features need it, besides the weights; those of a network inside have two dots in their names.
bool is_resource(const std::string& name) {
  return name == "lexicon.bits" || name == "variants" || name == "bloom.lengths" || name == "bloom.bits" ||
         (ends_with(name, ".keys") && name.find('.') == name.rfind('.'));
}

const Tensor& find(const std::string& name, const Tensor& expected, const Tensors& tensors) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw Error("tensor " + quoted(name) + " is missing");
  if (found->second.dtype != expected.dtype || found->second.shape != expected.shape) {
    throw Error("tensor " + quoted(name) + " is " + shown(found->second) + ", the config asks for " + shown(expected));
  }
  return found->second;
}

// The last byte of a little-endian float holds its sign and its upper exponent bits: it alone tells NaN, infinity and
// huge numbers from the rest.
void check_numbers(const std::string& name, const Tensor& tensor) {
  if (tensor.dtype == Dtype::u8) return;  // any byte is a number
  const bool scales = ends_with(name, ".scales");
  const bool wide = tensor.dtype == Dtype::f32;
  // Float32 below 2^17, so that no sum of products overflows; float16 finite; scales also not negative.
  const std::uint8_t mask = wide ? 0x7F : scales ? 0xFF : 0x7C;
  const std::uint8_t limit = wide ? 0x48 : 0x7C;
  const std::size_t width = width_of(tensor.dtype), count = tensor.bytes() / width;
  for (std::size_t i = 0; i < count; ++i) {
    if ((tensor.data[i * width + width - 1] & mask) < limit) continue;
    const char* wanted = scales ? "a finite number of zero or more"
                         : wide ? "a finite number below 131072 in magnitude"
                                : "a finite number";
    throw Error("number " + std::to_string(i) + " of tensor " + quoted(name) + " is not " + wanted);
  }
}

void check_calibration(const Tensor& tensor) {
  const std::vector<float> numbers = tensor.floats();
  const double a = static_cast<double>(numbers[0]), b = static_cast<double>(numbers[1]);
  // The temperature a + b / sqrt(letters) lies between its values for one letter and for endless text.
  for (const double temperature : {a, a + b}) {
    if (temperature >= kLeastTemperature && temperature <= kGreatestTemperature) continue;
    char message[160];
    std::snprintf(message, sizeof message, "the calibration %.6g + %.6g / sqrt(letters) leaves the range %.10g to %.1f",
                  a, b, kLeastTemperature, kGreatestTemperature);
    throw Error(message);
  }
}

// Refuses what no prefix code can have.
void check_codes(const Tensor& lengths) {
  const std::uint8_t* const end = lengths.data + lengths.bytes();
  const std::uint8_t longest = *std::max_element(lengths.data, end);
  if (longest < 1 || longest > BloomMap::kLongestCode) {
    throw Error("the longest code of a cluster has " + std::to_string(longest) + " bits, not 1 to " +
                std::to_string(BloomMap::kLongestCode));
  }
  std::uint64_t taken = 0;
  for (const std::uint8_t* length = lengths.data; length != end; ++length) {
    if (*length > 0) taken += std::uint64_t{1} << (longest - *length);
  }
  if (taken > std::uint64_t{1} << longest) throw Error("the codes of the clusters are too short for so many clusters");
}

// Refuses a vocabulary that does not fill its matrix: each key ends with a byte below 128, and row 0 has none.
void check_keys(const GroupConfig& group, const Tensor& keys) {
  const std::uint8_t* const end = keys.data + keys.bytes();
  const auto count = std::count_if(keys.data, end, [](std::uint8_t byte) { return byte < 128; });
  if (count + 1 != group.buckets) {
    throw Error(group.name + ".keys holds " + std::to_string(count) + " n-grams, but " + group.name + ".rows has " +
                std::to_string(group.buckets) + " rows, not one more");
  }
  if (end[-1] >= 128) throw Error(group.name + ".keys ends inside of an n-gram");
}

// Refuses rules that are not as many as the config says: lines of three fields. Whether they make sense is seen when a
// segmenter is made of them (tasks/multiword.hpp).
void check_rules(const MultiwordConfig& multiword, const Tensor& rules) {
  std::uint32_t count = 0, tabs = 0;
  for (const std::uint8_t* byte = rules.data; byte != rules.data + rules.bytes(); ++byte) {
    if (*byte == '\t') ++tabs;
    if (*byte != '\n') continue;
    count += tabs == 2 ? 1 : 0;
    tabs = 0;
  }
  if (count == multiword.rules) return;
  throw Error("multiword.rules holds " + std::to_string(count) + " rules, but the config says " +
              std::to_string(multiword.rules));
}

void check_meaning(const Config& config, const Tensors& tensors) {
  if (config.task == Task::langid) check_calibration(tensors.find("calibration")->second);
  if (config.multiword) check_rules(*config.multiword, tensors.find("multiword.rules")->second);
  check_resources(config, tensors);
  for (const auto& [name, inside] : config.networks) check_meaning(inside, tensors_of(name, tensors));
}

}  // namespace

const char* name_of(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)]; }

std::size_t width_of(Dtype dtype) { return std::size_t{1} << static_cast<std::size_t>(dtype); }

std::size_t Tensor::bytes() const {
  std::size_t bytes = width_of(dtype);
  for (const std::size_t extent : shape) bytes *= extent;
  return bytes;
}

std::vector<float> Tensor::floats() const {
  std::vector<float> result(bytes() / width_of(dtype));
  if (dtype == Dtype::f32) {
    std::memcpy(result.data(), data, bytes());
    return result;
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint16_t half;
    std::memcpy(&half, data + 2 * i, sizeof half);
    result[i] = from_half(half);
  }
  return result;
}

std::vector<std::pair<std::string, Tensor>> expected_tensors(const Config& config) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const GroupConfig& group : config.groups) {
    const std::size_t width = group.bits < 8 ? std::size_t{group.dim} * group.bits / 8 : group.dim;  // share a byte
    tensors.emplace_back(group.name + ".rows", form(group.bits == 32 ? Dtype::f32 : Dtype::u8, {group.buckets, width}));
    if (group.bits != 32) {
      tensors.emplace_back(group.name + ".scales", form(Dtype::f16, {group.scale_of_table ? 1 : group.buckets}));
    }
    if (group.kind == Group::Kind::vocabulary)
      tensors.emplace_back(group.name + ".keys", form(Dtype::u8, {group.keys}));
  }
  const Dtype layer = config.layer_bits == 16 ? Dtype::f16 : Dtype::f32;
  const std::size_t labels = config.labels.size();
  tensors.emplace_back("hidden.weight", form(layer, {config.hidden, config.h0()}));
  tensors.emplace_back("hidden.bias", form(Dtype::f32, {config.hidden}));
  tensors.emplace_back("output.weight", form(layer, {labels, config.hidden}));
  tensors.emplace_back("output.bias", form(Dtype::f32, {labels}));
  if (config.task == Task::langid) tensors.emplace_back("calibration", form(Dtype::f32, {2}));
  if (config.lexicon) tensors.emplace_back("lexicon.bits", form(Dtype::u8, {config.lexicon->size}));
  if (config.multiword) tensors.emplace_back("multiword.rules", form(Dtype::u8, {config.multiword->size}));
  if (config.variants > 0) tensors.emplace_back("variants", form(Dtype::u8, {config.variants * Variants::kPair}));
  if (config.bloom) {
    tensors.emplace_back("bloom.lengths", form(Dtype::u8, {config.classes()}));
    tensors.emplace_back("bloom.bits", form(Dtype::u8, {BloomMap::size(config.bloom->slots)}));
  }
  for (const auto& [name, inside] : config.networks) {
    for (auto& [inner, tensor] : expected_tensors(inside)) tensors.emplace_back(name + "." + inner, std::move(tensor));
  }
  return tensors;
}

Tensor read_form(const std::string& what, const Json& dtype, const Json& shape) {
  const auto found = std::find(kDtypes.begin(), kDtypes.end(), dtype.text);
  if (!dtype.is(Json::Kind::string) || found == kDtypes.end()) {
    throw Error(what + " has dtype " + quoted(dtype.text) + ", not one of U8, F16, F32");
  }
  if (!shape.is(Json::Kind::array) || shape.items.empty() || shape.items.size() > kMaxRank) {
    throw Error("the shape of " + what + " is not a list of 1 to " + std::to_string(kMaxRank) + " numbers");
  }
  Tensor tensor{static_cast<Dtype>(found - kDtypes.begin())};
  for (const Json& extent : shape.items) {
    if (!extent.is(Json::Kind::integer) || extent.integer < 1 || extent.integer > kMaxExtent) {
      throw Error("the shape of " + what + " has an extent that is not a whole number from 1 to " +
                  std::to_string(kMaxExtent));
    }
    tensor.shape.push_back(static_cast<std::uint32_t>(extent.integer));
  }
  return tensor;
}

void check_tensors(const Config& config, const Tensors& tensors) {
  const auto expected = expected_tensors(config);
  if (expected.size() > kMaxTensors) {
    throw Error("the config asks for " + std::to_string(expected.size()) + " tensors, over the limit of " +
                std::to_string(kMaxTensors));
  }
  for (const auto& [name, tensor] : tensors) {
    const auto same = [&, &one = name](const auto& wanted) { return wanted.first == one; };
    if (std::none_of(expected.begin(), expected.end(), same)) {
      throw Error("tensor " + quoted(name) + " is not one that the config asks for");
    }
  }
  for (const auto& [name, tensor] : expected) check_numbers(name, find(name, tensor, tensors));
  check_meaning(config, tensors);
}

void check_resources(const Config& config, const Tensors& tensors) {
  for (const auto& [name, tensor] : expected_tensors(config)) {
    if (is_resource(name)) find(name, tensor, tensors);
  }
  if (config.bloom) check_codes(tensors.find("bloom.lengths")->second);
  if (config.variants > 0) variants_of(config, tensors);
  for (const GroupConfig& group : config.groups) {
    if (group.kind == Group::Kind::vocabulary) check_keys(group, tensors.find(group.name + ".keys")->second);
  }
}

Variants variants_of(const Config& config, const Tensors& tensors) {
  if (config.variants == 0) return {};
  try {
    return Variants(tensors.find("variants")->second.data, config.variants);
  } catch (const std::invalid_argument& error) {
    throw Error(error.what());
  }
}

Tensors tensors_of(const std::string& network, const Tensors& tensors) {
  Tensors result;
  const std::string prefix = network + ".";
  for (const auto& [name, tensor] : tensors) {
    if (name.compare(0, prefix.size(), prefix) == 0) result.emplace(name.substr(prefix.size()), tensor);
  }
  return result;
}

}  // namespace budgie::model
