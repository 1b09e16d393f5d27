// SPDX-License-Identifier: Apache-2.0
// The tensors of a model: which ones a config asks for, and whether those of a file are sound.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/config.hpp"

namespace budgie::model {

enum class Dtype : std::uint8_t { u8, f16, f32 };
const char* name_of(Dtype dtype);
std::size_t width_of(Dtype dtype);  // bytes of one number

constexpr std::size_t kMaxTensors = 64;
constexpr std::size_t kMaxRank = 2;

// A named array of a file, which somebody else owns: little-endian, row after row.
struct Tensor {
  Dtype dtype = Dtype::u8;
  std::vector<std::uint32_t> shape{};
  const std::uint8_t* data = nullptr;

  std::size_t bytes() const;
  std::vector<float> floats() const;  // of F16 or F32
};
using Tensors = std::map<std::string, Tensor, std::less<>>;

// Name and form (without data) of every tensor that a model of this config has: no more, no fewer.
std::vector<std::pair<std::string, Tensor>> expected_tensors(const Config& config);

// The form that a header describes; refuses what is no tensor of ours, whatever its types.
Tensor read_form(const std::string& what, const Json& dtype, const Json& shape);

// Refuses tensors that are not exactly those of the config, or whose numbers no network can have.
void check_tensors(const Config& config, const Tensors& tensors);

// The same for what features alone need: Bloom map, vocabularies, lexicon, variants. Training has no other tensors yet.
void check_resources(const Config& config, const Tensors& tensors);

// What characters count as; refuses tensors that no table can be made of.
Variants variants_of(const Config& config, const Tensors& tensors);

// The tensors of a network inside, by the names they have in a model of their own.
Tensors tensors_of(const std::string& network, const Tensors& tensors);

}  // namespace budgie::model
