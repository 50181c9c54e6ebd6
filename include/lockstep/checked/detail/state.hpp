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

}  // namespace lockstep::inline LOCKSTEP_ABI::checked
