// SPDX-License-Identifier: Apache-2.0
#include "clusters/exchange.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "batch.hpp"
#include "text/hash.hpp"

namespace budgie::clusters {
namespace {

constexpr double kBatchShare = 0.01;  // of the text, at most: the most frequent words are alone
constexpr double kFewMoves = 0.01;    // of all words: the end

// A number drawn by lot for a thing.
std::uint64_t draw(std::uint64_t seed, std::uint64_t cycle, std::uint64_t thing) {
  const std::uint64_t key[] = {cycle, thing};
  return hash_bytes(key, sizeof key, seed);
}

template <class Number>
std::vector<Number> numbers_to(std::size_t end) {
  std::vector<Number> numbers(end);
  std::iota(numbers.begin(), numbers.end(), Number{0});
  return numbers;
}

std::vector<std::uint32_t> order_of(const Bigrams& bigrams, std::uint64_t seed) {
  std::vector<std::uint32_t> order = numbers_to<std::uint32_t>(bigrams.words());
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (bigrams.totals[a] != bigrams.totals[b]) return bigrams.totals[a] > bigrams.totals[b];
    return std::make_pair(draw(seed, 0, a), a) < std::make_pair(draw(seed, 0, b), b);
  });
  return order;
}

std::vector<std::size_t> borders_of(const Bigrams& bigrams, const std::vector<std::uint32_t>& order,
                                    std::size_t batch_words) {
  std::vector<std::size_t> borders{0};
  const double most = kBatchShare * static_cast<double>(bigrams.total);
  double tokens = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto count = static_cast<double>(bigrams.totals[order[i]]);
    if (i > borders.back() && (tokens + count > most || i - borders.back() == batch_words)) {
      borders.push_back(i);
      tokens = 0;
    }
    tokens += count;
  }
  borders.push_back(order.size());
  return borders;
}

}  // namespace

Exchange::Exchange(const Bigrams& bigrams, Settings settings)
    : bigrams_(bigrams),
      settings_(settings),
      most_classes_(std::min(settings.classes + settings.classes / 2, bigrams.words())),
      order_(order_of(bigrams, settings.seed)),
      borders_(borders_of(bigrams, order_, settings.batch_words)) {
  if (settings.classes == 0 || settings.batch_words == 0) {
    throw std::invalid_argument("at least one class and one word a batch are needed");
  }
  if (most_classes_ <= settings.classes) settings_.cycles = 0;  // a class for each word
  done_ = rounds() == 0 || order_.empty();
  const std::size_t classes = classes_in(0);
  std::vector<std::uint32_t> class_of(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) class_of[order_[i]] = static_cast<std::uint32_t>(i % classes);
  counts_ = make_class_counts(bigrams, std::move(class_of), classes, settings_.two_sided);
}

bool Exchange::advance(std::size_t threads, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!done_) {
    next_batch(threads);
    if (Clock::now() >= end) break;
  }
  return !done_;
}

std::vector<std::uint32_t> Exchange::choose(std::size_t first, std::size_t step, std::size_t threads) const {
  if (step == 0) throw std::invalid_argument("a step of 0 leads nowhere");
  const std::size_t size = batch_words();
  const std::uint32_t* batch = order_.data() + borders_[batch_];
  std::vector<std::uint32_t> choices(first < size ? (size - first - 1) / step + 1 : 0);
  in_parallel(choices.size(), threads, [&] {
    return [&, scratch = ClassCounts::Scratch(*counts_)](std::size_t begin, std::size_t end, Stop&) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        choices[i] = counts_->best_class(batch[first + i * step], scratch).to;
      }
    };
  });
  return choices;
}

void Exchange::apply(const std::vector<std::uint32_t>& choices, std::size_t threads) {
  const auto is_class = [&](std::uint32_t c) { return c < counts_->classes(); };
  if (done_ || choices.size() != batch_words() || !std::all_of(choices.begin(), choices.end(), is_class)) {
    throw std::invalid_argument("these are no choices of this batch");
  }
  const std::uint32_t* batch = order_.data() + borders_[batch_];
  ClassCounts::Scratch scratch(*counts_);
  std::vector<bool> changed(counts_->classes());
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::uint32_t from = counts_->class_of()[batch[i]];
    std::uint32_t to = choices[i];
    if (to != from && (changed[from] || changed[to])) to = counts_->best_class(batch[i], scratch).to;
    if (to == from) continue;
    changed[from] = changed[to] = true;
    counts_->move(batch[i], to, scratch);
    ++moves_;
  }
  if (++batch_ == borders_.size() - 1) finish_round(threads);
}

void Exchange::resume(std::size_t round, std::size_t last_moves, std::vector<std::uint32_t> class_of_words) {
  const std::size_t classes = classes_in(round);
  const auto is_class = [&](std::uint32_t c) { return c < classes; };
  if (round > rounds() || class_of_words.size() != order_.size() ||
      !std::all_of(class_of_words.begin(), class_of_words.end(), is_class)) {
    throw std::invalid_argument("no exchange of these words and settings was there");
  }
  round_ = round;
  last_moves_ = last_moves;
  batch_ = moves_ = 0;
  counts_ = make_class_counts(bigrams_, std::move(class_of_words), classes, settings_.two_sided);
  done_ = order_.empty() || ends_before(round);
}

std::size_t Exchange::classes_in(std::size_t round) const {
  const bool cycle = round < kRoundsOfCycle * settings_.cycles && round % kRoundsOfCycle < kRoundsBeforeMergers;
  return cycle ? most_classes_ : settings_.classes;
}

bool Exchange::ends_before(std::size_t round) const {
  const bool few = static_cast<double>(last_moves_) <= kFewMoves * static_cast<double>(order_.size());
  return round >= rounds() || (few && round > kRoundsOfCycle * settings_.cycles);
}

void Exchange::finish_round(std::size_t threads) {
  batch_ = 0;
  last_moves_ = std::exchange(moves_, 0);
  ++round_;
  const std::size_t cycle = round_ / kRoundsOfCycle, rounds_of_cycle = round_ % kRoundsOfCycle;
  if (cycle < settings_.cycles && rounds_of_cycle == kRoundsBeforeMergers) {
    std::vector<std::uint32_t> class_of = merge(*counts_, bigrams_.words(), settings_.classes, threads);
    counts_ = make_class_counts(bigrams_, std::move(class_of), settings_.classes, settings_.two_sided);
  } else if (cycle < settings_.cycles && rounds_of_cycle == 0) {
    split(cycle);
  }
  done_ = ends_before(round_);
}

void Exchange::split(std::uint64_t cycle) {
  const std::size_t classes = settings_.classes;
  std::vector<std::uint32_t> lot = numbers_to<std::uint32_t>(classes);
  std::sort(lot.begin(), lot.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::make_pair(draw(settings_.seed, cycle, a), a) < std::make_pair(draw(settings_.seed, cycle, b), b);
  });
  std::vector<std::uint32_t> other_half = numbers_to<std::uint32_t>(classes);
  for (std::size_t c = classes; c < most_classes_; ++c) other_half[lot[c - classes]] = static_cast<std::uint32_t>(c);
  std::vector<std::uint32_t> class_of = classes_of_words();
  for (std::size_t word = 0; word < class_of.size(); ++word) {
    if (draw(settings_.seed, cycle, classes + word) % 2 == 1) class_of[word] = other_half[class_of[word]];
  }
  counts_ = make_class_counts(bigrams_, std::move(class_of), most_classes_, settings_.two_sided);
}

std::vector<std::uint32_t> Exchange::classes_of_words() const {
  const std::vector<std::uint32_t>& all = counts_->class_of();
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bigrams_.words())};
}

std::vector<std::uint32_t> merge(ClassCounts& counts, std::size_t words, std::size_t classes, std::size_t threads) {
  std::vector<std::vector<std::uint32_t>> members(counts.classes());
  for (std::uint32_t word = 0; word < words; ++word) members[counts.class_of()[word]].push_back(word);
  std::vector<std::uint32_t> left;  // classes that have words
  for (std::uint32_t c = 0; c < members.size(); ++c) {
    if (!members[c].empty()) left.push_back(c);
  }
  std::vector<ClassCounts::Choice> mergers(members.size());
  in_parallel(left.size(), threads, [&] {
    return [&, scratch = ClassCounts::Scratch(counts)](std::size_t first, std::size_t last, Stop&) mutable {
      for (std::size_t i = first; i < last; ++i) {
        mergers[left[i]] = counts.best_merger(left[i], members[left[i]], scratch);
      }
    };
  });
  ClassCounts::Scratch scratch(counts);
  const auto worse = [&](std::uint32_t a, std::uint32_t b) { return mergers[a].gain < mergers[b].gain; };
  while (left.size() > classes) {
    // What was found before other mergers is out of date, and as a rule too good: the best is looked at again until it
    // stays the best.
    auto best = left.end();
    for (auto looked_at = left.begin(); best != looked_at;) {
      looked_at = std::max_element(left.begin(), left.end(), worse);
      mergers[*looked_at] = counts.best_merger(*looked_at, members[*looked_at], scratch);
      best = std::max_element(left.begin(), left.end(), worse);
    }
    const std::uint32_t from = *best, to = mergers[from].to;
    for (const std::uint32_t word : members[from]) counts.move(word, to, scratch);
    members[to].insert(members[to].end(), members[from].begin(), members[from].end());
    left.erase(best);
  }
  std::vector<std::uint32_t> class_of(words);
  for (std::uint32_t c = 0; c < left.size(); ++c) {
    for (const std::uint32_t word : members[left[c]]) class_of[word] = c;
  }
  return class_of;
}

}  // namespace budgie::clusters
