#pragma once

#include <cstddef>
#include <span>

#include "icd/handle.hpp"

namespace lockstep::icd {

struct PhysicalDevice;

/// Memory of the host, the driver's own or the program's. Own memory begins as zeros.
class DeviceMemory {
 public:
  /// Throws Failure without memory.
  DeviceMemory(PhysicalDevice& device, VkDeviceSize size);
  /// Imported memory.
  explicit DeviceMemory(std::span<std::byte> bytes) : bytes_(bytes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  PhysicalDevice* owner_ = nullptr;  ///< null: imported
  std::span<std::byte> bytes_;
};

LOCKSTEP_ICD_HANDLE(VkDeviceMemory, DeviceMemory)

}  // namespace lockstep::icd
