#include <nlohmann/json.hpp>

#include "capture/vulkan/device_parts.hpp"
#include "capture/vulkan/float_controls.hpp"

namespace lockstep::vulkan {
namespace {

using Json = nlohmann::ordered_json;

Json operations_of(vk::SubgroupFeatureFlags operations) {
  using Bit = vk::SubgroupFeatureFlagBits;
  Json names = Json::array();
  for (const auto& [bit, name] : {std::pair{Bit::eBasic, "basic"},
                                  {Bit::eVote, "vote"},
                                  {Bit::eArithmetic, "arithmetic"},
                                  {Bit::eBallot, "ballot"},
                                  {Bit::eShuffle, "shuffle"},
                                  {Bit::eShuffleRelative, "shuffle_relative"},
                                  {Bit::eClustered, "clustered"},
                                  {Bit::eQuad, "quad"},
                                  {Bit::ePartitionedNV, "partitioned"}})
    if (operations & bit) names.push_back(name);
  return names;
}

Json limits_of(const vk::PhysicalDeviceLimits& limits) {
  const auto three = [](const auto& sizes) { return Json{sizes[0], sizes[1], sizes[2]}; };
  return {{"maxComputeWorkGroupCount", three(limits.maxComputeWorkGroupCount)},
          {"maxComputeWorkGroupInvocations", limits.maxComputeWorkGroupInvocations},
          {"maxComputeWorkGroupSize", three(limits.maxComputeWorkGroupSize)},
          {"maxComputeSharedMemorySize", limits.maxComputeSharedMemorySize},
          {"maxPushConstantsSize", limits.maxPushConstantsSize},
          {"subTexelPrecisionBits", limits.subTexelPrecisionBits},
          {"mipmapPrecisionBits", limits.mipmapPrecisionBits}};
}

std::string version_text(std::uint32_t version) {
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                     VK_API_VERSION_PATCH(version));
}

}  // namespace

nlohmann::ordered_json Device::describe() const {
  const auto chain = parts_->physical.getProperties2<
      vk::PhysicalDeviceProperties2, vk::PhysicalDeviceSubgroupProperties,
      vk::PhysicalDeviceVulkan12Properties, vk::PhysicalDeviceVulkan13Properties>();
  const auto& core = chain.get<vk::PhysicalDeviceProperties2>().properties;
  const auto& twelve = chain.get<vk::PhysicalDeviceVulkan12Properties>();
  const auto& thirteen = chain.get<vk::PhysicalDeviceVulkan13Properties>();
  const auto& subgroup = chain.get<vk::PhysicalDeviceSubgroupProperties>();
  const Properties& own = parts_->properties;
  return {{"name", own.name},
          {"driver", own.driver},
          {"vendor_id", core.vendorID},
          {"device_id", core.deviceID},
          {"api_version", version_text(core.apiVersion)},
          {"type", vk::to_string(core.deviceType)},
          {"subgroup",
           {{"size", own.subgroup_size},
            {"min_size", own.min_subgroup_size},
            {"max_size", own.max_subgroup_size},
            {"required_size", own.required_size},
            {"max_subgroups", thirteen.maxComputeWorkgroupSubgroups},
            {"operations", operations_of(subgroup.supportedOperations)},
            {"quad_in_all_stages", subgroup.quadOperationsInAllStages == VK_TRUE}}},
          {"float_controls", float_controls_of(twelve)},
          {"limits", limits_of(core.limits)}};
}

}  // namespace lockstep::vulkan
