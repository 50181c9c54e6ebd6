#include <lockstep/subgroup/partitioned.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

const bool added_reductions = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  const Group group{type}, products{type, Values::powers_of_two};
  compare<In>("subgroupPartitionedAddNV", group,
              LOCKSTEP_CALL(subgroupPartitionedAddNV(in.active(), in.value(), in.ballots())),
              scalar::Partitioned<scalar::Add>{});
  compare<In>("subgroupPartitionedMulNV", products,
              LOCKSTEP_CALL(subgroupPartitionedMulNV(in.active(), in.value(), in.ballots())),
              scalar::Partitioned<scalar::Mul>{});
  compare<In>("subgroupPartitionedMinNV", group,
              LOCKSTEP_CALL(subgroupPartitionedMinNV(in.active(), in.value(), in.ballots())),
              scalar::Partitioned<scalar::Min>{});
  compare<In>("subgroupPartitionedMaxNV", group,
              LOCKSTEP_CALL(subgroupPartitionedMaxNV(in.active(), in.value(), in.ballots())),
              scalar::Partitioned<scalar::Max>{});
  if constexpr (std::is_same_v<typename In::value_type, std::uint32_t>) {
    compare<In>("subgroupPartitionedAndNV", group,
                LOCKSTEP_CALL(subgroupPartitionedAndNV(in.active(), in.value(), in.ballots())),
                scalar::Partitioned<scalar::And>{});
    compare<In>("subgroupPartitionedOrNV", group,
                LOCKSTEP_CALL(subgroupPartitionedOrNV(in.active(), in.value(), in.ballots())),
                scalar::Partitioned<scalar::Or>{});
    compare<In>("subgroupPartitionedXorNV", group,
                LOCKSTEP_CALL(subgroupPartitionedXorNV(in.active(), in.value(), in.ballots())),
                scalar::Partitioned<scalar::Xor>{});
  }
});

const bool added_partition = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  compare<In>("subgroupPartitionNV", {type, Values::few},
              LOCKSTEP_CALL(subgroupPartitionNV(in.active(), in.value())), scalar::Partition{});
});

}  // namespace
}  // namespace lockstep::bench
