#pragma once

#include <concepts>

#include <lockstep/subgroup/quad.hpp>

/// \file
/// Derivatives: how a value changes from pixel to pixel, as a difference between members of a quad.
/// Members 0 and 1 are above 2 and 3.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// The difference between two members of the lane's own quad: the member whose number has only the
/// bits in `keep`, and its neighbour along an axis (1 for x, 2 for y).
template <int W, class V>
LOCKSTEP_INLINE auto quad_difference(const V& value, std::uint32_t axis, std::uint32_t keep) {
  using Uint = Lanes<std::uint32_t, W>;
  const Uint low = Uint::iota() & Uint(keep), high = low | Uint(axis);
  return lift<W>(
      value, [&](const auto& lanes) __attribute__((always_inline)) {
        return permute(lanes, high) - permute(lanes, low);
      });
}

/// |dx| + |dy|.
template <int W, class V>
LOCKSTEP_INLINE auto quad_width(const V& value, std::uint32_t keep_x, std::uint32_t keep_y) {
  using Uint = Lanes<std::uint32_t, W>;
  const auto magnitude = [](const auto& x) __attribute__((always_inline)) {
    using L = std::remove_cvref_t<decltype(x)>;
    const L zero(typename L::value_type(0));
    return select(x <= zero, zero - x, x);  // not -x, which would turn +0 into -0
  };
  const Uint x = Uint::iota() & Uint(keep_x), y = Uint::iota() & Uint(keep_y);
  return lift<W>(
      value, [&](const auto& lanes) __attribute__((always_inline)) {
        return magnitude(permute(lanes, x | Uint(1u)) - permute(lanes, x)) +
               magnitude(permute(lanes, y | Uint(2u)) - permute(lanes, y));
      });
}

template <class V>
concept FloatingLanes = std::floating_point<typename V::value_type>;

}  // namespace detail

/// \defgroup derivatives Change of a value across the quad
///
/// Fine derivatives use the lane's own row or column, coarse ones the row and column of member 0,
/// so that all four members get the same result. Where GLSL leaves it open they are fine.
///
/// Requires      The members involved are active, else the result is undefined: here computed from
///               whatever they hold. See undefined::dFdx and others. In compute kernels, a mapping
///               with meaningful quads (Mapping::quads, or linear for DerivativeGroupLinear).
/// Active lanes  Inactive lanes get their quad's difference, too.
/// Errors        None.
/// Cost          Two permutes and a subtraction; fwidth twice as much.
/// Spec          GLSL dFdx, dFdy, fwidth, ...Fine, ...Coarse · SPIR-V OpDPdx, OpDPdy, OpFwidth ...
/// Example       tests/subgroup/derivatives.cpp
/// @{

/// From the left to the right member of the lane's own row.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto dFdxFine(Mask<W>, const V& value) {
  return detail::quad_difference<W>(value, 1, ~1u);
}
/// From the upper to the lower member of the lane's own column.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto dFdyFine(Mask<W>, const V& value) {
  return detail::quad_difference<W>(value, 2, ~2u);
}
/// From member 0 to member 1.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto dFdxCoarse(Mask<W>, const V& value) {
  return detail::quad_difference<W>(value, 1, ~3u);
}
/// From member 0 to member 2.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto dFdyCoarse(Mask<W>, const V& value) {
  return detail::quad_difference<W>(value, 2, ~3u);
}
/// As dFdxFine.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto dFdx(Mask<W> active, const V& value) {
  return dFdxFine(active, value);
}
/// As dFdyFine.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto dFdy(Mask<W> active, const V& value) {
  return dFdyFine(active, value);
}
/// |dFdxFine| + |dFdyFine|.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto fwidthFine(Mask<W>, const V& value) {
  return detail::quad_width<W>(value, ~1u, ~2u);
}
/// |dFdxCoarse| + |dFdyCoarse|.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto fwidthCoarse(Mask<W>, const V& value) {
  return detail::quad_width<W>(value, ~3u, ~3u);
}
/// As fwidthFine.
template <int W, LaneValue<W> V>
requires detail::FloatingLanes<V> LOCKSTEP_INLINE auto fwidth(Mask<W> active, const V& value) {
  return fwidthFine(active, value);
}
/// @}

namespace undefined {

/// The active lanes whose dFdx, dFdxFine is undefined: a member of their row is not active.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> dFdxFine(Mask<W> active, const V&, int size = W) {
  return detail::no_active_source(active, detail::quad_partner<W>(1), size);
}
/// The active lanes whose dFdy, dFdyFine is undefined: a member of their column is not active.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> dFdyFine(Mask<W> active, const V&, int size = W) {
  return detail::no_active_source(active, detail::quad_partner<W>(2), size);
}
/// The active lanes whose dFdxCoarse is undefined: member 0 or 1 is not active.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> dFdxCoarse(Mask<W> active, const V&, int size = W) {
  using Uint = Lanes<std::uint32_t, W>;
  return detail::no_active_source(active, detail::quad_member<W>(Uint(0u)), size) |
         detail::no_active_source(active, detail::quad_member<W>(Uint(1u)), size);
}
/// The active lanes whose dFdyCoarse is undefined: member 0 or 2 is not active.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> dFdyCoarse(Mask<W> active, const V&, int size = W) {
  using Uint = Lanes<std::uint32_t, W>;
  return detail::no_active_source(active, detail::quad_member<W>(Uint(0u)), size) |
         detail::no_active_source(active, detail::quad_member<W>(Uint(2u)), size);
}
/// As dFdxFine.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> dFdx(Mask<W> active, const V& value, int size = W) {
  return undefined::dFdxFine(active, value, size);
}
/// As dFdyFine.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> dFdy(Mask<W> active, const V& value, int size = W) {
  return undefined::dFdyFine(active, value, size);
}
/// The active lanes whose fwidth or fwidthFine is undefined.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> fwidthFine(Mask<W> active, const V& value, int size = W) {
  return undefined::dFdxFine(active, value, size) | undefined::dFdyFine(active, value, size);
}
/// As fwidthFine.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> fwidth(Mask<W> active, const V& value, int size = W) {
  return undefined::fwidthFine(active, value, size);
}
/// The active lanes whose fwidthCoarse is undefined.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> fwidthCoarse(Mask<W> active, const V& value, int size = W) {
  return undefined::dFdxCoarse(active, value, size) | undefined::dFdyCoarse(active, value, size);
}

}  // namespace undefined

}  // namespace lockstep::inline LOCKSTEP_ABI
