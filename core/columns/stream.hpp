// SPDX-License-Identifier: Apache-2.0
// A stream of texts -> a stream of answers. Each batch of answers is made when somebody asks for it, on their thread
// and others; no more than one array of the source is in memory.
#pragma once
#include <memory>

#include "columns/arrow.hpp"
#include "columns/source.hpp"
#include "columns/task.hpp"
#include "stop.hpp"

namespace budgie::columns {

// Throws what Source does. `stop` is asked by whoever asks for a batch, while that is made.
Owned<ArrowArrayStream> answer(Owned<ArrowArrayStream> texts, const Choice& choice, std::shared_ptr<const Task> task,
                               std::size_t threads, Stop::Asked asked, void* of);

}  // namespace budgie::columns
