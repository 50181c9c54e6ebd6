#include "amber/features.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::amber {
namespace {

using Names = std::string_view;

// A name, and what a profile needs for it.
struct Needing {
  Names name;
  Features needs = {};
};

// Features that compute shaders can use and the engine supports.
constexpr Needing present[] = {
    {"robustBufferAccess"},
    {"shaderStorageImageExtendedFormats"},
    {"shaderStorageImageMultisample"},
    {"shaderStorageImageReadWithoutFormat"},
    {"shaderStorageImageWriteWithoutFormat"},
    {"shaderUniformBufferArrayDynamicIndexing"},
    {"shaderStorageBufferArrayDynamicIndexing"},
    {"shaderStorageImageArrayDynamicIndexing"},
    {"shaderFloat64", Feature::shader_float64},
    {"shaderInt64", Feature::shader_int64},
    {"shaderInt16", Feature::shader_int16},
    {"VariablePointerFeatures.variablePointers"},
    {"VariablePointerFeatures.variablePointersStorageBuffer"},
    {"Float16Int8Features.shaderFloat16", Feature::shader_float16},
    {"Float16Int8Features.shaderInt8", Feature::shader_int8},
    {"VulkanMemoryModelFeatures.vulkanMemoryModel", Feature::vulkan_memory_model},
    {"VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope",
     Feature::vulkan_memory_model_device_scope},
    {"ZeroInitializeWorkgroupMemoryFeatures.shaderZeroInitializeWorkgroupMemory"},
    {"Storage8BitFeatures.storageBuffer8BitAccess"},
    {"Storage8BitFeatures.uniformAndStorageBuffer8BitAccess"},
    {"Storage8BitFeatures.storagePushConstant8"},
    {"Storage16BitFeatures.storageBuffer16BitAccess"},
    {"Storage16BitFeatures.uniformAndStorageBuffer16BitAccess"},
    {"Storage16BitFeatures.storagePushConstant16"},
    {"SubgroupSizeControl.subgroupSizeControl", Feature::subgroup_size_control},
    {"SubgroupSizeControl.computeFullSubgroups", Feature::compute_full_subgroups},
    {"SubgroupSupportedOperations.basic", Feature::basic},
    {"SubgroupSupportedOperations.vote", Feature::vote},
    {"SubgroupSupportedOperations.arithmetic", Feature::arithmetic},
    {"SubgroupSupportedOperations.ballot", Feature::ballot},
    {"SubgroupSupportedOperations.shuffle", Feature::shuffle},
    {"SubgroupSupportedOperations.shuffleRelative", Feature::shuffle_relative},
    {"SubgroupSupportedOperations.clustered", Feature::clustered},
    {"SubgroupSupportedOperations.quad", Feature::quad},
    {"SubgroupSupportedStages.compute"},
    {"ShaderSubgroupExtendedTypesFeatures.shaderSubgroupExtendedTypes",
     Feature::shader_subgroup_extended_types},
    {"BufferDeviceAddressFeatures.bufferDeviceAddress"},
    {"ShaderLongVectorFeaturesEXT.longVector", Feature::long_vector},
    {"CooperativeMatrixFeaturesKHR.cooperativeMatrix", Feature::cooperative_matrix},
};

// Features that only other kinds of pipelines use, or that shaders here cannot have.
constexpr Names absent[] = {
    "fullDrawIndexUint32",
    "imageCubeArray",
    "independentBlend",
    "geometryShader",
    "tessellationShader",
    "sampleRateShading",
    "dualSrcBlend",
    "logicOp",
    "multiDrawIndirect",
    "drawIndirectFirstInstance",
    "depthClamp",
    "depthBiasClamp",
    "fillModeNonSolid",
    "depthBounds",
    "wideLines",
    "largePoints",
    "alphaToOne",
    "multiViewport",
    "samplerAnisotropy",
    "textureCompressionETC2",
    "textureCompressionASTC_LDR",
    "textureCompressionBC",
    "occlusionQueryPrecise",
    "pipelineStatisticsQuery",
    "vertexPipelineStoresAndAtomics",
    "fragmentStoresAndAtomics",
    "shaderTessellationAndGeometryPointSize",
    "shaderImageGatherExtended",
    "shaderSampledImageArrayDynamicIndexing",
    "shaderClipDistance",
    "shaderCullDistance",
    "shaderResourceResidency",
    "shaderResourceMinLod",
    "sparseBinding",
    "sparseResidencyBuffer",
    "sparseResidencyImage2D",
    "sparseResidencyImage3D",
    "sparseResidency2Samples",
    "sparseResidency4Samples",
    "sparseResidency8Samples",
    "sparseResidency16Samples",
    "sparseResidencyAliased",
    "variableMultisampleRate",
    "inheritedQueries",
    "IndexTypeUint8Features.indexTypeUint8",
    "Storage16BitFeatures.storageInputOutput16",
    "DepthClampZeroOneFeatures.depthClampZeroOne",
    "SubgroupSupportedStages.vertex",
    "SubgroupSupportedStages.tessellationControl",
    "SubgroupSupportedStages.tessellationEvaluation",
    "SubgroupSupportedStages.geometry",
    "SubgroupSupportedStages.fragment",
    "RayTracingPipelineFeaturesKHR.rayTracingPipeline",
    "AccelerationStructureFeaturesKHR.accelerationStructure",
};

// Extensions that add features of the engine to compute shaders, or change only the API.
constexpr Needing extensions[] = {
    {"VK_KHR_16bit_storage"},
    {"VK_KHR_8bit_storage"},
    {"VK_KHR_buffer_device_address"},
    {"VK_EXT_buffer_device_address"},
    {"VK_EXT_descriptor_indexing"},
    {"VK_KHR_get_physical_device_properties2"},
    {"VK_KHR_maintenance1"},
    {"VK_KHR_relaxed_block_layout"},
    {"VK_KHR_cooperative_matrix", Feature::cooperative_matrix},
    {"VK_KHR_shader_atomic_int64", Feature::shader_buffer_int64_atomics},
    {"VK_EXT_shader_image_atomic_int64", Feature::shader_image_int64_atomics},
    {"VK_EXT_shader_atomic_float", Feature::shader_buffer_float32_atomics},
    {"VK_EXT_shader_atomic_float2", Feature::shader_buffer_float32_atomic_min_max},
    {"VK_KHR_shader_float16_int8"},
    {"VK_KHR_shader_float_controls"},
    {"VK_KHR_shader_integer_dot_product"},
    {"VK_EXT_shader_long_vector", Feature::long_vector},
    {"VK_KHR_shader_maximal_reconvergence", Feature::shader_maximal_reconvergence},
    {"VK_KHR_shader_non_semantic_info"},
    {"VK_KHR_shader_quad_control", Feature::shader_quad_control},
    {"VK_EXT_shader_replicated_composites", Feature::shader_replicated_composites},
    {"VK_EXT_shader_subgroup_ballot", Feature::ballot},
    {"VK_KHR_shader_subgroup_extended_types", Feature::shader_subgroup_extended_types},
    {"VK_KHR_shader_subgroup_rotate", Feature::shader_subgroup_rotate},
    {"VK_KHR_shader_subgroup_uniform_control_flow", Feature::shader_subgroup_uniform_control_flow},
    {"VK_EXT_shader_subgroup_vote", Feature::vote},
    {"VK_KHR_shader_terminate_invocation"},
    {"VK_NV_shader_subgroup_partitioned", Feature::partitioned},
    {"VK_EXT_scalar_block_layout"},
    {"VK_KHR_spirv_1_4"},
    {"VK_KHR_storage_buffer_storage_class"},
    {"VK_EXT_subgroup_size_control", Feature::subgroup_size_control},
    {"VK_KHR_uniform_buffer_standard_layout"},
    {"VK_KHR_variable_pointers"},
    {"VK_KHR_vulkan_memory_model", Feature::vulkan_memory_model},
    {"VK_KHR_workgroup_memory_explicit_layout", Feature::workgroup_memory_explicit_layout},
    {"VK_KHR_zero_initialize_workgroup_memory"},
};

// Float behaviour: every mode is honoured.
constexpr Names properties[] = {
    "FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat16",
    "FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat32",
    "FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat64",
    "FloatControlsProperties.shaderDenormPreserveFloat16",
    "FloatControlsProperties.shaderDenormPreserveFloat32",
    "FloatControlsProperties.shaderDenormPreserveFloat64",
    "FloatControlsProperties.shaderDenormFlushToZeroFloat16",
    "FloatControlsProperties.shaderDenormFlushToZeroFloat32",
    "FloatControlsProperties.shaderDenormFlushToZeroFloat64",
    "FloatControlsProperties.shaderRoundingModeRTZFloat16",
    "FloatControlsProperties.shaderRoundingModeRTZFloat32",
    "FloatControlsProperties.shaderRoundingModeRTZFloat64",
    "FloatControlsProperties.shaderRoundingModeRTEFloat16",
    "FloatControlsProperties.shaderRoundingModeRTEFloat32",
    "FloatControlsProperties.shaderRoundingModeRTEFloat64",
};

template <std::size_t N>
const Needing* find(const Needing (&list)[N], std::string_view name) {
  const Needing* found = std::ranges::find(list, name, &Needing::name);
  return found == std::end(list) ? nullptr : found;
}

template <std::size_t N>
bool contains(const Names (&list)[N], std::string_view name) {
  return std::ranges::find(list, name) != std::end(list);
}

bool has(const Profile& profile, const Needing* entry) {
  return entry != nullptr && profile.features.contain(entry->needs);
}

}  // namespace

bool is_known_feature(std::string_view name) {
  return find(present, name) != nullptr || contains(absent, name);
}

std::string unmet(const Requirement& requirement, const Profile& profile) {
  const std::string& name = requirement.name;
  std::string_view kind = "extension";
  bool met = false;
  switch (requirement.kind) {
    case Requirement::Kind::feature:
      kind = "feature";
      met = has(profile, find(present, name));
      break;
    case Requirement::Kind::property:
      kind = "property";
      met = contains(properties, name);
      break;
    case Requirement::Kind::device_extension:
    case Requirement::Kind::instance_extension:
      met = has(profile, find(extensions, name));
      break;
  }
  return met ? "" : fmt::format("the device {} lacks the {} {}", profile.name, kind, name);
}

}  // namespace lockstep::amber
