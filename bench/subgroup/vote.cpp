#include <lockstep/subgroup/vote.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

const bool added = at_all_sizes<std::uint32_t>([]<class In>(const char*) {
  const Group bools{"bool"};
  compare<In>("subgroupAll", bools, LOCKSTEP_CALL(subgroupAll(in.active(), in.condition())),
              scalar::All{});
  compare<In>("subgroupAny", bools, LOCKSTEP_CALL(subgroupAny(in.active(), in.condition())),
              scalar::Any{});
  compare<In>("subgroupAllEqual", bools,
              LOCKSTEP_CALL(subgroupAllEqual(in.active(), in.condition())),
              scalar::AllEqual<true>{});
});

const bool added_values = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  compare<In>("subgroupAllEqual", {type, Values::often_equal},
              LOCKSTEP_CALL(subgroupAllEqual(in.active(), in.value())), scalar::AllEqual<false>{});
});

}  // namespace
}  // namespace lockstep::bench
