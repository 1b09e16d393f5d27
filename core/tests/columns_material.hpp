// SPDX-License-Identifier: Apache-2.0
// What the tests of columns share: columns of every layout, tasks on embedded models, a reader.
#pragma once
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "columns/export.hpp"
#include "columns/stream.hpp"
#include "columns/tasks.hpp"
#include "model/build.hpp"
#include "testing.hpp"

namespace budgie::testing {

using namespace budgie::columns;
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

inline Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

// An array of buffers that are as long as what is in them.
inline Owned<ArrowArray> array(std::int64_t length, std::vector<Bytes> buffers, Arrays children = {},
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
inline const std::string kData = "Der Hund schläftIt rains.";
constexpr std::int32_t kFirst = 17, kAll = 26;
inline const std::vector<std::string> kLanguages{"de", "null", "und", "en"};
inline const Bytes kValid{0b1101};

inline std::vector<std::int32_t> view_of(std::int32_t length, std::int32_t begin) {
  std::vector<std::int32_t> view{length, 0, 0, 0};
  if (length > 12) {
    view[3] = begin;
  } else {
    std::memcpy(&view[1], kData.data() + begin, static_cast<std::size_t>(length));
  }
  return view;
}

inline std::vector<std::int32_t> views() {
  std::vector<std::int32_t> all;
  for (const auto& view : {view_of(kFirst, 0), view_of(0, 0), view_of(0, 0), view_of(kAll - kFirst, kFirst)}) {
    all.insert(all.end(), view.begin(), view.end());
  }
  return all;
}

inline Made made(const std::string& format) {
  Made column;
  const Bytes data = bytes_of(kData);
  if (format == "u" || format == "z") {
    column = {make_schema(format, "text"),
              array(4, {kValid, bytes_of(std::vector<std::int32_t>{0, kFirst, kFirst, kFirst, kAll}), data})};
  } else if (format == "U" || format == "Z") {
    column = {make_schema(format, "text"),
              array(4, {kValid, bytes_of(std::vector<std::int64_t>{0, kFirst, kFirst, kFirst, kAll}), data})};
  } else if (format == "vu" || format == "vz") {
    const Bytes sizes = bytes_of(std::vector<std::int64_t>{kAll});
    column = {make_schema(format, "text"), array(4, {kValid, bytes_of(views()), data, sizes})};
  } else if (format == "+s") {
    Made child = made("vu");
    column = {make_schema("+s", "", several(std::move(child.schema))), array(4, {{}}, several(std::move(child.array)))};
  } else {  // the format of indices into a dictionary of the same texts
    Made values = made("vu");
    column = {make_schema(format, "text", {}, std::move(values.schema)),
              array(4, {{}, format == "c" ? Bytes{0, 1, 2, 3} : bytes_of(std::vector<std::int64_t>{0, 1, 2, 3})}, {},
                    std::move(values.array))};
  }
  return column;
}

inline Made lists(const std::string& format) {
  Made words = made("vu");
  std::vector<Bytes> buffers{{}};
  if (format == "+l") buffers.push_back(bytes_of(std::vector<std::int32_t>{0, 1, 1, 4}));
  if (format == "+L") buffers.push_back(bytes_of(std::vector<std::int64_t>{0, 1, 1, 4}));
  const std::int64_t rows = format == "+w:2" ? 2 : 3;
  return {make_schema(format, "words", several(std::move(words.schema))),
          array(rows, buffers, several(std::move(words.array)))};
}

inline std::string text_at(const ArrowArray& texts, std::size_t row) {
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

inline Outcome read(Owned<ArrowArrayStream> stream) {
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

inline Outcome outcome_of(Made given, const AnyTask& task, const Choice& choice = {}) {
  try {
    return read(answer(stream_of(std::move(given.schema), std::move(given.array)), choice, task, 2, nullptr, nullptr));
  } catch (const std::invalid_argument& error) {
    return {EINVAL, error.what(), {}};
  }
}

}  // namespace budgie::testing
