#pragma once

#include <lockstep/lanes/mask.hpp>

namespace lockstep::inline LOCKSTEP_ABI::exec {

/// The active lanes of one subgroup under maximal reconvergence: always exactly one set.
///
/// The masks of enclosing constructs are in their scopes (exec/scopes.hpp); this holds only what
/// the innermost ones share. A lane that returned from the kernel is in no mask.
///
/// Requires      None.
/// Active lanes  `active` are the lanes that execute the current statement.
/// Errors        None.
/// Cost          A handful of integers that stay in registers as long as the state is a local
///               object.
/// Spec          SPIR-V tangle, under VK_KHR_shader_maximal_reconvergence
/// Example       kernels/allocate
template <int W>
struct State {
  Mask<W> active{};
  /// Lanes that left the innermost loop and wait after it.
  Mask<W> broken{};
  /// Lanes that finished this iteration of the innermost loop early and wait for the next.
  Mask<W> continuing{};
  /// Lanes for which the If that closed last was false: those its Else runs.
  Mask<W> otherwise{};
  /// Lanes that returned from the innermost function and wait after its call.
  Mask<W> returned{};
  /// Inside a function: lanes that have returned from the kernel.
  Mask<W> gone{};
  bool in_function = false;

  /// Activates all lanes, as at the start and at every barrier. Mask by mask: a copy of the whole state in one
  /// register would wait for masks that were just written one by one.
  LOCKSTEP_INLINE void start(Mask<W> lanes) {
    active = lanes;
    broken = continuing = otherwise = returned = Mask<W>();
  }
  /// Lanes that have returned from the kernel.
  Mask<W> ended() const { return in_function ? gone : returned; }
};

/// As State, for pixels: lanes outside the drawn area help with derivatives and store nothing.
///
/// Requires      None.
/// Active lanes  As State; `covered` are the lanes that are not helpers.
/// Errors        None.
/// Cost          As State.
/// Spec          Vulkan "Fragment Shader Execution": helper invocations
/// Example       tests/glsl/pixels.cpp
template <int W>
struct PixelState : State<W> {
  Mask<W> covered{};
};

}  // namespace lockstep::inline LOCKSTEP_ABI::exec
