#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <lockstep/exec/divergent_write.hpp>
#include <lockstep/exec/state.hpp>
#include <lockstep/exec/tangled_state.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// Whether a value, or what a built-in returned, is a float and T an integer. GLSL has no such implicit
/// conversion.
template <class U, class T>
inline constexpr bool is_float_for_integer = [] {
  if constexpr (std::integral<T> && requires(const std::remove_cvref_t<U>& from) { +from; })
    return std::floating_point<decltype(+std::declval<const std::remove_cvref_t<U>&>())>;
  return false;
}();

/// A value for a uniform variable, and where it stands in the source.
template <class T>
struct UniformValue {
  T value;
  SourceLocation where;

  template <std::convertible_to<T> U>
  requires(!is_float_for_integer<U, T>) LOCKSTEP_INLINE
      UniformValue(U&& from, SourceLocation place = SourceLocation::current())
      : value(static_cast<U&&>(from)), where(place) {}
};

/// Lanes of the subgroup that have returned from the kernel.
template <int W>
LOCKSTEP_INLINE Mask<W> ended_lanes(const exec::State<W>& state) {
  return state.ended();
}
template <int W>
Mask<W> ended_lanes(const exec::TangledState<W>& state) {
  return to_mask<W>(returned_lanes(*state.stack));
}

}  // namespace detail

/// A variable with one value for the subgroup, which plain C++ can use: `auto n = uniform(0u);`.
///
/// A plain `uint n` changes for all lanes, also inside an If. This one may be written only where all lanes
/// are active that were active at its declaration, except those that have returned from the kernel.
///
/// Requires      Created inside a kernel; neither copied nor moved.
/// Active lanes  Assignment throws Error where lanes are missing.
/// Errors        As above.
/// Cost          One comparison of masks for each assignment.
/// Spec          GLSL: a variable that is dynamically uniform
/// Example       tests/glsl/uniform.cpp
template <class State, class T>
class Uniform {
 public:
  LOCKSTEP_INLINE Uniform(const State& state, T initial, SourceLocation where)
      : state_(state), declared_(state.active), value_(initial), where_(where) {}
  /// The state must outlive the variable, which refers to it.
  Uniform(const State&& state, T initial, SourceLocation where) = delete;
  Uniform(const Uniform&) = delete;

  LOCKSTEP_INLINE operator T() const { return value_; }

  /// Sets the value for the subgroup.
  LOCKSTEP_INLINE Uniform& operator=(const detail::UniformValue<T>& v) {
    check(v.where);
    value_ = v.value;
    return *this;
  }
  LOCKSTEP_INLINE Uniform& operator=(const Uniform& other) {
    check(where_);
    value_ = other.value_;
    return *this;
  }
#define LOCKSTEP_UNIFORM_ASSIGN(op)                                           \
  LOCKSTEP_INLINE Uniform& operator op##=(const detail::UniformValue<T>& v) { \
    check(v.where);                                                           \
    value_ = static_cast<T>(value_ op v.value);                               \
    return *this;                                                             \
  }
  LOCKSTEP_UNIFORM_ASSIGN(+)
  LOCKSTEP_UNIFORM_ASSIGN(-)
  LOCKSTEP_UNIFORM_ASSIGN(*)
  LOCKSTEP_UNIFORM_ASSIGN(/)
  LOCKSTEP_UNIFORM_ASSIGN(%)
  LOCKSTEP_UNIFORM_ASSIGN(&)
  LOCKSTEP_UNIFORM_ASSIGN(|)
  LOCKSTEP_UNIFORM_ASSIGN(^)
  LOCKSTEP_UNIFORM_ASSIGN(<<)
  LOCKSTEP_UNIFORM_ASSIGN(>>)
#undef LOCKSTEP_UNIFORM_ASSIGN
  LOCKSTEP_INLINE Uniform& operator++() {
    check(where_);
    ++value_;
    return *this;
  }
  LOCKSTEP_INLINE Uniform& operator--() {
    check(where_);
    --value_;
    return *this;
  }

 private:
  LOCKSTEP_INLINE void check(SourceLocation where) const {
    const auto missing = declared_.without(state_.active);
    if (missing.any_lane()) [[unlikely]] {
      const auto outside = missing.without(detail::ended_lanes(state_));
      if (outside.any_lane())
        fail::divergent_write(where, to_lane_set(state_.active), to_lane_set(outside));
    }
  }

  const State& state_;
  decltype(State::active) declared_;
  T value_;
  SourceLocation where_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
