// SPDX-License-Identifier: Apache-2.0
// The Arrow C data and C stream interfaces: structs through which programs of all kinds hand columns to each other
// without copying them (arrow.apache.org/docs/format/CDataInterface.html). Whoever fills one says by `release` how it
// is given back; one without `release` is empty.
#pragma once
#include <cstdint>

namespace budgie::columns {

// What kind of values an array has.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

constexpr std::int64_t kNullable = 2;  // a flag

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

// Calls return 0 or an error number.
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);  // an empty one at the end
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

// One of the above that is ours, and that nobody else gives back.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  // Takes over what is in `from`, and leaves it empty: so the interface moves things.
  explicit Owned(Struct& from) : held_(from) { from.release = nullptr; }
  Owned(Owned&& from) noexcept : Owned(from.held_) {}
  Owned& operator=(Owned&& from) noexcept {
    Owned old(held_);
    held_ = from.held_;
    from.held_.release = nullptr;
    return *this;
  }
  ~Owned() {
    if (held_.release != nullptr) held_.release(&held_);
  }

  bool empty() const { return held_.release == nullptr; }
  const Struct& operator*() const { return held_; }
  const Struct* operator->() const { return &held_; }
  Struct* get() { return &held_; }
  // Hands it over.
  void move_to(Struct* out) {
    *out = held_;
    held_.release = nullptr;
  }

 private:
  Struct held_{};
};

}  // namespace budgie::columns
