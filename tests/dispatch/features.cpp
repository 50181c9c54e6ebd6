#include <lockstep/dispatch/features.hpp>

#include <set>

#include <catch2/catch.hpp>

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
