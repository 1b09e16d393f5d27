// SPDX-License-Identifier: Apache-2.0
// What each task makes of a column of texts, or of lists of words. A task holds its models for as long as it lives.
#pragma once
#include <cstddef>
#include <memory>

#include "columns/fields.hpp"
#include "columns/piece.hpp"
#include "tasks/langid.hpp"

namespace budgie::columns {

// An identifier, and what it may choose from.
struct Identifying {
  std::shared_ptr<const LanguageIdentifier> identifier;
  LanguageIdentifier::Allowed allowed;
  Languages languages;
};

// language, probability, reliable
Task identify(const Identifying& with);
// ranking: a list of the same, best first
Task rank(const Identifying& with, std::size_t k);
// spans: a list of start, end and the same
Task spans(const Identifying& with);
Task passages(const Identifying& with);

}  // namespace budgie::columns
