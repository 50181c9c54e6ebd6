#pragma once

#include <lockstep/subgroup/ballot.hpp>
#include <lockstep/subgroup/vote.hpp>

/// \file
/// GL_ARB_shader_ballot and GL_ARB_shader_group_vote (and their GLSL 4.60 core names): older
/// spellings of the vote and ballot built-ins, with 64-bit masks.

namespace lockstep::inline LOCKSTEP_ABI {

/// One bit per lane for lanes 0 to 63: set where the value is true and the lane is active.
///
/// Requires      The extension supports subgroups of up to 64 lanes; lanes from 64 on have no bit.
/// Active lanes  Inactive lanes give a zero bit.
/// Errors        None.
/// Cost          One scalar instruction.
/// Spec          GLSL ballotARB · SPIR-V OpSubgroupBallotKHR
/// Example       tests/subgroup/arb.cpp
template <int W>
LOCKSTEP_INLINE std::uint64_t ballotARB(Mask<W> active,
                                        const std::type_identity_t<Lanes<bool, W>>& value) {
  return subgroupBallot(active, value).low64();
}

/// The value that lane `index` holds: subgroupBroadcast.
///
/// Requires      As subgroupBroadcast.
/// Active lanes  As subgroupBroadcast.
/// Errors        None.
/// Cost          One load of the lane.
/// Spec          GLSL readInvocationARB · SPIR-V OpSubgroupReadInvocationKHR
/// Example       tests/subgroup/arb.cpp
template <int W, LaneValue<W> V, class Id>
requires(!std::floating_point<Id>) LOCKSTEP_INLINE
    auto readInvocationARB(Mask<W> active, const V& value, const Id& index, int size = W) {
  return subgroupBroadcast(active, value, index, size);
}

/// The value that the lowest active lane holds: subgroupBroadcastFirst.
///
/// Requires      None.
/// Active lanes  Inactive lanes contribute nothing.
/// Errors        None.
/// Cost          One load of the lane.
/// Spec          GLSL readFirstInvocationARB · SPIR-V OpSubgroupFirstInvocationKHR
/// Example       tests/subgroup/arb.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto readFirstInvocationARB(Mask<W> active, const V& value) {
  return subgroupBroadcastFirst(active, value);
}

/// \defgroup arb_votes Votes: subgroupAny, subgroupAll and subgroupAllEqual of a bool
///
/// Requires      None.
/// Active lanes  Inactive lanes contribute nothing; the result is the same for all active ones.
/// Errors        None.
/// Cost          Two scalar instructions.
/// Spec          GLSL anyInvocationARB, allInvocationsARB, allInvocationsEqualARB and
///               anyInvocation, allInvocations, allInvocationsEqual · SPIR-V OpSubgroupAnyKHR,
///               OpSubgroupAllKHR, OpSubgroupAllEqualKHR
/// Example       tests/subgroup/arb.cpp
/// @{

/// Whether the value is true in at least one active lane.
template <int W>
LOCKSTEP_INLINE bool anyInvocationARB(Mask<W> active,
                                      const std::type_identity_t<Lanes<bool, W>>& value) {
  return subgroupAny(active, value);
}
/// Whether the value is true in every active lane.
template <int W>
LOCKSTEP_INLINE bool allInvocationsARB(Mask<W> active,
                                       const std::type_identity_t<Lanes<bool, W>>& value) {
  return subgroupAll(active, value);
}
/// Whether all active lanes hold the same bool.
template <int W>
LOCKSTEP_INLINE bool allInvocationsEqualARB(Mask<W> active,
                                            const std::type_identity_t<Lanes<bool, W>>& value) {
  return subgroupAllEqual(active, value);
}
/// Whether the value is true in at least one active lane.
template <int W>
LOCKSTEP_INLINE bool anyInvocation(Mask<W> active,
                                   const std::type_identity_t<Lanes<bool, W>>& value) {
  return subgroupAny(active, value);
}
/// Whether the value is true in every active lane.
template <int W>
LOCKSTEP_INLINE bool allInvocations(Mask<W> active,
                                    const std::type_identity_t<Lanes<bool, W>>& value) {
  return subgroupAll(active, value);
}
/// Whether all active lanes hold the same bool.
template <int W>
LOCKSTEP_INLINE bool allInvocationsEqual(Mask<W> active,
                                         const std::type_identity_t<Lanes<bool, W>>& value) {
  return subgroupAllEqual(active, value);
}
/// @}

namespace undefined {

template <int W, LaneValue<W> V, class Id>
requires(!std::floating_point<Id>) LOCKSTEP_INLINE Mask<W> readInvocationARB(Mask<W> active,
                                                                             const V& value,
                                                                             const Id& index,
                                                                             int size = W) {
  return undefined::subgroupBroadcast(active, value, index, size);
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
