// SPDX-License-Identifier: Apache-2.0
// Streams of columns without Python: they end, fail, are stopped and given up, and what was handed over lives for as
// long as somebody has it.
#include <limits>

#include "columns_material.hpp"

namespace {

using namespace budgie::testing;

// A stream that gives so many arrays, and then ends or fails.
struct Source {
  std::size_t arrays;
  int error = 0;
  bool empty = false;  // the arrays
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
    if (from.empty) out->length = 0;
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
  const auto refused_without = [&](auto function) {
    Owned<ArrowArrayStream> half = stream_of(Source{1});
    half.get()->*function = nullptr;
    return throws<std::invalid_argument>([&] { answer(std::move(half), {}, tasks.identify, 1, nullptr, nullptr); });
  };
  EXPECT(refused_without(&ArrowArrayStream::get_schema));
  EXPECT(refused_without(&ArrowArrayStream::get_next));
  EXPECT(refused_without(&ArrowArrayStream::get_last_error));
}

void test_stop(const Tasks& tasks) {
  const std::string text(std::size_t{256} << 20, 'a');  // longer than a stop takes to be heard
  Made given{make_schema("u", ""), array(1, {{}, bytes_of(std::vector<std::int32_t>{0, 256 << 20}), bytes_of(text)})};
  Owned<ArrowArrayStream> stream = answer(
      stream_of(std::move(given.schema), std::move(given.array)), {}, tasks.identify, 1, [](void*) { return true; },
      nullptr);
  Owned<ArrowArray> batch;
  EXPECT(stream->get_next(stream.get(), batch.get()) == EINTR && batch.empty());

  // Arrays without rows, and no end.
  stream = answer(
      stream_of({std::numeric_limits<std::size_t>::max(), 0, true}), {}, tasks.identify, 1, [](void*) { return true; },
      nullptr);
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
  test_streams(tasks);
  test_stop(tasks);
  test_keep(tasks);
  return result("column_streams_test");
}
