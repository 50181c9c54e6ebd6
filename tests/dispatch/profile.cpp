#include <lockstep/dispatch/profile.hpp>

#include <bit>
#include <string>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

namespace {

using namespace lockstep;
using Catch::Matchers::Contains;

TEST_CASE("every profile is one that Vulkan allows") {
  CHECK(profile::all().size() == 13);
  for (const Profile* p : profile::all()) {
    INFO(p->name);
    CHECK(profile::find(p->name) == p);
    CHECK(p->min_subgroup_size <= p->subgroup_size);
    CHECK(p->subgroup_size <= p->max_subgroup_size);
    CHECK(p->max_subgroup_size <= 128);
    CHECK((p->supported_stages & stages::compute) != 0);
    CHECK(p->features.contain(Feature::basic));
    if (p->any_subgroup_size) continue;
    for (const int size : {p->min_subgroup_size, p->subgroup_size, p->max_subgroup_size})
      CHECK(std::has_single_bit(static_cast<unsigned>(size)));
    if (p->features.contain(Feature::quad)) CHECK(p->min_subgroup_size >= 4);
    if (p->features.contain(Feature::shader_quad_control))
      CHECK(p->features.contain(Feature::quad));
    CHECK(p->features.contain(Feature::shader_subgroup_rotate) ==
          p->features.contain(Feature::rotate));
    // Vulkan's required minimum.
    CHECK(p->max_compute_work_group_invocations >= 128);
    CHECK(p->max_compute_shared_memory_size >= 16384);
    CHECK(p->max_compute_work_group_count.x >= 65535);
    check(*p, {.kernel = "K",
               .features = {},
               .subgroup_size = p->subgroup_size,
               .local_size = {128},
               .workgroups = {65535}});
  }
  CHECK(profile::find("voodoo") == nullptr);
  CHECK(profile::amd_wave32.subgroup_size == 32);
  CHECK(profile::amd_wave64.subgroup_size == 64);
  CHECK(profile::qualcomm_128.subgroup_size == 128);
}

std::string refused(const Profile& profile, Demand demand) {
  demand.kernel = "K";
  try {
    check(profile, demand);
  } catch (const Error& error) {
    return error.what();
  }
  return "done";
}

TEST_CASE("subgroup sizes that a device does not have are refused") {
  const auto at = [](const Profile& profile, int size) {
    return refused(profile, {.subgroup_size = size, .workgroups = {1}});
  };
  for (int size = 1; size <= 128; ++size) {
    INFO(size);
    CHECK(at(Profile{}, size) == "done");
    CHECK((at(profile::nvidia, size) == "done") == (size == 32));
    CHECK((at(profile::amd_wave64, size) == "done") == (size == 32 || size == 64));
    CHECK((at(profile::intel_8, size) == "done") == (size == 8 || size == 16 || size == 32));
    // From 4 to 32, but no pipeline may choose.
    CHECK((at(profile::apple_32, size) == "done") == (size == 32));
  }
  CHECK(at(profile::amd_wave32, 24) ==
        "subgroup size 24 is not supported by profile amd_wave32: it has powers of two from 32 to "
        "64");
  CHECK_THAT(at(profile::apple_32, 16), Contains("requiredSubgroupSizeStages"));
}

TEST_CASE("a workgroup that a device cannot hold is refused with the limit's name") {
  const auto with = [](const Profile& profile, Size3 local, Size3 groups = {1}, int size = 0) {
    return refused(profile, {.subgroup_size = size != 0 ? size : profile.subgroup_size,
                             .local_size = local,
                             .workgroups = groups});
  };
  CHECK(with(profile::nvidia, {1024}) == "done");
  CHECK(with(profile::nvidia, {2048}) ==
        "kernel K has 2048 invocations in a workgroup, more than profile nvidia allows: "
        "maxComputeWorkGroupInvocations = 1024");
  CHECK(with(Profile{}, {2048, 3}) == "done");
  CHECK(with(profile::nvidia, {1, 1, 64}) == "done");
  CHECK(with(profile::nvidia, {1, 1, 65}) ==
        "kernel K has a local size of (1, 1, 65), more than profile nvidia allows: "
        "maxComputeWorkGroupSize = (1024, 1024, 64)");
  CHECK(with(profile::nvidia, {1}, {1u << 30, 65535}) == "done");
  CHECK_THAT(with(profile::nvidia, {1}, {1, 65536}), Contains("maxComputeWorkGroupCount"));
  // 64 subgroups at most: at size 8 no workgroup of 1024.
  CHECK(with(profile::intel_16, {1024}) == "done");
  CHECK(with(profile::intel_8, {512}) == "done");
  CHECK_THAT(with(profile::intel_8, {513}),
             Contains("maxComputeWorkgroupSubgroups = 64 at subgroup size 8"));
  CHECK_THAT(with(profile::intel_32, {1024}, {1}, 8), Contains("maxComputeWorkgroupSubgroups"));
  CHECK(with(profile::lavapipe_8, {1024}) == "done");
  // What not even the teaching device counts.
  CHECK_THAT(with(Profile{}, {1u << 16, 1u << 15}), Contains("2^31 - 1 invocations"));
  CHECK_THAT(with(Profile{}, {0xffffffff, 0xffffffff, 0xffffffff}),
             Contains("2^31 - 1 invocations"));
  CHECK_THAT(with(Profile{}, {1}, {0xffffffff, 0xffffffff, 0xffffffff}),
             Contains("2^63 - 1 workgroups"));
  CHECK_THAT(with(Profile{}, {4, 0}), Contains("local_size is zero"));
}

TEST_CASE("a kernel that needs what the device lacks is refused with its name") {
  const auto needs = [](const Profile& profile, Features features, bool fragment = false) {
    return refused(profile, {.features = features,
                             .subgroup_size = profile.subgroup_size,
                             .local_size = {96, 2},
                             .workgroups = {1},
                             .fragment = fragment});
  };
  CHECK(needs(profile::nvidia, Feature::partitioned) == "done");
  CHECK(needs(profile::amd_wave32, Feature::partitioned) ==
        "kernel K needs VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV, which profile amd_wave32 lacks: "
        "use another profile, or write the kernel differently");
  CHECK_THAT(
      needs(profile::swiftshader_4, {Feature::vote, Feature::clustered, Feature::shader_int64}),
      Contains("needs VK_SUBGROUP_FEATURE_CLUSTERED_BIT, shaderInt64, which"));
  CHECK(needs(Profile{}, Features::all().without(Feature::compute_full_subgroups)) == "done");
  CHECK(needs(profile::amd_wave32, Feature::compute_full_subgroups) == "done");
  CHECK_THAT(needs(profile::amd_wave64, Feature::compute_full_subgroups),
             Contains("computeFullSubgroups") && Contains("96") && Contains("64"));
  Profile no_pixels = profile::nvidia;
  no_pixels.supported_stages = stages::compute;
  CHECK(needs(no_pixels, {}) == "done");
  CHECK(needs(profile::nvidia, {}, true) == "done");
  CHECK_THAT(needs(no_pixels, {}, true), Contains("VK_SHADER_STAGE_FRAGMENT_BIT"));
}

}  // namespace
