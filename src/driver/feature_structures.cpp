#include "driver/feature_structures.hpp"

#include <array>

#include "driver/absent_features.def.hpp"

namespace lockstep::driver {
namespace {

// Members in the order of each structure, since each is an array of VkBool32.

constexpr const char* of_core[] = {
    "robustBufferAccess",
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
    "shaderStorageImageExtendedFormats",
    "shaderStorageImageMultisample",
    "shaderStorageImageReadWithoutFormat",
    "shaderStorageImageWriteWithoutFormat",
    "shaderUniformBufferArrayDynamicIndexing",
    "shaderSampledImageArrayDynamicIndexing",
    "shaderStorageBufferArrayDynamicIndexing",
    "shaderStorageImageArrayDynamicIndexing",
    "shaderClipDistance",
    "shaderCullDistance",
    "shaderFloat64",
    "shaderInt64",
    "shaderInt16",
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
};
constexpr const char* of_vulkan11_features[] = {
    "storageBuffer16BitAccess",
    "uniformAndStorageBuffer16BitAccess",
    "storagePushConstant16",
    "storageInputOutput16",
    "multiview",
    "multiviewGeometryShader",
    "multiviewTessellationShader",
    "variablePointersStorageBuffer",
    "variablePointers",
    "protectedMemory",
    "samplerYcbcrConversion",
    "shaderDrawParameters",
};
constexpr const char* of_vulkan12_features[] = {
    "samplerMirrorClampToEdge",
    "drawIndirectCount",
    "storageBuffer8BitAccess",
    "uniformAndStorageBuffer8BitAccess",
    "storagePushConstant8",
    "shaderBufferInt64Atomics",
    "shaderSharedInt64Atomics",
    "shaderFloat16",
    "shaderInt8",
    "descriptorIndexing",
    "shaderInputAttachmentArrayDynamicIndexing",
    "shaderUniformTexelBufferArrayDynamicIndexing",
    "shaderStorageTexelBufferArrayDynamicIndexing",
    "shaderUniformBufferArrayNonUniformIndexing",
    "shaderSampledImageArrayNonUniformIndexing",
    "shaderStorageBufferArrayNonUniformIndexing",
    "shaderStorageImageArrayNonUniformIndexing",
    "shaderInputAttachmentArrayNonUniformIndexing",
    "shaderUniformTexelBufferArrayNonUniformIndexing",
    "shaderStorageTexelBufferArrayNonUniformIndexing",
    "descriptorBindingUniformBufferUpdateAfterBind",
    "descriptorBindingSampledImageUpdateAfterBind",
    "descriptorBindingStorageImageUpdateAfterBind",
    "descriptorBindingStorageBufferUpdateAfterBind",
    "descriptorBindingUniformTexelBufferUpdateAfterBind",
    "descriptorBindingStorageTexelBufferUpdateAfterBind",
    "descriptorBindingUpdateUnusedWhilePending",
    "descriptorBindingPartiallyBound",
    "descriptorBindingVariableDescriptorCount",
    "runtimeDescriptorArray",
    "samplerFilterMinmax",
    "scalarBlockLayout",
    "imagelessFramebuffer",
    "uniformBufferStandardLayout",
    "shaderSubgroupExtendedTypes",
    "separateDepthStencilLayouts",
    "hostQueryReset",
    "timelineSemaphore",
    "bufferDeviceAddress",
    "bufferDeviceAddressCaptureReplay",
    "bufferDeviceAddressMultiDevice",
    "vulkanMemoryModel",
    "vulkanMemoryModelDeviceScope",
    "vulkanMemoryModelAvailabilityVisibilityChains",
    "shaderOutputViewportIndex",
    "shaderOutputLayer",
    "subgroupBroadcastDynamicId",
};
constexpr const char* of_vulkan13_features[] = {
    "robustImageAccess",
    "inlineUniformBlock",
    "descriptorBindingInlineUniformBlockUpdateAfterBind",
    "pipelineCreationCacheControl",
    "privateData",
    "shaderDemoteToHelperInvocation",
    "shaderTerminateInvocation",
    "subgroupSizeControl",
    "computeFullSubgroups",
    "synchronization2",
    "textureCompressionASTC_HDR",
    "shaderZeroInitializeWorkgroupMemory",
    "dynamicRendering",
    "shaderIntegerDotProduct",
    "maintenance4",
};
constexpr const char* of_16_bit_storage_features[] = {
    "storageBuffer16BitAccess",
    "uniformAndStorageBuffer16BitAccess",
    "storagePushConstant16",
    "storageInputOutput16",
};
constexpr const char* of_8_bit_storage_features[] = {
    "storageBuffer8BitAccess",
    "uniformAndStorageBuffer8BitAccess",
    "storagePushConstant8",
};
constexpr const char* of_multiview_features[] = {
    "multiview",
    "multiviewGeometryShader",
    "multiviewTessellationShader",
};
constexpr const char* of_variable_pointers_features[] = {
    "variablePointersStorageBuffer",
    "variablePointers",
};
constexpr const char* of_protected_memory_features[] = {
    "protectedMemory",
};
constexpr const char* of_sampler_ycbcr_conversion_features[] = {
    "samplerYcbcrConversion",
};
constexpr const char* of_shader_draw_parameters_features[] = {
    "shaderDrawParameters",
};
constexpr const char* of_shader_atomic_int64_features[] = {
    "shaderBufferInt64Atomics",
    "shaderSharedInt64Atomics",
};
constexpr const char* of_shader_float16_int8_features[] = {
    "shaderFloat16",
    "shaderInt8",
};
constexpr const char* of_descriptor_indexing_features[] = {
    "shaderInputAttachmentArrayDynamicIndexing",
    "shaderUniformTexelBufferArrayDynamicIndexing",
    "shaderStorageTexelBufferArrayDynamicIndexing",
    "shaderUniformBufferArrayNonUniformIndexing",
    "shaderSampledImageArrayNonUniformIndexing",
    "shaderStorageBufferArrayNonUniformIndexing",
    "shaderStorageImageArrayNonUniformIndexing",
    "shaderInputAttachmentArrayNonUniformIndexing",
    "shaderUniformTexelBufferArrayNonUniformIndexing",
    "shaderStorageTexelBufferArrayNonUniformIndexing",
    "descriptorBindingUniformBufferUpdateAfterBind",
    "descriptorBindingSampledImageUpdateAfterBind",
    "descriptorBindingStorageImageUpdateAfterBind",
    "descriptorBindingStorageBufferUpdateAfterBind",
    "descriptorBindingUniformTexelBufferUpdateAfterBind",
    "descriptorBindingStorageTexelBufferUpdateAfterBind",
    "descriptorBindingUpdateUnusedWhilePending",
    "descriptorBindingPartiallyBound",
    "descriptorBindingVariableDescriptorCount",
    "runtimeDescriptorArray",
};
constexpr const char* of_scalar_block_layout_features[] = {
    "scalarBlockLayout",
};
constexpr const char* of_imageless_framebuffer_features[] = {
    "imagelessFramebuffer",
};
constexpr const char* of_uniform_buffer_standard_layout_features[] = {
    "uniformBufferStandardLayout",
};
constexpr const char* of_shader_subgroup_extended_types_features[] = {
    "shaderSubgroupExtendedTypes",
};
constexpr const char* of_separate_depth_stencil_layouts_features[] = {
    "separateDepthStencilLayouts",
};
constexpr const char* of_host_query_reset_features[] = {
    "hostQueryReset",
};
constexpr const char* of_timeline_semaphore_features[] = {
    "timelineSemaphore",
};
constexpr const char* of_buffer_device_address_features[] = {
    "bufferDeviceAddress",
    "bufferDeviceAddressCaptureReplay",
    "bufferDeviceAddressMultiDevice",
};
constexpr const char* of_vulkan_memory_model_features[] = {
    "vulkanMemoryModel",
    "vulkanMemoryModelDeviceScope",
    "vulkanMemoryModelAvailabilityVisibilityChains",
};
constexpr const char* of_image_robustness_features[] = {
    "robustImageAccess",
};
constexpr const char* of_inline_uniform_block_features[] = {
    "inlineUniformBlock",
    "descriptorBindingInlineUniformBlockUpdateAfterBind",
};
constexpr const char* of_pipeline_creation_cache_control_features[] = {
    "pipelineCreationCacheControl",
};
constexpr const char* of_private_data_features[] = {
    "privateData",
};
constexpr const char* of_shader_demote_to_helper_invocation_features[] = {
    "shaderDemoteToHelperInvocation",
};
constexpr const char* of_shader_terminate_invocation_features[] = {
    "shaderTerminateInvocation",
};
constexpr const char* of_subgroup_size_control_features[] = {
    "subgroupSizeControl",
    "computeFullSubgroups",
};
constexpr const char* of_synchronization2_features[] = {
    "synchronization2",
};
constexpr const char* of_texture_compression_astchdrfeatures[] = {
    "textureCompressionASTC_HDR",
};
constexpr const char* of_zero_initialize_workgroup_memory_features[] = {
    "shaderZeroInitializeWorkgroupMemory",
};
constexpr const char* of_dynamic_rendering_features[] = {
    "dynamicRendering",
};
constexpr const char* of_shader_integer_dot_product_features[] = {
    "shaderIntegerDotProduct",
};
constexpr const char* of_maintenance4_features[] = {
    "maintenance4",
};
constexpr const char* of_robustness2_features_ext[] = {
    "robustBufferAccess2",
    "robustImageAccess2",
    "nullDescriptor",
};
constexpr const char* of_pipeline_robustness_features_ext[] = {
    "pipelineRobustness",
};
constexpr const char* of_shader_atomic_float_features_ext[] = {
    "shaderBufferFloat32Atomics",   "shaderBufferFloat32AtomicAdd", "shaderBufferFloat64Atomics",
    "shaderBufferFloat64AtomicAdd", "shaderSharedFloat32Atomics",   "shaderSharedFloat32AtomicAdd",
    "shaderSharedFloat64Atomics",   "shaderSharedFloat64AtomicAdd", "shaderImageFloat32Atomics",
    "shaderImageFloat32AtomicAdd",  "sparseImageFloat32Atomics",    "sparseImageFloat32AtomicAdd",
};
constexpr const char* of_shader_atomic_float2_features_ext[] = {
    "shaderBufferFloat16Atomics",      "shaderBufferFloat16AtomicAdd",
    "shaderBufferFloat16AtomicMinMax", "shaderBufferFloat32AtomicMinMax",
    "shaderBufferFloat64AtomicMinMax", "shaderSharedFloat16Atomics",
    "shaderSharedFloat16AtomicAdd",    "shaderSharedFloat16AtomicMinMax",
    "shaderSharedFloat32AtomicMinMax", "shaderSharedFloat64AtomicMinMax",
    "shaderImageFloat32AtomicMinMax",  "sparseImageFloat32AtomicMinMax",
};
constexpr const char* of_shader_image_atomic_int64_features_ext[] = {
    "shaderImageInt64Atomics",
    "sparseImageInt64Atomics",
};
constexpr const char* of_shader_subgroup_uniform_control_flow_features_khr[] = {
    "shaderSubgroupUniformControlFlow",
};
constexpr const char* of_texel_buffer_alignment_features_ext[] = {
    "texelBufferAlignment",
};
constexpr const char* of_workgroup_memory_explicit_layout_features_khr[] = {
    "workgroupMemoryExplicitLayout",
    "workgroupMemoryExplicitLayoutScalarBlockLayout",
    "workgroupMemoryExplicitLayout8BitAccess",
    "workgroupMemoryExplicitLayout16BitAccess",
};
// Newer than Vulkan 1.3.239, whose headers Debian 12 has; their numbers are in the registry.
constexpr const char* of_shader_subgroup_rotate_features_khr[] = {
    "shaderSubgroupRotate",
    "shaderSubgroupRotateClustered",
};
constexpr const char* of_shader_maximal_reconvergence_features_khr[] = {
    "shaderMaximalReconvergence",
};
constexpr const char* of_shader_quad_control_features_khr[] = {
    "shaderQuadControl",
};
constexpr const char* of_compute_shader_derivatives_features_khr[] = {
    "computeDerivativeGroupQuads",
    "computeDerivativeGroupLinear",
};
constexpr const char* of_cooperative_matrix_features_khr[] = {
    "cooperativeMatrix",
    "cooperativeMatrixRobustBufferAccess",
};
constexpr const char* of_shader_expect_assume_features_khr[] = {
    "shaderExpectAssume",
};
constexpr const char* of_shader_long_vector_features_ext[] = {
    "longVector",
};
constexpr const char* of_shader_replicated_composites_features_ext[] = {
    "shaderReplicatedComposites",
};
constexpr const char* of_shader_subgroup_partitioned_features_ext[] = {
    "shaderSubgroupPartitioned",
};

constexpr FeatureStructure structures[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, of_vulkan11_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, of_vulkan12_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, of_vulkan13_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, of_16_bit_storage_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, of_8_bit_storage_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, of_multiview_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES, of_variable_pointers_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES, of_protected_memory_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
     of_sampler_ycbcr_conversion_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES,
     of_shader_draw_parameters_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
     of_shader_atomic_int64_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
     of_shader_float16_int8_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
     of_descriptor_indexing_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
     of_scalar_block_layout_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES,
     of_imageless_framebuffer_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
     of_uniform_buffer_standard_layout_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
     of_shader_subgroup_extended_types_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
     of_separate_depth_stencil_layouts_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, of_host_query_reset_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, of_timeline_semaphore_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
     of_buffer_device_address_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
     of_vulkan_memory_model_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES, of_image_robustness_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES,
     of_inline_uniform_block_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
     of_pipeline_creation_cache_control_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, of_private_data_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
     of_shader_demote_to_helper_invocation_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES,
     of_shader_terminate_invocation_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
     of_subgroup_size_control_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, of_synchronization2_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXTURE_COMPRESSION_ASTC_HDR_FEATURES,
     of_texture_compression_astchdrfeatures},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES,
     of_zero_initialize_workgroup_memory_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, of_dynamic_rendering_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
     of_shader_integer_dot_product_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES, of_maintenance4_features},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, of_robustness2_features_ext},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT,
     of_pipeline_robustness_features_ext},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
     of_shader_atomic_float_features_ext},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,
     of_shader_atomic_float2_features_ext},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT,
     of_shader_image_atomic_int64_features_ext},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR,
     of_shader_subgroup_uniform_control_flow_features_khr},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT,
     of_texel_buffer_alignment_features_ext},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR,
     of_workgroup_memory_explicit_layout_features_khr},
    {VkStructureType(1000416000), of_shader_subgroup_rotate_features_khr},
    {VkStructureType(1000434000), of_shader_maximal_reconvergence_features_khr},
    {VkStructureType(1000235000), of_shader_quad_control_features_khr},
    {VkStructureType(1000201000), of_compute_shader_derivatives_features_khr},
    {VkStructureType(1000506000), of_cooperative_matrix_features_khr},
    {VkStructureType(1000544000), of_shader_expect_assume_features_khr},
    {VkStructureType(1000662000), of_shader_subgroup_partitioned_features_ext},
    {VkStructureType(1000635000), of_shader_long_vector_features_ext},
    {VkStructureType(1000564000), of_shader_replicated_composites_features_ext},
};

}  // namespace

std::span<const char* const> core_features() { return of_core; }

std::span<const FeatureStructure> feature_structures() { return structures; }

std::span<const AbsentFeatures> absent_features() {
#define LOCKSTEP_ABSENT(name, type, members) \
  {VkStructureType(type), "VkPhysicalDevice" #name, members},
  static constexpr AbsentFeatures all[] = {LOCKSTEP_ICD_ABSENT_FEATURES(LOCKSTEP_ABSENT)};
#undef LOCKSTEP_ABSENT
  return all;
}

}  // namespace lockstep::driver
