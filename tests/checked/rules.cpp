#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using Words = std::vector<std::uint32_t>;

/// Runs 2 workgroups of 64 invocations on 128 elements.
template <template <class> class K>
FaultLog run(int size = 32) {
  Words data(128, 1);
  const Device device{.subgroup_size = size, .faults = Faults::counted};
  return device.dispatch_checked<K, 32>(2, data);
}
/// The rules that it broke, in order.
std::string rules_of(const FaultLog& log) {
  std::string rules;
  for (const Finding& f : log.findings()) {
    if (!rules.empty()) rules += ' ';
    rules += f.rule;
  }
  return rules;
}

// Each rule's wrong and right statements; `wrong` tells which are compiled.
#define LOCKSTEP_RULE(name, wrong_statements, right_statements)  \
  template <class S, bool wrong>                                 \
  struct name##_statements : Kernel<S> {                         \
    LOCKSTEP_GLSL(S);                                            \
    static constexpr Size3 local_size{64};                       \
    Buffer<uint> data;                                           \
    Shared<uint, 64> tile{this};                                 \
                                                                 \
    Barriers main() {                                            \
      const Uint i = gl_LocalInvocationIndex;                    \
      [[maybe_unused]] const Uint all = gl_GlobalInvocationID.x; \
      if constexpr (wrong) {                                     \
        wrong_statements                                         \
      } else {                                                   \
        right_statements                                         \
      }                                                          \
      co_await barrier();                                        \
    }                                                            \
  };                                                             \
  template <class S>                                             \
  using name##_wrong = name##_statements<S, true>;               \
  template <class S>                                             \
  using name##_right = name##_statements<S, false>;

// clang-format off
LOCKSTEP_RULE(undefined_shuffle,
  If (i < 8u) data[all] = subgroupShuffle(i, i + 4u);,
  const Uint v = subgroupShuffle(i, (i + 4u) & 31u); If (i < 8u) data[all] = v;)
LOCKSTEP_RULE(shuffle_past_edge,
  data[all] = i + subgroupShuffleUp(i, 1u);,
  const Uint v = subgroupShuffleUp(i, 1u); data[all] = select(gl_SubgroupInvocationID >= 1u, i + v, i);)
LOCKSTEP_RULE(shuffle_past_upper_edge,
  data[all] = subgroupShuffleDown(i, 2u);,
  const Uint v = subgroupShuffleDown(i, 2u); If (gl_SubgroupInvocationID + 2u < gl_SubgroupSize) data[all] = v;)
LOCKSTEP_RULE(undefined_broadcast,
  If (i % 2u == 1u) data[all] = subgroupBroadcast(i, 0u);,
  If (i % 2u == 1u) data[all] = subgroupBroadcastFirst(i);)
LOCKSTEP_RULE(undefined_quad,
  If (i % 4u != 1u) data[all] = subgroupQuadSwapHorizontal(i);,
  const Uint v = subgroupQuadSwapHorizontal(i); If (i % 4u != 1u) data[all] = v;)
LOCKSTEP_RULE(find_in_empty_ballot,
  data[all] = subgroupBallotFindLSB(subgroupBallot(i > 99u));,
  const auto found = subgroupBallot(i > 99u);
  data[all] = select(subgroupAny(i > 99u), Uint(subgroupBallotFindLSB(found)), 99u);)
LOCKSTEP_RULE(ballot_bit_outside,
  data[all] = Uint(subgroupBallotBitExtract(Ballot(~0u, ~0u, ~0u, ~0u), i));,
  data[all] = Uint(subgroupBallotBitExtract(Ballot(~0u, ~0u, ~0u, ~0u), i % gl_SubgroupSize));)
LOCKSTEP_RULE(partition_invalid,
  data[all] = subgroupPartitionedAddNV(i, ~gl_SubgroupEqMask);,
  data[all] = subgroupPartitionedAddNV(i, subgroupPartitionNV(i % 4u));)
LOCKSTEP_RULE(all_nan,
  data[all] = floatBitsToUint(Float(subgroupMin(uintBitsToFloat(i | 0x7fc00000u))));,
  data[all] = floatBitsToUint(Float(subgroupMin(Float(i))));)
LOCKSTEP_RULE(shift_too_wide,
  data[all] = Uint(1u) << i;,
  data[all] = Uint(1u) << (i & 31u);)
LOCKSTEP_RULE(bit_field_too_wide,
  data[all] = bitfieldExtract(i, Int(i & 31u), Int(8));,
  data[all] = bitfieldExtract(i, Int(i & 15u), Int(8));)
LOCKSTEP_RULE(division_by_zero,
  data[all] = 100u / i;,
  data[all] = 100u / max(i, 1u);)
LOCKSTEP_RULE(least_by_minus_one,
  data[all] = Uint(Int(-2147483647 - 1) / (Int(i) - 33));,
  data[all] = Uint(Int(-2147483647 - 1) / (Int(i) + 1));)
LOCKSTEP_RULE(conversion_range,
  data[all] = Uint(-1.0f - Float(i));,
  data[all] = Uint(Int(-1.0f - Float(i)));)
LOCKSTEP_RULE(math_domain,
  data[all] = floatBitsToUint(sqrt(10.0f - Float(i)));,
  data[all] = floatBitsToUint(sqrt(max(10.0f - Float(i), 0.0f)));)
LOCKSTEP_RULE(clamp_limits,
  data[all] = clamp(i, i, Uint(40u));,
  data[all] = clamp(i, Uint(3u), Uint(40u));)
LOCKSTEP_RULE(uninitialised_shared,
  If (i != 5u) tile[i] = i;
  co_await barrier();
  data[all] = tile[63u - i];,
  tile[i] = i;
  co_await barrier();
  data[all] = tile[63u - i];)
// clang-format on

#define CHECK_RULE(name, rule)                                                            \
  TEST_CASE("a checked kernel: " #name) {                                                 \
    const FaultLog wrong = run<name##_wrong>();                                           \
    CAPTURE(to_string(wrong));                                                            \
    CHECK(rules_of(wrong) == rule);                                                       \
    CHECK(wrong.first().message.starts_with("an undefined value is stored to buffer 0")); \
    if (rule != std::string_view("uninitialised-shared")) {                               \
      CHECK(wrong.first().origin.line == wrong.first().where.line);                       \
      CHECK(std::string_view(wrong.first().origin.file) == __FILE__);                     \
    }                                                                                     \
    CHECK(to_string(run<name##_right>()) == "no findings");                               \
  }
CHECK_RULE(undefined_shuffle, "undefined-shuffle")
CHECK_RULE(shuffle_past_edge, "shuffle-past-edge")
CHECK_RULE(shuffle_past_upper_edge, "shuffle-past-edge")
CHECK_RULE(undefined_broadcast, "undefined-broadcast")
CHECK_RULE(undefined_quad, "undefined-quad")
CHECK_RULE(find_in_empty_ballot, "find-in-empty-ballot")
CHECK_RULE(ballot_bit_outside, "ballot-bit-outside")
CHECK_RULE(partition_invalid, "partition-invalid")
CHECK_RULE(all_nan, "all-nan")
CHECK_RULE(shift_too_wide, "shift-too-wide")
CHECK_RULE(bit_field_too_wide, "shift-too-wide")
CHECK_RULE(division_by_zero, "division-by-zero")
CHECK_RULE(least_by_minus_one, "division-by-zero")
CHECK_RULE(conversion_range, "conversion-range")
CHECK_RULE(math_domain, "math-domain")
CHECK_RULE(clamp_limits, "math-domain")
CHECK_RULE(uninitialised_shared, "uninitialised-shared")

// ---- Races and operands ----

// clang-format off
LOCKSTEP_RULE(data_race,
  tile[i] = i;
  data[all] = tile[63u - i];,
  tile[i] = i;
  co_await barrier();
  data[all] = tile[63u - i];)
LOCKSTEP_RULE(lockstep_exchange,
  tile[i] = i;
  data[all] = tile[i ^ 1u];,
  tile[i] = i;
  subgroupMemoryBarrierShared();
  subgroupBarrier();
  data[all] = tile[i ^ 1u];)
LOCKSTEP_RULE(atomic_mixed,
  If (i == 0u) tile[0] = 0u;
  atomicAdd(tile[0], 1u);,
  If (i == 0u) tile[0] = 0u;
  co_await barrier();
  atomicAdd(tile[0], 1u);)
LOCKSTEP_RULE(broadcast_not_uniform,
  data[all] = subgroupBroadcast(i, i % 2u);,
  data[all] = subgroupShuffle(i, i % 2u);)
LOCKSTEP_RULE(cluster_size,
  data[all] = subgroupClusteredAdd(i, 64u);,
  data[all] = subgroupClusteredAdd(i, 32u);)
// clang-format on

#define CHECK_EVENT_RULE(name, broken)                      \
  TEST_CASE("a checked kernel: " #name) {                   \
    const FaultLog wrong = run<name##_wrong>();             \
    CAPTURE(to_string(wrong));                              \
    REQUIRE(wrong.count() > 0);                             \
    CHECK(rules_of(wrong).ends_with(broken));               \
    CHECK(to_string(run<name##_right>()) == "no findings"); \
  }
CHECK_EVENT_RULE(data_race, "data-race")
CHECK_EVENT_RULE(lockstep_exchange, "lockstep-exchange")
CHECK_EVENT_RULE(atomic_mixed, "atomic-mixed")
CHECK_EVENT_RULE(broadcast_not_uniform, "broadcast-not-uniform")
CHECK_EVENT_RULE(cluster_size, "cluster-size")

TEST_CASE("a race of a kernel is told once, and by the element") {
  const FaultLog log = run<data_race_wrong>();
  CAPTURE(to_string(log));
  std::vector<std::string> races;
  for (const Finding& f : log.findings())
    if (f.rule == "data-race") races.push_back(f.message.substr(0, f.message.find(", which")));
  CHECK(races == std::vector<std::string>{"write to element 32 of shared array 0"});
}

template <class S>
struct NamedArrays : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  Buffer<uint> data;
  Shared<uint, 64> tile{this, "tile"};
  Shared<uvec2, 64> pairs{this, "pairs"};
  Shared<uint, 64> unnamed{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    tile[i] = i;
    If (i == 0u) tile[5u] = 1u;
    pairs[i] = uvec2(i);
    If (i == 0u) pairs[6u].y = 1u;
    unnamed[i] = i;
    If (i == 0u) unnamed[7u] = 1u;
    If (i == 63u) data[i] = tile[i + 1u];
    co_return;
  }
};

TEST_CASE("findings name shared arrays that have a name") {
  Words data(128, 1);
  const Device device{.subgroup_size = 4, .faults = Faults::counted};
  const FaultLog log = device.dispatch_checked<NamedArrays, 8>(1, data);
  std::string places;
  for (const Finding& f : log.findings())
    if (f.rule == "data-race" || f.rule == "out-of-bounds")
      places += f.message.substr(0, f.message.find(", which")) + "; ";
  CHECK(places ==
        "read of element 64 of tile; write to tile[5]; write to byte 4 of pairs[6]; write to "
        "element 7 of "
        "shared array 2; ");

  // In each workgroup, on every thread.
  Words many(64);
  const FaultLog plain =
      Device{.subgroup_size = 8, .faults = Faults::counted}.dispatch<NamedArrays, 8>(16, many);
  REQUIRE(plain.findings().size() == 1);
  CHECK_THAT(
      to_string(plain.first()),
      Catch::Contains("read of element 64 of tile, which has 64") && Catch::EndsWith("16 times"));
}

TEST_CASE("a broadcast from lanes that differ is one finding, not also one from an inactive lane") {
  CHECK(rules_of(run<broadcast_not_uniform_wrong>()) == "broadcast-not-uniform");
  Words data(128, 1);
  Device device{.subgroup_size = 32, .faults = Faults::counted};
  device.checks = Checks{Check::undefined_broadcast};
  const FaultLog alone = device.dispatch_checked<broadcast_not_uniform_wrong, 32>(2, data);
  CHECK(rules_of(alone) == "undefined-broadcast");
}

// ---- Vectors, matrices and structs in shared memory ----

}  // namespace
namespace in_shared_memory {
LOCKSTEP_STRUCT(Pair, (uint, first), (vec2, second));
}
namespace {

using in_shared_memory::Pair;

template <class S>
struct SharedPairs : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{32};
  Buffer<uint> data;
  Shared<Pair, 32> pairs{this};
  Shared<vec2, 32> vectors{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    pairs[i].first = 1u / i;  // undefined in lane 0
    vectors[i] = vec2(1.0f, 2.0f);
    co_await barrier();
    data[i] = pairs[i].first;
    If (i > 0u) {
      data[i] = pairs[i].first;
      data[i] = Uint(vectors[i].y);
    }
    data[i] = Uint(pairs[i].second.x);
    pairs[i].first = 7u;
    data[i] = pairs[i].first;
  }
};

TEST_CASE("parts of structs in shared memory know whether they are undefined") {
  Words data(32);
  const Device device{.subgroup_size = 32, .faults = Faults::counted};
  const FaultLog log = device.dispatch_checked<SharedPairs, 32>(1, data);
  CAPTURE(to_string(log));
  REQUIRE(log.findings().size() == 2);
  CHECK(log.findings()[0].rule == "division-by-zero");
  CHECK(log.findings()[0].lanes == LaneSet::lane(0));
  CHECK(log.findings()[1].rule == "uninitialised-shared");
  CHECK(log.findings()[1].lanes == LaneSet::first_n(32));
}

// ---- Which rules count ----

TEST_CASE("a run is checked for the rules that it names") {
  Words data(128, 1);
  Device device{.subgroup_size = 32, .faults = Faults::counted};
  device.checks = {Check::math_domain};
  CHECK(device.dispatch_checked<shuffle_past_edge_wrong, 32>(2, data).count() == 0);
  CHECK(device.dispatch_checked<math_domain_wrong, 32>(2, data).count() > 0);
  device.checks = kernel_checks().without(Check::math_domain);
  CHECK(device.dispatch_checked<shuffle_past_edge_wrong, 32>(2, data).count() > 0);
  CHECK(device.dispatch_checked<math_domain_wrong, 32>(2, data).count() == 0);
}

TEST_CASE("several threads find what one finds") {
  Words data(128, 1);
  Device device{.subgroup_size = 8, .threads = 4, .faults = Faults::counted};
  const FaultLog many = device.dispatch_checked<shuffle_past_edge_wrong, 32>(2, data);
  device.deterministic = true;
  CHECK(to_string(many) ==
        to_string(device.dispatch_checked<shuffle_past_edge_wrong, 32>(2, data)));
}

/// The same mistake in two lines, one of which allows it.
template <class S>
struct Allowing : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  Buffer<uint> data;

  void main() {
    const Uint all = gl_GlobalInvocationID.x;
    data[all] = Uint(1u) << (all + 32u);  // lockstep: allow shift-too-wide
    data[all] = Uint(1u) << (all + 40u);
  }
};

TEST_CASE("a comment in a kernel allows a rule in its line") {
  const FaultLog log = run<Allowing>();
  INFO(log);
  CHECK(log.findings().size() == 1);
  CHECK(log.count() == 128);
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
