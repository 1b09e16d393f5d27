// SPDX-License-Identifier: Apache-2.0
// One model, many threads: the same answers, and no data race (make tsan).
#include <algorithm>
#include <atomic>
#include <thread>

#include "batch.hpp"
#include "model/build.hpp"
#include "testing.hpp"

using namespace budgie::model;
using namespace budgie::testing;

namespace {

constexpr std::size_t kThreads = 4;

std::vector<std::string> made_up_words(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back("wörd" + std::to_string(i % 97) + (i % 7 == 0 ? "。" : ""));
  return words;
}

}  // namespace

int main(int, char** arguments) {
  const std::string repository = arguments[1];
  const std::vector<std::uint8_t> langid = model_file(repository, "langid");
  const std::vector<std::uint8_t> pos = model_file(repository, "pos-en");
  const LanguageIdentifier identifier = build_langid(read_model(langid.data(), langid.size()));
  const Tagger tagger = build_tagger(read_model(pos.data(), pos.size()));
  const std::vector<std::string> words = made_up_words(2000);
  const std::vector<budgie::text::TextView> texts = views(words);
  const LanguageIdentifier::Allowed all = identifier.allow(identifier.offer().usual);

  std::vector<Identification> answers(texts.size()), alone(texts.size());
  LanguageIdentifier::Scratch scratch_alone(identifier);
  identifier.identify(texts.data(), texts.size(), all, scratch_alone, alone.data(), never);
  budgie::in_parallel(texts.size(), kThreads, [&] {
    return [&, scratch = LanguageIdentifier::Scratch(identifier)](std::size_t first, std::size_t last,
                                                                  budgie::Stop& stop) mutable {
      identifier.identify(texts.data() + first, last - first, all, scratch, answers.data() + first, stop);
    };
  });
  for (std::size_t i = 0; i < texts.size(); ++i) check(answers[i].language == alone[i].language, words[i]);

  // However many are asked for, there are not more than can work at once.
  for (const std::size_t asked : {std::size_t{1}, std::size_t{2}, std::size_t{1000}}) {
    std::atomic<std::size_t> working{0};
    budgie::in_parallel(10'000, asked, [&] {
      ++working;
      return [](std::size_t, std::size_t, budgie::Stop&) {};
    });
    check(working >= 1 && working <= std::min(asked, budgie::most_threads()), std::to_string(asked) + " threads");
  }

  // Threads of somebody else, each with a scratch of its own.
  std::vector<std::vector<std::uint32_t>> tags(kThreads, std::vector<std::uint32_t>(texts.size()));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const std::size_t starts[] = {0, texts.size()};
      Tagger::Scratch scratch(tagger);
      tagger.tag(texts.data(), starts, 1, scratch, tags[t].data(), never);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 1; t < kThreads; ++t) check(tags[t] == tags[0], "tags do not depend on the thread");
  return result("threads");
}
