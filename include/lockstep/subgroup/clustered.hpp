#pragma once

#include <lockstep/subgroup/detail/no_fraction.hpp>
#include <lockstep/subgroup/detail/scan.hpp>

/// \file
/// GL_KHR_shader_subgroup_clustered: reductions within aligned clusters of lanes.

namespace lockstep::inline LOCKSTEP_ABI {

LOCKSTEP_NO_FRACTION(subgroupClusteredAdd);
LOCKSTEP_NO_FRACTION(subgroupClusteredMul);
LOCKSTEP_NO_FRACTION(subgroupClusteredMin);
LOCKSTEP_NO_FRACTION(subgroupClusteredMax);
LOCKSTEP_NO_FRACTION(subgroupClusteredAnd);
LOCKSTEP_NO_FRACTION(subgroupClusteredOr);
LOCKSTEP_NO_FRACTION(subgroupClusteredXor);

/// \defgroup clustered The operator over the active lanes of the lane's own cluster
///
/// Requires      cluster_size is a power of two, at least 1 and at most the subgroup size; anything
///               else is undefined behaviour in GLSL. Here the value is returned unchanged; see
///               undefined::subgroupClusteredAdd.
/// Active lanes  Inactive lanes contribute nothing and get their cluster's result. Clusters are
///               aligned by lane number, never by rank among the active lanes.
/// Errors        As for reductions.
/// Cost          log2(cluster_size) shuffles and operations per register.
/// Spec          GLSL subgroupClusteredAdd ... · SPIR-V OpGroupNonUniformIAdd ..., ClusteredReduce
/// Example       tests/subgroup/clustered.cpp
/// @{

/// The sum over the active lanes of the cluster.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupClusteredAdd(Mask<W> active, const V& value,
                                          std::uint32_t cluster_size) {
  return detail::clustered<detail::Add>(active, value, cluster_size);
}

/// The product over the active lanes of the cluster.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupClusteredMul(Mask<W> active, const V& value,
                                          std::uint32_t cluster_size) {
  return detail::clustered<detail::Mul>(active, value, cluster_size);
}

/// The minimum over the active lanes of the cluster.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupClusteredMin(Mask<W> active, const V& value,
                                          std::uint32_t cluster_size) {
  return detail::clustered<detail::Min>(active, value, cluster_size);
}

/// The maximum over the active lanes of the cluster.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupClusteredMax(Mask<W> active, const V& value,
                                          std::uint32_t cluster_size) {
  return detail::clustered<detail::Max>(active, value, cluster_size);
}

/// The bitwise or logical and over the active lanes of the cluster.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupClusteredAnd(Mask<W> active, const V& value,
                                          std::uint32_t cluster_size) {
  return detail::clustered<detail::And>(active, value, cluster_size);
}

/// The bitwise or logical or over the active lanes of the cluster.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupClusteredOr(Mask<W> active, const V& value,
                                         std::uint32_t cluster_size) {
  return detail::clustered<detail::Or>(active, value, cluster_size);
}

/// The bitwise or logical exclusive or over the active lanes of the cluster.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupClusteredXor(Mask<W> active, const V& value,
                                          std::uint32_t cluster_size) {
  return detail::clustered<detail::Xor>(active, value, cluster_size);
}

/// @}

namespace undefined {

LOCKSTEP_NO_FRACTION(subgroupClusteredAdd);
LOCKSTEP_NO_FRACTION(subgroupClusteredMul);
LOCKSTEP_NO_FRACTION(subgroupClusteredMin);
LOCKSTEP_NO_FRACTION(subgroupClusteredMax);
LOCKSTEP_NO_FRACTION(subgroupClusteredAnd);
LOCKSTEP_NO_FRACTION(subgroupClusteredOr);
LOCKSTEP_NO_FRACTION(subgroupClusteredXor);

/// All active lanes if the cluster size is not legal, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredAdd(Mask<W> active, const V&, std::uint32_t cluster_size,
                                             int size = W) {
  return detail::legal_cluster(cluster_size, size) ? Mask<W>::none() : active;
}

/// All active lanes if the cluster size is not legal, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredMul(Mask<W> active, const V&, std::uint32_t cluster_size,
                                             int size = W) {
  return detail::legal_cluster(cluster_size, size) ? Mask<W>::none() : active;
}

/// All active lanes if the cluster size is not legal; otherwise the active lanes of clusters
/// whose active lanes all hold NaN.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredMin(Mask<W> active, const V& value,
                                             std::uint32_t cluster_size, int size = W) {
  if (!detail::legal_cluster(cluster_size, size)) return active;
  return detail::in_any_component<W>(value, [&](const auto& v) {
    const Lanes<bool, W> number(detail::numbers(active, v));
    return active.without(detail::clustered<detail::Or>(active, number, cluster_size).mask());
  });
}

/// All active lanes if the cluster size is not legal; otherwise the active lanes of clusters
/// whose active lanes all hold NaN.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredMax(Mask<W> active, const V& value,
                                             std::uint32_t cluster_size, int size = W) {
  if (!detail::legal_cluster(cluster_size, size)) return active;
  return detail::in_any_component<W>(value, [&](const auto& v) {
    const Lanes<bool, W> number(detail::numbers(active, v));
    return active.without(detail::clustered<detail::Or>(active, number, cluster_size).mask());
  });
}

/// All active lanes if the cluster size is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredAnd(Mask<W> active, const V&, std::uint32_t cluster_size,
                                             int size = W) {
  return detail::legal_cluster(cluster_size, size) ? Mask<W>::none() : active;
}

/// All active lanes if the cluster size is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredOr(Mask<W> active, const V&, std::uint32_t cluster_size,
                                            int size = W) {
  return detail::legal_cluster(cluster_size, size) ? Mask<W>::none() : active;
}

/// All active lanes if the cluster size is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupClusteredXor(Mask<W> active, const V&, std::uint32_t cluster_size,
                                             int size = W) {
  return detail::legal_cluster(cluster_size, size) ? Mask<W>::none() : active;
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
