#pragma once

#include <lockstep/exec/state.hpp>

/// \file
/// How the active mask moves through structured control flow. Ordinary functions on State, called
/// by the C++ scopes.

namespace lockstep::inline LOCKSTEP_ABI::exec {

/// Keeps a branch a branch. When an If holds only mask work, compilers turn it into branch-free
/// mask arithmetic whose latency becomes the loop's: compare, move to a mask register, and, blend,
/// compare. With the masks written only behind a real branch the predictor breaks that chain;
/// divergent loops ran 1.3 to 1.6 times faster on g++ 12 and clang 14 (docs/performance.md).
LOCKSTEP_INLINE void keep_branch() { asm volatile(""); }

/// What a selection's start did: whether any lane goes on, and the lanes that wait for its end.
template <int W>
struct Entered {
  bool any;
  Mask<W> waiting;
};

/// Starts a selection: the active lanes where `condition` holds go on, the others wait. With no
/// lane to go on the state is left as it is, and all active lanes count as waiting.
template <int W>
LOCKSTEP_INLINE Entered<W> enter(State<W>& state, Mask<W> condition) {
  const Mask<W> taken = state.active & condition;
  if (!taken.any_lane()) return {false, state.active};
  keep_branch();
  const Mask<W> waiting = state.active.without(taken);
  state.active = taken;
  return {true, waiting};
}

/// Ends a selection that was entered: the lanes that waited rejoin those that are still here.
template <int W>
LOCKSTEP_INLINE void leave(State<W>& state, Mask<W> waiting) {
  state.active = state.active | waiting;
}

/// A loop's test: active lanes where `condition` fails leave the loop. Returns whether any lane
/// stays.
template <int W>
LOCKSTEP_INLINE bool next_test(State<W>& state, Mask<W> condition) {
  const Mask<W> leaving = state.active.without(condition);
  if (leaving.any_lane()) {
    keep_branch();
    state.broken = state.broken | leaving;
    state.active = state.active & condition;
  }
  return state.active.any_lane();
}

/// The end of a trip: the lanes that continued early rejoin.
template <int W>
LOCKSTEP_INLINE void next_trip(State<W>& state) {
  state.active = state.active | state.continuing;
  state.continuing = Mask<W>::none();
}

/// Break: the active lanes leave the innermost loop.
template <int W>
LOCKSTEP_INLINE void leave_loop(State<W>& state) {
  state.broken = state.broken | state.active;
  state.active = Mask<W>::none();
}

/// Continue: the active lanes wait for the next trip of the innermost loop.
template <int W>
LOCKSTEP_INLINE void leave_trip(State<W>& state) {
  state.continuing = state.continuing | state.active;
  state.active = Mask<W>::none();
}

/// Return: the active lanes are gone for good.
template <int W>
LOCKSTEP_INLINE void retire(State<W>& state) {
  state.active = Mask<W>::none();
}

}  // namespace lockstep::inline LOCKSTEP_ABI::exec
