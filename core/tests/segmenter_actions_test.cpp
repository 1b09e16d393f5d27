// SPDX-License-Identifier: Apache-2.0
// A segmenter of any number of actions: its kernel gives the bits of a slow loop, and it cuts texts as a slow segmenter
// does that multiplies all of h0 by all weights for each unit.
#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tasks/segmenter.hpp"
#include "testing.hpp"

namespace budgie::testing {
namespace {

using namespace tasks;

std::mt19937 draw(1);  // NOLINT: the same numbers in every run

float uniform(float low, float high) {
  return low + (high - low) * static_cast<float>(draw()) / static_cast<float>(std::mt19937::max());
}

std::vector<float> random_floats(std::size_t count) {
  std::vector<float> floats(count);
  for (float& one : floats) one = uniform(-1, 1);
  return floats;
}

// ---- the kernel ------------------------------------------------------------------------------------------------

// Lane by lane, in the order that kernels.hpp promises: rows, then bytes, then pairs of lanes.
std::vector<float> slow_scores(const std::vector<std::vector<float>>& rows, const std::vector<std::uint8_t>& bytes,
                               const std::vector<std::int8_t>& weights, const std::vector<float>& scales,
                               const std::vector<float>& output, std::size_t outputs, std::size_t width) {
  std::vector<float> scores;
  for (std::size_t o = 0; o < outputs; ++o) {
    std::vector<float> lanes(kLanes);
    for (std::size_t i = 0; i < width; ++i) {
      float sum = 0;
      for (const auto& row : rows) sum += row[i];
      std::int32_t products = 0;
      for (std::size_t b = 0; b < bytes.size(); ++b) {
        const std::size_t block = i / kLanes * kLanes * bytes.size();
        products += bytes[b] * weights[block + (b / kQuad * kLanes + i % kLanes) * kQuad + b % kQuad];
      }
      if (!bytes.empty()) sum += scales[i] * static_cast<float>(products);
      lanes[i % kLanes] += std::max(sum, 0.0f) * output[o * width + i];
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
      for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    }
    scores.push_back(lanes[0]);
  }
  return scores;
}

void kernel_gives_the_bits_of_a_slow_loop() {
  for (int round = 0; round < 300; ++round) {
    const std::size_t width = kLanes * (1 + draw() % 9), outputs = 1 + draw() % kMostOutputs;
    std::vector<std::vector<float>> rows(draw() % 9);
    for (auto& row : rows) row = random_floats(width);
    std::vector<std::uint8_t> bytes(kQuad * (draw() % 3 == 0 ? 0 : draw() % 40));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(draw() % 16);
    std::vector<std::int8_t> weights(bytes.size() * width);
    for (auto& weight : weights) weight = static_cast<std::int8_t>(static_cast<int>(draw() % 255) - 127);
    const std::vector<float> scales = random_floats(width), output = random_floats(outputs * width);
    std::vector<const float*> pointers;
    for (const auto& row : rows) pointers.push_back(row.data());
    std::vector<float> scores(outputs);
    const Quads quads{bytes.data(), bytes.size() / kQuad, weights.data(), scales.data()};
    score_rows(pointers.data(), pointers.size(), quads, output.data(), outputs, width, scores.data());
    check(scores == slow_scores(rows, bytes, weights, scales, output, outputs, width), "scores of a slow loop");
  }
}

// ---- the segmenter ---------------------------------------------------------------------------------------------

constexpr std::uint32_t kMany = Segmenter::kFewBuckets + 1;  // rows that are not multiplied at load

// One group of each way to the hidden layer, in floats and in bytes.
UnitGroups make_groups(Spaces spaces, std::size_t actions) {
  using Kind = Group::Kind;
  std::vector<Group> groups = {
      {Kind::ngrams, 1, 50, true, true, {-2, -1, 0, 1}, {0}, {}},  // floats, at the front and at the start of a word
      {Kind::ngrams, 2, 60, true, true, {-1, 0, 2}, {-1, 1}, {}},  // bytes
      {Kind::kinds, 1, 20, true, true, {0, 1}, {}, {}},            // bytes
      {Kind::length, 1, 5, true, true, {0}, {}, {}},               // a table
      {Kind::words, 1, 40, true, true, {-1, 0, 1}, {}, {}},        // tables
      {Kind::words, 1, kMany, true, true, {0, 1}, {}, {}},         // floats of one decision
      {Kind::words, 1, kMany, true, true, {-1, 1}, {}, {}},        // bytes of one decision
      {Kind::standard, 1, 3, true, true, {0}, {}, {}},             // a table
      {Kind::shapes, 2, 70, true, true, {-1, 0}, {}, {}},          // floats
      {Kind::endings, 2, 80, true, true, {-1, 1}, {}, {}},         // floats
      {Kind::sentence, 1, 9, true, true, {0}, {}, {}},             // a table
      {Kind::opening, 1, 49, true, true, {0}, {}, {}},             // and another
      {Kind::line, 1, 12, true, true, {-1, 0}, {}, {}},            // floats
  };
  return {groups, std::vector<NgramTable>(groups.size()), {}, true, spaces, actions};
}

// A byte's weights are rounded, so theirs are multiples of 2^-8 with a greatest one of 127: rounding leaves them alone.
Network make_network(const std::vector<Group>& groups, std::size_t hidden, std::size_t actions) {
  Network network;
  std::vector<std::size_t> bytes;  // for each input: 0, or which of the group's dimensions it is, plus one
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool small = g == 1 || g == 2 || g == 6;
    Embedding embedding;
    embedding.dim = small ? 8 : 5;
    if (small) {
      embedding.bits = 4;
      embedding.scale = 0.125F;
      embedding.integers.resize(groups[g].buckets * 4);
      for (auto& byte : embedding.integers) byte = static_cast<std::uint8_t>(draw());
    } else {
      embedding.floats = random_floats(groups[g].buckets * 5);
    }
    for (std::size_t i = 0; i < groups[g].slots() * embedding.dim; ++i) bytes.push_back(small ? 1 + i % 8 : 0);
    network.embeddings.push_back(std::move(embedding));
  }
  std::vector<float> weights = random_floats(hidden * bytes.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t dimension = bytes[i % bytes.size()];
    if (dimension == 0) continue;
    const int integer = dimension == 1 ? 127 : static_cast<int>(draw() % 255) - 127;
    weights[i] = static_cast<float>(integer) / 256;
  }
  network.hidden = Layer(bytes.size(), hidden, weights.data(), random_floats(hidden).data());
  network.output = Layer(hidden, actions, random_floats(hidden * actions).data(), random_floats(actions).data());
  return network;
}

// Han, Latin and digits, spaces, ends of lines, and marks.
std::u32string random_text() {
  const std::u32string alphabet = U"天地玄黄天地天 a b1\n。，ไก";
  std::u32string text(draw() % 700, U' ');
  for (char32_t& c : text) c = alphabet[draw() % alphabet.size()];
  return text;
}

struct SlowSegmenter {
  const UnitGroups& groups;
  const Network& network;
  std::uint32_t standard;

  // The best allowed action; `clear` is how much better it is than the next one.
  std::size_t decide(const Segmentation& system, const Segmentation::State& state,
                     const std::vector<std::vector<std::uint32_t>>& rows, double& clear) const {
    const SeenUnit front = system.seen(state.front);
    std::vector<double> h0;
    for (std::size_t g = 0; g < groups.groups.size(); ++g) {
      for_each_position(groups.groups[g], g, [&](const FeaturePosition& at) {
        const std::size_t from = at.start ? state.front - state.word.length : state.front;
        const std::uint32_t row = groups.fixed(g) ? rows[g][from + static_cast<std::size_t>(at.position)]
                                                  : state.word.row(groups.groups[g], at.position, front);
        std::vector<float> vector(network.embeddings[g].dim);
        network.embeddings[g].row(row, vector.data());
        h0.insert(h0.end(), vector.begin(), vector.end());
      });
    }
    std::vector<double> scores(network.output.bias.begin(), network.output.bias.end());
    for (std::size_t u = 0; u < network.hidden.outputs; ++u) {
      double sum = static_cast<double>(network.hidden.bias[u]);
      for (std::size_t i = 0; i < h0.size(); ++i) {
        sum += h0[i] * static_cast<double>(network.hidden.weights[i * network.hidden.stride + u]);
      }
      for (std::size_t a = 0; a < scores.size(); ++a) {
        scores[a] += std::max(sum, 0.0) * static_cast<double>(network.output.weights[u * network.output.stride + a]);
      }
    }
    const std::size_t first = first_allowed(system, state);
    std::size_t best = first;
    clear = 1e9;
    for (std::size_t a = first + 1; a < system.actions(); ++a) {
      if (!system.allowed(state, a)) continue;
      const double difference = scores[a] - scores[best];
      clear = std::min(std::abs(difference), difference > 0 ? 1e9 : clear);
      if (difference > 0) best = a;
    }
    return best;
  }

  // All words up to the first decision that is not clear.
  std::vector<TokenSpan> segment(const TextView& text, const Dictionary* dictionary, bool& whole) const {
    std::vector<TokenSpan> words;
    whole = true;
    UnitWindow window(groups, dictionary, 1 << 20);
    window.slide(text, never, [&](std::size_t first, std::size_t last) {
      const std::size_t count = last + groups.behind();
      std::vector<std::vector<std::uint32_t>> rows(groups.groups.size(), std::vector<std::uint32_t>(count));
      std::vector<std::uint32_t> hashes;
      for (std::size_t g = 0; g < rows.size(); ++g) {
        if (!groups.fixed(g)) continue;
        unit_rows(groups, g, standard, window.views(), count, hashes, rows[g].data());
      }
      std::vector<std::uint8_t> taken(last);
      const Segmentation system{network.output.outputs, window.views(), window.rules.data(), last, taken.data()};
      for (Segmentation::State state{first, {}}; !system.done(state);) {
        double clear = 1;
        const std::size_t unit = state.front;
        const std::size_t action =
            system.open(state) ? decide(system, state, rows, clear) : first_allowed(system, state);
        if (clear < 1e-3) {
          whole = false;
          return;
        }
        system.apply(state, action);
        if (action != 1) words.push_back({window.begins[unit], 0, static_cast<std::uint8_t>(action)});
        words.back().end = window.ends[unit];
      }
    });
    if (!whole && !words.empty()) words.pop_back();
    return words;
  }
};

// Nothing, or, where white space is no word, some of it.
bool is_left_out(const std::u32string& text, std::size_t begin, std::size_t end, Spaces spaces) {
  const auto is_space = [&](char32_t c) { return spaces == Spaces::between && (c == ' ' || c == '\n'); };
  return begin <= end && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                     text.begin() + static_cast<std::ptrdiff_t>(end), is_space);
}

void segments_as_a_slow_segmenter_does(std::size_t actions, Spaces spaces) {
  const UnitGroups groups = make_groups(spaces, actions);
  Dictionary dictionary;
  const std::u32string own = U"天地玄";
  dictionary.add({own.data(), own.size(), TextView::Kind::ucs4}, never);
  std::vector<std::size_t> seen(actions);
  std::size_t whole_texts = 0, cut_by_dictionary = 0;
  for (int round = 0; round < 10; ++round) {
    const Network network = make_network(groups.groups, 1 + draw() % 60, actions);
    const Segmenter segmenter(groups, network);
    Segmenter::Scratch scratch(segmenter);
    const std::uint32_t standard = static_cast<std::uint32_t>(draw() % 3);
    const Dictionary* words = round % 2 == 0 ? &dictionary : nullptr;
    for (int t = 0; t < 3; ++t) {
      const std::u32string text = random_text();
      const TextView view{text.data(), text.size(), TextView::Kind::ucs4};
      std::vector<TokenSpan> found;
      segmenter.segment(view, words, standard, scratch, found, never);
      std::size_t end = 0;
      for (const TokenSpan& word : found) {
        check(is_left_out(text, end, word.start, spaces) && word.end > word.start, "words lie end to end");
        check(word.action < actions && word.action != static_cast<std::uint8_t>(Action::merge), "words are begun");
        ++seen[word.action];
        end = word.end;
        cut_by_dictionary += words != nullptr && text.substr(word.start, word.end - word.start) == own;
      }
      check(is_left_out(text, end, text.size(), spaces), "words reach to the end");
      bool whole = false;
      const std::vector<TokenSpan> expected = SlowSegmenter{groups, network, standard}.segment(view, words, whole);
      whole_texts += whole;
      // Where words may have spaces inside, those between words are words of nobody's: left out here.
      std::size_t w = 0;
      for (const TokenSpan& word : expected) {
        while (w < found.size() && found[w].start < word.start) ++w;
        check(w < found.size() && found[w].start == word.start && found[w].end == word.end, "words of a slow loop");
        check(w < found.size() && found[w].action == word.action, "actions of a slow loop");
      }
    }
  }
  check(whole_texts > 10 && cut_by_dictionary > 0, "most texts could be compared");
  for (std::size_t action = 0; action < actions; ++action)
    check((seen[action] > 20) == (action != 1), "every action occurs");
}

// What gold cannot do is the first thing that is allowed.
void gold_takes_the_first_allowed_action() {
  const char32_t ids[] = {'a', 'b', 'c', 'd'};
  const std::uint8_t rules[] = {0b11111, 0b11000, 0b00010, 0b10101}, gold[] = {3, 2, 0, 1};
  std::uint8_t taken[4];
  const GoldSegmentation system{{5, {ids, nullptr, nullptr}, rules, 4, taken}, gold};
  Segmentation::State state;
  std::vector<std::size_t> actions;
  follow_oracle(system, state, [&](const Segmentation::State&, std::size_t action) { actions.push_back(action); });
  check(actions == std::vector<std::size_t>{3, 3, 1, 0}, "gold does what it may");
  check(std::equal(actions.begin(), actions.end(), taken), "actions are noted");
  check(Rules::open(0b11) && Rules::open(0b10100) && !Rules::open(0b1000), "open is more than one");
}

void other_numbers_of_actions_are_refused() {
  const UnitGroups groups = make_groups(Spaces::units, 2);
  for (const std::size_t actions : {1, 9, 40}) {
    const auto make = [&] { const Segmenter segmenter(groups, make_network(groups.groups, 3, actions)); };
    check(throws<std::invalid_argument>(make), "so many actions are refused");
  }
}

// Where a text or a paragraph begins a sentence does, also with a word of the user, or right behind one.
void a_dictionary_leaves_beginnings() {
  const auto sentence = std::uint8_t{1u << static_cast<unsigned>(Action::sentence)};
  Dictionary dictionary;
  dictionary.add(view("中国"), never);
  for (const Spaces spaces : {Spaces::inside, Spaces::between}) {
    for (const std::size_t actions : {std::size_t{2}, std::size_t{3}}) {
      const Rules rules(actions);
      const std::uint8_t paragraph = actions == 3 ? sentence : rules.begin();
      const std::vector<std::uint8_t> expected = {paragraph, Rules::merge, paragraph,    rules.any,
                                                  paragraph, Rules::merge, rules.begin()};
      const UnitGroups groups = make_groups(spaces, actions);
      UnitWindow window(groups, &dictionary);
      std::vector<std::uint8_t> found;
      window.slide(view("中国\n\n人民\n\n中国人"), never, [&](std::size_t first, std::size_t last) {
        for (std::size_t unit = first; unit < last; ++unit) found.push_back(window.rules[unit]);
      });
      EXPECT(found == expected);
    }
  }
}

void other_standards_are_refused() {
  const UnitGroups groups = make_groups(Spaces::units, 2);
  const Segmenter segmenter(groups, make_network(groups.groups, 3, 2));
  Segmenter::Scratch scratch(segmenter);
  std::vector<TokenSpan> words;
  segmenter.segment(view("a b"), nullptr, 2, scratch, words, never);
  for (const std::uint32_t standard : {3u, 0xFFFFFFFFu}) {
    const auto segment = [&] { segmenter.segment(view("a b"), nullptr, standard, scratch, words, never); };
    check(throws<std::invalid_argument>(segment), "a standard that is none is refused");
  }
}

}  // namespace
}  // namespace budgie::testing

int main() {
  budgie::testing::kernel_gives_the_bits_of_a_slow_loop();
  for (const std::size_t actions : {2, 3, 5, 8}) {
    using budgie::features::Spaces;
    for (const Spaces spaces : {Spaces::units, Spaces::inside, Spaces::between}) {
      budgie::testing::segments_as_a_slow_segmenter_does(actions, spaces);
    }
  }
  budgie::testing::gold_takes_the_first_allowed_action();
  budgie::testing::other_numbers_of_actions_are_refused();
  budgie::testing::a_dictionary_leaves_beginnings();
  budgie::testing::other_standards_are_refused();
  return budgie::testing::result("segmenter actions");
}
