#include <lockstep/lockstep.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

struct Seen {
  static constexpr std::uint32_t fields = 16;
};

// Writes all built-in variables of each invocation into its record.
template <class S>
struct Variables : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{5, 3, 2};
  Buffer<uint> out;

  void main() {
    const auto& g = gl_GlobalInvocationID;
    const Uint columns(gl_NumWorkGroups.x * 5), rows(gl_NumWorkGroups.y * 3);
    const Uint base = ((g.z * rows + g.y) * columns + g.x) * Seen::fields;
    uint k = 0;
    const auto put = [&](const Uint& v) { out[base + k++] = v; };
    put(g.x);
    put(g.y);
    put(g.z);
    put(gl_LocalInvocationID.x);
    put(gl_LocalInvocationID.y);
    put(gl_LocalInvocationID.z);
    put(gl_LocalInvocationIndex);
    put(gl_WorkGroupID.x);
    put(gl_WorkGroupID.y);
    put(gl_WorkGroupID.z);
    put(gl_SubgroupID);
    put(gl_SubgroupInvocationID);
    put(gl_NumSubgroups);
    put(gl_SubgroupSize);
    put(gl_WorkGroupSize.x * 100 + gl_WorkGroupSize.y * 10 + gl_WorkGroupSize.z);
    put(gl_NumWorkGroups.x * 100 + gl_NumWorkGroups.y * 10 + gl_NumWorkGroups.z);
  }
};

template <class S>
struct Count : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{10};
  Buffer<const uint> add;
  Buffer<uint> visits;
  uint more;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    visits[i] = visits[i] + add[i] + more;
  }
};

}  // namespace

TEST_CASE("dispatch: all built-in variables in three dimensions") {
  for (const int size : {1, 4, 7, 24, 32}) {
    CAPTURE(size);
    const std::uint32_t groups[3] = {3, 2, 2};
    const std::uint32_t s = static_cast<std::uint32_t>(size);
    std::vector<std::uint32_t> out(15 * 6 * 4 * Seen::fields, 0xdddddddd);
    const lockstep::Device device{.subgroup_size = size, .threads = 2};
    CHECK(device.dispatch<Variables, 8, 24, 32>({3, 2, 2}, out).count() == 0);
    for (std::uint32_t z = 0, n = 0; z < 4; ++z) {
      for (std::uint32_t y = 0; y < 6; ++y) {
        for (std::uint32_t x = 0; x < 15; ++x, ++n) {
          const std::uint32_t local = (z % 2 * 3 + y % 3) * 5 + x % 5;
          const std::uint32_t want[Seen::fields] = {x,
                                                    y,
                                                    z,
                                                    x % 5,
                                                    y % 3,
                                                    z % 2,
                                                    local,
                                                    x / 5,
                                                    y / 3,
                                                    z / 2,
                                                    local / s,
                                                    local % s,
                                                    (30 + s - 1) / s,
                                                    s,
                                                    532,
                                                    groups[0] * 100 + groups[1] * 10 + groups[2]};
          const std::vector<std::uint32_t> got(out.begin() + n * Seen::fields,
                                               out.begin() + (n + 1) * Seen::fields);
          CHECK(got == std::vector<std::uint32_t>(want, want + Seen::fields));
        }
      }
    }
  }
}

TEST_CASE(
    "dispatch: each workgroup runs once, with any threads; arrays and scalars are arguments") {
  for (const int threads : {0, 1, 3}) {
    const std::vector<std::uint32_t> add(1000, 3);
    std::uint32_t visits[1000] = {};
    const lockstep::Device device{.subgroup_size = 8, .threads = threads};
    CHECK(device.dispatch<Count, 8>({100}, std::span(add), visits, 4u).count() == 0);
    for (const std::uint32_t v : visits) CHECK(v == 7);
    CHECK(device.dispatch<Count, 8>({0}, add, visits, 4u).count() == 0);
    CHECK(visits[0] == 7);
  }
}

TEST_CASE("dispatch: faults of all threads are counted") {
  const std::vector<std::uint32_t> add(10);
  std::vector<std::uint32_t> visits(1000);
  const auto faults =
      lockstep::Device{.subgroup_size = 8}.dispatch<Count, 8>({100}, add, visits, 1u);
  CHECK(faults.count() == 990);
  CHECK(faults.first().binding == 0);
  CHECK_FALSE(faults.first().write);
}

TEST_CASE("dispatch: a subgroup size that no width holds is refused") {
  std::vector<std::uint32_t> data(10);
  for (const int size : {0, -1, 33, 129}) {
    const lockstep::Device device{.subgroup_size = size};
    CHECK_THROWS_WITH((device.dispatch<Count, 8, 32>({1}, data, data, 0u)),
                      Catch::StartsWith("subgroup size " + std::to_string(size)));
  }
}
