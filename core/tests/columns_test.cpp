// SPDX-License-Identifier: Apache-2.0
// Columns without Python: every layout of texts gives the same answers, and every malformed one an error. Memory safety
// shows with sanitizers (make asan).
#include <random>

#include "columns_material.hpp"

namespace {

using namespace budgie::testing;

void test_layouts(const Tasks& tasks) {
  for (const char* format : {"u", "U", "vu", "z", "Z", "vz", "+s", "c", "l"}) {
    const Outcome outcome = outcome_of(made(format), tasks.identify);
    check(outcome.error == 0 && outcome.first == kLanguages, std::string("texts of layout ") + format);
    for (const AnyTask& task : {tasks.spans, tasks.rank, tasks.segment, tasks.annotate}) {
      check(outcome_of(made(format), task).error == 0, std::string("tasks on layout ") + format);
    }
    check(outcome_of(made(format), tasks.tag).error == EINVAL, std::string("no lists: ") + format);
  }
  for (const char* format : {"+l", "+L", "+w:2"}) {
    check(outcome_of(lists(format), tasks.tag).error == 0, std::string("lists of layout ") + format);
    check(outcome_of(lists(format), tasks.identify).error == EINVAL, std::string("no texts: ") + format);
  }
}

// What is wrong with a column: the call, that makes it so.
template <class Change>
void expect_error(const char* what, Made given, const AnyTask& task, Change&& change) {
  change(*given.schema.get(), *given.array.get());
  const Outcome outcome = outcome_of(std::move(given), task);
  check(outcome.error == EINVAL && !outcome.message.empty(), std::string("malformed: ") + what);
}

template <class Number>
void set(const ArrowArray& array, std::size_t buffer, std::size_t place, Number value) {
  auto* begin = static_cast<std::uint8_t*>(const_cast<void*>(array.buffers[buffer]));
  std::memcpy(begin + place * sizeof value, &value, sizeof value);
}

void test_malformed_schemas(const Tasks& tasks) {
  const auto wrong = [&](const char* what, const char* format, auto change) {
    const bool list = std::strchr("l+L", format[0]) != nullptr && format[0] == '+' && format[1] != 's';
    expect_error(what, list ? lists(format) : made(format), list ? tasks.tag : tasks.identify,
                 [&](ArrowSchema& schema, ArrowArray&) { change(schema); });
  };
  wrong("no format", "u", [](ArrowSchema& schema) { schema.format = nullptr; });
  wrong("another format", "u", [](ArrowSchema& schema) { schema.format = "i"; });
  wrong("an empty format", "u", [](ArrowSchema& schema) { schema.format = ""; });
  wrong("indices of another type", "c", [](ArrowSchema& schema) { schema.format = "f"; });
  wrong("indices of a long type", "c", [](ArrowSchema& schema) { schema.format = "cc"; });
  wrong("a dictionary of dictionaries", "c", [](ArrowSchema& schema) { schema.dictionary->dictionary = &schema; });
  wrong("a table without columns", "+s", [](ArrowSchema& schema) { schema.n_children = 0; });
  wrong("a table of -1 columns", "+s", [](ArrowSchema& schema) { schema.n_children = -1; });
  wrong("a table whose columns are nowhere", "+s", [](ArrowSchema& schema) { schema.children = nullptr; });
  wrong("a table with a hole", "+s", [](ArrowSchema& schema) { schema.children[0]->format = nullptr; });
  wrong("a list of nothing", "+l", [](ArrowSchema& schema) { schema.n_children = 0; });
  wrong("a list of what is nowhere", "+l", [](ArrowSchema& schema) { schema.children = nullptr; });
  for (const char* format : {"+w:", "+w:-1", "+w:x", "+w:2x", "+w:99999999999", "+l2", "+", "+w"}) {
    wrong(format, "+l", [&](ArrowSchema& schema) { schema.format = format; });
  }
}

void test_malformed_arrays(const Tasks& tasks) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  for (const char* format : {"u", "U", "vu", "+s", "c", "l", "+l", "+L", "+w:2"}) {
    const bool list = format[0] == '+' && format[1] != 's';
    const AnyTask& task = list ? tasks.tag : tasks.identify;
    const auto wrong = [&](const char* what, auto change) {
      expect_error((std::string(format) + ": " + what).c_str(), list ? lists(format) : made(format), task,
                   [&](ArrowSchema&, ArrowArray& array) { change(array); });
    };
    for (const std::int64_t number : {std::int64_t{-1}, -kMost, kMost, kMost / 32}) {
      wrong("length", [&](ArrowArray& array) { array.length = number; });
      wrong("offset", [&](ArrowArray& array) { array.offset = number; });
    }
    for (const std::int64_t number : {std::int64_t{-1}, std::int64_t{0}, kMost}) {
      wrong("buffers", [&](ArrowArray& array) { array.n_buffers = number; });
    }
    wrong("no buffers", [](ArrowArray& array) { array.buffers = nullptr; });
    wrong("nulls nowhere", [](ArrowArray& array) {
      array.buffers[0] = nullptr;
      array.null_count = 1;
    });
    if (std::string_view(format) == "+s" || list) {
      wrong("no children", [](ArrowArray& array) { array.n_children = 0; });
      wrong("children nowhere", [](ArrowArray& array) { array.children = nullptr; });
      wrong("short children", [](ArrowArray& array) { array.children[0]->length = 1; });
      wrong("children of a negative length", [](ArrowArray& array) { array.children[0]->length = -5; });
      wrong("long children", [](ArrowArray& array) { array.children[0]->offset = kMost - 1; });
    }
    if (std::string_view(format) != "+s" && std::string_view(format) != "+w:2") {
      wrong("no places", [](ArrowArray& array) { array.buffers[1] = nullptr; });
    }
  }
  const auto wrong = [&](const char* format, const char* what, auto change) {
    const bool list = format[0] == '+';
    expect_error(what, list ? lists(format) : made(format), list ? tasks.tag : tasks.identify,
                 [&](ArrowSchema&, ArrowArray& array) { change(array); });
  };
  wrong("u", "no data", [](ArrowArray& array) { array.buffers[2] = nullptr; });
  wrong("u", "a negative offset", [](ArrowArray& array) { set(array, 1, 0, std::int32_t{-1}); });
  wrong("u", "descending offsets", [](ArrowArray& array) { set(array, 1, 3, std::int32_t{90}); });
  wrong("U", "a negative long offset", [](ArrowArray& array) { set(array, 1, 0, std::int64_t{-1}); });
  wrong("U", "descending long offsets", [](ArrowArray& array) { set(array, 1, 3, std::int64_t{1} << 40); });
  wrong("vu", "a text of negative length", [](ArrowArray& array) { set(array, 1, 0, std::int32_t{-1}); });
  wrong("vu", "a text too long", [](ArrowArray& array) { set(array, 1, 0, std::int32_t{kAll + 1}); });
  wrong("vu", "a text in another buffer", [](ArrowArray& array) { set(array, 1, 2, std::int32_t{1}); });
  wrong("vu", "a text in a negative buffer", [](ArrowArray& array) { set(array, 1, 2, std::int32_t{-1}); });
  wrong("vu", "a text behind the end", [](ArrowArray& array) { set(array, 1, 3, std::int32_t{kAll - kFirst + 1}); });
  wrong("vu", "a text before the begin", [](ArrowArray& array) { set(array, 1, 3, std::int32_t{-1}); });
  wrong("vu", "a buffer of negative size", [](ArrowArray& array) { set(array, 3, 0, std::int64_t{-1}); });
  wrong("vu", "a buffer that is nowhere", [](ArrowArray& array) { array.buffers[2] = nullptr; });
  wrong("vu", "no sizes", [](ArrowArray& array) { array.buffers[3] = nullptr; });
  wrong("c", "an index too large", [](ArrowArray& array) { set(array, 1, 2, std::int8_t{4}); });
  wrong("c", "a negative index", [](ArrowArray& array) { set(array, 1, 2, std::int8_t{-1}); });
  wrong("l", "a negative long index", [](ArrowArray& array) { set(array, 1, 2, std::int64_t{-1}); });
  wrong("c", "no dictionary", [](ArrowArray& array) { array.dictionary = nullptr; });
  wrong("c", "a short dictionary", [](ArrowArray& array) { array.dictionary->length = 3; });
  wrong("+l", "a list too long", [](ArrowArray& array) { set(array, 1, 3, std::int32_t{5}); });
  wrong("+L", "a list before the begin", [](ArrowArray& array) { set(array, 1, 0, std::int64_t{-4}); });
}

// What can be checked wholly may hold anything.
void test_any_bytes(const Tasks& tasks) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    for (const char* format : {"vu", "c", "l", "+l", "+L"}) {
      const bool list = format[0] == '+';
      Made given = list ? lists(format) : made(format);
      ArrowArray& array = *given.array.get();
      const std::size_t bytes = format[0] == 'c'                   ? 4
                                : format[0] == 'v'                 ? 64
                                : std::string_view(format) == "+l" ? 16
                                                                   : 32;
      for (int change = 0; change < 3; ++change) {
        set(array, 1, random() % bytes, static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 8));
      }
      const Outcome outcome = outcome_of(std::move(given), list ? tasks.tag : tasks.identify);
      check(outcome.error == 0 || outcome.error == EINVAL, "any bytes");
    }
  }
}

}  // namespace

int main(int, char** arguments) {
  const Tasks tasks(arguments[1]);
  test_layouts(tasks);
  test_malformed_schemas(tasks);
  test_malformed_arrays(tasks);
  test_any_bytes(tasks);
  return result("columns_test");
}
