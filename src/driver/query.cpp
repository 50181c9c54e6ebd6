#include "driver/query.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <span>

#include "driver/buffer.hpp"
#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/execution.hpp"

namespace lockstep::driver {
namespace {

/// Writes a number with 32 or 64 bits.
void put(std::byte* to, std::size_t number, std::uint64_t value, bool wide) {
  if (wide) {
    std::memcpy(to + number * sizeof value, &value, sizeof value);
    return;
  }
  const auto narrow = static_cast<std::uint32_t>(value);
  std::memcpy(to + number * sizeof narrow, &narrow, sizeof narrow);
}

/// Writes results, those that are available or all that may be. Returns whether all are available.
bool write_results(const QueryPool& pool, std::uint32_t first, std::uint32_t count, std::byte* to,
                   VkDeviceSize stride, VkQueryResultFlags flags) {
  const bool wide = (flags & VK_QUERY_RESULT_64_BIT) != 0;
  bool all = true;
  for (std::uint32_t k = 0; k < count; ++k, to += stride) {
    const auto& result = pool.results[first + k];
    all = all && result.has_value();
    if (result || (flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0) put(to, 0, result.value_or(0), wide);
    if ((flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0)
      put(to, 1, result.has_value() ? 1 : 0, wide);
  }
  return all;
}

bool are_available(const QueryPool& pool, std::uint32_t first, std::uint32_t count) {
  const auto list = std::span(pool.results).subspan(first, count);
  return std::ranges::all_of(list, [](const auto& result) { return result.has_value(); });
}

void reset(Device& device, QueryPool& pool, std::uint32_t first, std::uint32_t count) {
  const std::lock_guard lock(device.hub.mutex);
  std::fill_n(pool.results.begin() + first, count, std::nullopt);
}

void finish(Device& device, QueryPool& pool, std::uint32_t query, std::uint64_t result) {
  const std::lock_guard lock(device.hub.mutex);
  pool.results[query] = result;
  device.hub.changed.notify_all();
}

void record_timestamp(VkCommandBuffer buffer, VkQueryPool pool, std::uint32_t query) {
  object_of(buffer)->record([pool = object_of(pool), query](Execution& execution) {
    // Everything before it has ended, so the stage makes no difference.
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    finish(execution.device, *pool, query,
           static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count()));
  });
}

}  // namespace

VkResult vkCreateQueryPool(VkDevice, const VkQueryPoolCreateInfo* info,
                           const VkAllocationCallbacks*, VkQueryPool* pool) {
  return create<QueryPool>(pool, info->queryCount);
}

void vkDestroyQueryPool(VkDevice device, VkQueryPool pool, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(pool));
}

void vkResetQueryPool(VkDevice device, VkQueryPool pool, std::uint32_t first, std::uint32_t count) {
  reset(*object_of(device), *object_of(pool), first, count);
}

VkResult vkGetQueryPoolResults(VkDevice device, VkQueryPool handle, std::uint32_t first,
                               std::uint32_t count, std::size_t, void* data, VkDeviceSize stride,
                               VkQueryResultFlags flags) {
  SyncHub& hub = object_of(device)->hub;
  const QueryPool& pool = *object_of(handle);
  std::unique_lock lock(hub.mutex);
  if ((flags & VK_QUERY_RESULT_WAIT_BIT) != 0) {
    const VkResult waited =
        hub.wait(lock, ~std::uint64_t{0}, [&] { return are_available(pool, first, count); });
    if (waited != VK_SUCCESS) return waited;
  }
  const bool all = write_results(pool, first, count, static_cast<std::byte*>(data), stride, flags);
  const bool partial = (flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0;
  return all || partial ? VK_SUCCESS : VK_NOT_READY;
}

void vkCmdResetQueryPool(VkCommandBuffer buffer, VkQueryPool pool, std::uint32_t first,
                         std::uint32_t count) {
  object_of(buffer)->record([pool = object_of(pool), first, count](Execution& execution) {
    reset(execution.device, *pool, first, count);
  });
}

void vkCmdWriteTimestamp(VkCommandBuffer buffer, VkPipelineStageFlagBits, VkQueryPool pool,
                         std::uint32_t query) {
  record_timestamp(buffer, pool, query);
}
void vkCmdWriteTimestamp2(VkCommandBuffer buffer, VkPipelineStageFlags2, VkQueryPool pool,
                          std::uint32_t query) {
  record_timestamp(buffer, pool, query);
}

// Occlusion queries: nothing is drawn.
void vkCmdBeginQuery(VkCommandBuffer, VkQueryPool, std::uint32_t, VkQueryControlFlags) {}
void vkCmdEndQuery(VkCommandBuffer buffer, VkQueryPool pool, std::uint32_t query) {
  object_of(buffer)->record([pool = object_of(pool), query](Execution& execution) {
    finish(execution.device, *pool, query, 0);
  });
}

void vkCmdCopyQueryPoolResults(VkCommandBuffer buffer, VkQueryPool pool, std::uint32_t first,
                               std::uint32_t count, VkBuffer to, VkDeviceSize offset,
                               VkDeviceSize stride, VkQueryResultFlags flags) {
  object_of(buffer)->record(
      [=, pool = object_of(pool), buffer_to = object_of(to)](Execution& execution) {
        const auto bytes = buffer_to->bytes(offset, VK_WHOLE_SIZE);
        SyncHub& hub = execution.device.hub;
        std::unique_lock lock(hub.mutex);
        // Another queue may have them yet to come.
        if ((flags & VK_QUERY_RESULT_WAIT_BIT) != 0)
          hub.wait(lock, ~std::uint64_t{0}, [&] { return are_available(*pool, first, count); });
        write_results(*pool, first, count, bytes.data(), stride, flags);
      });
}

}  // namespace lockstep::driver
