// SPDX-License-Identifier: Apache-2.0
// EXPECT(condition) ends a test program where a condition does not hold, and names it.
#pragma once
#include <cstdio>
#include <cstdlib>

namespace budgie::tests {

inline void expect(bool holds, const char* condition, const char* file, int line) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
  std::exit(1);
}

}  // namespace budgie::tests

#define EXPECT(condition) budgie::tests::expect(condition, #condition, __FILE__, __LINE__)
