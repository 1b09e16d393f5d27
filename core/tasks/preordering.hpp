// SPDX-License-Identifier: Apache-2.0
// Preordering (section 3.4 of the paper): SHIFT, APPEND and SWAP move spans of words between a stack and a buffer until
// one span is left, whose words stand in the order of the target language.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "features/group.hpp"

namespace budgie::tasks {

enum class Move : std::uint8_t { shift, append, swap };
constexpr std::size_t kMoves = static_cast<std::size_t>(Move::swap) + 1;
constexpr std::array kMoveNames = {"SHIFT", "APPEND", "SWAP"};  // the labels of a preorderer
static_assert(kMoveNames.size() == kMoves, "a name for each");

constexpr std::size_t kCorners = 4;    // words of a span that features look at
constexpr std::size_t kSpansSeen = 4;  // of the stack, from its top, and as many of the buffer, from its front
constexpr std::uint32_t kNoWord = 0xFFFFFFFF;

// Names that stand in files, in the order in which spans and their corners are numbered.
const std::vector<std::string>& span_names();   // s0, s1 … b0, b1 …
const std::vector<std::string>& place_names();  // s0.first, s0.second …

// The number of a place; a whole span is its first word. The number of all places if there is no such place.
std::uint32_t number_of_place(const std::string& place);

struct WordSpan {
  explicit WordSpan(std::uint32_t word) : corners{word, kNoWord, kNoWord, word} {}
  WordSpan(const WordSpan& left, const WordSpan& right)
      : corners{left.first(), left.words > 1 ? left.corners[1] : right.first(),
                right.words > 1 ? right.corners[2] : left.last(), right.last()},
        words(left.words + right.words),
        swapped(left.swapped || right.swapped) {}

  std::uint32_t first() const { return corners[0]; }
  std::uint32_t last() const { return corners[3]; }

  std::array<std::uint32_t, kCorners> corners;  // the first, the second, the one before the last, the last word
  std::uint32_t words = 1;
  bool swapped = false;  // whether it has ever taken part in a SWAP
};

// The row of a span in a group that is of spans. Training and reordering both call this.
inline std::uint32_t span_row(Group::Kind kind, const WordSpan& span, std::uint32_t buckets) {
  return kind == Group::Kind::swapped ? span.swapped : std::min(span.words, buckets) - 1;
}

struct Preordering {
  // Each SWAP puts one more pair of spans out of the order of the source, so there are at most n (n - 1) / 2 of them;
  // and no more than this many a word, so that the steps for a text grow with its length, whatever a network says.
  static constexpr std::size_t kSwapsPerWord = 32;

  struct State {
    std::vector<WordSpan> stack{};
    std::vector<WordSpan> buffer{};     // its front is the last one
    std::vector<std::uint32_t> next{};  // the word behind each word in the order so far
    std::size_t swaps = 0;

    void begin(std::size_t words) {
      stack.clear();
      buffer.clear();
      for (std::size_t word = words; word > 0; --word) buffer.emplace_back(static_cast<std::uint32_t>(word - 1));
      next.assign(words, kNoWord);
      swaps = 0;
    }

    // WordSpan number `place` that features look at: of the stack, from its top, then of the buffer, from its front.
    const WordSpan* seen(std::size_t place) const {
      const std::vector<WordSpan>& pile = place < kSpansSeen ? stack : buffer;
      const std::size_t depth = place % kSpansSeen;
      return depth < pile.size() ? &pile[pile.size() - 1 - depth] : nullptr;
    }

    // The word in a corner of one of them, by the number of the place; kNoWord if there is none.
    std::uint32_t word_at(std::uint32_t place) const {
      const WordSpan* span = seen(place / kCorners);
      return span == nullptr ? kNoWord : span->corners[place % kCorners];
    }

    // The order of the words, once done.
    void order(std::uint32_t* out) const {
      for (std::uint32_t word = stack.empty() ? kNoWord : stack.back().first(); word != kNoWord; word = next[word]) {
        *out++ = word;
      }
    }
  };

  std::size_t actions() const { return kMoves; }
  bool allowed(const State& state, std::size_t action) const {
    switch (static_cast<Move>(action)) {
      case Move::shift:
        return !state.buffer.empty();
      case Move::append:
        return state.stack.size() > 1;
      default:
        return state.stack.size() > 1 && state.swaps < kSwapsPerWord * state.next.size() &&
               left(state).first() < state.stack.back().first();
    }
  }
  bool done(const State& state) const { return state.buffer.empty() && state.stack.size() < 2; }
  void apply(State& state, std::size_t action) const {
    if (static_cast<Move>(action) == Move::shift) {
      state.stack.push_back(state.buffer.back());
      state.buffer.pop_back();
      return;
    }
    WordSpan right = state.stack.back();
    state.stack.pop_back();
    WordSpan& top = state.stack.back();
    if (static_cast<Move>(action) == Move::append) {
      state.next[top.last()] = right.first();
      top = WordSpan(top, right);
    } else {
      top.swapped = right.swapped = true;
      state.buffer.push_back(top);
      top = right;
      ++state.swaps;
    }
  }

  // The span below the top of the stack.
  static const WordSpan& left(const State& state) { return state.stack[state.stack.size() - 2]; }
};

// The same where one knows the order.
struct GoldPreordering : Preordering {
  // `order` are the words in the order of the target language.
  explicit GoldPreordering(const std::vector<std::uint32_t>& order) : rank(order.size()), block(order.size()) {
    for (std::uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
    for (std::uint32_t w = 1; w < order.size(); ++w) block[w] = block[w - 1] + (rank[w] != rank[w - 1] + 1);
  }

  // APPEND what belongs together, SWAP what stands the wrong way round, else SHIFT. A SWAP waits while the top of the
  // stack and the front of the buffer are words of one block, so that blocks move as a whole (after Nivre, Kuhlmann and
  // Hall 2009).
  std::size_t oracle(const State& state) const {
    if (state.stack.size() > 1) {
      const std::uint32_t end = rank[left(state).last()], begin = rank[state.stack.back().first()];
      if (begin == end + 1) return move(Move::append);
      const bool waits =
          !state.buffer.empty() && block[state.stack.back().last()] == block[state.buffer.back().first()];
      if (end > begin && !waits && allowed(state, move(Move::swap))) return move(Move::swap);
    }
    return move(state.buffer.empty() ? Move::append : Move::shift);
  }

  static std::size_t move(Move which) { return static_cast<std::size_t>(which); }

  std::vector<std::uint32_t> rank;   // of each word in the target language
  std::vector<std::uint32_t> block;  // of each word: neighbours that stay neighbours are of one block
};

}  // namespace budgie::tasks
