#include <lockstep/dispatch/subgroup_setup.hpp>

#include <set>
#include <tuple>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;
using detail::Grid;

TEST_CASE("a grid shares a workgroup's invocations out to subgroups") {
  for (const Size3 local : {Size3{1}, Size3{5}, Size3{3, 4, 5}, Size3{128}, Size3{1000}}) {
    const std::uint32_t invocations = local.x * local.y * local.z;
    for (const int size : {1, 2, 3, 5, 24, 31, 32, 33, 64, 100, 127, 128}) {
      const Grid<128> grid({1}, local, size);
      INFO("invocations " << invocations << ", subgroup size " << size);
      CHECK(grid.invocations == invocations);
      // Count invocations out one by one.
      std::uint32_t subgroup = 0;
      int lane = 0;
      Mask<128> lanes;
      bool same = true;
      for (std::uint32_t i = 0; i < invocations; ++i) {
        lanes = lanes | Mask<128>::lane(lane);
        if (++lane < size && i + 1 < invocations) continue;
        same = same && grid.lanes(subgroup) == lanes;
        ++subgroup;
        lane = 0;
        lanes = Mask<128>::none();
      }
      CHECK(same);
      CHECK(grid.num_subgroups == subgroup);
    }
  }
}

TEST_CASE("a grid numbers workgroups with x fastest") {
  const Grid<4> grid({3, 4, 5}, {1}, 4);
  std::size_t index = 0;
  for (std::uint32_t z = 0; z < 5; ++z)
    for (std::uint32_t y = 0; y < 4; ++y)
      for (std::uint32_t x = 0; x < 3; ++x) CHECK(grid.workgroup(index++) == Size3{x, y, z});
  // More workgroups than 32 bits count.
  const Grid<4> large({0xffffffff, 0xffff, 2}, {1}, 4);
  const std::size_t row = 0xffffffff;
  CHECK(large.workgroup(row * 0xffff + row * 7 + 11) == Size3{11, 7, 1});
}

TEST_CASE("a grid has the masks of the subgroup size, not of the width") {
  constexpr int W = 64, size = 33;
  const Grid<W> grid({1}, {1}, size);
  int wrong = 0;
  for (int own = 0; own < size; ++own) {
    for (int lane = 0; lane < 128; ++lane) {
      const auto bit = [&](const BallotLanes<W>& masks) {
        const std::uint32_t words[] = {masks.x[own], masks.y[own], masks.z[own], masks.w[own]};
        return (words[lane / 32] >> lane % 32 & 1) != 0;
      };
      const bool exists = lane < size;
      wrong += bit(grid.masks.eq) != (exists && lane == own);
      wrong += bit(grid.masks.ge) != (exists && lane >= own);
      wrong += bit(grid.masks.gt) != (exists && lane > own);
      wrong += bit(grid.masks.le) != (exists && lane <= own);
      wrong += bit(grid.masks.lt) != (exists && lane < own);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a grid with a mapping has its lanes") {
  for (const int size : {1, 4, 5, 31, 64}) {
    for (const Mapping& mapping : {Mapping::linear(), Mapping::reversed(), Mapping::shuffled(3)}) {
      const Size3 local{11, 3};
      const Grid<64> grid({1}, local, size, mapping);
      const auto want = invocations(mapping, local, size);
      int wrong = 0;
      for (std::uint32_t s = 0; s < grid.num_subgroups; ++s) {
        const auto index = grid.local_index(s);
        for (int i = 0; i < 64; ++i) {
          const std::uint32_t mine =
              i < size ? want[s * static_cast<std::size_t>(size) + static_cast<std::size_t>(i)]
                       : no_invocation;
          wrong += grid.lanes(s).test(i) != (mine != no_invocation);
          if (mine != no_invocation) wrong += index[i] != mine;
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("pixels are quads of four lanes, row by row") {
  const detail::PixelArea area{
      .width = 5, .height = 4, .quads_wide = 3, .quads = 6, .quads_each = 2};
  Grid<8> grid({3}, {8}, 8);
  grid.area = area;
  for (std::uint32_t number = 0; number < 3; ++number) {
    const detail::PixelPlace<8> place(area, number);
    Location location;
    location.workgroup.x = number;
    const auto state = detail::start_state<PixelMachine<8>>(grid, location);
    CHECK(state.active == Mask<8>::all());
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t quad = 2 * number + i / 4;
      const std::uint32_t x = quad % 3 * 2 + i % 2, y = quad / 3 * 2 + i % 4 / 2;
      CHECK(place.x[static_cast<int>(i)] == x);
      CHECK(place.y[static_cast<int>(i)] == y);
      CHECK(state.covered.test(static_cast<int>(i)) == (x < 5 && y < 4));
    }
  }
}

}  // namespace
