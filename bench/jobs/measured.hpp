#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "kernels/job.hpp"

namespace lockstep::bench {

/// A kernel to be measured.
struct Measured {
  std::string_view name;
  std::size_t elements;
  /// A plain loop that leaves in the job's outputs what the kernel leaves there; null for none.
  void (*loop)(kernels::Job&) = nullptr;
};

/// The kernels whose speed is watched, on 16 Mi elements each; on LOCKSTEP_BENCH_ELEMENTS if that is
/// set in the environment.
std::span<const Measured> measured_kernels();

}  // namespace lockstep::bench
