// SPDX-License-Identifier: Apache-2.0
// Every file is hostile: whatever is changed in one, reading gives a model or an Error, and nothing is read outside.
// Built with sanitizers (make asan) this is where memory safety shows.
#include <algorithm>
#include <random>

#include "model/build.hpp"
#include "model/error.hpp"
#include "model/sha256.hpp"
#include "testing.hpp"

using namespace budgie::model;
using namespace budgie::testing;

namespace {

using Bytes = std::vector<std::uint8_t>;

// The checksum made right again, as an attacker would.
void seal(Bytes& file) {
  const std::string key = "\"sha256\":\"";
  const auto place = std::search(file.begin(), file.end(), key.begin(), key.end());
  if (file.end() - place < static_cast<std::ptrdiff_t>(key.size()) + 64) return;
  const auto digits = place + static_cast<std::ptrdiff_t>(key.size());
  std::fill_n(digits, 64, std::uint8_t{'0'});
  Sha256 checksum;
  checksum.add(file.data(), file.size());
  const std::string digest = checksum.hex();
  std::copy(digest.begin(), digest.end(), digits);
}

// Whether it could be read; if so, every task that fits is asked.
bool use(const Bytes& file) {
  const std::vector<std::string> words = {"The", "student", "読んだ", "", "\xFF\xFE", std::string(3000, 'x')};
  const std::size_t starts[] = {0, words.size()};
  std::vector<std::uint32_t> tags(words.size()), order(words.size());
  try {
    const Model model = read_model(file.data(), file.size());
    if (model.config.task == Task::langid) {
      const LanguageIdentifier identifier = build_langid(model);
      std::vector<Identification> answers(words.size());
      LanguageIdentifier::Scratch scratch(identifier);
      identifier.identify(views(words).data(), words.size(), identifier.allow({0}), scratch, answers.data(), never);
    } else if (model.config.task == Task::pos) {
      const Tagger tagger = build_tagger(model);
      Tagger::Scratch scratch(tagger);
      tagger.tag(views(words).data(), starts, 1, scratch, tags.data(), never);
    } else if (model.config.task == Task::seg) {
      const Segmenter segmenter = build_segmenter(model);
      Segmenter::Scratch scratch(segmenter);
      std::vector<TokenSpan> found;
      for (const std::string& text : words) segmenter.segment(view(text), nullptr, 0, scratch, found, never);
    } else {
      const Preorderer preorderer = build_preorderer(model);
      Preorderer::Scratch scratch(preorderer);
      preorderer.reorder(views(words).data(), starts, 1, 2, scratch, tags.data(), order.data(), never);
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string repository = arguments[1];
  const int rounds = count > 2 ? std::stoi(arguments[2]) : 60;
  std::mt19937 random(13);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  int read = 0;
  for (const char* name : {"langid", "pos-af", "seg-th", "preorder-en-ja"}) {
    const Bytes file = model_file(repository, name);
    check(use(file), std::string(name) + " is read");
    const std::size_t header = 8 + file[0] + 256u * file[1] + 65536u * file[2];
    for (int round = 0; round < rounds; ++round) {
      Bytes forged = file;
      switch (round % 4) {
        case 0:  // cut short
          forged.resize(below(forged.size()));
          break;
        case 1:  // one character of the header
          forged[8 + below(header - 8)] = static_cast<std::uint8_t>(below(256));
          break;
        case 2: {  // a digit of the header: other sizes, other offsets
          std::size_t at = 8 + below(header - 8);
          while (at > 8 && (forged[at] < '0' || forged[at] > '9')) --at;
          forged[at] = static_cast<std::uint8_t>('0' + below(10));
          break;
        }
        default:  // weights: any bytes are some network
          for (int i = 0; i < 100; ++i)
            forged[header + below(forged.size() - header)] = static_cast<std::uint8_t>(random());
      }
      if (round % 4 != 0) seal(forged);
      read += use(forged);
    }
  }
  std::printf("%d forged files were models all the same\n", read);
  return result("files");
}
