#include "driver/commands.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "driver/buffer.hpp"
#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/execution.hpp"

namespace lockstep::driver {

std::shared_ptr<DescriptorMap> CommandBuffer::push_to(std::uint32_t set,
                                                      const SharedSetLayout& layout) {
  const auto last = pushed.find(set);
  auto made = last != pushed.end() && &last->second->layout() == layout.get()
                  ? last->second->clone()
                  : std::make_shared<DescriptorMap>(layout);
  pushed[set] = made;
  return made;
}

// ---- Pools and buffers ----

VkResult vkCreateCommandPool(VkDevice, const VkCommandPoolCreateInfo*, const VkAllocationCallbacks*,
                             VkCommandPool* pool) {
  return create<CommandPool>(pool);
}

void vkDestroyCommandPool(VkDevice device, VkCommandPool pool, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(pool));
}

VkResult vkResetCommandPool(VkDevice, VkCommandPool pool, VkCommandPoolResetFlags) {
  for (const auto& [handle, buffer] : object_of(pool)->buffers) buffer->reset();
  return VK_SUCCESS;
}

void vkTrimCommandPool(VkDevice, VkCommandPool, VkCommandPoolTrimFlags) {}

VkResult vkAllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo* info,
                                  VkCommandBuffer* buffers) {
  return guarded([&] {
    std::vector<std::unique_ptr<CommandBuffer>> made;
    for (std::uint32_t k = 0; k < info->commandBufferCount; ++k)
      made.push_back(std::make_unique<CommandBuffer>(*object_of(device)));
    for (auto& buffer : made) {
      CommandBuffer* const key = buffer.get();
      *buffers++ = handle_of(key);
      object_of(info->commandPool)->buffers.emplace(key, std::move(buffer));
    }
    return VK_SUCCESS;
  });
}

void vkFreeCommandBuffers(VkDevice, VkCommandPool pool, std::uint32_t count,
                          const VkCommandBuffer* buffers) {
  for (std::uint32_t k = 0; k < count; ++k) object_of(pool)->buffers.erase(object_of(buffers[k]));
}

void CommandBuffer::count_dispatch(const Size3& groups) {
  constexpr std::uint64_t most = 512;
  const auto add = [&](std::uint64_t count, std::uint64_t by) {
    return std::min(count * by, most + 1);
  };
  invocations_ += add(add(add(brief_group, groups.x), groups.y), groups.z);
  if (brief_group == 0 || invocations_ > most) is_brief_ = false;
}

VkResult vkBeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo*) {
  object_of(buffer)->reset();
  return VK_SUCCESS;
}

VkResult vkEndCommandBuffer(VkCommandBuffer buffer) { return object_of(buffer)->result; }

VkResult vkResetCommandBuffer(VkCommandBuffer buffer, VkCommandBufferResetFlags) {
  object_of(buffer)->reset();
  return VK_SUCCESS;
}

void vkCmdExecuteCommands(VkCommandBuffer buffer, std::uint32_t count,
                          const VkCommandBuffer* secondary) {
  for (std::uint32_t k = 0; k < count; ++k)
    object_of(buffer)->record([one = object_of(secondary[k])->recorded()](Execution& execution) {
      execution.run_within(*one);
    });
}

// ---- State ----

void vkCmdBindPipeline(VkCommandBuffer buffer, VkPipelineBindPoint point, VkPipeline pipeline) {
  if (point != VK_PIPELINE_BIND_POINT_COMPUTE) return;
  const PipelineHandle& handle = *object_of(pipeline);
  object_of(buffer)->brief_group = handle.compiled != nullptr ? handle.compiled->brief_group : 0;
  object_of(buffer)->record_brief(
      [bound = handle](Execution& execution) { execution.pipeline = bound; });
}

void vkCmdBindDescriptorSets(VkCommandBuffer buffer, VkPipelineBindPoint point, VkPipelineLayout,
                             std::uint32_t first, std::uint32_t count, const VkDescriptorSet* sets,
                             std::uint32_t offset_count, const std::uint32_t* offsets) {
  if (point != VK_PIPELINE_BIND_POINT_COMPUTE) return;
  const std::uint32_t* const end = offsets + offset_count;
  for (std::uint32_t k = 0; k < count; ++k) {
    if (sets[k] == VK_NULL_HANDLE) continue;
    BoundSet bound{object_of(sets[k])};
    for (const auto& [number, binding] : bound.set->layout().bindings)
      for (std::uint32_t e = 0; binding.is_dynamic() && e < binding.count && offsets != end; ++e)
        bound.offsets.push_back(*offsets++);
    object_of(buffer)->record_brief(
        [bound, number = first + k](Execution& execution) { execution.sets[number] = bound; });
  }
}

namespace {

/// Records a set of push descriptors that `write` changes.
template <class F>
void push_descriptors(VkCommandBuffer buffer, VkPipelineLayout layout, std::uint32_t set, F write) {
  CommandBuffer& commands = *object_of(buffer);
  commands.result = guarded([&] {
    const auto pushed = commands.push_to(set, object_of(layout)->sets[set]);
    write(*pushed);
    commands.record_brief([set, bound = BoundSet{pushed.get(), pushed}](Execution& execution) {
      execution.sets[set] = bound;
    });
    return commands.result;
  });
}

}  // namespace

void vkCmdPushDescriptorSetKHR(VkCommandBuffer buffer, VkPipelineBindPoint point,
                               VkPipelineLayout layout, std::uint32_t set, std::uint32_t count,
                               const VkWriteDescriptorSet* writes) {
  if (point != VK_PIPELINE_BIND_POINT_COMPUTE) return;
  push_descriptors(buffer, layout, set, [&](DescriptorMap& descriptors) {
    for (std::uint32_t k = 0; k < count; ++k) descriptors.write(writes[k]);
  });
}

void vkCmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer buffer,
                                           VkDescriptorUpdateTemplate update,
                                           VkPipelineLayout layout, std::uint32_t set,
                                           const void* data) {
  push_descriptors(buffer, layout, set, [&](DescriptorMap& descriptors) {
    for (const auto& entry : object_of(update)->entries)
      descriptors.write(entry, static_cast<const std::byte*>(data));
  });
}

void vkCmdPushConstants(VkCommandBuffer buffer, VkPipelineLayout, VkShaderStageFlags stages,
                        std::uint32_t offset, std::uint32_t size, const void* values) {
  if ((stages & VK_SHADER_STAGE_COMPUTE_BIT) == 0) return;
  const auto* const first = static_cast<const std::byte*>(values);
  object_of(buffer)->record_brief(
      [offset, bytes = std::vector<std::byte>(first, first + size)](Execution& execution) {
        std::ranges::copy(bytes, execution.push_constants.begin() + offset);
      });
}

// ---- Dispatches ----

void vkCmdDispatch(VkCommandBuffer buffer, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  object_of(buffer)->count_dispatch({x, y, z});
  object_of(buffer)->record_brief([groups = Size3{x, y, z}](Execution& execution) {
    execution.dispatch({0, 0, 0}, groups);
  });
}

void vkCmdDispatchBase(VkCommandBuffer buffer, std::uint32_t base_x, std::uint32_t base_y,
                       std::uint32_t base_z, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  object_of(buffer)->record([base = Size3{base_x, base_y, base_z}, groups = Size3{x, y, z}](
                                Execution& execution) { execution.dispatch(base, groups); });
}

void vkCmdDispatchIndirect(VkCommandBuffer buffer, VkBuffer arguments, VkDeviceSize offset) {
  object_of(buffer)->record([from = object_of(arguments), offset](Execution& execution) {
    // Read now: a command before this one may have written it.
    VkDispatchIndirectCommand groups;
    const auto bytes = from->bytes(offset, sizeof groups);
    std::memcpy(&groups, bytes.data(), sizeof groups);
    execution.dispatch({0, 0, 0}, {groups.x, groups.y, groups.z});
  });
}

void vkCmdSetDeviceMask(VkCommandBuffer, std::uint32_t) {}

// ---- Barriers and events: commands of a queue run in order, each after all writes of those before it ----

void vkCmdPipelineBarrier(VkCommandBuffer, VkPipelineStageFlags, VkPipelineStageFlags,
                          VkDependencyFlags, std::uint32_t, const VkMemoryBarrier*, std::uint32_t,
                          const VkBufferMemoryBarrier*, std::uint32_t,
                          const VkImageMemoryBarrier*) {}

void vkCmdPipelineBarrier2(VkCommandBuffer, const VkDependencyInfo*) {}

namespace {

void record_event(VkCommandBuffer buffer, VkEvent event, bool set) {
  object_of(buffer)->record([event = object_of(event), set](Execution& execution) {
    SyncHub& hub = execution.device.hub;
    const std::lock_guard lock(hub.mutex);
    event->set = set;
    hub.changed.notify_all();
  });
}

void record_waits(VkCommandBuffer buffer, std::uint32_t count, const VkEvent* events) {
  for (std::uint32_t k = 0; k < count; ++k)
    object_of(buffer)->record([event = object_of(events[k])](Execution& execution) {
      // The host may set it, or another queue.
      SyncHub& hub = execution.device.hub;
      std::unique_lock lock(hub.mutex);
      hub.wait(lock, ~std::uint64_t{0}, [&] { return event->set; });
    });
}

}  // namespace

void vkCmdSetEvent(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags) {
  record_event(buffer, event, true);
}
void vkCmdSetEvent2(VkCommandBuffer buffer, VkEvent event, const VkDependencyInfo*) {
  record_event(buffer, event, true);
}
void vkCmdResetEvent(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags) {
  record_event(buffer, event, false);
}
void vkCmdResetEvent2(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags2) {
  record_event(buffer, event, false);
}
void vkCmdWaitEvents(VkCommandBuffer buffer, std::uint32_t count, const VkEvent* events,
                     VkPipelineStageFlags, VkPipelineStageFlags, std::uint32_t,
                     const VkMemoryBarrier*, std::uint32_t, const VkBufferMemoryBarrier*,
                     std::uint32_t, const VkImageMemoryBarrier*) {
  record_waits(buffer, count, events);
}
void vkCmdWaitEvents2(VkCommandBuffer buffer, std::uint32_t count, const VkEvent* events,
                      const VkDependencyInfo*) {
  record_waits(buffer, count, events);
}

// ---- Labels, which findings name ----

void vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer buffer, const VkDebugUtilsLabelEXT* label) {
  object_of(buffer)->record([name = std::string(label->pLabelName)](Execution& execution) {
    execution.labels.push_back(name);
  });
}
void vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer buffer) {
  object_of(buffer)->record([](Execution& execution) {
    if (!execution.labels.empty()) execution.labels.pop_back();
  });
}
void vkCmdInsertDebugUtilsLabelEXT(VkCommandBuffer, const VkDebugUtilsLabelEXT*) {}

}  // namespace lockstep::driver
