// SPDX-License-Identifier: Apache-2.0
#include "network/hidden.hpp"

#include <algorithm>
#include <cmath>

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

HiddenWords::HiddenWords(WordGroups words, const Network& network, std::size_t parts, const PartOf& part_of)
    : words_(std::move(words)), embeddings_(network.embeddings), width_(network.width()), parts_(parts) {
  for_each_position(words_.groups, network, [&](const FeaturePosition& at, const float* weights) {
    const std::optional<std::size_t> number = part_of(at);
    if (!number) return;
    Part& part = parts_[*number];
    part.groups.push_back(at.group);
    const std::size_t inputs = words_.groups[at.group].vectors() * embeddings_[at.group].dim;
    part.layer.weights.insert(part.layer.weights.end(), weights, weights + inputs * width_);
  });
  for (Part& part : parts_) {
    part.layer.inputs = part.layer.weights.size() / width_;
    part.layer.outputs = part.layer.stride = width_;
    part.layer.bias.assign(width_, 0);
  }
}

HiddenWords::Scratch::Scratch(const HiddenWords& hidden, std::size_t words)
    : features_(hidden.words_),
      cache_(hidden.parts_.size() * hidden.width_,
             std::min(words,
                      kRemembered / sizeof(float) / std::max<std::size_t>(1, hidden.parts_.size() * hidden.width_))),
      sums_(hidden.words_.groups, hidden.embeddings_),
      row_(sums_.size()),
      vectors_(kBlock * sums_.inputs()),
      inputs_(kBlock * sums_.inputs()),
      outputs_(kBlock * hidden.width_) {
  waiting_.reserve(kBlock);
}

const float* const* HiddenWords::find(const TextView* words, std::size_t count, Scratch& scratch, Stop& stop) const {
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
    scratch.rows_[i] = row.floats;
    if (!fresh) continue;
    scratch.waiting_.push_back(row);
    if (scratch.waiting_.size() == kBlock) fill_waiting(scratch, stop);
  }
  fill_waiting(scratch, stop);
  return scratch.rows_.data();
}

// Several words at a time share one pass over the weights.
void HiddenWords::fill_waiting(Scratch& scratch, Stop& stop) const {
  const std::size_t count = scratch.waiting_.size(), size = scratch.sums_.inputs();
  for (std::size_t i = 0; i < count; ++i) {
    embed(scratch.waiting_[i].word, scratch, stop, scratch.vectors_.data() + i * size);
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    float* input = scratch.inputs_.data();
    for (std::size_t i = 0; i < count; ++i) {
      const float* vector = scratch.vectors_.data() + i * size;
      for (const std::size_t g : parts_[p].groups) {
        input = std::copy(vector + scratch.sums_.begin(g), vector + scratch.sums_.begin(g + 1), input);
      }
    }
    const Layer& layer = parts_[p].layer;
    layer.apply(scratch.inputs_.data(), count, layer.inputs, scratch.outputs_.data());
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(scratch.outputs_.data() + i * width_, width_, scratch.waiting_[i].floats + p * width_);
    }
  }
  scratch.waiting_.clear();
}

void HiddenWords::embed(const TextView& word, Scratch& scratch, Stop& stop, float* out) const {
  std::fill(scratch.row_.begin(), scratch.row_.end(), 0.0);
  scratch.features_.extract(word, stop,
                            [&](std::size_t group, std::size_t vector, const std::uint32_t* ids, std::size_t count) {
                              scratch.sums_.add(group, vector, ids, count, scratch.row_.data());
                            });
  scratch.sums_.h0(scratch.row_.data(), out);
}

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
