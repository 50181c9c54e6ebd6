#include <lockstep/subgroup/clustered.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

// As in shaders, the cluster size is a constant.
constexpr std::uint32_t cluster = 8;

const bool added = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  const Group group{type}, products{type, Values::powers_of_two};
  compare<In>("subgroupClusteredAdd", group,
              LOCKSTEP_CALL(subgroupClusteredAdd(in.active(), in.value(), cluster)),
              scalar::Clustered<scalar::Add, cluster>{});
  compare<In>("subgroupClusteredMul", products,
              LOCKSTEP_CALL(subgroupClusteredMul(in.active(), in.value(), cluster)),
              scalar::Clustered<scalar::Mul, cluster>{});
  compare<In>("subgroupClusteredMin", group,
              LOCKSTEP_CALL(subgroupClusteredMin(in.active(), in.value(), cluster)),
              scalar::Clustered<scalar::Min, cluster>{});
  compare<In>("subgroupClusteredMax", group,
              LOCKSTEP_CALL(subgroupClusteredMax(in.active(), in.value(), cluster)),
              scalar::Clustered<scalar::Max, cluster>{});
  if constexpr (std::is_same_v<typename In::value_type, std::uint32_t>) {
    compare<In>("subgroupClusteredAnd", group,
                LOCKSTEP_CALL(subgroupClusteredAnd(in.active(), in.value(), cluster)),
                scalar::Clustered<scalar::And, cluster>{});
    compare<In>("subgroupClusteredOr", group,
                LOCKSTEP_CALL(subgroupClusteredOr(in.active(), in.value(), cluster)),
                scalar::Clustered<scalar::Or, cluster>{});
    compare<In>("subgroupClusteredXor", group,
                LOCKSTEP_CALL(subgroupClusteredXor(in.active(), in.value(), cluster)),
                scalar::Clustered<scalar::Xor, cluster>{});
  }
});

}  // namespace
}  // namespace lockstep::bench
