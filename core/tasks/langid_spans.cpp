// SPDX-License-Identifier: Apache-2.0
// Where a text changes its language. Each chunk (a word, or a few characters where words are not marked) is scored by
// the network within a window around it; the best path through all chunks pays for every change of language; then each
// change is moved to where the windows left and right of it fit best.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "exponential.hpp"
#include "tasks/langid.hpp"

namespace budgie::tasks {

namespace {

constexpr std::size_t kChunkLetters = 12;    // longer runs of letters are cut
constexpr std::size_t kChunksAtOnce = 2048;  // memory is bounded by this, not by the text
constexpr std::size_t kWindowLetters = 10;   // on each side of a chunk
constexpr std::size_t kEdgeLetters = 4;      // on each side of a change, when its place is settled
constexpr std::size_t kShift = 4;            // chunks by which a change may be moved
constexpr float kChange = 5.0f;              // what a change of language costs
constexpr float kLikelyChange = 1.5f;        // the same where the script changes or a sentence ends
constexpr float kTemperature = 1.5f;         // not the calibrated one: spans do not change with the calibration
constexpr float kFloor = -10.0f;             // no window says more than this against a language

struct Chunk {
  std::size_t begin = 0;  // in code units of the text
  std::size_t end = 0;
  std::size_t letters = 0;
  char32_t script = 0;
};

// A number for the script of a letter, coarse but sure: Latin letters lie far apart, the CJK scripts are mixed in one
// text, and each other script has rows of the code chart to itself.
char32_t script(char32_t c) {
  if (c < 0x250 || (c >= 0x1E00 && c < 0x1F00)) return 0;
  return c >= 0x2E80 ? 1 : c >> 8;
}

// Calls visit(chunks) for every kChunksAtOnce chunks of the text.
template <class Reader, class Visit>
void cut(Characters<Reader> characters, Visit&& visit) {
  std::array<char32_t, 1024> piece;
  std::array<std::size_t, 1024> offsets;
  std::vector<Chunk> chunks;
  Chunk chunk;
  const auto close = [&](std::size_t end) {
    if (chunk.letters == 0) return;
    chunk.end = end;
    chunks.push_back(chunk);
    chunk = Chunk{};
    if (chunks.size() == kChunksAtOnce) {
      visit(chunks);
      chunks.clear();
    }
  };
  while (const std::size_t count = characters.template fill<true>(piece.data(), piece.size(), offsets.data())) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool letter = piece[i] != ' ';
      if (!letter || chunk.letters == kChunkLetters || (chunk.letters > 0 && script(piece[i]) != chunk.script))
        close(offsets[i]);
      if (!letter) continue;
      if (chunk.letters++ == 0) {
        chunk.begin = offsets[i];
        chunk.script = script(piece[i]);
      }
    }
  }
  if (!chunks.empty()) visit(chunks);
}

// How many windows so many letters are, of one side.
float windows(std::size_t letters) { return static_cast<float>(letters) / static_cast<float>(kWindowLetters); }

// What a change of language between two chunks costs: everything inside a word or at its apostrophe, little where the
// script changes or a sentence ends.
float cost(const TextView& text, const Chunk& one, const Chunk& next, Stop& stop) {
  if (one.script != next.script) return kLikelyChange;
  return decode(text.part(one.end, next.begin), [&](auto reader, const auto* at, const auto* end) {
    std::size_t count = 0;
    bool joint = true;  // nothing, or one apostrophe or hyphen, is between the chunks
    for (; at != end; ++count) {
      if (count % Stop::kStretch == Stop::kStretch - 1) stop.look();
      const char32_t c = reader.next(at, end);
      if (c == '.' || c == '!' || c == '?' || c == '\n' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F)
        return kLikelyChange;
      joint = count == 0 && (c == '\'' || c == 0x2019 || c == '-' || c == 0x2010);
    }
    return joint ? std::numeric_limits<float>::infinity() : kChange;
  });
}

// The place between two chunks where the second span begins: behind the last white space, so that an opening quote
// or bracket goes with what it opens.
std::size_t border(const TextView& text, std::size_t from, std::size_t to, Stop& stop) {
  return decode(text.part(from, to), [&](auto reader, const auto* at, const auto* end) {
    const auto *begin = at, *behind = at;
    for (std::size_t count = 1; at != end; ++count) {
      if (count % Stop::kStretch == 0) stop.look();
      if (character(reader.next(at, end)).kind == CharacterClass::space) behind = at;
    }
    return from + static_cast<std::size_t>(behind - begin);
  });
}

}  // namespace

// Scores chunks of one block and finds the best path through them.
class LanguageIdentifier::SpanFinder {
 public:
  SpanFinder(const LanguageIdentifier& identifier, const TextView& text, const Allowed& allowed, Scratch& scratch,
             Stop& stop)
      : identifier_(identifier), text_(text), allowed_(allowed), scratch_(scratch), stop_(stop) {}

  std::vector<Span> spans() {
    read(text_, identifier_.folding_, stop_, [&](auto characters) {
      cut(characters, [&](const std::vector<Chunk>& chunks) { add(chunks); });
      return 0;
    });
    if (spans_.empty()) spans_.push_back({0, text_.length, Identification{}});
    spans_.back().end = text_.length;
    for (Span& span : spans_) {
      span.identification = identifier_.identification(text_.part(span.start, span.end), span.identification.language,
                                                       allowed_, scratch_, stop_);
    }
    return std::move(spans_);
  }

 private:
  void add(const std::vector<Chunk>& chunks) {
    const std::size_t size = scratch_.sums_.size();
    sums_.resize((chunks.size() + 1) * size);
    std::fill_n(sums_.begin(), size, 0.0);
    letters_.assign(chunks.size() + 1, 0);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      stop_.look();
      std::copy_n(sums_.data() + i * size, size, sums_.data() + (i + 1) * size);
      identifier_.sum(text_.part(chunks[i].begin, chunks[i].end), sums_.data() + (i + 1) * size, scratch_, stop_);
      letters_[i + 1] = letters_[i] + chunks[i].letters;
    }
    costs_.resize(chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      costs_[i] = cost(text_, before_, chunks[i], stop_);
      before_ = chunks[i];
    }
    std::vector<std::size_t> path = best_path(chunks);
    settle(path);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (spans_.empty() || spans_.back().identification.language != static_cast<std::int32_t>(allowed_[path[i]])) {
        const std::size_t start = spans_.empty() ? 0 : border(text_, spans_.back().end, chunks[i].begin, stop_);
        if (!spans_.empty()) spans_.back().end = start;
        spans_.push_back({start, 0, {static_cast<std::int32_t>(allowed_[path[i]]), 0}});
      }
      spans_.back().end = chunks[i].end;
    }
    last_ = path.back();
  }

  // Logarithms of the probabilities of the languages for the chunks [first, last).
  void score(std::size_t first, std::size_t last, float* scores) {
    stop_.look();
    const std::size_t size = scratch_.sums_.size();
    for (std::size_t i = 0; i < size; ++i) scratch_.row_[i] = sums_[last * size + i] - sums_[first * size + i];
    scratch_.sums_.h0(scratch_.row_.data(), scratch_.h0_.data());
    identifier_.score(1, scratch_);
    const Choice choice = identifier_.choose(0, allowed_, kTemperature, scratch_, false);
    const auto total = static_cast<float>(logarithm(static_cast<double>(choice.total)));
    identifier_.gather(0, allowed_, kTemperature, scratch_, scores);
    for (std::size_t l = 0; l < allowed_.size(); ++l) {
      scores[l] = std::max((scores[l] - choice.score) / kTemperature - total, kFloor);
    }
  }

  // Viterbi: a chunk either keeps the language of the chunk before, or pays and comes from the best one. How probable
  // languages are beforehand counts once a span, and less where there are too few letters to say much against it.
  std::vector<std::size_t> best_path(const std::vector<Chunk>& chunks) {
    const std::size_t count = chunks.size(), languages = allowed_.size();
    std::vector<float> path(languages), scores(languages), priors(languages);
    std::vector<std::size_t> change_from(count);  // the best language before each chunk
    std::vector<bool> changes(count * languages);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t first = i, last = i + 1;
      // A window ends where the script changes: a letter of another script would outweigh all others.
      const auto same = [&](std::size_t other) { return chunks[other].script == chunks[i].script; };
      while (first > 0 && letters_[i] - letters_[first] < kWindowLetters && same(first - 1)) --first;
      while (last < count && letters_[last] - letters_[i + 1] < kWindowLetters && same(last)) ++last;
      score(first, last, scores.data());
      if (allowed_.has_priors()) {
        const float enough = std::min(windows(letters_[last] - letters_[first]), 1.0f);
        for (std::size_t l = 0; l < languages; ++l) priors[l] = enough * allowed_.prior(allowed_[l]);
      }
      if (i == 0) {
        path = priors;
        if (last_ < languages) {
          for (float& score : path) score -= costs_[0];
          path[last_] = 0;
        }
      }
      const auto best = static_cast<std::size_t>(std::max_element(path.begin(), path.end()) - path.begin());
      change_from[i] = best;
      const float share = windows(letters_[i + 1] - letters_[i]);
      const float changed = path[best] - costs_[i];
      for (std::size_t l = 0; l < languages; ++l) {
        changes[i * languages + l] = path[l] < changed + priors[l];
        path[l] = std::max(path[l], changed + priors[l]) + share * scores[l];
      }
    }
    std::vector<std::size_t> result(count);
    auto language = static_cast<std::size_t>(std::max_element(path.begin(), path.end()) - path.begin());
    for (std::size_t i = count; i-- > 0;) {
      result[i] = language;
      if (changes[i * languages + language]) language = change_from[i];
    }
    return result;
  }

  // Moves each change of language to where the windows on both sides of it agree best with their languages.
  void settle(std::vector<std::size_t>& path) {
    std::vector<float> scores(allowed_.size());
    for (std::size_t i = 1; i < path.size(); ++i) {
      const std::size_t left = path[i - 1], right = path[i];
      if (left == right) continue;
      std::size_t best_place = i;
      float best = 4 * kFloor;
      std::size_t from = i, to = i;
      while (from > 1 && i - from < kShift && path[from - 2] == left) --from;
      while (to + 1 < path.size() && to - i < kShift && path[to + 1] == right) ++to;
      for (std::size_t place = from; place <= to; ++place) {
        if (std::isinf(costs_[place])) continue;
        std::size_t first = place - 1, last = place + 1;
        while (first > 0 && letters_[place] - letters_[first] < kEdgeLetters && (first > i || path[first - 1] == left))
          --first;
        while (last < path.size() && letters_[last] - letters_[place] < kEdgeLetters &&
               (last < i || path[last] == right))
          ++last;
        score(first, place, scores.data());
        float fit = scores[left] - costs_[place];
        score(place, last, scores.data());
        fit += scores[right];
        if (fit > best) best = fit, best_place = place;
      }
      for (std::size_t j = std::min(i, best_place); j < std::max(i, best_place); ++j) {
        path[j] = best_place > i ? left : right;
      }
      i = std::max(i, best_place);
    }
  }

  const LanguageIdentifier& identifier_;
  const TextView& text_;
  const Allowed& allowed_;
  Scratch& scratch_;
  Stop& stop_;
  std::vector<double> sums_;          // of all chunks of the block before chunk i: row i
  std::vector<std::size_t> letters_;  // likewise
  std::vector<float> costs_;          // of a change of language before chunk i
  Chunk before_;                      // the last chunk of the block before
  std::size_t last_ = static_cast<std::size_t>(-1);
  std::vector<Span> spans_;
};

std::vector<Span> LanguageIdentifier::spans(const TextView& text, const Allowed& allowed, Scratch& scratch,
                                            Stop& stop) const {
  check(allowed);
  if (text.length == 0) return {};
  return SpanFinder(*this, text, allowed, scratch, stop).spans();
}

}  // namespace budgie::tasks
