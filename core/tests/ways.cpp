// SPDX-License-Identifier: Apache-2.0
// Which functions one prediction of each task goes through, in the order in which it first comes to them. Built with
// -finstrument-functions (make ways); tools/check_ways.py makes files of the addresses and compares them with the ways
// that docs/architecture.md lists.
#include <dlfcn.h>

#include <algorithm>
#include <memory>

#include "annotation/pipeline.hpp"
#include "model/build.hpp"
#include "testing.hpp"

namespace {

bool watching = false;
void* seen[1 << 16];
std::size_t seen_count = 0;

}  // namespace

extern "C" {
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void* function, void*) {
  if (!watching || seen_count == std::size(seen)) return;
  watching = false;  // what is called from here is no part of a way
  if (std::find(seen, seen + seen_count, function) == seen + seen_count) seen[seen_count++] = function;
  watching = true;
}
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void*, void*) {}
}

namespace {

using namespace budgie::model;
using namespace budgie::testing;

// Prints the name of a way and the addresses of its functions in the program.
template <class Predict>
void watch(const char* name, Predict&& predict) {
  seen_count = 0;
  watching = true;
  predict();
  watching = false;
  std::printf("%s", name);
  for (std::size_t i = 0; i < seen_count; ++i) {
    Dl_info where{};
    dladdr(seen[i], &where);
    std::printf(" %zx", static_cast<std::size_t>(static_cast<char*>(seen[i]) - static_cast<char*>(where.dli_fbase)));
  }
  std::printf("\n");
}

}  // namespace

int main(int, char** arguments) {
  const std::string repository = arguments[1];
  const auto file = [&](const char* name) { return model_file(repository, name); };
  const auto langid = file("langid"), pos = file("pos-en"), seg = file("seg-zh"), preorder = file("preorder-en-ja");
  const std::string text = "Der Hund schläft.", chinese = "研究生命的起源";
  const std::vector<std::string> words = {"The", "student", "reads", "a", "book", "."};
  const std::vector<budgie::text::TextView> seen_words = views(words);
  const budgie::text::TextView one = view(text), other = view(chinese);
  const std::size_t starts[] = {0, words.size()};
  std::vector<std::uint32_t> tags(words.size()), order(words.size());

  const LanguageIdentifier identifier = build_langid(read_model(langid.data(), langid.size()));
  const LanguageIdentifier::Allowed all = identifier.allow(identifier.offer().usual);
  Identification answer;
  LanguageIdentifier::Scratch identifying(identifier);
  watch("identify", [&] { identifier.identify(&one, 1, all, identifying, &answer, never); });

  const Tagger tagger = build_tagger(read_model(pos.data(), pos.size()));
  Tagger::Scratch tagging(tagger, words.size());
  watch("tag", [&] { tagger.tag(seen_words.data(), starts, 1, tagging, tags.data(), never); });

  const Segmenter segmenter = build_segmenter(read_model(seg.data(), seg.size()));
  Segmenter::Scratch segmenting(segmenter);
  std::vector<TokenSpan> found;
  watch("segment", [&] { segmenter.segment(other, nullptr, 0, segmenting, found, never); });

  const Preorderer preorderer = build_preorderer(read_model(preorder.data(), preorder.size()));
  Preorderer::Scratch preordering(preorderer, words.size());
  watch("preorder",
        [&] { preorderer.reorder(seen_words.data(), starts, 1, 1, preordering, tags.data(), order.data(), never); });

  const auto raw = file("tokens");
  const Segmenter tokens = build_segmenter(read_model(raw.data(), raw.size()));
  const auto names = std::make_shared<budgie::annotation::Names>();
  names->languages.resize(identifier.labels() + 1);
  names->tags.resize(1);
  const budgie::annotation::Route route{&tokens, 10, nullptr, 0, &tagger, std::vector<std::uint16_t>(tagger.tags())};
  const budgie::annotation::Pipeline pipeline(identifier, names, 0, {names->languages.size(), route});
  budgie::annotation::Pipeline::Scratch annotating(pipeline, words.size());
  watch("annotate", [&] {
    budgie::annotation::Document document = pipeline.find_languages(one, all, annotating, never);
    pipeline.annotate(one, {}, annotating, document, never);
  });

  watch("load", [&] { build_langid(read_model(langid.data(), langid.size())); });
  return 0;
}
