// SPDX-License-Identifier: Apache-2.0
// Work that is shared out to threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace budgie {

// Calls work(first, last) for shares of [0, count) on `threads` threads, each with its own `work`, made by make_work().
template <class MakeWork>
void in_parallel(std::size_t count, std::size_t threads, MakeWork&& make_work) {
  constexpr std::size_t kShare = 64;  // things that a thread takes at a time, at most
  const std::size_t share = std::clamp<std::size_t>(count / threads / 4, 1, kShare);
  std::atomic<std::size_t> next{0};
  std::exception_ptr error;
  std::atomic<bool> failed{false};
  const auto loop = [&] {
    try {
      auto work = make_work();
      for (std::size_t first; !failed && (first = next.fetch_add(share)) < count;) {
        work(first, std::min(count, first + share));
      }
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  threads = std::min(threads, (count + share - 1) / share);
  try {
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(loop);
  } catch (const std::exception&) {
    // No thread or no memory for one more: those that run do all the work.
  }
  loop();
  for (std::thread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace budgie
