#include "driver/buffer.hpp"

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/formats.hpp"
#include "driver/memory.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {

Buffer::~Buffer() {
  if (address_ != 0) addresses_.remove(address_);
}

void Buffer::refuse(VkDeviceSize offset, VkDeviceSize size) const {
  if (bytes_.empty())
    throw Error(
        fmt::format("a buffer of {} bytes is used without memory: bind memory to it", size_));
  throw Error(fmt::format("a command uses {} bytes from byte {} of a buffer of {}",
                          size == VK_WHOLE_SIZE ? "all" : fmt::to_string(size), offset, size_));
}

std::uint64_t Buffer::address() {
  const std::lock_guard lock(addressing_);
  if (address_ == 0) address_ = addresses_.add(bytes_);
  return address_;
}

VkMemoryRequirements requirements_of(VkDeviceSize size, VkDeviceSize alignment) {
  return {(size + alignment - 1) / alignment * alignment, alignment, all_memory_types};
}

void write_requirements(VkMemoryRequirements2& out, const VkMemoryRequirements& requirements) {
  out.memoryRequirements = requirements;
  if (auto* const dedicated = find_in_chain<VkMemoryDedicatedRequirements>(
          out.pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS))
    dedicated->prefersDedicatedAllocation = dedicated->requiresDedicatedAllocation = VK_FALSE;
}

VkResult vkCreateBuffer(VkDevice device, const VkBufferCreateInfo* info,
                        const VkAllocationCallbacks*, VkBuffer* buffer) {
  if (info->size > memory_size()) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return create<Buffer>(buffer, object_of(device)->addresses, info->size);
}

void vkDestroyBuffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(buffer));
}

void vkGetBufferMemoryRequirements(VkDevice, VkBuffer buffer, VkMemoryRequirements* requirements) {
  *requirements = requirements_of(object_of(buffer)->size(), buffer_alignment);
}

void vkGetBufferMemoryRequirements2(VkDevice, const VkBufferMemoryRequirementsInfo2* info,
                                    VkMemoryRequirements2* requirements) {
  write_requirements(*requirements,
                     requirements_of(object_of(info->buffer)->size(), buffer_alignment));
}

void vkGetDeviceBufferMemoryRequirements(VkDevice, const VkDeviceBufferMemoryRequirements* info,
                                         VkMemoryRequirements2* requirements) {
  write_requirements(*requirements, requirements_of(info->pCreateInfo->size, buffer_alignment));
}

VkResult vkBindBufferMemory(VkDevice, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
  object_of(buffer)->bind(object_of(memory)->bytes(), offset);
  return VK_SUCCESS;
}

VkResult vkBindBufferMemory2(VkDevice, std::uint32_t count, const VkBindBufferMemoryInfo* infos) {
  for (std::uint32_t k = 0; k < count; ++k)
    object_of(infos[k].buffer)->bind(object_of(infos[k].memory)->bytes(), infos[k].memoryOffset);
  return VK_SUCCESS;
}

VkResult vkCreateBufferView(VkDevice handle, const VkBufferViewCreateInfo* info,
                            const VkAllocationCallbacks*, VkBufferView* view) {
  Device& device = *object_of(handle);
  const auto format = texel_buffer_format_of(info->format);
  if (!format || support_of(info->format, device.settings()).buffers == 0)
    return told(device, "buffer-view", [&]() -> VkResult {
      throw Failure(
          VK_ERROR_FORMAT_NOT_SUPPORTED,
          fmt::format("a texel buffer of format {} is not supported", name_of(info->format)));
    });
  return guarded([&] {
    const auto bytes = object_of(info->buffer)->bytes(info->offset, info->range);
    // The rest of a buffer may end within a texel.
    const std::size_t whole = bytes.size() / format->bytes() * format->bytes();
    *view = handle_of(new BufferView{*format, bytes.first(whole)});
    return VK_SUCCESS;
  });
}

void vkDestroyBufferView(VkDevice device, VkBufferView view, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(view));
}

VkDeviceAddress vkGetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo* info) {
  VkDeviceAddress address = 0;
  object_of(device)->gave_addresses = true;
  guarded([&] {
    address = object_of(info->buffer)->address();
    return VK_SUCCESS;
  });
  return address;
}

std::uint64_t vkGetBufferOpaqueCaptureAddress(VkDevice, const VkBufferDeviceAddressInfo*) {
  return 0;  // bufferDeviceAddressCaptureReplay is not there
}

}  // namespace lockstep::driver
