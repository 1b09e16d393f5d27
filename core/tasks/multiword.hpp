// SPDX-License-Identifier: Apache-2.0
// Tokens that a treebank counts as several words: French `du` is `de` and `le`, Spanish `dámelo` is `da`, `me` and
// `lo`. A rule is for tokens that end so, or begin so; the rule that sees most of the text decides, also of the token
// beside this one, and some rules say that a token stays whole.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace budgie::tasks {

class Multiword {
 public:
  static constexpr std::size_t kLongest = 64;  // characters of a key

  Multiword() = default;

  // Rules as a model file has them (docs/model-format.md), in sections for standards; std::invalid_argument says what
  // is wrong with them.
  Multiword(std::string_view rules, const std::vector<std::string>& standards);

  std::size_t rules() const { return rules_.size(); }
  bool empty(std::uint32_t standard) const { return standard >= sections_.size() || sections_[standard].root == kNone; }

  // The words of a token, or none where it is a word itself. `before` and `behind` are the tokens beside it in the
  // sentence, or empty.
  std::vector<std::u32string> split(const TextView& token, const TextView& before, const TextView& behind,
                                    std::uint32_t standard) const;

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  // How a token is written: what its words then are, too.
  enum class Case : std::uint8_t { as_it_is, capital, upper };

  struct Rule {
    std::size_t replaced = 0;  // characters of the token
    std::size_t first_piece = 0, last_piece = 0;
    bool stays() const { return first_piece == last_piece; }
  };

  // A place in a tree of keys; edges_ from first_edge on lead to what comes next, up to the first edge of the next one.
  struct Node {
    std::uint32_t first_edge = 0;
    std::uint32_t rule = kNone;
  };
  struct Edge {
    char32_t character = 0;
    std::uint32_t node = 0;
  };
  struct Section {
    std::uint32_t root = kNone;
    bool at_end = true;
  };

  const Rule* find(std::u32string_view token, const TextView& beside, const Section& section) const;
  static Case case_of(std::u32string_view token);
  static void write(std::u32string& word, Case written, bool first);

  std::vector<Section> sections_{};  // by standard
  std::vector<Node> nodes_{};        // and one more, which ends the edges of the last
  std::vector<Edge> edges_{};        // of a node by character
  std::vector<Rule> rules_{};
  std::vector<std::u32string> pieces_{};
};

}  // namespace budgie::tasks
