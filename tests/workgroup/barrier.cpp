#include <lockstep/workgroup/barrier.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>

namespace {

using namespace lockstep;
using std::uint32_t;

constexpr int run_sizes[] = {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};

/// Three barriers a trip: values go round through shared memory, a subgroup's sum goes to all, and
/// some lanes return on the way, which does not keep their subgroup from the barriers.
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
      leave(trip);
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
  // Never the lowest lane: somebody has to sum up.
  void leave(uint trip) {
    if (auto some = when((gl_LocalInvocationIndex % 11u == trip + 4u) & !subgroupElect())) {
      out[gl_GlobalInvocationID.x] = 1000000u + trip;
      leave_function();
    }
  }
};

std::vector<uint32_t> exchange(const std::vector<uint32_t>& in, uint32_t trips, uint32_t size) {
  constexpr uint32_t n = 150;
  const uint32_t subgroups = (n + size - 1) / size;
  std::vector<uint32_t> out(in.size());
  for (uint32_t group = 0; group < in.size(); group += n) {
    std::vector<uint32_t> value(in.begin() + group, in.begin() + group + n), values(n), sums(n);
    std::vector<bool> gone(n);
    for (uint32_t trip = 0; trip < trips; ++trip) {
      for (uint32_t i = 0; i < n; ++i)
        if (!gone[i]) values[i] = value[i];
      for (uint32_t i = 0; i < n; ++i)
        if (!gone[i]) value[i] = values[(i * 7 + trip) % n];
      uint32_t sum = 0;
      for (uint32_t k = 0; k < n; ++k) sum = sum * 3 + values[k];
      sums[trip % subgroups] = sum;
      for (uint32_t i = 0; i < n; ++i) {
        if (gone[i]) continue;
        value[i] += sums[trip];
        // Lane 0 of a subgroup never goes, so it is the one elected.
        if (i % 11 != trip + 4 || i % size == 0) continue;
        out[group + i] = 1000000 + trip;
        gone[i] = true;
      }
    }
    for (uint32_t i = 0; i < n; ++i)
      if (!gone[i]) out[group + i] = value[i];
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
          Device{.subgroup_size = size, .threads = 0}.dispatch<Exchange, 1, 24, 128>({4}, in, out,
                                                                                     trips);
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
                                               Contains("subgroups 0, 2 wait for 1, 3"));
    CHECK_THAT(message_of(true, threads), Contains(place) && Contains("workgroup (1, 0, 2)") &&
                                              Contains("subgroups 1, 3 wait for 0, 2"));
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

// --- kernels that throw

/// Counts how many of it live.
struct Counted {
  explicit Counted(int& alive) : alive_(alive) { ++alive_; }
  Counted(const Counted&) = delete;
  ~Counted() { --alive_; }
  int& alive_;
};

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
