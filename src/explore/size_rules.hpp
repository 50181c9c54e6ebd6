#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/spirv/module.hpp>

#include "explore/explorer.hpp"

/// \file
/// The rules hidden-size and size-as-count: what a shader takes the subgroup size for. Only comparing runs tells.

namespace lockstep::explore {

/// Makes the subject that runs another module on the same data.
using SubjectOf = std::function<Subject(const Module&)>;

/// The findings of both rules on a shader of which the verdict is known.
///
/// hidden-size: the result depends on the subgroup size alone, and the source has numbers that are a size's: the size
/// itself in a division, product or comparison, the size - 1 in an `and` or comparison, its logarithm in a shift,
/// its half in a shuffle, or as the length of an array in shared memory. Sizes are the first run's, and 32 and 64 unless the workgroup has as many invocations.
///
/// size-as-count: the result depends on which subgroups are full, but no longer when every gl_SubgroupSize gives the
/// number of the subgroup's invocations instead.
///
/// Requires      The subject and the request that the verdict is of.
/// Active lanes  None.
/// Errors        None.
/// Cost          Up to a run for each size, and two for each way to fill subgroups.
/// Spec          VkPipelineShaderStageCreateInfo: varying sizes, full subgroups
/// Example       tests/cli/explore_rules.cpp
FaultLog size_findings(const Module& module, std::uint64_t invocations, const Subject& subject,
                       const Request& request, const Verdict& verdict, const SubjectOf& subject_of);

}  // namespace lockstep::explore
