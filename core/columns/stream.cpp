// SPDX-License-Identifier: Apache-2.0
#include "columns/stream.hpp"

#include <cerrno>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "columns/export.hpp"

namespace budgie::columns {

namespace {

class Stream {
 public:
  Stream(Owned<ArrowArrayStream> texts, const Choice& choice, std::shared_ptr<const Task> task, std::size_t threads,
         Stop::Asked asked, void* of)
      : source_(std::move(texts), choice, task->takes_lists),
        task_(std::move(task)),
        threads_(threads),
        stop_(asked == nullptr ? Stop() : Stop(asked, of)) {
    for (const Column& column : task_->columns) {
      for (const std::string& name : choice.keep) {
        if (column.name() == name) throw std::invalid_argument("an answer is called " + name + ", too: rename yours");
      }
    }
  }

  Owned<ArrowSchema> schema() const {
    std::vector<Owned<ArrowSchema>> all = source_.kept_schemas();
    for (const Column& column : task_->columns) all.push_back(column.schema());
    return make_schema("+s", "", std::move(all));
  }

  // Empty at the end.
  Owned<ArrowArray> next() {
    Piece piece;
    if (!source_.next(task_->most, piece, stop_)) return {};
    std::vector<Column> columns = task_->columns;
    task_->answer(piece, threads_, stop_, columns);
    const std::size_t rows = piece.rows();
    std::vector<Owned<ArrowArray>> all = source_.kept_arrays();
    for (Column& column : columns) all.push_back(std::move(column).array());
    return make_array(static_cast<std::int64_t>(rows), 0, {nullptr}, std::move(all), nullptr);
  }

  // Calls make() and hands over what it makes; returns an error number. Whoever asks again after an error gets it
  // again.
  template <class Struct, class Make>
  int put(Struct* out, Make&& make) noexcept {
    out->release = nullptr;
    if (error_ != 0) return error_;
    try {
      ready_to_throw();
      make().move_to(out);
    } catch (const SourceError& error) {
      fail(error.number, error.what());
    } catch (const std::bad_alloc&) {
      fail(ENOMEM, "out of memory");
    } catch (const Stopped& error) {
      fail(EINTR, error.what());
    } catch (const std::exception& error) {
      fail(EINVAL, error.what());
    }
    return error_;
  }

  const char* last_error() const { return error_ == 0 ? nullptr : message_.c_str(); }

 private:
  void fail(int number, const char* message) noexcept {
    error_ = number;
    try {
      message_ = message;
    } catch (const std::exception&) {
      // No memory for words: the number must do.
    }
  }

  Source source_;
  std::shared_ptr<const Task> task_;
  std::size_t threads_;
  Stop stop_;  // one for all batches: a short one has no time to ask, so each begins with a question
  int error_ = 0;
  std::string message_{};
};

Stream& stream_in(ArrowArrayStream* self) { return *static_cast<Stream*>(self->private_data); }

}  // namespace

Owned<ArrowArrayStream> answer(Owned<ArrowArrayStream> texts, const Choice& choice, std::shared_ptr<const Task> task,
                               std::size_t threads, Stop::Asked asked, void* of) {
  auto held = std::make_unique<Stream>(std::move(texts), choice, std::move(task), threads, asked, of);
  ArrowArrayStream made{};
  made.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    return stream_in(self).put(out, [&] { return stream_in(self).schema(); });
  };
  made.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    return stream_in(self).put(out, [&] { return stream_in(self).next(); });
  };
  made.get_last_error = [](ArrowArrayStream* self) { return stream_in(self).last_error(); };
  made.release = [](ArrowArrayStream* self) {
    delete &stream_in(self);
    self->release = nullptr;
  };
  made.private_data = held.release();
  return Owned<ArrowArrayStream>(made);
}

}  // namespace budgie::columns
