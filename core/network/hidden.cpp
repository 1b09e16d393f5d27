// SPDX-License-Identifier: Apache-2.0
#include "network/hidden.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace budgie::network {

namespace {

constexpr std::size_t kRemembered = 32 << 20;  // bytes of each generation of remembered words
constexpr std::size_t kAhead = 24;             // rows of an embedding that are on their way from memory

}  // namespace

// ---- multiplied at load ----------------------------------------------------------------------------------------

HiddenTable::HiddenTable(const Embedding& embedding, std::size_t ids, const float* weights, std::size_t width)
    : width_(width), rows_(ids * width) {
  std::vector<float> vector(embedding.dim);
  for (std::size_t id = 0; id < ids; ++id) {
    embedding.row(static_cast<std::uint32_t>(id), vector.data());
    float* out = rows_.data() + id * width;
    for (std::size_t d = 0; d < vector.size(); ++d) {
      for (std::size_t i = 0; i < width; ++i) out[i] += vector[d] * weights[d * width + i];
    }
  }
}

// ---- once a word -----------------------------------------------------------------------------------------------

template <class Number>
HiddenWords<Number>::HiddenWords(WordGroups words, const Network& network, std::size_t parts, const PartOf& part_of)
    : words_(std::move(words)), embeddings_(network.embeddings), width_(network.width()), parts_(parts) {
  Weights weights(parts);
  for_each_position(words_.groups, network, [&](const FeaturePosition& at, const float* of_position) {
    const std::optional<std::size_t> number = part_of(at);
    if (!number) return;
    Part& part = parts_[*number];
    part.groups.push_back({at.group, words_.groups[at.group].vectors() * embeddings_[at.group].dim});
    part.inputs += part.groups.back().inputs;
    weights[*number].push_back(of_position);
  });
  pack(network, weights);
}

template <>
void HiddenWords<float>::pack(const Network& network, const Weights& weights) {
  bias_ = network.hidden.bias;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    Layer& layer = part.layer;
    for (std::size_t g = 0; g < part.groups.size(); ++g) {
      layer.weights.insert(layer.weights.end(), weights[p][g], weights[p][g] + part.groups[g].inputs * width_);
    }
    layer.inputs = part.inputs;
    layer.outputs = layer.stride = width_;
    layer.bias.assign(width_, 0);
  }
}

template <>
void HiddenWords<std::int16_t>::pack(const Network& network, const Weights& weights) {
  std::vector<float> largest;  // number of h0, of each group
  for (std::size_t g = 0; g < words_.groups.size(); ++g) {
    const float most = embeddings_[g].largest();
    largest.push_back(most > kLeastInput ? most : 0);
    const std::size_t inputs = words_.groups[g].vectors() * embeddings_[g].dim;
    input_scales_.insert(input_scales_.end(), inputs, most > kLeastInput ? kLargestInput / most : 0);
  }
  input_scales_.resize(padded(input_scales_.size()));
  input_most_.assign(input_scales_.size(), kLargestInput);

  // Calls call(number of the input, unit, weight times the largest number of its input) for all weights of a part.
  const auto each = [&](std::size_t p, auto&& call) {
    std::size_t input = 0;
    for (std::size_t g = 0; g < parts_[p].groups.size(); ++g) {
      const auto [group, inputs] = parts_[p].groups[g];
      const float* weight = weights[p][g];
      for (const std::size_t end = input + inputs; input < end; ++input) {
        for (std::size_t unit = 0; unit < width_; ++unit) call(input, unit, *weight++ * largest[group]);
      }
    }
  };

  // No part can add more to a unit than all its weights together.
  std::vector<float> all(width_);
  for (std::size_t i = 0; i < width_; ++i) all[i] = std::abs(network.hidden.bias[i]);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<float>& sums = parts_[p].layer.most;
    sums.assign(width_, 0);
    each(p, [&](std::size_t, std::size_t unit, float weight) { sums[unit] += std::abs(weight); });
    for (std::size_t i = 0; i < width_; ++i) all[i] += sums[i];
  }
  // Each part, and the bias, is rounded by half a step at most; as much again is for the errors of floats.
  constexpr float kLargest = std::numeric_limits<std::int16_t>::max();
  for (std::size_t i = 0; i < width_; ++i) {
    steps_.push_back(all[i] > kLeastInput ? all[i] / (kLargest - static_cast<float>(parts_.size() + 1)) : 1);
    bias_.push_back(static_cast<std::int16_t>(std::floor(network.hidden.bias[i] / steps_[i] + 0.5F)));
  }

  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<float> dense(parts_[p].inputs * width_);
    each(p, [&](std::size_t input, std::size_t unit, float weight) { dense[input * width_ + unit] = weight; });
    ShortLayer layer(parts_[p].inputs, width_, dense.data());
    layer.most = std::move(parts_[p].layer.most);
    for (std::size_t i = 0; i < width_; ++i) {
      layer.scales.push_back(layer.integers[i] > 0 ? 1 / (layer.integers[i] * kLargestInput * steps_[i]) : 0);
      layer.most[i] /= steps_[i];
    }
    parts_[p].layer = std::move(layer);
  }
}

template <class Number>
void HiddenWords<Number>::rectify(const Number* const* parts, std::size_t count, float* out) const {
  if constexpr (kIntegers) {
    rectify_shorts(parts, count, steps_.data(), width_, out);
  } else {
    rectify_rows(parts, count, width_, out);
  }
}

template <class Number>
HiddenWords<Number>::Scratch::Scratch(const HiddenWords& hidden, std::size_t words)
    : features_(hidden.words_),
      cache_(hidden.parts_.size() * hidden.width_,
             std::min(words,
                      kRemembered / sizeof(Number) / std::max<std::size_t>(1, hidden.parts_.size() * hidden.width_))),
      sums_(hidden.words_.groups, hidden.embeddings_),
      row_(sums_.size()),
      vector_(padded(sums_.inputs())),
      vectors_(kBlock * vector_.size()),
      inputs_(kBlock * (vector_.size() + 1)),
      outputs_(kIntegers ? 0 : kBlock * hidden.width_) {
  waiting_.reserve(kBlock);
}

template <class Number>
const Number* const* HiddenWords<Number>::find(const TextView* words, std::size_t count, Scratch& scratch,
                                               Stop& stop) const {
  if (!scratch.waiting_.empty()) {  // the last call was stopped, and left rows behind that nobody has filled in
    scratch.waiting_.clear();
    scratch.cache_.forget_all();
  }
  scratch.cache_.make_room(count);
  scratch.rows_.resize(count);
  std::size_t bytes = 0;  // of known words, since the last look
  for (std::size_t i = 0; i < count; ++i) {
    if ((bytes += words[i].bytes()) > Stop::kStretch) {
      stop.look();
      bytes = 0;
    }
    const auto [row, fresh] = scratch.cache_.find(words[i], stop);
    scratch.rows_[i] = row.numbers;
    if (!fresh) continue;
    scratch.waiting_.push_back(row);
    if (scratch.waiting_.size() == kBlock) fill_waiting(scratch, stop);
  }
  fill_waiting(scratch, stop);
  return scratch.rows_.data();
}

// Several words at a time share one pass over the weights.
template <class Number>
void HiddenWords<Number>::fill_waiting(Scratch& scratch, Stop& stop) const {
  const std::size_t count = scratch.waiting_.size(), size = scratch.vector_.size();
  for (std::size_t i = 0; i < count; ++i) {
    embed(scratch.waiting_[i].word, scratch, stop, scratch.vectors_.data() + i * size);
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = parts_[p];
    const std::size_t stride = kIntegers ? (part.inputs + 1) / 2 * 2 : part.inputs;
    std::array<Number*, kBlock> rows{};
    for (std::size_t i = 0; i < count; ++i) {
      const Number* vector = scratch.vectors_.data() + i * size;
      Number* input = scratch.inputs_.data() + i * stride;
      for (const Seen& seen : part.groups) {
        input = std::copy_n(vector + scratch.sums_.begin(seen.group), seen.inputs, input);
      }
      std::fill(input, scratch.inputs_.data() + (i + 1) * stride, Number{0});
      rows[i] = scratch.waiting_[i].numbers + p * width_;
    }
    if constexpr (kIntegers) {
      apply_shorts(part.layer, scratch.inputs_.data(), count, rows.data());
    } else {
      part.layer.apply(scratch.inputs_.data(), count, stride, scratch.outputs_.data());
      for (std::size_t i = 0; i < count; ++i) std::copy_n(scratch.outputs_.data() + i * width_, width_, rows[i]);
    }
  }
  scratch.waiting_.clear();
}

template <class Number>
void HiddenWords<Number>::embed(const TextView& word, Scratch& scratch, Stop& stop, Number* out) const {
  std::fill(scratch.row_.begin(), scratch.row_.end(), 0.0);
  scratch.features_.extract(word, stop,
                            [&](std::size_t group, std::size_t vector, const std::uint32_t* ids, std::size_t count) {
                              scratch.sums_.add(group, vector, ids, count, scratch.row_.data());
                            });
  if constexpr (kIntegers) {
    scratch.sums_.h0(scratch.row_.data(), scratch.vector_.data());
    round_shorts(scratch.vector_.data(), input_scales_.data(), input_most_.data(), input_scales_.size(), out);
  } else {
    scratch.sums_.h0(scratch.row_.data(), out);
  }
}

template class HiddenWords<float>;
template class HiddenWords<std::int16_t>;

// ---- a run at a time -------------------------------------------------------------------------------------------

void UnitVectors::fill(std::size_t group, const Embedding& embedding, const std::uint32_t* ids, std::size_t count) {
  const auto fill_with = [&](auto& vectors) {
    const std::size_t room = (count + kTile) * embedding.dim;
    if (vectors.size() < room) vectors.resize(room);
    for (std::size_t i = 0; i < count; ++i) {
      embedding.prefetch(ids[std::min(i + kAhead, count - 1)]);
      embedding.row(ids[i], vectors.data() + i * embedding.dim);
    }
  };
  embedding.small() ? fill_with(bytes_[group]) : fill_with(floats_[group]);
}

HiddenRun::HiddenRun(const std::vector<Group>& groups, const Network& network, const Takes& takes)
    : width_(network.width()) {
  std::vector<float> floats, bytes, zeros;  // weights, input by input; what a stored zero of each input stands for
  for_each_position(groups, network, [&](const FeaturePosition& at, const float* weights) {
    if (!takes(at)) return;
    const Embedding& embedding = network.embeddings[at.group];
    const bool small = embedding.small();
    (small ? byte_inputs_ : float_inputs_).push_back({at, embedding.dim});
    for (std::size_t i = 0; i < embedding.dim * width_; ++i) {
      small ? bytes.push_back(weights[i] * embedding.scale) : floats.push_back(weights[i]);
    }
    if (small) zeros.insert(zeros.end(), embedding.dim, embedding.zero());
  });
  pack_floats(floats);
  pack_bytes(bytes, zeros);
}

// As kernels.hpp shows.
void HiddenRun::pack_floats(const std::vector<float>& weights) {
  for (std::size_t block = 0; block < width_; block += kLanes) {
    for (std::size_t at = block; at < weights.size(); at += width_) {
      float_weights_.insert(float_weights_.end(), &weights[at], &weights[at] + kLanes);
    }
  }
}

void HiddenRun::pack_bytes(const std::vector<float>& weights, const std::vector<float>& zeros) {
  scales_.assign(width_, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    scales_[i % width_] = std::max(scales_[i % width_], std::abs(weights[i]) / 127);
  }
  byte_weights_.resize(weights.size());
  std::vector<double> excess(width_);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t input = i / width_, lane = i % width_, inputs = zeros.size();
    const float rounded = scales_[lane] > 0 ? std::floor(weights[i] / scales_[lane] + 0.5F) : 0;
    const float byte = std::clamp(rounded, -127.0F, 127.0F);
    excess[lane] += static_cast<double>(byte * zeros[input]);
    const std::size_t block = lane / kLanes * inputs * kLanes;
    const std::size_t quad = (input / kQuad * kLanes + lane % kLanes) * kQuad + input % kQuad;
    byte_weights_[block + quad] = static_cast<std::int8_t>(byte);
  }
  for (std::size_t i = 0; i < width_; ++i) {
    excess_.push_back(static_cast<float>(excess[i] * static_cast<double>(scales_[i])));
  }
}

std::size_t HiddenRun::size(const std::vector<Lookup>& lookups) {
  std::size_t sum = 0;
  for (const Lookup& lookup : lookups) sum += lookup.dim;
  return sum;
}

HiddenRun::Scratch::Scratch(const HiddenRun& hidden)
    : float_inputs_(hidden.float_inputs_.size()),
      byte_inputs_(hidden.byte_inputs_.size()),
      floats_(size(hidden.float_inputs_)),
      bytes_(size(hidden.byte_inputs_)) {}

void HiddenRun::add_to(float* rows, const UnitVectors& vectors, std::size_t first, std::size_t count,
                       Scratch& scratch) const {
  const auto find = [&](const std::vector<Lookup>& lookups, const auto& of, auto& inputs) {
    for (std::size_t i = 0; i < lookups.size(); ++i) {
      const auto& [at, dim] = lookups[i];
      const auto from = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first) + at.position);
      inputs[i] = {of[at.group].data() + from * dim, dim};
    }
  };
  if (!float_inputs_.empty()) {
    find(float_inputs_, vectors.floats_, scratch.float_inputs_);
    add_floats(scratch.float_inputs_.data(), float_inputs_.size(), float_weights_.data(), width_, count, rows);
  }
  if (!byte_inputs_.empty()) {
    find(byte_inputs_, vectors.bytes_, scratch.byte_inputs_);
    add_bytes(scratch.byte_inputs_.data(), byte_inputs_.size(), byte_weights_.data(), scales_.data(), width_, count,
              rows);
  }
}

}  // namespace budgie::network
