// SPDX-License-Identifier: Apache-2.0
// The texts of a column that somebody else has filled, where they lie. Nothing about it is believed that can be
// checked: what no column may be is refused (std::invalid_argument). How long a buffer is nobody says; its offsets say.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "columns/arrow.hpp"
#include "text/text.hpp"

namespace budgie::columns {

// How texts lie in an array.
struct TextType {
  enum class Layout : std::uint8_t { nulls, offsets32, offsets64, views };
  Layout layout = Layout::nulls;
  bool binary = false;  // bytes, and characters else
  char index = 0;       // of a dictionary the format of its indices, else 0
};

// Throws where a column is not one of texts.
TextType text_type(const ArrowSchema& column);

inline const TextView kEmptyText{"", 0};  // not null pointers, of which nobody may copy even nothing

// Which rows of an array are null.
class Nulls {
 public:
  Nulls() = default;
  // The first of its buffers has a bit for each row.
  explicit Nulls(const ArrowArray& array);
  bool at(std::size_t row) const {
    return bits_ != nullptr && (bits_[(offset_ + row) / 8] >> (offset_ + row) % 8 & 1) == 0;
  }
  // Among the first rows.
  bool any(std::size_t rows) const {
    bool found = false;
    for (std::size_t row = 0; bits_ != nullptr && row < rows && !found; ++row) found = at(row);
    return found;
  }

 private:
  const std::uint8_t* bits_ = nullptr;
  std::size_t offset_ = 0;
};

// An array of texts, of no dictionary. It must live for as long as this is used.
class PlainTexts {
 public:
  PlainTexts() = default;
  PlainTexts(TextType::Layout layout, const ArrowArray& array);
  std::size_t length() const { return length_; }
  // None where it is null.
  std::optional<TextView> at(std::size_t row) const;

 private:
  template <class Offset>
  std::size_t end_of() const;
  template <class Offset>
  TextView between(std::size_t row) const;
  TextView viewed(std::size_t row) const;

  TextType::Layout layout_ = TextType::Layout::nulls;
  Nulls nulls_{};
  std::size_t offset_ = 0, length_ = 0;
  const void* places_ = nullptr;       // offsets or views
  const char* data_ = nullptr;         // what offsets point into
  std::size_t end_ = 0;                // where the last of them ends
  const void* const* more_ = nullptr;  // the same of views: several
  std::size_t count_ = 0;              // of these
  const void* sizes_ = nullptr;        // of these
};

// The same of a dictionary or none.
class Texts {
 public:
  Texts() = default;
  Texts(const TextType& type, const ArrowArray& array);
  std::size_t length() const { return length_; }
  std::optional<TextView> at(std::size_t row) const;

 private:
  char index_ = 0;
  Nulls nulls_{};
  std::size_t offset_ = 0, length_ = 0;
  const void* indices_ = nullptr;
  PlainTexts values_{};
};

// How lists of words lie in an array.
struct ListType {
  enum class Layout : std::uint8_t { nulls, offsets32, offsets64, fixed };
  Layout layout = Layout::nulls;
  std::size_t size = 0;  // of fixed lists
  TextType words{};
};

// Throws where a column is not one of lists of texts.
ListType list_type(const ArrowSchema& column);

// An array of lists of words.
class Lists {
 public:
  Lists() = default;
  Lists(const ListType& type, const ArrowArray& array);
  std::size_t length() const { return length_; }
  // The first of its words and the one behind the last; none where it is null.
  std::optional<std::pair<std::size_t, std::size_t>> at(std::size_t row) const;
  const Texts& words() const { return words_; }

 private:
  ListType::Layout layout_ = ListType::Layout::nulls;
  Nulls nulls_{};
  std::size_t offset_ = 0, length_ = 0, size_ = 0;
  const void* places_ = nullptr;
  Texts words_{};
};

}  // namespace budgie::columns
