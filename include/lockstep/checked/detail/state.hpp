#pragma once

#include <lockstep/checked/detail/results.hpp>
#include <lockstep/exec/state.hpp>
#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/used.hpp>

/// \file
/// The state and the numbers of checked machines.

namespace lockstep::inline LOCKSTEP_ABI::checked {

struct Numbers {
  template <class T>
  using Scalar = Checked<lockstep::detail::Plain<T>>;
};

template <int W>
struct State : exec::State<W> {
  static constexpr bool is_checked = true;
};
template <int W>
struct TangledState : exec::TangledState<W> {
  static constexpr bool is_checked = true;
  using exec::TangledState<W>::TangledState;
};

template <class S>
concept CheckedState = S::is_checked;

/// Reports the undefined ones of these lanes.
template <int W>
LOCKSTEP_INLINE void check(UseKind use, SourceLocation where, Mask<W> active,
                           const Poison<W>& poison, const MemoryObject& object = {}) {
  const Mask<W> undefined = active & poison.lanes;
  if (undefined.any_lane()) [[unlikely]]
    origins::report(use, where, to_lane_set(undefined), poison.since, object);
}

/// Control flow, indices, images.
template <CheckedState State, class T, int W, class... Binding>
const Lanes<T, W>& used(const State& state, const Value<T, W>& value, SourceLocation where,
                        UseKind use, const Binding&... binding) {
  check(use, where, state.active, value.poison(), binding.object()...);
  return value.plain();
}
template <CheckedState State, class T, int N, int W, class... Binding>
Vec<T, N, W> used(const State& state, const Vec<Checked<T>, N, W>& value, SourceLocation where,
                  UseKind use, const Binding&... binding) {
  check(use, where, state.active, poison_of<W>(value), binding.object()...);
  return numbers(value);
}

/// Variables without a value.
template <CheckedState State, class T, int W>
Value<T, W> unwritten(const State&, const Value<T, W>& initial, const char* name,
                      SourceLocation declared) {
  return {initial.plain(),
          Poison<W>::from(Check::uninitialised_variable, Mask<W>::all(), declared, name)};
}
template <CheckedState State, class T, int N, int W>
Vec<Checked<T>, N, W> unwritten(const State& state, const Vec<Checked<T>, N, W>& initial,
                                const char* name, SourceLocation declared) {
  return initial.map(
      [&](const Value<T, W>& part) { return unwritten(state, part, name, declared); });
}

}  // namespace lockstep::inline LOCKSTEP_ABI::checked
