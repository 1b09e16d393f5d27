// SPDX-License-Identifier: Apache-2.0
// What each task makes of a column of texts, or of lists of words. A task holds its models for as long as it lives.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "annotation/pipeline.hpp"
#include "columns/fields.hpp"
#include "columns/task.hpp"
#include "tasks/langid.hpp"
#include "tasks/segmenter.hpp"
#include "tasks/tagger.hpp"

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

// A segmenter, and how it cuts: words to keep whole or none, the number of a standard, whether white space is wanted.
struct Segmenting {
  std::shared_ptr<const Segmenter> segmenter;
  std::shared_ptr<const Dictionary> dictionary;
  std::uint32_t standard = 0;
  bool spaces = false;
};

// tokens: a list of texts, or with `offsets` of text, start and end
Task segment(const Segmenting& with, bool offsets);

// tags: a list for each list of words, with `probabilities` of tag and probability. A word that is null has none.
Task tag(const std::shared_ptr<const Tagger>& tagger, const Labels& tags, bool probabilities, bool dictionary);

// A pipeline that has the models of all languages which may be found, and what is known and wanted.
struct Annotating {
  std::shared_ptr<const annotation::Pipeline> pipeline;
  std::optional<std::uint32_t> language;  // of all texts
  LanguageIdentifier::Allowed allowed;
  annotation::Wanted wanted;
};

// language, probability, reliable; spans as above, if wanted; sentences, if tokens are wanted: a list of start, end,
// language and tokens, a list of text, start, end, space_after, tag, probability (both if wanted) and words, a list of
// text, tag and probability
Task annotate(const Annotating& with, bool dictionary);
// tokens: as of segment()
Task tokens(const Annotating& with, bool offsets);

}  // namespace budgie::columns
