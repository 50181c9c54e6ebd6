#pragma once

#include <lockstep/subgroup/detail/lift.hpp>

/// \file
/// GL_KHR_shader_subgroup_vote: one result for all active lanes, returned as a plain bool.

namespace lockstep::inline LOCKSTEP_ABI {

/// Whether the value is true in every active lane.
///
/// Requires      None. With no active lane the result is true.
/// Active lanes  Inactive lanes contribute nothing; the result is the same for all active ones.
/// Errors        None.
/// Cost          Two scalar instructions.
/// Spec          GLSL subgroupAll · SPIR-V OpGroupNonUniformAll
/// Example       kernels/allocate
template <int W>
LOCKSTEP_INLINE bool subgroupAll(Mask<W> active,
                                 const std::type_identity_t<Lanes<bool, W>>& value) {
  return !active.without(value.mask()).any_lane();
}

/// Whether the value is true in at least one active lane.
///
/// Requires      None. With no active lane the result is false.
/// Active lanes  Inactive lanes contribute nothing; the result is the same for all active ones.
/// Errors        None.
/// Cost          Two scalar instructions.
/// Spec          GLSL subgroupAny · SPIR-V OpGroupNonUniformAny
/// Example       kernels/allocate
template <int W>
LOCKSTEP_INLINE bool subgroupAny(Mask<W> active,
                                 const std::type_identity_t<Lanes<bool, W>>& value) {
  return (active & value.mask()).any_lane();
}

/// Whether all active lanes hold the same value; for a vector, in every component.
///
/// Requires      None. Floats compare as IEEE ==: any active NaN gives false, even alone; +0 equals
///               -0.
/// Active lanes  Inactive lanes contribute nothing; the result is the same for all active ones.
/// Errors        None.
/// Cost          One broadcast and one comparison per register.
/// Spec          GLSL subgroupAllEqual · SPIR-V OpGroupNonUniformAllEqual
/// Example       tests/subgroup/vote.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE bool subgroupAllEqual(Mask<W> active, const V& value) {
  const auto equal = [&](const auto& lanes) __attribute__((always_inline)) {
    using L = std::remove_cvref_t<decltype(lanes)>;
    return !active.without((lanes == L(lanes[active.first()])).mask()).any_lane();
  };
  if constexpr (detail::is_vec<V>) {
    bool all = true;
    value.map([&](const auto& component) {
      all = all && equal(component);
      return component;
    });
    return all;
  } else {
    return equal(detail::lanes_of<W>(value));
  }
}

}  // namespace lockstep::inline LOCKSTEP_ABI
