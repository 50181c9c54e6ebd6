#pragma once

#include <type_traits>

#include <lockstep/exec/undefined.hpp>
#include <lockstep/glsl/detail/built_in_calls.hpp>
#include <lockstep/glsl/detail/vec_arguments.hpp>
#include <lockstep/lanes/vec_concept.hpp>
#include <lockstep/subgroup/detail/undefined.hpp>

/// \file
/// Built-ins whose undefined results are poison, if the dispatch says so.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The active lanes in which the built-in's result is undefined.
template <class F, int W, class... A>
requires requires(const F& f) { f.size; }
LOCKSTEP_INLINE auto undefined_lanes(const F& f, Mask<W> active, const A&... a)
    -> decltype(undefined::FunctionOf<F::id>::call(active, a..., f.size)) {
  return undefined::FunctionOf<F::id>::call(active, a..., f.size);
}
template <class F, int W, class... A>
LOCKSTEP_INLINE auto undefined_lanes(const F&, Mask<W> active, const A&... a)
    -> decltype(undefined::FunctionOf<F::id>::call(active, a...)) {
  return undefined::FunctionOf<F::id>::call(active, a...);
}

/// The value of an argument's component k; of one without components, itself.
template <class A>
LOCKSTEP_INLINE const auto& component_at([[maybe_unused]] int k, const A& argument) {
  if constexpr (is_vec<A>)
    return argument[k];
  else
    return argument;
}

/// The result with poison in these lanes; of one for all lanes, if there are any.
template <int W, class T>
requires(Number<T> || std::same_as<T, bool>) T poisoned(const T& result, Mask<W> lanes) {
  if (!lanes.any_lane()) return result;
  if constexpr (std::same_as<T, bool>)
    return !result;
  else
    return exec::poison<T>();
}
template <int W, class T>
Lanes<T, W> poisoned(const Lanes<T, W>& result, Mask<W> lanes) {
  if constexpr (std::same_as<T, bool>)
    return select(lanes, !result, result);
  else
    return select(lanes, Lanes<T, W>(exec::poison<T>()), result);
}

/// Component by component, because NaN may be in some of them alone.
template <class F, int W, class R, class... A>
R with_poison(const F& f, const R& result, Mask<W> active, const A&... a) {
  if constexpr (is_vec<R>) {
    return R::generate([&](auto k) {
      return poisoned<W>(result[k],
                         undefined_lanes(f, active, component_at(static_cast<int>(k), a)...));
    });
  } else {
    return poisoned<W>(result, undefined_lanes(f, active, a...));
  }
}

/// Whether the function of namespace undefined is one: the name of others finds the built-in itself.
template <class F, int W, class... A>
concept HasUndefined = requires(const F& f, const A&... a) {
  { undefined_lanes(f, Mask<W>(), component_at(0, a)...) } -> std::same_as<Mask<W>>;
};

/// Whether a result of type R of a built-in may be undefined for such arguments.
template <class F, class R, int W, class... A>
constexpr bool may_be_undefined() {
  constexpr bool finds_nan = F::op == "min" || F::op == "max";
  if constexpr (!HasUndefined<F, W, A...>)
    return false;
  else if constexpr (Number<R> || std::same_as<R, bool>)
    return !finds_nan || Floating<R>;
  else if constexpr (is_vec<R> || AnyLanes<R>)
    return !finds_nan || Floating<typename R::value_type>;
  else
    return false;
}

/// An argument as a value that can be copied.
template <class A>
LOCKSTEP_INLINE decltype(auto) copy_of(const A& argument) {
  if constexpr (AnyLanes<A>)
    return as_lanes(argument);
  else if constexpr (is_vec<A>)
    return as_vec(argument);
  else
    return (argument);
}

/// A built-in that poisons its undefined results if `poisons` says so. That is out of line and takes copies, so that
/// the usual results stay in registers.
template <class F>
struct Poisoning : F {
  bool poisons;

  template <int W, class... A>
  LOCKSTEP_INLINE auto operator()(Mask<W> active, const A&... a) const {
    using R = decltype(F::operator()(active, a...));
    if constexpr (may_be_undefined<F, R, W, A...>()) {
      const R result = F::operator()(active, a...);
      if (poisons) [[unlikely]]
        return out_of_line<R, W>(*this, result, active, copy_of(a)...);
      return result;
    } else {
      return F::operator()(active, a...);
    }
  }

 private:
  template <class R, int W, class... A>
  [[gnu::cold, gnu::noinline]] static R out_of_line(F f, R result, Mask<W> active, A... a) {
    return with_poison(f, result, active, a...);
  }
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
