#pragma once

#include <array>
#include <exception>

#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// The same lanes as a LaneSet.
template <int W>
constexpr LaneSet to_lane_set(Mask<W> mask) {
  return {mask.low64(), mask.high64()};
}
/// The lanes of a LaneSet in a subgroup of W.
template <int W>
constexpr Mask<W> to_mask(LaneSet lanes) {
  if constexpr (W <= 64)
    return Mask<W>::from_bits(static_cast<typename Mask<W>::Word>(lanes.low));
  else
    return Mask<W>::from_bits(detail::Uint128{lanes.high} << 64 | lanes.low);
}

namespace exec {

/// The active lanes of a subgroup of W under any rule of convergence: the reconvergence stack, plus
/// what the scopes of kernels need.
///
/// A selection stays on the stack after its end, because an Else may follow: the next transition,
/// built-in or barrier settles it. In a chain of Else If several selections wait like this, each
/// inside the other side of the one before.
///
/// Requires      As ReconvergenceStack, which outlives the state.
/// Active lanes  `active` are the lanes of all tangles.
/// Errors        As ReconvergenceStack.
/// Cost          As ReconvergenceStack.
/// Spec          SPIR-V 2.2.5: tangle
/// Example       tests/exec/tangled_state.cpp
template <int W>
struct TangledState {
  ReconvergenceStack* stack = nullptr;
  Mask<W> active{};
  Mask<W> covered = Mask<W>::all();  ///< as PixelState: all lanes except on pixels
  int ended_selections = 0;        ///< innermost constructs that have ended unless an Else follows
  std::uint32_t local_arrays = 0;  ///< of the kernel's functions, that exist now
  OtherSubgroups* others = nullptr;  ///< null where subgroups run one after another
  std::uint32_t tests = 0;           ///< of loops, since the subgroup last let others run

  TangledState() = default;
  explicit TangledState(ReconvergenceStack& s) : stack(&s), active(to_mask<W>(s.active())) {}
};

/// Whether scopes close because an error propagates: then no state needs to be kept in order.
inline bool unwinding() { return std::uncaught_exceptions() != 0; }

/// Updates the active lanes after a change of the stack.
template <int W>
void follow_stack(TangledState<W>& state) {
  state.active = to_mask<W>(state.stack->active());
}

/// Ends the selections that no Else followed.
template <int W>
void settle(TangledState<W>& state) {
  if (state.ended_selections == 0) return;
  for (; state.ended_selections > 0; --state.ended_selections)
    lockstep::leave(*state.stack, state.stack->frames.back().where);
  follow_stack(state);
}

/// The innermost constructs have ended unless an Else follows: until then all their lanes are active.
template <int W>
void wait_for_else(TangledState<W>& state, int selections) {
  state.ended_selections = selections;
  LaneSet here = state.stack->active();
  for (auto frame = state.stack->frames.end() - selections; frame != state.stack->frames.end();
       ++frame) {
    for (const Tangle& t : frame->arrived) here = here | t.lanes;
    for (const Tangle& t : frame->waiting) here = here | t.lanes;
  }
  state.active = to_mask<W>(here);
}

/// Before an access to memory: the chooser may let another subgroup run first.
template <int W>
void let_others_run(TangledState<W>& state, SourceLocation where) {
  if (state.others == nullptr || !state.active.any_lane()) return;
  Chooser* const chooser = state.stack->convergence->chooser;
  if (chooser == nullptr || !chooser->asks(Choice::subgroup_order) || !state.others->others_ready())
    return;
  if (chooser->choose(2, where, Choice::subgroup_order) != 0) state.others->yield();
}

/// What a selection keeps until its end.
struct EnteredTangled {
  bool any;
  int outer_ended = 0;  ///< of an Else: enclosing selections that end with it
};

/// Starts a selection: the lanes with a true condition stay active.
template <int W>
EnteredTangled enter(TangledState<W>& state, Mask<W> condition, SourceLocation where) {
  settle(state);
  const bool any = lockstep::enter(*state.stack, to_lane_set(condition), where);
  follow_stack(state);
  return {any};
}
/// Ends a selection.
template <int W>
void close_selection(TangledState<W>& state, EnteredTangled) {
  if (unwinding()) return;
  settle(state);
  wait_for_else(state, 1);
}
/// Ends the other side of a selection.
template <int W>
void close_other_side(TangledState<W>& state, EnteredTangled entered) {
  if (!entered.any || unwinding()) return;
  const int selections = state.ended_selections + 1 + entered.outer_ended;
  const bool may_go_on = state.ended_selections > 0;  // Else If: another Else may follow
  wait_for_else(state, selections);
  if (!may_go_on) settle(state);
}
/// Flips to the other side of a selection.
template <int W>
EnteredTangled enter_other_side(TangledState<W>& state) {
  if (state.ended_selections == 0) return {false};
  const EnteredTangled entered{lockstep::flip(*state.stack, state.stack->frames.back().where),
                               state.ended_selections - 1};
  state.ended_selections = 0;
  follow_stack(state);
  // No lane enters, so its end will do nothing: the selections end here.
  if (!entered.any) {
    wait_for_else(state, 1 + entered.outer_ended);
    settle(state);
  }
  return entered;
}

/// The stack keeps what a loop has to restore.
struct NoOuterLoop {};

/// Starts a loop.
template <int W>
NoOuterLoop enter_loop(TangledState<W>& state, SourceLocation where) {
  settle(state);
  lockstep::enter_loop(*state.stack, where);
  return {};
}
/// How many tests of loops a subgroup makes before others run: it may wait for them.
inline constexpr std::uint32_t tests_in_a_row = 1u << 12;

/// Deactivates lanes whose condition is false; whether any lane stays in the loop.
template <int W>
bool test_loop(TangledState<W>& state, Mask<W> condition, SourceLocation where) {
  settle(state);
  if (state.others != nullptr && ++state.tests == tests_in_a_row) {
    state.tests = 0;
    state.others->pause();
  }
  const bool any = lockstep::test_loop(*state.stack, to_lane_set(condition), where);
  follow_stack(state);
  return any;
}
/// Starts the next iteration.
template <int W>
void next_trip(TangledState<W>& state) {
  settle(state);
  lockstep::next_trip(*state.stack, state.stack->frames.back().where);
  follow_stack(state);
}
/// Ends a loop.
template <int W>
void exit_loop(TangledState<W>& state, NoOuterLoop) {
  if (unwinding()) return;
  settle(state);
  lockstep::exit_loop(*state.stack, state.stack->frames.back().where);
  follow_stack(state);
}

/// The stack keeps what a switch has to restore.
struct SwitchingTangled {};

/// Starts a switch.
template <int W>
SwitchingTangled enter_switch(TangledState<W>& state, SourceLocation where) {
  settle(state);
  lockstep::enter_switch(*state.stack, where);
  follow_stack(state);
  return {};
}
/// Activates the lanes that enter a case; whether there is one.
template <int W, class T>
bool enter_case(TangledState<W>& state, SwitchingTangled, Mask<W> matching,
                const Lanes<T, W>& selector, SourceLocation where) {
  settle(state);
  std::array<std::int64_t, max_subgroup_size> value{};
  for (int i = 0; i < W; ++i) {
    value[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(selector[i]);
  }
  const bool any = lockstep::enter_case(*state.stack, to_lane_set(matching), value.data(), where);
  follow_stack(state);
  return any;
}
/// Ends a switch.
template <int W>
void leave_switch(TangledState<W>& state, SwitchingTangled) {
  if (unwinding()) return;
  settle(state);
  lockstep::leave_switch(*state.stack, state.stack->frames.back().where);
  follow_stack(state);
}

/// The stack keeps what a call has to restore.
struct NoOuterCall {};

/// Starts a function that lanes may leave early.
template <int W>
NoOuterCall call(TangledState<W>& state, SourceLocation where) {
  settle(state);
  lockstep::call(*state.stack, where);
  return {};
}
/// Ends a function: the lanes that returned from it rejoin.
template <int W>
void end_call(TangledState<W>& state, NoOuterCall) {
  if (unwinding()) return;
  settle(state);
  lockstep::end_call(*state.stack, state.stack->frames.back().where);
  follow_stack(state);
}

/// Break: the active lanes leave the loop or switch.
template <int W>
void leave_loop(TangledState<W>& state, SourceLocation where) {
  settle(state);
  lockstep::leave_loop(*state.stack, where);
  follow_stack(state);
}
/// Continue: the active lanes leave the iteration.
template <int W>
void leave_trip(TangledState<W>& state, SourceLocation where) {
  settle(state);
  lockstep::leave_trip(*state.stack, where);
  follow_stack(state);
}
/// Return: the active lanes leave the function.
template <int W>
void retire(TangledState<W>& state, SourceLocation where) {
  settle(state);
  lockstep::retire(*state.stack, where);
  follow_stack(state);
}

}  // namespace exec
}  // namespace lockstep::inline LOCKSTEP_ABI
