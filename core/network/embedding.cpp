// SPDX-License-Identifier: Apache-2.0
#include "network/embedding.hpp"

#include <algorithm>
#include <cstring>

#include "network/vectors.hpp"

namespace budgie::network {

namespace {

// Adds rows of kDim bytes, two neighbours to a 16-bit lane. Even and odd ones are summed apart: that needs no shuffle,
// and 256 rows cannot overflow.
template <std::size_t kDim>
BUDGIE_INLINE void sum_byte_rows(const std::uint8_t* table, const std::uint32_t* ids, std::size_t count, double* sums) {
  using Pairs = Vector<std::uint16_t, kDim / 2>;
  for (std::size_t start = 0; start < count; start += 256) {
    const std::size_t stop = std::min(count, start + 256);
    Pairs even = {}, odd = {};
    for (std::size_t i = start; i < stop; ++i) {
      const auto pairs = load<Pairs>(table + std::size_t{ids[i]} * kDim);
      even += pairs & 0xFF;
      odd += pairs >> 8;
    }
    const auto bias = static_cast<std::int32_t>(128 * (stop - start));
    std::int32_t part[kDim];
    for (std::size_t d = 0; d < kDim; d += 2) {
      part[d] = even[d / 2];
      part[d + 1] = odd[d / 2];
    }
    for (std::size_t d = 0; d < kDim; ++d) sums[d] += part[d] - bias;
  }
}

BUDGIE_CLONES void sum_bytes(const std::uint8_t* table, std::size_t dim, const std::uint32_t* ids, std::size_t count,
                             double* sums) {
  switch (dim) {
    case 8:
      return sum_byte_rows<8>(table, ids, count, sums);
    case 16:
      return sum_byte_rows<16>(table, ids, count, sums);
    case 32:
      return sum_byte_rows<32>(table, ids, count, sums);
    default:
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* row = table + std::size_t{ids[i]} * dim;
        for (std::size_t d = 0; d < dim; ++d) sums[d] += row[d] - 128;
      }
  }
}

// Packed rows: byte j of a row of W bytes holds weights j, j + W, j + 2W … from its low bits up, so that a shift and a
// mask give W neighbours at once. Small fields are summed where they stand for as many rows as cannot overflow them.

// 4 bits, 32 weights: 16 rows fit the sums in bytes.
BUDGIE_INLINE void sum_nibble_rows(const std::uint8_t* table, const std::uint32_t* ids, std::size_t count,
                                   std::uint32_t* totals) {
  using Bytes = Vector<std::uint8_t, 16>;
  for (std::size_t i = 0; i < count;) {
    Bytes part[2] = {};
    for (const std::size_t end = std::min(count, i + 16); i < end; ++i) {
      const auto row = load<Bytes>(table + std::size_t{ids[i]} * 16);
      part[0] += row & 0x0F;
      part[1] += row >> 4;
    }
    std::uint8_t run[32];
    std::memcpy(run, part, sizeof run);
    for (std::size_t d = 0; d < 32; ++d) totals[d] += run[d];
  }
}

// 4 bits, as many weights as a number has halves of bytes.
template <class Packed>
BUDGIE_INLINE void sum_short_nibble_rows(const std::uint8_t* table, const std::uint32_t* ids, std::size_t count,
                                         std::uint32_t* totals) {
  constexpr auto kLow = static_cast<Packed>(0x0F0F0F0F0F0F0F0F);
  for (std::size_t i = 0; i < count;) {
    Packed part[2] = {};
    for (const std::size_t end = std::min(count, i + 16); i < end; ++i) {
      const auto row = load<Packed>(table + std::size_t{ids[i]} * sizeof(Packed));
      part[0] += row & kLow;
      part[1] += row >> 4 & kLow;
    }
    std::uint8_t run[sizeof part];
    std::memcpy(run, part, sizeof run);
    for (std::size_t d = 0; d < sizeof run; ++d) totals[d] += run[d];
  }
}

// 2 bits: a row is one 64-bit number or two (32 or 64 weights), and two rows are added side by side. Five such pairs
// fit the sums in fields of 4 bits, and 16 fives those in bytes (240).
template <std::size_t kNumbers>
BUDGIE_INLINE void sum_pair_rows(const std::uint8_t* table, const std::uint32_t* ids, std::size_t count, double* sums) {
  using Row = Vector<std::uint64_t, kNumbers>;
  using Two = Vector<std::uint64_t, 2 * kNumbers>;
  constexpr std::uint64_t kPairs = 0x3333333333333333, kNibbles = 0x0F0F0F0F0F0F0F0F;
  constexpr std::size_t kBytes = sizeof(Row);
  // A call that is not inlined would be one of the plain instruction set, which passes such vectors in another way.
  const auto row = [&](std::size_t i) BUDGIE_INLINED { return load<Row>(table + std::size_t{ids[i]} * kBytes); };
  const auto side_by_side = [](Row one, Row other) BUDGIE_INLINED {
    if constexpr (kNumbers == 1) return Two{one[0], other[0]};
    if constexpr (kNumbers == 2)
      return __builtin_shufflevector(one, other, 0, 1, 2, 3);  // number by number takes longer
  };
  for (std::size_t i = 0; i < count;) {
    const std::size_t first = i, end = std::min(count, i + 160);
    Two parts[4] = {};
    Two even, odd;
    const auto add = [&](Two two) BUDGIE_INLINED {
      even += two & kPairs;
      odd += two >> 2 & kPairs;
    };
    const auto fold = [&]() BUDGIE_INLINED {
      parts[0] += even & kNibbles;
      parts[1] += odd & kNibbles;
      parts[2] += even >> 4 & kNibbles;
      parts[3] += odd >> 4 & kNibbles;
    };
    for (; i + 10 <= end; i += 10) {
      even = odd = Two{};
      for (std::size_t j = 0; j < 10; j += 2) add(side_by_side(row(i + j), row(i + j + 1)));
      fold();
    }
    even = odd = Two{};
    for (; i + 2 <= end; i += 2) add(side_by_side(row(i), row(i + 1)));
    if (i < end) add(side_by_side(row(i++), Row{}));
    fold();
    const double zeros = 1.5 * static_cast<double>(end - first);
    for (std::size_t p = 0; p < 4; ++p) {
      std::uint8_t run[2 * kBytes];
      std::memcpy(run, &parts[p], sizeof run);
      for (std::size_t j = 0; j < kBytes; ++j) {
        sums[p * kBytes + j] += static_cast<std::int32_t>(run[j] + run[kBytes + j]) - zeros;
      }
    }
  }
}

BUDGIE_CLONES void sum_packed(const std::uint8_t* table, std::size_t bits, std::size_t dim, const std::uint32_t* ids,
                              std::size_t count, double* sums) {
  if (bits == 2 && dim == 32) return sum_pair_rows<1>(table, ids, count, sums);
  if (bits == 2 && dim == 64) return sum_pair_rows<2>(table, ids, count, sums);
  const std::size_t largest = (1u << bits) - 1;
  const double zeros = static_cast<double>(count * largest) / 2;
  if (bits == 4 && (dim == 8 || dim == 16 || dim == 32)) {
    std::uint32_t totals[32] = {};
    if (bits == 4 && dim == 32) sum_nibble_rows(table, ids, count, totals);
    if (bits == 4 && dim == 16) sum_short_nibble_rows<std::uint64_t>(table, ids, count, totals);
    if (bits == 4 && dim == 8) sum_short_nibble_rows<std::uint32_t>(table, ids, count, totals);
    for (std::size_t d = 0; d < dim; ++d) sums[d] += totals[d] - zeros;
    return;
  }
  const std::size_t bytes = dim * bits / 8;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* row = table + std::size_t{ids[i]} * bytes;
    for (std::size_t d = 0; d < dim; ++d)
      sums[d] += static_cast<double>(row[d % bytes] >> (d / bytes * bits) & largest);
  }
  for (std::size_t d = 0; d < dim; ++d) sums[d] -= zeros;
}

BUDGIE_CLONES void sum_floats(const float* table, std::size_t dim, const std::uint32_t* ids, std::size_t count,
                              double* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = table + std::size_t{ids[i]} * dim;
    for (std::size_t d = 0; d < dim; ++d) sums[d] += static_cast<double>(row[d]);
  }
}

// Weights of 4 bits: the low halves of the bytes, then the high halves.
template <class Packed>
BUDGIE_INLINE void unpack(const std::uint8_t* bytes, std::uint8_t* out) {
  constexpr auto kLow = static_cast<Packed>(0x0F0F0F0F0F0F0F0F);
  Packed packed;
  std::memcpy(&packed, bytes, sizeof packed);
  const Packed halves[2] = {packed & kLow, packed >> 4 & kLow};
  std::memcpy(out, halves, sizeof halves);
}

}  // namespace

void Embedding::row(std::uint32_t id, float* out) const {
  if (integers.empty()) {
    std::copy_n(floats.data() + std::size_t{id} * dim, dim, out);
    return;
  }
  const std::size_t size = dim * bits / 8;
  const std::uint8_t* bytes = integers.data() + id * size;
  const std::uint32_t mask = (1u << bits) - 1;
  for (std::size_t shift = 0; shift < 8; shift += bits, out += size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = (static_cast<float>(bytes[i] >> shift & mask) - zero()) * scale;
  }
}

void Embedding::row(std::uint32_t id, std::uint8_t* out) const {
  const std::size_t size = dim * bits / 8;
  const std::uint8_t* bytes = integers.data() + id * size;
  // The usual shapes without a loop, and without copies whose size is not known here.
  if (bits == 4 && size == 4) return unpack<std::uint32_t>(bytes, out);
  if (bits == 4 && size == 8) return unpack<std::uint64_t>(bytes, out);
  const std::uint32_t mask = (1u << bits) - 1;
  for (std::size_t shift = 0; shift < 8; shift += bits, out += size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(bytes[i] >> shift & mask);
  }
}

void Embedding::add(const std::uint32_t* ids, std::size_t count, double* sums) const {
  if (integers.empty()) return sum_floats(floats.data(), dim, ids, count, sums);
  if (bits == 8) return sum_bytes(integers.data(), dim, ids, count, sums);
  sum_packed(integers.data(), bits, dim, ids, count, sums);
}

}  // namespace budgie::network
