// SPDX-License-Identifier: Apache-2.0
#include "tasks/langid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "exponential.hpp"
#include "network/softmax.hpp"

namespace budgie::tasks {

namespace {

// A language that was not allowed makes the answer doubtful where it is so many times as probable: on dev sets this
// keeps most reliable answers to text of the allowed languages, and few others (docs/results/langid.md).
constexpr float kRival = 0.69314718f;  // log 2
// Text in no language does so where it is a fifth as probable: right answers are hardly ever, on dev sets.
constexpr float kNoLanguage = -1.60943791f;
constexpr std::size_t kAhead = 24;  // rows of an embedding that are on their way from memory

// The score of several labels as one: what is as probable as all of them together.
float sum_of(const LanguageIdentifier::Fold& fold, const float* scores, float temperature) {
  float most = scores[fold.number];
  for (const std::uint32_t other : fold.others) most = std::max(most, scores[other]);
  const auto power = [&](std::uint32_t number) {
    return exponential(static_cast<double>((scores[number] - most) / temperature));
  };
  double total = power(fold.number);
  for (const std::uint32_t other : fold.others) total += power(other);
  return most + temperature * static_cast<float>(logarithm(total));
}

}  // namespace

LanguageIdentifier::LanguageIdentifier(std::vector<Group> groups, Folding folding, const Network& network,
                                       Calibration calibration, Offer offer)
    : groups_(std::move(groups)),
      folding_(folding),
      embeddings_(network.embeddings),
      shared_space_(network.shared_space),
      hidden_(network.hidden),
      output_(network.output),
      calibration_(calibration),
      offer_(std::move(offer)) {}

LanguageIdentifier::Scratch::Scratch(const LanguageIdentifier& identifier)
    : extractor_(identifier.groups_),
      sums_(identifier.groups_, identifier.embeddings_, identifier.shared_space_),
      row_(sums_.size()),
      h0_(kBlock * identifier.hidden_.inputs()),
      h1_(kBlock * identifier.hidden_.stride()),
      scores_(kBlock * identifier.output_.stride()),
      integers_(std::max(h0_.size(), h1_.size())) {}

LanguageIdentifier::Allowed::Allowed(std::vector<std::uint32_t> numbers, std::vector<float> priors,
                                     std::vector<Fold> folds)
    : numbers_(std::move(numbers)), priors_(std::move(priors)) {
  if (numbers_.empty()) throw std::invalid_argument("at least one language must be allowed");
  const auto wrong = [](std::uint32_t one, std::uint32_t next) { return one >= next; };
  if (std::adjacent_find(numbers_.begin(), numbers_.end(), wrong) != numbers_.end()) {
    throw std::invalid_argument("numbers of languages must be ascending");
  }
  for (Fold& fold : folds) {
    if (std::binary_search(numbers_.begin(), numbers_.end(), fold.number)) folds_.push_back(std::move(fold));
  }
  if (priors_.empty()) return;
  if (last() >= priors_.size()) throw std::invalid_argument("there is no language of such a number");
  float most = priors_[last()];
  for (const std::uint32_t number : numbers_) most = std::max(most, priors_[number]);
  for (float& prior : priors_) prior -= most;
}

LanguageIdentifier::Allowed LanguageIdentifier::Allowed::narrowed(std::vector<std::uint32_t> numbers) const {
  return Allowed(std::move(numbers), priors_, folds_);
}

std::vector<float> LanguageIdentifier::priors_of(const std::vector<double>& weights) {
  std::vector<float> priors;
  for (const double weight : weights) {
    if (!(weight >= 1 / kMaxWeight && weight <= kMaxWeight)) {
      throw std::invalid_argument("the weight of a language is too small, too large or no number");
    }
    priors.push_back(static_cast<float>(logarithm(weight * kMaxWeight)));
  }
  return priors;
}

LanguageIdentifier::Allowed LanguageIdentifier::allow(std::vector<std::uint32_t> numbers,
                                                      const std::vector<double>& weights) const {
  Allowed allowed(std::move(numbers), priors_of(weights));
  check(allowed);
  for (std::size_t place = 0; place < allowed.size(); ++place) {
    if (!std::binary_search(offer_.languages.begin(), offer_.languages.end(), allowed[place])) {
      throw std::invalid_argument("a label for text in no language cannot be allowed");
    }
  }
  return allowed;
}

LanguageIdentifier::Allowed LanguageIdentifier::allow_macrolanguages(std::vector<double> weights) const {
  if (!weights.empty() && weights.size() != labels()) {
    throw std::invalid_argument("there must be a weight for each language");
  }
  std::vector<std::uint32_t> numbers = offer_.usual;
  for (const Fold& fold : offer_.folds) {
    for (const std::uint32_t other : fold.others) {
      numbers.erase(std::remove(numbers.begin(), numbers.end(), other), numbers.end());
      if (!weights.empty()) weights[fold.number] = std::max(weights[fold.number], weights[other]);
    }
    for (const std::uint32_t other : fold.others) {
      if (!weights.empty()) weights[other] = weights[fold.number];
    }
  }
  return Allowed(std::move(numbers), priors_of(weights), offer_.folds);
}

void LanguageIdentifier::check(const Allowed& allowed) const {
  bool known = allowed.last() < labels();
  for (const Fold& fold : allowed.folds_) {
    for (const std::uint32_t other : fold.others) known = known && other < labels();
  }
  if (!known) throw std::invalid_argument("there is no language of such a number");
  if (allowed.has_priors() && allowed.priors_.size() != labels()) {
    throw std::invalid_argument("there must be a weight for each language");
  }
}

void LanguageIdentifier::identify(const TextView* texts, std::size_t count, const Allowed& allowed, Scratch& scratch,
                                  Identification* answers, Stop& stop) const {
  check(allowed);
  for (std::size_t start = 0; start < count; start += kBlock) {
    stop.look();
    const std::size_t block = std::min(kBlock, count - start);
    std::size_t letters[kBlock];
    for (std::size_t b = 0; b < block; ++b) letters[b] = embed(texts[start + b], b, scratch, stop);
    score(block, scratch);
    for (std::size_t b = 0; b < block; ++b) {
      answers[start + b] = Identification{};
      if (letters[b] == 0) continue;
      const float calibrated = temperature(letters[b]);
      const Choice choice = choose(b, allowed, calibrated, scratch);
      answers[start + b] = answer(b, allowed, calibrated, choice, choice.best, scratch);
    }
  }
}

std::vector<Identification> LanguageIdentifier::rank(const TextView& text, std::size_t k, const Allowed& allowed,
                                                     Scratch& scratch, Stop& stop) const {
  check(allowed);
  const std::size_t letters = embed(text, 0, scratch, stop);
  if (letters == 0) return {Identification{}};
  score(1, scratch);
  const float calibrated = temperature(letters);
  const Choice choice = choose(0, allowed, calibrated, scratch);
  const std::vector<float>& powers = scratch.powers_;
  std::vector<std::size_t> order(allowed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  k = std::min(k, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
      [&](std::size_t a, std::size_t b) { return powers[a] != powers[b] ? powers[a] > powers[b] : a < b; });
  std::vector<Identification> answers;
  for (std::size_t i = 0; i < k; ++i) answers.push_back(answer(0, allowed, calibrated, choice, order[i], scratch));
  return answers;
}

std::size_t LanguageIdentifier::letters(const TextView& text, Scratch& scratch, Stop& stop) const {
  return scratch.extractor_.extract(text, folding_, stop, [](std::size_t, const std::uint32_t*, std::size_t) {});
}

std::vector<float> LanguageIdentifier::scores(const TextView& text, Scratch& scratch, Stop& stop) const {
  embed(text, 0, scratch, stop);
  score(1, scratch);
  return {scratch.scores_.begin(), scratch.scores_.begin() + static_cast<std::ptrdiff_t>(labels())};
}

// Adds the features of a text to a row of sums; returns its number of letters.
std::size_t LanguageIdentifier::sum(const TextView& text, double* row, Scratch& scratch, Stop& stop) const {
  // Rows are summed up one call late, when the first of them have come from memory; the processor runs ahead to others.
  std::size_t late_group = 0, late_count = 0;
  const std::uint32_t* late_ids = nullptr;
  const auto sum_up = [&] { scratch.sums_.add(late_group, 0, late_ids, late_count, row); };
  const auto look_up = [&](std::size_t group, const std::uint32_t* ids, std::size_t count) {
    for (std::size_t i = 0; i < std::min(count, kAhead); ++i) embeddings_[group].prefetch(ids[i]);
    sum_up();
    late_group = group, late_ids = ids, late_count = count;
  };
  const std::size_t letters = scratch.extractor_.extract(text, folding_, stop, look_up);
  sum_up();
  return letters;
}

// Makes h0 of a text, the `place`-th of a block; returns its number of letters.
std::size_t LanguageIdentifier::embed(const TextView& text, std::size_t place, Scratch& scratch, Stop& stop) const {
  std::fill(scratch.row_.begin(), scratch.row_.end(), 0.0);
  const std::size_t letters = sum(text, scratch.row_.data(), scratch, stop);
  scratch.sums_.h0(scratch.row_.data(), scratch.h0_.data() + place * hidden_.inputs());
  return letters;
}

void LanguageIdentifier::score(std::size_t texts, Scratch& scratch) const {
  std::vector<float>& h1 = scratch.h1_;
  hidden_.apply(scratch.h0_.data(), texts, scratch.integers_.data(), h1.data());
  for (std::size_t i = 0; i < texts * hidden_.stride(); ++i) h1[i] = h1[i] > 0 ? h1[i] : 0;
  output_.apply(h1.data(), texts, scratch.integers_.data(), scratch.scores_.data());
}

const float* LanguageIdentifier::scores_of(std::size_t place, const Scratch& scratch) const {
  return scratch.scores_.data() + place * output_.stride();
}

// The scores of the allowed languages, side by side. Where these stand first in the file, as usual ones do, it is a
// copy.
void LanguageIdentifier::gather(std::size_t place, const Allowed& allowed, float temperature, const Scratch& scratch,
                                float* into) const {
  const float* all = scores_of(place, scratch);
  if (allowed.last() + 1 == allowed.size()) {
    std::copy_n(all, allowed.size(), into);
  } else {
    for (std::size_t i = 0; i < allowed.size(); ++i) into[i] = all[allowed[i]];
  }
  for (const Fold& fold : allowed.folds_) {
    into[allowed.place(static_cast<std::int32_t>(fold.number))] = sum_of(fold, all, temperature);
  }
}

LanguageIdentifier::Choice LanguageIdentifier::choose(std::size_t place, const Allowed& allowed, float temperature,
                                                      Scratch& scratch, bool with_priors) const {
  std::vector<float>& powers = scratch.powers_;
  powers.resize(padded(allowed.size()));
  gather(place, allowed, temperature, scratch, powers.data());
  if (with_priors && allowed.has_priors()) {
    for (std::size_t i = 0; i < allowed.size(); ++i) powers[i] += temperature * allowed.prior(allowed[i]);
  }
  const std::size_t best = best_of(powers.data(), allowed.size());
  const float score = powers[best];
  return {best, score, exponentiate(powers, allowed.size(), score, temperature)};
}

// One of the allowed languages, `chosen` by its place among them, after `choose`.
Identification LanguageIdentifier::answer(std::size_t place, const Allowed& allowed, float temperature,
                                          const Choice& choice, std::size_t chosen, const Scratch& scratch) const {
  Identification answer{static_cast<std::int32_t>(allowed[chosen]), scratch.powers_[chosen] / choice.total};
  if (allowed.size() == labels()) return answer;
  const float* scores = scores_of(place, scratch);
  const auto weighted = [&](std::uint32_t number) { return scores[number] + temperature * allowed.prior(number); };
  float own = weighted(allowed[chosen]);
  for (const Fold& fold : allowed.folds_) {
    if (fold.number != allowed[chosen]) continue;
    own = sum_of(fold, scores, temperature) + temperature * allowed.prior(fold.number);
  }
  const auto rivals = [&](std::uint32_t number, float margin) { return weighted(number) > own + temperature * margin; };
  for (const std::uint32_t number : offer_.background) {
    answer.rivalled = answer.rivalled || rivals(number, kNoLanguage);
  }
  if (!allowed.has_priors()) {  // as nearly always, and several times as fast
    answer.rivalled = answer.rivalled || rivals(static_cast<std::uint32_t>(best_of(scores, labels())), kRival);
    return answer;
  }
  for (std::uint32_t number = 0; number < labels(); ++number) {
    answer.rivalled = answer.rivalled || rivals(number, kRival);
  }
  return answer;
}

float LanguageIdentifier::temperature(std::size_t letters) const {
  return calibration_.a + calibration_.b / std::sqrt(static_cast<float>(letters));
}

// How probable one of the allowed languages is.
Identification LanguageIdentifier::identification(const TextView& text, std::int32_t language, const Allowed& allowed,
                                                  Scratch& scratch, Stop& stop) const {
  if (language == Identification::kUndetermined) return {};
  const std::size_t letters = embed(text, 0, scratch, stop);
  if (letters == 0) return {language};
  score(1, scratch);
  const float calibrated = temperature(letters);
  const Choice choice = choose(0, allowed, calibrated, scratch);
  return answer(0, allowed, calibrated, choice, allowed.place(language), scratch);
}

}  // namespace budgie::tasks
