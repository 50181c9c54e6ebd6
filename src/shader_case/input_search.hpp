#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/spirv/module.hpp>

#include "shader_case/inspection.hpp"
#include "shader_case/proposal.hpp"
#include "shader_case/run_options.hpp"

/// \file
/// A search for inputs that make a shader run.

namespace lockstep::shader_case {

struct SearchLimits {
  std::uint64_t runs = 200;
  std::uint64_t seed = 1;
  std::size_t sets = 1;  ///< of inputs that together reach as much as possible
};

/// What a search has found.
struct FoundInputs {
  std::vector<Proposal> sets;  ///< the first alone reaches the most; at least one
  std::uint64_t runs = 0;
  bool is_cut_short = false;               ///< by the work of its runs, before their number
  std::size_t lines = 0, never_ran = 0;    ///< of the shader, on all sets
  std::size_t sides = 0, never_taken = 0;  ///< of its conditions
};

/// Searches for the numbers in push constants and small buffers, specialization constants, contents and sizes of buffers, and
/// numbers of workgroups that make the shader reach the most lines, take both sides of the most conditions, and repeat its loops,
/// without an access outside its buffers. Starts with zeros and with the same number everywhere; then changes numbers of
/// the best inputs so far, among them to what the shader compares with. The same for a seed everywhere.
///
/// Requires      The shader's inspection, of the same options.
/// Active lanes  None.
/// Errors        None: inputs on which the shader cannot run are dropped. Zeros if nothing is better.
/// Cost          Up to so many runs of a few workgroups, each ended after some 10^5 iterations of its loops. Fewer if they do more work
///               than such a number of runs of small shaders, or need as many pipelines: 200 runs end after seconds.
/// Spec          None.
/// Example       tests/cli/find_inputs.cpp
FoundInputs find_inputs(const Module& module, const RunOptions& options, const Inspection& shader,
                        const SearchLimits& limits);

}  // namespace lockstep::shader_case
