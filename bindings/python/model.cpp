// SPDX-License-Identifier: Apache-2.0
// Model files, and what their config says, as Python sees them.
#include "model.hpp"

#include <nanobind/stl/map.h>

#include <string_view>

namespace budgie::python {

namespace {

// Name, dtype and shape.
nb::tuple form_of(const std::string& name, const Tensor& tensor) {
  nb::list shape;
  for (const std::uint32_t extent : tensor.shape) shape.append(extent);
  return nb::make_tuple(name, name_of(tensor.dtype), nb::tuple(shape));
}

// The same with begin and end in the file.
nb::list places_of(const Model& model) {
  nb::list places;
  const auto* const begin = static_cast<const std::uint8_t*>(model.data.data());
  for (const auto& [name, expected] : expected_tensors(model.config)) {
    const Tensor& tensor = model.tensors.find(name)->second;
    const auto from = static_cast<std::size_t>(tensor.data - begin);
    places.append(form_of(name, tensor) + nb::make_tuple(from, from + tensor.bytes()));
  }
  return places;
}

nb::list expected_forms(const std::string& json) {
  nb::list forms;
  for (const auto& [name, tensor] : expected_tensors(parse_config(json))) forms.append(form_of(name, tensor));
  return forms;
}

template <class Strings>
nb::tuple strings(const Strings& all) {
  nb::list list;
  for (const std::string_view one : all) list.append(string(one));
  return nb::tuple(list);
}

}  // namespace

Config parse_config(const std::string& json) { return read_config(parse_object(json, "the config")); }

Resources::Resources(const std::string& json, const nb::dict& resources) : config(parse_config(json)) {
  for (const auto& [name, data] : resources) {
    const auto bytes = nb::cast<nb::bytes>(data);
    tensors[nb::cast<std::string>(name)] = {
        Dtype::u8, {static_cast<std::uint32_t>(bytes.size())}, static_cast<const std::uint8_t*>(bytes.data())};
  }
  check_resources(config, tensors);
}

void bind_model(nb::module_& m) {
  nb::exception<Error>(m, "Refused", PyExc_ValueError);
  m.attr("UNICODE") = kUnicodeVersion;
  m.attr("HASH") = kHash;
  m.attr("MAX_FILE") = kMaxFile;
  m.attr("MAX_HEADER") = kMaxHeader;
  m.attr("MAX_EXTENT") = kMaxExtent;
  m.attr("MAX_ERROR_BITS") = kMaxErrorBits;
  m.attr("ACTIONS") = strings(kActionNames);
  m.attr("MOVES") = strings(kMoveNames);
  m.attr("SPANS") = strings(span_names());
  m.attr("PLACES") = strings(place_names());
  nb::class_<Model>(m, "Model")
      .def(nb::init<nb::bytes>(), "data"_a)
      .def_ro("data", &Model::data)
      .def_ro("sha256", &Model::sha256)
      .def_ro("unicode", &Model::unicode)
      .def_ro("info", &Model::info)
      .def_prop_ro("task", [](const Model& self) { return name_of(self.config.task); })
      .def_prop_ro("labels", [](const Model& self) { return strings(self.config.labels); })
      .def_prop_ro("standards", [](const Model& self) { return strings(self.config.standards); })
      .def_prop_ro("config", [](const Model& self) { return to_json(self.config); })
      .def_prop_ro("tensors", &places_of);
  m.def("check_config", [](const std::string& json) { return to_json(parse_config(json)); }, "json"_a);
  m.def("check_group", [](const std::string& json) { read_group(parse_object(json, "the group"), "group"); }, "json"_a);
  m.def("expected_tensors", &expected_forms, "config"_a);
}

}  // namespace budgie::python
