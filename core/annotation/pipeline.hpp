// SPDX-License-Identifier: Apache-2.0
// Raw text -> languages -> sentences and tokens -> words -> tags: small networks one behind the other (the paper's
// section 4), each span of a text by the models of its language.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "annotation/document.hpp"
#include "tasks/langid.hpp"
#include "tasks/segmenter.hpp"
#include "tasks/tagger.hpp"

namespace budgie::annotation {

// The models for text of one language. They belong to somebody else, who keeps them for as long as the pipeline lives.
struct Route {
  const Segmenter* tokens = nullptr;  // finds tokens and sentences; without one, nothing of this language is looked at
  std::uint32_t standard = 0;
  const Segmenter* words = nullptr;  // cuts sentences into tokens, where no white space stands between these
  std::uint32_t words_standard = 0;
  const Tagger* tagger = nullptr;     // none: no tags
  std::vector<std::uint16_t> tags{};  // the number of each of the tagger's tags in Names
};

// What is to be found beside the language of a text, and how.
struct Wanted {
  bool spans = true;   // where it changes its language; tokens need them
  bool tokens = true;  // and sentences
  bool tags = true;
  bool probabilities = false;
};

// Immutable once made, so any number of threads may use one, each with a Scratch of its own.
class Pipeline {
 public:
  class Scratch;

  // `routes` has one for each name of a language. The first names are those of the labels of `identifier`, in order;
  // `unknown` is the number of the name for text whose language is not known.
  Pipeline(const LanguageIdentifier& identifier, std::shared_ptr<const Names> names, std::uint32_t unknown,
           std::vector<Route> routes);

  const std::shared_ptr<const Names>& names() const { return names_; }
  const LanguageIdentifier& identifier() const { return identifier_; }

  // The languages of a text, span by span; the one language of it as a whole, which takes a fifth of the time; or that
  // of all of it, where it is known.
  Document find_languages(const TextView& text, const LanguageIdentifier::Allowed& allowed, Scratch& scratch,
                          Stop& stop) const;
  Document find_language(const TextView& text, const LanguageIdentifier::Allowed& allowed, Scratch& scratch,
                         Stop& stop) const;
  Document in_language(const TextView& text, std::uint32_t language) const;

  // Calls missing(language) for each language of the document that has no models here.
  template <class Missing>
  void for_missing(const Document& document, Missing&& missing) const {
    for (const Span& span : document.spans) {
      const auto language = static_cast<std::uint32_t>(span.identification.language);
      if (routes_[language].tokens == nullptr) missing(language);
    }
  }

  // All that is wanted of a text whose languages are known.
  void annotate(const TextView& text, const Wanted& wanted, Scratch& scratch, Document& document, Stop& stop) const;

 private:
  void find_tokens(const TextView& text, const Span& span, const Route& route, Scratch& scratch, Document& document,
                   Stop& stop) const;
  void find_words(const TextView& text, const Route& route, std::size_t first_sentence, Document& document,
                  Stop& stop) const;
  void tag(const TextView& text, const Route& route, std::size_t first_sentence, const Wanted& wanted, Scratch& scratch,
           Document& document, Stop& stop) const;

  const LanguageIdentifier& identifier_;
  std::shared_ptr<const Names> names_;
  std::uint32_t unknown_;
  std::vector<Route> routes_;
};

// Everything that one thread needs while it works. It remembers words: texts must stay where they are for as long as it
// is used, but it may be used for one text after another.
class Pipeline::Scratch {
 public:
  // `words` is how many there may be in all texts, where they are few: less memory is then asked for.
  explicit Scratch(const Pipeline& pipeline, std::size_t words = std::numeric_limits<std::size_t>::max())
      : most_words_(words), identifying_(pipeline.identifier_) {}

 private:
  friend class Pipeline;

  // Those of the other models are made when they are first needed.
  template <class Model>
  using Scratches = std::vector<std::pair<const Model*, std::unique_ptr<typename Model::Scratch>>>;

  template <class Model, class... More>
  static typename Model::Scratch& of(const Model& model, Scratches<Model>& scratches, More... more) {
    for (auto& [made_for, scratch] : scratches) {
      if (made_for == &model) return *scratch;
    }
    scratches.emplace_back(&model, std::make_unique<typename Model::Scratch>(model, more...));
    return *scratches.back().second;
  }
  Segmenter::Scratch& of(const Segmenter& segmenter) { return of(segmenter, segmenting_); }
  Tagger::Scratch& of(const Tagger& tagger) { return of(tagger, tagging_, most_words_); }

  std::size_t most_words_;
  LanguageIdentifier::Scratch identifying_;
  Scratches<Segmenter> segmenting_{};
  Scratches<Tagger> tagging_{};
  std::vector<TokenSpan> found_{}, cut_{};
  std::unordered_set<std::u32string> kept_{};  // words of multiword tokens, which stand in no text
  std::vector<TextView> words_{};
  std::vector<TagOf*> to_tag_{};       // the tag of each of them, in the document
  std::vector<std::size_t> starts_{};  // of sentences among them
  std::vector<std::uint32_t> tags_{};
  std::vector<float> probabilities_{};
};

}  // namespace budgie::annotation
