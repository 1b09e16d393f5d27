// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "dispatch.hpp"

namespace budgie {

namespace {

// GCC's and clang's vectors: any instruction set, no intrinsics, and the compiler keeps them in registers.
template <class T, std::size_t kCount>
using Vector __attribute__((vector_size(kCount * sizeof(T)))) = T;

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
    const auto bias = static_cast<std::int32_t>(128 * (stop - start));
    std::int32_t part[kDim];
    for (std::size_t d = 0; d < kDim; d += 2) {
      part[d] = even[d / 2];
      part[d + 1] = odd[d / 2];
    }
    for (std::size_t d = 0; d < kDim; ++d) sums[d] += part[d] - bias;
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

// Packed rows: byte j of a row of W bytes holds weights j, j + W, j + 2W … from its low bits up, so that a shift and a
// mask give W neighbours at once. Small fields are summed where they stand for as many rows as cannot overflow them.

// 4 bits, 32 weights: 16 rows fit the sums in bytes.
BUDGIE_INLINE void add_nibble_rows(const std::uint8_t* table, const std::uint32_t* ids, std::size_t count,
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

// 2 bits, 32 weights: a row is one 64-bit number, and two rows are added side by side. Five such pairs fit the sums in
// fields of 4 bits; of 160 rows, with what is left over for the first of the two, at most 84 meet in a byte (252).
BUDGIE_INLINE void add_pair_rows(const std::uint8_t* table, const std::uint32_t* ids, std::size_t count,
                                 std::uint32_t* totals) {
  using Two = Vector<std::uint64_t, 2>;
  constexpr std::uint64_t kPairs = 0x3333333333333333, kNibbles = 0x0F0F0F0F0F0F0F0F;
  const auto row = [&](std::size_t i) { return load<std::uint64_t>(table + std::size_t{ids[i]} * 8); };
  for (std::size_t i = 0; i < count;) {
    Two parts[4] = {};
    const std::size_t end = std::min(count, i + 160);
    const auto fold = [&](Two even, Two odd) {
      parts[0] += even & kNibbles;
      parts[1] += odd & kNibbles;
      parts[2] += even >> 4 & kNibbles;
      parts[3] += odd >> 4 & kNibbles;
    };
    for (; i + 10 <= end; i += 10) {
      Two even = {}, odd = {};
      for (std::size_t j = 0; j < 10; j += 2) {
        const Two two = {row(i + j), row(i + j + 1)};
        even += two & kPairs;
        odd += two >> 2 & kPairs;
      }
      fold(even, odd);
    }
    while (i < end) {
      Two even = {}, odd = {};
      for (const std::size_t stop = std::min(end, i + 5); i < stop; ++i) {
        const Two one = {row(i), 0};
        even += one & kPairs;
        odd += one >> 2 & kPairs;
      }
      fold(even, odd);
    }
    for (std::size_t p = 0; p < 4; ++p) {
      std::uint8_t run[16];
      std::memcpy(run, &parts[p], sizeof run);
      for (std::size_t j = 0; j < 8; ++j) totals[p * 8 + j] += run[j] + run[8 + j];
    }
  }
}

BUDGIE_CLONES void add_packed(const std::uint8_t* table, std::size_t bits, std::size_t dim, const std::uint32_t* ids,
                              std::size_t count, double* sums) {
  const std::size_t largest = (1u << bits) - 1;
  const double zeros = static_cast<double>(count * largest) / 2;
  if (dim == 32) {
    std::uint32_t totals[32] = {};
    if (bits == 4) add_nibble_rows(table, ids, count, totals);
    if (bits == 2) add_pair_rows(table, ids, count, totals);
    for (std::size_t d = 0; d < 32; ++d) sums[d] += totals[d] - zeros;
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

BUDGIE_CLONES void add_floats(const float* table, std::size_t dim, const std::uint32_t* ids, std::size_t count,
                              double* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = table + std::size_t{ids[i]} * dim;
    for (std::size_t d = 0; d < dim; ++d) sums[d] += static_cast<double>(row[d]);
  }
}

// kOutputs outputs from `first` on of bias + W in, for kTexts texts at once, in vectors of kWidth: they are in
// registers while all inputs pass by. Each is added up in the same order, so a result depends neither on width nor on
// neighbours.
template <std::size_t kWidth, std::size_t kTexts, std::size_t kOutputs>
BUDGIE_INLINE void apply_part(const Layer& layer, std::size_t first, const float* in, std::size_t in_stride,
                              float* out) {
  using Part = Vector<float, kWidth>;
  constexpr std::size_t kParts = kOutputs / kWidth;
  Part sums[kTexts][kParts];
  for (auto& text : sums) {
    for (std::size_t p = 0; p < kParts; ++p) text[p] = load<Part>(layer.bias.data() + first + p * kWidth);
  }
  const float* weights = layer.weights.data() + first;
  for (std::size_t i = 0; i < layer.inputs; ++i, weights += layer.stride) {
    for (std::size_t p = 0; p < kParts; ++p) {
      const auto weight = load<Part>(weights + p * kWidth);
      for (std::size_t t = 0; t < kTexts; ++t) sums[t][p] += in[t * in_stride + i] * weight;
    }
  }
  for (std::size_t t = 0; t < kTexts; ++t) std::memcpy(out + t * layer.stride + first, &sums[t], sizeof sums[t]);
}

// One text alone takes more outputs at a time, since each sum waits for its last addition.
template <std::size_t kWidth>
BUDGIE_INLINE void apply_in_width(const Layer& layer, const float* in, std::size_t texts, std::size_t in_stride,
                                  float* out) {
  std::size_t t = 0;
  for (; t + kBlock <= texts; t += kBlock) {
    for (std::size_t first = 0; first < layer.stride; first += 16) {
      apply_part<kWidth, kBlock, 16>(layer, first, in + t * in_stride, in_stride, out + t * layer.stride);
    }
  }
  for (; t < texts; ++t) {
    const float* x = in + t * in_stride;
    float* y = out + t * layer.stride;
    std::size_t first = 0;
    for (; first + 64 <= layer.stride; first += 64) apply_part<kWidth, 1, 64>(layer, first, x, in_stride, y);
    for (; first < layer.stride; first += 16) apply_part<kWidth, 1, 16>(layer, first, x, in_stride, y);
  }
}

using Apply = void (*)(const Layer&, const float*, std::size_t, std::size_t, float*);

void apply_plain(const Layer& layer, const float* in, std::size_t texts, std::size_t in_stride, float* out) {
  apply_in_width<4>(layer, in, texts, in_stride, out);
}

#ifdef BUDGIE_X86
__attribute__((target("arch=x86-64-v3"))) void apply_v3(const Layer& layer, const float* in, std::size_t texts,
                                                        std::size_t in_stride, float* out) {
  apply_in_width<8>(layer, in, texts, in_stride, out);
}

__attribute__((target("arch=x86-64-v4"))) void apply_v4(const Layer& layer, const float* in, std::size_t texts,
                                                        std::size_t in_stride, float* out) {
  apply_in_width<16>(layer, in, texts, in_stride, out);
}

Apply choose_apply() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return apply_v4;
  return __builtin_cpu_supports("x86-64-v3") ? apply_v3 : apply_plain;
}
#else
Apply choose_apply() { return apply_plain; }
#endif

// out = bias + W in. Written for each width by hand: the compiler keeps a vector in memory that is wider than
// registers.
const Apply apply_layer = choose_apply();

// e^((score - best) / temperature) as 2^n times a polynomial: the same bits on every machine, and in vector registers.
BUDGIE_CLONES void exponentials(float* scores, std::size_t count, float best, float per_temperature) {
  for (std::size_t i = 0; i < count; ++i) {
    const float x = (scores[i] - best) * per_temperature;
    const float y = (x > -87.0f ? x : -87.0f) * 1.44269504f;
    const auto whole = static_cast<std::int32_t>(y - 0.5f);
    const float part = (y - static_cast<float>(whole)) * 0.693147181f;  // at most ln 2 / 2
    float power = part * 0.0013888889f + 0.0083333333f;
    power = power * part + 0.041666667f;
    power = power * part + 0.16666667f;
    power = power * part + 0.5f;
    power = power * part + 1.0f;
    power = power * part + 1.0f;
    const std::int32_t bits = (whole + 127) << 23;
    float two;
    std::memcpy(&two, &bits, sizeof two);
    scores[i] = power * two;
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
  const std::size_t width = dim * bits / 8;
  const std::uint8_t* bytes = integers.data() + id * width;
  const std::uint32_t mask = (1u << bits) - 1;
  for (std::size_t shift = 0; shift < 8; shift += bits, out += width) {
    for (std::size_t i = 0; i < width; ++i) out[i] = (static_cast<float>(bytes[i] >> shift & mask) - zero()) * scale;
  }
}

void Embedding::row(std::uint32_t id, std::uint8_t* out) const {
  const std::size_t width = dim * bits / 8;
  const std::uint8_t* bytes = integers.data() + id * width;
  // The usual shapes without a loop, and without copies whose size is not known here.
  if (bits == 4 && width == 4) return unpack<std::uint32_t>(bytes, out);
  if (bits == 4 && width == 8) return unpack<std::uint64_t>(bytes, out);
  const std::uint32_t mask = (1u << bits) - 1;
  for (std::size_t shift = 0; shift < 8; shift += bits, out += width) {
    for (std::size_t i = 0; i < width; ++i) out[i] = static_cast<std::uint8_t>(bytes[i] >> shift & mask);
  }
}

void Embedding::add(const std::uint32_t* ids, std::size_t count, double* sums) const {
  if (integers.empty()) return add_floats(floats.data(), dim, ids, count, sums);
  if (bits == 8) return add_bytes(integers.data(), dim, ids, count, sums);
  add_packed(integers.data(), bits, dim, ids, count, sums);
}

void Embedding::combine(const std::uint32_t* ids, std::size_t count, std::vector<double>& sums, float* out) const {
  sums.assign(dim, 0);
  add(ids, count, sums.data());
  const double times = factor(static_cast<double>(count));
  for (std::size_t d = 0; d < dim; ++d) out[d] = static_cast<float>(sums[d] * times);
}

Layer::Layer(std::size_t inputs_, std::size_t outputs_, const float* row_major, const float* bias_)
    : inputs(padded(inputs_)), outputs(outputs_), stride(padded(outputs_)) {
  weights.assign(inputs * stride, 0);
  bias.assign(stride, 0);
  std::copy_n(bias_, outputs, bias.data());
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs_; ++i) weights[i * stride + o] = row_major[o * inputs_ + i];
  }
}

void Layer::apply(const float* in, std::size_t texts, std::size_t in_stride, float* out) const {
  apply_layer(*this, in, texts, in_stride, out);
}

void Network::score(const float* h0, std::size_t texts, float* h1, float* scores) const {
  hidden.apply(h0, texts, this->h0(), h1);
  for (std::size_t i = 0; i < texts * hidden.stride; ++i) h1[i] = h1[i] > 0 ? h1[i] : 0;
  output.apply(h1, texts, hidden.stride, scores);
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
    const double times = embedding.factor(counts_[g]);
    for (std::size_t d = 0; d < embedding.dim; ++d) {
      out[start_[g] + d] = static_cast<float>(sums_[start_[g] + d] * times);
    }
  }
}

float exponentiate(std::vector<float>& scores, std::size_t count, float best, float temperature) {
  std::fill(scores.begin() + static_cast<std::ptrdiff_t>(count), scores.end(), -std::numeric_limits<float>::infinity());
  exponentials(scores.data(), scores.size(), best, 1 / temperature);
  Vector<float, 4> sums = {};
  for (std::size_t i = 0; i < scores.size(); i += 4) sums += load<Vector<float, 4>>(scores.data() + i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
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
