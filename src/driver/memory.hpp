#pragma once

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

/// Memory of the host, the driver's own or the program's. Own memory begins as zeros.
class DeviceMemory {
 public:
  /// Throws Failure without memory.
  DeviceMemory(std::atomic<VkDeviceSize>& allocated, VkDeviceSize size);
  /// Imported memory.
  explicit DeviceMemory(std::span<std::byte> bytes) : bytes_(bytes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::atomic<VkDeviceSize>* allocated_ = nullptr;  ///< bytes of its heap; null: imported
  std::span<std::byte> bytes_;
};

LOCKSTEP_ICD_HANDLE(VkDeviceMemory, DeviceMemory)

}  // namespace lockstep::driver
