// SPDX-License-Identifier: Apache-2.0
// The model file (docs/model-format.md): bytes in, a checked model out. Every file is hostile: all of it is checked
// here, once, before anything is built from it, and after that nothing can fail.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/config.hpp"
#include "model/tensors.hpp"

namespace budgie::model {

constexpr std::size_t kMaxFile = std::size_t{1} << 26, kMaxHeader = std::size_t{1} << 20;
constexpr const char* kHash = "budgie-1";  // text/hash.hpp

struct Model {
  Config config{};
  Tensors tensors{};                          // in the bytes of the file, which must outlive the model
  std::map<std::string, std::string> info{};  // free information: licence, scores, origin
  std::string sha256{};
  std::string unicode{};  // version of the table of characters that it was made with
};

// Throws Error with the reason. `bytes` must stay where they are as long as the model is used.
Model read_model(const std::uint8_t* bytes, std::size_t size);

}  // namespace budgie::model
