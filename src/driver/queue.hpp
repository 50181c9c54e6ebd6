#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
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
  bool is_brief = true;  ///< CommandBuffer::is_brief of all commands
};

/// Runs submissions one after another on a thread of its own. So everything on one queue happens in the order of
/// submission, and its barriers have nothing to do. A brief submission with nothing to wait for runs on the thread that
/// submits it, which takes less time than waking another.
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
  /// Runs one on this thread, without the lock while its commands run.
  void run(std::unique_lock<std::mutex>& lock, const Submission& submission);
  /// Waits for the semaphores and takes the signals of binary ones. Returns false if the queue must stop.
  bool begin(std::unique_lock<std::mutex>& lock, const Submission& submission);
  void end(const Submission& submission);

  Device& device_;
  std::size_t number_;  ///< of the device's queues
  std::thread thread_;  ///< starts with the first submission for it
  std::condition_variable has_work_;
  std::deque<Submission> pending_;
  bool running_ = false;
  bool stops_ = false;
};

LOCKSTEP_ICD_HANDLE(VkQueue, Queue)

}  // namespace lockstep::driver
