// SPDX-License-Identifier: Apache-2.0
// The pipeline without Python: documents, words of multiword tokens, writers, wrong routes and wrong rules.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "annotation/packing.hpp"
#include "annotation/pipeline.hpp"
#include "annotation/writers.hpp"
#include "model/build.hpp"
#include "testing.hpp"

namespace {

using namespace budgie::annotation;
using namespace budgie::testing;
using budgie::text::TextView;

// ---- multiword tokens

std::vector<std::u32string> split(const Multiword& rules, std::string_view token, std::string_view before = {},
                                  std::string_view behind = {}, std::uint32_t standard = 0) {
  return rules.split(view(token), view(before), view(behind), standard);
}

using Words = std::vector<std::u32string>;

void test_multiword() {
  const Multiword rules(
      "fr\tend\n"
      " du\tu\te le\n"
      " des\tes\te les\n"
      "ont des\t\t\n"
      " au\tau\tà le\n"
      "rlo\tlo\t lo\n"
      "he\tbeginning\n"
      "ha\tha\tha \n"
      "hab\t\t\n",
      {"und", "fr", "he"});
  EXPECT(rules.rules() == 7);
  EXPECT(rules.empty(0) && !rules.empty(1) && !rules.empty(2) && rules.empty(3));
  EXPECT((split(rules, "du", {}, {}, 1) == Words{U"de", U"le"}));
  EXPECT((split(rules, "Du", {}, {}, 1) == Words{U"De", U"le"}));
  EXPECT((split(rules, "DU", {}, {}, 1) == Words{U"DE", U"LE"}));
  EXPECT((split(rules, "Au", {}, {}, 1) == Words{U"À", U"le"}));
  EXPECT((split(rules, "AU", {}, {}, 1) == Words{U"À", U"LE"}));
  EXPECT(split(rules, "vendu", {}, {}, 1).empty());
  EXPECT((split(rules, "des", "fils", {}, 1) == Words{U"de", U"les"}));
  EXPECT(split(rules, "des", "ont", {}, 1).empty());
  EXPECT((split(rules, "des", "on", {}, 1) == Words{U"de", U"les"}));
  EXPECT((split(rules, "hacerlo", {}, {}, 1) == Words{U"hacer", U"lo"}));
  EXPECT((split(rules, "halo", {}, {}, 2) == Words{U"ha", U"lo"}));
  EXPECT(split(rules, "habe", {}, {}, 2).empty());
  EXPECT(split(rules, "ha", {}, {}, 2).empty());  // nothing would be left of it
  EXPECT(split(rules, "\xff\xfe", {}, {}, 1).empty());
  for (const char* wrong :
       {"", "\n", "fr\tend", "xx\tend\n", "fr\tend\nfr\tend\n", "fr\tmiddle\n", "du\tu\te le\n",
        "fr\tend\n du\tx\te le\n", "fr\tend\n\t\tx\n", "fr\tend\ndu\tu\te  le\n", "fr\tend\na b\tx\n",
        "he\tbeginning\nab\tb\tx y\n", "fr\tend\n du\tu\te\n", "he\tbeginning\nha\tha\tha\n",
        "fr\tend\n du\tu\te l\re\n", "fr\tend\n du\tu\te \u2028le\n", "fr\tend\n du\tu\te\u200B le\n"}) {
    EXPECT(throws<std::invalid_argument>([&] { Multiword(wrong, {"und", "fr", "he"}); }));
  }
  EXPECT(
      throws<std::invalid_argument>([&] { Multiword("fr\tend\n du\tu\te " + std::string(257, 'l') + "\n", {"fr"}); }));
  EXPECT(throws<std::invalid_argument>([&] { Multiword("fr\tend\n", {}); }));
  EXPECT(Multiword("\tend\n's\t's\t 's\n", {}).rules() == 1);
}

// ---- documents

std::string shown(const Document& document, const std::string& text) {
  std::string all;
  for (const Sentence& sentence : document.sentences) {
    for (std::size_t t = sentence.first_token; t < sentence.last_token; ++t) {
      const Token& token = document.tokens[t];
      all += text.substr(token.start, token.end - token.start) + (t + 1 < sentence.last_token ? "|" : "\n");
    }
  }
  return all;
}

Unpacked unpacked(const std::string& bytes, std::size_t length) {
  return unpack(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), length, never);
}

// What was packed comes back; of bytes that are damaged nothing comes, or a document that can be used.
void test_packing(const Document& document, const Names& names, const std::string& text) {
  const std::string packed = pack(document, names, never);
  const Unpacked again = unpacked(packed, text.size());
  EXPECT(to_json(again.document, again.names, view(text), never) == to_json(document, names, view(text), never));
  EXPECT(pack(again.document, again.names, never) == packed);
  EXPECT(again.names.languages.size() == 2 && again.names.languages[0] == "zh");
  const auto refused = [&](const std::string& bytes, std::size_t length) {
    return throws<std::invalid_argument>([&] { unpacked(bytes, length); });
  };
  EXPECT(refused(packed, text.size() - 1) && refused(packed, text.size() + 1) && refused(packed + '\0', text.size()));
  EXPECT(refused(std::string("\1\0\377\377\377\377\377\377\377\377\377", 11), 0));
  for (std::size_t size = 0; size < packed.size(); ++size) EXPECT(refused(packed.substr(0, size), text.size()));
  std::size_t written = 0;
  for (std::size_t at = 0; at < packed.size(); ++at) {
    for (const int change : {1, 2, 0x40, 0x80, 0xFF}) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      if (refused(damaged, text.size())) continue;
      const Unpacked other = unpacked(damaged, text.size());
      written += to_json(other.document, other.names, view(text), never).size();
      written += to_conllu(other.document, other.names, view(text), "", never).size();
      written += to_tsv(other.document, other.names, view(text), "", never).size();
    }
  }
  EXPECT(written > 0);
}

void test_pipeline(const std::string& repository) {
  const auto file = [&](const char* name) { return model_file(repository, name); };
  const auto langid_file = file("langid"), tokens_file = file("tokens"), words_file = file("seg-zh"),
             tagger_file = file("pos-en");
  using namespace budgie::model;
  const Model langid = read_model(langid_file.data(), langid_file.size());
  const Model tokens_model = read_model(tokens_file.data(), tokens_file.size());
  const Model tagger_model = read_model(tagger_file.data(), tagger_file.size());
  const LanguageIdentifier identifier = build_langid(langid);
  const Segmenter tokens = build_segmenter(tokens_model);
  const Segmenter words = build_segmenter(read_model(words_file.data(), words_file.size()));
  const Tagger tagger = build_tagger(tagger_model);
  EXPECT(tokens.finds_sentences() && !words.finds_sentences());

  auto names = std::make_shared<Names>(Names{langid.config.labels, tagger_model.config.labels});
  const auto unknown = static_cast<std::uint32_t>(names->languages.size());
  names->languages.push_back("und");
  std::vector<Route> routes(names->languages.size());
  const auto number_of = [](const std::vector<std::string>& all, const char* name) {
    return static_cast<std::uint32_t>(std::find(all.begin(), all.end(), name) - all.begin());
  };
  const std::vector<std::string>& standards = tokens_model.config.standards;
  std::vector<std::uint16_t> tags(tagger.tags());
  std::iota(tags.begin(), tags.end(), std::uint16_t{0});
  const std::uint32_t english = number_of(names->languages, "en"), chinese = number_of(names->languages, "zh");
  routes[english] = {&tokens, number_of(standards, "en"), nullptr, 0, &tagger, tags};
  routes[chinese] = {&tokens, number_of(standards, "zh"), &words, 0, nullptr, {}};
  const Pipeline pipeline(identifier, names, unknown, routes);

  const auto allowed = identifier.allow(identifier.offer().usual);
  Pipeline::Scratch scratch(pipeline, 100);
  const std::string text = "Dr. Lee didn't ask why. 研究生命的起源是科学家的工作。";
  Document document = pipeline.find_languages(view(text), allowed, scratch, never);
  std::size_t missing = 0;
  pipeline.for_missing(document, [&](std::uint32_t) { ++missing; });
  EXPECT(missing == 0);
  EXPECT(document.spans.size() == 2);
  pipeline.annotate(view(text), {true, true, true, true}, scratch, document, never);
  EXPECT(shown(document, text) == "Dr.|Lee|didn't|ask|why|.\n研究|生命|的|起源|是|科学家|的|工作|。\n");
  EXPECT(document.words.size() == 2 && document.tokens[2].multiword());
  EXPECT(names->tags[document.tokens[3].tag.tag] == "VERB" && document.tokens[3].tag.probability > 0.5F);
  EXPECT(document.tokens[6].tag.tag == kNoTag);
  const std::string conllu = to_conllu(document, *names, view(text), "x", never);
  EXPECT(conllu.find("# sent_id = x1\n# lang = en\n# text = Dr. Lee didn't ask why.\n1\tDr.\t_\tPROPN\t") == 0);
  EXPECT(conllu.find("\n3-4\tdidn't\t_\t_\t") != std::string::npos);
  EXPECT(conllu.find("\n4\tn't\t_\tPART\t") != std::string::npos);
  const std::string json = to_json(document, *names, view(text), never);
  EXPECT(json.find("{\"language\": \"zh\", \"reliable\": true, \"spans\": [{") == 0);
  EXPECT(to_tsv(document, *names, view(text), "", never).find("1\t0\t3\ten\tDr.\tPROPN\t") == 0);
  test_packing(document, *names, text);

  // A text as a whole is in one language.
  const Document whole = pipeline.find_language(view(text), allowed, scratch, never);
  EXPECT(whole.spans.size() == 1 && whole.spans[0].start == 0 && whole.spans[0].end == text.size());
  EXPECT(whole.language == english || whole.language == chinese);
  const Document blank = pipeline.find_language(view("... 12"), allowed, scratch, never);
  EXPECT(blank.language == unknown && blank.spans.size() == 1 && blank.identification().probability == 0);
  EXPECT(pipeline.find_language(view(""), allowed, scratch, never).spans.empty());

  // Of a language without models nothing is found, and one has to say so before.
  const std::string german = "Der Hund schläft unter dem Tisch.";
  Document other = pipeline.find_languages(view(german), allowed, scratch, never);
  pipeline.for_missing(other, [&](std::uint32_t language) { missing += names->languages[language] == "de"; });
  EXPECT(missing == 1);
  EXPECT(throws<std::invalid_argument>([&] { pipeline.annotate(view(german), {}, scratch, other, never); }));
  EXPECT(throws<std::invalid_argument>([&] { pipeline.in_language(view(german), unknown + 1); }));
  Document given = pipeline.in_language(view(german), english);
  pipeline.annotate(view(german), {}, scratch, given, never);
  EXPECT(shown(given, german) == "Der|Hund|schläft|unter|dem|Tisch|.\n");

  // Routes that make no sense.
  const auto refused = [&](const Route& route) {
    std::vector<Route> some(routes);
    some[english] = route;
    return throws<std::invalid_argument>([&] { Pipeline(identifier, names, unknown, some); });
  };
  EXPECT(refused({&words, 0, nullptr, 0, nullptr, {}}));
  EXPECT(refused({&tokens, 1000, nullptr, 0, nullptr, {}}));
  EXPECT(refused({&tokens, 0, &words, 1000, nullptr, {}}));
  EXPECT(refused({&tokens, 0, nullptr, 0, &tagger, {}}));
  EXPECT(refused({&tokens, 0, nullptr, 0, &tagger, std::vector<std::uint16_t>(tagger.tags(), 1000)}));
  EXPECT(throws<std::invalid_argument>([&] { Pipeline(identifier, names, unknown, {}); }));
  EXPECT(throws<std::invalid_argument>([&] { Pipeline(identifier, names, unknown + 1, routes); }));
}

}  // namespace

int main(int, char** arguments) {
  test_multiword();
  test_pipeline(arguments[1]);
  return result("annotation_test");
}
