#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <lockstep/spirv/module.hpp>

#include "driver/gpu.hpp"

/// \file
/// Vulkan lets a driver trust its callers. Modules are what programs get from elsewhere: damaged ones are refused, or
/// they run to an end.

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr const char* shader = R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Values { uint values[]; };
shared uint sums[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  uint sum = subgroupInclusiveAdd(values[i]);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) sums[gl_SubgroupID] = sum;
  barrier();
  for (uint s = 0; s < gl_SubgroupID; ++s) sum += sums[s];
  values[i] = i % 3 == 0 ? subgroupShuffle(sum, i & 3) : sum;
}
)";

/// Some bits of some words after the header changed.
std::vector<std::uint32_t> damaged(std::span<const std::uint32_t> words, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> made(words.begin(), words.end());
  for (std::uint32_t k = 0; k <= random() % 3; ++k)
    made[5 + random() % (made.size() - 5)] ^= 1u << random() % 32;
  return made;
}

/// The pipeline of a module in the layout of another; none if the driver refuses it.
std::optional<GpuPipeline> with_module(Gpu& gpu, const GpuPipeline& like,
                                       const std::vector<std::uint32_t>& words) {
  GpuPipeline made = like;
  VkShaderModuleCreateInfo module{};
  module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module.codeSize = words.size() * 4;
  module.pCode = words.data();
  if (gpu.vk.vkCreateShaderModule(gpu.device, &module, nullptr, &made.module) != VK_SUCCESS)
    return std::nullopt;
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = made.module;
  info.stage.pName = "main";
  info.layout = made.layout;
  const VkResult result = gpu.vk.vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info,
                                                          nullptr, &made.pipeline);
  gpu.vk.vkDestroyShaderModule(gpu.device, made.module, nullptr);
  if (result != VK_SUCCESS) return std::nullopt;
  return made;
}

}  // namespace

TEST_CASE("damaged modules are refused, or run to an end") {
  const Environment environment({{"LOCKSTEP_MAX_STEPS", "100000"}});
  const Module module = Module::from_glsl(shader);
  std::uint32_t refused = 0, ended = 0, lost = 0;
  for (std::uint32_t seed = 1; seed <= 400;) {
    // A lost device stays lost: another goes on.
    Gpu gpu({.layer = false, .robust_buffers = true});
    const std::vector<GpuSet> sets{{{{.binding = 0}}}};
    const GpuPipeline whole = gpu.pipeline(shader, sets);
    const GpuBuffer buffer = gpu.buffer(64 * sizeof(std::uint32_t));
    const VkDescriptorSet set = gpu.set(whole.sets[0]);
    gpu.write(set, 0, buffer);
    for (bool alive = true; alive && seed <= 400; ++seed) {
      CAPTURE(seed);
      const auto pipeline = with_module(gpu, whole, damaged(module.words(), seed));
      if (!pipeline) {
        ++refused;
        continue;
      }
      const VkResult result = gpu.run([&](VkCommandBuffer commands) {
        gpu.bind(commands, *pipeline, {set});
        gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
      });
      alive = result == VK_SUCCESS;
      CHECK((alive || result == VK_ERROR_DEVICE_LOST));
      ++(alive ? ended : lost);
      gpu.vk.vkDestroyPipeline(gpu.device, pipeline->pipeline, nullptr);
    }
  }
  CHECK(refused > 100);
  CHECK(ended > 20);
  CHECK(refused + ended + lost == 400);
}
