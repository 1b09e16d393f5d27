// SPDX-License-Identifier: Apache-2.0
#include "tasks/langid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "network/softmax.hpp"
#include "tasks/transitions.hpp"

namespace budgie::tasks {

namespace {

// One decision over the whole text; the languages that the caller listed are the actions.
struct ChooseLanguage {
  using State = std::int32_t;
  std::size_t languages;

  std::size_t actions() const { return languages; }
  bool allowed(const State&, std::size_t) const { return true; }
  void apply(State& state, std::size_t action) const { state = static_cast<State>(action); }
  bool done(const State& state) const { return state != Answer::kUndetermined; }
};

}  // namespace

LanguageIdentifier::LanguageIdentifier(std::vector<Group> groups, Folding folding, Network network,
                                       Calibration calibration)
    : groups_(std::move(groups)), folding_(folding), network_(std::move(network)), calibration_(calibration) {}

float LanguageIdentifier::temperature(std::size_t letters) const {
  return calibration_.a + calibration_.b / std::sqrt(static_cast<float>(letters));
}

void LanguageIdentifier::identify(const TextView* texts, std::size_t count, const std::vector<std::uint32_t>& allowed,
                                  Answer* answers, Stop& stop) const {
  Scratch scratch(*this, stop);
  std::vector<float> scores(padded(allowed.size()));
  for (std::size_t start = 0; start < count; start += kBlock) {
    stop.look();
    const std::size_t block = std::min(kBlock, count - start);
    std::size_t letters[kBlock];
    for (std::size_t b = 0; b < block; ++b) {
      letters[b] = scratch.embed(texts[start + b], b);
    }
    network_.score(scratch.h0.data(), block, scratch.h1.data(), scratch.scores.data());
    for (std::size_t b = 0; b < block; ++b) {
      answers[start + b] = Answer{};
      if (letters[b] == 0) continue;
      scratch.gather(b, allowed, scores);
      std::int32_t choice = Answer::kUndetermined;
      run_greedily(ChooseLanguage{allowed.size()}, choice, [&](std::int32_t) { return scores.data(); });
      const auto best = static_cast<std::size_t>(choice);
      const float total = exponentiate(scores, allowed.size(), scores[best], temperature(letters[b]));
      answers[start + b] = {static_cast<std::int32_t>(allowed[best]), 1 / total};
    }
  }
}

std::size_t LanguageIdentifier::letters(const TextView& text, Stop& stop) const {
  return FeatureExtractor(groups_).extract(text, folding_, stop, [](std::size_t, const std::uint32_t*, std::size_t) {});
}

std::vector<float> LanguageIdentifier::scores(const TextView& text, Stop& stop) const {
  Scratch scratch(*this, stop);
  scratch.embed(text, 0);
  network_.score(scratch.h0.data(), 1, scratch.h1.data(), scratch.scores.data());
  return {scratch.scores.begin(), scratch.scores.begin() + static_cast<std::ptrdiff_t>(languages())};
}

std::vector<Answer> LanguageIdentifier::rank(const TextView& text, std::size_t k,
                                             const std::vector<std::uint32_t>& allowed, Stop& stop) const {
  Scratch scratch(*this, stop);
  const std::size_t letters = scratch.embed(text, 0);
  if (letters == 0) return {Answer{}};
  network_.score(scratch.h0.data(), 1, scratch.h1.data(), scratch.scores.data());
  std::vector<float> scores(padded(allowed.size()));
  scratch.gather(0, allowed, scores);
  const float best = *std::max_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(allowed.size()));
  const float total = exponentiate(scores, allowed.size(), best, temperature(letters));
  std::vector<std::size_t> order(allowed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  k = std::min(k, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
      [&](std::size_t a, std::size_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < k; ++i) {
    answers.push_back({static_cast<std::int32_t>(allowed[order[i]]), scores[order[i]] / total});
  }
  return answers;
}

}  // namespace budgie::tasks
