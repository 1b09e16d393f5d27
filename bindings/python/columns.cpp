// SPDX-License-Identifier: Apache-2.0
// Columns as Python has them: capsules of the Arrow PyCapsule interface.
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "calls.hpp"
#include "columns/stream.hpp"
#include "lists.hpp"
#include "tasks.hpp"

namespace budgie::python {
namespace {

using columns::Owned;

constexpr const char* kSchema = "arrow_schema";
constexpr const char* kArray = "arrow_array";
constexpr const char* kStream = "arrow_array_stream";

// Takes what is in a capsule out of it.
template <class Struct>
Owned<Struct> taken(nb::handle capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule.ptr(), name)) {
    throw nb::type_error((std::string("a capsule ") + name + " is needed").c_str());
  }
  return Owned<Struct>(*static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name)));
}

template <class Struct>
nb::object capsule_of(Owned<Struct> one, const char* name) {
  auto held = std::make_unique<Owned<Struct>>(std::move(one));
  // The struct is the first thing in it, and whoever takes it out leaves it empty.
  const auto drop = [](PyObject* capsule) {
    delete static_cast<Owned<Struct>*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  };
  nb::object capsule = checked(PyCapsule_New(held.get(), name, drop));
  held.release();
  return capsule;
}

Owned<columns::ArrowArrayStream> stream_in(const nb::tuple& capsules) {
  if (capsules.size() == 1) return taken<columns::ArrowArrayStream>(capsules[0], kStream);
  if (capsules.size() != 2) throw nb::type_error("a stream is needed, or a schema and an array");
  return columns::stream_of(taken<columns::ArrowSchema>(capsules[0], kSchema),
                            taken<columns::ArrowArray>(capsules[1], kArray));
}

// What the handler of a signal has raised is raised again as soon as Python itself goes on.
int raise_again(void* error) {
  const std::unique_ptr<nb::python_error> raised(static_cast<nb::python_error*>(error));
  raised->restore();
  return -1;
}

// Whether a signal has come whose handler raised something. Batches are asked for with the GIL or without it, by
// threads that Python may not even know. Only Python's first thread hears of signals, so only that takes the GIL: any
// other might wait for one that waits for it.
bool signal_came_to(void* main_thread) {
  if (PyThread_get_thread_ident() != reinterpret_cast<std::uintptr_t>(main_thread)) return false;
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() == 0) return false;
  auto raised = std::make_unique<nb::python_error>();
  if (Py_AddPendingCall(raise_again, raised.get()) == 0) raised.release();
  return true;
}

nb::object answer(const ColumnTask& task, const nb::tuple& capsules, std::optional<std::string> column,
                  std::vector<std::string> keep, std::size_t threads, std::uintptr_t main_thread) {
  return capsule_of(columns::answer(stream_in(capsules), {std::move(column), std::move(keep)}, task.task, threads,
                                    signal_came_to, reinterpret_cast<void*>(main_thread)),
                    kStream);
}

// Whether this thread has the GIL. Not PyGILState_Check(), which says so of every thread where Python has been asked
// for another interpreter.
bool has_gil() {
#if PY_VERSION_HEX >= 0x030D0000
  const PyThreadState* current = PyThreadState_GetUnchecked();
#else
  const PyThreadState* current = _PyThreadState_UncheckedGet();
#endif
  return current != nullptr && current == PyGILState_GetThisThreadState();
}

// There are readers who keep the GIL while they ask for a batch: others may run while that is made.
columns::Task without_gil(columns::Task task) {
  task.answer = [answer = std::move(task.answer)](columns::Piece& piece, std::size_t threads, const Stop& stop,
                                                  std::vector<columns::Column>& answers) {
    std::optional<Released> released;
    if (has_gil()) released.emplace();
    answer(piece, threads, stop, answers);
  };
  return task;
}

}  // namespace

ColumnTask::ColumnTask(columns::Task made)
    : task(std::make_shared<const columns::Task>(without_gil(std::move(made)))) {}

void bind_columns(nb::module_& m) {
  nb::class_<ColumnTask>(m, "ColumnTask").def_prop_ro("names", [](const ColumnTask& self) {
    std::vector<std::string> names;
    for (const columns::Column& column : self.task->columns) names.push_back(column.name());
    return names;
  });
  m.def("answer", &answer, "task"_a, "capsules"_a, "column"_a.none(), "keep"_a, "threads"_a, "main_thread"_a);
}

}  // namespace budgie::python
