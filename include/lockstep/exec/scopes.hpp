#pragma once

#include <lockstep/exec/transitions.hpp>

/// \file
/// Control flow as objects whose lifetime is the construct: `if (auto in = If(...))`, `for (auto l
/// = ...)`.

namespace lockstep::inline LOCKSTEP_ABI::exec {

/// A selection. Converts to true when any lane goes in; its end lets the others rejoin and
/// remembers them for an Else.
template <int W>
class [[nodiscard]] IfScope {
 public:
  LOCKSTEP_INLINE IfScope(State<W>& state, Mask<W> condition)
      : state_(state), entered_(enter(state, condition)) {}
  LOCKSTEP_INLINE ~IfScope() {
    state_.otherwise = entered_.waiting;
    if (entered_.any) leave(state_, entered_.waiting);
  }
  IfScope(const IfScope&) = delete;
  IfScope& operator=(const IfScope&) = delete;

  LOCKSTEP_INLINE explicit operator bool() const { return entered_.any; }

 private:
  State<W>& state_;
  Entered<W> entered_;
};

/// The other side of the selection that closed last. Inside it, `Else If` chains may close
/// selections of their own, so it leaves the memory of them alone.
template <int W>
class [[nodiscard]] ElseScope {
 public:
  LOCKSTEP_INLINE explicit ElseScope(State<W>& state)
      : state_(state), entered_(enter(state, state.otherwise)) {
    if (!entered_.any) state.otherwise = Mask<W>::none();
  }
  LOCKSTEP_INLINE ~ElseScope() {
    if (entered_.any) leave(state_, entered_.waiting);
  }
  ElseScope(const ElseScope&) = delete;
  ElseScope& operator=(const ElseScope&) = delete;

  LOCKSTEP_INLINE explicit operator bool() const { return entered_.any; }

 private:
  State<W>& state_;
  Entered<W> entered_;
};

/// A loop: `for (auto l = LoopScope(state); l.again(condition); l.next())`. Behind it all lanes
/// that left it, by its test or by Break, run again.
template <int W>
class [[nodiscard]] LoopScope {
 public:
  LOCKSTEP_INLINE explicit LoopScope(State<W>& state)
      : state_(state), outer_broken_(state.broken), outer_continuing_(state.continuing) {
    state.broken = Mask<W>::none();
    state.continuing = Mask<W>::none();
  }
  LOCKSTEP_INLINE ~LoopScope() {
    state_.active = state_.active | state_.broken;
    state_.broken = outer_broken_;
    state_.continuing = outer_continuing_;
  }
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

  /// Whether another trip runs: lanes where the condition fails leave the loop.
  LOCKSTEP_INLINE bool again(Mask<W> condition) { return next_test(state_, condition); }
  /// The end of a trip.
  LOCKSTEP_INLINE void next() { next_trip(state_); }

 private:
  State<W>& state_;
  Mask<W> outer_broken_;
  Mask<W> outer_continuing_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::exec
