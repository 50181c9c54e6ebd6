#include "driver/queue.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/execution.hpp"

namespace lockstep::driver {

Queue::Queue(Device& owner, std::size_t number) : device_(owner), number_(number) {
  set_loader_magic_value(&loader);
}

Queue::~Queue() {
  {
    const std::lock_guard lock(device_.hub.mutex);
    stops_ = true;
    has_work_.notify_all();
    device_.hub.changed.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Queue::submit(std::vector<Submission> submissions) {
  std::unique_lock lock(device_.hub.mutex);
  if (device_.hub.forked)
    print_error(
        "a forked process used its parent's device, whose threads it does not have: create another "
        "instance and device after fork()");
  if (device_.hub.lost) throw Failure(VK_ERROR_DEVICE_LOST);
  if (submissions.size() == 1 && submissions[0].is_brief && submissions[0].waits.empty() &&
      pending_.empty() && !running_) {
    device_.hub.retired.submitted(number_);
    run(lock, submissions[0]);
    if (!pending_.empty()) has_work_.notify_all();
    return;
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  for (Submission& submission : submissions) {
    pending_.push_back(std::move(submission));
    device_.hub.retired.submitted(number_);
  }
  has_work_.notify_all();
}

VkResult Queue::wait_idle() {
  std::unique_lock lock(device_.hub.mutex);
  const VkResult result =
      device_.hub.wait(lock, ~std::uint64_t{0}, [&] { return pending_.empty() && !running_; });
  return device_.hub.lost ? VK_ERROR_DEVICE_LOST : result;
}

bool Queue::begin(std::unique_lock<std::mutex>& lock, const Submission& submission) {
  for (const Submission::SemaphoreValue& wait : submission.waits) {
    Semaphore& semaphore = *wait.semaphore;
    // The signal may be submitted later, to another queue, or come from the host.
    device_.hub.changed.wait(
        lock, [&] { return stops_ || device_.hub.lost || semaphore.value >= wait.value; });
    if (stops_ || device_.hub.lost) return false;
    if (!semaphore.timeline) semaphore.value = 0;
  }
  return true;
}

void Queue::end(const Submission& submission) {
  for (const auto& [semaphore, value] : submission.signals)
    semaphore->value = semaphore->timeline ? value : 1;
  if (submission.fence != nullptr) submission.fence->signaled = true;
}

void Queue::run(std::unique_lock<std::mutex>& lock, const Submission& submission) {
  SyncHub& hub = device_.hub;
  running_ = true;
  if (begin(lock, submission)) {
    lock.unlock();
    std::string failure;
    try {
      Execution execution(device_);
      for (const RecordedCommands& commands : submission.commands) execution.run(*commands);
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (!failure.empty()) device_.lose(failure);
    lock.lock();
    if (!hub.lost) end(submission);
  }
  running_ = false;
  auto unused = hub.retired.ended(number_);
  for (; hub.lost && !pending_.empty(); pending_.pop_front())
    std::ranges::move(hub.retired.ended(number_), std::back_inserter(unused));
  // Who waits may destroy what was signaled as soon as the lock is released.
  hub.changed.notify_all();
  lock.unlock();
  unused.clear();
  lock.lock();
}

void Queue::work() {
  std::unique_lock lock(device_.hub.mutex);
  while (true) {
    has_work_.wait(lock, [&] { return stops_ || (!pending_.empty() && !running_); });
    if (stops_) return;
    const Submission submission = std::move(pending_.front());
    pending_.pop_front();
    run(lock, submission);
  }
}

namespace {

/// The value of a semaphore in the chain of a VkSubmitInfo; binary ones have none.
std::uint64_t timeline_value(const std::uint64_t* values, std::uint32_t count, std::uint32_t k) {
  return values != nullptr && k < count ? values[k] : 0;
}

Submission::SemaphoreValue with_value(VkSemaphore handle, std::uint64_t value) {
  Semaphore* const semaphore = object_of(handle);
  return {semaphore, semaphore->timeline ? value : 1};
}

void add_commands(Submission& submission, VkCommandBuffer handle) {
  const CommandBuffer& commands = *object_of(handle);
  submission.commands.push_back(commands.recorded());
  submission.is_brief = submission.is_brief && commands.is_brief();
}

Submission submission_of(const VkSubmitInfo& info) {
  const auto* const timeline = find_in_chain<VkTimelineSemaphoreSubmitInfo>(
      info.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  const VkTimelineSemaphoreSubmitInfo none{};
  const VkTimelineSemaphoreSubmitInfo& values = timeline == nullptr ? none : *timeline;
  Submission submission;
  for (std::uint32_t k = 0; k < info.waitSemaphoreCount; ++k)
    submission.waits.push_back(
        with_value(info.pWaitSemaphores[k],
                   timeline_value(values.pWaitSemaphoreValues, values.waitSemaphoreValueCount, k)));
  for (std::uint32_t k = 0; k < info.commandBufferCount; ++k)
    add_commands(submission, info.pCommandBuffers[k]);
  for (std::uint32_t k = 0; k < info.signalSemaphoreCount; ++k)
    submission.signals.push_back(with_value(
        info.pSignalSemaphores[k],
        timeline_value(values.pSignalSemaphoreValues, values.signalSemaphoreValueCount, k)));
  return submission;
}

Submission submission_of(const VkSubmitInfo2& info) {
  Submission submission;
  for (std::uint32_t k = 0; k < info.waitSemaphoreInfoCount; ++k)
    submission.waits.push_back(
        with_value(info.pWaitSemaphoreInfos[k].semaphore, info.pWaitSemaphoreInfos[k].value));
  for (std::uint32_t k = 0; k < info.commandBufferInfoCount; ++k)
    add_commands(submission, info.pCommandBufferInfos[k].commandBuffer);
  for (std::uint32_t k = 0; k < info.signalSemaphoreInfoCount; ++k)
    submission.signals.push_back(
        with_value(info.pSignalSemaphoreInfos[k].semaphore, info.pSignalSemaphoreInfos[k].value));
  return submission;
}

/// Nothing can be bound sparsely, but semaphores and the fence count.
Submission submission_of(const VkBindSparseInfo& info) {
  VkSubmitInfo same{};
  same.pNext = info.pNext;
  same.waitSemaphoreCount = info.waitSemaphoreCount;
  same.pWaitSemaphores = info.pWaitSemaphores;
  same.signalSemaphoreCount = info.signalSemaphoreCount;
  same.pSignalSemaphores = info.pSignalSemaphores;
  return submission_of(same);
}

template <class Info>
VkResult submit(VkQueue queue, std::uint32_t count, const Info* infos, VkFence fence) {
  return guarded([&] {
    std::vector<Submission> submissions;
    for (std::uint32_t k = 0; k < count; ++k) submissions.push_back(submission_of(infos[k]));
    if (fence != VK_NULL_HANDLE) {
      // A fence without a batch is signaled after everything that was submitted before.
      if (submissions.empty()) submissions.emplace_back();
      submissions.back().fence = object_of(fence);
    }
    object_of(queue)->submit(std::move(submissions));
    return VK_SUCCESS;
  });
}

}  // namespace

VkResult vkQueueSubmit(VkQueue queue, std::uint32_t count, const VkSubmitInfo* infos,
                       VkFence fence) {
  return submit(queue, count, infos, fence);
}

VkResult vkQueueSubmit2(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos,
                        VkFence fence) {
  return submit(queue, count, infos, fence);
}

VkResult vkQueueBindSparse(VkQueue queue, std::uint32_t count, const VkBindSparseInfo* infos,
                           VkFence fence) {
  return submit(queue, count, infos, fence);
}

VkResult vkQueueWaitIdle(VkQueue queue) { return object_of(queue)->wait_idle(); }

// Labels of queues name nothing that a finding could be about: those of command buffers do.
void vkQueueBeginDebugUtilsLabelEXT(VkQueue, const VkDebugUtilsLabelEXT*) {}
void vkQueueEndDebugUtilsLabelEXT(VkQueue) {}
void vkQueueInsertDebugUtilsLabelEXT(VkQueue, const VkDebugUtilsLabelEXT*) {}

}  // namespace lockstep::driver
