#include <lockstep/dispatch/profile.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/dispatch/error.hpp>

namespace lockstep {
namespace {

using enum Feature;

// Features of nearly all devices, in groups.
constexpr Features first_operations{basic, vote, arithmetic, ballot, shuffle, shuffle_relative,
                                    quad};
constexpr Features rotations{rotate, rotate_clustered, shader_subgroup_rotate,
                             shader_subgroup_rotate_clustered};
constexpr Features size_control{subgroup_size_control, compute_full_subgroups};
constexpr Features subgroup_features{shader_subgroup_extended_types, subgroup_broadcast_dynamic_id};
constexpr Features reconvergence{shader_subgroup_uniform_control_flow,
                                 shader_maximal_reconvergence};
constexpr Features derivative_groups{compute_derivative_group_quads,
                                     compute_derivative_group_linear};
constexpr Features small_types{shader_float16, shader_int8, shader_int16};
constexpr Features int64_atomics{shader_buffer_int64_atomics, shader_shared_int64_atomics};
constexpr Features float32_atomics{shader_buffer_float32_atomics, shader_shared_float32_atomics,
                                   shader_image_float32_atomics};
constexpr Features float32_add{shader_buffer_float32_atomic_add, shader_shared_float32_atomic_add};
constexpr Features float32_min_max{shader_buffer_float32_atomic_min_max,
                                   shader_shared_float32_atomic_min_max};
constexpr Features float64_atomics{shader_buffer_float64_atomics, shader_shared_float64_atomics};
constexpr Features float64_add{shader_buffer_float64_atomic_add, shader_shared_float64_atomic_add};
constexpr Features memory_model{vulkan_memory_model, vulkan_memory_model_device_scope};

constexpr Features explicit_layout{workgroup_memory_explicit_layout,
                                   workgroup_memory_explicit_layout_8_bit_access,
                                   workgroup_memory_explicit_layout_16_bit_access};

constexpr Stages graphics_and_compute = stages::all_graphics | stages::compute;
constexpr Stages with_mesh = graphics_and_compute | stages::task | stages::mesh;

constexpr Profile amd(std::string_view name, int size) {
  return {
      .name = name,
      .description = "AMD RDNA 3, Mesa",
      .subgroup_size = size,
      .supported_stages = with_mesh | stages::ray_tracing,
      .min_subgroup_size = 32,
      .max_subgroup_size = 64,
      .required_subgroup_size_stages = stages::compute | stages::task | stages::mesh,
      .any_subgroup_size = false,
      .features = first_operations | clustered | rotations | size_control | subgroup_features |
                  reconvergence | shader_quad_control | derivative_groups | small_types |
                  shader_float64 | shader_int64 | int64_atomics | float32_atomics | float32_add |
                  float32_min_max | float64_atomics | memory_model | explicit_layout |
                  shader_replicated_composites | cooperative_matrix,
      .max_compute_shared_memory_size = 65536,
      .max_compute_work_group_count = {0xffffffff, 65535, 65535},
      .max_compute_work_group_invocations = 1024,
      .max_compute_work_group_size = {1024, 1024, 1024},
  };
}

constexpr Profile intel(std::string_view name, int size) {
  return {
      .name = name,
      .description = "Intel Gen 12 (Xe), Mesa",
      .subgroup_size = size,
      .supported_stages = graphics_and_compute,
      .min_subgroup_size = 8,
      .max_subgroup_size = 32,
      .max_compute_workgroup_subgroups = 64,
      .required_subgroup_size_stages = stages::compute | stages::task | stages::mesh,
      .any_subgroup_size = false,
      .features = first_operations | clustered | rotations | size_control | subgroup_features |
                  reconvergence | shader_quad_control | derivative_groups | small_types |
                  shader_int64 | shader_buffer_int64_atomics | float32_atomics | float32_min_max |
                  memory_model | explicit_layout | shader_replicated_composites,
      .max_compute_shared_memory_size = 65536,
      .max_compute_work_group_count = {65535, 65535, 65535},
      .max_compute_work_group_invocations = 1024,
      .max_compute_work_group_size = {1024, 1024, 1024},
  };
}

constexpr Profile qualcomm(std::string_view name, int size) {
  return {
      .name = name,
      .description = "Qualcomm Adreno 7xx, proprietary driver",
      .subgroup_size = size,
      .supported_stages = graphics_and_compute,
      .min_subgroup_size = 64,
      .max_subgroup_size = 128,
      .max_compute_workgroup_subgroups = 16,
      .required_subgroup_size_stages = stages::compute,
      .any_subgroup_size = false,
      .features = first_operations | clustered | rotations | size_control | subgroup_features |
                  reconvergence | compute_derivative_group_linear | small_types | shader_int64 |
                  shader_buffer_int64_atomics | memory_model | explicit_layout,
      .max_compute_shared_memory_size = 32768,
      .max_compute_work_group_count = {65535, 65535, 65535},
      .max_compute_work_group_invocations = 1024,
      .max_compute_work_group_size = {1024, 1024, 64},
  };
}

constexpr Profile teaching;

}  // namespace

namespace profile {

constinit const Profile nvidia{
    .name = "nvidia",
    .description = "NVIDIA Turing and later, proprietary driver",
    .subgroup_size = 32,
    .supported_stages = with_mesh | stages::ray_tracing,
    .min_subgroup_size = 32,
    .max_subgroup_size = 32,
    .max_compute_workgroup_subgroups = 2097152,
    .required_subgroup_size_stages = with_mesh | stages::ray_tracing,
    .any_subgroup_size = false,
    .features = first_operations | clustered | partitioned | rotations | size_control |
                subgroup_features | reconvergence | shader_quad_control | derivative_groups |
                small_types | shader_float64 | shader_int64 | int64_atomics | float32_atomics |
                float32_add | shader_image_float32_atomic_add | float64_atomics | float64_add |
                memory_model | explicit_layout | long_vector | shader_replicated_composites |
                cooperative_matrix,
    .max_compute_shared_memory_size = 49152,
    .max_compute_work_group_count = {2147483647, 65535, 65535},
    .max_compute_work_group_invocations = 1024,
    .max_compute_work_group_size = {1024, 1024, 64},
};
constinit const Profile amd_wave32 = amd("amd_wave32", 32);
constinit const Profile amd_wave64 = amd("amd_wave64", 64);
constinit const Profile intel_8 = intel("intel_8", 8);
constinit const Profile intel_16 = intel("intel_16", 16);
constinit const Profile intel_32 = intel("intel_32", 32);
constinit const Profile arm_16{
    .name = "arm_16",
    .description = "Arm Mali Valhall, proprietary driver",
    .subgroup_size = 16,
    .supported_stages = stages::fragment | stages::compute,
    .quad_operations_in_all_stages = false,
    .min_subgroup_size = 16,
    .max_subgroup_size = 16,
    .max_compute_workgroup_subgroups = 64,
    .required_subgroup_size_stages = stages::compute,
    .any_subgroup_size = false,
    .features = first_operations | clustered | rotations | size_control | subgroup_features |
                reconvergence | small_types | shader_int64 | memory_model,
    .max_compute_shared_memory_size = 32768,
    .max_compute_work_group_count = {65535, 65535, 65535},
    .max_compute_work_group_invocations = 1024,
    .max_compute_work_group_size = {1024, 1024, 1024},
};
constinit const Profile qualcomm_64 = qualcomm("qualcomm_64", 64);
constinit const Profile qualcomm_128 = qualcomm("qualcomm_128", 128);
constinit const Profile apple_32{
    .name = "apple_32",
    .description = "Apple M1 and later, MoltenVK",
    .subgroup_size = 32,
    .supported_stages = stages::fragment | stages::compute,
    .min_subgroup_size = 4,
    .max_subgroup_size = 32,
    .max_compute_workgroup_subgroups = 256,
    .required_subgroup_size_stages = 0,
    .any_subgroup_size = false,
    .features = first_operations | size_control | subgroup_features | small_types | shader_int64 |
                shader_buffer_float32_atomics | shader_buffer_float32_atomic_add | memory_model,
    .max_compute_shared_memory_size = 32768,
    .max_compute_work_group_count = {1073741824, 1073741824, 1073741824},
    .max_compute_work_group_invocations = 1024,
    .max_compute_work_group_size = {1024, 1024, 1024},
};
constinit const Profile swiftshader_4{
    .name = "swiftshader_4",
    .description = "SwiftShader, on a CPU",
    .subgroup_size = 4,
    .supported_stages = stages::vertex | stages::fragment | stages::compute,
    .quad_operations_in_all_stages = false,
    .min_subgroup_size = 4,
    .max_subgroup_size = 4,
    .max_compute_workgroup_subgroups = 64,
    .required_subgroup_size_stages = stages::compute,
    .any_subgroup_size = false,
    .features = first_operations | size_control | subgroup_broadcast_dynamic_id | memory_model,
    .max_compute_shared_memory_size = 32768,
    .max_compute_work_group_count = {65535, 65535, 65535},
    .max_compute_work_group_invocations = 256,
    .max_compute_work_group_size = {256, 256, 64},
};
constinit const Profile lavapipe_8{
    .name = "lavapipe_8",
    .description = "Mesa's lavapipe, on a CPU with AVX2",
    .subgroup_size = 8,
    .supported_stages = with_mesh,
    .quad_operations_in_all_stages = false,
    .min_subgroup_size = 8,
    .max_subgroup_size = 8,
    .max_compute_workgroup_subgroups = 32,
    .required_subgroup_size_stages = 0,
    .any_subgroup_size = false,
    .features = first_operations | clustered | rotations | size_control | subgroup_features |
                reconvergence | shader_quad_control | derivative_groups | small_types |
                shader_float64 | shader_int64 | int64_atomics | float32_atomics | float32_add |
                float32_min_max | memory_model | explicit_layout | shader_replicated_composites,
    .max_compute_shared_memory_size = 32768,
    .max_compute_work_group_count = {65535, 65535, 65535},
    .max_compute_work_group_invocations = 1024,
    .max_compute_work_group_size = {1024, 1024, 1024},
};

std::span<const Profile* const> all() {
  static constexpr std::array<const Profile*, 13> profiles{
      &teaching, &nvidia,      &amd_wave32,   &amd_wave64, &intel_8,       &intel_16,  &intel_32,
      &arm_16,   &qualcomm_64, &qualcomm_128, &apple_32,   &swiftshader_4, &lavapipe_8};
  return profiles;
}

const Profile* find(std::string_view name) {
  const auto found = std::ranges::find(all(), name, &Profile::name);
  return found == all().end() ? nullptr : *found;
}

}  // namespace profile

namespace {

/// Rejects a dispatch: what the kernel needs, and which limit of the device it exceeds.
class ProfileLimits {
 public:
  ProfileLimits(const Profile& profile, const Demand& demand)
      : profile_(profile), demand_(demand) {}

  void subgroup_size() const {
    const int size = demand_.subgroup_size;
    const bool fits = size >= profile_.min_subgroup_size && size <= profile_.max_subgroup_size &&
                      (profile_.any_subgroup_size || std::has_single_bit(unsigned(size)));
    if (!fits) {
      throw Error(fmt::format(
          "subgroup size {} is not supported by profile {}: it has {} from {} to {}", size,
          profile_.name, profile_.any_subgroup_size ? "all sizes" : "powers of two",
          profile_.min_subgroup_size, profile_.max_subgroup_size));
    }
    const bool may_choose = profile_.features.contain(subgroup_size_control) &&
                            (profile_.required_subgroup_size_stages & stages::compute) != 0;
    if (size != profile_.subgroup_size && !may_choose) {
      throw Error(fmt::format(
          "subgroup size {} cannot be chosen on profile {}, whose requiredSubgroupSizeStages lack "
          "VK_SHADER_STAGE_COMPUTE_BIT: use its own size {}",
          size, profile_.name, profile_.subgroup_size));
    }
    if (may_choose) {
      limit("invocations in a workgroup", invocations(),
            std::uint64_t{profile_.max_compute_workgroup_subgroups} * unsigned(size),
            fmt::format("maxComputeWorkgroupSubgroups = {} at subgroup size {}",
                        profile_.max_compute_workgroup_subgroups, size));
    }
  }

  void sizes() const {
    limit("invocations in a workgroup", invocations(), profile_.max_compute_work_group_invocations,
          fmt::format("maxComputeWorkGroupInvocations = {}",
                      profile_.max_compute_work_group_invocations));
    each("a local size", "maxComputeWorkGroupSize", demand_.local_size,
         profile_.max_compute_work_group_size);
    each("workgroups", "maxComputeWorkGroupCount", demand_.workgroups,
         profile_.max_compute_work_group_count);
  }

  void features() const {
    const Features lacking = demand_.features.without(profile_.features);
    if (lacking == Features()) return;
    std::vector<std::string_view> names;
    for (int k = 0; k < feature_count; ++k) {
      if (lacking.contain(static_cast<Feature>(k))) names.push_back(to_string(Feature(k)));
    }
    throw Error(
        fmt::format("kernel {} needs {}, which profile {} lacks: use another profile, or write the "
                    "kernel differently",
                    demand_.kernel, fmt::join(names, ", "), profile_.name));
  }

  void stages_and_full_subgroups() const {
    if (demand_.fragment && (profile_.supported_stages & stages::fragment) == 0) {
      throw Error(
          fmt::format("kernel {} runs on pixels, and the supportedStages of profile {} lack "
                      "VK_SHADER_STAGE_FRAGMENT_BIT: use another profile",
                      demand_.kernel, profile_.name));
    }
    const auto size = static_cast<std::uint32_t>(demand_.subgroup_size);
    if (demand_.features.contain(compute_full_subgroups) && demand_.local_size.x % size != 0) {
      throw Error(fmt::format(
          "kernel {} requires full subgroups (computeFullSubgroups), but its local size in x, {}, "
          "is not a multiple of the subgroup size {}: change one of them",
          demand_.kernel, demand_.local_size.x, size));
    }
  }

 private:
  std::uint64_t invocations() const {
    const Size3 size = demand_.local_size;
    return std::uint64_t{size.x} * size.y * size.z;
  }
  void limit(std::string_view what, std::uint64_t wanted, std::uint64_t most,
             std::string_view name) const {
    if (wanted <= most) return;
    throw Error(fmt::format("kernel {} has {} {}, more than profile {} allows: {}", demand_.kernel,
                            wanted, what, profile_.name, name));
  }
  void each(std::string_view what, std::string_view name, Size3 wanted, Size3 most) const {
    if (wanted.x <= most.x && wanted.y <= most.y && wanted.z <= most.z) return;
    throw Error(fmt::format(
        "kernel {} has {} of ({}, {}, {}), more than profile {} allows: {} = ({}, {}, {})",
        demand_.kernel, what, wanted.x, wanted.y, wanted.z, profile_.name, name, most.x, most.y,
        most.z));
  }

  const Profile& profile_;
  const Demand& demand_;
};

// Counts that exceed every device, even the one without limits.
void check_counts(const Demand& demand) {
  using Wide = unsigned __int128;
  const auto product = [](Size3 size) { return Wide{size.x} * size.y * size.z; };
  constexpr std::uint64_t most_invocations = 0x7fffffff;
  constexpr std::uint64_t most_workgroups = ~std::uint64_t{0} >> 1;
  if (product(demand.local_size) == 0) fail::local_size();
  if (product(demand.local_size) > most_invocations) {
    throw Error(
        fmt::format("kernel {} has more than 2^31 - 1 invocations in a workgroup: make its "
                    "local_size smaller",
                    demand.kernel));
  }
  if (product(demand.workgroups) > most_workgroups) {
    throw Error(
        fmt::format("a dispatch of kernel {} has more than 2^63 - 1 workgroups: dispatch "
                    "fewer at a time",
                    demand.kernel));
  }
}

}  // namespace

void check(const Profile& profile, const Demand& demand) {
  check_counts(demand);
  const ProfileLimits checker(profile, demand);
  checker.subgroup_size();
  if (!demand.fragment) checker.sizes();
  checker.features();
  checker.stages_and_full_subgroups();
}

}  // namespace lockstep
