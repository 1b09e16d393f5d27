// SPDX-License-Identifier: Apache-2.0
// A model file as Python has it.
#pragma once
#include "lists.hpp"
#include "model/build.hpp"
#include "model/error.hpp"
#include "texts.hpp"

namespace budgie::python {

// A checked model, and the bytes of the file that its tensors stand in.
struct Model : model::Model {
  explicit Model(nb::bytes data_)
      : model::Model(read_model(static_cast<const std::uint8_t*>(data_.data()), data_.size())),
        data(std::move(data_)) {}

  nb::bytes data;
};

// The labels of a model as Python objects: made once, not for every answer.
inline std::vector<nb::object> labels_of(const Model& model) {
  std::vector<nb::object> labels;
  for (const std::string& label : model.config.labels) labels.push_back(string(label));
  return labels;
}

Config parse_config(const std::string& json);

// Config and resources of features alone, as training has them before there is a network.
struct Resources {
  Resources(const std::string& json, const nb::dict& resources);

  Config config;
  Tensors tensors{};
};

}  // namespace budgie::python
