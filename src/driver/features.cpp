#include "driver/features.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include <fmt/format.h>

#include "driver/failure.hpp"
#include "driver/feature_structures.hpp"

namespace lockstep::driver {
namespace {

/// Features that do not depend on a profile: whatever the engine and the driver can do. Those of a profile are in
/// lockstep::Feature, by the same names.
constexpr std::string_view always[] = {
    // Vulkan 1.0
    "robustBufferAccess", "imageCubeArray", "shaderImageGatherExtended",
    "shaderStorageImageExtendedFormats", "shaderStorageImageMultisample",
    "shaderStorageImageReadWithoutFormat", "shaderStorageImageWriteWithoutFormat",
    "shaderUniformBufferArrayDynamicIndexing", "shaderSampledImageArrayDynamicIndexing",
    "shaderStorageBufferArrayDynamicIndexing", "shaderStorageImageArrayDynamicIndexing",
    // 1.1
    "storageBuffer16BitAccess", "uniformAndStorageBuffer16BitAccess", "storagePushConstant16",
    "variablePointersStorageBuffer", "variablePointers",
    // 1.2
    "samplerMirrorClampToEdge", "storageBuffer8BitAccess", "uniformAndStorageBuffer8BitAccess",
    "storagePushConstant8", "descriptorIndexing", "shaderUniformTexelBufferArrayDynamicIndexing",
    "shaderStorageTexelBufferArrayDynamicIndexing", "shaderUniformBufferArrayNonUniformIndexing",
    "shaderSampledImageArrayNonUniformIndexing", "shaderStorageBufferArrayNonUniformIndexing",
    "shaderStorageImageArrayNonUniformIndexing", "shaderUniformTexelBufferArrayNonUniformIndexing",
    "shaderStorageTexelBufferArrayNonUniformIndexing",
    "descriptorBindingUniformBufferUpdateAfterBind", "descriptorBindingSampledImageUpdateAfterBind",
    "descriptorBindingStorageImageUpdateAfterBind", "descriptorBindingStorageBufferUpdateAfterBind",
    "descriptorBindingUniformTexelBufferUpdateAfterBind",
    "descriptorBindingStorageTexelBufferUpdateAfterBind",
    "descriptorBindingUpdateUnusedWhilePending", "descriptorBindingPartiallyBound",
    "descriptorBindingVariableDescriptorCount", "runtimeDescriptorArray", "scalarBlockLayout",
    "uniformBufferStandardLayout", "hostQueryReset", "timelineSemaphore", "bufferDeviceAddress",
    // 1.3
    "robustImageAccess", "inlineUniformBlock", "descriptorBindingInlineUniformBlockUpdateAfterBind",
    "pipelineCreationCacheControl", "privateData", "synchronization2",
    "shaderZeroInitializeWorkgroupMemory", "shaderIntegerDotProduct", "maintenance4",
    // Extensions
    "robustBufferAccess2", "robustImageAccess2", "nullDescriptor", "pipelineRobustness",
    "shaderExpectAssume", "texelBufferAlignment"};

/// Named otherwise than the bit of the operation, or than the feature that they come with.
constexpr std::pair<std::string_view, Feature> same[] = {
    {"shaderSubgroupPartitioned", Feature::partitioned},
    {"cooperativeMatrixRobustBufferAccess", Feature::cooperative_matrix},
    {"vulkanMemoryModelAvailabilityVisibilityChains", Feature::vulkan_memory_model},
    {"workgroupMemoryExplicitLayoutScalarBlockLayout", Feature::workgroup_memory_explicit_layout},
};

/// What Dawn insists on. With a queue for graphics that draws nothing it may as well be there.
constexpr std::string_view of_stub[] = {
    "depthBiasClamp",    "fragmentStoresAndAtomics", "fullDrawIndexUint32",  "independentBlend",
    "sampleRateShading", "samplerAnisotropy",        "textureCompressionBC", "depthClamp",
    "dynamicRendering"};

/// The members of a structure of features.
std::span<VkBool32> members_of(VkBaseOutStructure& structure, std::size_t count) {
  auto* const first = reinterpret_cast<std::byte*>(&structure) + sizeof(VkBaseOutStructure);
  return {reinterpret_cast<VkBool32*>(first), count};
}

const FeatureStructure* structure_of(VkStructureType type) {
  const auto all = feature_structures();
  const auto found = std::ranges::find(all, type, &FeatureStructure::type);
  return found == all.end() ? nullptr : &*found;
}

const AbsentFeatures* absent_structure_of(VkStructureType type) {
  const auto all = absent_features();
  const auto found = std::ranges::find(all, type, &AbsentFeatures::type);
  return found == all.end() ? nullptr : &*found;
}

void require_none(const AbsentFeatures& absent, std::span<const VkBool32> wanted) {
  if (std::ranges::count(wanted, VkBool32{VK_FALSE}) == static_cast<std::ptrdiff_t>(wanted.size()))
    return;
  const std::string what = fmt::format(
      "a device was asked for a feature of {}, which has no supported feature", absent.name);
  print_error(what);
  throw Failure(VK_ERROR_FEATURE_NOT_PRESENT, what);
}

void require(const Settings& settings, std::span<const char* const> names,
             std::span<const VkBool32> wanted) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (wanted[k] == VK_FALSE || has_feature(settings, names[k])) continue;
    const std::string what =
        fmt::format("a device was asked for {}, which {} lacks", names[k], settings.profile.name);
    print_error(what);
    throw Failure(VK_ERROR_FEATURE_NOT_PRESENT, what);
  }
}

std::span<const VkBool32> values_of(const VkPhysicalDeviceFeatures& features) {
  return {&features.robustBufferAccess, sizeof features / sizeof(VkBool32)};
}

}  // namespace

bool has_feature(const Settings& settings, std::string_view member) {
  if (std::ranges::find(always, member) != std::end(always)) return true;
  if (settings.graphics_stub && std::ranges::find(of_stub, member) != std::end(of_stub))
    return true;
  const Features has = settings.profile.features;
  for (const auto& [name, feature] : same)
    if (name == member) return has.contain(feature);
  for (int k = 0; k < feature_count; ++k)
    if (to_string(Feature(k)) == member) return has.contain(Feature(k));
  return false;
}

VkPhysicalDeviceFeatures core_features_of(const Settings& settings) {
  VkPhysicalDeviceFeatures features{};
  VkBool32* const values = &features.robustBufferAccess;
  const auto names = core_features();
  for (std::size_t k = 0; k < names.size(); ++k) values[k] = has_feature(settings, names[k]);
  return features;
}

void write_features(const Settings& settings, VkBaseOutStructure& structure) {
  if (structure.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
    reinterpret_cast<VkPhysicalDeviceFeatures2&>(structure).features = core_features_of(settings);
    return;
  }
  if (const AbsentFeatures* const absent = absent_structure_of(structure.sType)) {
    std::ranges::fill(members_of(structure, absent->members), VkBool32{VK_FALSE});
    return;
  }
  const FeatureStructure* const known = structure_of(structure.sType);
  if (known == nullptr) return;
  // Every member is written, also those that are not there: callers need not have cleared them.
  const auto values = members_of(structure, known->members.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = has_feature(settings, known->members[k]);
}

EnabledFeatures::EnabledFeatures(const Settings& settings, const VkDeviceCreateInfo& info) {
  const auto take_core = [&](const VkPhysicalDeviceFeatures& features) {
    require(settings, core_features(), values_of(features));
    robust_buffer_access |= features.robustBufferAccess == VK_TRUE;
  };
  if (info.pEnabledFeatures != nullptr) take_core(*info.pEnabledFeatures);
  for (auto* at = static_cast<const VkBaseInStructure*>(info.pNext); at != nullptr;
       at = at->pNext) {
    if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
      take_core(reinterpret_cast<const VkPhysicalDeviceFeatures2*>(at)->features);
      continue;
    }
    if (const AbsentFeatures* const absent = absent_structure_of(at->sType)) {
      auto& asked = *reinterpret_cast<VkBaseOutStructure*>(const_cast<VkBaseInStructure*>(at));
      require_none(*absent, members_of(asked, absent->members));
      continue;
    }
    const FeatureStructure* const known = structure_of(at->sType);
    if (known == nullptr) continue;
    auto& structure = *reinterpret_cast<VkBaseOutStructure*>(const_cast<VkBaseInStructure*>(at));
    require(settings, known->members, members_of(structure, known->members.size()));
    if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT)
      robust_buffer_access |= reinterpret_cast<const VkPhysicalDeviceRobustness2FeaturesEXT*>(at)
                                  ->robustBufferAccess2 == VK_TRUE;
  }
}

}  // namespace lockstep::driver
