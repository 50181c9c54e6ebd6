#pragma once

#include <lockstep/checked/detail/built_ins.hpp>
#include <lockstep/checked/detail/functions.hpp>
#include <lockstep/checked/detail/memory.hpp>
#include <lockstep/dispatch/subgroup_setup.hpp>
#include <lockstep/exec/machine.hpp>

/// \file
/// The machine of checked runs.

namespace lockstep::inline LOCKSTEP_ABI {
namespace checked {

/// While a thread runs workgroups it knows the run's rules.
template <CheckedState State, int W>
origins::RunScope enter_run(const State*, const lockstep::detail::Grid<W>& grid,
                            Location& location) {
  return {grid.checks, grid.size, location.faults, location.workgroup, location.subgroup};
}

/// As glsl/detail/built_in_calls.hpp.
template <int W, class F, class... A>
auto call_built_in(State<W>& state, const char*, SourceLocation where, const F& f,
                   const A&... arguments) {
  return call(state.active, where, f, arguments...);
}

template <int W, class F, class... A>
auto call_built_in(TangledState<W>& state, const char* name, SourceLocation where, const F& f,
                   const A&... arguments) {
  return call_in_tangles<W>(state, name, where, f, arguments...);
}

}  // namespace checked

/// The machine whose values know in which lanes they are undefined, and since where.
///
/// Undefined values are reported where they become visible: where they decide a branch, select an element or texel, are
/// stored to a buffer or image, take part in an atomic, must be the same in all lanes, or become a plain value of
/// C++. What is never used stays silent.
///
/// Requires      1 <= W <= 128.
/// Active lanes  One mask.
/// Errors        None: findings are in the dispatch's result.
/// Cost          docs/performance.md
/// Spec          SPIR-V: undefined values
/// Example       tests/checked/machine.cpp
template <int W, class For>
struct CheckedMachine {
  using KernelName = For;
  using Numbers = checked::Numbers;
  static constexpr int width = W;
  static constexpr bool tangled = false;
  using State = checked::State<W>;
};

/// As CheckedMachine, under any rule of convergence and with observers, such as those that look for data races.
///
/// Requires      1 <= W <= 128.
/// Active lanes  The lanes of all tangles; each subgroup built-in runs once per tangle.
/// Errors        As TangledMachine.
/// Cost          As TangledMachine.
/// Spec          SPIR-V: undefined values; 2.2.5: tangle
/// Example       tests/checked/machine.cpp
template <int W, class For>
struct CheckedTangledMachine {
  using KernelName = For;
  using Numbers = checked::Numbers;
  static constexpr int width = W;
  static constexpr bool tangled = true;
  using State = checked::TangledState<W>;
};

/// As CheckedTangledMachine, for pixels.
///
/// Requires      1 <= W <= 128.
/// Active lanes  As CheckedTangledMachine and PixelMachine.
/// Errors        As CheckedTangledMachine.
/// Cost          As CheckedTangledMachine.
/// Spec          Vulkan "Fragment Shader Execution": helper invocations
/// Example       tests/checked/pixels.cpp
template <int W, class For>
struct CheckedPixelMachine : CheckedTangledMachine<W, For> {
  static constexpr bool pixels = true;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
