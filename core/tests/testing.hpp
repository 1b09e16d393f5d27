// SPDX-License-Identifier: Apache-2.0
// What the core's own tests share: checks that say where they failed, files, texts.
#pragma once
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "stop.hpp"
#include "text/text.hpp"

namespace budgie::testing {

inline int failures = 0;

// Nobody stops these.
inline thread_local Stop never;

inline void check(bool right, const std::string& what) {
  if (right) return;
  ++failures;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

// What main() returns.
inline int result(const char* name) {
  std::printf("%s: %s\n", name, failures == 0 ? "passed" : "FAILED");
  return failures == 0 ? 0 : 1;
}

// Whether a call throws that.
template <class Exception, class Call>
bool throws(Call&& call) {
  try {
    call();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

// The file of a model, one that is embedded or one of budgie-nlp-restricted.
inline std::vector<std::uint8_t> model_file(const std::string& repository, const std::string& name) {
  std::ifstream file(repository + "/src/budgie/models/" + name + ".safetensors", std::ios::binary);
  if (!file.good()) {
    file.open(repository + "/restricted/src/budgie_restricted/models/" + name + ".safetensors", std::ios::binary);
  }
  check(file.good(), "open the model " + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline text::TextView view(std::string_view utf8) { return {utf8.data(), utf8.size()}; }

inline std::vector<text::TextView> views(const std::vector<std::string>& texts) {
  std::vector<text::TextView> all;
  for (const std::string& text : texts) all.push_back(view(text));
  return all;
}

}  // namespace budgie::testing

#define BUDGIE_LINE_TEXT(line) #line
#define BUDGIE_LINE(line) BUDGIE_LINE_TEXT(line)
#define EXPECT(condition) budgie::testing::check(condition, __FILE__ ":" BUDGIE_LINE(__LINE__) ": " #condition)
