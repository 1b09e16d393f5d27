// SPDX-License-Identifier: Apache-2.0
// What the files that know Python share: texts as Python has them.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "text/text.hpp"

namespace budgie::python {

namespace nb = nanobind;
using namespace nb::literals;
using namespace model;
using namespace training;
using namespace clusters;
using namespace annotation;

// Each in the file of its name.
void bind_model(nb::module_& m);
void bind_training(nb::module_& m);
void bind_records(nb::module_& m);
void bind_langid(nb::module_& m);
void bind_tagger(nb::module_& m);
void bind_segmenter(nb::module_& m);
void bind_preorderer(nb::module_& m);
void bind_pipeline(nb::module_& m);
void bind_clusters(nb::module_& m);
void bind_columns(nb::module_& m);

// The units of a str where they lie (nothing is encoded or cached on the str), or the bytes of UTF-8. `name()` is for
// the message: which of several texts this is.
template <class Name>
TextView view(PyObject* object, Name&& name) {
  if (PyUnicode_Check(object)) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(object) != 0) throw nb::python_error();
#endif
    const auto kind = PyUnicode_KIND(object);
    return {PyUnicode_DATA(object), static_cast<std::size_t>(PyUnicode_GET_LENGTH(object)),
            kind == PyUnicode_1BYTE_KIND   ? TextView::Kind::latin1
            : kind == PyUnicode_2BYTE_KIND ? TextView::Kind::ucs2
                                           : TextView::Kind::ucs4};
  }
  if (PyBytes_Check(object)) {
    return {PyBytes_AS_STRING(object), static_cast<std::size_t>(PyBytes_GET_SIZE(object)), TextView::Kind::utf8};
  }
  throw nb::type_error((name() + " must be str or bytes (UTF-8), not " + Py_TYPE(object)->tp_name).c_str());
}

inline TextView view(nb::handle text) {
  return view(text.ptr(), [] { return std::string("a text"); });
}

}  // namespace budgie::python
