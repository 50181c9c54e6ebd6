#pragma once

#include <lockstep/exec/scopes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// The machine a kernel runs on by default: W lanes, maximal reconvergence, unchecked, silent. For is
/// a type that stands for the kernel, so that what each kernel uses can be told apart.
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

/// As FastMachine, for pixels: lanes are quads of 2x2, some of them helpers.
///
/// Requires      1 <= W <= 128.
/// Active lanes  One mask; helpers are active as long as their quad's other lanes may be.
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
/// is told every event.
///
/// Requires      1 <= W <= 128.
/// Active lanes  Those of all tangles; each subgroup built-in runs once for each tangle.
/// Errors        As ReconvergenceStack.
/// Cost          Tens to hundreds of times FastMachine's: it is for looking, not for speed.
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
