#pragma once

#include <span>
#include <string>
#include <string_view>

#include <lockstep/exec/reconvergence_stack.hpp>

namespace lockstep::cli {

/// A kernel of `lockstep trace`.
struct TraceKernel {
  std::string_view name;
  std::string_view what;  ///< in a few words
  /// Dispatches it on a small input; returns what is wrong with the output, or nothing.
  std::string (*run)(const Convergence& convergence, int subgroup_size);
};

/// All of them, sorted by name.
std::span<const TraceKernel> trace_kernels();

}  // namespace lockstep::cli
