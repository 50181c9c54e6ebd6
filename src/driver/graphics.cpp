#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "driver/commands.hpp"
#include "driver/device.hpp"
#include "driver/drawing.hpp"
#include "driver/entry_points.hpp"
#include "driver/pipeline.hpp"

/// \file
/// Objects for graphics. With a queue for graphics, on which nothing can be drawn, programs may make them.

namespace lockstep::driver {
namespace {

/// What a render pass or a framebuffer is: nothing.
struct Unused {};

template <class Handle>
VkResult create_unused(VkDevice device, Handle* handle) {
  *handle = VK_NULL_HANDLE;
  return told(*object_of(device), "graphics", [&] {
    if (!object_of(device)->settings().graphics_stub)
      throw Failure(VK_ERROR_FEATURE_NOT_PRESENT,
                    "graphics objects are not supported without --graphics-stub");
    *handle = reinterpret_cast<Handle>(new Unused);
    return VK_SUCCESS;
  });
}

template <class Handle>
void destroy_unused(Handle handle) {
  delete reinterpret_cast<Unused*>(handle);
}

}  // namespace

void refuse_drawing(VkCommandBuffer buffer, const char* command) noexcept {
  CommandBuffer& commands = *object_of(buffer);
  commands.result = told(commands.device, "graphics", [&]() -> VkResult {
    commands.device.physical.instance->findings.count("drawing");
    throw Failure(VK_ERROR_FEATURE_NOT_PRESENT,
                  fmt::format("{}: drawing is not supported, this driver only computes", command));
  });
}

VkResult vkCreateGraphicsPipelines(VkDevice device, VkPipelineCache, std::uint32_t count,
                                   const VkGraphicsPipelineCreateInfo*,
                                   const VkAllocationCallbacks*, VkPipeline* pipelines) {
  std::fill_n(pipelines, count, VkPipeline(VK_NULL_HANDLE));
  return told(*object_of(device), "graphics", [&] {
    if (!object_of(device)->settings().graphics_stub)
      throw Failure(VK_ERROR_FEATURE_NOT_PRESENT,
                    "graphics pipelines are not supported without --graphics-stub");
    for (std::uint32_t k = 0; k < count; ++k) pipelines[k] = handle_of(new PipelineHandle{});
    return VK_SUCCESS;
  });
}

VkResult vkCreateFramebuffer(VkDevice device, const VkFramebufferCreateInfo*,
                             const VkAllocationCallbacks*, VkFramebuffer* framebuffer) {
  return create_unused(device, framebuffer);
}
void vkDestroyFramebuffer(VkDevice, VkFramebuffer framebuffer, const VkAllocationCallbacks*) {
  destroy_unused(framebuffer);
}

VkResult vkCreateRenderPass(VkDevice device, const VkRenderPassCreateInfo*,
                            const VkAllocationCallbacks*, VkRenderPass* pass) {
  return create_unused(device, pass);
}
VkResult vkCreateRenderPass2(VkDevice device, const VkRenderPassCreateInfo2*,
                             const VkAllocationCallbacks*, VkRenderPass* pass) {
  return create_unused(device, pass);
}
void vkGetRenderAreaGranularity(VkDevice, VkRenderPass, VkExtent2D* granularity) {
  *granularity = {1, 1};
}
void vkDestroyRenderPass(VkDevice, VkRenderPass pass, const VkAllocationCallbacks*) {
  destroy_unused(pass);
}

}  // namespace lockstep::driver
