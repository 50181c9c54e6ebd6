#pragma once

#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "driver/commands.hpp"
#include "driver/handle.hpp"
#include "driver/sync.hpp"

namespace lockstep::driver {

struct Device;

/// A batch of a submission: what it waits for, runs, and signals.
struct Submission {
  struct SemaphoreValue {
    Semaphore* semaphore;
    std::uint64_t value;
  };
  std::vector<SemaphoreValue> waits;
  std::vector<RecordedCommands> commands;
  std::vector<SemaphoreValue> signals;
  Fence* fence = nullptr;
};

/// Runs submissions one after another on a thread of its own, which starts with the first one. So everything on one
/// queue happens in the order of submission, and its barriers have nothing to do.
struct Queue {
  Queue(Device& owner, std::size_t number);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Throws Failure if the device is lost.
  void submit(std::vector<Submission> submissions);
  /// Waits until everything submitted has run.
  VkResult wait_idle();

  VK_LOADER_DATA loader{};  ///< the loader's, first in every dispatchable object

 private:
  void work();
  /// Waits for the semaphores and takes the signals of binary ones. Returns false if the queue must stop.
  bool begin(std::unique_lock<std::mutex>& lock, const Submission& submission);
  void end(const Submission& submission);

  Device& device_;
  std::size_t number_;  ///< of the device's queues
  std::thread thread_;
  std::deque<Submission> pending_;
  bool running_ = false;
  bool stops_ = false;
};

LOCKSTEP_ICD_HANDLE(VkQueue, Queue)

}  // namespace lockstep::driver
