// SPDX-License-Identifier: Apache-2.0
// The answers that Python gets: named tuples of budgie/tasks/records.py, made here without running any Python.
#pragma once
#include <cstddef>

#include "lists.hpp"

namespace budgie::python {

// In the order in which set_records() takes them.
enum class Record : std::size_t { identification, span, tag, reordering, token_span, sentence, token, word };

// A tuple of that type whose `fields` places are still empty: nothing must happen before they are filled.
PyObject* new_record(Record record, std::size_t fields);

// Python's garbage collector need not know of one whose fields are strings and numbers: no cycle goes through it.
template <class... Fields>
nb::object make_record(Record record, Fields... fields) {
  PyObject* made = new_record(record, sizeof...(fields));
  Py_ssize_t place = 0;
  (PyTuple_SET_ITEM(made, place++, fields.release().ptr()), ...);
  return nb::steal(made);
}

// For fields that may hold anything.
template <class... Fields>
nb::object make_tracked_record(Record record, Fields... fields) {
  nb::object made = make_record(record, std::move(fields)...);
  PyObject_GC_Track(made.ptr());
  return made;
}

}  // namespace budgie::python
