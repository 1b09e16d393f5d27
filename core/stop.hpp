// SPDX-License-Identifier: Apache-2.0
// How work that takes long ends early: one flag, looked at by whoever works and set by whoever waits.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>

namespace budgie {

// What ends the work then.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "the work was stopped"; }
};

// What loops look at: every few milliseconds at least, and every few microseconds at most, since a look may read the
// clock. Each thread has one of its own.
class Stop {
 public:
  using Asked = bool (*)(void* of);

  static constexpr std::chrono::milliseconds kBetween{50};  // two questions
  static constexpr std::size_t kStretch = 1 << 16;  // code units of text that are read between two looks, at most

  // Nobody stops this.
  Stop() = default;
  // asked(of) says whether to stop. Whoever looks asks, so the one who made this; not more often than every kBetween.
  Stop(Asked asked, void* of) : asked_(asked), of_(of), next_(Clock::now() + kBetween) {}
  // The same, and another thread may say so, too.
  Stop(const Stop& asked, const std::atomic<bool>& stopped) : Stop(asked) { stopped_ = &stopped; }

  void look() {
    if (stopped_ != nullptr || asked_ != nullptr) ask();
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Not inline: the loops that look keep their registers.
  __attribute__((noinline)) void ask() {
    if (stopped_ != nullptr && stopped_->load(std::memory_order_relaxed)) throw Stopped();
    if (asked_ == nullptr || Clock::now() < next_) return;
    if (asked_(of_)) throw Stopped();
    next_ = Clock::now() + kBetween;
  }

  const std::atomic<bool>* stopped_ = nullptr;
  Asked asked_ = nullptr;
  void* of_ = nullptr;
  Clock::time_point next_{};
};

}  // namespace budgie
