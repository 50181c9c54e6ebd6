#include <lockstep/dispatch/subgroup_setup.hpp>

#include <catch2/catch.hpp>

using namespace lockstep;

TEST_CASE("Grid: workgroup ids count x first, by number and one after another") {
  const detail::Grid<8> grid({3, 4, 5}, {2}, 8);
  Size3 walking{0, 0, 0};
  std::size_t index = 0;
  for (std::uint32_t z = 0; z < 5; ++z) {
    for (std::uint32_t y = 0; y < 4; ++y) {
      for (std::uint32_t x = 0; x < 3; ++x) {
        CHECK(grid.workgroup(index++) == Size3{x, y, z});
        CHECK(walking == Size3{x, y, z});
        grid.advance(walking);
      }
    }
  }
}

TEST_CASE("Grid: subgroups cover the workgroup, the last perhaps in part") {
  for (const std::uint32_t invocations : {1u, 7u, 8u, 9u, 64u, 100u}) {
    for (const int size : {1, 3, 8, 24, 32}) {
      CAPTURE(invocations, size);
      const detail::Grid<32> grid({1}, {invocations}, size);
      std::uint32_t covered = 0;
      for (std::uint32_t s = 0; s < grid.num_subgroups; ++s) {
        const int lanes = grid.lanes(s).count();
        CHECK(lanes >= 1);
        CHECK(lanes <= size);
        if (s + 1 < grid.num_subgroups) CHECK(lanes == size);
        CHECK(grid.lanes(s) == Mask<32>::first_n(lanes));
        covered += static_cast<std::uint32_t>(lanes);
      }
      CHECK(covered == invocations);
    }
  }
}
