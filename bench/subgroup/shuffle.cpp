#include <lockstep/subgroup/shuffle.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

using scalar::move;

const bool added = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  compare<In>("subgroupShuffle", {type},
              LOCKSTEP_CALL(subgroupShuffle(in.active(), in.value(), in.number())),
              move([](const In& in, std::size_t i) { return in.inputs.number[in.set][i]; }));
  compare<In>("subgroupShuffleXor", {type},
              LOCKSTEP_CALL(subgroupShuffleXor(in.active(), in.value(), in.number())),
              move([](const In& in, std::size_t i) { return i ^ in.inputs.number[in.set][i]; }));
});

}  // namespace
}  // namespace lockstep::bench
