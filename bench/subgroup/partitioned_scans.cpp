#include <lockstep/subgroup/partitioned.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

const bool added_inclusive_scans =
    at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
      const Group group{type}, products{type, Values::powers_of_two};
      compare<In>(
          "subgroupPartitionedInclusiveAddNV", group,
          LOCKSTEP_CALL(subgroupPartitionedInclusiveAddNV(in.active(), in.value(), in.ballots())),
          scalar::PartitionedInclusive<scalar::Add>{});
      compare<In>(
          "subgroupPartitionedInclusiveMulNV", products,
          LOCKSTEP_CALL(subgroupPartitionedInclusiveMulNV(in.active(), in.value(), in.ballots())),
          scalar::PartitionedInclusive<scalar::Mul>{});
      compare<In>(
          "subgroupPartitionedInclusiveMinNV", group,
          LOCKSTEP_CALL(subgroupPartitionedInclusiveMinNV(in.active(), in.value(), in.ballots())),
          scalar::PartitionedInclusive<scalar::Min>{});
      compare<In>(
          "subgroupPartitionedInclusiveMaxNV", group,
          LOCKSTEP_CALL(subgroupPartitionedInclusiveMaxNV(in.active(), in.value(), in.ballots())),
          scalar::PartitionedInclusive<scalar::Max>{});
      if constexpr (std::is_same_v<typename In::value_type, std::uint32_t>) {
        compare<In>(
            "subgroupPartitionedInclusiveAndNV", group,
            LOCKSTEP_CALL(subgroupPartitionedInclusiveAndNV(in.active(), in.value(), in.ballots())),
            scalar::PartitionedInclusive<scalar::And>{});
        compare<In>(
            "subgroupPartitionedInclusiveOrNV", group,
            LOCKSTEP_CALL(subgroupPartitionedInclusiveOrNV(in.active(), in.value(), in.ballots())),
            scalar::PartitionedInclusive<scalar::Or>{});
        compare<In>(
            "subgroupPartitionedInclusiveXorNV", group,
            LOCKSTEP_CALL(subgroupPartitionedInclusiveXorNV(in.active(), in.value(), in.ballots())),
            scalar::PartitionedInclusive<scalar::Xor>{});
      }
    });

const bool added_exclusive_scans =
    at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
      const Group group{type}, products{type, Values::powers_of_two};
      compare<In>(
          "subgroupPartitionedExclusiveAddNV", group,
          LOCKSTEP_CALL(subgroupPartitionedExclusiveAddNV(in.active(), in.value(), in.ballots())),
          scalar::PartitionedExclusive<scalar::Add>{});
      compare<In>(
          "subgroupPartitionedExclusiveMulNV", products,
          LOCKSTEP_CALL(subgroupPartitionedExclusiveMulNV(in.active(), in.value(), in.ballots())),
          scalar::PartitionedExclusive<scalar::Mul>{});
      compare<In>(
          "subgroupPartitionedExclusiveMinNV", group,
          LOCKSTEP_CALL(subgroupPartitionedExclusiveMinNV(in.active(), in.value(), in.ballots())),
          scalar::PartitionedExclusive<scalar::Min>{});
      compare<In>(
          "subgroupPartitionedExclusiveMaxNV", group,
          LOCKSTEP_CALL(subgroupPartitionedExclusiveMaxNV(in.active(), in.value(), in.ballots())),
          scalar::PartitionedExclusive<scalar::Max>{});
      if constexpr (std::is_same_v<typename In::value_type, std::uint32_t>) {
        compare<In>(
            "subgroupPartitionedExclusiveAndNV", group,
            LOCKSTEP_CALL(subgroupPartitionedExclusiveAndNV(in.active(), in.value(), in.ballots())),
            scalar::PartitionedExclusive<scalar::And>{});
        compare<In>(
            "subgroupPartitionedExclusiveOrNV", group,
            LOCKSTEP_CALL(subgroupPartitionedExclusiveOrNV(in.active(), in.value(), in.ballots())),
            scalar::PartitionedExclusive<scalar::Or>{});
        compare<In>(
            "subgroupPartitionedExclusiveXorNV", group,
            LOCKSTEP_CALL(subgroupPartitionedExclusiveXorNV(in.active(), in.value(), in.ballots())),
            scalar::PartitionedExclusive<scalar::Xor>{});
      }
    });

}  // namespace
}  // namespace lockstep::bench
