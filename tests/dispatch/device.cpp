#include <lockstep/dispatch/device.hpp>

#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/glsl/kernel.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using std::uint32_t;

constexpr int run_sizes[] = {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};

/// Counts each invocation, and notes the width that runs it.
template <class S>
struct Count : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{7, 2, 3};
  Buffer<uint> runs;
  Buffer<uint> widths;

  void main() {
    const uint group =
        (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x +
        gl_WorkGroupID.x;
    atomicAdd(runs[group * 42u + gl_LocalInvocationIndex], 1u);
    atomicMax(widths[0u], uint{S::width});
  }
};

TEST_CASE("every invocation of every workgroup runs once, whatever the threads") {
  for (const Size3 groups : {Size3{1}, Size3{50}, Size3{5, 7}, Size3{3, 4, 5}}) {
    for (const int threads : {0, 1, 3}) {
      for (const int size : {1, 5, 24, 32, 42, 128}) {
        std::vector<uint32_t> runs(groups.x * groups.y * groups.z * 42u), widths(1);
        const FaultLog faults =
            Device{.subgroup_size = size, .threads = threads}.dispatch<Count, LOCKSTEP_TEST_WIDTHS>(
                groups, runs, widths);
        INFO("threads " << threads << ", subgroup size " << size);
        CHECK(faults.count() == 0);
        CHECK(runs == std::vector<uint32_t>(runs.size(), 1));
      }
    }
  }
}

/// Nothing but its width.
template <class S>
struct Width : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{1};
  Buffer<uint> width_run;

  void main() { width_run[0u] = uint{S::width}; }
};

TEST_CASE("a dispatch runs on the narrowest width that holds the subgroup size") {
  for (const int size : run_sizes) {
    uint32_t width[1] = {0}, physical[1] = {0}, listed[1] = {0};
    Device{.subgroup_size = size}.dispatch<Width>({1}, width);
    Device{.subgroup_size = size}.dispatch<Width, 1, 2, 4, 8, 16, 32, 64, 128>({1}, physical);
    uint32_t want = 1;
    while (want < static_cast<uint32_t>(size)) want *= 2;
    INFO("subgroup size " << size);
    CHECK(width[0] == 128);
    CHECK(physical[0] == want);
    if (size > 100) continue;
    Device{.subgroup_size = size}.dispatch<Width, 3, 24, 100>({1}, listed);
    CHECK(listed[0] == (size <= 3 ? 3 : size <= 24 ? 24 : 100));
  }
}

template <class S>
struct NoInvocations : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4, 0};
  void main() {}
};

TEST_CASE("wrong sizes are errors that say what to do") {
  uint32_t width[1] = {77};
  for (const int size : {0, -1, 129, 1 << 20}) {
    CHECK_THROWS_AS(Device{.subgroup_size = size}.dispatch<Width>({1}, width), Error);
    CHECK_THROWS_WITH(Device{.subgroup_size = size}.dispatch<Width>({1}, width),
                      "subgroup size " + std::to_string(size) +
                          " does not fit the widths this dispatch was compiled for: use 1 to 128, "
                          "or name a wider one");
  }
  CHECK_THROWS_WITH((Device{.subgroup_size = 33}.dispatch<Width, 4, 32>({1}, width)),
                    "subgroup size 33 does not fit the widths this dispatch was compiled for: use "
                    "1 to 32, or name a wider one");
  CHECK(width[0] == 77);
  CHECK_THROWS_WITH((Device{.subgroup_size = 4}.dispatch<NoInvocations, 4>({1})),
                    "a kernel's local_size is zero in some dimension: each must be at least 1");
}

TEST_CASE("a dispatch without workgroups does nothing") {
  for (const Size3 groups : {Size3{0}, Size3{5, 0}, Size3{5, 5, 0}}) {
    for (const int threads : {0, 1}) {
      uint32_t width[1] = {77};
      const FaultLog faults = Device{.threads = threads}.dispatch<Width>(groups, width);
      CHECK(faults.count() == 0);
      CHECK(width[0] == 77);
    }
  }
}

/// Arguments of every kind.
template <class S>
struct Arguments : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  Buffer<const uint> from_vector;
  Buffer<const uint> from_const_span;
  Buffer<uint> to_c_array;
  float scale;
  uint offset;
  Size3 size;
  bool negate;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    const Uint sum = from_vector[i] * offset + from_const_span[i] + size.y;
    to_c_array[i] = Uint(Float(sum) * scale);
    if (negate) to_c_array[i] = 0u - to_c_array[i];
    scale = 0;  // its own copy
  }
};

TEST_CASE("arrays of every kind become buffers, everything else is copied") {
  std::vector<uint32_t> vector = {1, 2, 3, 4};
  const std::vector<uint32_t> more = {10, 20, 30, 40};
  const std::vector<uint32_t>& const_vector = vector;
  const float scale = 2.0f;
  for (const bool negate : {false, true}) {
    for (const int size : {1, 2, 4}) {
      const auto check = [&](const uint32_t* got) {
        for (uint32_t i = 0; i < 4; ++i) {
          const uint32_t value = 2 * ((i + 1) * 100 + 10 * (i + 1) + 8);
          CHECK(got[i] == (negate ? 0 - value : value));
        }
      };
      const Device device{.subgroup_size = size, .threads = 1};
      uint32_t c_array[4] = {};
      device.dispatch<Arguments, 4>({1}, vector, std::span<const uint32_t>(more), c_array, scale,
                                    100u, Size3{7, 8, 9}, negate);
      check(c_array);
      std::array<uint32_t, 4> std_array{};
      device.dispatch<Arguments, 4>({1}, const_vector, more, std_array, 2.0f, 100u, Size3{7, 8, 9},
                                    negate);
      check(std_array.data());
      std::vector<uint32_t> out(4);
      device.dispatch<Arguments, 4>({1}, std::span(vector), std::span(more), std::span(out), scale,
                                    100u, Size3{7, 8, 9}, negate);
      check(out.data());
    }
  }
}

/// Leaves its buffers in known places.
template <class S>
struct Faulty : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{10};
  Buffer<const uint> in;
  uint first_bad;
  Buffer<uint> out;

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    if (auto bad = when(gl_GlobalInvocationID.x >= first_bad)) {
      out[gl_GlobalInvocationID.x + 1000u] = x;
    }
  }
};

TEST_CASE("a dispatch gives the number of faults and the first of all, whatever the threads") {
  const std::vector<uint32_t> in(40);
  std::vector<uint32_t> out(8);
  for (const int threads : {1, 0}) {
    const FaultLog faults =
        Device{.subgroup_size = 4, .threads = threads, .faults = Faults::counted}
            .dispatch<Faulty, 4>({4}, in, 27u, out);
    CHECK(faults.count() == 13);
    CHECK(faults.first().access.kind == AccessKind::write);
    CHECK(faults.first().access.object.binding == 2);
    CHECK(faults.first().access.size == 8);
    CHECK(out == std::vector<uint32_t>(8));
    // Invocation 27 is invocation 7 of workgroup 2: lane 3 of subgroup 1.
    CHECK(faults.first().access.index == 1027);
    CHECK(faults.first().workgroup == Size3{2, 0, 0});
    CHECK(faults.first().subgroup == 1);
    CHECK(faults.first().lanes.test(3));
  }
  const std::vector<uint32_t> short_in(35);
  const FaultLog faults =
      Device{.subgroup_size = 4, .threads = 1, .faults = Faults::counted}.dispatch<Faulty, 4>(
          {4}, short_in, 99u, out);
  CHECK(faults.count() == 5);
  CHECK(faults.first().access.kind == AccessKind::read);
  CHECK(faults.first().access.object.binding == 0);
  CHECK(faults.first().access.index == 35);
}

TEST_CASE("a dispatch that nobody told to count faults ends with the first one") {
  const std::vector<uint32_t> in(35);
  std::vector<uint32_t> out(8);
  for (const int threads : {1, 0}) {
    const Device device{.subgroup_size = 4, .threads = threads};
    try {
      device.dispatch<Faulty, 4>({4}, in, 99u, out);
      FAIL("faults were not thrown");
    } catch (const FaultError& error) {
      CHECK(error.faults.count() == 5);
      CHECK(std::string(error.what()).starts_with(to_string(error.faults.first())));
    }
    CHECK_THROWS_AS((device.dispatch<Faulty, 4>(Convergence{}, {4}, in, 99u, out)), FaultError);
  }
}

// --- devices of a profile

/// Uses a clustered built-in in a branch that no run takes, and another kind in a function.
template <class S>
struct Hungry : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  Buffer<uint> data;

  void main() {
    if (gl_NumWorkGroups.x == 77) data[0u] = subgroupClusteredAdd(Uint(1u), 4u);
    data[1u] = other();
  }
  Uint other() { return Uint(subgroupInclusiveAdd(Uint64(gl_LocalInvocationIndex))); }
};
/// Says so itself.
template <class S>
struct Declares : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  static constexpr Features needs{Feature::shader_maximal_reconvergence};
  void main() {}
};
/// Says which atomics on floats it has; a buffer of floats alone needs nothing.
template <class S>
struct AddsFloats : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  static constexpr Features needs{Feature::shader_buffer_float32_atomic_add};
  Buffer<float> sum;
  void main() { atomicAdd(sum[0u], 1.0f); }
};
template <class S>
struct WritesNumbers : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  Buffer<float> floats;
  Buffer<std::int64_t> wide;
  void main() {
    floats[gl_LocalInvocationIndex] += 1.0f;
    wide[gl_LocalInvocationIndex] += Int64(1);
  }
};
template <class S>
struct Modest : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  Buffer<double> data;
  void main() { data[gl_LocalInvocationIndex] = Double(1.0); }
};

template <template <class> class K, class... A>
std::string refused(const Device& device, A&&... arguments) {
  std::string tangled = "done";
  try {
    device.dispatch<K, 32, 128>(Convergence{}, {1}, arguments...);
  } catch (const Error& error) {
    tangled = error.what();
  }
  try {
    device.dispatch<K, 32, 128>({1}, arguments...);
  } catch (const Error& error) {
    CHECK(tangled == error.what());
    return error.what();
  }
  CHECK(tangled == "done");
  return "done";
}

TEST_CASE("a kernel's needs are found where its code calls built-ins") {
  using Catch::Matchers::Contains;
  std::vector<uint32_t> data(64);
  std::vector<double> doubles(64);
  CHECK(refused<Hungry>(Device{profile::nvidia}, data) == "done");
  CHECK(refused<Hungry>(Device{}, data) == "done");
  CHECK(refused<Hungry>(Device{profile::swiftshader_4}, data) ==
        "kernel Hungry needs VK_SUBGROUP_FEATURE_CLUSTERED_BIT, shaderSubgroupExtendedTypes, "
        "shaderInt64, which profile swiftshader_4 lacks: use another profile, or write the kernel "
        "differently");
  CHECK_THAT(refused<Hungry>(Device{profile::apple_32}, data),
             Contains("needs VK_SUBGROUP_FEATURE_CLUSTERED_BIT, which profile apple_32"));
  CHECK(refused<Modest>(Device{profile::amd_wave32}, doubles) == "done");
  CHECK_THAT(refused<Modest>(Device{profile::apple_32}, doubles),
             Contains("kernel Modest needs shaderFloat64"));
  CHECK(refused<Declares>(Device{profile::intel_8}) == "done");
  CHECK_THAT(refused<Declares>(Device{profile::swiftshader_4}),
             Contains("kernel Declares needs shaderMaximalReconvergence"));
}

TEST_CASE("atomics on floats are needed where a kernel says so, and not by its arrays") {
  std::vector<float> floats(64);
  std::vector<std::int64_t> wide(64);
  Profile profile = profile::nvidia;
  profile.features = profile.features.without(
      {Feature::shader_buffer_float32_atomics, Feature::shader_buffer_float32_atomic_add,
       Feature::shader_buffer_float32_atomic_min_max, Feature::shader_buffer_int64_atomics,
       Feature::shader_shared_int64_atomics});
  CHECK(refused<AddsFloats>(Device{profile::nvidia}, floats) == "done");
  CHECK(floats[0] == 128);
  CHECK_THAT(refused<AddsFloats>(Device{profile}, floats),
             Catch::Contains("kernel AddsFloats needs shaderBufferFloat32AtomicAdd, which"));
  CHECK(refused<WritesNumbers>(Device{profile}, floats, wide) == "done");
  CHECK(wide == std::vector<std::int64_t>(64, 2));
}

TEST_CASE("a device of a profile has its sizes and no others") {
  std::vector<double> data(64);
  CHECK(Device{profile::amd_wave64}.subgroup_size == 64);
  CHECK(Device{}.subgroup_size == 32);
  CHECK(refused<Modest>(Device{.profile = profile::amd_wave64, .subgroup_size = 32}, data) ==
        "done");
  CHECK_THAT(refused<Modest>(Device{.profile = profile::amd_wave64, .subgroup_size = 16}, data),
             Catch::Contains("subgroup size 16 is not supported by profile amd_wave64"));
}

template <class S>
struct LargeShared : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> data;
  Shared<uint, 10000> first{this};
  Shared<bool, 2240> second{this};  // as large as uint
  Shared<vec3, 10> third{this};     // as large as vec4
  Barriers main() {
    data[gl_LocalInvocationIndex] = 1u;
    co_await barrier();
  }
};

TEST_CASE("shared memory is limited, too") {
  std::vector<uint32_t> data(8);
  Profile profile = profile::nvidia;
  CHECK_THROWS_WITH((Device{profile::arm_16}.dispatch<LargeShared, 32>({1}, data)),
                    Catch::Contains("maxComputeSharedMemorySize of 32768 bytes"));
  profile.max_compute_shared_memory_size = 49119;
  CHECK_THROWS_AS((Device{profile}.dispatch<LargeShared, 32>({1}, data)), Error);
  CHECK(data == std::vector<uint32_t>(8));
  profile.max_compute_shared_memory_size = 49120;
  Device{profile}.dispatch<LargeShared, 32>({1}, data);
  CHECK(data == std::vector<uint32_t>(8, 1));
}

// --- mappings, order, endless loops

/// A workgroup's values turned round through shared memory, and who ran where.
template <class S>
struct Mapped : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{6, 4, 3};
  Buffer<uint> runs;
  Buffer<uint> turned;
  Buffer<uint> lane_of;
  Shared<uint, 72> values{this};

  Barriers main() {
    publish();
    co_await barrier();
    turned[gl_WorkGroupID.x * 72u + gl_LocalInvocationIndex] =
        values[71u - gl_LocalInvocationIndex];
  }
  void publish() {
    values[gl_LocalInvocationIndex] =
        gl_GlobalInvocationID.x + 100u * (gl_GlobalInvocationID.y + 100u * gl_GlobalInvocationID.z);
    atomicAdd(runs[gl_WorkGroupID.x * 72u + gl_LocalInvocationIndex], 1u);
    if (gl_WorkGroupID.x == 0)
      lane_of[gl_LocalInvocationIndex] = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  }
};

TEST_CASE("kernels that rely on no mapping give the same under all of them") {
  std::vector<uint32_t> want(144);
  for (uint32_t i = 0; i < 144; ++i) {
    const uint32_t from = 71 - i % 72;
    want[i] = from % 6 + 6 * (i / 72) + 100 * (from / 6 % 4 + 100 * (from / 24));
  }
  for (const int size : run_sizes) {
    for (const Mapping& mapping : {Mapping::linear(), Mapping::reversed(), Mapping::shuffled(1),
                                   Mapping::shuffled(2), Mapping::quads()}) {
      const Device device{.subgroup_size = size, .mapping = mapping};
      std::vector<uint32_t> runs(144), turned(144), lane_of(72);
      if (mapping.kind == Mapping::Kind::quads && size % 4 != 0) {
        CHECK_THROWS_WITH(
            (device.dispatch<Mapped, LOCKSTEP_TEST_WIDTHS>({2}, runs, turned, lane_of)),
            Catch::Contains("multiple of 4"));
        continue;
      }
      device.dispatch<Mapped, LOCKSTEP_TEST_WIDTHS>({2}, runs, turned, lane_of);
      INFO("subgroup size " << size);
      CHECK(runs == std::vector<uint32_t>(144, 1));
      CHECK(turned == want);
      const auto lanes = invocations(mapping, {6, 4, 3}, size);
      int wrong = 0;
      for (uint32_t i = 0; i < 72; ++i) wrong += lanes[lane_of[i]] != i;
      CHECK(wrong == 0);
      if (size < 24) continue;
      std::vector<uint32_t> again(144);
      device.dispatch<Mapped, LOCKSTEP_TEST_WIDTHS>(Convergence{}, {2}, runs, again, lane_of);
      CHECK(again == want);
    }
  }
}

/// Notes the order of workgroups.
template <class S>
struct Order : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  std::vector<uint32_t>* log;
  void main() { log->push_back(gl_WorkGroupID.x); }
};

struct LastTold : Progress {
  void on(std::size_t done, std::size_t total) override {
    CHECK(done > last);
    last = done;
    all = total;
  }
  std::size_t last = 0, all = 0;
};

TEST_CASE("a deterministic device runs in one order, and tells how far it is") {
  std::vector<uint32_t> log, want(1000);
  for (uint32_t i = 0; i < 1000; ++i) want[i] = i;
  LastTold told;
  Device{.subgroup_size = 4, .threads = 3, .deterministic = true, .progress = &told}
      .dispatch<Order, 4>({1000}, &log);
  CHECK(log == want);
  CHECK(told.last == 1000);
  CHECK(told.all == 1000);
}

constexpr int spin_line = __LINE__ + 14;

/// Lanes 2 and 5 of subgroup 1 of workgroup 3 never leave.
template <class S>
struct Spin : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};
  Buffer<uint> trips;
  bool bad;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    const Bool never = ((i == 10u) | (i == 13u)) & Bool(bad && gl_WorkGroupID.x == 3);
    auto n = var(0u);
    for (auto l = this->loop(); l.again(((n < i) | never).mask()); l.next()) n += 1u;
    trips[gl_GlobalInvocationID.x] = n;
  }
};
/// The same behind a barrier, in a function.
template <class S>
struct SpinBehindBarrier : Spin<S> {
  LOCKSTEP_GLSL(S);
  Barriers main() {
    co_await barrier();
    co_await function_that_spins();
  }
  Barriers function_that_spins() {
    co_await barrier();
    Spin<S>::main();
  }
};

template <template <class> class K>
std::string spin(const Device& device, bool bad) {
  std::vector<uint32_t> trips(80);
  try {
    device.dispatch<K, 8>({5}, trips, bad);
  } catch (const Error& error) {
    return error.what();
  }
  for (uint32_t i = 0; i < 80; ++i) CHECK(trips[i] == i % 16);
  return "done";
}

TEST_CASE("an endless loop is an error that says where and who") {
  using Catch::Matchers::Contains;
  const std::string who =
      "does not end: lanes 2,5 of subgroup 1 of workgroup (3, 0, 0) are still in "
      "it after 1000 iterations; lanes 0-1,3-4,6-7 have left it";
  for (const int threads : {1, 0}) {
    const Device device{.subgroup_size = 8, .threads = threads, .max_trips = 1000};
    CHECK(spin<Spin>(device, false) == "done");
    CHECK_THAT(
        spin<Spin>(device, true),
        Contains("dispatch/device.cpp:" + std::to_string(spin_line) + ": ") && Contains(who));
  }
  // The most trips that a good run takes are 15.
  CHECK(spin<Spin>(Device{.subgroup_size = 8, .max_trips = 15}, false) == "done");
  CHECK_THAT(spin<Spin>(Device{.subgroup_size = 8, .threads = 1, .max_trips = 14}, false),
             Contains("lanes 7 of subgroup 1 of workgroup (0, 0, 0)"));
  // Of two limits the one that is not the default counts, on the tangled machine as well.
  std::vector<uint32_t> trips(16);
  bool bad = false;
  const auto tangled = [&](std::uint64_t of_device, std::uint64_t of_convergence) {
    Device{.subgroup_size = 8, .max_trips = of_device}.dispatch<Spin, 8>(
        Convergence{.max_trips = of_convergence}, {1}, trips, bad);
  };
  CHECK_NOTHROW(tangled(15, default_max_trips));
  CHECK_NOTHROW(tangled(default_max_trips, 15));
  CHECK_THROWS_AS(tangled(14, default_max_trips), EndlessLoop);
  CHECK_THROWS_AS(tangled(default_max_trips, 14), EndlessLoop);
}

}  // namespace
