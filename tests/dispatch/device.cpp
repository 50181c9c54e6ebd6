#include <lockstep/dispatch/device.hpp>

#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/glsl/kernel.hpp>

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
            Device{.subgroup_size = size, .threads = threads}.dispatch<Count, 1, 24, 128>(
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
    uint32_t width[1] = {0}, listed[1] = {0};
    Device{.subgroup_size = size}.dispatch<Width>({1}, width);
    uint32_t want = 1;
    while (want < static_cast<uint32_t>(size)) want *= 2;
    INFO("subgroup size " << size);
    CHECK(width[0] == want);
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
                    "a kernel's local_size is zero in some dimension: give each at least 1");
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
    if (negate) to_c_array[i] = 0u - Uint(to_c_array[i]);
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

TEST_CASE("a dispatch gives the number of faults, and with one thread the first of all") {
  const std::vector<uint32_t> in(40);
  std::vector<uint32_t> out(8);
  for (const int threads : {1, 0}) {
    const FaultLog faults =
        Device{.subgroup_size = 4, .threads = threads}.dispatch<Faulty, 4>({4}, in, 27u, out);
    CHECK(faults.count() == 13);
    CHECK(faults.first().write);
    CHECK(faults.first().binding == 2);
    CHECK(faults.first().size == 8);
    CHECK(out == std::vector<uint32_t>(8));
    if (threads != 1) continue;
    // Invocation 27 is invocation 7 of workgroup 2: lane 3 of subgroup 1.
    CHECK(faults.first().index == 1027);
    CHECK(faults.first().workgroup == Size3{2, 0, 0});
    CHECK(faults.first().subgroup == 1);
    CHECK(faults.first().lane == 3);
  }
  const std::vector<uint32_t> short_in(35);
  const FaultLog faults =
      Device{.subgroup_size = 4, .threads = 1}.dispatch<Faulty, 4>({4}, short_in, 99u, out);
  CHECK(faults.count() == 5);
  CHECK_FALSE(faults.first().write);
  CHECK(faults.first().binding == 0);
  CHECK(faults.first().index == 35);
}

}  // namespace
