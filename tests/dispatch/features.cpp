#include <lockstep/dispatch/features.hpp>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/detail/needs.hpp>
#include <lockstep/subgroup/spec.hpp>

namespace {

using namespace lockstep;

TEST_CASE("features are sets") {
  const Features some{Feature::vote, Feature::shader_int64};
  CHECK(some.contain(Feature::vote));
  CHECK(some.contain(Feature::shader_int64));
  CHECK_FALSE(some.contain(Feature::ballot));
  CHECK_FALSE(some.contain({Feature::vote, Feature::ballot}));
  CHECK(some.contain({}));
  CHECK((some | Feature::ballot).contain({Feature::vote, Feature::ballot}));
  CHECK((some & Feature::vote) == Features(Feature::vote));
  CHECK(some.without(Feature::vote) == Features(Feature::shader_int64));
  for (int k = 0; k < feature_count; ++k) CHECK(Features::all().contain(static_cast<Feature>(k)));
}

TEST_CASE("operations have Vulkan's bits") {
  CHECK(Features(Feature::basic).bits == 0x1);
  CHECK(Features(Feature::arithmetic).bits == 0x4);
  CHECK(Features(Feature::ballot).bits == 0x8);
  CHECK(Features(Feature::quad).bits == 0x80);
  CHECK(Features(Feature::rotate_clustered).bits == 0x400);
}

TEST_CASE("families of built-ins need the feature that Vulkan names as GLSL names the extension") {
  constexpr std::string_view start = "GL_KHR_shader_subgroup_";
  int compared = 0;
  for (std::size_t k = 0; k < spec::families().size(); ++k) {
    const Features needs = detail::features_of_family(static_cast<spec::Family>(k));
    const std::string_view extension = spec::families()[k].extension;
    INFO(extension);
    CHECK_FALSE(needs == Features());
    if (!extension.starts_with(start)) continue;
    std::string name =
        "VK_SUBGROUP_FEATURE_" + std::string(extension.substr(start.size())) + "_BIT";
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    bool found = false;
    for (int f = 0; f < feature_count; ++f) {
      const auto feature = static_cast<Feature>(f);
      found = found || (to_string(feature) == name && needs.contain(feature));
    }
    CHECK(found);
    ++compared;
  }
  CHECK(compared == 13);
  using enum Feature;
  CHECK(detail::features_of_built_in(spec::Name::subgroupPartitionedMinNV) ==
        Features(partitioned));
  CHECK(detail::features_of_built_in(spec::Name::readInvocationARB) == Features(ballot));
  CHECK(detail::features_of_built_in(spec::Name::anyInvocation) == Features(vote));
  CHECK(detail::features_of_built_in(spec::Name::subgroupQuadAny) ==
        Features{quad, vote, shader_quad_control});
  CHECK(
      detail::features_of_built_in(spec::Name::subgroupClusteredRotate) ==
      Features{rotate, rotate_clustered, shader_subgroup_rotate, shader_subgroup_rotate_clustered});
}

TEST_CASE("every feature has a name of its own") {
  std::set<std::string_view> names;
  for (int k = 0; k < feature_count; ++k) names.insert(to_string(static_cast<Feature>(k)));
  CHECK(names.size() == static_cast<std::size_t>(feature_count));
  CHECK_FALSE(names.contains(""));
  CHECK(to_string(Feature::rotate_clustered) == "VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT");
  CHECK(to_string(Feature::shader_int64) == "shaderInt64");
  CHECK(to_string(Feature::vulkan_memory_model_device_scope) == "vulkanMemoryModelDeviceScope");
}

}  // namespace
