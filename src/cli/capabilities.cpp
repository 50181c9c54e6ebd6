#include "cli/capabilities.hpp"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>
#include <string_view>

namespace lockstep::cli {
namespace {

struct Row {
  spv::Capability capability;
  std::string_view feature;
};

constexpr Row rows[] = {
    {spv::CapabilityPhysicalStorageBufferAddresses, "bufferDeviceAddress"},
    {spv::CapabilityStorageBuffer8BitAccess, "storageBuffer8BitAccess"},
    {spv::CapabilityUniformAndStorageBuffer8BitAccess, "uniformAndStorageBuffer8BitAccess"},
    {spv::CapabilityStoragePushConstant8, "storagePushConstant8"},
    {spv::CapabilityStorageBuffer16BitAccess, "storageBuffer16BitAccess"},
    {spv::CapabilityUniformAndStorageBuffer16BitAccess, "uniformAndStorageBuffer16BitAccess"},
    {spv::CapabilityStoragePushConstant16, "storagePushConstant16"},
    {spv::CapabilityVariablePointersStorageBuffer, "variablePointersStorageBuffer"},
    {spv::CapabilityVariablePointers, "variablePointers"},
    {spv::CapabilityUniformBufferArrayDynamicIndexing, "shaderUniformBufferArrayDynamicIndexing"},
    {spv::CapabilityStorageBufferArrayDynamicIndexing, "shaderStorageBufferArrayDynamicIndexing"},
    {spv::CapabilitySampledImageArrayDynamicIndexing, "shaderSampledImageArrayDynamicIndexing"},
    {spv::CapabilityStorageImageArrayDynamicIndexing, "shaderStorageImageArrayDynamicIndexing"},
    {spv::CapabilityUniformBufferArrayNonUniformIndexing,
     "shaderUniformBufferArrayNonUniformIndexing"},
    {spv::CapabilityStorageBufferArrayNonUniformIndexing,
     "shaderStorageBufferArrayNonUniformIndexing"},
    {spv::CapabilitySampledImageArrayNonUniformIndexing,
     "shaderSampledImageArrayNonUniformIndexing"},
    {spv::CapabilityStorageImageArrayNonUniformIndexing,
     "shaderStorageImageArrayNonUniformIndexing"},
    {spv::CapabilityRuntimeDescriptorArray, "runtimeDescriptorArray"},
    {spv::CapabilityImageGatherExtended, "shaderImageGatherExtended"},
    {spv::CapabilityImageCubeArray, "imageCubeArray"},
    {spv::CapabilitySampledCubeArray, "imageCubeArray"},
    {spv::CapabilityStorageImageMultisample, "shaderStorageImageMultisample"},
    {spv::CapabilityStorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"},
    {spv::CapabilityStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"},
    {spv::CapabilityStorageImageExtendedFormats, "shaderStorageImageExtendedFormats"},
    {spv::CapabilityRayQueryKHR, "rayQuery"},
    {spv::CapabilityCooperativeMatrixNV, "cooperativeMatrix"},
    {spv::CapabilityShaderClockKHR, "shaderSubgroupClock"},
};

}  // namespace

std::vector<std::string> other_features(std::span<const std::uint32_t> words) {
  constexpr std::size_t header = 5;
  std::vector<std::string> features;
  for (std::size_t at = header; at + 1 < words.size();) {
    const std::uint32_t length = words[at] >> 16;
    // Capabilities come before all other instructions.
    if (length == 0 || (words[at] & 0xffff) != spv::OpCapability) break;
    for (const Row& row : rows) {
      if (static_cast<std::uint32_t>(row.capability) == words[at + 1] &&
          std::ranges::find(features, row.feature) == features.end())
        features.emplace_back(row.feature);
    }
    at += length;
  }
  return features;
}

}  // namespace lockstep::cli
