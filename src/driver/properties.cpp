#include "driver/properties.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include <lockstep/config.hpp>

namespace lockstep::driver {
namespace {

constexpr std::uint32_t all_subgroup_operations = 0x7ff;  // as the first bits of Features

/// Descriptors in a set, or accessible to a stage.
constexpr std::uint32_t many = 65536, many_updated_after_bind = max_per_set_descriptors;

template <std::size_t N>
void copy_text(char (&to)[N], std::string_view text) {
  std::memset(to, 0, N);
  text.copy(to, N - 1);
}

void copy_size(std::uint32_t (&to)[3], Size3 size) {
  to[0] = size.x;
  to[1] = size.y;
  to[2] = size.z;
}

/// Limits of descriptors, memory and images.
void write_resource_limits(VkPhysicalDeviceLimits& limits) {
  limits.maxImageDimension1D = limits.maxImageDimension2D = limits.maxImageDimensionCube =
      max_image_size;
  limits.maxImageDimension3D = max_image_size_3d;
  limits.maxImageArrayLayers = max_image_layers;
  limits.maxTexelBufferElements = 1u << 27;
  limits.maxUniformBufferRange = 65536;
  limits.maxStorageBufferRange = 0xffffffff;
  limits.maxPushConstantsSize = max_push_constants_size;
  limits.maxMemoryAllocationCount = max_memory_allocations;
  limits.maxSamplerAllocationCount = 1u << 20;
  limits.bufferImageGranularity = 1;
  limits.maxBoundDescriptorSets = max_bound_descriptor_sets;
  limits.maxPerStageDescriptorSamplers = limits.maxPerStageDescriptorUniformBuffers =
      limits.maxPerStageDescriptorStorageBuffers = limits.maxPerStageDescriptorSampledImages =
          limits.maxPerStageDescriptorStorageImages = many;
  limits.maxPerStageDescriptorInputAttachments = 8;
  limits.maxPerStageResources = many;
  limits.maxDescriptorSetSamplers = limits.maxDescriptorSetUniformBuffers =
      limits.maxDescriptorSetUniformBuffersDynamic = limits.maxDescriptorSetStorageBuffers =
          limits.maxDescriptorSetStorageBuffersDynamic = limits.maxDescriptorSetSampledImages =
              limits.maxDescriptorSetStorageImages = many;
  limits.maxDescriptorSetInputAttachments = 8;
  limits.maxSamplerLodBias = 16;
  limits.maxSamplerAnisotropy = 1;
  limits.minMemoryMapAlignment = 64;
  limits.minTexelBufferOffsetAlignment = limits.minUniformBufferOffsetAlignment =
      limits.minStorageBufferOffsetAlignment = buffer_alignment;
  limits.minTexelOffset = limits.minTexelGatherOffset = -32;
  limits.maxTexelOffset = limits.maxTexelGatherOffset = 31;
  limits.optimalBufferCopyOffsetAlignment = limits.optimalBufferCopyRowPitchAlignment = 1;
  limits.nonCoherentAtomSize = 64;
  limits.sampledImageColorSampleCounts = limits.sampledImageIntegerSampleCounts =
      limits.sampledImageDepthSampleCounts = limits.sampledImageStencilSampleCounts =
          limits.storageImageSampleCounts = all_sample_counts;
}

/// What Vulkan requires at least, or Dawn: the structure has them also where nothing can be drawn.
void write_graphics_limits(VkPhysicalDeviceLimits& limits) {
  limits.maxVertexInputAttributes = limits.maxVertexInputBindings = 16;
  limits.maxVertexInputAttributeOffset = 2047;
  limits.maxVertexInputBindingStride = 2048;
  limits.maxVertexOutputComponents = limits.maxFragmentInputComponents = 128;
  limits.maxFragmentOutputAttachments = limits.maxColorAttachments = 8;
  limits.maxFragmentCombinedOutputResources = many;
  limits.subPixelPrecisionBits = limits.subTexelPrecisionBits = limits.mipmapPrecisionBits = 4;
  limits.maxDrawIndexedIndexValue = (1u << 24) - 1;
  limits.maxDrawIndirectCount = 1;
  limits.maxViewports = 1;
  limits.maxViewportDimensions[0] = limits.maxViewportDimensions[1] = max_image_size;
  limits.viewportBoundsRange[0] = -2.0F * max_image_size;
  limits.viewportBoundsRange[1] = 2.0F * max_image_size - 1;
  limits.minInterpolationOffset = -0.5F;
  limits.maxInterpolationOffset = 0.4375F;
  limits.subPixelInterpolationOffsetBits = 4;
  limits.maxFramebufferWidth = limits.maxFramebufferHeight = max_image_size;
  limits.maxFramebufferLayers = 256;
  limits.framebufferColorSampleCounts = limits.framebufferDepthSampleCounts =
      limits.framebufferStencilSampleCounts = limits.framebufferNoAttachmentsSampleCounts =
          all_sample_counts;
  limits.maxSampleMaskWords = 1;
  limits.pointSizeRange[0] = limits.pointSizeRange[1] = 1;
  limits.lineWidthRange[0] = limits.lineWidthRange[1] = 1;
  limits.standardSampleLocations = VK_TRUE;
}

VkPhysicalDeviceLimits limits_of(const Profile& profile) {
  VkPhysicalDeviceLimits limits{};
  write_resource_limits(limits);
  write_graphics_limits(limits);
  limits.maxComputeSharedMemorySize = profile.max_compute_shared_memory_size;
  copy_size(limits.maxComputeWorkGroupCount, profile.max_compute_work_group_count);
  limits.maxComputeWorkGroupInvocations = profile.max_compute_work_group_invocations;
  copy_size(limits.maxComputeWorkGroupSize, profile.max_compute_work_group_size);
  limits.timestampComputeAndGraphics = VK_TRUE;
  limits.timestampPeriod = 1;
  limits.discreteQueuePriorities = 2;
  return limits;
}

// ---- The structures of each version; those of extensions are parts of them ----

VkPhysicalDeviceVulkan11Properties properties_1_1(const Settings& settings) {
  const Profile& profile = settings.profile;
  VkPhysicalDeviceVulkan11Properties p{};
  write_pipeline_cache_uuid(p.deviceUUID);
  write_pipeline_cache_uuid(p.driverUUID);
  p.subgroupSize = static_cast<std::uint32_t>(profile.subgroup_size);
  p.subgroupSupportedStages = profile.supported_stages;
  p.subgroupSupportedOperations =
      static_cast<VkSubgroupFeatureFlags>(profile.features.bits & all_subgroup_operations);
  p.subgroupQuadOperationsInAllStages = profile.quad_operations_in_all_stages;
  p.pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES;
  p.maxMultiviewViewCount = 6;
  p.maxMultiviewInstanceIndex = (1u << 27) - 1;
  p.maxPerSetDescriptors = max_per_set_descriptors;
  p.maxMemoryAllocationSize = memory_size();
  return p;
}

void write_float_controls(VkPhysicalDeviceVulkan12Properties& p) {
  p.denormBehaviorIndependence = p.roundingModeIndependence =
      VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
  // Of each mode and of none; what no mode asks for is as under the first of each two.
  p.shaderSignedZeroInfNanPreserveFloat16 = p.shaderSignedZeroInfNanPreserveFloat32 =
      p.shaderSignedZeroInfNanPreserveFloat64 = VK_TRUE;
  p.shaderDenormPreserveFloat16 = p.shaderDenormPreserveFloat32 = p.shaderDenormPreserveFloat64 =
      VK_TRUE;
  p.shaderDenormFlushToZeroFloat16 = p.shaderDenormFlushToZeroFloat32 =
      p.shaderDenormFlushToZeroFloat64 = VK_TRUE;
  p.shaderRoundingModeRTEFloat16 = p.shaderRoundingModeRTEFloat32 = p.shaderRoundingModeRTEFloat64 =
      VK_TRUE;
  p.shaderRoundingModeRTZFloat16 = p.shaderRoundingModeRTZFloat32 = p.shaderRoundingModeRTZFloat64 =
      VK_TRUE;
}

void write_descriptor_indexing(VkPhysicalDeviceVulkan12Properties& p) {
  p.maxUpdateAfterBindDescriptorsInAllPools = 0xffffffff;
  p.shaderUniformBufferArrayNonUniformIndexingNative =
      p.shaderSampledImageArrayNonUniformIndexingNative =
          p.shaderStorageBufferArrayNonUniformIndexingNative =
              p.shaderStorageImageArrayNonUniformIndexingNative = VK_TRUE;
  p.robustBufferAccessUpdateAfterBind = VK_TRUE;
  p.maxPerStageDescriptorUpdateAfterBindSamplers =
      p.maxPerStageDescriptorUpdateAfterBindUniformBuffers =
          p.maxPerStageDescriptorUpdateAfterBindStorageBuffers =
              p.maxPerStageDescriptorUpdateAfterBindSampledImages =
                  p.maxPerStageDescriptorUpdateAfterBindStorageImages =
                      p.maxPerStageUpdateAfterBindResources = many_updated_after_bind;
  p.maxPerStageDescriptorUpdateAfterBindInputAttachments = 8;
  p.maxDescriptorSetUpdateAfterBindSamplers = p.maxDescriptorSetUpdateAfterBindUniformBuffers =
      p.maxDescriptorSetUpdateAfterBindStorageBuffers =
          p.maxDescriptorSetUpdateAfterBindSampledImages =
              p.maxDescriptorSetUpdateAfterBindStorageImages = many_updated_after_bind;
  p.maxDescriptorSetUpdateAfterBindUniformBuffersDynamic =
      p.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic = many;
  p.maxDescriptorSetUpdateAfterBindInputAttachments = 8;
}

VkPhysicalDeviceVulkan12Properties properties_1_2(const Settings& settings) {
  VkPhysicalDeviceVulkan12Properties p{};
  // No number is registered for the driver.
  copy_text(p.driverName, "Lockstep");
  copy_text(p.driverInfo, fmt::format("{}.{}.{}", LOCKSTEP_VERSION_MAJOR, LOCKSTEP_VERSION_MINOR,
                                      LOCKSTEP_VERSION_PATCH));
  // It has not been through Khronos' process. Some programs take no driver that says so.
  if (settings.claims_conformance) p.conformanceVersion = {1, 3, 0, 0};
  write_float_controls(p);
  write_descriptor_indexing(p);
  p.supportedDepthResolveModes = p.supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  p.maxTimelineSemaphoreValueDifference = ~std::uint64_t{0};
  p.framebufferIntegerColorSampleCounts = all_sample_counts;
  return p;
}

VkPhysicalDeviceVulkan13Properties properties_1_3(const Settings& settings) {
  const Profile& profile = settings.profile;
  VkPhysicalDeviceVulkan13Properties p{};
  p.minSubgroupSize =
      static_cast<std::uint32_t>(std::min(profile.min_subgroup_size, profile.subgroup_size));
  p.maxSubgroupSize = static_cast<std::uint32_t>(profile.max_subgroup_size);
  p.maxComputeWorkgroupSubgroups = profile.max_compute_workgroup_subgroups;
  p.requiredSubgroupSizeStages = profile.required_subgroup_size_stages;
  p.maxInlineUniformBlockSize = max_inline_uniform_block_size;
  p.maxPerStageDescriptorInlineUniformBlocks =
      p.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks =
          p.maxDescriptorSetInlineUniformBlocks =
              p.maxDescriptorSetUpdateAfterBindInlineUniformBlocks = 256;
  p.maxInlineUniformTotalSize = 65536;
  p.storageTexelBufferOffsetAlignmentBytes = p.uniformTexelBufferOffsetAlignmentBytes =
      buffer_alignment;
  p.storageTexelBufferOffsetSingleTexelAlignment = p.uniformTexelBufferOffsetSingleTexelAlignment =
      VK_TRUE;
  p.maxBufferSize = memory_size();
  return p;
}

/// Copies what follows a structure's type and chain.
template <class T>
void assign(VkBaseOutStructure& structure, T filled) {
  auto& to = reinterpret_cast<T&>(structure);
  filled.sType = to.sType;
  filled.pNext = to.pNext;
  to = filled;
}

/// Copies the members from `first` on from a structure that begins its own with the same ones.
template <class To, class From, class M>
void assign_from(VkBaseOutStructure& structure, const From& from, const M& first) {
  constexpr std::size_t header = sizeof(VkBaseOutStructure);
  const auto* const begin = reinterpret_cast<const std::byte*>(&first);
  const auto* const end = reinterpret_cast<const std::byte*>(&from) + sizeof(From);
  const std::size_t bytes =
      std::min<std::size_t>(sizeof(To) - header, static_cast<std::size_t>(end - begin));
  std::memcpy(reinterpret_cast<std::byte*>(&structure) + header, begin, bytes);
}

/// Structures of Vulkan 1.1 to 1.3 that one of the version's structures repeats, member by member. Long, as it has a case for
/// each of them.
bool write_part(const Settings& settings, VkBaseOutStructure& s) {
  const auto p11 = properties_1_1(settings);
  const auto p12 = properties_1_2(settings);
  const auto p13 = properties_1_3(settings);
  switch (s.sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES:
      assign_from<VkPhysicalDeviceIDProperties>(s, p11, p11.deviceUUID);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES:
      assign_from<VkPhysicalDeviceSubgroupProperties>(s, p11, p11.subgroupSize);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES:
      assign_from<VkPhysicalDevicePointClippingProperties>(s, p11, p11.pointClippingBehavior);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES:
      assign_from<VkPhysicalDeviceMultiviewProperties>(s, p11, p11.maxMultiviewViewCount);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES:
      assign_from<VkPhysicalDeviceProtectedMemoryProperties>(s, p11, p11.protectedNoFault);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES:
      assign<VkPhysicalDeviceMaintenance3Properties>(
          s, {{}, {}, p11.maxPerSetDescriptors, p11.maxMemoryAllocationSize});
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES:
      assign_from<VkPhysicalDeviceDriverProperties>(s, p12, p12.driverID);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES:
      assign_from<VkPhysicalDeviceFloatControlsProperties>(s, p12, p12.denormBehaviorIndependence);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES:
      assign_from<VkPhysicalDeviceDescriptorIndexingProperties>(
          s, p12, p12.maxUpdateAfterBindDescriptorsInAllPools);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES:
      assign_from<VkPhysicalDeviceDepthStencilResolveProperties>(s, p12,
                                                                 p12.supportedDepthResolveModes);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES:
      assign_from<VkPhysicalDeviceSamplerFilterMinmaxProperties>(
          s, p12, p12.filterMinmaxSingleComponentFormats);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES:
      assign<VkPhysicalDeviceTimelineSemaphoreProperties>(
          s, {{}, {}, p12.maxTimelineSemaphoreValueDifference});
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES:
      assign_from<VkPhysicalDeviceSubgroupSizeControlProperties>(s, p13, p13.minSubgroupSize);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES:
      assign_from<VkPhysicalDeviceInlineUniformBlockProperties>(s, p13,
                                                                p13.maxInlineUniformBlockSize);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES:
      assign_from<VkPhysicalDeviceShaderIntegerDotProductProperties>(
          s, p13, p13.integerDotProduct8BitUnsignedAccelerated);
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES:
      assign<VkPhysicalDeviceTexelBufferAlignmentProperties>(
          s, {{},
              {},
              p13.storageTexelBufferOffsetAlignmentBytes,
              p13.storageTexelBufferOffsetSingleTexelAlignment,
              p13.uniformTexelBufferOffsetAlignmentBytes,
              p13.uniformTexelBufferOffsetSingleTexelAlignment});
      return true;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES:
      assign<VkPhysicalDeviceMaintenance4Properties>(s, {{}, {}, p13.maxBufferSize});
      return true;
    default:
      return false;
  }
}

/// VkPhysicalDeviceComputeShaderDerivativesPropertiesKHR, which is newer than Debian 12's headers.
struct ComputeShaderDerivatives {
  VkStructureType sType;
  void* pNext;
  VkBool32 meshAndTaskShaderDerivatives;
};
constexpr auto compute_shader_derivatives_type = VkStructureType(1000511000);

/// VkPhysicalDeviceShaderLongVectorPropertiesEXT, which is newer, too.
struct ShaderLongVector {
  VkStructureType sType;
  void* pNext;
  std::uint32_t maxVectorComponents;
};
constexpr auto shader_long_vector_type = VkStructureType(1000635001);

/// VkPhysicalDeviceCooperativeMatrixPropertiesKHR, newer as well.
struct CooperativeMatrix {
  VkStructureType sType;
  void* pNext;
  VkShaderStageFlags cooperativeMatrixSupportedStages;
};
constexpr auto cooperative_matrix_type = VkStructureType(1000506002);

void write_of_extension(VkBaseOutStructure& s) {
  switch (static_cast<int>(s.sType)) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT:
      assign<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>(s, {{}, {}, page_size});
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR:
      assign<VkPhysicalDevicePushDescriptorPropertiesKHR>(s, {{}, {}, max_push_descriptors});
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT:
      assign<VkPhysicalDeviceRobustness2PropertiesEXT>(s, {{}, {}, 1, 1});
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES_EXT:
      // All accesses are checked, whatever a pipeline asks for.
      assign<VkPhysicalDevicePipelineRobustnessPropertiesEXT>(
          s, {{},
              {},
              VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
              VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
              VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
              VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT});
      break;
    case compute_shader_derivatives_type:
      assign<ComputeShaderDerivatives>(s, {});
      break;
    case shader_long_vector_type:
      assign<ShaderLongVector>(s, {{}, {}, 1024});
      break;
    case cooperative_matrix_type:
      assign<CooperativeMatrix>(s, {{}, {}, VK_SHADER_STAGE_COMPUTE_BIT});
      break;
    default:
      break;
  }
}

}  // namespace

VkDeviceSize memory_size() {
  const auto pages = static_cast<VkDeviceSize>(sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<VkDeviceSize>(sysconf(_SC_PAGESIZE));
}

void write_pipeline_cache_uuid(std::uint8_t (&uuid)[VK_UUID_SIZE]) {
  constexpr char text[VK_UUID_SIZE + 1] = "lockstep vulkan ";
  std::memcpy(uuid, text, VK_UUID_SIZE);
  uuid[13] = LOCKSTEP_VERSION_MAJOR;
  uuid[14] = LOCKSTEP_VERSION_MINOR;
  uuid[15] = LOCKSTEP_VERSION_PATCH;
}

VkPhysicalDeviceProperties core_properties_of(const Settings& settings) {
  VkPhysicalDeviceProperties p{};
  p.apiVersion = VK_MAKE_API_VERSION(0, 1, 3, VK_HEADER_VERSION);
  p.driverVersion =
      VK_MAKE_VERSION(LOCKSTEP_VERSION_MAJOR, LOCKSTEP_VERSION_MINOR, LOCKSTEP_VERSION_PATCH);
  // There is no such vendor or chip.
  p.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
  copy_text(p.deviceName, fmt::format("Lockstep ({}, subgroups of {})", settings.profile.name,
                                      settings.profile.subgroup_size));
  write_pipeline_cache_uuid(p.pipelineCacheUUID);
  p.limits = limits_of(settings.profile);
  return p;
}

void write_properties(const Settings& settings, VkBaseOutStructure& structure) {
  switch (structure.sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2:
      reinterpret_cast<VkPhysicalDeviceProperties2&>(structure).properties =
          core_properties_of(settings);
      return;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES:
      return assign(structure, properties_1_1(settings));
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES:
      return assign(structure, properties_1_2(settings));
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES:
      return assign(structure, properties_1_3(settings));
    default:
      if (!write_part(settings, structure)) write_of_extension(structure);
  }
}

}  // namespace lockstep::driver
