// SPDX-License-Identifier: Apache-2.0
// Documents as bytes, for other processes. The text is not among them: it goes its own way. Equal documents have equal
// bytes, whatever pipelines have made them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "annotation/document.hpp"

namespace budgie::annotation {

std::string pack(const Document& document, const Names& names, Stop& stop);

struct Unpacked {
  Document document{};
  Names names{};  // those that the document needs
};

// What pack() has made, of a text of `length` code units. Every offset and every number is checked: bytes that no
// document is packed as are refused (std::invalid_argument).
Unpacked unpack(const std::uint8_t* bytes, std::size_t size, std::size_t length, Stop& stop);

}  // namespace budgie::annotation
