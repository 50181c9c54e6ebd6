#pragma once

#include <lockstep/lanes/ballot.hpp>

/// \file
/// GLSL's built-in mask variables: the lanes equal to, above or below the lane
/// itself.

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup subgroup_masks One ballot per lane: the lanes equal to it, from it on, above it, up to
/// it and below it
///
/// Requires      size <= W is the subgroup size.
/// Active lanes  These masks contain all possible lanes, inactive ones included; all bits at and
///               above the size are zero.
/// Errors        None.
/// Cost          One lane at a time; kernels compute them once.
/// Spec          GLSL gl_SubgroupEqMask, GeMask, GtMask, LeMask, LtMask · SPIR-V BuiltIn
///               SubgroupEqMask ...
/// Example       tests/subgroup/variables.cpp
/// @{

/// The lane itself.
template <int W>
BallotLanes<W> subgroup_eq_mask(int size = W) {
  return BallotLanes<W>::generate([&](int i) {
    return Ballot(Mask<W>::first_n(i + 1).without(Mask<W>::first_n(i)) & Mask<W>::first_n(size));
  });
}
/// The lane itself and those above it.
template <int W>
BallotLanes<W> subgroup_ge_mask(int size = W) {
  return BallotLanes<W>::generate(
      [&](int i) { return Ballot(Mask<W>::first_n(size).without(Mask<W>::first_n(i))); });
}
/// The lanes above it.
template <int W>
BallotLanes<W> subgroup_gt_mask(int size = W) {
  return BallotLanes<W>::generate(
      [&](int i) { return Ballot(Mask<W>::first_n(size).without(Mask<W>::first_n(i + 1))); });
}
/// The lane itself and those below it.
template <int W>
BallotLanes<W> subgroup_le_mask(int size = W) {
  return BallotLanes<W>::generate(
      [&](int i) { return Ballot(Mask<W>::first_n(i + 1) & Mask<W>::first_n(size)); });
}
/// The lanes below it.
template <int W>
BallotLanes<W> subgroup_lt_mask(int size = W) {
  return BallotLanes<W>::generate(
      [&](int i) { return Ballot(Mask<W>::first_n(i) & Mask<W>::first_n(size)); });
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
