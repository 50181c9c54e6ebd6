#include <lockstep/lockstep.hpp>

#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

// Each invocation reads what its mirror in the workgroup wrote.
template <class S>
struct Mirror : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{100};
  Buffer<uint> out;
  Shared<uint, 100> values{this};

  Barriers main() {
    put();
    co_await barrier();
    get();
  }
  void put() { values[gl_LocalInvocationIndex] = gl_GlobalInvocationID.x; }
  void get() { out[gl_GlobalInvocationID.x] = values[99u - gl_LocalInvocationIndex]; }
};

// Lanes write beyond the shared array.
template <class S>
struct Beyond : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> out;
  Shared<uint, 4> values{this};

  void main() {
    values[gl_LocalInvocationIndex] = Uint(1u);
    out[0] = Uint(values.length());
  }
};

}  // namespace

TEST_CASE("Shared: all subgroups of a workgroup see one array, each workgroup its own") {
  for (const int size : {1, 7, 24, 32, 128}) {
    CAPTURE(size);
    std::vector<std::uint32_t> out(300);
    const lockstep::Device device{.subgroup_size = size, .threads = 2};
    CHECK(device.dispatch<Mirror, 8, 32, 128>({3}, out).count() == 0);
    for (std::uint32_t i = 0; i < 300; ++i) CHECK(out[i] == i / 100 * 100 + 99 - i % 100);
  }
}

TEST_CASE("Shared: accesses beyond it are faults") {
  std::vector<std::uint32_t> out(1);
  const auto faults = lockstep::Device{.subgroup_size = 8}.dispatch<Beyond, 8>({1}, out);
  CHECK(faults.count() == 4);
  CHECK(faults.first().binding == 0xffffffff);
  CHECK(faults.first().size == 4);
  CHECK(out[0] == 4);
}
