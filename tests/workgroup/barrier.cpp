#include <lockstep/workgroup/barrier.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using std::uint32_t;

constexpr int run_sizes[] = {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};

/// Three barriers a trip: values go round through shared memory, and a subgroup's sum goes to all.
template <class S>
struct Exchange : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr uint32_t n = 150;
  static constexpr Size3 local_size{n};
  Buffer<const uint> in;
  Buffer<uint> out;
  uint trips;
  Shared<uint, n> values{this};
  Shared<uint, n> sums{this};

  Barriers main() {
    auto value = var(in[gl_GlobalInvocationID.x]);
    for (uint trip = 0; trip < trips; ++trip) {
      publish(value);
      co_await barrier();
      take(value, trip);
      co_await barrier();
      if (gl_SubgroupID == trip % gl_NumSubgroups) sum_up();
      co_await barrier();
      value += sums[trip];
    }
    out[gl_GlobalInvocationID.x] = value;
  }

  void publish(const Uint& value) { values[gl_LocalInvocationIndex] = value; }
  void take(Var<uint, S::width>& value, uint trip) {
    value = values[(gl_LocalInvocationIndex * 7u + trip) % n];
  }
  // What remains of the values, and the sum of them all, written by one subgroup.
  void sum_up() {
    uint sum = 0;
    for (uint k = 0; k < n; ++k) sum = sum * 3 + subgroupBroadcastFirst(values[k]);
    sums[gl_SubgroupID] = sum;
  }
};

std::vector<uint32_t> exchange(const std::vector<uint32_t>& in, uint32_t trips, uint32_t size) {
  constexpr uint32_t n = 150;
  const uint32_t subgroups = (n + size - 1) / size;
  std::vector<uint32_t> out(in.size());
  for (uint32_t group = 0; group < in.size(); group += n) {
    std::vector<uint32_t> value(in.begin() + group, in.begin() + group + n), values(n), sums(n);
    for (uint32_t trip = 0; trip < trips; ++trip) {
      values = value;
      for (uint32_t i = 0; i < n; ++i) value[i] = values[(i * 7 + trip) % n];
      uint32_t sum = 0;
      for (uint32_t k = 0; k < n; ++k) sum = sum * 3 + values[k];
      sums[trip % subgroups] = sum;
      for (uint32_t i = 0; i < n; ++i) value[i] += sums[trip];
    }
    for (uint32_t i = 0; i < n; ++i) out[group + i] = value[i];
  }
  return out;
}

TEST_CASE("subgroups exchange data around barriers in a uniform loop") {
  std::vector<uint32_t> in(150 * 4);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = i * 2654435761u;
  for (const int size : run_sizes) {
    for (const uint32_t trips : {1u, 2u, 5u}) {
      std::vector<uint32_t> out(in.size());
      // One workgroup at a time: shared memory keeps what the last one left, which the scalar
      // program does not know.
      const FaultLog faults =
          Device{.subgroup_size = size, .threads = 0}.dispatch<Exchange, LOCKSTEP_TEST_WIDTHS>(
              {4}, in, out, trips);
      INFO("subgroup size " << size << ", trips " << trips);
      CHECK(faults.count() == 0);
      CHECK(out == exchange(in, trips, static_cast<uint32_t>(size)));
    }
  }
}

/// Each subgroup logs when it passes which point.
template <class S>
struct Turns : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{10};
  std::vector<uint32_t>* log;

  Barriers main() {
    log->push_back(gl_SubgroupID);
    co_await barrier();
    log->push_back(100 + gl_SubgroupID);
    co_await barrier();
    log->push_back(200 + gl_SubgroupID);
  }
};

TEST_CASE("no subgroup goes on before all have come to the barrier") {
  std::vector<uint32_t> log;
  Device{.subgroup_size = 4, .threads = 1}.dispatch<Turns, 4>({2}, &log);
  const std::vector<uint32_t> once = {0, 1, 2, 100, 101, 102, 200, 201, 202};
  std::vector<uint32_t> want = once;
  want.insert(want.end(), once.begin(), once.end());
  CHECK(log == want);
}

// --- barriers that not all reach

constexpr int partial_line = __LINE__ + 14;

/// In workgroup (1, 0, 2) some subgroups end without the second barrier.
template <class S>
struct PartialBarrier : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{10};
  Buffer<uint> done;
  bool late;  ///< whether those that end are the others

  Barriers main() {
    co_await barrier();
    const bool bad = gl_WorkGroupID == Size3{1, 0, 2};
    if (bad && (gl_SubgroupID % 2 == 1) != late) co_return;
    co_await barrier();
    done[gl_WorkGroupID.x + 2 * gl_WorkGroupID.z] = 1u;
  }
};

std::string message_of(bool late, int threads) {
  std::vector<uint32_t> done(6);
  try {
    Device{.subgroup_size = 3, .threads = threads}.dispatch<PartialBarrier, 4>({2, 1, 3}, done,
                                                                               late);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("a barrier that not all subgroups reach is an error that says where and who") {
  using Catch::Matchers::Contains;
  const std::string place = "workgroup/barrier.cpp:" + std::to_string(partial_line) + ": ";
  for (const int threads : {1, 0}) {
    CHECK_THAT(message_of(false, threads), Contains(place) && Contains("workgroup (1, 0, 2)") &&
                                               Contains("subgroups 0, 2 wait for subgroups 1, 3"));
    CHECK_THAT(message_of(true, threads), Contains(place) && Contains("workgroup (1, 0, 2)") &&
                                              Contains("subgroups 1, 3 wait for subgroups 0, 2"));
  }
}

TEST_CASE("after an error the process goes on") {
  for (const int threads : {1, 0}) {
    REQUIRE(message_of(false, threads) != "no error");
    std::vector<uint32_t> done(5);
    Device{.subgroup_size = 3, .threads = threads}.dispatch<PartialBarrier, 4>({2, 1, 2}, done,
                                                                               false);
    CHECK(done == std::vector<uint32_t>{1, 1, 1, 1, 0});
  }
}

// --- lanes that a barrier misses

constexpr int lanes_line = __LINE__ + 19;

/// At the barrier lanes of subgroup 1 of 10 invocations at size 4 are missing, as `how` says.
template <class S>
struct MissingLanes : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{10};
  uint how;  ///< 0 nobody, 1 one returned, 2 one is in another branch, 3 both, 4 all returned
  Buffer<uint> done;

  Barriers main() {
    {
      auto f = this->function();
      if (how == 9) leave(3u);  // from a function: those come back
    }
    if (how == 1 || how == 3) leave(5u);
    if (how == 4 && gl_SubgroupID == 1) leave_function();
    const auto outside = lane(how == 2 || how == 3 ? 6u : 99u);
    if (auto in = when(!outside)) {
      co_await barrier();
    }
    done[gl_LocalInvocationIndex] = 1u;
  }
  Bool lane(uint index) { return gl_LocalInvocationIndex == index; }
  void leave(uint index) {
    if (auto in = when(lane(index))) leave_function();
  }
};

std::string missing_lanes(uint32_t how, int threads) {
  std::vector<uint32_t> done(10);
  try {
    Device{.subgroup_size = 4, .threads = threads}.dispatch<MissingLanes, 4>({1}, how, done);
  } catch (const Error& error) {
    CHECK(done == std::vector<uint32_t>(10));
    return error.what();
  }
  CHECK(done == std::vector<uint32_t>(10, 1));
  return "no error";
}

TEST_CASE("a barrier that some lanes do not reach is an error that says which") {
  using Catch::Matchers::Contains;
  const std::string place =
      "workgroup/barrier.cpp:" + std::to_string(lanes_line) +
      ": barrier() is not reached by all of workgroup (0, 0, 0): of subgroup 1 ";
  for (const int threads : {1, 0}) {
    CHECK(missing_lanes(0, threads) == "no error");
    CHECK(missing_lanes(9, threads) == "no error");
    CHECK_THAT(missing_lanes(1, threads),
               Contains(place + "lanes 0,2-3 wait, lane 1 has returned;"));
    CHECK_THAT(missing_lanes(2, threads),
               Contains(place + "lanes 0-1,3 wait, lane 2 is in another branch or trip;"));
    CHECK_THAT(missing_lanes(3, threads),
               Contains(place + "lanes 0,3 wait, lane 1 has returned, lane 2 is in another "
                                "branch or trip;"));
    CHECK_THAT(missing_lanes(4, threads),
               Contains("subgroups 0, 2 wait for subgroup 1, which has ended"));
  }
}

/// Subgroups that come to different barriers.
template <class S>
struct TwoBarriers : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{12};
  Barriers main() {
    if (gl_SubgroupID == 1)
      co_await barrier();
    else
      co_await barrier();
  }
};

TEST_CASE("two barriers never pair") {
  const auto dispatch = [](const auto&... convergence) {
    Device{.subgroup_size = 4}.dispatch<TwoBarriers, 4>(convergence..., {1});
  };
  CHECK_THROWS_WITH(dispatch(), Catch::Contains("subgroup 1 waits at another one"));
  CHECK_THROWS_WITH(dispatch(Convergence{}), Catch::Contains("subgroup 1 waits at another one"));
}

// --- barriers in functions

/// Counts how many of it live.
struct Counted {
  explicit Counted(int& alive) : alive_(alive) { ++alive_; }
  Counted(const Counted&) = delete;
  ~Counted() { --alive_; }
  int& alive_;
};

/// Each invocation's value is summed up over the workgroup by functions that call each other, wait in
/// loops and return values; some calls come to no barrier at all.
template <class S>
struct InFunctions : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr uint32_t n = 96;
  static constexpr Size3 local_size{n};
  Buffer<const uint> in;
  Buffer<uint> out;
  int* alive;
  uint throw_at;
  Shared<uint, n> values{this};

  Barriers main() {
    const Counted mine(*alive);
    auto sum = var(0u);
    for (uint trip = 0; trip < 3; ++trip) {
      sum += co_await total(in[gl_GlobalInvocationID.x] + trip, trip);
      co_await maybe_wait(trip == 1);
    }
    out[gl_GlobalInvocationID.x] = sum + co_await nothing();
  }

  /// The sum of all invocations' values, by the tree of a reduction.
  BarriersThen<Uint> total(Uint value, uint trip) {
    const Counted mine(*alive);
    values[gl_LocalInvocationIndex] = value;
    co_await barrier();
    uint length = n;
    for (; length % 2 == 0; length /= 2) {
      add_half(length / 2);
      co_await maybe_wait(true);
    }
    auto result = var(0u);
    for (uint k = 0; k < length; ++k) result += values[k];
    co_await barrier();
    if (trip == throw_at && gl_SubgroupID == gl_NumSubgroups - 1) throw std::runtime_error("deep");
    co_return result;
  }
  void add_half(uint half) {
    if (auto lower = when(gl_LocalInvocationIndex < half)) {
      values[gl_LocalInvocationIndex] =
          values[gl_LocalInvocationIndex] + values[gl_LocalInvocationIndex + half];
    }
  }
  Barriers maybe_wait(bool wait) {
    const Counted mine(*alive);
    if (wait) co_await barrier();
  }
  BarriersThen<Uint> nothing() { co_return Uint(5u); }
};

TEST_CASE("functions wait at barriers, call each other and return values") {
  constexpr uint32_t n = 96, groups = 3;
  std::vector<uint32_t> in(n * groups), want(n * groups);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = i * 2654435761u;
  for (uint32_t group = 0; group < groups; ++group) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; ++i) sum += 3 * in[group * n + i] + 0 + 1 + 2;
    for (uint32_t i = 0; i < n; ++i) want[group * n + i] = sum + 5;
  }
  for (const int size : run_sizes) {
    INFO("subgroup size " << size);
    int alive = 0;
    std::vector<uint32_t> out(in.size());
    const Device device{.subgroup_size = size, .threads = 1};
    device.dispatch<InFunctions, LOCKSTEP_TEST_WIDTHS>({groups}, in, out, &alive, 99u);
    CHECK(out == want);
    CHECK(alive == 0);
    if (size < 16) continue;  // a thread for each subgroup
    std::vector<uint32_t> tangled(in.size());
    device.dispatch<InFunctions, LOCKSTEP_TEST_WIDTHS>(Convergence{}, {groups}, in, tangled, &alive,
                                                       99u);
    CHECK(tangled == want);
    CHECK(alive == 0);
  }
}

TEST_CASE("what a function throws behind a barrier comes out of the dispatch") {
  std::vector<uint32_t> in(96), out(96);
  for (const uint32_t at : {0u, 1u, 2u}) {
    int alive = 0;
    CHECK_THROWS_WITH((Device{.subgroup_size = 32, .threads = 1}.dispatch<InFunctions, 32>(
                          {1}, in, out, &alive, at)),
                      "deep");
    CHECK(alive == 0);
  }
}

/// A function that throws at once, awaited or not.
template <class S>
struct ThrowsAtOnce : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  int* alive;
  bool awaited;

  Barriers main() {
    const Counted mine(*alive);
    if (awaited)
      co_await fail();
    else
      static_cast<void>(fail());
    co_await barrier();
  }
  Barriers fail() {
    const Counted mine(*alive);
    if (*alive > 0) throw std::runtime_error("at once");
    co_await barrier();
  }
};

TEST_CASE("what a function throws before any barrier is not lost") {
  for (const bool awaited : {true, false}) {
    int alive = 0;
    const Device device{.subgroup_size = 8, .threads = 1};
    CHECK_THROWS_WITH((device.dispatch<ThrowsAtOnce, 8>({1}, &alive, awaited)), "at once");
    CHECK(alive == 0);
    CHECK_THROWS_WITH((device.dispatch<ThrowsAtOnce, 8>(Convergence{}, {1}, &alive, awaited)),
                      "at once");
    CHECK(alive == 0);
  }
}

constexpr int lost_line = __LINE__ + 10;

template <class S>
struct Lost : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Barriers main() {
    static_cast<void>(wait());
    co_await barrier();
  }
  Barriers wait() { co_await barrier(); }
};

TEST_CASE("a function that waits and is not awaited is an error") {
  using Catch::Matchers::Contains;
  const std::string place = "workgroup/barrier.cpp:" + std::to_string(lost_line) + ": ";
  CHECK_THROWS_WITH((Device{.subgroup_size = 4}.dispatch<Lost, 4>({1})),
                    Contains(place) && Contains("without co_await"));
  CHECK_THROWS_WITH((Device{.subgroup_size = 4}.dispatch<Lost, 4>(Convergence{}, {1})),
                    Contains(place) && Contains("without co_await"));
}

// --- kernels that throw

/// In workgroup 1 subgroup 2 throws, before, between or behind the barriers.
template <class S>
struct Throws : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{10};
  int* alive;
  int at;

  Barriers main() {
    const Counted first(*alive);
    throw_at(0);
    co_await barrier();
    const Counted second(*alive);
    throw_at(1);
    co_await barrier();
    throw_at(2);
  }

  void throw_at(int point) {
    if (point == at && gl_WorkGroupID.x == 1 && gl_SubgroupID == 2)
      throw std::runtime_error("thrown at " + std::to_string(point));
  }
};

TEST_CASE("a kernel's exception comes out of the dispatch, and every local is destroyed once") {
  for (int at = 0; at < 3; ++at) {
    int alive = 0;
    const Device device{.subgroup_size = 3, .threads = 1};
    CHECK_THROWS_WITH((device.dispatch<Throws, 4>({3}, &alive, at)),
                      "thrown at " + std::to_string(at));
    CHECK(alive == 0);
    CHECK_NOTHROW(device.dispatch<Throws, 4>({3}, &alive, 99));
    CHECK(alive == 0);
  }
}

}  // namespace
