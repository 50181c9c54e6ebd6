#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace lockstep {

/// Optional features of a device, apart from sizes, each named as in Vulkan's structures.
///
/// The first eleven are the bits of VkSubgroupFeatureFlagBits, in order.
enum class Feature : std::uint8_t {
  basic,
  vote,
  arithmetic,
  ballot,
  shuffle,
  shuffle_relative,
  clustered,
  quad,
  partitioned,
  rotate,
  rotate_clustered,

  subgroup_size_control,
  compute_full_subgroups,
  shader_subgroup_extended_types,
  subgroup_broadcast_dynamic_id,
  shader_subgroup_rotate,
  shader_subgroup_rotate_clustered,
  shader_subgroup_uniform_control_flow,
  shader_maximal_reconvergence,
  shader_quad_control,
  compute_derivative_group_quads,
  compute_derivative_group_linear,

  shader_float16,
  shader_float64,
  shader_int8,
  shader_int16,
  shader_int64,

  shader_buffer_int64_atomics,
  shader_shared_int64_atomics,
  shader_image_int64_atomics,
  shader_buffer_float16_atomics,
  shader_buffer_float16_atomic_add,
  shader_buffer_float16_atomic_min_max,
  shader_buffer_float32_atomics,
  shader_buffer_float32_atomic_add,
  shader_buffer_float32_atomic_min_max,
  shader_buffer_float64_atomics,
  shader_buffer_float64_atomic_add,
  shader_buffer_float64_atomic_min_max,
  shader_shared_float16_atomics,
  shader_shared_float16_atomic_add,
  shader_shared_float16_atomic_min_max,
  shader_shared_float32_atomics,
  shader_shared_float32_atomic_add,
  shader_shared_float32_atomic_min_max,
  shader_shared_float64_atomics,
  shader_shared_float64_atomic_add,
  shader_shared_float64_atomic_min_max,
  shader_image_float32_atomics,
  shader_image_float32_atomic_add,
  shader_image_float32_atomic_min_max,

  vulkan_memory_model,
  vulkan_memory_model_device_scope,

  workgroup_memory_explicit_layout,
  workgroup_memory_explicit_layout_8_bit_access,
  workgroup_memory_explicit_layout_16_bit_access,
  long_vector,
  shader_replicated_composites,
  cooperative_matrix,
};
inline constexpr int feature_count = static_cast<int>(Feature::cooperative_matrix) + 1;

/// Its name in Vulkan: VK_SUBGROUP_FEATURE_VOTE_BIT, shaderSubgroupRotate, ...
std::string_view to_string(Feature feature);

/// A set of features: those a device has, or those a kernel needs.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          One 64-bit number.
/// Spec          VkSubgroupFeatureFlags, VkPhysicalDevice...Features
/// Example       tests/dispatch/features.cpp
struct Features {
  std::uint64_t bits = 0;

  constexpr Features() = default;
  constexpr explicit Features(std::uint64_t b) : bits(b) {}
  constexpr Features(Feature feature) : bits(std::uint64_t{1} << static_cast<int>(feature)) {}
  constexpr Features(std::initializer_list<Feature> list) {
    for (const Feature feature : list) bits |= Features(feature).bits;
  }
  /// All features.
  static constexpr Features all() { return Features((std::uint64_t{1} << feature_count) - 1); }

  /// Whether this set contains all of the others.
  constexpr bool contain(Features others) const { return (others.bits & ~bits) == 0; }
  /// The features of this set that are not in the other.
  constexpr Features without(Features others) const { return Features(bits & ~others.bits); }

  friend constexpr Features operator|(Features a, Features b) { return Features(a.bits | b.bits); }
  friend constexpr Features operator&(Features a, Features b) { return Features(a.bits & b.bits); }
  friend constexpr bool operator==(Features, Features) = default;
};

}  // namespace lockstep
