// SPDX-License-Identifier: Apache-2.0
// How long one lookup in a Bloom map takes: 250,000 made-up words in 256 clusters, each looked up, in random order.
#include <chrono>
#include <cstdio>
#include <random>
#include <string>

#include "features/bloom.hpp"
#include "training/bloom_builder.hpp"

int main() {
  using budgie::features::BloomMap;
  constexpr std::size_t kWords = 250'000, kClasses = 256, kRounds = 8;
  std::mt19937_64 random(1);
  std::vector<std::string> words;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> clusters;
  const auto view = [](const std::string& word) { return budgie::text::TextView{word.data(), word.size()}; };
  for (std::size_t i = 0; i < kWords; ++i) {
    words.push_back("word" + std::to_string(random() % 1'000'000'000'000));
    keys.push_back(BloomMap::key(view(words.back()), {}));
    clusters.push_back(static_cast<std::uint32_t>(random() % kClasses));
  }
  for (const std::uint32_t error_bits : {0u, 4u}) {
    const auto begin = std::chrono::steady_clock::now();
    const budgie::training::BloomMapParts parts = budgie::training::build_bloom_map(keys, clusters, kClasses, error_bits);
    const auto built = std::chrono::steady_clock::now();
    const BloomMap map(parts.lengths, parts.slots, error_bits, {}, parts.bytes.data());
    std::size_t right = 0;
    double best = 1e9;
    for (std::size_t round = 0; round < kRounds; ++round) {
      const auto from = std::chrono::steady_clock::now();
      for (std::size_t i = 0; i < kWords; ++i) right += map.find(view(words[i])) == static_cast<int>(clusters[i]);
      const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - from;
      best = std::min(best, took.count() / kWords);
    }
    std::printf("%u error bits: built in %.2f s, %.1f KB, %.2f bits a word, %.1f ns a lookup, %s\n", error_bits,
                std::chrono::duration<double>(built - begin).count(), static_cast<double>(parts.bytes.size()) / 1024,
                8.0 * static_cast<double>(parts.bytes.size()) / kWords, best,
                right == kRounds * kWords ? "every word right" : "WRONG");
  }
}
