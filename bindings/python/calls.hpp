// SPDX-License-Identifier: Apache-2.0
// Long calls from Python: without the GIL, and with an ear for Ctrl-C.
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <cstddef>
#include <utility>

#include "batch.hpp"
#include "stop.hpp"

#ifdef __GLIBCXX__
#include <cxxabi.h>
#include <unistd.h>
#endif

namespace budgie::python {

namespace nb = nanobind;

// Lets other threads of Python go on for as long as it lives.
class Released {
 public:
  Released() : state_(PyEval_SaveThread()) {}
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() { take_back(); }

  // Has the GIL in between, on the same thread.
  class Paused {
   public:
    explicit Paused(Released& released) : released_(released) { released_.take_back(); }
    Paused(const Paused&) = delete;
    Paused& operator=(const Paused&) = delete;
    ~Paused() { released_.state_ = PyEval_SaveThread(); }

   private:
    Released& released_;
  };

 private:
  // Before 3.14, Python ends a thread that asks for the GIL when Python itself is at its end, and glibc does that by
  // unwinding the stack: through frames that no exception may leave, which would end the whole process with SIGABRT.
  // Such a thread goes no further, as in 3.14, until the process is gone.
  void take_back() {
#ifdef __GLIBCXX__
    try {
      PyEval_RestoreThread(state_);
    } catch (abi::__forced_unwind&) {
      for (;;) pause();
    }
#else
    PyEval_RestoreThread(state_);
#endif
  }

  PyThreadState* state_;
};

// Whether a signal has come whose handler raised something, as that of Ctrl-C does. Threads other than Python's first
// one never hear of any.
inline bool signal_came(void* released) {
  const Released::Paused paused(*static_cast<Released*>(released));
  return PyErr_CheckSignals() != 0;
}

// Calls work(stop, released).
template <class Work>
void without_gil(Work&& work) {
  ready_to_throw();
  try {
    Released released;
    Stop stop(signal_came, &released);
    work(stop, released);
  } catch (const Stopped&) {
    throw nb::python_error();  // which signal_came has left behind
  }
}

// Calls work(stop); with the GIL where there is next to nothing to do, since to have it back may take longer.
template <class Work>
void work_on(std::size_t bytes, Work&& work) {
  if (bytes <= kTrifle) {
    Stop never;
    work(never);
  } else {
    without_gil([&](Stop& stop, Released&) { work(stop); });
  }
}

// Python collects no garbage for as long as it lives. Answers are none and are part of no cycle, but Python would walk
// through all that are there already, again and again, and let nobody else run meanwhile. One may live inside another.
// When others have their turn they find the collector as they have left it.
class Uncollected {
 public:
  Uncollected() {
    if (alive_++ == 0) enabled_ = PyGC_Disable() != 0;
  }
  Uncollected(const Uncollected&) = delete;
  Uncollected& operator=(const Uncollected&) = delete;
  ~Uncollected() {
    if (--alive_ == 0 && enabled_) PyGC_Enable();
  }

  class Paused {
   public:
    Paused() : alive_then_(std::exchange(alive_, 0)) {
      if (alive_then_ > 0 && enabled_) PyGC_Enable();
    }
    Paused(const Paused&) = delete;
    Paused& operator=(const Paused&) = delete;
    ~Paused() {
      if (alive_then_ > 0) enabled_ = PyGC_Disable() != 0;
      alive_ = alive_then_;
    }

   private:
    std::size_t alive_then_;
  };

 private:
  // Of the thread that has the GIL.
  static inline std::size_t alive_ = 0;
  static inline bool enabled_ = false;  // before the first of them
};

// The same ear for those who go through long lists, and other threads have their turn: call it for each thing. A turn
// comes not before those who wait for one have asked for it, which they do after 5 ms (sys.getswitchinterval()): to be
// woken up sooner and find the GIL taken again makes them wait anew.
inline void look_for_signals() {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kBetweenLooks = 1 << 12;  // less than a millisecond
  constexpr std::chrono::milliseconds kBetweenTurns{10};
  static std::size_t things = 0;
  static Clock::time_point last_turn{};
  if (++things % kBetweenLooks != 0) return;
  if (Clock::now() - last_turn >= kBetweenTurns) {
    {
      const Uncollected::Paused collected;
      const Released released;
    }
    last_turn = Clock::now();
  }
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace budgie::python
