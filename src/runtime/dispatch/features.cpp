#include <lockstep/dispatch/features.hpp>

#include <array>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, feature_count> feature_names{
    "VK_SUBGROUP_FEATURE_BASIC_BIT",
    "VK_SUBGROUP_FEATURE_VOTE_BIT",
    "VK_SUBGROUP_FEATURE_ARITHMETIC_BIT",
    "VK_SUBGROUP_FEATURE_BALLOT_BIT",
    "VK_SUBGROUP_FEATURE_SHUFFLE_BIT",
    "VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT",
    "VK_SUBGROUP_FEATURE_CLUSTERED_BIT",
    "VK_SUBGROUP_FEATURE_QUAD_BIT",
    "VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV",
    "VK_SUBGROUP_FEATURE_ROTATE_BIT",
    "VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT",
    "subgroupSizeControl",
    "computeFullSubgroups",
    "shaderSubgroupExtendedTypes",
    "subgroupBroadcastDynamicId",
    "shaderSubgroupRotate",
    "shaderSubgroupRotateClustered",
    "shaderSubgroupUniformControlFlow",
    "shaderMaximalReconvergence",
    "shaderQuadControl",
    "computeDerivativeGroupQuads",
    "computeDerivativeGroupLinear",
    "shaderFloat16",
    "shaderFloat64",
    "shaderInt8",
    "shaderInt16",
    "shaderInt64",
    "shaderBufferInt64Atomics",
    "shaderSharedInt64Atomics",
    "shaderImageInt64Atomics",
    "shaderBufferFloat16Atomics",
    "shaderBufferFloat16AtomicAdd",
    "shaderBufferFloat16AtomicMinMax",
    "shaderBufferFloat32Atomics",
    "shaderBufferFloat32AtomicAdd",
    "shaderBufferFloat32AtomicMinMax",
    "shaderBufferFloat64Atomics",
    "shaderBufferFloat64AtomicAdd",
    "shaderBufferFloat64AtomicMinMax",
    "shaderSharedFloat16Atomics",
    "shaderSharedFloat16AtomicAdd",
    "shaderSharedFloat16AtomicMinMax",
    "shaderSharedFloat32Atomics",
    "shaderSharedFloat32AtomicAdd",
    "shaderSharedFloat32AtomicMinMax",
    "shaderSharedFloat64Atomics",
    "shaderSharedFloat64AtomicAdd",
    "shaderSharedFloat64AtomicMinMax",
    "shaderImageFloat32Atomics",
    "shaderImageFloat32AtomicAdd",
    "shaderImageFloat32AtomicMinMax",
    "vulkanMemoryModel",
    "vulkanMemoryModelDeviceScope",
    "workgroupMemoryExplicitLayout",
    "workgroupMemoryExplicitLayout8BitAccess",
    "workgroupMemoryExplicitLayout16BitAccess",
    "longVector",
    "shaderReplicatedComposites",
    "cooperativeMatrix",
};

}  // namespace

std::string_view to_string(Feature feature) {
  return feature_names[static_cast<std::size_t>(feature)];
}

}  // namespace lockstep
