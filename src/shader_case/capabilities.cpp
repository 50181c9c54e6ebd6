#include "shader_case/capabilities.hpp"

#include <algorithm>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

#include "shader/front/encoded.hpp"

namespace lockstep::shader_case {
namespace {

struct Row {
  spv::Capability capability;
  std::string_view feature;
};

constexpr Row rows[] = {
    {spv::Capability::PhysicalStorageBufferAddresses, "bufferDeviceAddress"},
    {spv::Capability::StorageBuffer8BitAccess, "storageBuffer8BitAccess"},
    {spv::Capability::UniformAndStorageBuffer8BitAccess, "uniformAndStorageBuffer8BitAccess"},
    {spv::Capability::StoragePushConstant8, "storagePushConstant8"},
    {spv::Capability::StorageBuffer16BitAccess, "storageBuffer16BitAccess"},
    {spv::Capability::UniformAndStorageBuffer16BitAccess, "uniformAndStorageBuffer16BitAccess"},
    {spv::Capability::StoragePushConstant16, "storagePushConstant16"},
    {spv::Capability::VariablePointersStorageBuffer, "variablePointersStorageBuffer"},
    {spv::Capability::VariablePointers, "variablePointers"},
    {spv::Capability::UniformBufferArrayDynamicIndexing, "shaderUniformBufferArrayDynamicIndexing"},
    {spv::Capability::StorageBufferArrayDynamicIndexing, "shaderStorageBufferArrayDynamicIndexing"},
    {spv::Capability::SampledImageArrayDynamicIndexing, "shaderSampledImageArrayDynamicIndexing"},
    {spv::Capability::StorageImageArrayDynamicIndexing, "shaderStorageImageArrayDynamicIndexing"},
    {spv::Capability::UniformBufferArrayNonUniformIndexing,
     "shaderUniformBufferArrayNonUniformIndexing"},
    {spv::Capability::StorageBufferArrayNonUniformIndexing,
     "shaderStorageBufferArrayNonUniformIndexing"},
    {spv::Capability::SampledImageArrayNonUniformIndexing,
     "shaderSampledImageArrayNonUniformIndexing"},
    {spv::Capability::StorageImageArrayNonUniformIndexing,
     "shaderStorageImageArrayNonUniformIndexing"},
    {spv::Capability::RuntimeDescriptorArray, "runtimeDescriptorArray"},
    {spv::Capability::ImageGatherExtended, "shaderImageGatherExtended"},
    {spv::Capability::ImageCubeArray, "imageCubeArray"},
    {spv::Capability::SampledCubeArray, "imageCubeArray"},
    {spv::Capability::StorageImageMultisample, "shaderStorageImageMultisample"},
    {spv::Capability::StorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"},
    {spv::Capability::StorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"},
    {spv::Capability::StorageImageExtendedFormats, "shaderStorageImageExtendedFormats"},
    {spv::Capability::RayQueryKHR, "rayQuery"},
    {spv::Capability::CooperativeMatrixNV, "cooperativeMatrix"},
    {spv::Capability::ShaderClockKHR, "shaderSubgroupClock"},
};

}  // namespace

std::vector<std::string> other_features(std::span<const std::uint32_t> words) {
  std::vector<std::string> features;
  for (const spirv::Encoded i : spirv::EncodedInstructions(words)) {
    // Capabilities come before all other instructions.
    if (i.opcode() != spv::Op::OpCapability || i.words.size() != 2) break;
    for (const Row& row : rows) {
      if (static_cast<std::uint32_t>(row.capability) == i.words[1] &&
          std::ranges::find(features, row.feature) == features.end())
        features.emplace_back(row.feature);
    }
  }
  return features;
}

bool makes_addresses(std::span<const std::uint32_t> words) {
  for (const spirv::Encoded i : spirv::EncodedInstructions(words)) {
    if (i.opcode() == spv::Op::OpConvertUToPtr) return true;
  }
  return false;
}

}  // namespace lockstep::shader_case
