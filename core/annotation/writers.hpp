// SPDX-License-Identifier: Apache-2.0
// Documents as text that other programs read, in UTF-8.
#pragma once
#include <string>

#include "annotation/document.hpp"

namespace budgie::annotation {

// CoNLL-U (universaldependencies.org/format.html), sentence by sentence. MISC says where a token stands in the text
// (TokenRange), whether white space stands behind it, and how probable its tag is where that is known. Sentences have
// the ids `prefix` and 1, 2, 3, ...
std::string to_conllu(const Document& document, const Names& names, const TextView& text, const std::string& prefix,
                      Stop& stop);

// One JSON object without line ends: language, whether that is reliable, spans and sentences.
std::string to_json(const Document& document, const Names& names, const TextView& text, Stop& stop);

// A line for each token, with tabs between: `prefix` and sentence, start, end, language, token, tag, and its
// probability where that is asked for; an empty line behind each sentence.
std::string to_tsv(const Document& document, const Names& names, const TextView& text, const std::string& prefix,
                   Stop& stop);

}  // namespace budgie::annotation
