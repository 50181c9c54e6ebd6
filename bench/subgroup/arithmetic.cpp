#include <lockstep/subgroup/arithmetic.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

const bool added_reductions = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  const Group group{type}, products{type, Values::powers_of_two};
  compare<In>("subgroupAdd", group, LOCKSTEP_CALL(subgroupAdd(in.active(), in.value())),
              scalar::Reduce<scalar::Add>{});
  compare<In>("subgroupMul", products, LOCKSTEP_CALL(subgroupMul(in.active(), in.value())),
              scalar::Reduce<scalar::Mul>{});
  compare<In>("subgroupMin", group, LOCKSTEP_CALL(subgroupMin(in.active(), in.value())),
              scalar::Reduce<scalar::Min>{});
  compare<In>("subgroupMax", group, LOCKSTEP_CALL(subgroupMax(in.active(), in.value())),
              scalar::Reduce<scalar::Max>{});
  if constexpr (std::is_same_v<typename In::value_type, std::uint32_t>) {
    compare<In>("subgroupAnd", group, LOCKSTEP_CALL(subgroupAnd(in.active(), in.value())),
                scalar::Reduce<scalar::And>{});
    compare<In>("subgroupOr", group, LOCKSTEP_CALL(subgroupOr(in.active(), in.value())),
                scalar::Reduce<scalar::Or>{});
    compare<In>("subgroupXor", group, LOCKSTEP_CALL(subgroupXor(in.active(), in.value())),
                scalar::Reduce<scalar::Xor>{});
  }
});

const bool added_inclusive_scans =
    at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
      const Group group{type}, products{type, Values::powers_of_two};
      compare<In>("subgroupInclusiveAdd", group,
                  LOCKSTEP_CALL(subgroupInclusiveAdd(in.active(), in.value())),
                  scalar::Inclusive<scalar::Add>{});
      compare<In>("subgroupInclusiveMul", products,
                  LOCKSTEP_CALL(subgroupInclusiveMul(in.active(), in.value())),
                  scalar::Inclusive<scalar::Mul>{});
      compare<In>("subgroupInclusiveMin", group,
                  LOCKSTEP_CALL(subgroupInclusiveMin(in.active(), in.value())),
                  scalar::Inclusive<scalar::Min>{});
      compare<In>("subgroupInclusiveMax", group,
                  LOCKSTEP_CALL(subgroupInclusiveMax(in.active(), in.value())),
                  scalar::Inclusive<scalar::Max>{});
      if constexpr (std::is_same_v<typename In::value_type, std::uint32_t>) {
        compare<In>("subgroupInclusiveAnd", group,
                    LOCKSTEP_CALL(subgroupInclusiveAnd(in.active(), in.value())),
                    scalar::Inclusive<scalar::And>{});
        compare<In>("subgroupInclusiveOr", group,
                    LOCKSTEP_CALL(subgroupInclusiveOr(in.active(), in.value())),
                    scalar::Inclusive<scalar::Or>{});
        compare<In>("subgroupInclusiveXor", group,
                    LOCKSTEP_CALL(subgroupInclusiveXor(in.active(), in.value())),
                    scalar::Inclusive<scalar::Xor>{});
      }
    });

const bool added_exclusive_scans =
    at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
      const Group group{type}, products{type, Values::powers_of_two};
      compare<In>("subgroupExclusiveAdd", group,
                  LOCKSTEP_CALL(subgroupExclusiveAdd(in.active(), in.value())),
                  scalar::Exclusive<scalar::Add>{});
      compare<In>("subgroupExclusiveMul", products,
                  LOCKSTEP_CALL(subgroupExclusiveMul(in.active(), in.value())),
                  scalar::Exclusive<scalar::Mul>{});
      compare<In>("subgroupExclusiveMin", group,
                  LOCKSTEP_CALL(subgroupExclusiveMin(in.active(), in.value())),
                  scalar::Exclusive<scalar::Min>{});
      compare<In>("subgroupExclusiveMax", group,
                  LOCKSTEP_CALL(subgroupExclusiveMax(in.active(), in.value())),
                  scalar::Exclusive<scalar::Max>{});
      if constexpr (std::is_same_v<typename In::value_type, std::uint32_t>) {
        compare<In>("subgroupExclusiveAnd", group,
                    LOCKSTEP_CALL(subgroupExclusiveAnd(in.active(), in.value())),
                    scalar::Exclusive<scalar::And>{});
        compare<In>("subgroupExclusiveOr", group,
                    LOCKSTEP_CALL(subgroupExclusiveOr(in.active(), in.value())),
                    scalar::Exclusive<scalar::Or>{});
        compare<In>("subgroupExclusiveXor", group,
                    LOCKSTEP_CALL(subgroupExclusiveXor(in.active(), in.value())),
                    scalar::Exclusive<scalar::Xor>{});
      }
    });

}  // namespace
}  // namespace lockstep::bench
