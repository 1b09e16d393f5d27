// SPDX-License-Identifier: Apache-2.0
// What answers are made of: lists, as long as they may be, numbers, strings, and parts of texts.
#pragma once
#include <cstddef>
#include <string_view>
#include <utility>

#include "calls.hpp"

namespace budgie::python {

// A list whose places are filled one by one, in any order. Until it is taken, all of them filled, Python does not know
// of it: whoever walks through all that the garbage collector knows would fall over an empty place.
class List {
 public:
  explicit List(std::size_t size) : list_(nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(size)))) {
    if (!list_.is_valid()) throw nb::python_error();
    PyObject_GC_UnTrack(list_.ptr());
  }

  void put(std::size_t place, nb::object item) {
    PyList_SET_ITEM(list_.ptr(), static_cast<Py_ssize_t>(place), item.release().ptr());
    look_for_signals();
  }

  nb::list take() && {
    PyObject_GC_Track(list_.ptr());
    return std::move(list_);
  }

 private:
  nb::list list_;
};

// [make(0), ..., make(size - 1)]
template <class Make>
nb::list make_list(std::size_t size, Make&& make) {
  const Uncollected uncollected;
  List list(size);
  for (std::size_t i = 0; i < size; ++i) list.put(i, make(i));
  return std::move(list).take();
}

// An object that Python has just made, or the reason why it did not.
inline nb::object checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

inline nb::object number(double value) { return checked(PyFloat_FromDouble(value)); }

inline nb::object number(std::size_t value) { return checked(PyLong_FromSize_t(value)); }

// Those of nanobind make a RuntimeError of a lack of memory.
inline nb::object string(std::string_view utf8) {
  return checked(PyUnicode_FromStringAndSize(utf8.data(), static_cast<Py_ssize_t>(utf8.size())));
}

inline nb::object bytes(const void* data, std::size_t size) {
  return checked(PyBytes_FromStringAndSize(static_cast<const char*>(data), static_cast<Py_ssize_t>(size)));
}

// The characters [begin, end) of a str, or so many bytes of bytes.
inline nb::object part(nb::handle text, std::size_t begin, std::size_t end) {
  const auto from = static_cast<Py_ssize_t>(begin), to = static_cast<Py_ssize_t>(end);
  return checked(PyUnicode_Check(text.ptr())
                     ? PyUnicode_Substring(text.ptr(), from, to)
                     : PyBytes_FromStringAndSize(PyBytes_AS_STRING(text.ptr()) + from, to - from));
}

}  // namespace budgie::python
