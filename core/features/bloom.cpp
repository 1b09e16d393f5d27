// SPDX-License-Identifier: Apache-2.0
#include "features/bloom.hpp"

#include "dispatch.hpp"

namespace budgie::features {

namespace {

BUDGIE_INLINE bool parity(std::uint64_t bits) { return __builtin_popcountll(bits) % 2 != 0; }

// 64 slots from any slot on; a byte behind them is read, too.
BUDGIE_INLINE std::uint64_t window(const std::uint8_t* bits, std::size_t start) {
  std::uint64_t low;
  std::memcpy(&low, bits + start / 8, sizeof low);
  const std::size_t shift = start % 8;
  return low >> shift | std::uint64_t{bits[start / 8 + 8]} << 1 << (63 - shift);
}

}  // namespace

std::size_t BloomMap::size(const std::vector<std::uint32_t>& slots) {
  std::size_t sum = 0;
  for (const std::size_t count : slots) sum += size_of_levels(count) + (count + 7) / 8;
  return sum;
}

BloomMap::BloomMap(const std::vector<std::uint8_t>& lengths, const std::vector<std::uint32_t>& slots,
                   std::uint32_t error_bits, WordFolding folding, const std::uint8_t* bytes)
    : error_bits_(error_bits), folding_(folding), bytes_(bytes, bytes + size(slots)) {
  for (const std::size_t length : lengths) ++counts_[length];
  counts_[0] = 0;  // clusters without words have no code
  std::array<std::size_t, kLongestCode + 2> places{};
  for (std::size_t length = 1; length <= kLongestCode; ++length) places[length + 1] = places[length] + counts_[length];
  by_code_.resize(places.back());
  for (std::size_t cluster = 0; cluster < lengths.size(); ++cluster) {
    if (lengths[cluster] > 0) by_code_[places[lengths[cluster]]++] = static_cast<std::int32_t>(cluster);
  }
  std::size_t begin = 0;
  for (const std::size_t count : slots) {
    const std::size_t bits = begin + size_of_levels(count);
    layers_.push_back({count, begin, bits});
    begin = bits + (count + 7) / 8;
  }
  bytes_.resize(bytes_.size() + sizeof(std::uint64_t) + 1);  // windows may look over the end
}

BUDGIE_INLINE bool BloomMap::read(std::uint64_t key, std::size_t bit) const {
  std::uint64_t hash = hash_bit(key, bit);
  for (const Layer& layer : layers_) {
    const Equation equation(hash, layer.slots);
    const std::size_t bucket = equation.start / kBucket;
    const unsigned level = bytes_[layer.levels + bucket / 4] >> bucket % 4 * 2 & 3;
    if (!equation.bumped(level)) {
      return parity(window(bytes_.data() + layer.bits, equation.start) & equation.coefficients) != equation.mask();
    }
    hash = next_layer(hash);
  }
  return false;
}

BUDGIE_CLONES std::int32_t BloomMap::find_key(std::uint64_t key) const {
  std::size_t bit = 0;
  for (; bit < error_bits_; ++bit) {
    if (read(key, bit)) return kNone;
  }
  // Codes of one length are consecutive numbers, and come after those of the shorter ones.
  std::uint32_t code = 0, first = 0, passed = 0;
  for (std::size_t length = 1; passed < by_code_.size(); ++length, ++bit) {
    code = code << 1 | read(key, bit);
    if (code - first < counts_[length]) return by_code_[passed + code - first];
    passed += counts_[length];
    first = (first + counts_[length]) << 1;
  }
  return kNone;
}

}  // namespace budgie::features
