#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "driver/handle.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {

/// The heaps and types of memory. Both are the host's memory; programs may want one that is not device-local.
VkPhysicalDeviceMemoryProperties memory_properties();
/// The types that any buffer or image, and imported memory, can have.
inline constexpr std::uint32_t all_memory_types = (1u << memory_heaps) - 1;

/// One of the memory objects that there may be at once. Throws Failure if there are too many.
class AllocationSlot {
 public:
  explicit AllocationSlot(std::atomic<std::uint32_t>& used);
  ~AllocationSlot() { --*used_; }
  AllocationSlot(const AllocationSlot&) = delete;
  AllocationSlot& operator=(const AllocationSlot&) = delete;

 private:
  std::atomic<std::uint32_t>* used_;
};

/// What there is of memory objects: how many, and bytes in each heap.
struct Allocated {
  std::atomic<std::uint32_t> objects{};
  std::array<std::atomic<VkDeviceSize>, memory_heaps> bytes{};
};

/// Memory of the host, the driver's own or the program's. Own memory begins as zeros.
class DeviceMemory {
 public:
  /// Throws Failure without memory.
  DeviceMemory(Allocated& allocated, std::uint32_t heap, VkDeviceSize size);
  /// Imported memory.
  DeviceMemory(Allocated& allocated, std::span<std::byte> bytes)
      : slot_(allocated.objects), bytes_(bytes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  AllocationSlot slot_;
  std::atomic<VkDeviceSize>* allocated_ = nullptr;  ///< bytes of its heap; null: imported
  std::span<std::byte> bytes_;
};

LOCKSTEP_ICD_HANDLE(VkDeviceMemory, DeviceMemory)

}  // namespace lockstep::driver
