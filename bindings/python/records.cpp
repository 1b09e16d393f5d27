// SPDX-License-Identifier: Apache-2.0
#include "records.hpp"

#include <array>

#include "texts.hpp"

namespace budgie::python {
namespace {

constexpr std::array<std::size_t, 8> kFields{3, 5, 2, 2, 2, 5, 7, 3};  // of each record
std::array<PyTypeObject*, kFields.size()> types{};                     // kept for as long as the process lives

// Whether an instance of the type needs the memory of a plain tuple and no more, and has so many fields.
bool is_plain(nb::handle given, std::size_t fields) {
  if (!PyType_Check(given.ptr())) return false;
  auto* type = reinterpret_cast<PyTypeObject*>(given.ptr());
  return PyType_IsSubtype(type, &PyTuple_Type) != 0 && PyType_IS_GC(type) != 0 && type->tp_dictoffset == 0 &&
         type->tp_basicsize == PyTuple_Type.tp_basicsize && type->tp_itemsize == PyTuple_Type.tp_itemsize &&
         nb::len(nb::object(given.attr("_fields"))) == fields;
}

void set_records(const nb::args& given) {
  if (given.size() != types.size()) throw nb::value_error("as many types as there are records are needed");
  for (std::size_t r = 0; r < types.size(); ++r) {
    if (!is_plain(given[r], kFields[r])) throw nb::type_error("a record must be a named tuple without anything else");
  }
  for (std::size_t r = 0; r < types.size(); ++r) {
    types[r] = reinterpret_cast<PyTypeObject*>(nb::object(given[r]).release().ptr());
  }
}

}  // namespace

PyObject* new_record(Record record, std::size_t fields) {
  const auto number = static_cast<std::size_t>(record);
  PyTypeObject* type = types[number];
  if (type == nullptr || fields != kFields[number])
    throw std::runtime_error("records are made in budgie.tasks.records");
  auto* made = PyObject_GC_NewVar(PyTupleObject, type, static_cast<Py_ssize_t>(fields));
  if (made == nullptr) throw nb::python_error();
#if PY_VERSION_HEX >= 0x030E0000
  made->ob_hash = -1;  // not known yet
#endif
  return reinterpret_cast<PyObject*>(made);
}

void bind_records(nb::module_& m) { m.def("set_records", &set_records); }

}  // namespace budgie::python
