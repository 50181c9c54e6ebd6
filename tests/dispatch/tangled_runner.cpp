#include <lockstep/dispatch/tangled_runner.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/choice_tree.hpp>
#include <lockstep/exec/finding_error.hpp>
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

TEST_CASE("a dispatch of no workgroups runs nothing") {
  for (const Size3 groups : {Size3{0}, Size3{5, 0}, Size3{5, 5, 0}}) {
    Numbers takes(16), escapes(16), count(16, 7);
    const FaultLog found = Device{.subgroup_size = 8}.dispatch<Together, 8>(Convergence{}, groups,
                                                                            takes, escapes, count);
    CHECK(found.count() == 0);
    CHECK(count == Numbers(16, 7));
  }
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
                                    "subgroup 0 waits for subgroup 1"));
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

// ---- What a chooser decides beside convergence ----

}  // namespace

namespace in_chosen_order {

using namespace lockstep;

LOCKSTEP_STRUCT(Counter, (uint, others), (uint, next));

}  // namespace in_chosen_order

namespace {

using in_chosen_order::Counter;

template <class S>
struct Tickets : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  Buffer<uint> plain;
  Buffer<Counter> counters;
  Buffer<uint> ticket, in_struct;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    ticket[i] = atomicAdd(plain[0u], 1u);
    in_struct[i] = atomicAdd(counters[i % 2u].next, 1u);
  }
};

/// Runs of K with every sequence of answers about one kind of choice; gives how many there were.
template <class Run>
int with_every_answer(Choice choice, Run run) {
  ChoiceTree tree;
  int runs = 0;
  while (const auto answers = tree.next()) {
    Chooser chooser = Chooser::start_with(*answers).only(std::array{choice});
    run(Convergence{.chooser = &chooser, .max_trips = 1u << 15});
    tree.ran(*answers, chooser.made(), chooser.asked());
    REQUIRE(++runs < 5000);
  }
  return runs;
}

TEST_CASE("a chooser decides the order of an atomic's lanes, also in structs") {
  using Words = std::vector<std::uint32_t>;
  std::set<Words> tickets, in_structs;
  const int runs = with_every_answer(Choice::atomic_order, [&](const Convergence& convergence) {
    Words plain(1), ticket(4), in_struct(4);
    std::vector<Counter> counters(2);
    Device{.subgroup_size = 4}.dispatch<Tickets, 8>(convergence, 1, plain, counters, ticket,
                                                    in_struct);
    CHECK(plain[0] == 4);
    CHECK(counters[0].next == 2);
    CHECK(counters[1].next == 2);
    CHECK(std::ranges::is_permutation(ticket, Words{0, 1, 2, 3}));
    CHECK(in_struct[0] + in_struct[2] == 1);
    CHECK(in_struct[1] + in_struct[3] == 1);
    tickets.insert(ticket);
    in_structs.insert(in_struct);
  });
  CHECK(runs == 24 * 2 * 2);
  CHECK(tickets.size() == 24);
  CHECK(in_structs.size() == 4);
}

template <class S>
struct Sums : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<const float> in;
  Buffer<float> sum, scanned, below, clustered, of_parity, of_vec;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    const Float x = in[i];
    sum[i] = subgroupAdd(x);
    scanned[i] = subgroupInclusiveAdd(x);
    below[i] = subgroupExclusiveAdd(x);
    clustered[i] = subgroupClusteredAdd(x, 4u);
    of_parity[i] = subgroupPartitionedAddNV(x, subgroupPartitionNV(i % 2u));
    of_vec[i] = Vec2(subgroupInclusiveAdd(vec2(x, 2.0f * x))).y;
  }
  using Vec2 = vec2;
};

TEST_CASE("a chooser decides the order of every reduction and scan of floats") {
  const std::vector<float> in = {3, 1e8f, -1e8f, 5, 7, 1e8f, 2, -1e8f};
  // Each in the order from the highest lane down.
  Chooser chooser =
      Chooser::replay({2, 2, 2, 2, 2, 2, 2}).only(std::array{Choice::reduction_order});
  const Convergence convergence{.chooser = &chooser};
  std::vector<float> sum(8), scanned(8), below(8), clustered(8), parity(8), vec(8);
  Device{.subgroup_size = 8}.dispatch<Sums, 8>(convergence, 1, in, sum, scanned, below, clustered,
                                               parity, vec);
  CHECK(chooser.made().size() == 6);
  const auto downwards = [&](std::size_t first, std::size_t last, std::size_t step = 1,
                             float times = 1) {
    float total = in[last] * times;
    for (std::size_t k = last; k >= first + step; k -= step) total += in[k - step] * times;
    return total;
  };
  for (std::size_t i = 0; i < 8; ++i) {
    INFO(i);
    CHECK(sum[i] == downwards(0, 7));
    CHECK(scanned[i] == downwards(0, i));
    CHECK(below[i] == (i == 0 ? 0 : downwards(0, i - 1)));
    CHECK(clustered[i] == downwards(i / 4 * 4, i / 4 * 4 + 3));
    CHECK(parity[i] == downwards(i % 2, 6 + i % 2, 2));
    CHECK(vec[i] == downwards(0, i, 1, 2));
  }
}

/// Each of two subgroups adds one, not atomically.
template <class S>
struct LostUpdate : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> data;

  void main() {
    If (subgroupElect()) {
      const Uint before = data[0u];
      data[0u] = before + 1u;
    }
  }
};

TEST_CASE("a chooser lets another subgroup run before an access") {
  std::set<std::uint32_t> results;
  with_every_answer(Choice::subgroup_order, [&](const Convergence& convergence) {
    std::vector<std::uint32_t> data(1);
    Device{.subgroup_size = 4}.dispatch<LostUpdate, 8>(convergence, 1, data);
    results.insert(data[0]);
  });
  CHECK(results == std::set<std::uint32_t>{1, 2});
}

/// The first subgroup waits for the second one, or the first workgroup for the second one.
template <class S>
struct Waits : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> flag;
  uint of_workgroups;

  void main() {
    const uint mine = of_workgroups != 0 ? uint(gl_WorkGroupID.x) : uint(gl_SubgroupID);
    If (subgroupElect()) {
      if (mine == 0) {
        While (atomicAdd(flag[0u], 0u) == 0u) {
        }
      } else {
        atomicExchange(flag[0u], 1u);
      }
    }
  }
};

TEST_CASE("subgroups that wait in loops let others run, unless the chooser starves them") {
  std::vector<std::uint32_t> flag(1);
  std::vector<std::string> errors;
  const int runs = with_every_answer(Choice::progress, [&](const Convergence& convergence) {
    flag[0] = 0;
    errors.emplace_back();
    try {
      Device{.subgroup_size = 4}.dispatch<Waits, 8>(convergence, 1, flag, 0u);
      CHECK(flag[0] == 1);
    } catch (const FindingError& error) {
      CHECK(error.finding().rule == "no-progress");
      errors.back() = error.what();
    }
  });
  CHECK(runs > 1);
  CHECK(errors.front().empty());
  CHECK(std::ranges::any_of(errors, [](const std::string& error) {
    return error.find("subgroup 1 waits for its turn") != std::string::npos;
  }));
}

TEST_CASE("workgroups start in the device's order, and those that have not begun are named") {
  std::vector<std::uint32_t> flag(1);
  Device device{.subgroup_size = 8, .threads = 1, .max_trips = 1000};
  const auto dispatch = [&](bool tangled) -> std::string {
    flag[0] = 0;
    try {
      if (tangled)
        device.dispatch<Waits, 8>(Convergence{}, 3, flag, 1u);
      else
        device.dispatch<Waits, 8>(3, flag, 1u);
    } catch (const FindingError& error) {
      REQUIRE(error.earlier().count() == 1);
      return error.earlier().findings().front().message;
    }
    return {};
  };
  for (const bool tangled : {false, true}) {
    INFO(tangled);
    device.order = WorkgroupOrder::linear();
    CHECK_THAT(dispatch(tangled),
               Catch::Contains("2 workgroups have not begun, from (1, 0, 0) on"));
    device.order = WorkgroupOrder::permutation(2);  // 1, 0, 2
    CHECK(dispatch(tangled).empty());
    device.order = WorkgroupOrder::reversed();
    CHECK(dispatch(tangled).empty());
  }
}

}  // namespace
