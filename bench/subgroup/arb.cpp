#include <lockstep/subgroup/arb.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

const bool added_values = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  compare<In>("readInvocationARB", {type},
              LOCKSTEP_CALL(readInvocationARB(in.active(), in.value(), in.id())),
              [](const In& in) { return in.inputs.value[in.set][in.id()]; });
  compare<In>("readFirstInvocationARB", {type},
              LOCKSTEP_CALL(readFirstInvocationARB(in.active(), in.value())),
              scalar::BroadcastFirst{});
});

const bool added = at_all_sizes<std::uint32_t>([]<class In>(const char*) {
  const Group bools{"bool"};
  compare<In>("ballotARB", bools, LOCKSTEP_CALL(ballotARB(in.active(), in.condition())),
              scalar::MakeBallot64{});
  compare<In>("anyInvocationARB", bools,
              LOCKSTEP_CALL(anyInvocationARB(in.active(), in.condition())), scalar::Any{});
  compare<In>("allInvocationsARB", bools,
              LOCKSTEP_CALL(allInvocationsARB(in.active(), in.condition())), scalar::All{});
  compare<In>("allInvocationsEqualARB", bools,
              LOCKSTEP_CALL(allInvocationsEqualARB(in.active(), in.condition())),
              scalar::AllEqual<true>{});
  compare<In>("anyInvocation", bools, LOCKSTEP_CALL(anyInvocation(in.active(), in.condition())),
              scalar::Any{});
  compare<In>("allInvocations", bools, LOCKSTEP_CALL(allInvocations(in.active(), in.condition())),
              scalar::All{});
  compare<In>("allInvocationsEqual", bools,
              LOCKSTEP_CALL(allInvocationsEqual(in.active(), in.condition())),
              scalar::AllEqual<true>{});
});

}  // namespace
}  // namespace lockstep::bench
