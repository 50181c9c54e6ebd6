#include <unistd.h>
#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "driver/gpu.hpp"

/// \file
/// Programs that make many objects, one after another, as test suites do.

using namespace lockstep::test;

namespace {

/// Of this process.
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

constexpr const char* shader = R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint number = 0;
layout(set = 0, binding = 0) buffer Values { uvec4 values[]; };
void main() {
  uvec4 value = values[gl_LocalInvocationIndex];
  for (uint k = 0; k < number; ++k) value = value * 3u + subgroupInclusiveAdd(value ^ k);
  values[gl_LocalInvocationIndex] = value;
}
)";

}  // namespace

TEST_CASE("pipelines that were destroyed take no memory for ever") {
  const Environment environment;
  Gpu gpu({.layer = false});
  const std::vector<GpuSet> sets{{{{.binding = 0}}}};
  const GpuPipeline first = gpu.pipeline(shader, sets);
  std::size_t before = 0;
  constexpr std::uint32_t most = 600;
  for (std::uint32_t number = 0; number < most; ++number) {
    const VkSpecializationMapEntry entry{0, 0, sizeof number};
    const VkSpecializationInfo constants{1, &entry, sizeof number, &number};
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = first.module;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &constants;
    info.layout = first.layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr,
                                            &pipeline) == VK_SUCCESS);
    gpu.vk.vkDestroyPipeline(gpu.device, pipeline, nullptr);
    if (number == most / 3) before = resident_bytes();
  }
  const std::size_t after = resident_bytes();
  CAPTURE(before, after);
  CHECK(after < before + (std::size_t{4} << 20));
}
