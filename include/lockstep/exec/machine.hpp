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
  using State = exec::State<W>;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
