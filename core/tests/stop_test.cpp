// SPDX-License-Identifier: Apache-2.0
// A scratch whose work was stopped in the middle of a word is as good as new.
#include "stop.hpp"

#include "model/build.hpp"
#include "testing.hpp"

using namespace budgie::model;
using namespace budgie::testing;

int main(int, char** arguments) {
  const std::vector<std::uint8_t> file = model_file(arguments[1], "pos-en");
  const Tagger tagger = build_tagger(read_model(file.data(), file.size()));
  const std::vector<std::string> words = {"The", "old", "cat", "sleeps", std::string(30 << 20, 'x')};
  const std::vector<budgie::text::TextView> all = views(words);
  const std::size_t starts[] = {0, 4};
  Tagger::Scratch scratch(tagger);
  std::vector<std::uint32_t> tags(4), expected(4);
  bool stopped = false;
  try {
    budgie::Stop stop([](void*) { return true; }, nullptr);
    tagger.tag(all.data() + 1, starts, 1, scratch, tags.data(), stop);
  } catch (const budgie::Stopped&) {
    stopped = true;
  }
  check(stopped, "a long word is stopped");
  tagger.tag(all.data(), starts, 1, scratch, tags.data(), never);
  Tagger::Scratch other(tagger);
  tagger.tag(all.data(), starts, 1, other, expected.data(), never);
  check(tags == expected, "tags do not depend on a stop before");
  return result("stop");
}
