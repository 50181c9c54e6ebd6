#pragma once

#include <lockstep/subgroup/detail/scan.hpp>

/// \file
/// GL_KHR_shader_subgroup_arithmetic: seven operators as reduction, inclusive and exclusive scan.

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup reductions Reductions: the operator over the values of all active lanes
///
/// Requires      Add, Mul, Min, Max take numbers; And, Or, Xor integers and bools. With no active
///               lane the result is the operator's identity.
/// Active lanes  Inactive lanes contribute nothing. The result is the same for all active lanes, so
///               it is returned as a plain scalar (for a vector, component by component).
/// Errors        None. Integers wrap. Min and Max prefer any number to NaN; of NaN alone the result
///               is undefined (here +-infinity, see undefined::subgroupMin).
/// Cost          One blend and one operation per register, then log2 of a register's lanes.
/// Spec          GLSL subgroupAdd ... · SPIR-V OpGroupNonUniformIAdd ..., Reduce. Float order is
///               free in GLSL; here it is one fixed tree, the same on every back end.
/// Example       kernels/max_reduce
/// @{

/// The sum over all active lanes.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupAdd(Mask<W> active, const V& value) {
  return detail::reduce<detail::Add>(active, value);
}

/// The product over all active lanes.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupMul(Mask<W> active, const V& value) {
  return detail::reduce<detail::Mul>(active, value);
}

/// The minimum over all active lanes.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupMin(Mask<W> active, const V& value) {
  return detail::reduce<detail::Min>(active, value);
}

/// The maximum over all active lanes.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupMax(Mask<W> active, const V& value) {
  return detail::reduce<detail::Max>(active, value);
}

/// The bitwise or logical and over all active lanes.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupAnd(Mask<W> active, const V& value) {
  return detail::reduce<detail::And>(active, value);
}

/// The bitwise or logical or over all active lanes.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupOr(Mask<W> active, const V& value) {
  return detail::reduce<detail::Or>(active, value);
}

/// The bitwise or logical exclusive or over all active lanes.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupXor(Mask<W> active, const V& value) {
  return detail::reduce<detail::Xor>(active, value);
}

/// @}

/// \defgroup inclusive_scans Inclusive scans: the operator over the active lanes up to and
/// including this lane
///
/// Requires      As for reductions.
/// Active lanes  Inactive lanes contribute nothing and get the result of the active lanes below them.
/// Errors        As for reductions, for each prefix.
/// Cost          Per register, log2 of its lanes shuffles and operations, then a carry.
/// Spec          GLSL subgroupInclusiveAdd ... · SPIR-V OpGroupNonUniformIAdd ..., InclusiveScan
/// Example       kernels/prefix_sum
/// @{

/// The sum over the active lanes up to and including this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveAdd(Mask<W> active, const V& value) {
  return detail::inclusive_scan<detail::Add>(active, value);
}

/// The product over the active lanes up to and including this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveMul(Mask<W> active, const V& value) {
  return detail::inclusive_scan<detail::Mul>(active, value);
}

/// The minimum over the active lanes up to and including this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveMin(Mask<W> active, const V& value) {
  return detail::inclusive_scan<detail::Min>(active, value);
}

/// The maximum over the active lanes up to and including this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveMax(Mask<W> active, const V& value) {
  return detail::inclusive_scan<detail::Max>(active, value);
}

/// The bitwise or logical and over the active lanes up to and including this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveAnd(Mask<W> active, const V& value) {
  return detail::inclusive_scan<detail::And>(active, value);
}

/// The bitwise or logical or over the active lanes up to and including this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveOr(Mask<W> active, const V& value) {
  return detail::inclusive_scan<detail::Or>(active, value);
}

/// The bitwise or logical exclusive or over the active lanes up to and including this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveXor(Mask<W> active, const V& value) {
  return detail::inclusive_scan<detail::Xor>(active, value);
}

/// @}

/// \defgroup exclusive_scans Exclusive scans: the operator over the active lanes below this lane
///
/// Requires      As for reductions.
/// Active lanes  Inactive lanes contribute nothing and get the result of the active lanes below
///               them. The lowest active lane gets the identity: 0, 1, the type's extremes or
///               +-infinity, all ones.
/// Errors        As for reductions, for each prefix.
/// Cost          An inclusive scan and one more shuffle per register.
/// Spec          GLSL subgroupExclusiveAdd ... · SPIR-V OpGroupNonUniformIAdd ..., ExclusiveScan
/// Example       tests/subgroup/arithmetic.cpp
/// @{

/// The sum over the active lanes below this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveAdd(Mask<W> active, const V& value) {
  return detail::exclusive_scan<detail::Add>(active, value);
}

/// The product over the active lanes below this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveMul(Mask<W> active, const V& value) {
  return detail::exclusive_scan<detail::Mul>(active, value);
}

/// The minimum over the active lanes below this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveMin(Mask<W> active, const V& value) {
  return detail::exclusive_scan<detail::Min>(active, value);
}

/// The maximum over the active lanes below this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveMax(Mask<W> active, const V& value) {
  return detail::exclusive_scan<detail::Max>(active, value);
}

/// The bitwise or logical and over the active lanes below this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveAnd(Mask<W> active, const V& value) {
  return detail::exclusive_scan<detail::And>(active, value);
}

/// The bitwise or logical or over the active lanes below this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveOr(Mask<W> active, const V& value) {
  return detail::exclusive_scan<detail::Or>(active, value);
}

/// The bitwise or logical exclusive or over the active lanes below this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveXor(Mask<W> active, const V& value) {
  return detail::exclusive_scan<detail::Xor>(active, value);
}

/// @}

namespace undefined {

/// All active lanes if every one of them holds NaN, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupMin(Mask<W> active, const V& value) {
  return detail::in_any_component<W>(value, [&](const auto& v) {
    return detail::numbers(active, v).any_lane() ? Mask<W>::none() : active;
  });
}
/// All active lanes if every one of them holds NaN, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupMax(Mask<W> active, const V& value) {
  return undefined::subgroupMin(active, value);
}
/// The active lanes below the first one with a number.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupInclusiveMin(Mask<W> active, const V& value) {
  return detail::in_any_component<W>(value, [&](const auto& v) {
    const Mask<W> numbers = detail::numbers(active, v);
    return numbers.any_lane() ? active & Mask<W>::first_n(numbers.first()) : active;
  });
}
/// The active lanes below the first one with a number.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupInclusiveMax(Mask<W> active, const V& value) {
  return undefined::subgroupInclusiveMin(active, value);
}
/// The active lanes up to the first one with a number, except the lowest, which gets the identity.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupExclusiveMin(Mask<W> active, const V& value) {
  return detail::in_any_component<W>(value, [&](const auto& v) {
    const Mask<W> numbers = detail::numbers(active, v);
    const Mask<W> only_nan =
        numbers.any_lane() ? active & Mask<W>::first_n(numbers.first() + 1) : active;
    return only_nan.without(active.lowest());
  });
}
/// The active lanes up to the first one with a number, except the lowest, which gets the identity.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupExclusiveMax(Mask<W> active, const V& value) {
  return undefined::subgroupExclusiveMin(active, value);
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
