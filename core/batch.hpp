// SPDX-License-Identifier: Apache-2.0
// Work on many things at once: shared out to threads, stopped as one, its answers handed over as they come.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "stop.hpp"

namespace budgie {

// Work is counted in bytes of text.
constexpr std::size_t kTrifle = 4 << 10;        // less is done before another thread has woken up
constexpr std::size_t kMostOfShare = 64 << 10;  // what a thread takes at a time
constexpr std::size_t kHandedOver = 4 << 20;    // whose answers are handed over together

// The first exception of a thread takes some memory of libstdc++'s (of dynamic linking, where a program loads it late),
// and if there is none, the process ends. Takes it now; false says that there is none. What malloc has just got back
// from a thread is what the thread gets next, if it asks for the same size: so nobody snatches it away in between.
inline bool ready_to_throw() {
  constexpr std::size_t kBlocks = 16;
  void* volatile blocks[kBlocks];  // volatile, or a compiler may know that nothing of this has an effect
  bool enough = true;
  for (std::size_t i = 0; i < kBlocks; ++i) enough &= (blocks[i] = std::malloc(16 * (i + 1))) != nullptr;
  for (void* block : blocks) std::free(block);
  [[maybe_unused]] volatile int none = enough ? std::uncaught_exceptions() : 0;
  return enough;
}

// A thread more than there are cores buys nothing, and costs memory and time until it has ended. Two there may always
// be, so that what threads do to each other shows on any machine.
inline std::size_t most_threads() { return std::max<std::size_t>(2, std::thread::hardware_concurrency()); }

// Things [first, last) of a batch.
struct Share {
  std::size_t first = 0, last = 0, bytes = 0;
};

// Things 0 to count - 1, each of so many bytes(thing). Each thread calls make_work() once, and what that returns for
// many shares: work(first, last, stop). The calling thread works, too, and it alone calls hand_over(shares) with those
// that are done, in any order.
template <class Bytes, class MakeWork, class HandOver>
class Batch {
 public:
  Batch(std::size_t count, Bytes bytes, MakeWork make_work, HandOver hand_over)
      : count_(count), bytes_(std::move(bytes)), make_work_(std::move(make_work)), hand_over_(std::move(hand_over)) {}

  // Whatever one thread throws ends the work of all, and is thrown again here. Answers do not depend on `threads`, of
  // which there are at most most_threads().
  void run(std::size_t threads, const Stop& asked) {
    if (threads > 2) threads = std::min(threads, most_threads());
    std::size_t bytes = 0;
    for (std::size_t thing = 0; thing < count_; ++thing) bytes += bytes_(thing);
    threads = std::max<std::size_t>(1, std::min(threads, bytes / kTrifle));
    most_of_share_ = std::clamp<std::size_t>(bytes / threads / 4, 1, kMostOfShare);
    std::vector<std::thread> others;
    try {
      for (std::size_t i = 1; i < threads; ++i) others.emplace_back([this] { help(); });
    } catch (const std::exception&) {
      // No thread or no memory for one more: those that run do all the work.
    }
    Stop stop(asked, stopped_);
    work(stop, [this] { hand_over(kHandedOver); });
    while (!ended(others.size())) {
      try {
        if (stopped_) continue;
        stop.look();
        hand_over(1);
      } catch (...) {
        fail();
      }
    }
    for (std::thread& other : others) other.join();
    if (error_) std::rethrow_exception(error_);
    hand_over(1);
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  template <class Between>
  void work(Stop& stop, Between&& between) {
    try {
      auto work_on = make_work_();
      for (Share share = take(); share.first < share.last; share = take()) {
        stop.look();
        work_on(share.first, share.last, stop);
        put(share);
        between();
      }
    } catch (...) {
      fail();
    }
  }

  void help() {
    Stop stop(Stop(), stopped_);
    if (ready_to_throw()) work(stop, [] {});
    const Lock lock(mutex_);
    ++ended_;
    change_.notify_one();
  }

  // Whether the other threads have ended; waits for that, but not longer than whoever asks for a stop may.
  bool ended(std::size_t others) {
    Lock lock(mutex_);
    return change_.wait_for(lock, Stop::kBetween, [&] { return ended_ == others; });
  }

  Share take() {
    const Lock lock(mutex_);
    Share share{next_, next_, 0};
    while (share.last < count_ && share.bytes < most_of_share_) share.bytes += bytes_(share.last++);
    next_ = share.last;
    return share;
  }

  void put(const Share& share) {
    const Lock lock(mutex_);
    done_.push_back(share);
    done_bytes_ += share.bytes;
  }

  void hand_over(std::size_t least) {
    std::vector<Share> shares;
    {
      const Lock lock(mutex_);
      if (done_bytes_ < least) return;
      shares.swap(done_);
      done_bytes_ = 0;
    }
    hand_over_(std::as_const(shares));
  }

  void fail() {
    const Lock lock(mutex_);
    if (!error_) error_ = std::current_exception();
    stopped_ = true;
  }

  std::size_t count_;
  Bytes bytes_;
  MakeWork make_work_;
  HandOver hand_over_;
  std::size_t most_of_share_ = 1;
  std::atomic<bool> stopped_{false};
  std::mutex mutex_{};  // of what follows
  std::condition_variable change_{};
  std::size_t next_ = 0;   // thing that nobody has taken
  std::size_t ended_ = 0;  // threads
  std::vector<Share> done_{};
  std::size_t done_bytes_ = 0;
  std::exception_ptr error_{};
};

// The same for things of about the same work, whose answers are just there.
template <class MakeWork>
void in_parallel(std::size_t count, std::size_t threads, MakeWork make_work) {
  const auto bytes = [](std::size_t) { return kTrifle; };
  Batch(count, bytes, std::move(make_work), [](const std::vector<Share>&) {}).run(threads, Stop());
}

}  // namespace budgie
