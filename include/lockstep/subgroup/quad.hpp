#pragma once

#include <lockstep/subgroup/detail/scan.hpp>
#include <lockstep/subgroup/shuffle.hpp>

/// \file
/// GL_KHR_shader_subgroup_quad and GL_EXT_shader_quad_control. A quad is four lanes that start at a
/// multiple of four; where lanes are pixels, 0 and 1 are above 2 and 3.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> quad_partner(std::uint32_t flip) {
  return Lanes<std::uint32_t, W>::iota() ^ Lanes<std::uint32_t, W>(flip);
}

template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> quad_member(const Lanes<std::uint32_t, W>& id) {
  using Uint = Lanes<std::uint32_t, W>;
  return (Uint::iota() & Uint(~3u)) | (id & Uint(3u));
}

/// The lanes of quads whose active lanes differ.
template <int W>
LOCKSTEP_INLINE Mask<W> quads_that_disagree(Mask<W> active, const Lanes<std::uint32_t, W>& v) {
  Mask<W> bad;
  for_each_lane(active, [&](int i) {
    for_each_lane(active & Mask<W>::first_n((i | 3) + 1).without(Mask<W>::first_n(i & ~3)),
                  [&](int j) {
                    if (v[i] != v[j]) bad = bad | Mask<W>::lane(i);
                  });
  });
  return bad;
}

}  // namespace detail

/// The value of member id (0 to 3) of the lane's own quad.
///
/// Requires      id < 4, the same in all active lanes of the quad, and that member active; else the
///               result is undefined: here the value of member id modulo 4. See
///               undefined::subgroupQuadBroadcast.
/// Active lanes  Inactive lanes get the member's value, too.
/// Errors        None.
/// Cost          As permute.
/// Spec          GLSL subgroupQuadBroadcast · SPIR-V OpGroupNonUniformQuadBroadcast
/// Example       tests/subgroup/quad.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupQuadBroadcast(
    [[maybe_unused]] Mask<W> active, const V& value,
    const std::type_identity_t<Lanes<std::uint32_t, W>>& id) {
  return detail::shuffle_from<W>(value, detail::quad_member<W>(id));
}

/// \defgroup quad_swaps The value of another member of the lane's own quad
///
/// Requires      That member is active, else the result is undefined: here the value in that lane.
/// Active lanes  Inactive lanes get their partner's value, too.
/// Errors        None.
/// Cost          As permute.
/// Spec          GLSL subgroupQuadSwapHorizontal ... · SPIR-V OpGroupNonUniformQuadSwap 0, 1, 2
/// Example       tests/subgroup/quad.cpp
/// @{

/// The value of the horizontal neighbour: swaps members 0 and 1, 2 and 3.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupQuadSwapHorizontal([[maybe_unused]] Mask<W> active, const V& value) {
  return detail::shuffle_from<W>(value, detail::quad_partner<W>(1));
}
/// The value of the vertical neighbour: swaps members 0 and 2, 1 and 3.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupQuadSwapVertical([[maybe_unused]] Mask<W> active, const V& value) {
  return detail::shuffle_from<W>(value, detail::quad_partner<W>(2));
}
/// The value of the diagonal neighbour: swaps members 0 and 3, 1 and 2.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupQuadSwapDiagonal([[maybe_unused]] Mask<W> active, const V& value) {
  return detail::shuffle_from<W>(value, detail::quad_partner<W>(3));
}
/// @}

/// Whether the value is true in every active lane of the lane's own quad.
///
/// Requires      None.
/// Active lanes  Inactive lanes contribute nothing and get their quad's result.
/// Errors        None.
/// Cost          A few scalar instructions for all quads together.
/// Spec          GLSL subgroupQuadAll · SPIR-V OpGroupNonUniformQuadAllKHR
/// Example       tests/subgroup/quad.cpp
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupQuadAll(Mask<W> active,
                                               const std::type_identity_t<Lanes<bool, W>>& value) {
  return detail::cluster_bits<detail::And, 4>(active, value);
}

/// Whether the value is true in at least one active lane of the lane's own quad.
///
/// Requires      None.
/// Active lanes  Inactive lanes contribute nothing and get their quad's result.
/// Errors        None.
/// Cost          A few scalar instructions for all quads together.
/// Spec          GLSL subgroupQuadAny · SPIR-V OpGroupNonUniformQuadAnyKHR
/// Example       tests/subgroup/quad.cpp
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupQuadAny(Mask<W> active,
                                               const std::type_identity_t<Lanes<bool, W>>& value) {
  return detail::cluster_bits<detail::Or, 4>(active, value);
}

namespace undefined {

template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupQuadBroadcast(
    Mask<W> active, const V&, const std::type_identity_t<Lanes<std::uint32_t, W>>& id,
    int size = W) {
  const auto no_member = (id >= Lanes<std::uint32_t, W>(4u)).mask();
  return detail::no_active_source(active, detail::quad_member<W>(id), size) | (active & no_member) |
         detail::quads_that_disagree(active, id);
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupQuadSwapHorizontal(Mask<W> active, const V&, int size = W) {
  return detail::no_active_source(active, detail::quad_partner<W>(1), size);
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupQuadSwapVertical(Mask<W> active, const V&, int size = W) {
  return detail::no_active_source(active, detail::quad_partner<W>(2), size);
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupQuadSwapDiagonal(Mask<W> active, const V&, int size = W) {
  return detail::no_active_source(active, detail::quad_partner<W>(3), size);
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
