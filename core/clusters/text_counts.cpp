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

void WordCounter::count(std::string_view word, std::uint64_t times) {
  if (word.empty()) return;
  words_ += times;
  const std::uint32_t number = counted_.vocabulary.add(word);
  if (number == counted_.counts.size()) counted_.counts.push_back(0);
  counted_.counts[number] += times;
}

void WordCounter::read(std::string_view chunk) {
  reader_.read(chunk, [&](std::string_view word) { count(word, 1); });
}

void WordCounter::finish_file() {
  reader_.finish([&](std::string_view word) { count(word, 1); });
}

void WordCounter::add(const WordCounts& next) {
  for (std::size_t i = 0; i < next.counts.size(); ++i) count(next.vocabulary.word(i), next.counts[i]);
}

WordCounts WordCounter::keep(std::size_t most, std::uint64_t least) const {
  const std::vector<std::uint64_t>& counts = counted_.counts;
  std::vector<std::uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rare = [&](std::uint32_t word) { return counts[word] < least; };
  order.erase(std::remove_if(order.begin(), order.end(), rare), order.end());
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return counts[a] > counts[b]; });
  if (order.size() > most) order.resize(most);
  WordCounts kept;
  for (const std::uint32_t word : order) {
    kept.vocabulary.add(counted_.vocabulary.word(word));
    kept.counts.push_back(counts[word]);
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
  if (fresh_.size() >= std::max(kSmallestRun, pairs_.size())) merge_fresh();
}

void BigramCounter::read(std::string_view chunk) {
  reader_.read(chunk, [&](std::string_view word) { count(word); });
}

void BigramCounter::finish_file() {
  reader_.finish([&](std::string_view word) { count(word); });
}

void BigramCounter::merge_fresh() {
  std::sort(fresh_.begin(), fresh_.end());
  merge(fresh_.size() / 2, [&, at = fresh_.begin()](SymbolPair& pair) mutable {
    if (at == fresh_.end()) return false;
    const std::uint64_t same = *at;
    const auto next = std::find_if(at, fresh_.end(), [&](std::uint64_t other) { return other != same; });
    const auto times = static_cast<std::uint64_t>(next - at);
    pair = {static_cast<std::uint32_t>(same >> 32), static_cast<std::uint32_t>(same), checked(times)};
    at = next;
    return true;
  });
  fresh_.clear();
}

template <class Next>
void BigramCounter::merge(std::size_t expected, Next&& next) {
  std::vector<SymbolPair> merged;
  merged.reserve(pairs_.size() + expected);
  auto old = pairs_.begin();
  const auto key = [](const SymbolPair& pair) { return std::uint64_t{pair.first} << 32 | pair.second; };
  for (SymbolPair pair; next(pair); merged.push_back(pair)) {
    while (old != pairs_.end() && key(*old) < key(pair)) merged.push_back(*old++);
    if (old != pairs_.end() && key(*old) == key(pair)) pair.count = checked(std::uint64_t{pair.count} + (old++)->count);
  }
  merged.insert(merged.end(), old, pairs_.end());
  pairs_ = std::move(merged);
}

void BigramCounter::add(const Bigrams& other) {
  if (other.words() != vocabulary_.size()) throw std::invalid_argument("pairs are of another vocabulary");
  std::uint32_t first = 0;
  std::size_t at = 0;
  const std::vector<Bigrams::Neighbour>& neighbours = other.behind.neighbours;
  merge(neighbours.size(), [&](SymbolPair& pair) {
    if (at == neighbours.size()) return false;
    while (other.behind.starts[first + 1] == at) ++first;
    pair = {first, neighbours[at].symbol, neighbours[at].count};
    ++at;
    return true;
  });
  words_ += other.total - other.totals.back();
}

Bigrams BigramCounter::take() {
  merge_fresh();
  fresh_ = {};
  return make_bigrams(std::exchange(pairs_, {}), vocabulary_.size() + 2);
}

Bigrams make_bigrams(const std::vector<SymbolPair>& pairs, std::size_t symbols) {
  Bigrams bigrams;
  bigrams.totals.assign(symbols, 0);
  for (Bigrams::Side* side : {&bigrams.before, &bigrams.behind}) {
    side->starts.assign(symbols + 1, 0);
    side->neighbours.resize(pairs.size());
  }
  for (const SymbolPair& pair : pairs) {
    bigrams.totals[pair.first] += pair.count;
    bigrams.total += pair.count;
    ++bigrams.behind.starts[pair.first + 1];
    ++bigrams.before.starts[pair.second + 1];
  }
  for (Bigrams::Side* side : {&bigrams.before, &bigrams.behind}) {
    std::partial_sum(side->starts.begin(), side->starts.end(), side->starts.begin());
  }
  std::vector<std::size_t> next_before(bigrams.before.starts);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    bigrams.behind.neighbours[i] = {pairs[i].second, pairs[i].count};
    bigrams.before.neighbours[next_before[pairs[i].second]++] = {pairs[i].first, pairs[i].count};
  }
  return bigrams;
}

}  // namespace budgie::clusters
