#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

#include "driver/handle.hpp"
#include "driver/retired.hpp"

namespace lockstep::driver {

/// Where all threads of a device meet: the state of its fences, semaphores, events, queries and queues is read and
/// written with the mutex held, and who changes it notifies all.
struct SyncHub {
  std::mutex mutex;
  std::condition_variable changed;
  bool lost = false;    ///< the device, for good
  bool forked = false;  ///< this process is a child of the one that made the device
  Retired retired;

  /// Waits until done() holds, the device is lost, or so many nanoseconds are over. Requires the lock.
  template <class F>
  VkResult wait(std::unique_lock<std::mutex>& lock, std::uint64_t timeout, F done) {
    using Clock = std::chrono::steady_clock;
    const auto over = [&] { return lost || done(); };
    constexpr std::uint64_t forever = std::uint64_t{1} << 62;
    if (timeout >= forever)
      changed.wait(lock, over);
    else
      changed.wait_until(lock, Clock::now() + std::chrono::nanoseconds(timeout), over);
    if (done()) return VK_SUCCESS;
    return lost ? VK_ERROR_DEVICE_LOST : VK_TIMEOUT;
  }
};

struct Fence {
  bool signaled = false;
};

/// A binary semaphore is a timeline that is 1 when it is signaled.
struct Semaphore {
  bool timeline = false;
  std::uint64_t value = 0;
};

struct Event {
  bool set = false;
};

LOCKSTEP_ICD_HANDLE(VkFence, Fence)
LOCKSTEP_ICD_HANDLE(VkSemaphore, Semaphore)
LOCKSTEP_ICD_HANDLE(VkEvent, Event)

}  // namespace lockstep::driver
