#pragma once

/// \file
/// Vulkan's headers, without the prototypes that only programs need.

#define VK_NO_PROTOTYPES
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>
