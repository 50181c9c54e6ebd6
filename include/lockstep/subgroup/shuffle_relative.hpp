#pragma once

#include <lockstep/subgroup/shuffle.hpp>

/// \file
/// GL_KHR_shader_subgroup_shuffle_relative: each lane reads the lane `delta` below or above it.

namespace lockstep::inline LOCKSTEP_ABI {

/// The value of the lane `delta` below this one.
///
/// Requires      delta is at most the lane's number and the source is active, else the result is
///               undefined (not the lane's own value): here the value of the source, a number of
///               32 bits, modulo the subgroup size, active or not. size <= W is the subgroup size.
///               See undefined::subgroupShuffleUp.
/// Active lanes  Inactive lanes get their source's value, too.
/// Errors        None.
/// Cost          As permute.
/// Spec          GLSL subgroupShuffleUp · SPIR-V OpGroupNonUniformShuffleUp
/// Example       tests/subgroup/shuffle_relative.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupShuffleUp([[maybe_unused]] Mask<W> active, const V& value,
                                       const std::type_identity_t<Lanes<std::uint32_t, W>>& delta,
                                       int size = W) {
  return detail::shuffle_from<W>(
      value, detail::lane_of_subgroup<W>(Lanes<std::uint32_t, W>::iota() - delta, size));
}

/// The value of the lane `delta` above this one.
///
/// Requires      The source is an active lane of the subgroup, else the result is undefined (not
///               the lane's own value): here the value of the source, a number of 32 bits, modulo
///               the subgroup size, active or not. size <= W is the subgroup size. See
///               undefined::subgroupShuffleDown.
/// Active lanes  Inactive lanes get their source's value, too.
/// Errors        None.
/// Cost          As permute.
/// Spec          GLSL subgroupShuffleDown · SPIR-V OpGroupNonUniformShuffleDown
/// Example       tests/subgroup/shuffle_relative.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupShuffleDown([[maybe_unused]] Mask<W> active, const V& value,
                                         const std::type_identity_t<Lanes<std::uint32_t, W>>& delta,
                                         int size = W) {
  return detail::shuffle_from<W>(
      value, detail::lane_of_subgroup<W>(Lanes<std::uint32_t, W>::iota() + delta, size));
}

namespace undefined {

template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupShuffleUp(
    Mask<W> active, const V&, const std::type_identity_t<Lanes<std::uint32_t, W>>& delta,
    int size = W) {
  const auto own = Lanes<std::uint32_t, W>::iota();
  return detail::no_active_source(active, own - delta, size) | (active & (delta > own).mask());
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupShuffleDown(
    Mask<W> active, const V&, const std::type_identity_t<Lanes<std::uint32_t, W>>& delta,
    int size = W) {
  const auto own = Lanes<std::uint32_t, W>::iota();
  // Such a large delta wraps around 32 bits, but the true sum is out of range.
  const auto beyond = (delta >= Lanes<std::uint32_t, W>(static_cast<std::uint32_t>(size))).mask();
  return detail::no_active_source(active, own + delta, size) | (active & beyond);
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
