#include "driver/extensions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string_view>

namespace lockstep::driver {
namespace {

using enum Feature;

struct Extension {
  std::string_view name;
  std::uint32_t version;
  Features needs = {};  ///< that the device must have
};

// Without those of graphics that became part of Vulkan, too.
constexpr Extension for_devices[] = {
    {"VK_KHR_16bit_storage", 1},
    {"VK_KHR_8bit_storage", 1},
    {"VK_KHR_bind_memory2", 1},
    {"VK_KHR_buffer_device_address", 1},
    {"VK_KHR_compute_shader_derivatives", 1, compute_derivative_group_linear},
    {"VK_KHR_cooperative_matrix", 2, cooperative_matrix},
    {"VK_KHR_copy_commands2", 1},
    {"VK_KHR_dedicated_allocation", 3},
    {"VK_KHR_descriptor_update_template", 1},
    {"VK_KHR_device_group", 4},
    {"VK_KHR_driver_properties", 1},
    {"VK_KHR_external_fence", 1},
    {"VK_KHR_external_memory", 1},
    {"VK_KHR_external_semaphore", 1},
    {"VK_KHR_format_feature_flags2", 2},
    {"VK_KHR_get_memory_requirements2", 1},
    {"VK_KHR_image_format_list", 1},
    {"VK_KHR_maintenance1", 2},
    {"VK_KHR_maintenance2", 1},
    {"VK_KHR_maintenance3", 1},
    {"VK_KHR_maintenance4", 2},
    {"VK_KHR_push_descriptor", 2},
    {"VK_KHR_relaxed_block_layout", 1},
    {"VK_KHR_sampler_mirror_clamp_to_edge", 3},
    {"VK_KHR_shader_atomic_int64", 1, shader_buffer_int64_atomics},
    {"VK_KHR_shader_expect_assume", 1},
    {"VK_KHR_shader_float16_int8", 1},
    {"VK_KHR_shader_float_controls", 4},
    {"VK_KHR_shader_integer_dot_product", 1},
    {"VK_KHR_shader_maximal_reconvergence", 1, shader_maximal_reconvergence},
    {"VK_KHR_shader_non_semantic_info", 1},
    {"VK_KHR_shader_quad_control", 1, shader_quad_control},
    {"VK_KHR_shader_subgroup_extended_types", 1, shader_subgroup_extended_types},
    {"VK_KHR_shader_subgroup_rotate", 2, shader_subgroup_rotate},
    {"VK_KHR_shader_subgroup_uniform_control_flow", 1, shader_subgroup_uniform_control_flow},
    {"VK_KHR_spirv_1_4", 1},
    {"VK_KHR_storage_buffer_storage_class", 1},
    {"VK_KHR_synchronization2", 1},
    {"VK_KHR_timeline_semaphore", 2},
    {"VK_KHR_uniform_buffer_standard_layout", 1},
    {"VK_KHR_variable_pointers", 1},
    {"VK_KHR_vulkan_memory_model", 3, vulkan_memory_model},
    {"VK_KHR_workgroup_memory_explicit_layout", 1, workgroup_memory_explicit_layout},
    {"VK_KHR_zero_initialize_workgroup_memory", 1},
    {"VK_EXT_calibrated_timestamps", 2},
    {"VK_EXT_descriptor_indexing", 2},
    {"VK_EXT_external_memory_host", 1},
    {"VK_EXT_host_query_reset", 1},
    {"VK_EXT_image_robustness", 1},
    {"VK_EXT_inline_uniform_block", 1},
    {"VK_EXT_memory_budget", 1},
    {"VK_EXT_pipeline_creation_cache_control", 3},
    {"VK_EXT_pipeline_creation_feedback", 1},
    {"VK_EXT_pipeline_robustness", 1},
    {"VK_EXT_private_data", 1},
    {"VK_EXT_robustness2", 1},
    {"VK_EXT_scalar_block_layout", 1},
    {"VK_EXT_shader_atomic_float", 1, shader_buffer_float32_atomics},
    {"VK_EXT_shader_atomic_float2", 1, shader_buffer_float32_atomic_min_max},
    {"VK_EXT_shader_image_atomic_int64", 1, shader_image_int64_atomics},
    {"VK_EXT_shader_long_vector", 1, long_vector},
    {"VK_EXT_shader_replicated_composites", 1, shader_replicated_composites},
    {"VK_EXT_shader_subgroup_ballot", 1, ballot},
    {"VK_EXT_shader_subgroup_partitioned", 1, partitioned},
    {"VK_EXT_shader_subgroup_vote", 1, vote},
    {"VK_EXT_subgroup_size_control", 2, subgroup_size_control},
    {"VK_EXT_texel_buffer_alignment", 1},
    {"VK_EXT_tooling_info", 1},
    {"VK_NV_shader_subgroup_partitioned", 1, partitioned},
};

constexpr Extension for_instances[] = {
    {"VK_KHR_device_group_creation", 1},           {"VK_KHR_external_fence_capabilities", 1},
    {"VK_KHR_external_memory_capabilities", 1},    {"VK_KHR_external_semaphore_capabilities", 1},
    {"VK_KHR_get_physical_device_properties2", 2}, {"VK_EXT_debug_utils", 2},
};

VkExtensionProperties properties_of(const Extension& extension) {
  VkExtensionProperties properties{};
  extension.name.copy(properties.extensionName, VK_MAX_EXTENSION_NAME_SIZE - 1);
  properties.specVersion = extension.version;
  return properties;
}

}  // namespace

std::span<const VkExtensionProperties> instance_extensions() {
  static const auto all = [] {
    std::array<VkExtensionProperties, std::size(for_instances)> list;
    for (std::size_t k = 0; k < list.size(); ++k) list[k] = properties_of(for_instances[k]);
    return list;
  }();
  return all;
}

std::vector<VkExtensionProperties> device_extensions(const Profile& profile) {
  std::vector<VkExtensionProperties> list;
  for (const Extension& extension : for_devices)
    if (profile.features.contain(extension.needs)) list.push_back(properties_of(extension));
  return list;
}

bool is_instance_extension(std::string_view name) {
  return std::ranges::find(for_instances, name, &Extension::name) != std::end(for_instances);
}

bool is_device_extension(std::string_view name, const Profile& profile) {
  const auto* const found = std::ranges::find(for_devices, name, &Extension::name);
  return found != std::end(for_devices) && profile.features.contain(found->needs);
}

}  // namespace lockstep::driver
