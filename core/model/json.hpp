// SPDX-License-Identifier: Apache-2.0
// JSON as strict as the header of a model file needs it: no name twice in an object, whole numbers of at most 64 bits,
// no number that is not finite, no string that is not Unicode, bounded depth (docs/decisions/024-json-parser.md).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rooms.hpp"

namespace budgie::model {

struct Json {
  enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };
  // For messages.
  static constexpr std::array kKindNames = {"null", "boolean", "integer", "number", "string", "list", "object"};
  static_assert(kKindNames.size() == static_cast<std::size_t>(Kind::object) + 1, "a name for each");

  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  std::string text{};                // of a string; of a number how it is written
  std::vector<Json> items{};         // of an array; of an object its values
  std::vector<std::string> names{};  // of an object, in the order of the file

  bool is(Kind one) const { return kind == one; }
  // The value of a name, or none.
  const Json* find(std::string_view name) const;
};

inline const char* name_of(Json::Kind kind) { return Json::kKindNames[static_cast<std::size_t>(kind)]; }

// The object that is all of `text`. `what` is for the message: "the header".
Json parse_object(std::string_view text, const std::string& what);

// A string as JSON writes it, in UTF-8.
std::string json_string(std::string_view text);

}  // namespace budgie::model
