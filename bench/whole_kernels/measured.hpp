#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "registry/kernel_case.hpp"

namespace lockstep::bench {

/// A kernel to measure.
struct Measured {
  std::string_view name;
  std::size_t elements;
  /// A plain loop that computes the kernel's outputs; null for none.
  void (*loop)(kernels::KernelCase&) = nullptr;
};

/// The kernels whose speed is tracked, on 16 Mi elements each, or on LOCKSTEP_BENCH_ELEMENTS from
/// the environment.
std::span<const Measured> measured_kernels();

}  // namespace lockstep::bench
