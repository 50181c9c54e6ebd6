#include <lockstep/subgroup/shuffle_relative.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

using scalar::move;

const bool added = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  compare<In>("subgroupShuffleUp", {type, Values::any, Numbers::distance},
              LOCKSTEP_CALL(subgroupShuffleUp(in.active(), in.value(), in.number())),
              move([](const In& in, std::size_t i) { return i - in.inputs.number[in.set][i]; }));
  compare<In>("subgroupShuffleDown", {type, Values::any, Numbers::room},
              LOCKSTEP_CALL(subgroupShuffleDown(in.active(), in.value(), in.number())),
              move([](const In& in, std::size_t i) { return i + in.inputs.number[in.set][i]; }));
});

}  // namespace
}  // namespace lockstep::bench
