#include "driver/sync.hpp"

#include <algorithm>
#include <span>

#include "driver/device.hpp"
#include "driver/entry_points.hpp"

namespace lockstep::driver {

// ---- Fences ----

VkResult vkCreateFence(VkDevice, const VkFenceCreateInfo* info, const VkAllocationCallbacks*,
                       VkFence* fence) {
  return create<Fence>(fence, Fence{(info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0});
}

void vkDestroyFence(VkDevice device, VkFence fence, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(fence));
}

VkResult vkResetFences(VkDevice device, std::uint32_t count, const VkFence* fences) {
  const std::lock_guard lock(object_of(device)->hub.mutex);
  for (std::uint32_t k = 0; k < count; ++k) object_of(fences[k])->signaled = false;
  return VK_SUCCESS;
}

VkResult vkGetFenceStatus(VkDevice device, VkFence fence) {
  SyncHub& hub = object_of(device)->hub;
  const std::lock_guard lock(hub.mutex);
  if (object_of(fence)->signaled) return VK_SUCCESS;
  return hub.lost ? VK_ERROR_DEVICE_LOST : VK_NOT_READY;
}

VkResult vkWaitForFences(VkDevice device, std::uint32_t count, const VkFence* fences, VkBool32 all,
                         std::uint64_t timeout) {
  SyncHub& hub = object_of(device)->hub;
  const auto is_signaled = [](VkFence fence) { return object_of(fence)->signaled; };
  const std::span list(fences, count);
  std::unique_lock lock(hub.mutex);
  return hub.wait(lock, timeout, [&] {
    return all == VK_TRUE ? std::ranges::all_of(list, is_signaled)
                          : std::ranges::any_of(list, is_signaled);
  });
}

// ---- Semaphores ----

VkResult vkCreateSemaphore(VkDevice, const VkSemaphoreCreateInfo* info,
                           const VkAllocationCallbacks*, VkSemaphore* semaphore) {
  const auto* const type = find_in_chain<VkSemaphoreTypeCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  const bool timeline = type != nullptr && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
  return create<Semaphore>(semaphore, Semaphore{timeline, timeline ? type->initialValue : 0});
}

void vkDestroySemaphore(VkDevice device, VkSemaphore semaphore, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(semaphore));
}

VkResult vkGetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, std::uint64_t* value) {
  SyncHub& hub = object_of(device)->hub;
  const std::lock_guard lock(hub.mutex);
  *value = object_of(semaphore)->value;
  return hub.lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VkResult vkWaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, std::uint64_t timeout) {
  SyncHub& hub = object_of(device)->hub;
  const bool any = (info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) != 0;
  std::unique_lock lock(hub.mutex);
  return hub.wait(lock, timeout, [&] {
    std::uint32_t reached = 0;
    for (std::uint32_t k = 0; k < info->semaphoreCount; ++k)
      reached += object_of(info->pSemaphores[k])->value >= info->pValues[k] ? 1 : 0;
    return any ? reached > 0 : reached == info->semaphoreCount;
  });
}

VkResult vkSignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo* info) {
  SyncHub& hub = object_of(device)->hub;
  const std::lock_guard lock(hub.mutex);
  object_of(info->semaphore)->value = info->value;
  hub.changed.notify_all();
  return VK_SUCCESS;
}

// ---- Events ----

VkResult vkCreateEvent(VkDevice, const VkEventCreateInfo*, const VkAllocationCallbacks*,
                       VkEvent* event) {
  return create<Event>(event);
}

void vkDestroyEvent(VkDevice device, VkEvent event, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(event));
}

VkResult vkGetEventStatus(VkDevice device, VkEvent event) {
  SyncHub& hub = object_of(device)->hub;
  const std::lock_guard lock(hub.mutex);
  if (hub.lost) return VK_ERROR_DEVICE_LOST;
  return object_of(event)->set ? VK_EVENT_SET : VK_EVENT_RESET;
}

VkResult vkSetEvent(VkDevice device, VkEvent event) {
  SyncHub& hub = object_of(device)->hub;
  const std::lock_guard lock(hub.mutex);
  object_of(event)->set = true;
  hub.changed.notify_all();
  return VK_SUCCESS;
}

VkResult vkResetEvent(VkDevice device, VkEvent event) {
  const std::lock_guard lock(object_of(device)->hub.mutex);
  object_of(event)->set = false;
  return VK_SUCCESS;
}

}  // namespace lockstep::driver
