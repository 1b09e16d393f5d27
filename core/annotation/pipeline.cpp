// SPDX-License-Identifier: Apache-2.0
#include "annotation/pipeline.hpp"

#include <stdexcept>

namespace budgie::annotation {

namespace {

// Whether white space stands there.
bool space_at(const TextView& text, std::size_t at) {
  if (at == text.length) return false;
  return decode(text.part(at, text.length),
                [](auto reader, const auto* from, const auto* end) { return is_space(reader.next(from, end)); });
}

// Whether two tokens are letters of a script that writes no spaces and stand together: where no segmenter knows its
// words, they are left whole.
bool stand_together(const TextView& text, const TokenSpan& one, const TokenSpan& next) {
  const auto is_syllabic = [](char32_t c) {
    return character(c).kind <= CharacterClass::mark && script_of(c) == UnitKind::syllabic;
  };
  if (one.end != next.start) return false;
  const bool before = decode(text.part(next.start, next.end), [&](auto reader, const auto* at, const auto* end) {
    return is_syllabic(reader.next(at, end));
  });
  if (!before) return false;
  return decode(text.part(one.start, one.end), [&](auto reader, const auto* at, const auto* end) {
    char32_t last = 0;
    while (at != end) last = reader.next(at, end);
    return is_syllabic(last);
  });
}

}  // namespace

Pipeline::Pipeline(const LanguageIdentifier& identifier, std::shared_ptr<const Names> names, std::uint32_t unknown,
                   std::vector<Route> routes)
    : identifier_(identifier), names_(std::move(names)), unknown_(unknown), routes_(std::move(routes)) {
  if (routes_.size() != names_->languages.size() || routes_.size() < identifier.labels() || unknown >= routes_.size()) {
    throw std::invalid_argument("a pipeline needs a route for each language, and one for none");
  }
  for (const Route& route : routes_) {
    if (route.tokens == nullptr) continue;
    if (!route.tokens->finds_sentences()) throw std::invalid_argument("a segmenter that finds sentences is needed");
    if (route.standard >= route.tokens->standards() ||
        (route.words != nullptr && route.words_standard >= route.words->standards())) {
      throw std::invalid_argument("there is no standard of such a number");
    }
    if (route.tagger != nullptr && route.tags.size() != route.tagger->tags()) {
      throw std::invalid_argument("each tag of a tagger needs a number");
    }
    for (const std::uint16_t tag : route.tags) {
      if (tag >= names_->tags.size()) throw std::invalid_argument("there is no tag of such a number");
    }
  }
}

Document Pipeline::find_languages(const TextView& text, const LanguageIdentifier::Allowed& allowed, Scratch& scratch,
                                  Stop& stop) const {
  Document document;
  document.spans = identifier_.passages(text, allowed, scratch.identifying_, stop);
  document.language = unknown_;
  std::vector<std::size_t> lengths(routes_.size());
  std::size_t longest = 0;
  for (Span& span : document.spans) {
    std::int32_t& language = span.identification.language;
    if (language == Identification::kUndetermined) {
      language = static_cast<std::int32_t>(unknown_);
      continue;
    }
    std::size_t& length = lengths[static_cast<std::size_t>(language)];
    length += span.end - span.start;
    if (length > longest) {
      longest = length;
      document.language = static_cast<std::uint32_t>(language);
    }
  }
  return document;
}

Document Pipeline::find_language(const TextView& text, const LanguageIdentifier::Allowed& allowed, Scratch& scratch,
                                 Stop& stop) const {
  Document document;
  Span whole{0, text.length, {}};
  identifier_.identify(&text, 1, allowed, scratch.identifying_, &whole.identification, stop);
  std::int32_t& language = whole.identification.language;
  if (language == Identification::kUndetermined) language = static_cast<std::int32_t>(unknown_);
  document.language = static_cast<std::uint32_t>(language);
  if (text.length > 0) document.spans = {whole};
  return document;
}

Document Pipeline::in_language(const TextView& text, std::uint32_t language) const {
  if (language >= routes_.size()) throw std::invalid_argument("there is no language of such a number");
  Document document;
  document.language = language;
  if (text.length > 0) document.spans = {{0, text.length, {static_cast<std::int32_t>(language), 1}}};
  return document;
}

void Pipeline::annotate(const TextView& text, const Wanted& wanted, Scratch& scratch, Document& document,
                        Stop& stop) const {
  document.tagged = wanted.tags;
  document.probable = wanted.tags && wanted.probabilities;
  if (!wanted.tokens) return;
  for (const Span& span : document.spans) {
    stop.look();
    const Route& route = routes_[static_cast<std::size_t>(span.identification.language)];
    if (route.tokens == nullptr) throw std::invalid_argument("the models of a language are missing");
    const std::size_t first_sentence = document.sentences.size();
    find_tokens(text, span, route, scratch, document, stop);
    find_words(text, route, first_sentence, document, stop);
    if (wanted.tags && route.tagger != nullptr) tag(text, route, first_sentence, wanted, scratch, document, stop);
  }
}

void Pipeline::find_tokens(const TextView& text, const Span& span, const Route& route, Scratch& scratch,
                           Document& document, Stop& stop) const {
  const auto language = static_cast<std::uint32_t>(span.identification.language);
  const auto add_token = [&](std::size_t start, std::size_t end) {
    Token token;
    token.start = start;
    token.end = end;
    token.space_after = space_at(text, end);
    document.tokens.push_back(token);
  };
  std::vector<TokenSpan>& found = scratch.found_;
  found.clear();
  const TextView part = text.part(span.start, span.end);
  route.tokens->segment(part, nullptr, route.standard, scratch.of(*route.tokens), found, stop);
  for (std::size_t first = 0, last = 0; first < found.size(); first = last) {
    for (last = first + 1; last < found.size() && !found[last].begins_sentence();) ++last;
    const std::size_t first_token = document.tokens.size();
    if (route.words == nullptr) {
      for (std::size_t t = first, next = first; t < last; t = next) {
        for (next = t + 1; next < last && stand_together(part, found[next - 1], found[next]);) ++next;
        add_token(span.start + found[t].start, span.start + found[next - 1].end);
      }
    } else {
      const std::size_t start = span.start + found[first].start, end = span.start + found[last - 1].end;
      const TextView sentence = text.part(start, end);
      scratch.cut_.clear();
      route.words->segment(sentence, nullptr, route.words_standard, scratch.of(*route.words), scratch.cut_, stop);
      for (const TokenSpan& token : scratch.cut_) {
        if (!is_blank(sentence.part(token.start, token.end))) add_token(start + token.start, start + token.end);
      }
    }
    if (document.tokens.size() > first_token) {
      document.sentences.push_back({first_token, document.tokens.size(), language});
    }
  }
}

// The words of multiword tokens.
void Pipeline::find_words(const TextView& text, const Route& route, std::size_t first_sentence, Document& document,
                          Stop& stop) const {
  const Multiword& multiword = route.tokens->multiword();
  if (route.words != nullptr || multiword.empty(route.standard)) return;
  const auto text_of = [&](std::size_t token) {
    return text.part(document.tokens[token].start, document.tokens[token].end);
  };
  for (std::size_t s = first_sentence; s < document.sentences.size(); ++s) {
    stop.look();
    const Sentence& sentence = document.sentences[s];
    for (std::size_t t = sentence.first_token; t < sentence.last_token; ++t) {
      const TextView before = t > sentence.first_token ? text_of(t - 1) : TextView{};
      const TextView behind = t + 1 < sentence.last_token ? text_of(t + 1) : TextView{};
      const std::vector<std::u32string> words = multiword.split(text_of(t), before, behind, route.standard);
      document.tokens[t].first_word = static_cast<std::uint32_t>(document.words.size());
      for (const std::u32string& word : words) {
        const std::size_t start = document.characters.size();
        document.characters += word;
        document.words.push_back({start, document.characters.size()});
      }
      document.tokens[t].last_word = static_cast<std::uint32_t>(document.words.size());
    }
  }
}

void Pipeline::tag(const TextView& text, const Route& route, std::size_t first_sentence, const Wanted& wanted,
                   Scratch& scratch, Document& document, Stop& stop) const {
  scratch.words_.clear();
  scratch.to_tag_.clear();
  scratch.starts_.assign(1, 0);
  const auto add_word = [&](const TextView& word, TagOf& tag) {
    scratch.words_.push_back(word);
    scratch.to_tag_.push_back(&tag);
  };
  for (std::size_t s = first_sentence; s < document.sentences.size(); ++s) {
    for (std::size_t t = document.sentences[s].first_token; t < document.sentences[s].last_token; ++t) {
      Token& token = document.tokens[t];
      if (!token.multiword()) add_word(text.part(token.start, token.end), token.tag);
      for (std::size_t w = token.first_word; w < token.last_word; ++w) {
        Word& word = document.words[w];
        const std::u32string& kept =
            *scratch.kept_.insert(document.characters.substr(word.start, word.end - word.start)).first;
        add_word({kept.data(), kept.size(), TextView::Kind::ucs4}, word.tag);
      }
    }
    scratch.starts_.push_back(scratch.words_.size());
  }
  scratch.tags_.resize(scratch.words_.size());
  if (wanted.probabilities) scratch.probabilities_.resize(scratch.words_.size());
  route.tagger->tag(scratch.words_.data(), scratch.starts_.data(), scratch.starts_.size() - 1,
                    scratch.of(*route.tagger), scratch.tags_.data(), stop,
                    wanted.probabilities ? scratch.probabilities_.data() : nullptr);
  for (std::size_t w = 0; w < scratch.words_.size(); ++w) {
    *scratch.to_tag_[w] = {route.tags[scratch.tags_[w]], wanted.probabilities ? scratch.probabilities_[w] : 0};
  }
}

}  // namespace budgie::annotation
