#pragma once

#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// Tells that a command cannot be recorded; vkEndCommandBuffer fails then.
void refuse_drawing(VkCommandBuffer buffer, const char* command) noexcept;

/// A command that would draw. `Name` has its name.
template <class Function, class Name>
struct Drawing;

template <class Name, class... Arguments>
struct Drawing<void(VKAPI_PTR*)(VkCommandBuffer, Arguments...), Name> {
  static VKAPI_ATTR void VKAPI_CALL call(VkCommandBuffer buffer, Arguments...) {
    refuse_drawing(buffer, Name::text());
  }
};

}  // namespace lockstep::driver
