#pragma once

#include <lockstep/exec/scopes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// The machine a kernel runs on by default: W lanes, maximal reconvergence, unchecked, silent.
///
/// Requires      1 <= W <= 128.
/// Active lanes  One mask.
/// Errors        None.
/// Cost          None of its own.
/// Spec          VK_KHR_shader_maximal_reconvergence
/// Example       kernels/prefix_sum
template <int W>
struct FastMachine {
  static constexpr int width = W;
  static constexpr bool tangled = false;
  using State = exec::State<W>;
};

/// The machine that keeps tangles apart: any rule of convergence, any chooser, and an observer that
/// is told every event.
///
/// Requires      1 <= W <= 128.
/// Active lanes  Those of all tangles; each subgroup built-in runs once for each tangle.
/// Errors        As ReconvergenceStack.
/// Cost          Tens to hundreds of times FastMachine's: it is for looking, not for speed.
/// Spec          SPIR-V 2.2.5: tangle
/// Example       kernels/allocate_broken
template <int W>
struct TangledMachine {
  static constexpr int width = W;
  static constexpr bool tangled = true;
  using State = exec::TangledState<W>;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
