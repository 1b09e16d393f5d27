// SPDX-License-Identifier: Apache-2.0
// Loads an embedded model of each task and runs it: what a program in C++ has to do, without Python.
#include <algorithm>
#include <stdexcept>

#include "model/build.hpp"
#include "testing.hpp"

using namespace budgie::model;
using namespace budgie::testing;

namespace {

void identify(const std::string& repository) {
  const std::vector<std::uint8_t> file = model_file(repository, "langid");
  const Model model = read_model(file.data(), file.size());
  const LanguageIdentifier identifier = build_langid(model);
  const std::vector<std::string> texts = {"Der Hund schläft unter dem Tisch.", "Where is the next railway station?",
                                          "我们明天去图书馆看书", "1234 ... !"};
  std::vector<std::uint32_t> numbers = identifier.offer().usual;
  const LanguageIdentifier::Allowed all = identifier.allow(numbers);
  std::vector<Identification> answers(texts.size());
  LanguageIdentifier::Scratch scratch(identifier);
  identifier.identify(views(texts).data(), texts.size(), all, scratch, answers.data(), never);
  const char* wanted[] = {"de", "en", "zh"};
  for (std::size_t i = 0; i < 3; ++i) {
    check(model.config.labels[static_cast<std::size_t>(answers[i].language)] == wanted[i],
          "the language of " + texts[i]);
    check(answers[i].probability > 0.9F, "the probability of " + texts[i]);
  }
  check(answers[3].language == Identification::kUndetermined, "text without letters has no language");
  const std::string mixed = "Der Hund schläft. Where is the station?";
  const std::vector<Span> spans = identifier.spans(view(mixed), all, scratch, never);
  check(spans.size() == 2 && spans[0].start == 0 && spans[0].end == spans[1].start && spans[1].end == mixed.size(),
        "spans tile the text");
  const auto place = [&](const char* label) {
    const auto& labels = model.config.labels;
    return static_cast<std::uint32_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  };
  identifier.identify(&views(texts)[1], 1, identifier.allow({place("de"), place("ja")}), scratch, answers.data(),
                      never);
  check(answers[0].rivalled && !answers[0].reliable(), "English among German and Japanese is not reliable");
  std::vector<double> weights(identifier.labels(), 1);
  weights[place("de")] = 1e9;
  const std::string short_text = "in";
  const TextView one = view(short_text);
  identifier.identify(&one, 1, identifier.allow(numbers, weights), scratch, answers.data(), never);
  check(answers[0].language == static_cast<std::int32_t>(place("de")), "what is probable beforehand is the answer");
  const std::string croatian = "Dobar dan, kako ste danas?";
  const TextView south_slavic = view(croatian);
  identifier.identify(&south_slavic, 1, identifier.allow_macrolanguages(), scratch, answers.data(), never);
  check(answers[0].language == static_cast<std::int32_t>(place("hr")) && answers[0].reliable(),
        "Croatian stands for its macrolanguage");
  weights.pop_back();
  EXPECT(throws<std::invalid_argument>([&] { identifier.allow({0}, weights); }));
  EXPECT(throws<std::invalid_argument>([&] { identifier.allow_macrolanguages(weights); }));
  numbers.push_back(static_cast<std::uint32_t>(identifier.labels()));
  for (const auto& wrong : {std::vector<std::uint32_t>{}, {1, 0}, {3, 3}, {100'000'000}, numbers}) {
    EXPECT(throws<std::invalid_argument>([&] { identifier.allow(wrong); }));
  }
}

void tag(const std::string& repository) {
  const std::vector<std::uint8_t> file = model_file(repository, "pos-en");
  const Model model = read_model(file.data(), file.size());
  const Tagger tagger = build_tagger(model);
  const std::vector<std::string> words = {"The", "cat", "sleeps", "."};
  const std::size_t starts[] = {0, words.size()};
  std::vector<std::uint32_t> tags(words.size());
  Tagger::Scratch scratch(tagger, words.size());
  tagger.tag(views(words).data(), starts, 1, scratch, tags.data(), never);
  const char* wanted[] = {"DET", "NOUN", "VERB", "PUNCT"};
  for (std::size_t i = 0; i < words.size(); ++i)
    check(model.config.labels[tags[i]] == wanted[i], "the tag of " + words[i]);
}

void segment(const std::string& repository) {
  const std::vector<std::uint8_t> file = model_file(repository, "seg-zh");
  const Segmenter segmenter = build_segmenter(read_model(file.data(), file.size()));
  const std::string text = "研究生命的起源";
  std::vector<TokenSpan> found;
  Segmenter::Scratch scratch(segmenter);
  segmenter.segment(view(text), nullptr, 0, scratch, found, never);
  const std::size_t ends[] = {6, 12, 15, 21};
  check(found.size() == 4, "the number of words of " + text);
  for (std::size_t i = 0; i < found.size() && i < 4; ++i) check(found[i].end == ends[i], "a word of " + text);
  for (const std::uint32_t standard : {static_cast<std::uint32_t>(segmenter.standards()), 10'000'000u, 0xFFFFFFFFu}) {
    EXPECT(throws<std::invalid_argument>(
        [&] { segmenter.segment(view(text), nullptr, standard, scratch, found, never); }));
  }
}

void reorder(const std::string& repository) {
  const std::vector<std::uint8_t> file = model_file(repository, "preorder-en-ja");
  const Preorderer preorderer = build_preorderer(read_model(file.data(), file.size()));
  const std::vector<std::string> words = {"The", "student", "reads", "a", "book", "."};
  const std::size_t starts[] = {0, words.size()};
  std::vector<std::uint32_t> tags(words.size()), order(words.size());
  Preorderer::Scratch scratch(preorderer, words.size());
  preorderer.reorder(views(words).data(), starts, 1, 1, scratch, tags.data(), order.data(), never);
  check(order == std::vector<std::uint32_t>{0, 1, 3, 4, 2, 5}, "the verb goes behind its object");
}

}  // namespace

int main(int, char** arguments) {
  const std::string repository = arguments[1];
  identify(repository);
  tag(repository);
  segment(repository);
  reorder(repository);
  return result("tasks");
}
