#pragma once

#include <lockstep/exec/source_location.hpp>
#include <lockstep/exec/state.hpp>

/// \file
/// How the active mask changes in structured control flow. Ordinary functions on State, called by
/// the C++ scopes.

namespace lockstep::inline LOCKSTEP_ABI::exec {

/// Preserves a branch. When an If holds only mask work, compilers turn it into branch-free mask
/// arithmetic, whose latency becomes the loop's: compare, move to a mask register, and, blend,
/// compare. With the masks written after a real branch, branch prediction breaks that chain;
/// divergent loops ran 1.3 to 1.6 times faster on g++ 12 and clang 14 (docs/performance.md).
LOCKSTEP_INLINE void keep_branch() { asm volatile(""); }
/// The same for a branch on this mask, which stays in a general register. g++ 12 otherwise keeps it in a mask
/// register alone and fetches it from there for the next transition: 3 cycles each way, in every iteration.
template <int W>
LOCKSTEP_INLINE void keep_branch(Mask<W>& mask) {
  if constexpr (W <= 64) {
    auto bits = mask.bits();
    asm volatile("" : "+r"(bits));
    mask = Mask<W>::from_bits(bits);
  } else {
    keep_branch();
  }
}

/// The result of starting a selection: whether any lane entered, and the lanes that wait for its end.
template <int W>
struct Entered {
  bool any;
  Mask<W> waiting;
};

/// Starts a selection: the active lanes where `condition` holds enter, the others wait. If no lane
/// enters, the state does not change, and all active lanes count as waiting.
template <int W>
LOCKSTEP_INLINE Entered<W> enter(State<W>& state, Mask<W> condition) {
  // Not const: g++ 12 keeps const objects of class type in memory.
  Mask<W> taken = state.active & condition;
  if (!taken.any_lane()) return {false, state.active};
  keep_branch(taken);
  Mask<W> waiting = state.active.without(taken);
  state.active = taken;
  return {true, waiting};
}

/// Ends a selection: the waiting lanes rejoin those that are still active.
template <int W>
LOCKSTEP_INLINE void leave(State<W>& state, Mask<W> waiting) {
  state.active = state.active | waiting;
}

/// A loop's test: active lanes where `condition` fails leave the loop. Returns whether any lane
/// stays.
template <int W>
LOCKSTEP_INLINE bool next_test(State<W>& state, Mask<W> condition) {
  Mask<W> leaving = state.active.without(condition);
  if (leaving.any_lane()) {
    keep_branch();
    state.broken = state.broken | leaving;
    state.active = state.active & condition;
  }
  return state.active.any_lane();
}

/// The end of an iteration: the lanes that continued early rejoin.
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

/// Continue: the active lanes wait for the next iteration of the innermost loop.
template <int W>
LOCKSTEP_INLINE void leave_trip(State<W>& state) {
  state.continuing = state.continuing | state.active;
  state.active = Mask<W>::none();
}

/// Return: the active lanes leave the innermost function, or the kernel.
template <int W>
LOCKSTEP_INLINE void retire(State<W>& state) {
  state.returned = state.returned | state.active;
  state.active = Mask<W>::none();
}

/// What the start of a loop saves: the lanes that wait for the enclosing loop.
template <int W>
struct OuterLoop {
  Mask<W> broken, continuing;
};

/// Starts a loop.
template <int W>
LOCKSTEP_INLINE OuterLoop<W> enter_loop(State<W>& state) {
  const OuterLoop<W> outer{state.broken, state.continuing};
  state.broken = Mask<W>::none();
  state.continuing = Mask<W>::none();
  return outer;
}
/// Ends a loop: all lanes that left it, by its test or by Break, become active again.
template <int W>
LOCKSTEP_INLINE void exit_loop(State<W>& state, const OuterLoop<W>& outer) {
  state.active = state.active | state.broken;
  state.broken = outer.broken;
  state.continuing = outer.continuing;
}

/// The lanes that wait for their case, and those that wait for the enclosing loop or switch.
template <int W>
struct Switching {
  Mask<W> waiting, outer_broken;
};

/// Starts a switch: all lanes wait for their case.
template <int W>
LOCKSTEP_INLINE Switching<W> enter_switch(State<W>& state) {
  const Switching<W> entered{state.active, state.broken};
  state.broken = Mask<W>::none();
  state.active = Mask<W>::none();
  return entered;
}
/// A case: waiting lanes that match join those that fall through from the case before.
template <int W>
LOCKSTEP_INLINE bool enter_case(State<W>& state, Switching<W>& entered, Mask<W> matching) {
  state.active = state.active | (entered.waiting & matching);
  entered.waiting = entered.waiting.without(matching);
  return state.active.any_lane();
}
/// Ends a switch: lanes that fell through its last case, left it or matched no case become active again.
template <int W>
LOCKSTEP_INLINE void leave_switch(State<W>& state, const Switching<W>& entered) {
  state.active = state.active | state.broken | entered.waiting;
  state.broken = entered.outer_broken;
}

/// A break out of a loop from inside a switch: the active lanes leave the loop that encloses
/// `outermost`, the outermost switch that they leave with it.
template <int W>
LOCKSTEP_INLINE void leave_loop_around(State<W>& state, Switching<W>& outermost) {
  outermost.outer_broken = outermost.outer_broken | state.active;
  state.active = Mask<W>::none();
}

/// Starts a function; returns the lanes that have returned from the enclosing one.
template <int W>
LOCKSTEP_INLINE Mask<W> call(State<W>& state) {
  const Mask<W> outer = state.returned;
  state.returned = Mask<W>::none();
  return outer;
}
/// Ends a function: lanes that returned early become active again.
template <int W>
LOCKSTEP_INLINE void end_call(State<W>& state, Mask<W> outer) {
  state.active = state.active | state.returned;
  state.returned = outer;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::exec
