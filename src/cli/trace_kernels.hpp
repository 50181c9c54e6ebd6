#pragma once

#include <span>
#include <string>
#include <string_view>

#include <lockstep/exec/reconvergence_stack.hpp>

namespace lockstep::cli {

/// A kernel that `lockstep trace` knows.
struct TraceKernel {
  std::string_view name;
  std::string_view what;  ///< in a few words
  /// Dispatches it on a small input; tells what is wrong with the output, nothing if it is right.
  std::string (*run)(const Convergence& convergence, int subgroup_size);
};

/// All of them, in the order of their names.
std::span<const TraceKernel> trace_kernels();

}  // namespace lockstep::cli
