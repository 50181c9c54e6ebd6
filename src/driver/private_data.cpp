#include <cstdint>
#include <map>
#include <mutex>

#include "driver/entry_points.hpp"
#include "driver/handle.hpp"

namespace lockstep::driver {

/// A number for each object that a program gave one.
struct PrivateDataSlot {
  std::mutex changing;
  std::map<std::uint64_t, std::uint64_t> values;
};

LOCKSTEP_ICD_HANDLE(VkPrivateDataSlot, PrivateDataSlot)

VkResult vkCreatePrivateDataSlot(VkDevice, const VkPrivateDataSlotCreateInfo*,
                                 const VkAllocationCallbacks*, VkPrivateDataSlot* slot) {
  return create<PrivateDataSlot>(slot);
}

void vkDestroyPrivateDataSlot(VkDevice, VkPrivateDataSlot slot, const VkAllocationCallbacks*) {
  delete object_of(slot);
}

VkResult vkSetPrivateData(VkDevice, VkObjectType, std::uint64_t object, VkPrivateDataSlot slot,
                          std::uint64_t value) {
  return guarded([&] {
    const std::lock_guard lock(object_of(slot)->changing);
    object_of(slot)->values[object] = value;
    return VK_SUCCESS;
  });
}

void vkGetPrivateData(VkDevice, VkObjectType, std::uint64_t object, VkPrivateDataSlot slot,
                      std::uint64_t* value) {
  const std::lock_guard lock(object_of(slot)->changing);
  const auto found = object_of(slot)->values.find(object);
  *value = found == object_of(slot)->values.end() ? 0 : found->second;
}

}  // namespace lockstep::driver
