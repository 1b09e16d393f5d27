// SPDX-License-Identifier: Apache-2.0
// Language identification (section 3.1 of the paper): one decision for the whole text.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "features/running_text.hpp"
#include "network/network.hpp"

namespace budgie::tasks {

// The probability of the answer is calibrated: scores are divided by a + b / sqrt(letters) first.
struct Calibration {
  float a = 1;
  float b = 0;
};

struct Identification {
  static constexpr std::int32_t kUndetermined = -1;
  std::int32_t language = kUndetermined;  // number of the label
  float probability = 0;
  bool rivalled = false;  // a language that was not allowed is far more probable, or it may be in none

  // Whether to act on it: a probability among few languages says nothing of text in another one.
  static constexpr float kReliable = 0.8F;
  bool reliable() const { return language != kUndetermined && probability >= kReliable && !rivalled; }
};

// A part of a text in one language.
struct Span {
  std::size_t start = 0;  // code units of the text (bytes of UTF-8, code points of a str)
  std::size_t end = 0;
  Identification identification{};
};

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class LanguageIdentifier {
 public:
  class Scratch;

  // Labels of one macrolanguage, by their numbers: one stands for all of them.
  struct Fold {
    std::string_view name;  // of the macrolanguage
    std::uint32_t number = 0;
    std::vector<std::uint32_t> others{};
  };

  // Numbers of labels, ascending: of all that are languages, of those that are chosen from unless somebody asks for
  // others, and of those that stand for text in no language, which make answers to it unreliable. `folds` are of usual
  // labels, two at least each.
  struct Offer {
    std::vector<std::uint32_t> languages;
    std::vector<std::uint32_t> usual;
    std::vector<std::uint32_t> background;
    std::vector<Fold> folds;
  };

  LanguageIdentifier(std::vector<Group> groups, Folding folding, const Network& network, Calibration calibration,
                     Offer offer);

  const Offer& offer() const { return offer_; }
  std::size_t labels() const { return output_.outputs(); }

  // Some of the languages, to choose from, and how probable all languages are beforehand.
  class Allowed;
  // `numbers` of labels; throws std::invalid_argument unless they are ascending, one at least, and of languages.
  // `weights` are prior probabilities of all languages, up to a factor; none where all are equal. Throws likewise
  // unless each is between 1 / kMaxWeight and kMaxWeight.
  static constexpr double kMaxWeight = 1e9;
  Allowed allow(std::vector<std::uint32_t> numbers, const std::vector<double>& weights = {}) const;
  // The usual languages, where labels of one macrolanguage count as one: their probabilities add up. The largest of
  // their weights is that of all.
  Allowed allow_macrolanguages(std::vector<double> weights = {}) const;

  // What was allowed of an identifier of other languages is refused, too.
  void identify(const TextView* texts, std::size_t count, const Allowed& allowed, Scratch& scratch,
                Identification* answers, Stop& stop) const;
  std::vector<Identification> rank(const TextView& text, std::size_t k, const Allowed& allowed, Scratch& scratch,
                                   Stop& stop) const;
  // Where a text changes its language, word by word.
  std::vector<Span> spans(const TextView& text, const Allowed& allowed, Scratch& scratch, Stop& stop) const;
  // The same sentence by sentence: many times faster, and text in one language stays in one piece. Words in another
  // language are found only in sentences that as a whole are not in the language of the text.
  std::vector<Span> passages(const TextView& text, const Allowed& allowed, Scratch& scratch, Stop& stop) const;

  // How many letters and marks of a text the network sees: what the calibration depends on.
  std::size_t letters(const TextView& text, Scratch& scratch, Stop& stop) const;

  // Unscaled scores of every language: what the network says before calibration.
  std::vector<float> scores(const TextView& text, Scratch& scratch, Stop& stop) const;

 private:
  class SpanFinder;  // langid_spans.cpp

  // The most probable of the allowed languages, by its place among them, and its score. The scratch then has what is
  // proportional to the probability of each of them, and `total` is the sum of that.
  struct Choice {
    std::size_t best;
    float score;
    float total;
  };

  void check(const Allowed& allowed) const;
  std::size_t sum(const TextView& text, double* row, Scratch& scratch, Stop& stop) const;
  std::size_t embed(const TextView& text, std::size_t place, Scratch& scratch, Stop& stop) const;
  void score(std::size_t texts, Scratch& scratch) const;
  const float* scores_of(std::size_t place, const Scratch& scratch) const;
  void gather(std::size_t place, const Allowed& allowed, float temperature, const Scratch& scratch, float* into) const;
  Choice choose(std::size_t place, const Allowed& allowed, float temperature, Scratch& scratch,
                bool with_priors = true) const;
  Identification answer(std::size_t place, const Allowed& allowed, float temperature, const Choice& choice,
                        std::size_t chosen, const Scratch& scratch) const;
  static std::vector<float> priors_of(const std::vector<double>& weights);
  float temperature(std::size_t letters) const;
  Identification identification(const TextView& text, std::int32_t language, const Allowed& allowed, Scratch& scratch,
                                Stop& stop) const;

  std::vector<Group> groups_;
  Folding folding_;
  std::vector<Embedding> embeddings_;
  bool shared_space_;
  IntegerLayer hidden_, output_;
  Calibration calibration_;
  Offer offer_;
};

// Never changes, and never empty.
class LanguageIdentifier::Allowed {
 public:
  Allowed(const Allowed&) = default;  // and no move, which would leave an empty one behind
  std::size_t size() const { return numbers_.size(); }
  std::uint32_t operator[](std::size_t place) const { return numbers_[place]; }
  // The place of a language that is allowed.
  std::size_t place(std::int32_t language) const {
    const auto number = static_cast<std::uint32_t>(language);
    return static_cast<std::size_t>(std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin());
  }
  // Fewer languages, and what is probable beforehand stays.
  Allowed narrowed(std::vector<std::uint32_t> numbers) const;
  bool has_folds() const { return !folds_.empty(); }
  bool has_priors() const { return !priors_.empty(); }
  // The logarithm of the prior probability of a language by its number: 0 for the most probable of the allowed ones.
  float prior(std::uint32_t number) const { return has_priors() ? priors_[number] : 0; }

 private:
  friend class LanguageIdentifier;
  Allowed(std::vector<std::uint32_t> numbers, std::vector<float> priors, std::vector<Fold> folds = {});

  std::uint32_t last() const { return numbers_.back(); }

  std::vector<std::uint32_t> numbers_;  // ascending
  std::vector<float> priors_{};         // of all languages; empty where they are equal
  std::vector<Fold> folds_{};           // of which `numbers_` has the one that stands for all
};

// Everything that one thread needs while it works. It may be used for one text after another.
class LanguageIdentifier::Scratch {
 public:
  explicit Scratch(const LanguageIdentifier& identifier);

 private:
  friend class LanguageIdentifier;
  FeatureExtractor extractor_;
  EmbeddingSums sums_;
  std::vector<double> row_;              // of sums, of the text at hand
  std::vector<float> h0_, h1_, scores_;  // of a block of texts
  std::vector<std::int16_t> integers_;   // h0 or h1
  std::vector<float> powers_{};          // e to the score of each allowed language
};

}  // namespace budgie::tasks
