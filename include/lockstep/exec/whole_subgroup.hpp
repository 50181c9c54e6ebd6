#pragma once

#include <cstdint>

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/exec/tangled_state.hpp>

namespace lockstep {
namespace fail {

/// Throws Error: `what` needs all invocations of the subgroup, in one tangle.
[[noreturn, gnu::cold, gnu::noinline]] void not_whole_subgroup(SourceLocation where,
                                                               const char* what, LaneSet active,
                                                               LaneSet missing);

}  // namespace fail

inline namespace LOCKSTEP_ABI {
namespace exec {

/// Throws Error unless all `lanes` of the subgroup are active, and in one tangle.
///
/// Requires      1 <= lanes <= W.
/// Active lanes  All lanes of the subgroup.
/// Errors        As above; the message starts with `where` and names `what`.
/// Cost          One comparison of masks.
/// Spec          SPIR-V: operations on cooperative matrices are executed by all invocations in their scope
/// Example       include/lockstep/glsl/cooperative_matrix.hpp
template <class State>
void need_whole_subgroup(State& state, std::uint32_t lanes, const char* what,
                         SourceLocation where) {
  bool is_apart = false;
  if constexpr (requires { state.stack; }) {
    settle(state);
    is_apart = state.stack->tangles.size() > 1;
  }
  const LaneSet active = to_lane_set(state.active);
  const LaneSet missing = LaneSet::first_n(static_cast<int>(lanes)).without(active);
  if (missing.any_lane() || is_apart) [[unlikely]]
    fail::not_whole_subgroup(where, what, active, missing);
}

}  // namespace exec
}  // namespace LOCKSTEP_ABI
}  // namespace lockstep
