// SPDX-License-Identifier: Apache-2.0
#include "clusters/text_counts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "text/hash.hpp"

namespace budgie::clusters {
namespace {

constexpr std::size_t kSmallestRun = 1 << 20;  // pairs

std::uint32_t checked(std::uint64_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max()) throw std::overflow_error("a pair of words is too frequent");
  return static_cast<std::uint32_t>(count);
}

}  // namespace

// ---- words -----------------------------------------------------------------------------------------------------

bool SentenceReader::plain(std::string_view word) const {
  if (folding_.fold_case || folding_.fold_digits) return false;
  return std::all_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void fold_word(std::string_view word, WordFolding folding, std::string& out) {
  out.clear();
  const auto* at = reinterpret_cast<const Utf8::CodeUnit*>(word.data());
  const auto* const end = at + word.size();
  std::array<std::uint8_t, 4> bytes;
  while (at != end) {
    const std::size_t count = encode(folding(Utf8::next(at, end)), bytes);
    out.append(reinterpret_cast<const char*>(bytes.data()), count);
  }
}

std::size_t WordNumbers::place_of(std::string_view word) const {
  const std::size_t mask = places_.size() - 1;
  std::size_t place = hash_bytes(word.data(), word.size()) & mask;
  while (places_[place] != kNone && this->word(places_[place]) != word) place = (place + 1) & mask;
  return place;
}

std::uint32_t WordNumbers::add(std::string_view word) {
  if (2 * (size() + 1) > places_.size()) {
    places_.assign(std::max<std::size_t>(16, 2 * places_.size()), kNone);
    for (std::size_t number = 0; number < size(); ++number) {
      places_[place_of(this->word(number))] = static_cast<std::uint32_t>(number);
    }
  }
  std::uint32_t& number = places_[place_of(word)];
  if (number == kNone) {
    number = static_cast<std::uint32_t>(size());
    text_.append(word);
    ends_.push_back(text_.size());
  }
  return number;
}

void WordCounter::count(std::string_view word) {
  if (word.empty()) return;
  ++words_;
  const std::uint32_t number = vocabulary_.add(word);
  if (number == counts_.size()) counts_.push_back(0);
  ++counts_[number];
}

void WordCounter::read(std::string_view chunk) {
  reader_.read(chunk, [&](std::string_view word) { count(word); });
}

void WordCounter::finish_file() {
  reader_.finish([&](std::string_view word) { count(word); });
}

WordCounter::Kept WordCounter::keep(std::size_t most, std::uint64_t least) const {
  std::vector<std::uint32_t> order(counts_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rare = [&](std::uint32_t word) { return counts_[word] < least; };
  order.erase(std::remove_if(order.begin(), order.end(), rare), order.end());
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return counts_[a] > counts_[b]; });
  if (order.size() > most) order.resize(most);
  Kept kept;
  for (const std::uint32_t word : order) {
    kept.vocabulary.add(vocabulary_.word(word));
    kept.counts.push_back(counts_[word]);
  }
  return kept;
}

// ---- pairs -----------------------------------------------------------------------------------------------------

void BigramCounter::count(std::string_view word) {
  const auto rare = static_cast<std::uint32_t>(vocabulary_.size());
  std::uint32_t symbol = rare + 1;
  if (!word.empty()) {
    ++words_;
    symbol = std::min(vocabulary_.find(word), rare);
  }
  fresh_.push_back(std::uint64_t{last_} << 32 | symbol);
  last_ = symbol;
  // A run as long as all that is known already: each pair then takes part in few merges, however long the text is.
  if (fresh_.size() >= std::max(kSmallestRun, pairs_.size())) merge();
}

void BigramCounter::read(std::string_view chunk) {
  reader_.read(chunk, [&](std::string_view word) { count(word); });
}

void BigramCounter::finish_file() {
  reader_.finish([&](std::string_view word) { count(word); });
}

void BigramCounter::merge() {
  std::sort(fresh_.begin(), fresh_.end());
  std::vector<Pair> merged;
  merged.reserve(pairs_.size() + fresh_.size() / 2);
  auto old = pairs_.begin();
  const auto key = [](const Pair& pair) { return std::uint64_t{pair.first} << 32 | pair.second; };
  for (auto at = fresh_.begin(); at != fresh_.end();) {
    const std::uint64_t pair = *at;
    const auto next = std::find_if(at, fresh_.end(), [&](std::uint64_t other) { return other != pair; });
    auto count = static_cast<std::uint64_t>(next - at);
    while (old != pairs_.end() && key(*old) < pair) merged.push_back(*old++);
    if (old != pairs_.end() && key(*old) == pair) count += (old++)->count;
    merged.push_back({static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair), checked(count)});
    at = next;
  }
  merged.insert(merged.end(), old, pairs_.end());
  pairs_ = std::move(merged);
  fresh_.clear();
}

Bigrams BigramCounter::take() {
  merge();
  fresh_ = {};
  Bigrams bigrams;
  const std::size_t symbols = vocabulary_.size() + 2;
  bigrams.totals.assign(symbols, 0);
  for (Bigrams::Side* side : {&bigrams.before, &bigrams.behind}) {
    side->starts.assign(symbols + 1, 0);
    side->neighbours.resize(pairs_.size());
  }
  for (const Pair& pair : pairs_) {
    bigrams.totals[pair.first] += pair.count;
    bigrams.total += pair.count;
    ++bigrams.behind.starts[pair.first + 1];
    ++bigrams.before.starts[pair.second + 1];
  }
  for (Bigrams::Side* side : {&bigrams.before, &bigrams.behind}) {
    std::partial_sum(side->starts.begin(), side->starts.end(), side->starts.begin());
  }
  std::vector<std::size_t> next_before(bigrams.before.starts);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    bigrams.behind.neighbours[i] = {pairs_[i].second, pairs_[i].count};
    bigrams.before.neighbours[next_before[pairs_[i].second]++] = {pairs_[i].first, pairs_[i].count};
  }
  pairs_ = {};
  return bigrams;
}

}  // namespace budgie::clusters
