#include <lockstep/dispatch/tangled_runner.hpp>

#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

/// Counts how many lanes are together behind a selection that some lanes of some subgroups leave.
template <class S>
struct Together : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};
  Buffer<const uint> takes;    // one flag an invocation: goes into the selection
  Buffer<const uint> escapes;  // and returns inside it
  Buffer<uint> count;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (takes[i] != 0u) {
      If (escapes[i] != 0u) Return;
    }
    count[i] = subgroupBallotBitCount(subgroupBallot(true));
  }
};

/// The counts of one workgroup of two subgroups of 8.
Numbers counts(Rule rule, const Numbers& takes, const Numbers& escapes = Numbers(16)) {
  Chooser chooser = Chooser::rejoin_none();
  Numbers count(16);
  Device{.subgroup_size = 8}.dispatch<Together, 8>(Convergence{.rule = rule, .chooser = &chooser},
                                                   {1}, takes, escapes, count);
  return count;
}

Numbers flags(std::initializer_list<int> set) {
  Numbers result(16);
  for (const int i : set) result[static_cast<std::size_t>(i)] = 1;
  return result;
}

TEST_CASE("core: the whole workgroup rejoins where it entered as a whole and left as a whole") {
  CHECK(counts(Rule::core, flags({0, 1, 2})) == Numbers(16, 8));
  CHECK(counts(Rule::core, flags({0, 12})) == Numbers(16, 8));
}

TEST_CASE("core: one lane that escapes keeps lanes of other subgroups apart") {
  // Lanes 0 to 2 of subgroup 0 take the selection; invocation 8, in subgroup 1, returns inside it.
  const Numbers want = {3, 3, 3, 5, 5, 5, 5, 5, 0, 7, 7, 7, 7, 7, 7, 7};
  CHECK(counts(Rule::core, flags({0, 1, 2, 8}), flags({8})) == want);
  // Under subgroup_uniform that is not subgroup 0's business.
  const Numbers other = {8, 8, 8, 8, 8, 8, 8, 8, 0, 7, 7, 7, 7, 7, 7, 7};
  CHECK(counts(Rule::subgroup_uniform, flags({0, 1, 2, 8}), flags({8})) == other);
  CHECK(counts(Rule::maximal, flags({0, 1, 2, 8}), flags({8})) == other);
}

/// A loop that subgroups leave after different numbers of trips, and a selection in it.
template <class S>
struct InLoop : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};
  Buffer<const uint> trips;
  Buffer<uint> inside;  // lanes together behind a selection in the last trip
  Buffer<uint> behind;  // and behind the loop

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    For (auto k = var(0u), k < trips[i], k += 1u) {
      If (i % 2u == 0u) {
      }
      inside[i] = subgroupBallotBitCount(subgroupBallot(true));
    }
    behind[i] = subgroupBallotBitCount(subgroupBallot(true));
  }
};

TEST_CASE(
    "core: in a loop the workgroup is whole as long as nobody has left, and again behind it") {
  Chooser chooser = Chooser::rejoin_none();
  const auto run = [&](const Numbers& trips) {
    Numbers inside(16), behind(16);
    Device{.subgroup_size = 8}.dispatch<InLoop, 8>(
        Convergence{.rule = Rule::core, .chooser = &chooser}, {1}, trips, inside, behind);
    return std::pair(inside, behind);
  };
  CHECK(run(Numbers(16, 3)) == std::pair(Numbers(16, 8), Numbers(16, 8)));
  // Subgroup 1 leaves first: then subgroup 0 is still whole, but the workgroup is not.
  Numbers trips(16, 2);
  std::fill(trips.begin() + 8, trips.end(), 1);
  Numbers inside(16, 4);
  std::fill(inside.begin() + 8, inside.end(), 8);
  CHECK(run(trips) == std::pair(inside, Numbers(16, 8)));
}

/// What one subgroup writes before a barrier, the next reads behind it; then a selection.
template <class S>
struct AroundBarrier : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{20};
  Buffer<uint> sum;
  Buffer<uint> together;
  Shared<uint, 3> firsts{this};

  Barriers main() {
    if (gl_SubgroupID == 1) uneven();  // plain C++: the rule does not see it
    firsts[gl_SubgroupID] = gl_SubgroupID + 5u;
    co_await barrier();
    const Uint i = gl_GlobalInvocationID.x;
    sum[i] = firsts[0] + firsts[1] + firsts[2];
    If (i % 2u == 0u) {
    }
    together[i] = subgroupBallotBitCount(subgroupBallot(true));
  }
  void uneven() {
    If (gl_SubgroupInvocationID == 3u) {
    }
  }
};

TEST_CASE("barriers bring the workgroup together, whatever was before") {
  for (const Rule rule : {Rule::maximal, Rule::subgroup_uniform, Rule::core}) {
    Chooser chooser = Chooser::rejoin_none();
    Numbers sum(40), together(40), want(40, 8);
    for (const std::size_t i : {16u, 17u, 18u, 19u, 36u, 37u, 38u, 39u}) want[i] = 4;
    Device{.subgroup_size = 8}.dispatch<AroundBarrier, 8>(
        Convergence{.rule = rule, .chooser = &chooser}, {2}, sum, together);
    INFO(to_string(rule));
    CHECK(sum == Numbers(40, 18));
    // A subgroup that the plain branch left in tangles is not whole, so neither is the workgroup.
    if (rule == Rule::core) {
      CHECK(together[16] <= 4);
    } else {
      CHECK(together == want);
    }
  }
}

template <class S>
struct PartialBarrier : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};
  Barriers main() {
    if (gl_SubgroupID == 0) co_await barrier();
  }
};

TEST_CASE("a barrier that not all subgroups reach is an error") {
  CHECK_THROWS_WITH((Device{.subgroup_size = 8}.dispatch<PartialBarrier, 8>(Convergence{}, {1})),
                    Catch::Contains("barrier() is not reached by all of workgroup (0, 0, 0): "
                                    "subgroups 0 wait for 1"));
}

template <class S>
struct Square : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{5, 3};
  Buffer<uint> data;
  void main() {
    const Uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 5u) + gl_GlobalInvocationID.x;
    data[i] = data[i] * data[i];
  }
};

TEST_CASE("every width, grid and partial subgroup gives what the fast machine gives") {
  for (const int size : {1, 3, 8, 24, 100, 128}) {
    Numbers data(90), fast(90);
    std::iota(data.begin(), data.end(), 1u);
    fast = data;
    const Device device{.subgroup_size = size};
    CHECK(device.dispatch<Square>(Convergence{}, {3, 2}, data).count() == 0);
    device.dispatch<Square>({3, 2}, fast);
    CHECK(data == fast);
    CHECK(data[89] == 8100);
  }
  Numbers data(89);
  const Device counting{.subgroup_size = 8, .faults = Faults::counted};
  CHECK(counting.dispatch<Square, 8>(Convergence{}, {3, 2}, data).count() == 3);
}

TEST_CASE("sizes that do not fit are refused") {
  Numbers data(90);
  CHECK_THROWS_AS((Device{.subgroup_size = 9}.dispatch<Square, 8>(Convergence{}, {1}, data)),
                  Error);
  CHECK_THROWS_AS((Device{.subgroup_size = 0}.dispatch<Square, 8>(Convergence{}, {1}, data)),
                  Error);
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
