#pragma once

#include <lockstep/lanes/ballot.hpp>
#include <lockstep/subgroup/arithmetic.hpp>

/// \file
/// GL_NV_shader_subgroup_partitioned: reductions and scans within subsets of lanes, given by a
/// ballot per lane.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// Runs f(subset, members) once for each distinct subset of the active lanes. `members` is the
/// subset plus the lane that named it.
template <int W, class F>
LOCKSTEP_INLINE void for_each_subset(Mask<W> active, const BallotLanes<W>& partition, F&& f) {
  for (Mask<W> rest = active; rest.any_lane();) {
    const Mask<W> subset = (partition[rest.first()].template to_mask<W>() & active) | rest.lowest();
    f(subset);
    rest = rest.without(subset);
  }
}

/// Merges the results of the subsets into lanes.
template <int W, class V, class F>
LOCKSTEP_INLINE auto partitioned(Mask<W> active, const V& value, const BallotLanes<W>& partition,
                                 F&& f) {
  return lift<W>(value, [&](const auto& lanes) {
    using L = Lanes<typename std::remove_cvref_t<decltype(lanes)>::value_type, W>;
    Assignable<L> result(lanes);
    for_each_subset(active, partition, [&](Mask<W> subset) {
      result.set(select(subset, L(f(subset, lanes)), result.get()));
    });
    return result.get();
  });
}

template <int W>
LOCKSTEP_INLINE bool legal_partition(Mask<W> active, const BallotLanes<W>& partition) {
  bool legal = true;
  for_each_lane(active, [&](int i) {
    const Mask<W> mine = partition[i].template to_mask<W>() & active;
    legal = legal && mine.test(i);
    for_each_lane(mine, [&](int j) {
      legal = legal && (partition[j].template to_mask<W>() & active) == mine;
    });
  });
  return legal;
}

}  // namespace detail

/// The subset of active lanes with the same value as the lane itself, as one ballot per lane.
///
/// Requires      None. Values compare as IEEE ==: +0 and -0 share a subset, each NaN lane is alone.
/// Active lanes  Inactive lanes are in no subset and get no bit.
/// Errors        None.
/// Cost          One comparison per register for each distinct value.
/// Spec          GLSL subgroupPartitionNV · SPIR-V OpGroupNonUniformPartitionNV
/// Example       tests/subgroup/partitioned.cpp
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE BallotLanes<W> subgroupPartitionNV(Mask<W> active, const V& value) {
  const auto same_as = [&](int first) {
    Mask<W> same = Mask<W>::all();
    detail::lift<W>(value, [&](const auto& lanes) {
      using L = std::remove_cvref_t<decltype(lanes)>;
      same = same & (lanes == L(lanes[first])).mask();
      return lanes;
    });
    return same;
  };
  using Uint = Lanes<std::uint32_t, W>;
  detail::Assignable<Uint> word[4] = {Uint(0u), Uint(0u), Uint(0u), Uint(0u)};
  for (Mask<W> rest = active; rest.any_lane();) {
    const Mask<W> subset = (same_as(rest.first()) & rest) | rest.lowest();
    const Ballot ballot(subset);
    const std::uint32_t part[4] = {ballot.x, ballot.y, ballot.z, ballot.w};
    for (int k = 0; k < (W + 31) / 32; ++k)
      word[k].set(select(subset, Uint(part[k]), word[k].get()));
    rest = rest.without(subset);
  }
  return {word[0].get(), word[1].get(), word[2].get(), word[3].get()};
}

/// \defgroup partitioned The operator over the active lanes of the lane's own subset
///
/// Requires      A legal partition: each active lane's ballot contains its own bit, and the lanes
///               in it hold the same ballot. Bits of inactive lanes and beyond the subgroup are
///               ignored. Otherwise the result is undefined: here that of the first lane to name
///               each lane; see undefined::subgroupPartitionedAddNV.
/// Active lanes  Inactive lanes contribute nothing and keep their own value.
/// Errors        As for reductions and scans.
/// Cost          One reduction or scan for each distinct subset.
/// Spec          GLSL subgroupPartitionedAddNV ... · SPIR-V OpGroupNonUniformIAdd ...,
///               PartitionedReduceNV, PartitionedInclusiveScanNV, PartitionedExclusiveScanNV
/// Example       tests/subgroup/partitioned.cpp
/// @{

/// The sum over the active lanes of the subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedAddNV(Mask<W> active, const V& value,
                                              const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::reduce<detail::Add>(subset, lanes);
  });
}

/// The product over the active lanes of the subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedMulNV(Mask<W> active, const V& value,
                                              const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::reduce<detail::Mul>(subset, lanes);
  });
}

/// The minimum over the active lanes of the subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedMinNV(Mask<W> active, const V& value,
                                              const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::reduce<detail::Min>(subset, lanes);
  });
}

/// The maximum over the active lanes of the subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedMaxNV(Mask<W> active, const V& value,
                                              const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::reduce<detail::Max>(subset, lanes);
  });
}

/// The bitwise or logical and over the active lanes of the subset.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedAndNV(Mask<W> active, const V& value,
                                              const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::reduce<detail::And>(subset, lanes);
  });
}

/// The bitwise or logical or over the active lanes of the subset.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedOrNV(Mask<W> active, const V& value,
                                             const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::reduce<detail::Or>(subset, lanes);
  });
}

/// The bitwise or logical exclusive or over the active lanes of the subset.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedXorNV(Mask<W> active, const V& value,
                                              const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::reduce<detail::Xor>(subset, lanes);
  });
}

/// The sum over the subset's active lanes up to and including this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedInclusiveAddNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::inclusive_scan<detail::Add>(subset, lanes);
  });
}

/// The product over the subset's active lanes up to and including this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedInclusiveMulNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::inclusive_scan<detail::Mul>(subset, lanes);
  });
}

/// The minimum over the subset's active lanes up to and including this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedInclusiveMinNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::inclusive_scan<detail::Min>(subset, lanes);
  });
}

/// The maximum over the subset's active lanes up to and including this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedInclusiveMaxNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::inclusive_scan<detail::Max>(subset, lanes);
  });
}

/// The bitwise or logical and over the subset's active lanes up to and including this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedInclusiveAndNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::inclusive_scan<detail::And>(subset, lanes);
  });
}

/// The bitwise or logical or over the subset's active lanes up to and including this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedInclusiveOrNV(Mask<W> active, const V& value,
                                                      const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::inclusive_scan<detail::Or>(subset, lanes);
  });
}

/// The bitwise or logical exclusive or over the subset's active lanes up to and including this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedInclusiveXorNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::inclusive_scan<detail::Xor>(subset, lanes);
  });
}

/// The sum over the subset's active lanes below this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedExclusiveAddNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::exclusive_scan<detail::Add>(subset, lanes);
  });
}

/// The product over the subset's active lanes below this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedExclusiveMulNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::exclusive_scan<detail::Mul>(subset, lanes);
  });
}

/// The minimum over the subset's active lanes below this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedExclusiveMinNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::exclusive_scan<detail::Min>(subset, lanes);
  });
}

/// The maximum over the subset's active lanes below this lane.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedExclusiveMaxNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::exclusive_scan<detail::Max>(subset, lanes);
  });
}

/// The bitwise or logical and over the subset's active lanes below this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedExclusiveAndNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::exclusive_scan<detail::And>(subset, lanes);
  });
}

/// The bitwise or logical or over the subset's active lanes below this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedExclusiveOrNV(Mask<W> active, const V& value,
                                                      const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::exclusive_scan<detail::Or>(subset, lanes);
  });
}

/// The bitwise or logical exclusive or over the subset's active lanes below this lane.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE auto subgroupPartitionedExclusiveXorNV(Mask<W> active, const V& value,
                                                       const BallotLanes<W>& partition) {
  return detail::partitioned(active, value, partition, [](Mask<W> subset, const auto& lanes) {
    return detail::exclusive_scan<detail::Xor>(subset, lanes);
  });
}

/// @}

namespace undefined {

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedAddNV(Mask<W> active, const V&,
                                                 const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedMulNV(Mask<W> active, const V&,
                                                 const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal; otherwise the lanes that see only NaN in their
/// subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedMinNV(Mask<W> active, const V& value,
                                                 const BallotLanes<W>& partition) {
  if (!detail::legal_partition(active, partition)) return active;
  Mask<W> all;
  detail::for_each_subset(active, partition, [&](Mask<W> subset) {
    all = all | undefined::subgroupMin(subset, value);
  });
  return all;
}

/// All active lanes if the partition is not legal; otherwise the lanes that see only NaN in their
/// subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedMaxNV(Mask<W> active, const V& value,
                                                 const BallotLanes<W>& partition) {
  if (!detail::legal_partition(active, partition)) return active;
  Mask<W> all;
  detail::for_each_subset(active, partition, [&](Mask<W> subset) {
    all = all | undefined::subgroupMax(subset, value);
  });
  return all;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedAndNV(Mask<W> active, const V&,
                                                 const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedOrNV(Mask<W> active, const V&,
                                                const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedXorNV(Mask<W> active, const V&,
                                                 const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedInclusiveAddNV(Mask<W> active, const V&,
                                                          const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedInclusiveMulNV(Mask<W> active, const V&,
                                                          const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal; otherwise the lanes that see only NaN in their
/// subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedInclusiveMinNV(Mask<W> active, const V& value,
                                                          const BallotLanes<W>& partition) {
  if (!detail::legal_partition(active, partition)) return active;
  Mask<W> all;
  detail::for_each_subset(active, partition, [&](Mask<W> subset) {
    all = all | undefined::subgroupInclusiveMin(subset, value);
  });
  return all;
}

/// All active lanes if the partition is not legal; otherwise the lanes that see only NaN in their
/// subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedInclusiveMaxNV(Mask<W> active, const V& value,
                                                          const BallotLanes<W>& partition) {
  if (!detail::legal_partition(active, partition)) return active;
  Mask<W> all;
  detail::for_each_subset(active, partition, [&](Mask<W> subset) {
    all = all | undefined::subgroupInclusiveMax(subset, value);
  });
  return all;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedInclusiveAndNV(Mask<W> active, const V&,
                                                          const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedInclusiveOrNV(Mask<W> active, const V&,
                                                         const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedInclusiveXorNV(Mask<W> active, const V&,
                                                          const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedExclusiveAddNV(Mask<W> active, const V&,
                                                          const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedExclusiveMulNV(Mask<W> active, const V&,
                                                          const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal; otherwise the lanes that see only NaN in their
/// subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedExclusiveMinNV(Mask<W> active, const V& value,
                                                          const BallotLanes<W>& partition) {
  if (!detail::legal_partition(active, partition)) return active;
  Mask<W> all;
  detail::for_each_subset(active, partition, [&](Mask<W> subset) {
    all = all | undefined::subgroupExclusiveMin(subset, value);
  });
  return all;
}

/// All active lanes if the partition is not legal; otherwise the lanes that see only NaN in their
/// subset.
template <int W, detail::Numeric<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedExclusiveMaxNV(Mask<W> active, const V& value,
                                                          const BallotLanes<W>& partition) {
  if (!detail::legal_partition(active, partition)) return active;
  Mask<W> all;
  detail::for_each_subset(active, partition, [&](Mask<W> subset) {
    all = all | undefined::subgroupExclusiveMax(subset, value);
  });
  return all;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedExclusiveAndNV(Mask<W> active, const V&,
                                                          const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedExclusiveOrNV(Mask<W> active, const V&,
                                                         const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

/// All active lanes if the partition is not legal, else none.
template <int W, detail::Bitwise<W> V>
LOCKSTEP_INLINE Mask<W> subgroupPartitionedExclusiveXorNV(Mask<W> active, const V&,
                                                          const BallotLanes<W>& partition) {
  return detail::legal_partition(active, partition) ? Mask<W>::none() : active;
}

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
