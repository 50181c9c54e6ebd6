#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/left_scope.hpp>
#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/transitions.hpp>

/// \file
/// Control flow as objects whose lifetime is the construct: `if (auto in = IfScope(state, ...))`,
/// `for (auto l = LoopScope(state); ...)`. They work on both kinds of state.

namespace lockstep::inline LOCKSTEP_ABI::exec {

// The fast state ignores source locations.

/// Starts a selection: the lanes with a true condition stay active.
template <int W>
LOCKSTEP_INLINE Entered<W> enter(State<W>& state, Mask<W> condition, SourceLocation) {
  return enter(state, condition);
}
/// Ends a selection and keeps the waiting lanes for an Else.
template <int W>
LOCKSTEP_INLINE void close_selection(State<W>& state, const Entered<W>& entered) {
  state.otherwise = entered.waiting;
  if (entered.any) leave(state, entered.waiting);
}
/// Starts the other side of the selection that closed last. Inside it, `Else If` chains may close
/// selections of their own, so it leaves `otherwise` unchanged.
template <int W>
LOCKSTEP_INLINE Entered<W> enter_other_side(State<W>& state) {
  const Entered<W> entered = enter(state, state.otherwise);
  if (!entered.any) state.otherwise = Mask<W>::none();
  return entered;
}
/// Ends the other side of a selection.
template <int W>
LOCKSTEP_INLINE void close_other_side(State<W>& state, const Entered<W>& entered) {
  if (entered.any) leave(state, entered.waiting);
}
/// Starts a loop.
template <int W>
LOCKSTEP_INLINE OuterLoop<W> enter_loop(State<W>& state, SourceLocation) {
  return enter_loop(state);
}
/// Deactivates lanes whose condition is false; whether any lane stays in the loop.
template <int W>
LOCKSTEP_INLINE bool test_loop(State<W>& state, Mask<W> condition, SourceLocation) {
  return next_test(state, condition);
}
/// Starts a switch.
template <int W>
LOCKSTEP_INLINE Switching<W> enter_switch(State<W>& state, SourceLocation) {
  return enter_switch(state);
}
/// Activates the lanes that enter a case; whether there is one.
template <int W, class T>
LOCKSTEP_INLINE bool enter_case(State<W>& state, Switching<W>& entered, Mask<W> matching,
                                const Lanes<T, W>&, SourceLocation) {
  return enter_case(state, entered, matching);
}
/// What the start of a function saved.
template <int W>
struct OuterCall {
  Mask<W> returned;
  bool in_function;
};
/// Starts a function that lanes may leave early.
template <int W>
LOCKSTEP_INLINE OuterCall<W> call(State<W>& state, SourceLocation) {
  const OuterCall<W> outer{call(state), state.in_function};
  if (!outer.in_function) state.gone = outer.returned;
  state.in_function = true;
  return outer;
}
/// Ends a function: the lanes that returned from it rejoin.
template <int W>
LOCKSTEP_INLINE void end_call(State<W>& state, const OuterCall<W>& outer) {
  end_call(state, outer.returned);
  state.in_function = outer.in_function;
}
/// Break: the active lanes leave the loop or switch.
template <int W>
LOCKSTEP_INLINE void leave_loop(State<W>& state, SourceLocation) {
  leave_loop(state);
}
/// Continue: the active lanes leave the iteration.
template <int W>
LOCKSTEP_INLINE void leave_trip(State<W>& state, SourceLocation) {
  leave_trip(state);
}
/// Return: the active lanes leave the function.
template <int W>
LOCKSTEP_INLINE void retire(State<W>& state, SourceLocation) {
  retire(state);
}

/// Counts a loop's iterations if nothing else does, so that an endless loop becomes an error: one
/// subtraction and one branch per iteration.
template <class State>
class TripLimit {
 public:
  LOCKSTEP_INLINE explicit TripLimit(std::uint64_t max_trips)
      : most_(max_trips), left_(max_trips) {}
  /// Counts an iteration, and ends the run after too many.
  LOCKSTEP_INLINE void count(const State& state, SourceLocation where) {
    if (left_-- == 0) [[unlikely]]
      stop(state, where.file, where.line, most_);
  }

 private:
  // Without an object in memory before the loop: the place in its parts, the masks by value.
  [[noreturn, gnu::cold, gnu::noinline]] static void stop(State state, const char* file, int line,
                                                          std::uint64_t most) {
    fail::endless_loop({file, line}, {to_lane_set(state.active), to_lane_set(state.broken)}, most);
  }

  std::uint64_t most_;
  std::uint64_t left_;
};
/// The reconvergence stack counts by itself.
template <class State>
requires requires(const State& state) { state.stack; }
class TripLimit<State> {
 public:
  explicit TripLimit(std::uint64_t) {}
  void count(const State&, SourceLocation) {}
};

/// The mask type of a state.
template <class State>
using MaskOf = decltype(State::active);

/// A selection. Converts to true if any lane enters; its end lets the others rejoin and keeps them
/// for an Else.
template <class State>
class [[nodiscard]] IfScope {
 public:
  LOCKSTEP_INLINE IfScope(State& state, MaskOf<State> condition,
                          SourceLocation where = SourceLocation::current())
      : state_(state), entered_(enter(state, condition, where)) {}
  LOCKSTEP_INLINE ~IfScope() noexcept(false) { close_selection(state_, entered_); }
  IfScope(const IfScope&) = delete;
  IfScope& operator=(const IfScope&) = delete;

  LOCKSTEP_INLINE explicit operator bool() const { return entered_.any; }

 private:
  State& state_;
  decltype(enter(std::declval<State&>(), MaskOf<State>(), SourceLocation())) entered_;
};

/// The other side of the selection that closed last.
template <class State>
class [[nodiscard]] ElseScope {
 public:
  LOCKSTEP_INLINE explicit ElseScope(State& state)
      : state_(state), entered_(enter_other_side(state)) {}
  LOCKSTEP_INLINE ~ElseScope() noexcept(false) { close_other_side(state_, entered_); }
  ElseScope(const ElseScope&) = delete;
  ElseScope& operator=(const ElseScope&) = delete;

  LOCKSTEP_INLINE explicit operator bool() const { return entered_.any; }

 private:
  State& state_;
  decltype(enter_other_side(std::declval<State&>())) entered_;
};

/// A loop: `for (auto l = LoopScope(state); l.again(condition); l.next())`. After it, all lanes
/// that left it, by its test or by Break, are active again.
template <class State>
class [[nodiscard]] LoopScope {
 public:
  LOCKSTEP_INLINE explicit LoopScope(State& state, SourceLocation where = SourceLocation::current(),
                                     std::uint64_t max_trips = ~std::uint64_t{0})
      : state_(state), where_(where), outer_(enter_loop(state, where)), limit_(max_trips) {}
  LOCKSTEP_INLINE ~LoopScope() noexcept(false) {
    exit_loop(state_, outer_);
    if (running_) [[unlikely]]
      fail::left_scope(where_, "loop");
  }
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

  /// Whether another iteration runs: lanes where the condition fails leave the loop.
  LOCKSTEP_INLINE bool again(MaskOf<State> condition) {
    running_ = test_loop(state_, condition, where_);
    if (running_) limit_.count(state_, where_);
    return running_;
  }
  /// The end of an iteration.
  LOCKSTEP_INLINE void next() { next_trip(state_); }

  /// For a loop whose test comes last: whether an iteration runs, the first one for all lanes.
  LOCKSTEP_INLINE bool again_unless_done() {
    if (!tested_) return again(MaskOf<State>::all());
    tested_ = false;
    running_ = state_.active.any_lane();
    if (running_) limit_.count(state_, where_);
    return running_;
  }
  /// That test: the iteration ends, and lanes where the condition fails leave the loop. The
  /// condition is a function, because lanes that continued early evaluate it, too.
  template <class F>
  LOCKSTEP_INLINE void test_last(F&& condition) {
    next_trip(state_);
    test_loop(state_, condition(), where_);
    tested_ = true;
  }

 private:
  State& state_;
  SourceLocation where_;
  decltype(enter_loop(std::declval<State&>(), SourceLocation())) outer_;
  TripLimit<State> limit_;
  bool tested_ = false;
  bool running_ = false;  ///< between a test that let lanes in and the next one
};

/// A loop whose test comes last, as a type of its own: a lower-case `continue` would skip the test.
template <class State>
class [[nodiscard]] DoScope : public LoopScope<State> {
 public:
  using LoopScope<State>::LoopScope;
};

/// One case of a switch: converts to true if any lane is in it. Lanes that reach its end fall
/// through to the next.
class [[nodiscard]] CaseScope {
 public:
  LOCKSTEP_INLINE explicit CaseScope(bool any) : any_(any) {}
  CaseScope(const CaseScope&) = delete;
  CaseScope& operator=(const CaseScope&) = delete;

  LOCKSTEP_INLINE explicit operator bool() const { return any_; }

 private:
  bool any_;
};

/// A switch: `for (auto s = SwitchScope(state, value); s.again();) { if (auto c = s.match(1, 2))
/// ... }` with cases and at most one other(), in any order. The block runs twice: the first pass
/// enters no case and collects all labels, so that other() knows its lanes in any position.
template <class State, class T>
class [[nodiscard]] SwitchScope {
  using M = MaskOf<State>;
  using L = Lanes<T, M::width>;

 public:
  LOCKSTEP_INLINE SwitchScope(State& state, const L& selector,
                              SourceLocation where = SourceLocation::current())
      : state_(state), selector_(selector), where_(where), entered_(enter_switch(state, where)) {}
  LOCKSTEP_INLINE ~SwitchScope() noexcept(false) {
    leave_switch(state_, entered_);
    if (pass_ != finished) [[unlikely]]
      fail::left_scope(where_, "Switch");
  }
  SwitchScope(const SwitchScope&) = delete;
  SwitchScope& operator=(const SwitchScope&) = delete;

  /// Whether the block runs again.
  LOCKSTEP_INLINE bool again() { return ++pass_ < finished; }
  /// The lanes whose value is one of the labels.
  template <class... Label>
  LOCKSTEP_INLINE CaseScope match(SourceLocation where, Label... label) {
    const M matching = ((selector_ == lanes_of(label)).mask() | ...);
    if (pass_ == 1) {
      labelled_ = labelled_ | matching;
      return CaseScope(false);
    }
    return CaseScope(enter_case(state_, entered_, matching, selector_, where));
  }
  /// The lanes whose value has no label: default.
  LOCKSTEP_INLINE CaseScope other(SourceLocation where) {
    if (pass_ == 1) return CaseScope(false);
    return CaseScope(enter_case(state_, entered_, ~labelled_, selector_, where));
  }

 private:
  static constexpr int finished = 3;

  /// Without conversions that GLSL lacks.
  LOCKSTEP_INLINE static const L& lanes_of(const L& label) { return label; }

  State& state_;
  L selector_;
  SourceLocation where_;
  decltype(enter_switch(std::declval<State&>(), SourceLocation())) entered_;
  M labelled_{};
  int pass_ = 0;
};

/// The scope of an If, Else or Case with its body as a loop of one iteration, `for (auto b = ...; b.open;
/// b.open = false)`: what leaves the body other than by its end leaves it open.
template <class Scope>
struct [[nodiscard]] Body {
  Scope scope;
  SourceLocation where;
  bool open = static_cast<bool>(scope);

  LOCKSTEP_INLINE ~Body() noexcept(false) {
    if (open) [[unlikely]]
      fail::left_scope(where, "If, Else or Case");
  }
};

/// Where a keyword stands outside of all scopes and functions.
struct Outside {};

template <class Scope>
inline constexpr bool continues = false;
template <>
inline constexpr bool continues<Outside> = true;
template <class State>
inline constexpr bool continues<LoopScope<State>> = true;

/// A lower-case `continue` in Scope: only where its target is a loop of lanes or a uniform one, whose next
/// iteration is that of all active lanes.
template <class Scope>
requires(continues<Scope>) constexpr int plain_continue() { return 0; }
template <class Scope>
requires(!continues<Scope>) __attribute__((unavailable(
    "a lower-case continue inside If, Else, Case, Switch or Do moves "
    "all lanes, also those that are not in it: write Continue"))) constexpr int plain_continue() {
  return 0;
}

/// A function that lanes may leave early.
template <class State>
class [[nodiscard]] CallScope {
 public:
  LOCKSTEP_INLINE explicit CallScope(State& state, SourceLocation where = SourceLocation::current())
      : state_(state), outer_(call(state, where)) {}
  LOCKSTEP_INLINE ~CallScope() noexcept(false) { end_call(state_, outer_); }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  State& state_;
  decltype(call(std::declval<State&>(), SourceLocation())) outer_;
};

/// Whether a function of this name ends when its lanes return: a kernel's main().
constexpr bool is_main(std::string_view function) { return function == "main"; }

template <class F>
inline constexpr bool is_call = false;
template <class State>
inline constexpr bool is_call<CallScope<State>> = true;

/// A Return in a function with the scope F, or without one.
template <class F, bool Main>
requires(is_call<F> || (Main && std::same_as<F, Outside>)) constexpr void check_return() {}
template <class F, bool Main>
requires(!is_call<F> && !(Main && std::same_as<F, Outside>))
    __attribute__((unavailable("Return outside of main() leaves only a function whose first "
                               "statement is Function; and one with FunctionOf (Type); is left by "
                               "ReturnValue (value)"))) constexpr void check_return() {}

}  // namespace lockstep::inline LOCKSTEP_ABI::exec
