// SPDX-License-Identifier: Apache-2.0
#include "tasks/multiword.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace budgie::tasks {

namespace {

constexpr char32_t kUpperBelow = 0x2000;  // all alphabets with case that stand in rules

char32_t lower(char32_t c) { return c + static_cast<char32_t>(character(c).lower); }

char32_t upper(char32_t c) {
  static const std::vector<char16_t> table = [] {
    std::vector<char16_t> made(kUpperBelow);
    for (char32_t from = kUpperBelow; from-- > 0;) {
      if (const char32_t to = lower(from); to != from && to < kUpperBelow) made[to] = static_cast<char16_t>(from);
    }
    return made;
  }();
  return c < kUpperBelow && table[c] != 0 ? table[c] : c;
}

std::u32string characters_of(const TextView& text) {
  return decode(text, [&](auto reader, const auto* at, const auto* end) {
    std::u32string characters;
    while (at != end) characters.push_back(reader.next(at, end));
    return characters;
  });
}

std::u32string characters_of(std::string_view utf8) { return characters_of(TextView{utf8.data(), utf8.size()}); }

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(between);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// What a key and the text beside a token are read as: from the end of the token backwards, or from its beginning on.
template <class Visit>
void walk(std::u32string_view characters, bool backwards, Visit&& visit) {
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (!visit(characters[backwards ? characters.size() - 1 - i : i])) return;
  }
}

}  // namespace

Multiword::Multiword(std::string_view text, const std::vector<std::string>& standards)
    : sections_(std::max<std::size_t>(1, standards.size())) {
  std::map<std::pair<std::uint32_t, char32_t>, std::uint32_t> edges;  // to nodes, by node and character
  std::vector<std::uint32_t> rule_at;                                 // of each node
  Section* section = nullptr;
  if (text.empty() || text.back() != '\n') throw std::invalid_argument("rules of multiword tokens end with a line");
  text.remove_suffix(1);
  for (const std::string_view line : parts_of(text, '\n')) {
    const std::vector<std::string_view> fields = parts_of(line, '\t');
    if (fields.size() == 2) {
      const auto found = std::find(standards.begin(), standards.end(), fields[0]);
      const auto number = static_cast<std::size_t>(found - standards.begin());
      const bool known = standards.empty() ? fields[0].empty() : found != standards.end();
      if (!known || sections_[number].root != kNone) {
        throw std::invalid_argument("rules of multiword tokens are for a standard that is not there, or there twice");
      }
      if (fields[1] != "end" && fields[1] != "beginning") {
        throw std::invalid_argument("rules of multiword tokens look at neither end nor beginning");
      }
      section = &sections_[number];
      *section = {static_cast<std::uint32_t>(rule_at.size()), fields[1] == "end"};
      rule_at.push_back(kNone);
      continue;
    }
    if (fields.size() != 3 || section == nullptr) {
      throw std::invalid_argument("a rule of multiword tokens has not three fields, or no standard");
    }
    const std::u32string key = characters_of(fields[0]), replaced = characters_of(fields[1]);
    const std::u32string_view end = section->at_end ? std::u32string_view(key).substr(key.rfind(U' ') + 1)
                                                    : std::u32string_view(key).substr(0, key.find(U' '));
    const bool fits = replaced.size() <= end.size() && (section->at_end ? end.substr(end.size() - replaced.size())
                                                                        : end.substr(0, replaced.size())) == replaced;
    if (key.empty() || key.size() > kLongest || !fits) {
      throw std::invalid_argument("a rule of multiword tokens replaces what is not in its key, or has a wrong key");
    }
    Rule rule{replaced.size(), pieces_.size(), pieces_.size()};
    if (!fields[2].empty()) {
      for (const std::string_view piece : parts_of(fields[2], ' ')) pieces_.push_back(characters_of(piece));
      rule.last_piece = pieces_.size();
      // One of them goes with what is kept of the token, and may be empty.
      const std::size_t kept_with = section->at_end ? rule.first_piece : rule.last_piece - 1;
      for (std::size_t p = rule.first_piece; p < rule.last_piece; ++p) {
        if (pieces_[p].empty() && p != kept_with) {
          throw std::invalid_argument("a rule of multiword tokens makes an empty word");
        }
        if (std::any_of(pieces_[p].begin(), pieces_[p].end(), is_space)) {
          throw std::invalid_argument("a rule of multiword tokens makes a word with white space");
        }
      }
      if (rule.last_piece - rule.first_piece == 1) {
        throw std::invalid_argument("a rule of multiword tokens makes one word; a token that stays has none");
      }
      // Each token that it fits costs as much memory.
      if (fields[2].size() > kLongest * sizeof(char32_t) || rule.last_piece - rule.first_piece > kLongest) {
        throw std::invalid_argument("a rule of multiword tokens makes too many words, or too long ones");
      }
    }
    std::uint32_t node = section->root;
    walk(key, section->at_end, [&](char32_t c) {
      const auto [edge, is_new] = edges.try_emplace({node, c}, static_cast<std::uint32_t>(rule_at.size()));
      if (is_new) rule_at.push_back(kNone);
      node = edge->second;
      return true;
    });
    rule_at[node] = static_cast<std::uint32_t>(rules_.size());
    rules_.push_back(rule);
  }
  nodes_.resize(rule_at.size() + 1);
  for (std::size_t n = 0; n < rule_at.size(); ++n) nodes_[n].rule = rule_at[n];
  for (const auto& [from, to] : edges) {
    ++nodes_[from.first + 1].first_edge;
    edges_.push_back({from.second, to});
  }
  for (std::size_t n = 1; n < nodes_.size(); ++n) nodes_[n].first_edge += nodes_[n - 1].first_edge;
}

std::vector<std::u32string> Multiword::split(const TextView& token, const TextView& before, const TextView& behind,
                                             std::uint32_t standard) const {
  const Section& section = sections_[standard];
  const std::u32string all = characters_of(token);
  const Rule* rule = find(all, section.at_end ? before : behind, section);
  if (rule == nullptr) return {};
  const std::size_t kept = all.size() - rule->replaced;
  std::vector<std::u32string> words(pieces_.begin() + static_cast<std::ptrdiff_t>(rule->first_piece),
                                    pieces_.begin() + static_cast<std::ptrdiff_t>(rule->last_piece));
  if (section.at_end) {
    words.front().insert(0, all, 0, kept);
  } else {
    words.back().append(all, rule->replaced);
  }
  const Case written = case_of(all);
  for (std::size_t w = 0; w < words.size(); ++w) write(words[w], written, w == 0);
  return words;
}

// The rule that sees most, unless it says that the token stays.
const Multiword::Rule* Multiword::find(std::u32string_view token, const TextView& beside,
                                       const Section& section) const {
  std::uint32_t node = section.root, rule = kNone;
  const auto follow = [&](char32_t c) {
    const auto first = edges_.begin() + nodes_[node].first_edge, last = edges_.begin() + nodes_[node + 1].first_edge;
    const auto before = [](const Edge& edge, char32_t wanted) { return edge.character < wanted; };
    const auto edge = std::lower_bound(first, last, c, before);
    if (edge == last || edge->character != c) return false;
    node = edge->node;
    if (nodes_[node].rule != kNone) rule = nodes_[node].rule;
    return true;
  };
  // A key goes from the token outwards: over the token, a space, the token beside it, and a space.
  const auto follow_token = [&](std::u32string_view characters) {
    bool going = true;
    walk(characters, section.at_end, [&](char32_t c) { return going = follow(lower(c)); });
    return going && follow(U' ');
  };
  if (follow_token(token) && beside.length > 0) follow_token(characters_of(beside));
  if (rule == kNone || rules_[rule].stays()) return nullptr;
  const Rule& found = rules_[rule];
  const bool empty =
      found.replaced == token.size() && pieces_[section.at_end ? found.first_piece : found.last_piece - 1].empty();
  return empty ? nullptr : &found;
}

Multiword::Case Multiword::case_of(std::u32string_view token) {
  std::size_t letters = 0, capitals = 0;
  for (const char32_t c : token) {
    if (character(c).kind != CharacterClass::letter) continue;
    ++letters;
    capitals += lower(c) != c;
  }
  if (letters > 1 && capitals == letters) return Case::upper;
  return lower(token[0]) != token[0] ? Case::capital : Case::as_it_is;
}

void Multiword::write(std::u32string& word, Case written, bool first) {
  if (written == Case::upper) {
    for (char32_t& c : word) c = upper(c);
  } else if (written == Case::capital && first) {
    word[0] = upper(word[0]);
  }
}

}  // namespace budgie::tasks
