// SPDX-License-Identifier: Apache-2.0
#include "columns/texts.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace budgie::columns {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("the column is malformed: " + why); }

std::string_view format_of(const ArrowSchema& schema) {
  if (schema.format == nullptr) refuse("a type without a format");
  return schema.format;
}

// A number of a buffer, which need not be aligned.
template <class Number>
Number load(const void* buffer, std::size_t place) {
  Number number;
  std::memcpy(&number, static_cast<const char*>(buffer) + place * sizeof(Number), sizeof(Number));
  return number;
}

std::size_t natural(std::int64_t number, const char* what) {
  if (number < 0) refuse(std::string("a negative ") + what);
  return static_cast<std::size_t>(number);
}

// The rows of an array: their number, and how many there are before the first. Far below what a size can count, so that
// no place in a buffer is beyond that either.
std::size_t length_of(const ArrowArray& array) {
  constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max() / 64;
  const std::size_t length = natural(array.length, "length"), offset = natural(array.offset, "offset");
  if (length > kMost || offset > kMost) refuse("more rows than any memory has");
  return length;
}

void expect_buffers(const ArrowArray& array, std::int64_t least, std::int64_t most) {
  if (array.n_buffers < least || array.n_buffers > most || (array.n_buffers > 0 && array.buffers == nullptr)) {
    refuse(std::to_string(array.n_buffers) + " buffers");
  }
}

void expect_buffers(const ArrowArray& array, std::int64_t count) { expect_buffers(array, count, count); }

// A buffer that has something in it as soon as there are rows.
const void* needed(const ArrowArray& array, std::size_t buffer) {
  if (array.buffers[buffer] == nullptr && array.length > 0) refuse("a buffer is missing");
  return array.buffers[buffer];
}

// One element of an array of offsets and the next.
template <class Offset>
std::pair<std::size_t, std::size_t> range(const void* offsets, std::size_t place) {
  const Offset begin = load<Offset>(offsets, place), end = load<Offset>(offsets, place + 1);
  if (begin < 0 || end < begin) refuse("offsets do not ascend");
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

std::size_t index_at(char format, const void* indices, std::size_t place) {
  switch (format) {
    case 'c':
      return natural(load<std::int8_t>(indices, place), "index");
    case 'C':
      return load<std::uint8_t>(indices, place);
    case 's':
      return natural(load<std::int16_t>(indices, place), "index");
    case 'S':
      return load<std::uint16_t>(indices, place);
    case 'i':
      return natural(load<std::int32_t>(indices, place), "index");
    case 'I':
      return load<std::uint32_t>(indices, place);
    case 'l':
      return natural(load<std::int64_t>(indices, place), "index");
    default:
      return load<std::uint64_t>(indices, place);
  }
}

const ArrowSchema& child_of(const ArrowSchema& schema) {
  if (schema.n_children != 1 || schema.children == nullptr || schema.children[0] == nullptr) {
    refuse("a list without a type of its items");
  }
  return *schema.children[0];
}

const ArrowArray& child_of(const ArrowArray& array) {
  if (array.n_children != 1 || array.children == nullptr || array.children[0] == nullptr) {
    refuse("a list without its items");
  }
  return *array.children[0];
}

}  // namespace

TextType text_type(const ArrowSchema& column) {
  using Layout = TextType::Layout;
  const std::string_view format = format_of(column);
  if (column.dictionary != nullptr) {
    if (format.size() != 1 || std::string_view("cCsSiIlL").find(format[0]) == std::string_view::npos) {
      refuse("a dictionary with indices of type " + std::string(format));
    }
    if (column.dictionary->dictionary != nullptr) refuse("a dictionary of a dictionary");
    TextType type = text_type(*column.dictionary);
    type.index = format[0];
    return type;
  }
  if (format == "u") return {Layout::offsets32};
  if (format == "U") return {Layout::offsets64};
  if (format == "vu") return {Layout::views};
  if (format == "z") return {Layout::offsets32, true};
  if (format == "Z") return {Layout::offsets64, true};
  if (format == "vz") return {Layout::views, true};
  if (format == "n") return {Layout::nulls};
  throw std::invalid_argument("texts are needed, and this column has the Arrow type " + std::string(format));
}

Nulls::Nulls(const ArrowArray& array)
    : bits_(static_cast<const std::uint8_t*>(array.null_count == 0 ? nullptr : array.buffers[0])),
      offset_(static_cast<std::size_t>(array.offset)) {
  if (array.null_count > 0 && bits_ == nullptr && array.length > 0) refuse("nobody says which rows are null");
}

PlainTexts::PlainTexts(TextType::Layout layout, const ArrowArray& array)
    : layout_(layout), offset_(static_cast<std::size_t>(array.offset)), length_(length_of(array)) {
  constexpr std::int64_t kOfViews = 3;  // beside the data: nulls, views and the sizes of the data
  switch (layout) {
    case TextType::Layout::nulls:
      return;
    case TextType::Layout::views:
      expect_buffers(array, kOfViews, std::numeric_limits<std::int32_t>::max());
      count_ = static_cast<std::size_t>(array.n_buffers - kOfViews);
      more_ = array.buffers + 2;
      sizes_ = array.buffers[count_ + 2];
      if (sizes_ == nullptr && count_ > 0) refuse("a buffer is missing");
      break;
    default:
      expect_buffers(array, 3);
      data_ = static_cast<const char*>(array.buffers[2]);
  }
  places_ = needed(array, 1);
  if (length_ > 0 && layout == TextType::Layout::offsets32) end_ = end_of<std::int32_t>();
  if (length_ > 0 && layout == TextType::Layout::offsets64) end_ = end_of<std::int64_t>();
  nulls_ = Nulls(array);
}

std::optional<TextView> PlainTexts::at(std::size_t row) const {
  if (layout_ == TextType::Layout::nulls || nulls_.at(row)) return std::nullopt;
  if (layout_ == TextType::Layout::offsets32) return between<std::int32_t>(row);
  if (layout_ == TextType::Layout::offsets64) return between<std::int64_t>(row);
  return viewed(row);
}

template <class Offset>
std::size_t PlainTexts::end_of() const {
  return range<Offset>(places_, offset_ + length_ - 1).second;
}

template <class Offset>
TextView PlainTexts::between(std::size_t row) const {
  const auto [begin, end] = range<Offset>(places_, offset_ + row);
  if (begin == end) return kEmptyText;
  if (end > end_) refuse("offsets do not ascend");
  if (data_ == nullptr) refuse("a buffer is missing");
  return {data_ + begin, end - begin};
}

TextView PlainTexts::viewed(std::size_t row) const {
  constexpr std::size_t kView = 16, kInside = 12;  // bytes: of a view, and of a text that stands in it
  const char* view = static_cast<const char*>(places_) + (offset_ + row) * kView;
  const std::size_t length = natural(load<std::int32_t>(view, 0), "length of a text");
  if (length <= kInside) return {view + 4, length};
  const std::size_t buffer = natural(load<std::int32_t>(view, 2), "number of a buffer");
  const std::size_t begin = natural(load<std::int32_t>(view, 3), "offset of a text");
  if (buffer >= count_ || more_[buffer] == nullptr) refuse("a text in a buffer that is not there");
  const std::size_t size = natural(load<std::int64_t>(sizes_, buffer), "size of a buffer");
  if (begin > size || length > size - begin) refuse("a text beyond the end of its buffer");
  return {static_cast<const char*>(more_[buffer]) + begin, length};
}

Texts::Texts(const TextType& type, const ArrowArray& array)
    : index_(type.index), offset_(static_cast<std::size_t>(array.offset)), length_(length_of(array)) {
  if (index_ == 0) {
    values_ = PlainTexts(type.layout, array);
    return;
  }
  expect_buffers(array, 2);
  if (array.dictionary == nullptr) refuse("indices without their dictionary");
  indices_ = needed(array, 1);
  nulls_ = Nulls(array);
  values_ = PlainTexts(type.layout, *array.dictionary);
}

std::optional<TextView> Texts::at(std::size_t row) const {
  if (index_ == 0) return values_.at(row);
  if (nulls_.at(row)) return std::nullopt;
  const std::size_t index = index_at(index_, indices_, offset_ + row);
  if (index >= values_.length()) refuse("an index beyond the end of its dictionary");
  return values_.at(index);
}

ListType list_type(const ArrowSchema& column) {
  using Layout = ListType::Layout;
  const std::string_view format = format_of(column);
  if (format == "n") return {};
  if (format == "+l") return {Layout::offsets32, 0, text_type(child_of(column))};
  if (format == "+L") return {Layout::offsets64, 0, text_type(child_of(column))};
  if (format.substr(0, 3) == "+w:") {
    std::int32_t size = -1;
    const char* end = format.data() + format.size();
    const auto [read, error] = std::from_chars(format.data() + 3, end, size);
    if (error != std::errc() || read != end || size < 0) refuse("lists of the size " + std::string(format.substr(3)));
    return {Layout::fixed, static_cast<std::size_t>(size), text_type(child_of(column))};
  }
  throw std::invalid_argument("lists of words are needed, and this column has the Arrow type " + std::string(format) +
                              ": `segment` and `annotate` take texts");
}

Lists::Lists(const ListType& type, const ArrowArray& array)
    : layout_(type.layout),
      offset_(static_cast<std::size_t>(array.offset)),
      length_(length_of(array)),
      size_(type.size) {
  if (layout_ == ListType::Layout::nulls) return;
  expect_buffers(array, layout_ == ListType::Layout::fixed ? 1 : 2);
  if (layout_ != ListType::Layout::fixed) places_ = needed(array, 1);
  nulls_ = Nulls(array);
  words_ = Texts(type.words, child_of(array));
}

std::optional<std::pair<std::size_t, std::size_t>> Lists::at(std::size_t row) const {
  if (layout_ == ListType::Layout::nulls || nulls_.at(row)) return std::nullopt;
  std::pair<std::size_t, std::size_t> words;
  if (layout_ == ListType::Layout::fixed) {
    const std::size_t place = offset_ + row;
    // Compared by division: a product may be more than a size can count.
    if (size_ > 0 && place >= words_.length() / size_) refuse("a list beyond the end of its items");
    words = {place * size_, (place + 1) * size_};
  } else if (layout_ == ListType::Layout::offsets32) {
    words = range<std::int32_t>(places_, offset_ + row);
  } else {
    words = range<std::int64_t>(places_, offset_ + row);
  }
  if (words.second > words_.length()) refuse("a list beyond the end of its items");
  return words;
}

}  // namespace budgie::columns
