#include <lockstep/lockstep.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace {

// Rotates values through the workgroup, one place a trip of a uniform loop with two barriers.
template <class S>
struct Rotate : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{60};
  Buffer<uint> out;
  uint trips;
  Shared<uint, 60> place{this};

  Barriers main() {
    auto mine = var(gl_LocalInvocationIndex);
    for (uint k = 0; k < trips; ++k) {
      place[gl_LocalInvocationIndex] = mine;
      co_await barrier();
      mine = place[(gl_LocalInvocationIndex + 1u) % 60u];
      co_await barrier();
    }
    out[gl_GlobalInvocationID.x] = mine;
  }
};

template <class S>
struct Partial : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{32};
  Buffer<uint> out;

  Barriers main() {
    if (gl_SubgroupID % 2 == 0) co_await barrier();
  }
};

template <class S>
struct Throws : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{32};
  Buffer<uint> out;

  Barriers main() {
    co_await barrier();
    if (gl_SubgroupID == 1) throw std::runtime_error("from the kernel");
  }
};

}  // namespace

TEST_CASE("barrier: everybody arrives before anybody goes on") {
  for (const int size : {1, 5, 24, 32, 64}) {
    for (const std::uint32_t trips : {0u, 1u, 7u}) {
      CAPTURE(size, trips);
      std::vector<std::uint32_t> out(180);
      const lockstep::Device device{.subgroup_size = size, .threads = 1};
      device.dispatch<Rotate, 8, 32, 64>({3}, out, trips);
      for (std::uint32_t i = 0; i < 180; ++i) CHECK(out[i] == (i % 60 + trips) % 60);
    }
  }
}

TEST_CASE("barrier: one that not all subgroups reach is an error that says who waits where") {
  std::vector<std::uint32_t> out(1);
  const lockstep::Device device{.subgroup_size = 8, .threads = 1};
  std::string message;
  try {
    device.dispatch<Partial, 8>({2}, out);
  } catch (const lockstep::Error& error) {
    message = error.what();
  }
  CHECK_THAT(message, Catch::Contains("barrier.cpp:") &&
                          Catch::Contains("workgroup (0, 0, 0): subgroups 0, 2 wait for 1, 3"));
}

TEST_CASE("barrier: a kernel's exception comes out of the dispatch") {
  std::vector<std::uint32_t> out(1);
  const lockstep::Device device{.subgroup_size = 8, .threads = 1};
  using Dispatch = lockstep::FaultLog;
  CHECK_THROWS_WITH((static_cast<void>(Dispatch(device.dispatch<Throws, 8>({1}, out)))),
                    "from the kernel");
}
