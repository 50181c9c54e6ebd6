#pragma once

#include <type_traits>

#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// A command for graphics. Programs that respect the queue's flags never call it.
template <class Function>
struct Refused;

template <class Result, class... Arguments>
struct Refused<Result(VKAPI_PTR*)(Arguments...)> {
  static VKAPI_ATTR Result VKAPI_CALL call(Arguments...) {
    if constexpr (std::is_same_v<Result, VkResult>) return VK_ERROR_FEATURE_NOT_PRESENT;
  }
};

}  // namespace lockstep::driver
