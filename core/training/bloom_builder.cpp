// SPDX-License-Identifier: Apache-2.0
#include "training/bloom_builder.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "features/bloom.hpp"

namespace budgie::training {

namespace {

using Equation = BloomMap::Equation;
constexpr std::size_t kBucket = BloomMap::kBucket, kWidth = BloomMap::kWidth;

// So many times more equations than slots: what does not fit is bumped, and hardly a slot stays empty.
constexpr double kOverload = 1.04;
constexpr std::size_t kSmall = 512;  // a layer of fewer equations takes them all

struct Unknown {  // a bit to be stored
  std::uint64_t hash;
  bool value;
};

// Lengths of Huffman's codes for these frequencies; 0 where the frequency is 0.
std::vector<std::uint8_t> code_lengths(std::vector<std::uint64_t> frequencies) {
  struct Node {
    std::uint64_t frequency;
    std::size_t number;
    bool operator<(const Node& other) const {  // std::priority_queue puts the greatest first
      return frequency != other.frequency ? frequency > other.frequency : number > other.number;
    }
  };
  const std::size_t classes = frequencies.size();
  while (true) {
    std::priority_queue<Node> queue;
    for (std::size_t c = 0; c < classes; ++c) {
      if (frequencies[c] > 0) queue.push({frequencies[c], c});
    }
    std::vector<std::size_t> parents(2 * classes, 0);
    std::size_t next = classes;
    if (queue.size() == 1) {  // one cluster alone still needs a bit
      parents[queue.top().number] = next++;
      queue.pop();
    }
    while (queue.size() > 1) {
      std::uint64_t sum = 0;
      for (int child = 0; child < 2; ++child) {
        parents[queue.top().number] = next;
        sum += queue.top().frequency;
        queue.pop();
      }
      queue.push({sum, next++});
    }
    std::vector<std::size_t> depths(next, 0);  // the root is the last node
    for (std::size_t node = next - 1; node-- > 0;) {
      if (node >= classes || frequencies[node] > 0) depths[node] = depths[parents[node]] + 1;
    }
    std::vector<std::uint8_t> lengths(classes);
    for (std::size_t c = 0; c < classes; ++c)
      lengths[c] = static_cast<std::uint8_t>(std::min<std::size_t>(depths[c], 255));
    if (*std::max_element(lengths.begin(), lengths.end()) <= BloomMap::kLongestCode) return lengths;
    for (std::uint64_t& frequency : frequencies) frequency = (frequency + 1) / 2;  // flatter, so shorter at last
  }
}

// The codes that lengths stand for: of equal lengths the consecutive numbers, in the order of the clusters.
std::vector<std::uint32_t> make_codes(const std::vector<std::uint8_t>& lengths) {
  std::vector<std::uint32_t> codes(lengths.size());
  std::uint32_t code = 0;
  for (std::size_t length = 1; length <= BloomMap::kLongestCode; ++length, code <<= 1) {
    for (std::size_t c = 0; c < lengths.size(); ++c) {
      if (lengths[c] == length) codes[c] = code++;
    }
  }
  return codes;
}

// The equations of one layer, brought into a form in which slot s is the first unknown of at most one of them.
class Ribbon {
 public:
  explicit Ribbon(std::size_t slots) : coefficients_(slots), values_(slots) {}

  // Returns whether there was room, or the equation follows from the others.
  bool add(const Equation& equation, bool value) {
    std::uint64_t coefficients = equation.coefficients;
    std::size_t slot = equation.start;
    while (coefficients != 0) {
      const int zeros = __builtin_ctzll(coefficients);
      coefficients >>= zeros;
      slot += static_cast<std::size_t>(zeros);
      if (coefficients_[slot] == 0) {
        coefficients_[slot] = coefficients;
        values_[slot] = value;
        added_.push_back(slot);
        return true;
      }
      coefficients ^= coefficients_[slot];
      value ^= values_[slot] != 0;
    }
    return !value;
  }

  void keep() { added_.clear(); }
  void take_back() {  // what was added since `keep`
    for (const std::size_t slot : added_) coefficients_[slot] = values_[slot] = 0;
    added_.clear();
  }

  // The slots, eight to a byte, from the last to the first.
  void solve(std::uint8_t* bits) const {
    std::uint64_t behind = 0;  // the slots from here on
    for (std::size_t slot = coefficients_.size(); slot-- > 0;) {
      behind <<= 1;
      const bool bit = (__builtin_parityll(behind & coefficients_[slot]) != 0) != (values_[slot] != 0);
      behind |= bit;
      bits[slot / 8] = static_cast<std::uint8_t>(bits[slot / 8] | bit << slot % 8);
    }
  }

 private:
  std::vector<std::uint64_t> coefficients_;  // 0: no equation begins here
  std::vector<std::uint64_t> values_;
  std::vector<std::size_t> added_{};
};

// Solves as many equations as find room in `slots` slots; appends levels and slots to `bytes` and returns the others.
std::vector<Unknown> build_layer(const std::vector<Unknown>& unknowns, std::size_t slots,
                                 std::vector<std::uint8_t>& bytes) {
  std::vector<Equation> equations;
  equations.reserve(unknowns.size());
  for (const Unknown& unknown : unknowns) equations.emplace_back(unknown.hash, slots);
  // Bucket by bucket, and in each from the last slot to the first, which the bucket before may have taken.
  std::vector<std::size_t> order(unknowns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const std::size_t x = equations[a].start, y = equations[b].start;
    return x / kBucket != y / kBucket ? x / kBucket < y / kBucket : x > y;
  });
  Ribbon ribbon(slots);
  const std::size_t levels = bytes.size(), bits = levels + BloomMap::size_of_levels(slots);
  bytes.resize(bits + (slots + 7) / 8);
  std::vector<Unknown> bumped;
  for (std::size_t at = 0; at < order.size();) {
    const std::size_t bucket = equations[order[at]].start / kBucket;
    const auto here = [&](std::size_t i) { return i < order.size() && equations[order[i]].start / kBucket == bucket; };
    unsigned level = 3;
    for (bool room = true; room && level > 0;) {
      const std::size_t before = at;
      for (; room && here(at) && !equations[order[at]].bumped(level - 1); ++at) {
        const bool value = unknowns[order[at]].value != equations[order[at]].mask();
        room = ribbon.add(equations[order[at]], value);
      }
      if (room) {
        ribbon.keep();
        --level;
      } else {
        ribbon.take_back();
        at = before;
      }
    }
    bytes[levels + bucket / 4] = static_cast<std::uint8_t>(bytes[levels + bucket / 4] | level << bucket % 4 * 2);
    for (; here(at); ++at) {
      bumped.push_back({BloomMap::next_layer(unknowns[order[at]].hash), unknowns[order[at]].value});
    }
  }
  ribbon.solve(bytes.data() + bits);
  return bumped;
}

}  // namespace

BloomMapParts build_bloom_map(const std::vector<std::uint64_t>& keys, const std::vector<std::uint32_t>& clusters,
                              std::size_t classes, std::uint32_t error_bits) {
  if (keys.empty() || keys.size() != clusters.size()) throw std::invalid_argument("each word needs one cluster");
  std::vector<std::uint64_t> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    throw std::invalid_argument("two words have the same key");
  }
  BloomMapParts map;
  std::vector<std::uint64_t> frequencies(classes);
  for (const std::uint32_t cluster : clusters) ++frequencies.at(cluster);
  map.lengths = code_lengths(std::move(frequencies));
  const std::vector<std::uint32_t> codes = make_codes(map.lengths);
  std::vector<Unknown> unknowns;
  for (std::size_t w = 0; w < keys.size(); ++w) {
    std::size_t bit = 0;
    for (; bit < error_bits; ++bit) unknowns.push_back({BloomMap::hash_bit(keys[w], bit), false});
    for (std::size_t left = map.lengths[clusters[w]]; left-- > 0; ++bit) {
      unknowns.push_back({BloomMap::hash_bit(keys[w], bit), (codes[clusters[w]] >> left & 1) != 0});
    }
  }
  while (!unknowns.empty()) {
    const bool last = unknowns.size() < kSmall;
    const auto wanted = static_cast<std::size_t>(static_cast<double>(unknowns.size()) / kOverload);
    std::size_t slots = last ? unknowns.size() * 9 / 8 + kWidth : (wanted + kBucket - 1) / kBucket * kBucket;
    const std::size_t begin = map.bytes.size();
    std::vector<Unknown> rest = build_layer(unknowns, slots, map.bytes);
    for (; last && !rest.empty(); rest = build_layer(unknowns, slots, map.bytes)) {
      if (slots > 64 * kSmall) throw std::invalid_argument("two words have the same key");  // or bits of them
      map.bytes.resize(begin);
      slots += slots / 8;
    }
    map.slots.push_back(static_cast<std::uint32_t>(slots));
    unknowns = std::move(rest);
  }
  return map;
}

}  // namespace budgie::training
