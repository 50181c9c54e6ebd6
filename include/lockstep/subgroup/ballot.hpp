#pragma once

#include <lockstep/lanes/ballot.hpp>
#include <lockstep/lanes/detail/prefix_counts.hpp>
#include <lockstep/subgroup/detail/lane_of_subgroup.hpp>
#include <lockstep/subgroup/detail/lift.hpp>
#include <lockstep/subgroup/detail/no_fraction.hpp>

/// \file
/// GL_KHR_shader_subgroup_ballot. A uniform ballot is a Ballot; one that differs between lanes is a
/// BallotLanes. The bit functions consider only bits below the subgroup size and ignore the active
/// mask: the bit of an inactive lane counts.

namespace lockstep::inline LOCKSTEP_ABI {

LOCKSTEP_NO_FRACTION(subgroupBroadcast);
LOCKSTEP_NO_FRACTION(subgroupBallotBitExtract);

namespace detail {

/// f applied to each lane's own ballot.
template <int W, class F>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> map_ballots(const BallotLanes<W>& m, F f) {
  return map(
      [&](std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w, std::uint32_t lane) {
        return static_cast<std::uint32_t>(
            f(Ballot(x, y, z, w).template to_mask<W>(), static_cast<int>(lane)));
      },
      m.x, m.y, m.z, m.w, Lanes<std::uint32_t, W>::iota());
}

/// Whether bit `index` of each lane's own ballot is set; false from bit 128 on.
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> test_bits(const BallotLanes<W>& m,
                                         const Lanes<std::uint32_t, W>& index) {
  using Uint = Lanes<std::uint32_t, W>;
  const Uint k = index >> Uint(5u);
  const Uint word =
      select(k < Uint(2u), select(k == Uint(0u), m.x, m.y), select(k == Uint(2u), m.z, m.w));
  return ((word >> (index & Uint(31u)) & Uint(1u)) != Uint(0u)) & (index < Uint(128u));
}

template <int W>
LOCKSTEP_INLINE Mask<W> below(int lane) {
  return Mask<W>::first_n(lane);
}

}  // namespace detail

/// The value of lane `id`, for all active lanes.
///
/// Requires      `id` is an active lane of the subgroup. The overload with one id per lane also
///               requires the same id in all active lanes, and reads the first active lane's.
///               size <= W is the subgroup size.
/// Active lanes  Inactive lanes contribute nothing. From an inactive lane, or with id beyond the
///               subgroup, the result is undefined: here the bits of lane id modulo the subgroup
///               size, active or not. See undefined::subgroupBroadcast.
/// Errors        None.
/// Cost          One load of the lane.
/// Spec          GLSL subgroupBroadcast · SPIR-V OpGroupNonUniformBroadcast
/// Example       tests/subgroup/ballot.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupBroadcast([[maybe_unused]] Mask<W> active, const V& value,
                                       std::uint32_t id, int size = W) {
  return detail::lift<W>(
      value, [&](const auto& lanes) __attribute__((always_inline)) {
        return lanes[detail::lane_of_subgroup<W>(id, size)];
      });
}
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupBroadcast(Mask<W> active, const V& value,
                                       const Lanes<std::uint32_t, W>& id, int size = W) {
  return subgroupBroadcast(active, value, id[active.first()], size);
}

/// The value of the lowest active lane, for all active lanes.
///
/// Requires      None.
/// Active lanes  Inactive lanes contribute nothing.
/// Errors        None.
/// Cost          One load of the lane.
/// Spec          GLSL subgroupBroadcastFirst · SPIR-V OpGroupNonUniformBroadcastFirst
/// Example       kernels/allocate
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto subgroupBroadcastFirst(Mask<W> active, const V& value) {
  return detail::lift<W>(
      value, [&](const auto& lanes)
                 __attribute__((always_inline)) { return lanes[active.first()]; });
}

/// One bit per lane: set where the value is true and the lane is active.
///
/// Requires      None.
/// Active lanes  Inactive lanes give a zero bit, and so do positions without a lane.
/// Errors        None.
/// Cost          One scalar instruction.
/// Spec          GLSL subgroupBallot · SPIR-V OpGroupNonUniformBallot
/// Example       kernels/allocate
template <int W>
LOCKSTEP_INLINE Ballot subgroupBallot(Mask<W> active,
                                      const std::type_identity_t<Lanes<bool, W>>& value) {
  return Ballot(active & value.mask());
}

/// Each lane's own bit of the ballot.
///
/// Requires      All active lanes hold the same ballot (else undefined behaviour in SPIR-V; here
///               each lane reads its own. See undefined::subgroupInverseBallot).
/// Active lanes  Inactive lanes get their bit, too.
/// Errors        None.
/// Cost          One scalar instruction; with one ballot per lane, about ten per register of lanes.
/// Spec          GLSL subgroupInverseBallot · SPIR-V OpGroupNonUniformInverseBallot
/// Example       tests/subgroup/ballot.cpp
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupInverseBallot([[maybe_unused]] Mask<W> active,
                                                     Ballot ballot) {
  return ballot.to_mask<W>();
}
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupInverseBallot([[maybe_unused]] Mask<W> active,
                                                     const BallotLanes<W>& ballot) {
  return detail::test_bits<W>(ballot, Lanes<std::uint32_t, W>::iota());
}

/// Bit `index` of the ballot; ballot and index may differ between lanes.
///
/// Requires      index is below the subgroup size, else the result is undefined: here the bit at
///               that position, false from 128 on.
/// Active lanes  Inactive lanes get a result, too.
/// Errors        None.
/// Cost          Uniform: a shift. Otherwise about ten instructions per register of lanes.
/// Spec          GLSL subgroupBallotBitExtract · SPIR-V OpGroupNonUniformBallotBitExtract
/// Example       tests/subgroup/ballot.cpp
template <int W>
LOCKSTEP_INLINE bool subgroupBallotBitExtract([[maybe_unused]] Mask<W> active, Ballot ballot,
                                              std::uint32_t index) {
  return ballot.bit(index);
}
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupBallotBitExtract([[maybe_unused]] Mask<W> active,
                                                        Ballot ballot,
                                                        const Lanes<std::uint32_t, W>& index) {
  return detail::test_bits<W>(ballot, index);
}
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupBallotBitExtract(
    [[maybe_unused]] Mask<W> active, const BallotLanes<W>& ballot,
    const std::type_identity_t<Lanes<std::uint32_t, W>>& index) {
  return detail::test_bits<W>(ballot, index);
}

/// Number of set bits below the subgroup size.
///
/// Requires      size <= W is the subgroup size.
/// Active lanes  Bits of inactive lanes count.
/// Errors        None.
/// Cost          A population count; with one ballot per lane, one lane at a time.
/// Spec          GLSL subgroupBallotBitCount · SPIR-V OpGroupNonUniformBallotBitCount, Reduce
/// Example       kernels/allocate
template <int W>
LOCKSTEP_INLINE std::uint32_t subgroupBallotBitCount([[maybe_unused]] Mask<W> active, Ballot ballot,
                                                     int size = W) {
  return static_cast<std::uint32_t>((ballot.to_mask<W>() & Mask<W>::first_n(size)).count());
}
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> subgroupBallotBitCount([[maybe_unused]] Mask<W> active,
                                                               const BallotLanes<W>& ballot,
                                                               int size = W) {
  return detail::map_ballots(ballot,
                             [&](Mask<W> m, int) { return (m & Mask<W>::first_n(size)).count(); });
}

/// Number of set bits at positions 0 to the lane's own.
///
/// Requires      None.
/// Active lanes  Bits of inactive lanes count; inactive lanes get their count too.
/// Errors        None.
/// Cost          Three scalar instructions per 8 lanes; with one ballot per lane, one lane at a time.
/// Spec          GLSL subgroupBallotInclusiveBitCount · SPIR-V OpGroupNonUniformBallotBitCount,
///               InclusiveScan
/// Example       tests/subgroup/ballot.cpp
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> subgroupBallotInclusiveBitCount(
    [[maybe_unused]] Mask<W> active, Ballot ballot) {
  return detail::prefix_counts<true>(ballot.to_mask<W>());
}
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> subgroupBallotInclusiveBitCount(
    [[maybe_unused]] Mask<W> active, const BallotLanes<W>& ballot) {
  return detail::map_ballots(
      ballot, [](Mask<W> m, int lane) { return (m & detail::below<W>(lane + 1)).count(); });
}

/// Number of set bits at positions below the lane's own.
///
/// Requires      None.
/// Active lanes  Bits of inactive lanes count; inactive lanes get their count too.
/// Errors        None.
/// Cost          Three scalar instructions per 8 lanes; with one ballot per lane, one lane at a time.
/// Spec          GLSL subgroupBallotExclusiveBitCount · SPIR-V OpGroupNonUniformBallotBitCount,
///               ExclusiveScan
/// Example       kernels/allocate
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> subgroupBallotExclusiveBitCount(
    [[maybe_unused]] Mask<W> active, Ballot ballot) {
  return detail::prefix_counts<false>(ballot.to_mask<W>());
}
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> subgroupBallotExclusiveBitCount(
    [[maybe_unused]] Mask<W> active, const BallotLanes<W>& ballot) {
  return detail::map_ballots(
      ballot, [](Mask<W> m, int lane) { return (m & detail::below<W>(lane)).count(); });
}

/// Lowest set bit below the subgroup size.
///
/// Requires      size <= W is the subgroup size; at least one such bit, else the result is
///               undefined: here 0.
/// Active lanes  Bits of inactive lanes count.
/// Errors        None.
/// Cost          A bit scan; with one ballot per lane, one lane at a time.
/// Spec          GLSL subgroupBallotFindLSB · SPIR-V OpGroupNonUniformBallotFindLSB
/// Example       tests/subgroup/ballot.cpp
template <int W>
LOCKSTEP_INLINE std::uint32_t subgroupBallotFindLSB([[maybe_unused]] Mask<W> active, Ballot ballot,
                                                    int size = W) {
  return static_cast<std::uint32_t>((ballot.to_mask<W>() & Mask<W>::first_n(size)).first());
}
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> subgroupBallotFindLSB([[maybe_unused]] Mask<W> active,
                                                              const BallotLanes<W>& ballot,
                                                              int size = W) {
  return detail::map_ballots(ballot,
                             [&](Mask<W> m, int) { return (m & Mask<W>::first_n(size)).first(); });
}

/// Highest set bit below the subgroup size.
///
/// Requires      size <= W is the subgroup size; at least one such bit, else the result is
///               undefined: here 0.
/// Active lanes  Bits of inactive lanes count.
/// Errors        None.
/// Cost          A bit scan; with one ballot per lane, one lane at a time.
/// Spec          GLSL subgroupBallotFindMSB · SPIR-V OpGroupNonUniformBallotFindMSB
/// Example       kernels/prefix_sum
template <int W>
LOCKSTEP_INLINE std::uint32_t subgroupBallotFindMSB([[maybe_unused]] Mask<W> active, Ballot ballot,
                                                    int size = W) {
  return static_cast<std::uint32_t>((ballot.to_mask<W>() & Mask<W>::first_n(size)).last());
}
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> subgroupBallotFindMSB([[maybe_unused]] Mask<W> active,
                                                              const BallotLanes<W>& ballot,
                                                              int size = W) {
  return detail::map_ballots(ballot,
                             [&](Mask<W> m, int) { return (m & Mask<W>::first_n(size)).last(); });
}

/// The active lanes whose result is undefined, for the built-in of the same name and arguments.
namespace undefined {

LOCKSTEP_NO_FRACTION(subgroupBroadcast);
LOCKSTEP_NO_FRACTION(subgroupBallotBitExtract);

template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupBroadcast(Mask<W> active, const V&, std::uint32_t id,
                                          int size = W) {
  const bool defined = id < static_cast<std::uint32_t>(size) && active.test(static_cast<int>(id));
  return defined ? Mask<W>::none() : active;
}
/// Also undefined for all active lanes if they do not hold the same id.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE Mask<W> subgroupBroadcast(Mask<W> active, const V& value,
                                          const Lanes<std::uint32_t, W>& id, int size = W) {
  const std::uint32_t first = id[active.first()];
  const bool agreed = !active.without((id == Lanes<std::uint32_t, W>(first)).mask()).any_lane();
  return agreed ? undefined::subgroupBroadcast(active, value, first, size) : active;
}

template <int W>
LOCKSTEP_INLINE Mask<W> subgroupInverseBallot(Mask<W>, Ballot) {
  return Mask<W>::none();
}
template <int W>
LOCKSTEP_INLINE Mask<W> subgroupInverseBallot(Mask<W> active, const BallotLanes<W>& ballot) {
  const Ballot first = ballot[active.first()];
  bool agreed = true;
  for_each_lane(active, [&](int i) { agreed = agreed && ballot[i] == first; });
  return agreed ? Mask<W>::none() : active;
}

template <int W>
LOCKSTEP_INLINE Mask<W> subgroupBallotBitExtract(Mask<W> active, Ballot, std::uint32_t index,
                                                 int size = W) {
  return index < static_cast<std::uint32_t>(size) ? Mask<W>::none() : active;
}
template <int W>
LOCKSTEP_INLINE Mask<W> subgroupBallotBitExtract(Mask<W> active, Ballot,
                                                 const Lanes<std::uint32_t, W>& index,
                                                 int size = W) {
  return active & (index >= Lanes<std::uint32_t, W>(static_cast<std::uint32_t>(size))).mask();
}
template <int W>
LOCKSTEP_INLINE Mask<W> subgroupBallotBitExtract(
    Mask<W> active, const BallotLanes<W>&,
    const std::type_identity_t<Lanes<std::uint32_t, W>>& index, int size = W) {
  return undefined::subgroupBallotBitExtract(active, Ballot(), index, size);
}

template <int W>
LOCKSTEP_INLINE Mask<W> subgroupBallotFindLSB(Mask<W> active, Ballot ballot, int size = W) {
  return (ballot.to_mask<W>() & Mask<W>::first_n(size)).any_lane() ? Mask<W>::none() : active;
}
template <int W>
LOCKSTEP_INLINE Mask<W> subgroupBallotFindLSB(Mask<W> active, const BallotLanes<W>& ballot,
                                              int size = W) {
  Mask<W> empty;
  for_each_lane(active, [&](int i) {
    if (undefined::subgroupBallotFindLSB(active, ballot[i], size).any_lane())
      empty = empty | Mask<W>::lane(i);
  });
  return empty;
}

template <int W>
LOCKSTEP_INLINE Mask<W> subgroupBallotFindMSB(Mask<W> active, Ballot ballot, int size = W) {
  return undefined::subgroupBallotFindLSB(active, ballot, size);
}
template <int W>
LOCKSTEP_INLINE Mask<W> subgroupBallotFindMSB(Mask<W> active, const BallotLanes<W>& ballot,
                                              int size = W) {
  return undefined::subgroupBallotFindLSB(active, ballot, size);
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
