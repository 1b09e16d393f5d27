// SPDX-License-Identifier: Apache-2.0
#include "training/gold_decisions.hpp"

#include <algorithm>
#include <limits>

#include "features/unit_window.hpp"
#include "tasks/segmentation.hpp"
#include "tasks/transitions.hpp"

namespace budgie::training {

void follow_gold(const UnitGroups& units, const TextView& text, const GoldText& known, Decisions& found, Stop& stop) {
  const std::vector<Group>& groups = units.groups;
  UnitWindow window(units, nullptr, std::numeric_limits<std::size_t>::max());
  window.slide(text, stop, [&](std::size_t first, std::size_t last) {
    const std::size_t count = last + units.behind();
    std::vector<std::vector<std::uint32_t>> rows(groups.size(), std::vector<std::uint32_t>(count));
    std::vector<std::uint32_t> hashes;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!units.fixed(g)) continue;
      unit_rows(units, g, known.standard, window.views(), count, hashes, rows[g].data());
    }
    std::vector<std::uint8_t> taken(last), gold(last);
    for (std::size_t i = first; i < last; ++i) {
      const auto begins = [&](const std::vector<std::size_t>& starts) {
        return std::binary_search(starts.begin(), starts.end(), window.begins[i]);
      };
      const Action action = begins(known.sentences) ? Action::sentence
                            : begins(known.words)   ? Action::split
                                                    : Action::merge;
      gold[i] = static_cast<std::uint8_t>(action);
    }
    const GoldSegmentation system{{units.actions, window.views(), window.rules.data(), last, taken.data()},
                                  gold.data()};
    Segmentation::State state{first, {}};
    follow_oracle(system, state, [&](const Segmentation::State& now, std::size_t action) {
      if (!system.open(now)) return;
      found.actions.push_back(static_cast<std::uint8_t>(action));
      const auto at = [](std::size_t unit, int position) {
        return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(unit) + position);
      };
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto put = [&](std::uint32_t row) { found.rows[g].push_back(static_cast<std::int32_t>(row)); };
        for (const int position : groups[g].positions) {
          put(units.fixed(g) ? rows[g][at(now.front, position)]
                             : now.word.row(groups[g], position, system.seen(now.front)));
        }
        for (const int position : groups[g].starts) put(rows[g][at(now.front - now.word.length, position)]);
      }
    });
  });
}

}  // namespace budgie::training
