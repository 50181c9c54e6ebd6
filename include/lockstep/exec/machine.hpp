#pragma once

#include <lockstep/exec/scopes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// The default machine of a kernel: W lanes, maximal reconvergence, no checks, no events. For is a
/// type that stands for the kernel, so that the features of each kernel are recorded separately.
///
/// Requires      1 <= W <= 128.
/// Active lanes  One mask.
/// Errors        None.
/// Cost          None of its own.
/// Spec          VK_KHR_shader_maximal_reconvergence
/// Example       kernels/prefix_sum
template <int W, class For = void>
struct FastMachine {
  using KernelName = For;
  static constexpr int width = W;
  static constexpr bool tangled = false;
  using State = exec::State<W>;
};

/// As FastMachine, for pixels: lanes form quads of 2x2, and some are helpers.
///
/// Requires      1 <= W <= 128.
/// Active lanes  One mask; helpers are active as long as other lanes of their quad may be.
/// Errors        None.
/// Cost          None of its own.
/// Spec          Vulkan "Fragment Shader Execution": helper invocations
/// Example       tests/glsl/pixels.cpp
template <int W, class For = void>
struct PixelMachine {
  using KernelName = For;
  static constexpr bool pixels = true;
  static constexpr int width = W;
  static constexpr bool tangled = false;
  using State = exec::PixelState<W>;
};

/// The machine that keeps tangles apart: any rule of convergence, any chooser, and an observer that
/// receives every event.
///
/// Requires      1 <= W <= 128.
/// Active lanes  Those of all tangles; each subgroup built-in runs once per tangle.
/// Errors        As ReconvergenceStack.
/// Cost          Tens to hundreds of times FastMachine's: made for inspection, not for speed.
/// Spec          SPIR-V 2.2.5: tangle
/// Example       kernels/allocate_broken
template <int W, class For = void>
struct TangledMachine {
  using KernelName = For;
  static constexpr int width = W;
  static constexpr bool tangled = true;
  using State = exec::TangledState<W>;
};

/// As TangledMachine, for pixels.
///
/// Requires      1 <= W <= 128.
/// Active lanes  As TangledMachine and PixelMachine.
/// Errors        As TangledMachine.
/// Cost          As TangledMachine.
/// Spec          Vulkan "Fragment Shader Execution": helper invocations
/// Example       tests/glsl/pixels.cpp
template <int W, class For = void>
struct TangledPixelMachine : TangledMachine<W, For> {
  static constexpr bool pixels = true;
};

/// Whether machine S runs pixels.
template <class S>
concept PixelsOn = requires {
  requires S::pixels;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
