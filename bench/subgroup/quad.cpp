#include <lockstep/subgroup/quad.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

using scalar::move;

const bool added = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  compare<In>(
      "subgroupQuadBroadcast", {type, Values::any, Numbers::in_quad},
      LOCKSTEP_CALL(subgroupQuadBroadcast(in.active(), in.value(), in.number())),
      move([](const In& in, std::size_t i) { return i / 4 * 4 + in.inputs.number[in.set][i]; }));
  compare<In>("subgroupQuadSwapHorizontal", {type},
              LOCKSTEP_CALL(subgroupQuadSwapHorizontal(in.active(), in.value())),
              move([](const In&, std::size_t i) { return i ^ 1; }));
  compare<In>("subgroupQuadSwapVertical", {type},
              LOCKSTEP_CALL(subgroupQuadSwapVertical(in.active(), in.value())),
              move([](const In&, std::size_t i) { return i ^ 2; }));
  compare<In>("subgroupQuadSwapDiagonal", {type},
              LOCKSTEP_CALL(subgroupQuadSwapDiagonal(in.active(), in.value())),
              move([](const In&, std::size_t i) { return i ^ 3; }));
});

const bool added_votes = at_all_sizes<std::uint32_t>([]<class In>(const char*) {
  compare<In>("subgroupQuadAll", {"bool"},
              LOCKSTEP_CALL(subgroupQuadAll(in.active(), in.condition())),
              scalar::QuadVote<true>{});
  compare<In>("subgroupQuadAny", {"bool"},
              LOCKSTEP_CALL(subgroupQuadAny(in.active(), in.condition())),
              scalar::QuadVote<false>{});
});

}  // namespace
}  // namespace lockstep::bench
