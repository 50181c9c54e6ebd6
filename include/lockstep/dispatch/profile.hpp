#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <lockstep/dispatch/features.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// Sets of shader stages, with the bits of VkShaderStageFlagBits.
using Stages = std::uint32_t;
namespace stages {
inline constexpr Stages vertex = 0x1, tessellation_control = 0x2, tessellation_evaluation = 0x4,
                        geometry = 0x8, fragment = 0x10, compute = 0x20, task = 0x40, mesh = 0x80,
                        all_graphics = 0x1f, ray_tracing = 0x3f00;
}  // namespace stages

/// What Vulkan reports about a device, as far as it concerns compute kernels and subgroups. The
/// default is a device for teaching, which has every feature and no limits.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        A dispatch that exceeds the profile throws Error.
/// Cost          One check per dispatch.
/// Spec          VkPhysicalDeviceSubgroupProperties, VkPhysicalDeviceSubgroupSizeControlProperties,
///               VkPhysicalDeviceLimits and the structures of the features
/// Example       tests/dispatch/profile.cpp
struct Profile {
  std::string_view name = "teaching";
  std::string_view description = "everything, at any subgroup size, without limits";

  int subgroup_size = 32;
  Stages supported_stages = stages::all_graphics | stages::compute | stages::task | stages::mesh;
  bool quad_operations_in_all_stages = true;

  int min_subgroup_size = 1;
  int max_subgroup_size = 128;
  std::uint32_t max_compute_workgroup_subgroups = 0xffffffff;
  Stages required_subgroup_size_stages = supported_stages;
  /// Whether sizes that are not powers of two are allowed, which no real device does.
  bool any_subgroup_size = true;

  /// The subgroup operations and all other features.
  Features features = Features::all();

  std::uint32_t max_compute_shared_memory_size = 0xffffffff;
  Size3 max_compute_work_group_count{0xffffffff, 0xffffffff, 0xffffffff};
  std::uint32_t max_compute_work_group_invocations = 0xffffffff;
  Size3 max_compute_work_group_size{0xffffffff, 0xffffffff, 0xffffffff};
};

/// Profiles of real devices. Values are typical of what drivers report, gathered from public
/// reports and driver sources; a specific driver version may differ. Where a driver lets a pipeline
/// choose its subgroup size, there is one profile for each size, with that size as default.
namespace profile {

extern const Profile nvidia;         ///< proprietary driver, Turing and later: always 32
extern const Profile amd_wave32;     ///< RDNA: 32 or 64, here 32
extern const Profile amd_wave64;     ///< RDNA: 32 or 64, here 64
extern const Profile intel_8;        ///< Mesa, Gen 9 to 12: 8, 16 or 32, here 8
extern const Profile intel_16;       ///< Mesa, Gen 9 to 12: 8, 16 or 32, here 16
extern const Profile intel_32;       ///< Mesa, Gen 9 to 12: 8, 16 or 32, here 32
extern const Profile arm_16;         ///< Mali Valhall: always 16
extern const Profile qualcomm_64;    ///< Adreno: 64 or 128, here 64
extern const Profile qualcomm_128;   ///< Adreno: 64 or 128, here 128
extern const Profile apple_32;       ///< M1 and later through MoltenVK: 32 in compute
extern const Profile swiftshader_4;  ///< on a CPU: always 4
extern const Profile lavapipe_8;     ///< Mesa on a CPU with 256-bit vectors: always 8

/// All of the above, the one for teaching first.
std::span<const Profile* const> all();
/// The profile of that name; null if there is none.
const Profile* find(std::string_view name);

}  // namespace profile

/// What one dispatch requires of a device.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None; see check.
/// Cost          None.
/// Spec          None.
/// Example       tests/dispatch/profile.cpp
struct Demand {
  std::string_view kernel = {};  ///< its name, for messages
  Features features = {};        ///< that the kernel needs
  int subgroup_size = 0;
  Size3 local_size = {};
  Size3 workgroups = {};
  bool fragment = false;  ///< pixels instead of workgroups
};

/// Throws Error if the device does not support it, and names what is missing.
void check(const Profile& profile, const Demand& demand);

}  // namespace lockstep
