#include "driver/memory.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/instance.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {

VkPhysicalDeviceMemoryProperties memory_properties() {
  constexpr VkMemoryPropertyFlags of_host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                            VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  VkPhysicalDeviceMemoryProperties properties{};
  // The type with fewer properties comes first, as the specification demands.
  properties.memoryTypeCount = memory_heaps;
  properties.memoryTypes[0] = {of_host, 1};
  properties.memoryTypes[1] = {of_host | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
  properties.memoryHeapCount = memory_heaps;
  properties.memoryHeaps[0] = {memory_size(), VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  properties.memoryHeaps[1] = {memory_size(), 0};
  return properties;
}

AllocationSlot::AllocationSlot(std::atomic<std::uint32_t>& used) : used_(&used) {
  if (++used <= max_memory_allocations) return;
  --used;
  throw Failure(
      VK_ERROR_TOO_MANY_OBJECTS,
      fmt::format("more than {} memory objects at once, which is maxMemoryAllocationCount",
                  max_memory_allocations));
}

DeviceMemory::DeviceMemory(Allocated& all, std::uint32_t heap, VkDeviceSize size)
    : slot_(all.objects), allocated_(&all.bytes[heap]) {
  std::atomic<VkDeviceSize>& allocated = *allocated_;
  // What is allocated takes no memory before it is touched; the heap's size is still its limit.
  if (size > memory_size() || allocated.fetch_add(size) > memory_size() - size) {
    if (size <= memory_size()) allocated -= size;
    throw Failure(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  }
  void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    allocated -= size;
    throw Failure(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  }
  bytes_ = {static_cast<std::byte*>(mapped), size};
}

DeviceMemory::~DeviceMemory() {
  if (allocated_ == nullptr) return;
  munmap(bytes_.data(), bytes_.size());
  *allocated_ -= bytes_.size();
}

VkResult vkAllocateMemory(VkDevice handle, const VkMemoryAllocateInfo* info,
                          const VkAllocationCallbacks*, VkDeviceMemory* memory) {
  const auto* const import = find_in_chain<VkImportMemoryHostPointerInfoEXT>(
      info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  Device& device = *object_of(handle);
  Allocated& allocated = device.physical.allocated;
  if (import != nullptr && import->handleType != 0)
    return told(device, "memory", [&] {
      const std::span bytes(static_cast<std::byte*>(import->pHostPointer), info->allocationSize);
      *memory = handle_of(new DeviceMemory(allocated, bytes));
      return VK_SUCCESS;
    });
  const VkPhysicalDeviceMemoryProperties known = memory_properties();
  const std::uint32_t heap = known.memoryTypes[info->memoryTypeIndex].heapIndex;
  return told(device, "memory", [&] {
    *memory = handle_of(new DeviceMemory(allocated, heap, info->allocationSize));
    return VK_SUCCESS;
  });
}

void vkFreeMemory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(memory));
}

VkResult vkMapMemory(VkDevice, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize,
                     VkMemoryMapFlags, void** data) {
  *data = object_of(memory)->bytes().data() + offset;
  return VK_SUCCESS;
}

void vkUnmapMemory(VkDevice, VkDeviceMemory) {}

// All memory is coherent.
VkResult vkFlushMappedMemoryRanges(VkDevice, std::uint32_t, const VkMappedMemoryRange*) {
  return VK_SUCCESS;
}
VkResult vkInvalidateMappedMemoryRanges(VkDevice, std::uint32_t, const VkMappedMemoryRange*) {
  return VK_SUCCESS;
}

void vkGetDeviceMemoryCommitment(VkDevice, VkDeviceMemory memory, VkDeviceSize* committed) {
  *committed = object_of(memory)->bytes().size();
}

std::uint64_t vkGetDeviceMemoryOpaqueCaptureAddress(VkDevice,
                                                    const VkDeviceMemoryOpaqueCaptureAddressInfo*) {
  return 0;  // bufferDeviceAddressCaptureReplay is not there
}

VkResult vkGetMemoryHostPointerPropertiesEXT(VkDevice, VkExternalMemoryHandleTypeFlagBits,
                                             const void*,
                                             VkMemoryHostPointerPropertiesEXT* properties) {
  properties->memoryTypeBits = all_memory_types;
  return VK_SUCCESS;
}

}  // namespace lockstep::driver
