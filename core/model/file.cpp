// SPDX-License-Identifier: Apache-2.0
#include "model/file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/error.hpp"
#include "model/sha256.hpp"
#include "text/unicode_table.hpp"

namespace budgie::model {

namespace {

constexpr std::string_view kFormat = "budgie", kVersion = "1";
constexpr std::size_t kAlignment = 8;  // of the first tensor, from the start of the file
constexpr std::size_t kDigest = 64;
constexpr std::array<std::string_view, 7> kReserved = {"sha256", "format", "version", "task",
                                                       "config", "hash",   "unicode"};

std::string number(std::size_t value) { return std::to_string(value); }

std::string_view header_text(std::string_view file) {
  if (file.size() < 8) {
    throw Error(number(file.size()) + " bytes are too few: this is not a Budgie model, or it is cut short");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<std::uint8_t>(file[i]);
  if (length > kMaxHeader) {
    throw Error("a header of " + std::to_string(length) + " bytes is over the limit of " + number(kMaxHeader) +
                ": this is not a Budgie model");
  }
  if (length > file.size() - 8) {
    throw Error("cut short in the header: " + number(file.size()) + " bytes of at least " + number(8 + length));
  }
  if (length % kAlignment != 0) {
    throw Error("the length of the header, " + number(length) + ", is not a multiple of " + number(kAlignment));
  }
  const std::string_view text = file.substr(8, length);
  if (text.empty() || text[0] != '{') throw Error("the header does not begin with {: this is not a Budgie model");
  return text;
}

using Metadata = std::map<std::string, std::string>;

Metadata read_metadata(const Json& header) {
  const Json* json = header.find("__metadata__");
  if (json == nullptr || json->is(Json::Kind::null)) {
    throw Error("this is a safetensors file without metadata, not a Budgie model");
  }
  Metadata metadata;
  for (std::size_t i = 0; i < json->names.size(); ++i) metadata[json->names[i]] = json->items[i].text;
  const auto no_string = [](const Json& value) { return !value.is(Json::Kind::string); };
  if (!json->is(Json::Kind::object) || std::any_of(json->items.begin(), json->items.end(), no_string)) {
    throw Error("the metadata are not all strings");
  }
  if (metadata["format"] != kFormat) {
    throw Error("this is a safetensors file, but its metadata do not say that it is a Budgie model");
  }
  if (const std::string& version = metadata["version"]; version != kVersion) {
    throw Error("format version " + quoted(version.empty() ? "unknown" : version) + "; this Budgie reads version " +
                quoted(kVersion) + ": use another release of it");
  }
  for (const std::string_view name : kReserved) {
    if (json->find(name) == nullptr) throw Error("the metadata lack " + std::string(name));
  }
  return metadata;
}

struct Place {
  std::int64_t begin = 0, end = 0;
  std::string name{};
  Tensor tensor{};
};

// Where a tensor begins and ends, once its description is sound in itself.
Place read_place(const std::string& name, const Json& entry) {
  const std::string what = "tensor " + quoted(name);
  const Json *dtype = entry.find("dtype"), *shape = entry.find("shape"), *offsets = entry.find("data_offsets");
  if (!entry.is(Json::Kind::object) || entry.names.size() != 3 || !dtype || !shape || !offsets) {
    throw Error(what + " is not described by exactly dtype, shape and data_offsets");
  }
  const auto whole = [](const Json& offset) { return offset.is(Json::Kind::integer) && offset.integer >= 0; };
  if (!offsets->is(Json::Kind::array) || offsets->items.size() != 2 ||
      !std::all_of(offsets->items.begin(), offsets->items.end(), whole)) {
    throw Error("data_offsets of " + what + " are not two whole numbers");
  }
  Place place{offsets->items[0].integer, offsets->items[1].integer, name, read_form(what, *dtype, *shape)};
  if (place.end - place.begin != static_cast<std::int64_t>(place.tensor.bytes())) {
    throw Error(what + " has " + std::to_string(place.end - place.begin) + " bytes, its dtype and shape need " +
                number(place.tensor.bytes()));
  }
  if (static_cast<std::size_t>(place.begin) % width_of(place.tensor.dtype) != 0) {
    throw Error(what + " is not aligned: it begins at " + std::to_string(place.begin));
  }
  return place;
}

// Tensors as the header describes them: end to end, from the end of the header to the end of the file.
Tensors slice(const Json& header, std::string_view file, std::size_t start) {
  if (header.names.size() - 1 > kMaxTensors) {
    throw Error(number(header.names.size() - 1) + " tensors are over the limit of " + number(kMaxTensors));
  }
  std::vector<Place> places;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    if (header.names[i] != "__metadata__") places.push_back(read_place(header.names[i], header.items[i]));
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end != b.end ? a.end < b.end : a.name < b.name;
  });
  Tensors tensors;
  std::int64_t reached = 0;
  const auto size = static_cast<std::int64_t>(file.size() - start);
  for (Place& place : places) {
    if (place.begin != reached) {
      throw Error("tensor " + quoted(place.name) +
                  (place.begin < reached ? " overlaps the tensor before it" : " leaves a hole before it") +
                  ": it begins at " + std::to_string(place.begin) + ", not at " + std::to_string(reached));
    }
    if (place.end > size) {
      throw Error("cut short: tensor " + quoted(place.name) + " ends at " +
                  number(start + static_cast<std::size_t>(place.end)) + " of " + number(file.size()) + " bytes");
    }
    place.tensor.data = reinterpret_cast<const std::uint8_t*>(file.data()) + start + place.begin;
    tensors.emplace(std::move(place.name), std::move(place.tensor));
    reached = place.end;
  }
  if (reached < size) throw Error(std::to_string(size - reached) + " bytes too many after the last tensor");
  return tensors;
}

// The digest stands in the file that it covers, so it counts as zeros there; its place must be beyond doubt.
void check_digest(const std::string& digest, std::string_view text, std::string_view file) {
  const bool hexadecimal = digest.size() == kDigest && digest.find_first_not_of("0123456789abcdef") == digest.npos;
  const std::size_t first = text.find(digest);
  if (!hexadecimal || first == text.npos || text.find(digest, first + 1) != text.npos) {
    throw Error("sha256 is not 64 hexadecimal digits that occur once in the header");
  }
  const std::size_t place = 8 + first;
  const std::string zeros(kDigest, '0');
  Sha256 checksum;
  checksum.add(file.data(), place);
  checksum.add(zeros.data(), kDigest);
  checksum.add(file.data() + place + kDigest, file.size() - place - kDigest);
  if (checksum.hex() != digest) throw Error("damaged: the checksum does not match; get the file again");
}

// The numbers of a version such as 15.1.0; empty if it is none.
std::vector<unsigned long> numbers_of(const std::string& version) {
  if (version.empty()) return {};
  std::vector<unsigned long> numbers(1);
  for (const char c : version) {
    if (c == '.') {
      numbers.push_back(0);
    } else if (c < '0' || c > '9' || numbers.back() > 10'000) {
      return {};
    } else {
      numbers.back() = 10 * numbers.back() + static_cast<unsigned long>(c - '0');
    }
  }
  return numbers;
}

// With another hash the same text would give other features. An older table of characters is no matter: since it was
// made, characters have only been added, and no file knows of them (docs/decisions/025-files-outlive-releases.md).
void check_origin(const Metadata& metadata) {
  const std::string &hash = metadata.at("hash"), &unicode = metadata.at("unicode");
  if (hash != kHash) {
    throw Error("made with hash " + quoted(hash) + "; this Budgie has hash " + quoted(kHash) + ": use a newer release");
  }
  const std::vector<unsigned long> version = numbers_of(unicode);
  if (version.empty() || version > numbers_of(kUnicodeVersion)) {
    throw Error("made with unicode " + quoted(unicode) + "; this Budgie has unicode " + quoted(kUnicodeVersion) +
                ": use a newer release");
  }
}

}  // namespace

Model read_model(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(bytes), size);
  if (size > kMaxFile) throw Error(number(size) + " bytes are over the limit of " + number(kMaxFile) + " for a model");
  const std::string_view text = header_text(file);
  const Json header = parse_object(text, "the header");
  // Before anything else: another version may have other rules for all that follows.
  Metadata metadata = read_metadata(header);
  Model model;
  model.tensors = slice(header, file, 8 + text.size());
  model.sha256 = metadata.at("sha256");
  check_digest(model.sha256, text, file);
  check_origin(metadata);
  model.unicode = metadata.at("unicode");
  model.config = read_config(parse_object(metadata.at("config"), "the config"));
  if (const std::string task = name_of(model.config.task); metadata.at("task") != task) {
    throw Error("task is " + quoted(metadata.at("task")) + ", but the config says " + quoted(task));
  }
  check_tensors(model.config, model.tensors);
  for (const std::string_view name : kReserved) metadata.erase(std::string(name));
  model.info = std::move(metadata);
  return model;
}

}  // namespace budgie::model
