#include <lockstep/subgroup/ballot.hpp>

#include "baseline/scalar_subgroup.hpp"

namespace lockstep::bench {
namespace {

using scalar::each_lane, scalar::LaneBit, scalar::UniformBit;

const bool added_values = at_all_sizes<std::uint32_t, float>([]<class In>(const char* type) {
  compare<In>("subgroupBroadcast", {type},
              LOCKSTEP_CALL(subgroupBroadcast(in.active(), in.value(), in.id())),
              [](const In& in) { return in.inputs.value[in.set][in.id()]; });
  compare<In>("subgroupBroadcastFirst", {type},
              LOCKSTEP_CALL(subgroupBroadcastFirst(in.active(), in.value())),
              scalar::BroadcastFirst{});
});

// A uniform ballot.
const bool added = at_all_sizes<std::uint32_t>([]<class In>(const char*) {
  const Group none{"none"};
  compare<In>("subgroupBallot", {"bool"},
              LOCKSTEP_CALL(subgroupBallot(in.active(), in.condition())), scalar::MakeBallot{});
  compare<In>("subgroupInverseBallot", none,
              LOCKSTEP_CALL(subgroupInverseBallot(in.active(), in.ballot())),
              each_lane([](const In& in, std::size_t i) { return UniformBit{}(in, i, i); }));
  compare<In>("subgroupBallotBitExtract", none,
              LOCKSTEP_CALL(subgroupBallotBitExtract(in.active(), in.ballot(), in.number())),
              each_lane([](const In& in, std::size_t i) {
                return UniformBit{}(in, i, in.inputs.number[in.set][i]);
              }));
  compare<In>("subgroupBallotBitCount", none,
              LOCKSTEP_CALL(subgroupBallotBitCount(in.active(), in.ballot(), in.size())),
              scalar::CountBits<UniformBit>{});
  compare<In>("subgroupBallotInclusiveBitCount", none,
              LOCKSTEP_CALL(subgroupBallotInclusiveBitCount(in.active(), in.ballot())),
              scalar::CountBitsBelow<true>{});
  compare<In>("subgroupBallotExclusiveBitCount", none,
              LOCKSTEP_CALL(subgroupBallotExclusiveBitCount(in.active(), in.ballot())),
              scalar::CountBitsBelow<false>{});
  compare<In>("subgroupBallotFindLSB", none,
              LOCKSTEP_CALL(subgroupBallotFindLSB(in.active(), in.ballot(), in.size())),
              scalar::FindLowest<UniformBit>{});
  compare<In>("subgroupBallotFindMSB", none,
              LOCKSTEP_CALL(subgroupBallotFindMSB(in.active(), in.ballot(), in.size())),
              scalar::FindHighest<UniformBit>{});
});

// One ballot per lane.
const bool added_lanes = at_all_sizes<std::uint32_t>([]<class In>(const char*) {
  const Group lanes{"lanes"};
  compare<In>("subgroupInverseBallot", lanes,
              LOCKSTEP_CALL(subgroupInverseBallot(in.active(), in.ballots())),
              each_lane([](const In& in, std::size_t i) { return LaneBit{}(in, i, i); }));
  compare<In>("subgroupBallotBitExtract", lanes,
              LOCKSTEP_CALL(subgroupBallotBitExtract(in.active(), in.ballots(), in.number())),
              each_lane([](const In& in, std::size_t i) {
                return LaneBit{}(in, i, in.inputs.number[in.set][i]);
              }));
  compare<In>("subgroupBallotBitCount", lanes,
              LOCKSTEP_CALL(subgroupBallotBitCount(in.active(), in.ballots(), in.size())),
              each_lane(scalar::CountBits<LaneBit>{}));
  compare<In>("subgroupBallotInclusiveBitCount", lanes,
              LOCKSTEP_CALL(subgroupBallotInclusiveBitCount(in.active(), in.ballots())),
              each_lane([](const In& in, std::size_t i) {
                return scalar::CountBits<LaneBit>{}(in, i, i + 1);
              }));
  compare<In>("subgroupBallotExclusiveBitCount", lanes,
              LOCKSTEP_CALL(subgroupBallotExclusiveBitCount(in.active(), in.ballots())),
              each_lane([](const In& in, std::size_t i) {
                return scalar::CountBits<LaneBit>{}(in, i, i);
              }));
  compare<In>("subgroupBallotFindLSB", lanes,
              LOCKSTEP_CALL(subgroupBallotFindLSB(in.active(), in.ballots(), in.size())),
              each_lane(scalar::FindLowest<LaneBit>{}));
  compare<In>("subgroupBallotFindMSB", lanes,
              LOCKSTEP_CALL(subgroupBallotFindMSB(in.active(), in.ballots(), in.size())),
              each_lane(scalar::FindHighest<LaneBit>{}));
});

}  // namespace
}  // namespace lockstep::bench
