#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "registry/kernel_case.hpp"
#include "support/ports/engine_port.hpp"

/// \file
/// Which kernels' ports can be compared, and the results of two runs.

namespace lockstep::test {

/// Whether a pass's port is a compute shader; those for pixels need a graphics pipeline.
inline bool is_compute(const kernels::KernelCase& job) {
  return std::ranges::all_of(job.passes,
                             [](const kernels::Pass& pass) { return pass.attachments == 0; });
}

/// Whether arrays are defined only up to an order: slots allocated by atomics, and sums of floats
/// by atomics. With one thread, the order is that of subgroups and their lanes.
inline bool has_open_order(std::string_view kernel) {
  constexpr std::array<std::string_view, 5> names{
      "allocate", "allocate_broken", "allocate_nonuniform", "compact", "cull_triangles"};
  return std::ranges::find(names, kernel) != names.end();
}

/// The first byte at which two runs of a job differ, in one line; empty if there is none.
inline std::string first_difference(const kernels::KernelCase& got,
                                    const kernels::KernelCase& want) {
  for (std::size_t k = 0; k < want.arguments.size(); ++k) {
    const auto g = ports::bytes_of(got.arguments[k]), w = ports::bytes_of(want.arguments[k]);
    const auto at = std::ranges::mismatch(g, w).in2;
    if (at == w.end() && g.size() == w.size()) continue;
    return want.arguments[k].name + " differs at byte " + std::to_string(at - w.begin()) + " of " +
           std::to_string(w.size());
  }
  return "";
}

}  // namespace lockstep::test
