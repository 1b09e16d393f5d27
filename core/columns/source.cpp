// SPDX-License-Identifier: Apache-2.0
#include "columns/source.hpp"

#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "columns/export.hpp"

namespace budgie::columns {

namespace {

constexpr std::size_t kMostWords = std::size_t{1} << 24;  // of one list: they need memory even where they have no bytes

std::string_view name_of(const ArrowSchema& schema) { return schema.name == nullptr ? "" : schema.name; }

bool is_table(const ArrowSchema& schema) {
  return schema.format != nullptr && std::string_view(schema.format) == "+s" && schema.dictionary == nullptr;
}

// The number of a column by its name.
std::size_t find(const ArrowSchema& table, const std::string& name) {
  std::string names;
  std::optional<std::size_t> found;
  for (std::int64_t c = 0; c < table.n_children; ++c) {
    const std::string_view one = name_of(*table.children[c]);
    names += (c > 0 ? ", " : "") + std::string(one);
    if (one != name) continue;
    if (found) throw std::invalid_argument("there are two columns " + name);
    found = static_cast<std::size_t>(c);
  }
  if (!found) throw std::invalid_argument("there is no column " + name + "; there are " + names);
  return *found;
}

// That of the texts, where nobody says which.
std::size_t only_column(const ArrowSchema& table) {
  if (table.n_children == 1) return 0;
  std::string names;
  for (std::int64_t c = 0; c < table.n_children; ++c) {
    names += (c > 0 ? ", " : "") + std::string(name_of(*table.children[c]));
  }
  throw std::invalid_argument("column= must say which of these has the texts: " + names);
}

// What a stream of one array holds.
struct OneArray {
  Owned<ArrowSchema> schema;
  Owned<ArrowArray> array;
};

}  // namespace

Owned<ArrowArrayStream> stream_of(Owned<ArrowSchema> schema, Owned<ArrowArray> array) {
  if (schema.empty() || array.empty()) throw std::invalid_argument("the array was used already, or given back");
  auto held = std::make_unique<OneArray>(OneArray{std::move(schema), std::move(array)});
  ArrowArrayStream made{};
  made.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    static_cast<OneArray*>(self->private_data)->schema.move_to(out);
    return 0;
  };
  made.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    static_cast<OneArray*>(self->private_data)->array.move_to(out);
    return 0;
  };
  made.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  made.release = [](ArrowArrayStream* self) {
    delete static_cast<OneArray*>(self->private_data);
    self->release = nullptr;
  };
  made.private_data = held.release();
  return Owned<ArrowArrayStream>(made);
}

Source::Source(Owned<ArrowArrayStream> stream, Choice choice, bool takes_lists)
    : stream_(std::move(stream)), schema_(std::make_shared<Owned<ArrowSchema>>()) {
  if (stream_.empty()) throw std::invalid_argument("the stream was used already, or given back");
  if (stream_->get_schema == nullptr || stream_->get_next == nullptr || stream_->get_last_error == nullptr) {
    throw std::invalid_argument("the stream is malformed: a function is missing");
  }
  check(stream_->get_schema(stream_.get(), schema_->get()));
  const ArrowSchema& schema = **schema_;
  if (schema_->empty()) throw std::invalid_argument("the stream is malformed: it has no type");
  const ArrowSchema* column = &schema;
  if (is_table(schema)) {
    if (schema.n_children < 0 || (schema.n_children > 0 && schema.children == nullptr)) {
      throw std::invalid_argument("the table is malformed: its columns are missing");
    }
    for (std::int64_t c = 0; c < schema.n_children; ++c) {
      if (schema.children[c] == nullptr) throw std::invalid_argument("the table is malformed: a column is missing");
    }
    column_ = choice.column ? find(schema, *choice.column) : only_column(schema);
    for (const std::string& name : choice.keep) kept_.push_back(find(schema, name));
    column = schema.children[*column_];
  } else if (choice.column || !choice.keep.empty()) {
    throw std::invalid_argument("this is no table but one column: column= and keep= have no meaning");
  }
  if (takes_lists) {
    type_ = list_type(*column);
  } else {
    type_ = text_type(*column);
  }
}

void Source::check(int number) {
  if (number == 0) return;
  const char* message = stream_->get_last_error(stream_.get());
  throw SourceError(number, message == nullptr ? "the source of the texts failed" : message);
}

std::vector<Owned<ArrowSchema>> Source::kept_schemas() const {
  std::vector<Owned<ArrowSchema>> schemas;
  for (const std::size_t c : kept_) schemas.push_back(share(*(**schema_).children[c], schema_));
  return schemas;
}

bool Source::next(std::size_t most, Piece& piece, Stop& stop) {
  first_ = last_;
  while (first_ == length_) {
    stop.look();
    if (!next_array()) return false;
  }
  piece.lists = std::holds_alternative<Lists>(rows_);
  std::size_t bytes = 0;
  for (; last_ < length_ && bytes < most; ++last_) {
    add(piece, last_);
    bytes += piece.bytes(last_ - first_);
  }
  return true;
}

void Source::add(Piece& piece, std::size_t row) const {
  const bool null = nulls_.at(row);
  const auto add_text = [&](const std::optional<TextView>& text) {
    piece.texts.push_back(text.value_or(kEmptyText));
    piece.null_texts.push_back(!text);
  };
  if (const auto* texts = std::get_if<Texts>(&rows_)) {
    piece.binary = std::get<TextType>(type_).binary;
    return add_text(null ? std::nullopt : texts->at(before_ + row));
  }
  const Lists& lists = std::get<Lists>(rows_);
  const auto words = null ? std::nullopt : lists.at(before_ + row);
  if (words) {
    if (words->second - words->first > kMostWords) throw std::invalid_argument("a list of too many words");
    for (std::size_t w = words->first; w < words->second; ++w) add_text(lists.words().at(w));
  }
  piece.starts.push_back(piece.texts.size());
  piece.null_lists.push_back(!words);
}

// False at the end.
bool Source::next_array() {
  if (stream_.empty()) return false;  // nobody says what comes after the end
  rows_ = {};
  array_.reset();  // before there is another one
  first_ = last_ = length_ = 0;
  auto array = std::make_shared<Owned<ArrowArray>>();
  check(stream_->get_next(stream_.get(), array->get()));
  array_ = std::move(array);
  if (array_->empty()) {
    stream_ = {};
    return false;
  }
  const ArrowArray& all = **array_;
  const ArrowArray* column = &all;
  before_ = 0;
  nulls_ = {};
  if (column_) {
    const ArrowSchema& schema = **schema_;
    if (all.n_children != schema.n_children || all.children == nullptr || all.children[*column_] == nullptr) {
      throw std::invalid_argument("the table is malformed: a column is missing");
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 64;
    if (all.length < 0 || all.offset < 0 || all.length > kMost || all.offset > kMost || all.n_buffers != 1 ||
        all.buffers == nullptr) {
      throw std::invalid_argument("the table is malformed: it has no length or no buffer");
    }
    nulls_ = Nulls(all);
    if (!kept_.empty() && nulls_.any(static_cast<std::size_t>(all.length)))
      throw std::invalid_argument("rows that are null as a whole cannot be kept");
    before_ = static_cast<std::size_t>(all.offset);
    column = all.children[*column_];
  }
  if (const auto* texts = std::get_if<TextType>(&type_)) {
    rows_ = Texts(*texts, *column);
  } else {
    rows_ = Lists(std::get<ListType>(type_), *column);
  }
  const std::size_t rows = std::visit([](const auto& one) { return one.length(); }, rows_);
  length_ = column_ ? static_cast<std::size_t>(all.length) : rows;
  if (before_ + length_ > rows) throw std::invalid_argument("the table is malformed: a column is too short");
  for (const std::size_t c : kept_) {
    if (all.children[c] == nullptr || all.children[c]->offset < 0 ||
        all.children[c]->length < static_cast<std::int64_t>(before_ + length_)) {
      throw std::invalid_argument("the table is malformed: a column is too short");
    }
  }
  return true;
}

std::vector<Owned<ArrowArray>> Source::kept_arrays() const {
  std::vector<Owned<ArrowArray>> arrays;
  for (const std::size_t c : kept_) {
    ArrowArray part = *(**array_).children[c];  // nobody gives it back by this copy
    part.offset += static_cast<std::int64_t>(before_ + first_);
    part.length = static_cast<std::int64_t>(last_ - first_);
    if (part.null_count != 0) part.null_count = -1;  // not counted
    arrays.push_back(share(part, array_));
  }
  return arrays;
}

}  // namespace budgie::columns
