// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

#include <algorithm>
#include <cstring>

#include "dispatch.hpp"

namespace budgie {

namespace {

// GCC's and clang's vectors: any instruction set, no intrinsics, and the compiler keeps them in registers.
template <class T, std::size_t kCount>
using Vector __attribute__((vector_size(kCount * sizeof(T)))) = T;

using Lanes = Vector<float, kLanes>;

template <class V, class T>
BUDGIE_INLINE V load(const T* from) {
  V value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Adds rows of kDim bytes, two neighbours to a 16-bit lane. Even and odd ones are summed apart: that needs no shuffle,
// and 256 rows cannot overflow.
template <std::size_t kDim>
BUDGIE_INLINE void add_byte_rows(const std::uint8_t* table, const std::uint32_t* ids, std::size_t count, double* sums) {
  using Pairs = Vector<std::uint16_t, kDim / 2>;
  for (std::size_t start = 0; start < count; start += 256) {
    const std::size_t stop = std::min(count, start + 256);
    Pairs even = {}, odd = {};
    for (std::size_t i = start; i < stop; ++i) {
      const auto pairs = load<Pairs>(table + std::size_t{ids[i]} * kDim);
      even += pairs & 0xFF;
      odd += pairs >> 8;
    }
    const double bias = 128.0 * static_cast<double>(stop - start);
    for (std::size_t d = 0; d < kDim; d += 2) {
      sums[d] += even[d / 2] - bias;
      sums[d + 1] += odd[d / 2] - bias;
    }
  }
}

BUDGIE_CLONES void add_bytes(const std::uint8_t* table, std::size_t dim, const std::uint32_t* ids, std::size_t count,
                             double* sums) {
  switch (dim) {
    case 8:
      return add_byte_rows<8>(table, ids, count, sums);
    case 16:
      return add_byte_rows<16>(table, ids, count, sums);
    case 32:
      return add_byte_rows<32>(table, ids, count, sums);
    default:
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* row = table + std::size_t{ids[i]} * dim;
        for (std::size_t d = 0; d < dim; ++d) sums[d] += row[d] - 128;
      }
  }
}

// Adds rows of kDim weights of 4 bits. 16 rows cannot overflow a byte, and 4096 cannot overflow 16 bits.
template <std::size_t kDim>
BUDGIE_INLINE void add_nibble_rows(const std::uint8_t* table, const std::uint32_t* ids, std::size_t count,
                                   double* sums) {
  using Bytes = Vector<std::uint8_t, kDim / 2>;
  using Words = Vector<std::uint16_t, kDim / 2>;
  for (std::size_t start = 0; start < count; start += 4096) {
    const std::size_t stop = std::min(count, start + 4096);
    Words low_sums = {}, high_sums = {};
    for (std::size_t i = start; i < stop;) {
      Bytes low = {}, high = {};
      for (const std::size_t end = std::min(stop, i + 16); i < end; ++i) {
        const auto bytes = load<Bytes>(table + std::size_t{ids[i]} * (kDim / 2));
        low += bytes & 0x0F;
        high += bytes >> 4;
      }
      low_sums += __builtin_convertvector(low, Words);
      high_sums += __builtin_convertvector(high, Words);
    }
    const double bias = 8.0 * static_cast<double>(stop - start);
    for (std::size_t d = 0; d < kDim / 2; ++d) {
      sums[d] += low_sums[d] - bias;
      sums[kDim / 2 + d] += high_sums[d] - bias;
    }
  }
}

BUDGIE_CLONES void add_nibbles(const std::uint8_t* table, std::size_t dim, const std::uint32_t* ids, std::size_t count,
                               double* sums) {
  switch (dim) {
    case 16:
      return add_nibble_rows<16>(table, ids, count, sums);
    case 32:
      return add_nibble_rows<32>(table, ids, count, sums);
    case 64:
      return add_nibble_rows<64>(table, ids, count, sums);
    default:
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* row = table + std::size_t{ids[i]} * (dim / 2);
        for (std::size_t d = 0; d < dim / 2; ++d) {
          sums[d] += (row[d] & 0x0F) - 8;
          sums[dim / 2 + d] += (row[d] >> 4) - 8;
        }
      }
  }
}

BUDGIE_CLONES void add_floats(const float* table, std::size_t dim, const std::uint32_t* ids, std::size_t count,
                              double* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = table + std::size_t{ids[i]} * dim;
    for (std::size_t d = 0; d < dim; ++d) sums[d] += static_cast<double>(row[d]);
  }
}

// Outputs [lane, lane + kGroups * kLanes) of bias + W in, for kTexts inputs at once: they are in registers while all
// inputs pass by. There must be several sums, since each waits for its last addition; but every one of them is added
// up in the same order, so that a result does not depend on how many there are.
template <std::size_t kTexts, std::size_t kGroups>
BUDGIE_INLINE void apply(const Layer& layer, std::size_t lane, const float* in, std::size_t in_stride, float* out,
                         bool rectify) {
  Lanes sums[kTexts][kGroups];
  for (auto& text : sums) {
    for (std::size_t g = 0; g < kGroups; ++g) text[g] = load<Lanes>(layer.bias.data() + lane + g * kLanes);
  }
  const float* weights = layer.weights.data() + lane;
  for (std::size_t i = 0; i < layer.inputs; ++i, weights += layer.stride) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const auto weight = load<Lanes>(weights + g * kLanes);
      for (std::size_t t = 0; t < kTexts; ++t) sums[t][g] += in[t * in_stride + i] * weight;
    }
  }
  for (std::size_t t = 0; t < kTexts; ++t) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (rectify) sums[t][g] = sums[t][g] > 0 ? sums[t][g] : Lanes{};
      std::memcpy(out + t * layer.stride + lane + g * kLanes, &sums[t][g], sizeof(Lanes));
    }
  }
}

BUDGIE_CLONES void apply_to_one(const Layer& layer, const float* in, std::size_t stride, float* out, bool rectify) {
  std::size_t lane = 0;
  for (; lane + 4 * kLanes <= layer.stride; lane += 4 * kLanes) apply<1, 4>(layer, lane, in, stride, out, rectify);
  for (; lane < layer.stride; lane += kLanes) apply<1, 1>(layer, lane, in, stride, out, rectify);
}

BUDGIE_CLONES void apply_to_block(const Layer& layer, const float* in, std::size_t stride, float* out, bool rectify) {
  for (std::size_t lane = 0; lane < layer.stride; lane += kLanes) {
    apply<kBlock, 1>(layer, lane, in, stride, out, rectify);
  }
}

// e^x for x <= 0 as 2^n times a polynomial: the same bits on every machine.
using Integers = Vector<std::int32_t, kLanes>;
BUDGIE_INLINE Lanes exponential(Lanes x) {
  const Lanes y = (x > -87.0f ? x : Lanes{} - 87.0f) * 1.44269504f;
  const Integers whole = __builtin_convertvector(y - 0.5f, Integers);
  const Lanes part = (y - __builtin_convertvector(whole, Lanes)) * 0.693147181f;  // at most ln 2 / 2
  Lanes power = part * 0.0013888889f + 0.0083333333f;
  power = power * part + 0.041666667f;
  power = power * part + 0.16666667f;
  power = power * part + 0.5f;
  power = power * part + 1.0f;
  power = power * part + 1.0f;
  const Integers bits = (whole + 127) << 23;
  Lanes two;
  std::memcpy(&two, &bits, sizeof two);
  return power * two;
}

BUDGIE_CLONES float exponentials(float* scores, std::size_t count, float best, float per_temperature) {
  Lanes sums = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    const Lanes value = exponential((load<Lanes>(scores + i) - best) * per_temperature);
    std::memcpy(scores + i, &value, sizeof value);
    sums += value;
  }
  float total = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) total += sums[lane];
  return total;
}

}  // namespace

void Embedding::add(const std::uint32_t* ids, std::size_t count, double* sums) const {
  if (!nibbles.empty()) return add_nibbles(nibbles.data(), dim, ids, count, sums);
  if (!bytes.empty()) return add_bytes(bytes.data(), dim, ids, count, sums);
  add_floats(floats.data(), dim, ids, count, sums);
}

Layer::Layer(std::size_t inputs_, std::size_t outputs_, const float* row_major, const float* bias_)
    : inputs(inputs_), outputs(outputs_), stride(padded(outputs_)) {
  weights.assign(inputs * stride, 0);
  bias.assign(stride, 0);
  std::copy_n(bias_, outputs, bias.data());
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) weights[i * stride + o] = row_major[o * inputs + i];
  }
}

void Network::score(const float* h0, std::size_t texts, float* h1, float* scores) const {
  const auto apply = texts == 1 ? apply_to_one : apply_to_block;
  apply(hidden, h0, this->h0(), h1, true);
  apply(output, h1, hidden.stride, scores, false);
}

EmbeddingSums::EmbeddingSums(const Network& network) : network_(&network) {
  std::size_t start = 0;
  for (const Embedding& embedding : network.embeddings) {
    start_.push_back(start);
    start += embedding.dim;
  }
  sums_.assign(start, 0);
  counts_.assign(network.embeddings.size(), 0);
}

void EmbeddingSums::clear() {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  std::fill(counts_.begin(), counts_.end(), 0.0);
}

void EmbeddingSums::add(std::size_t group, const std::uint32_t* ids, std::size_t count) {
  network_->embeddings[group].add(ids, count, sums_.data() + start_[group]);
  counts_[group] += static_cast<double>(count);
}

void EmbeddingSums::add(const EmbeddingSums& other, double sign) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += sign * other.sums_[i];
  for (std::size_t g = 0; g < counts_.size(); ++g) counts_[g] += sign * other.counts_[g];
}

void EmbeddingSums::h0(float* out) const {
  for (std::size_t g = 0; g < counts_.size(); ++g) {
    const Embedding& embedding = network_->embeddings[g];
    const double count = embedding.mean && counts_[g] > 0 ? counts_[g] : 1;
    const double factor = embedding.scale / count;
    for (std::size_t d = 0; d < embedding.dim; ++d) {
      out[start_[g] + d] = static_cast<float>(sums_[start_[g] + d] * factor);
    }
  }
}

float exponentiate(std::vector<float>& scores, std::size_t count, float best, float temperature) {
  std::fill(scores.begin() + static_cast<std::ptrdiff_t>(count), scores.end(), best - 1e6f * temperature);
  return exponentials(scores.data(), scores.size(), best, 1 / temperature);
}

float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  std::uint32_t exponent = half >> 10 & 0x1F, fraction = half & 0x3FF;
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) / 16777216.0f;  // 2^-24: subnormal
    return sign != 0 ? -value : value;
  }
  const std::uint32_t bits = sign | (exponent == 31 ? 0xFF : exponent + 112) << 23 | fraction << 13;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace budgie
