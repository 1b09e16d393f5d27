// SPDX-License-Identifier: Apache-2.0
// The core's half of what Python has of some tasks.
#pragma once
#include <memory>

#include "columns/task.hpp"
#include "tasks/langid.hpp"
#include "tasks/segmenter.hpp"
#include "tasks/tagger.hpp"
#include "texts.hpp"

namespace budgie::python {

// Each in the file of its task; an object of another class is a nb::cast_error.
std::shared_ptr<const tasks::LanguageIdentifier> identifier_in(nb::handle object);
std::shared_ptr<const tasks::Segmenter> segmenter_in(nb::handle object);
std::shared_ptr<const tasks::Tagger> tagger_in(nb::handle object);

// What a task does with columns. It holds its models without Python: streams live where nobody knows of that.
struct ColumnTask {
  explicit ColumnTask(columns::Task made);

  std::shared_ptr<const columns::Task> task;
};

}  // namespace budgie::python
