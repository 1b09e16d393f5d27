// SPDX-License-Identifier: Apache-2.0
// Where a text changes its language, sentence by sentence. The text as a whole has a language. A sentence that cannot
// be in it has the language that it has by itself; if that is not sure, it is looked at word by word.
#include <algorithm>

#include "tasks/langid.hpp"

namespace budgie::tasks {

namespace {

constexpr std::size_t kShortest = 16;   // letters of a sentence, or so: shorter ones are not told apart
constexpr std::size_t kLongest = 1000;  // where nothing ends a sentence, white space does
constexpr std::size_t kIdeograph = 4;   // letters say as much as one of these, and what lies behind them
constexpr char32_t kIdeographs = 0x2E80;
constexpr float kDoubt = 0.01f;  // as probable, beside the best language, that of the whole text must be
constexpr float kSure = 0.7f;    // a sentence of which a language is as probable is in that one from end to end

// How a character may end a sentence, as far as languages go: for good, or before white space.
enum class Ending : std::uint8_t { none, before_space, at_once };

Ending ending(char32_t c) {
  switch (c) {
    case '\n':
    case 0x3002:  // the full stops of Chinese and Japanese
    case 0xFF01:
    case 0xFF1F:
      return Ending::at_once;
    case '.':
    case '!':
    case '?':
    case ':':
    case ';':
    case '"':
    case ')':
    case 0x2019:
    case 0x201D:
    case 0x2026:
    case 0x061F:
    case 0x06D4:
    case 0x0964:
      return Ending::before_space;
    default:
      return Ending::none;
  }
}

// Where the sentences of a text end, roughly: the last ends with the text.
std::vector<std::size_t> ends_of_sentences(const TextView& text, Stop& stop) {
  std::vector<std::size_t> ends;
  decode(text, [&](auto reader, const auto* at, const auto* end) {
    const auto* const begin = at;
    Ending before = Ending::none;
    std::size_t letters = 0;
    for (std::size_t count = 1; at != end; ++count) {
      if (count % Stop::kStretch == 0) stop.look();
      const char32_t c = reader.next(at, end);
      const bool space = character(c).kind == CharacterClass::space;
      const Ending now = ending(c);
      const bool ended = now == Ending::at_once || (space && before == Ending::before_space);
      before = now;
      letters += c < kIdeographs ? 1 : kIdeograph;
      if (letters < kShortest || !(ended || (space && letters >= kLongest))) continue;
      ends.push_back(static_cast<std::size_t>(at - begin));
      letters = 0;
    }
    return 0;
  });
  if (ends.empty() || ends.back() != text.length) ends.push_back(text.length);
  return ends;
}

// Adds a span behind others, or lengthens the last one.
void add(std::vector<Span>& spans, const Span& span) {
  if (!spans.empty() && spans.back().identification.language == span.identification.language) {
    spans.back().end = span.end;
  } else {
    spans.push_back(span);
  }
}

}  // namespace

std::vector<Span> LanguageIdentifier::passages(const TextView& text, const Allowed& allowed, Scratch& scratch,
                                               Stop& stop) const {
  if (text.length == 0) return {};
  Identification whole;
  identify(&text, 1, allowed, scratch, &whole, stop);
  const Span all{0, text.length, whole};
  if (whole.language == Identification::kUndetermined) return {all};
  const std::vector<std::size_t> ends = ends_of_sentences(text, stop);
  const auto begin_of = [&](std::size_t sentence) { return sentence == 0 ? 0 : ends[sentence - 1]; };
  // What is found where the language of the whole text is out of the question.
  std::vector<Identification> found(ends.size(), whole);
  const auto doubted = [&](std::size_t sentence) { return found[sentence].language != whole.language; };
  bool mixed = false;
  for (std::size_t block = 0; ends.size() > 1 && block < ends.size(); block += kBlock) {
    stop.look();
    const std::size_t count = std::min(kBlock, ends.size() - block);
    std::size_t letters[kBlock];
    for (std::size_t b = 0; b < count; ++b) {
      letters[b] = embed(text.part(begin_of(block + b), ends[block + b]), b, scratch, stop);
    }
    score(count, scratch);
    for (std::size_t b = 0; b < count; ++b) {
      if (letters[b] == 0) continue;
      const float calibrated = temperature(letters[b]);
      const Choice choice = choose(b, allowed, calibrated, scratch);
      if (scratch.powers_[allowed.place(whole.language)] >= kDoubt) continue;
      found[block + b] = answer(b, allowed, calibrated, choice, choice.best, scratch);
      mixed = true;
    }
  }
  if (!mixed) return {all};
  std::vector<Span> spans;
  for (std::size_t first = 0, last = 0; first < ends.size(); first = last) {
    last = first + 1;
    if (!doubted(first) || found[first].probability >= kSure) {
      add(spans, {begin_of(first), ends[first], found[first]});
      continue;
    }
    std::vector<std::uint32_t> choice{static_cast<std::uint32_t>(whole.language),
                                      static_cast<std::uint32_t>(found[first].language)};
    for (; last < ends.size() && doubted(last) && found[last].probability < kSure; ++last) {
      choice.push_back(static_cast<std::uint32_t>(found[last].language));
    }
    std::sort(choice.begin(), choice.end());
    choice.erase(std::unique(choice.begin(), choice.end()), choice.end());
    const std::size_t begin = begin_of(first);
    for (Span span : this->spans(text.part(begin, ends[last - 1]), allowed.narrowed(choice), scratch, stop)) {
      span.start += begin;
      span.end += begin;
      add(spans, span);
    }
  }
  for (Span& span : spans) {
    span.identification =
        identification(text.part(span.start, span.end), span.identification.language, allowed, scratch, stop);
  }
  return spans;
}

}  // namespace budgie::tasks
