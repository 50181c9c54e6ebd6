// g++ 12 warns about its own AVX-512 intrinsics, which start from a deliberately undefined
// register.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/subgroup/spec.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

/// The built-ins that were called, those whose result in a kernel differs from that outside, and those with one
/// result for all lanes, given uniform arguments besides the value.
struct Calls {
  std::set<std::string> called, wrong, one_result;

  void add(const char* name, bool same, bool has_one_result) {
    called.insert(name);
    if (!same) wrong.insert(name);
    if (has_one_result) one_result.insert(name);
  }
};

template <class T>
inline constexpr bool is_per_lane = false;
template <class T, int W>
inline constexpr bool is_per_lane<Lanes<T, W>> = true;
template <int W>
inline constexpr bool is_per_lane<BallotLanes<W>> = true;

// Results must agree in active lanes; other lanes may hold anything.
template <int W, class T>
bool same(Mask<W>, const T& a, const T& b) {
  return a == b;
}
template <int W, class T>
bool same(Mask<W> active, const Lanes<T, W>& a, const Lanes<T, W>& b) {
  for (int i = 0; i < W; ++i) {
    if (active.test(i) && a[i] != b[i]) return false;
  }
  return true;
}
template <int W>
bool same(Mask<W> active, const BallotLanes<W>& a, const BallotLanes<W>& b) {
  return same(active, a.x, b.x) && same(active, a.y, b.y) && same(active, a.z, b.z) &&
         same(active, a.w, b.w);
}

#define ADD(name, inside, outside) \
  calls->add(#name, same(active, inside, outside), !is_per_lane<decltype(outside)>)
#define CALL(name, ...) \
  ADD(name, name(__VA_ARGS__), lockstep::name(active __VA_OPT__(, ) __VA_ARGS__))
#define CALL_SIZED(name, ...)  \
  ADD(name, name(__VA_ARGS__), \
      lockstep::name(active, __VA_ARGS__, static_cast<int>(gl_SubgroupSize)))

template <class S>
struct CallAll : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{100};
  Buffer<const uint> in;
  Calls* calls;

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    if (auto some = when(x % 4u != 0u)) call_all(x % 8u);
    if (auto none = when(x == x)) {
      leave_function();
      call_all(x % 8u);
    }
  }

  // Not inlined into the dispatch's loop: that would take time to compile, and it rarely runs.
  [[gnu::noinline]] void call_all(const Uint& x) {
    votes_and_ballots(x);
    arithmetic(x);
    moves(x);
    partitions(x);
    arb(x);
  }

  [[gnu::noinline]] void votes_and_ballots(const Uint& x) {
    const auto active = active_lanes();
    CALL(subgroupElect);
    CALL(subgroupAll, x > 0u);
    CALL(subgroupAny, x == 3u);
    CALL(subgroupAllEqual, x);
    CALL_SIZED(subgroupBroadcast, x, 2u);
    CALL(subgroupBroadcastFirst, x);
    CALL(subgroupBallot, x > 3u);
    const Ballot ballot = subgroupBallot(x > 2u);
    CALL(subgroupInverseBallot, ballot);
    CALL(subgroupBallotBitExtract, ballot, x);
    CALL(subgroupBallotInclusiveBitCount, ballot);
    CALL(subgroupBallotExclusiveBitCount, ballot);
    const Ballot all_bits{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu};
    CALL_SIZED(subgroupBallotBitCount, all_bits);
    CALL_SIZED(subgroupBallotFindLSB, ballot);
    CALL_SIZED(subgroupBallotFindMSB, all_bits);
  }

  [[gnu::noinline]] void arithmetic(const Uint& x) {
    const auto active = active_lanes();
    CALL(subgroupAdd, x);
    CALL(subgroupMul, x);
    CALL(subgroupMin, x);
    CALL(subgroupMax, x);
    CALL(subgroupAnd, x);
    CALL(subgroupOr, x);
    CALL(subgroupXor, x);
    CALL(subgroupInclusiveAdd, x);
    CALL(subgroupInclusiveMul, x);
    CALL(subgroupInclusiveMin, x);
    CALL(subgroupInclusiveMax, x);
    CALL(subgroupInclusiveAnd, x);
    CALL(subgroupInclusiveOr, x);
    CALL(subgroupInclusiveXor, x);
    CALL(subgroupExclusiveAdd, x);
    CALL(subgroupExclusiveMul, x);
    CALL(subgroupExclusiveMin, x);
    CALL(subgroupExclusiveMax, x);
    CALL(subgroupExclusiveAnd, x);
    CALL(subgroupExclusiveOr, x);
    CALL(subgroupExclusiveXor, x);
    CALL(subgroupClusteredAdd, x, 4u);
    CALL(subgroupClusteredMul, x, 4u);
    CALL(subgroupClusteredMin, x, 4u);
    CALL(subgroupClusteredMax, x, 4u);
    CALL(subgroupClusteredAnd, x, 4u);
    CALL(subgroupClusteredOr, x, 4u);
    CALL(subgroupClusteredXor, x, 4u);
  }

  [[gnu::noinline]] void moves(const Uint& x) {
    const auto active = active_lanes();
    CALL_SIZED(subgroupShuffle, x, x);
    CALL_SIZED(subgroupShuffleXor, x, 1u);
    CALL_SIZED(subgroupShuffleUp, x, 1u);
    CALL_SIZED(subgroupShuffleDown, x, 1u);
    CALL_SIZED(subgroupRotate, x, 3u);
    CALL(subgroupClusteredRotate, x, 3u, 4u);
    CALL(subgroupQuadBroadcast, x, 1u);
    CALL(subgroupQuadSwapHorizontal, x);
    CALL(subgroupQuadSwapVertical, x);
    CALL(subgroupQuadSwapDiagonal, x);
    CALL(subgroupQuadAll, x > 2u);
    CALL(subgroupQuadAny, x > 2u);
  }

  [[gnu::noinline]] void partitions(const Uint& x) {
    const auto active = active_lanes();
    CALL(subgroupPartitionNV, x);
    const auto parts = subgroupPartitionNV(x % 3u);
    CALL(subgroupPartitionedAddNV, x, parts);
    CALL(subgroupPartitionedMulNV, x, parts);
    CALL(subgroupPartitionedMinNV, x, parts);
    CALL(subgroupPartitionedMaxNV, x, parts);
    CALL(subgroupPartitionedAndNV, x, parts);
    CALL(subgroupPartitionedOrNV, x, parts);
    CALL(subgroupPartitionedXorNV, x, parts);
    CALL(subgroupPartitionedInclusiveAddNV, x, parts);
    CALL(subgroupPartitionedInclusiveMulNV, x, parts);
    CALL(subgroupPartitionedInclusiveMinNV, x, parts);
    CALL(subgroupPartitionedInclusiveMaxNV, x, parts);
    CALL(subgroupPartitionedInclusiveAndNV, x, parts);
    CALL(subgroupPartitionedInclusiveOrNV, x, parts);
    CALL(subgroupPartitionedInclusiveXorNV, x, parts);
    CALL(subgroupPartitionedExclusiveAddNV, x, parts);
    CALL(subgroupPartitionedExclusiveMulNV, x, parts);
    CALL(subgroupPartitionedExclusiveMinNV, x, parts);
    CALL(subgroupPartitionedExclusiveMaxNV, x, parts);
    CALL(subgroupPartitionedExclusiveAndNV, x, parts);
    CALL(subgroupPartitionedExclusiveOrNV, x, parts);
    CALL(subgroupPartitionedExclusiveXorNV, x, parts);
  }

  [[gnu::noinline]] void arb(const Uint& x) {
    const auto active = active_lanes();
    CALL(ballotARB, x > 2u);
    CALL_SIZED(readInvocationARB, x, 1u);
    CALL(readFirstInvocationARB, x);
    CALL(anyInvocationARB, x > 2u);
    CALL(allInvocationsARB, x > 2u);
    CALL(allInvocationsEqualARB, x > 2u);
    CALL(anyInvocation, x > 2u);
    CALL(allInvocations, x > 2u);
    CALL(allInvocationsEqual, x > 2u);
  }
};

TEST_CASE("a kernel calls every built-in of the table, with its own active lanes and size") {
  std::set<std::string> listed, one_result;
  for (const spec::BuiltIn& built_in : spec::functions()) {
    listed.emplace(built_in.name);
    if (built_in.result != spec::Result::each) one_result.emplace(built_in.name);
  }

  Random random = make_random();
  std::vector<std::uint32_t> in(200);
  for (auto& x : in) x = static_cast<std::uint32_t>(random());
  for (const int size : {24, 5, 1}) {
    INFO("subgroup size " << size << ", seed " << seed());
    Calls calls;
    Device{.subgroup_size = size, .threads = 1}.dispatch<CallAll, 24>({2}, in, &calls);
    CHECK(calls.called == listed);
    CHECK(calls.wrong == std::set<std::string>());
    CHECK(calls.one_result == one_result);
  }
}

}  // namespace
