#pragma once

#include <lockstep/subgroup/detail/no_fraction.hpp>
#include <lockstep/subgroup/detail/scan.hpp>
#include <lockstep/subgroup/shuffle.hpp>

/// \file
/// GL_KHR_shader_subgroup_rotate: each lane reads the lane `delta` above it, wrapping around.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// (i + delta) mod size for a uniform delta; results beyond the size do not matter.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> rotated_lane(std::uint32_t delta, int size) {
  using Uint = Lanes<std::uint32_t, W>;
  const auto n = static_cast<std::uint32_t>(size);
  const Uint sum = Uint::iota() + Uint(delta % n);
  return select((sum >= Uint(n)).mask(), sum - Uint(n), sum);
}

template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> rotated_in_cluster(const Lanes<std::uint32_t, W>& delta,
                                                           std::uint32_t cluster_size) {
  using Uint = Lanes<std::uint32_t, W>;
  const Uint own = Uint::iota();
  const Uint within(cluster_size - 1);
  return ((own + delta) & within) | (own & ~within);
}

template <int W>
LOCKSTEP_INLINE bool agreed(Mask<W> active, const Lanes<std::uint32_t, W>& v) {
  return !active.without((v == Lanes<std::uint32_t, W>(v[active.first()])).mask()).any_lane();
}

}  // namespace detail

LOCKSTEP_NO_FRACTION(subgroupRotate);
LOCKSTEP_NO_FRACTION(subgroupClusteredRotate);

/// The value of the lane `delta` above this one, modulo the subgroup size.
///
/// Requires      The source is active, else the result is undefined: here the value in that lane.
///               With one delta per lane all active lanes must hold the same; the first active
///               lane's is used. size <= W is the subgroup size.
/// Active lanes  Inactive lanes get their source's value, too.
/// Errors        None.
/// Cost          As permute.
/// Spec          GLSL subgroupRotate · SPIR-V OpGroupNonUniformRotateKHR
/// Example       tests/subgroup/rotate.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupRotate([[maybe_unused]] Mask<W> active, const V& value,
                                    std::uint32_t delta, int size = W) {
  return detail::shuffle_from<W>(value, detail::rotated_lane<W>(delta, size));
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupRotate(Mask<W> active, const V& value,
                                    const Lanes<std::uint32_t, W>& delta, int size = W) {
  return subgroupRotate(active, value, delta[active.first()], size);
}

/// As subgroupRotate, but wraps around within the lane's own aligned cluster.
///
/// Requires      cluster_size is a power of two, at least 1 and at most the subgroup size; anything
///               else is undefined behaviour in GLSL. Here the value is then returned unchanged.
///               Otherwise as subgroupRotate.
/// Active lanes  Inactive lanes get their source's value, too.
/// Errors        None.
/// Cost          As permute.
/// Spec          GLSL subgroupClusteredRotate · SPIR-V OpGroupNonUniformRotateKHR, ClusterSize
/// Example       tests/subgroup/rotate.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupClusteredRotate([[maybe_unused]] Mask<W> active, const V& value,
                                             std::uint32_t delta, std::uint32_t cluster_size) {
  using Uint = Lanes<std::uint32_t, W>;
  const std::uint32_t n = detail::legal_cluster(cluster_size, W) ? cluster_size : 1u;
  return detail::shuffle_from<W>(value, detail::rotated_in_cluster<W>(Uint(delta), n));
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupClusteredRotate(Mask<W> active, const V& value,
                                             const Lanes<std::uint32_t, W>& delta,
                                             std::uint32_t cluster_size) {
  return subgroupClusteredRotate(active, value, delta[active.first()], cluster_size);
}

namespace undefined {

LOCKSTEP_NO_FRACTION(subgroupRotate);
LOCKSTEP_NO_FRACTION(subgroupClusteredRotate);

template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupRotate(Mask<W> active, const V&, std::uint32_t delta,
                                       int size = W) {
  return detail::no_active_source(active, detail::rotated_lane<W>(delta, size), size);
}
/// Also undefined for all active lanes if they do not hold the same delta.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupRotate(Mask<W> active, const V& value,
                                       const Lanes<std::uint32_t, W>& delta, int size = W) {
  if (!detail::agreed(active, delta)) return active;
  return undefined::subgroupRotate(active, value, delta[active.first()], size);
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredRotate(Mask<W> active, const V&, std::uint32_t delta,
                                                std::uint32_t cluster_size, int size = W) {
  using Uint = Lanes<std::uint32_t, W>;
  if (!detail::legal_cluster(cluster_size, size)) return active;
  return detail::no_active_source(active, detail::rotated_in_cluster<W>(Uint(delta), cluster_size),
                                  size);
}
/// Also undefined for all active lanes if they do not hold the same delta.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredRotate(Mask<W> active, const V& value,
                                                const Lanes<std::uint32_t, W>& delta,
                                                std::uint32_t cluster_size, int size = W) {
  if (!detail::agreed(active, delta)) return active;
  return undefined::subgroupClusteredRotate(active, value, delta[active.first()], cluster_size,
                                            size);
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
