// SPDX-License-Identifier: Apache-2.0
// A part of the hidden layer of a segmenter: rows of some groups at some distances, and their weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/kernels.hpp"
#include "network/network.hpp"

namespace budgie::network {

// Rows of a group at one distance.
struct Tap {
  std::size_t group = 0;
  int position = 0;
};

class HiddenPart {
 public:
  explicit HiddenPart(std::size_t units) : units_(units) {}

  // How many numbers go in.
  std::size_t inputs() const { return (packed_.size() + packed_bytes_.size()) / units_; }

  // `weights` are those of the hidden layer, input by input. Where rows are small integers, weights are rounded to
  // bytes when all have been added.
  void add(const Tap& tap, const Embedding& embedding, const float* weights);

  // Packs the weights, and adds to `bias` what rows of integers have too much: they are stored without a sign.
  void finish(std::vector<float>& bias);

  bool empty() const { return floats_.taps.empty() && bytes_.taps.empty(); }

  // Adds the part to `count` sums. `floats` and `bytes` give where the vectors of a tap stand; `room` is to work in.
  struct Room {
    std::vector<Input<float>> floats{};
    std::vector<Input<std::uint8_t>> bytes{};
  };
  template <class Floats, class Bytes>
  void apply(Floats&& floats, Bytes&& bytes, std::size_t count, float* sums, Room& room) const {
    apply_floats(floats, count, sums, room);
    if (bytes_.taps.empty()) return;
    room.bytes.clear();
    for (const Tap& tap : bytes_.taps) room.bytes.push_back(bytes(tap));
    add_bytes(room.bytes.data(), room.bytes.size(), packed_bytes_.data(), scales_.data(), units_, count, sums);
  }

  // The same in two steps, for one decision: the floats, and the bytes with their weights.
  bool has_floats() const { return !floats_.taps.empty(); }
  template <class Floats>
  void apply_floats(Floats&& floats, std::size_t count, float* sums, Room& room) const {
    if (!has_floats()) return;
    room.floats.clear();
    for (const Tap& tap : floats_.taps) room.floats.push_back(floats(tap));
    add_floats(room.floats.data(), room.floats.size(), packed_.data(), units_, count, sums);
  }
  const std::vector<Tap>& byte_taps() const { return bytes_.taps; }
  Quads quads(const std::uint8_t* bytes) const {
    return {bytes, packed_bytes_.size() / units_ / kQuad, packed_bytes_.data(), scales_.data()};
  }

 private:
  struct Taps {
    std::vector<Tap> taps{};
    std::vector<float> weights{};  // input by input
  };

  std::size_t units_;
  Taps floats_{}, bytes_{};
  std::vector<float> zeros_{};  // of each input of bytes: what a stored zero stands for
  std::vector<float> packed_{};
  std::vector<std::int8_t> packed_bytes_{};
  std::vector<float> scales_{};
};

}  // namespace budgie::network
