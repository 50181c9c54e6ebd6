#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

#include "support/memory_growth.hpp"

/// \file
/// Programs that dispatch in a loop: the thousandth dispatch takes no more memory than the first.

namespace {

template <class S>
struct CountUp : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> counts;

  void main() { counts[gl_GlobalInvocationID.x] += 1u; }
};

// Of threads that start and end.
constexpr std::ptrdiff_t page_noise = 1 << 20;

}  // namespace

TEST_CASE("dispatches in a loop take no memory for good, from one thread and from eight") {
  for (const int threads : {1, 8}) {
    constexpr int each = 1000;
    std::vector<std::vector<std::uint32_t>> counts(8, std::vector<std::uint32_t>(16));
    const lockstep::Device device{.subgroup_size = 8};
    const std::ptrdiff_t growth = lockstep::test::memory_growth(threads, each, [&](int thread) {
      device.dispatch<CountUp, 8>({2}, counts[static_cast<std::size_t>(thread)]);
    });
    INFO("threads: " << threads);
    CHECK(growth < page_noise);
    for (int thread = 0; thread < threads; ++thread)
      CHECK(counts[static_cast<std::size_t>(thread)] == std::vector<std::uint32_t>(16, 2 * each));
  }
}

TEST_CASE("dispatches with different numbers of threads take no memory for good") {
  std::vector<std::uint32_t> counts(16);
  constexpr int each = 500;
  const std::ptrdiff_t growth = lockstep::test::memory_growth(1, each, [&](int) {
    for (const int threads : {0, 1, 2, 3})
      lockstep::Device{.subgroup_size = 8, .threads = threads}.dispatch<CountUp, 8>({2}, counts);
  });
  CHECK(growth < page_noise);
  CHECK(counts == std::vector<std::uint32_t>(16, 4 * 2 * each));
}
