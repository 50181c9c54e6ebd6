#include "amber/features.hpp"

#include <catch2/catch.hpp>

using namespace lockstep::amber;
using Kind = Requirement::Kind;

namespace {

std::string lacking(Kind kind, const char* name,
                    const lockstep::Profile& profile = lockstep::Profile{}) {
  return unmet({kind, name, 1}, profile);
}

}  // namespace

TEST_CASE("a device without limits has what compute shaders can use, and nothing else") {
  CHECK(lacking(Kind::feature, "shaderInt64").empty());
  CHECK(lacking(Kind::feature, "SubgroupSupportedOperations.quad").empty());
  CHECK(lacking(Kind::feature, "ShaderSubgroupExtendedTypesFeatures.shaderSubgroupExtendedTypes")
            .empty());
  CHECK(lacking(Kind::device_extension, "VK_EXT_descriptor_indexing").empty());
  CHECK(lacking(Kind::feature, "geometryShader") ==
        "the device teaching lacks the feature geometryShader");
  CHECK(lacking(Kind::feature, "SubgroupSupportedStages.fragment") ==
        "the device teaching lacks the feature SubgroupSupportedStages.fragment");
  CHECK(lacking(Kind::device_extension, "VK_KHR_shader_subgroup_rotate").empty());
  CHECK(lacking(Kind::instance_extension, "VK_KHR_get_physical_device_properties2").empty());
  CHECK(lacking(Kind::device_extension, "VK_KHR_ray_query") ==
        "the device teaching lacks the extension VK_KHR_ray_query");
  CHECK(lacking(Kind::property, "FloatControlsProperties.shaderRoundingModeRTEFloat32").empty());
  CHECK(lacking(Kind::property, "FloatControlsProperties.shaderRoundingModeRTZFloat32").empty());
  CHECK(lacking(Kind::property, "FloatControlsProperties.shaderRoundingModeRTPFloat32") ==
        "the device teaching lacks the property "
        "FloatControlsProperties.shaderRoundingModeRTPFloat32");
}

TEST_CASE("a profile lacks what its device does") {
  lockstep::Profile profile;
  profile.name = "small";
  profile.features = lockstep::Feature::basic;
  CHECK(lacking(Kind::feature, "SubgroupSupportedOperations.basic", profile).empty());
  CHECK(lacking(Kind::feature, "robustBufferAccess", profile).empty());
  CHECK(lacking(Kind::feature, "SubgroupSupportedOperations.vote", profile) ==
        "the device small lacks the feature SubgroupSupportedOperations.vote");
  CHECK(lacking(Kind::feature, "ShaderSubgroupExtendedTypesFeatures.shaderSubgroupExtendedTypes",
                profile) ==
        "the device small lacks the feature "
        "ShaderSubgroupExtendedTypesFeatures.shaderSubgroupExtendedTypes");
  CHECK(lacking(Kind::feature, "shaderFloat64", profile) ==
        "the device small lacks the feature shaderFloat64");
  CHECK(lacking(Kind::device_extension, "VK_NV_shader_subgroup_partitioned", profile) ==
        "the device small lacks the extension VK_NV_shader_subgroup_partitioned");
}

TEST_CASE("features are known by their names") {
  CHECK(is_known_feature("shaderInt64"));
  CHECK(is_known_feature("wideLines"));
  CHECK(is_known_feature("IndexTypeUint8Features.indexTypeUint8"));
  CHECK_FALSE(is_known_feature("shaderInt65"));
  CHECK_FALSE(is_known_feature(""));
}
