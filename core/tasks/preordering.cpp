// SPDX-License-Identifier: Apache-2.0
#include "tasks/preordering.hpp"

#include <algorithm>

namespace budgie::tasks {

const std::vector<std::string>& span_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const char* pile : {"s", "b"}) {
      for (std::size_t depth = 0; depth < kSpansSeen; ++depth) all.push_back(pile + std::to_string(depth));
    }
    return all;
  }();
  return names;
}

const std::vector<std::string>& place_names() {
  static const std::vector<std::string> names = [] {
    constexpr std::array kCornerNames = {"first", "second", "before_last", "last"};
    static_assert(kCornerNames.size() == kCorners, "a name for each");
    std::vector<std::string> all;
    for (const std::string& span : span_names()) {
      for (const char* corner : kCornerNames) all.push_back(span + "." + corner);
    }
    return all;
  }();
  return names;
}

std::uint32_t number_of_place(const std::string& place) {
  const std::string word = place.find('.') == place.npos ? place + ".first" : place;
  const auto found = std::find(place_names().begin(), place_names().end(), word);
  return static_cast<std::uint32_t>(found - place_names().begin());
}

}  // namespace budgie::tasks
