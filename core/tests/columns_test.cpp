// SPDX-License-Identifier: Apache-2.0
// Columns without Python: every layout of texts gives the same answers, every malformed one an error, and what was
// handed over lives for as long as somebody has it. Memory safety shows with sanitizers (make asan).
#include <cerrno>
#include <cstring>
#include <random>
#include <stdexcept>

#include "columns/export.hpp"
#include "columns/stream.hpp"
#include "columns/tasks.hpp"
#include "model/build.hpp"
#include "testing.hpp"

namespace {

using namespace budgie::columns;
using namespace budgie::testing;
using namespace budgie::model;

using Bytes = std::vector<std::uint8_t>;
using Schemas = std::vector<Owned<ArrowSchema>>;
using Arrays = std::vector<Owned<ArrowArray>>;

template <class Number>
Bytes bytes_of(const std::vector<Number>& numbers) {
  Bytes bytes(numbers.size() * sizeof(Number));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

// An array of buffers that are as long as what is in them.
Owned<ArrowArray> array(std::int64_t length, std::vector<Bytes> buffers, Arrays children = {},
                        Owned<ArrowArray> dictionary = {}) {
  const auto kept = std::make_shared<const std::vector<Bytes>>(std::move(buffers));
  std::vector<const void*> pointers;
  for (const Bytes& buffer : *kept) pointers.push_back(buffer.empty() ? nullptr : buffer.data());
  return make_array(length, -1, pointers, std::move(children), kept, std::move(dictionary));
}

template <class... Each>
auto several(Each... each) {
  std::vector<std::common_type_t<Each...>> all;
  (all.push_back(std::move(each)), ...);
  return all;
}

struct Made {
  Owned<ArrowSchema> schema{};
  Owned<ArrowArray> array{};
};

// "Der Hund schläft", null, "", and a text of 12 bytes at most.
const std::string kData = "Der Hund schläftIt rains.";
constexpr std::int32_t kFirst = 17, kAll = 26;
const std::vector<std::string> kLanguages{"de", "null", "und", "en"};
const Bytes kValid{0b1101};

std::vector<std::int32_t> view_of(std::int32_t length, std::int32_t begin) {
  std::vector<std::int32_t> view{length, 0, 0, 0};
  if (length > 12) {
    view[3] = begin;
  } else {
    std::memcpy(&view[1], kData.data() + begin, static_cast<std::size_t>(length));
  }
  return view;
}

std::vector<std::int32_t> views() {
  std::vector<std::int32_t> all;
  for (const auto& view : {view_of(kFirst, 0), view_of(0, 0), view_of(0, 0), view_of(kAll - kFirst, kFirst)}) {
    all.insert(all.end(), view.begin(), view.end());
  }
  return all;
}

Made made(const std::string& format) {
  Made made;
  const Bytes data = bytes_of(kData);
  if (format == "u" || format == "z") {
    made = {make_schema(format, "text"),
            array(4, {kValid, bytes_of(std::vector<std::int32_t>{0, kFirst, kFirst, kFirst, kAll}), data})};
  } else if (format == "U" || format == "Z") {
    made = {make_schema(format, "text"),
            array(4, {kValid, bytes_of(std::vector<std::int64_t>{0, kFirst, kFirst, kFirst, kAll}), data})};
  } else if (format == "vu" || format == "vz") {
    const Bytes sizes = bytes_of(std::vector<std::int64_t>{kAll});
    made = {make_schema(format, "text"), array(4, {kValid, bytes_of(views()), data, sizes})};
  } else if (format == "+s") {
    Made child = ::made("vu");
    made = {make_schema("+s", "", several(std::move(child.schema))), array(4, {{}}, several(std::move(child.array)))};
  } else {  // the format of indices into a dictionary of the same texts
    Made values = ::made("vu");
    made = {make_schema(format, "text", {}, std::move(values.schema)),
            array(4, {{}, format == "c" ? Bytes{0, 1, 2, 3} : bytes_of(std::vector<std::int64_t>{0, 1, 2, 3})}, {},
                  std::move(values.array))};
  }
  return made;
}

Made lists(const std::string& format) {
  Made words = made("vu");
  std::vector<Bytes> buffers{{}};
  if (format == "+l") buffers.push_back(bytes_of(std::vector<std::int32_t>{0, 1, 1, 4}));
  if (format == "+L") buffers.push_back(bytes_of(std::vector<std::int64_t>{0, 1, 1, 4}));
  const std::int64_t rows = format == "+w:2" ? 2 : 3;
  return {make_schema(format, "words", several(std::move(words.schema))),
          array(rows, buffers, several(std::move(words.array)))};
}

std::string text_at(const ArrowArray& texts, std::size_t row) {
  if (texts.buffers[0] != nullptr) {
    const auto* valid = static_cast<const std::uint8_t*>(texts.buffers[0]);
    if ((valid[row / 8] >> row % 8 & 1) == 0) return "null";
  }
  const auto* offsets = static_cast<const std::int32_t*>(texts.buffers[1]);
  const auto* data = static_cast<const char*>(texts.buffers[2]);
  return {data + offsets[row], data + offsets[row + 1]};
}

struct Outcome {
  int error = 0;
  std::string message{};
  std::vector<std::string> first{};  // the first column, where that has texts
};

Outcome read(Owned<ArrowArrayStream> stream) {
  Outcome outcome;
  Owned<ArrowSchema> schema;
  outcome.error = stream->get_schema(stream.get(), schema.get());
  for (bool more = true; more && outcome.error == 0;) {
    Owned<ArrowArray> batch;
    outcome.error = stream->get_next(stream.get(), batch.get());
    more = outcome.error == 0 && !batch.empty();
    if (!more || std::string(schema->children[0]->format) != "u") continue;
    for (std::int64_t row = 0; row < batch->length; ++row) {
      outcome.first.push_back(text_at(*batch->children[0], static_cast<std::size_t>(row)));
    }
  }
  if (outcome.error != 0) outcome.message = stream->get_last_error(stream.get());
  return outcome;
}

// The tasks, by models that come with Budgie.
class Tasks {
 public:
  explicit Tasks(const std::string& repository) {
    const auto langid = model_file(repository, "langid"), pos = model_file(repository, "pos-en"),
               tokens = model_file(repository, "tokens");
    const Model model = read_model(langid.data(), langid.size());
    identifier_ = std::make_shared<const LanguageIdentifier>(build_langid(model));
    std::vector<std::string> names = model.config.labels;
    names.push_back("und");
    const Identifying with{identifier_,
                           identifier_->allow(identifier_->offer().usual),
                           {std::make_shared<const std::vector<std::string>>(names)}};
    identify = std::make_shared<const budgie::columns::Task>(budgie::columns::identify(with));
    spans = std::make_shared<const budgie::columns::Task>(budgie::columns::spans(with));
    rank = std::make_shared<const budgie::columns::Task>(budgie::columns::rank(with, 2));
    const Model tagger = read_model(pos.data(), pos.size());
    tag = std::make_shared<const budgie::columns::Task>(
        budgie::columns::tag(std::make_shared<const Tagger>(build_tagger(tagger)),
                             std::make_shared<const std::vector<std::string>>(tagger.config.labels), true, true));
    const auto segmenter = std::make_shared<const Segmenter>(build_segmenter(read_model(tokens.data(), tokens.size())));
    segment = std::make_shared<const budgie::columns::Task>(budgie::columns::segment({segmenter, nullptr}, true));
    const auto all = std::make_shared<Names>(Names{names, {}});
    std::vector<Route> routes(names.size());
    for (Route& route : routes) route.tokens = segmenter.get();
    const auto unknown = static_cast<std::uint32_t>(names.size() - 1);
    const auto pipeline = std::make_shared<const Pipeline>(*identifier_, all, unknown, routes);
    const Annotating annotating{pipeline, std::nullopt, with.allowed, {}};
    annotate = std::make_shared<const budgie::columns::Task>(budgie::columns::annotate(annotating, true));
    held_ = segmenter;
  }

  std::shared_ptr<const budgie::columns::Task> identify, spans, rank, tag, segment, annotate;

 private:
  std::shared_ptr<const LanguageIdentifier> identifier_;
  std::shared_ptr<const void> held_;
};

using AnyTask = std::shared_ptr<const budgie::columns::Task>;

Outcome outcome_of(Made given, const AnyTask& task, const Choice& choice = {}) {
  try {
    return read(answer(stream_of(std::move(given.schema), std::move(given.array)), choice, task, 2, nullptr, nullptr));
  } catch (const std::invalid_argument& error) {
    return {EINVAL, error.what(), {}};
  }
}

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

// ---- streams

// A stream that gives so many arrays, and then ends or fails.
struct Source {
  std::size_t arrays;
  int error = 0;
};

Owned<ArrowArrayStream> stream_of(const Source& source) {
  ArrowArrayStream stream{};
  stream.get_schema = [](ArrowArrayStream*, ArrowSchema* out) {
    made("u").schema.move_to(out);
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    auto& from = *static_cast<Source*>(self->private_data);
    out->release = nullptr;
    if (from.arrays == 0) return from.error;
    --from.arrays;
    made("u").array.move_to(out);
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) { return "the disk is full"; };
  stream.release = [](ArrowArrayStream* self) {
    delete static_cast<Source*>(self->private_data);
    self->release = nullptr;
  };
  stream.private_data = new Source(source);
  return Owned<ArrowArrayStream>(stream);
}

void test_streams(const Tasks& tasks) {
  const auto answers = [&](const Source& source, budgie::Stop::Asked asked = nullptr) {
    return answer(stream_of(source), {}, tasks.identify, 1, asked, nullptr);
  };
  Outcome outcome = read(answers({3}));
  EXPECT(outcome.error == 0 && outcome.first.size() == 12);
  EXPECT(read(answers({0})).first.empty());
  outcome = read(answers({2, ENOSPC}));
  EXPECT(outcome.error == ENOSPC && outcome.message == "the disk is full" && outcome.first.size() == 8);

  // Once it has failed, it has.
  Owned<ArrowArrayStream> failed = answers({0, EIO});
  Owned<ArrowArray> batch;
  EXPECT(failed->get_next(failed.get(), batch.get()) == EIO && batch.empty());
  EXPECT(failed->get_next(failed.get(), batch.get()) == EIO && batch.empty());

  // Who stops early.
  {
    const Owned<ArrowArrayStream> unread = answers({3});
  }
  Owned<ArrowArrayStream> stopped = answers({3});
  EXPECT(stopped->get_next(stopped.get(), batch.get()) == 0 && batch->length == 4);
  EXPECT(stopped->get_last_error(stopped.get()) == nullptr);
  stopped = {};
  EXPECT(text_at(*batch->children[0], 0) == "de");  // lives on
  const Owned<ArrowArray> child(*batch->children[0]);
  batch = {};
  EXPECT(text_at(*child, 3) == "en");  // and so does what is taken out of it

  // What was taken already.
  Made taken = made("u");
  {
    const Made first = std::move(taken);
  }
  EXPECT(outcome_of(std::move(taken), tasks.identify).error == EINVAL);
  EXPECT(throws<std::invalid_argument>([&] { answer({}, {}, tasks.identify, 1, nullptr, nullptr); }));
  for (auto ArrowArrayStream::* function : {&ArrowArrayStream::get_last_error}) {
    Owned<ArrowArrayStream> half = stream_of(Source{1});
    half.get()->*function = nullptr;
    EXPECT(throws<std::invalid_argument>([&] { answer(std::move(half), {}, tasks.identify, 1, nullptr, nullptr); }));
  }
}

void test_stop(const Tasks& tasks) {
  const std::string text(8 << 20, 'a');
  Made given{make_schema("u", ""), array(1, {{}, bytes_of(std::vector<std::int32_t>{0, 8 << 20}), bytes_of(text)})};
  Owned<ArrowArrayStream> stream = answer(
      stream_of(std::move(given.schema), std::move(given.array)), {}, tasks.identify, 1, [](void*) { return true; },
      nullptr);
  Owned<ArrowArray> batch;
  EXPECT(stream->get_next(stream.get(), batch.get()) == EINTR && batch.empty());
}

// Columns that are kept: shared with the source, for as long as somebody has them.
void test_keep(const Tasks& tasks) {
  const auto table = [] {
    Made text = made("u"), other = made("c"), words = lists("+l");
    words.schema.get()->name = "words";
    other.schema.get()->name = "other";
    words.array.get()->length = 3;
    return Made{
        make_schema("+s", "", several(std::move(text.schema), std::move(other.schema), std::move(words.schema))),
        array(3, {{}}, several(std::move(text.array), std::move(other.array), std::move(words.array)))};
  };
  Made given = table();
  Owned<ArrowArrayStream> stream = answer(stream_of(std::move(given.schema), std::move(given.array)),
                                          {"text", {"words", "other", "text"}}, tasks.identify, 1, nullptr, nullptr);
  Owned<ArrowSchema> schema;
  Owned<ArrowArray> batch;
  EXPECT(stream->get_schema(stream.get(), schema.get()) == 0 && schema->n_children == 6);
  EXPECT(stream->get_next(stream.get(), batch.get()) == 0 && batch->length == 3 && batch->n_children == 6);
  stream = {};
  const Owned<ArrowSchema> kind(*schema->children[0]);
  const Owned<ArrowArray> words(*batch->children[0]), other(*batch->children[1]);
  schema = {};
  const Owned<ArrowArray> inside(*words->children[0]);
  EXPECT(text_at(*batch->children[2], 0) == "Der Hund schläft" && text_at(*batch->children[3], 0) == "de");
  batch = {};
  EXPECT(std::string(kind->format) == "+l" && inside->length == 4 && other->dictionary->length == 4);

  const auto refused = [&](const Choice& choice, auto change) {
    Made one = table();
    change(one);
    return outcome_of(std::move(one), tasks.identify, choice).error == EINVAL;
  };
  const auto nothing = [](Made&) {};
  EXPECT(refused({"text", {"nowhere"}}, nothing));
  EXPECT(refused({"nowhere", {}}, nothing));
  EXPECT(refused({}, nothing));
  EXPECT(refused({"text", {"other"}}, [](Made& one) { one.schema.get()->children[1]->name = "text"; }));
  EXPECT(refused({"text", {"language"}}, [](Made& one) { one.schema.get()->children[1]->name = "language"; }));
  EXPECT(refused({"text", {"words"}}, [](Made& one) { one.schema.get()->children[2]->children = nullptr; }));
  EXPECT(refused({"text", {"words"}}, [](Made& one) { one.array.get()->children[2]->children = nullptr; }));
  EXPECT(refused({"text", {"words"}}, [](Made& one) { one.array.get()->children[2]->length = 2; }));
  EXPECT(refused({"text", {"words"}}, [](Made& one) { one.array.get()->children[2]->offset = -1; }));
  EXPECT(refused({"text", {"words"}}, [](Made& one) { one.array.get()->n_children = 2; }));
}

}  // namespace

int main(int, char** arguments) {
  const Tasks tasks(arguments[1]);
  test_layouts(tasks);
  test_malformed_schemas(tasks);
  test_malformed_arrays(tasks);
  test_any_bytes(tasks);
  test_streams(tasks);
  test_stop(tasks);
  test_keep(tasks);
  return result("columns_test");
}
