// SPDX-License-Identifier: Apache-2.0
// Labels that ISO 639-3 counts as one language, a macrolanguage, and that much text does not tell apart.
#pragma once
#include <array>
#include <string_view>

#include "rooms.hpp"

namespace budgie::tasks {

struct Macrolanguage {
  std::string_view name;
  std::array<std::string_view, 4> members;  // labels; the first one that a model has stands for all
};

// Not Serbian in Cyrillic letters, which nobody takes for Croatian.
inline constexpr std::array<Macrolanguage, 4> kMacrolanguages = {{
    {"hbs", {"hbs", "hr", "bs", "sr-Latn"}},
    {"ms", {"ms", "id"}},
    {"no", {"no", "nn"}},
    {"zh", {"zh", "zh-Hant"}},
}};

}  // namespace budgie::tasks
