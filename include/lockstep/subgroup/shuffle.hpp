#pragma once

#include <lockstep/lanes/permute.hpp>
#include <lockstep/subgroup/detail/lane_of_subgroup.hpp>
#include <lockstep/subgroup/detail/lift.hpp>

/// \file
/// GL_KHR_shader_subgroup_shuffle: each lane reads the lane that it selects.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

template <int W, class V>
LOCKSTEP_INLINE auto shuffle_from(const V& value, const Lanes<std::uint32_t, W>& source) {
  return lift<W>(
      value, [&](const auto& lanes)
                 __attribute__((always_inline)) { return permute(lanes, source); });
}

/// The active lanes whose source is not an active lane of the subgroup.
template <int W>
LOCKSTEP_INLINE Mask<W> no_active_source(Mask<W> active, const Lanes<std::uint32_t, W>& source,
                                         int size) {
  using Uint = Lanes<std::uint32_t, W>;
  const Mask<W> exists = (source < Uint(static_cast<std::uint32_t>(size))).mask();
  return active.without(exists & permute(Lanes<bool, W>(active), source).mask());
}

}  // namespace detail

/// The value of lane id; each lane has its own id.
///
/// Requires      id is an active lane of the subgroup, else the result is undefined: here the value
///               of lane id modulo the subgroup size, active or not. size <= W is the subgroup
///               size. See undefined::subgroupShuffle.
/// Active lanes  Inactive lanes get the value that they select, too.
/// Errors        None.
/// Cost          As permute.
/// Spec          GLSL subgroupShuffle · SPIR-V OpGroupNonUniformShuffle
/// Example       tests/subgroup/shuffle.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupShuffle([[maybe_unused]] Mask<W> active, const V& value,
                                     const std::type_identity_t<Lanes<std::uint32_t, W>>& id,
                                     int size = W) {
  return detail::shuffle_from<W>(value, detail::lane_of_subgroup<W>(id, size));
}

/// The value of the lane whose number is this lane's with the bits of `mask` flipped.
///
/// Requires      That lane is an active lane of the subgroup, else the result is undefined: here
///               the value of that lane modulo the subgroup size, active or not. size <= W is the
///               subgroup size. See undefined::subgroupShuffleXor.
/// Active lanes  Inactive lanes get their partner's value, too.
/// Errors        None.
/// Cost          As permute.
/// Spec          GLSL subgroupShuffleXor · SPIR-V OpGroupNonUniformShuffleXor
/// Example       tests/subgroup/shuffle.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupShuffleXor([[maybe_unused]] Mask<W> active, const V& value,
                                        const std::type_identity_t<Lanes<std::uint32_t, W>>& mask,
                                        int size = W) {
  return detail::shuffle_from<W>(
      value, detail::lane_of_subgroup<W>(Lanes<std::uint32_t, W>::iota() ^ mask, size));
}

namespace undefined {

template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupShuffle(Mask<W> active, const V&,
                                        const std::type_identity_t<Lanes<std::uint32_t, W>>& id,
                                        int size = W) {
  return detail::no_active_source(active, id, size);
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupShuffleXor(
    Mask<W> active, const V&, const std::type_identity_t<Lanes<std::uint32_t, W>>& mask,
    int size = W) {
  return detail::no_active_source(active, Lanes<std::uint32_t, W>::iota() ^ mask, size);
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
