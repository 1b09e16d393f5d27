// SPDX-License-Identifier: Apache-2.0
#include "columns/column.hpp"

#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

#include "columns/export.hpp"

namespace budgie::columns {

namespace {

std::int32_t offset(std::size_t end) {
  if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw std::length_error("there is a text of which more is found than fits into a column (2 GiB)");
  }
  return static_cast<std::int32_t>(end);
}

// Whether these bytes can stay as they are: well-formed UTF-8, or ASCII.
bool is_utf8(const TextView& text) {
  if (text.width() > 1) return false;
  const auto* at = static_cast<const std::uint8_t*>(text.data);
  const auto* const end = at + text.length;
  while (at != end) {
    if (*at < 0x80) {
      ++at;
      continue;
    }
    if (text.kind != TextView::Kind::utf8) return false;
    const std::uint8_t* const from = at;
    // A U+FFFD that stands in the text itself has three bytes, of which the first is this one.
    if (Utf8::next(at, end) == kReplacement && (at - from != 3 || *from != 0xEF)) return false;
  }
  return true;
}

}  // namespace

Column::Column(std::string name, Labels labels, bool dictionary)
    : name_(std::move(name)), type_(Type::label), labels_(std::move(labels)), dictionary_(dictionary) {
  constexpr std::size_t kMost = std::numeric_limits<std::int16_t>::max();
  if (dictionary && labels_->size() > kMost) throw std::invalid_argument("there are too many labels for a dictionary");
}

void Column::end_row(bool valid) {
  if (rows_ % 8 == 0) valid_.push_back(0);
  valid_.back() = static_cast<std::uint8_t>(valid_.back() | static_cast<unsigned>(valid) << rows_ % 8);
  ++rows_;
  nulls_ += valid ? 0 : 1;
}

void Column::add_bytes(const void* bytes, std::size_t count) {
  const auto* from = static_cast<const std::uint8_t*>(bytes);
  values_.insert(values_.end(), from, from + count);
}

void Column::end_text() {
  offsets_.push_back(offset(values_.size()));
  end_row(true);
}

void Column::add_text(const TextView& text) {
  if (is_utf8(text)) {
    add_bytes(text.data, text.length);
  } else {
    decode(text, [&](auto reader, const auto* at, const auto* end) {
      std::array<std::uint8_t, 4> bytes{};
      while (at != end) add_bytes(bytes.data(), encode(reader.next(at, end), bytes));
    });
  }
  end_text();
}

void Column::add_label(std::size_t number) {
  if (dictionary_) {
    add_number(static_cast<std::int16_t>(number));
    return end_row(true);
  }
  const std::string& label = (*labels_)[number];
  add_bytes(label.data(), label.size());
  end_text();
}

void Column::add_probability(float value) {
  add_number(value);
  end_row(true);
}

void Column::add_whole(std::size_t value) {
  add_number(static_cast<std::int64_t>(value));
  end_row(true);
}

void Column::add_truth(bool value) {
  if (rows_ % 8 == 0) values_.push_back(0);
  values_.back() = static_cast<std::uint8_t>(values_.back() | static_cast<unsigned>(value) << rows_ % 8);
  end_row(true);
}

void Column::end_list() {
  offsets_.push_back(offset(items().rows_));
  end_row(true);
}

void Column::add_null() {
  switch (type_) {
    case Type::record:
      for (Column& child : children_) child.add_null();
      break;
    case Type::probability:
      add_number(float{0});
      break;
    case Type::whole:
      add_number(std::int64_t{0});
      break;
    case Type::truth:
      if (rows_ % 8 == 0) values_.push_back(0);
      break;
    case Type::label:
      if (dictionary_) {
        add_number(std::int16_t{0});
        break;
      }
      [[fallthrough]];
    default:
      offsets_.push_back(offsets_.back());
  }
  end_row(false);
}

Owned<ArrowSchema> Column::schema() const {
  std::vector<Owned<ArrowSchema>> children;
  for (const Column& child : children_) children.push_back(child.schema());
  switch (type_) {
    case Type::probability:
      return make_schema("f", name_);
    case Type::whole:
      return make_schema("l", name_);
    case Type::truth:
      return make_schema("b", name_);
    case Type::list:
      return make_schema("+l", name_, std::move(children));
    case Type::record:
      return make_schema("+s", name_, std::move(children));
    default:
      return dictionary_ ? make_schema("s", name_, {}, make_schema("u", "")) : make_schema("u", name_);
  }
}

Owned<ArrowArray> Column::array() && {
  std::vector<Owned<ArrowArray>> children;
  for (Column& child : children_) children.push_back(std::move(child).array());
  Owned<ArrowArray> dictionary;
  if (dictionary_) {
    Column all("", Type::text);
    for (const std::string& label : *labels_) all.add_text({label.data(), label.size()});
    dictionary = std::move(all).array();
  }
  values_.reserve(1);  // there are readers who want a buffer even if there is nothing in it
  const auto kept = std::make_shared<const Column>(std::move(*this));
  std::vector<const void*> buffers{kept->nulls_ > 0 ? kept->valid_.data() : nullptr};
  const bool has_offsets =
      kept->type_ == Type::text || kept->type_ == Type::list || (kept->type_ == Type::label && !kept->dictionary_);
  if (has_offsets) buffers.push_back(kept->offsets_.data());
  if (kept->type_ != Type::list && kept->type_ != Type::record) buffers.push_back(kept->values_.data());
  return make_array(static_cast<std::int64_t>(kept->rows_), static_cast<std::int64_t>(kept->nulls_), std::move(buffers),
                    std::move(children), kept, std::move(dictionary));
}

}  // namespace budgie::columns
