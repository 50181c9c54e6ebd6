#include <lockstep/workgroup/pixel_memory.hpp>

#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "support/types.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;
using std::uint32_t;
using Numbers = std::vector<uint32_t>;

/// An array of 2 W + 3 numbers, as lanes see it of which some are active and some of these cover pixels.
template <int W>
struct Place {
  using Uint = Lanes<uint32_t, W>;
  using Pixels = PixelArray<uint32_t, W>;

  Place(Mask<W> active_lanes, Mask<W> covered_lanes)
      : active(active_lanes), covered(covered_lanes), data(2 * W + 3) {
    std::iota(data.begin(), data.end(), 100u);
  }
  Pixels array() {
    return Pixels({data.data(), static_cast<uint32_t>(data.size()), 5, &active, &location},
                  &covered);
  }

  Mask<W> active, covered;
  Location location;
  Numbers data;
};

template <int W, class F>
Mask<W> lanes_where(F&& f) {
  Mask<W> lanes = Mask<W>::none();
  for (int i = 0; i < W; ++i)
    if (f(i)) lanes = lanes | Mask<W>::lane(i);
  return lanes;
}

template <int W, class F>
void for_each_place(F&& f) {
  const auto all = Mask<W>::all(), some = lanes_where<W>([](int i) { return i % 3 != 1; }),
             few = lanes_where<W>([](int i) { return i % 4 < 2; });
  for (const auto& [active, covered] :
       {std::pair(all, all), std::pair(all, few), std::pair(some, few), std::pair(few, some),
        std::pair(all, Mask<W>::none()), std::pair(Mask<W>::none(), all)})
    f(Place<W>(active, covered));
}

TEST_CASE("helpers read and do not write") {
  for_each_size([]<int W>(Size<W>) {
    using Uint = Lanes<uint32_t, W>;
    const Uint lane = Uint::iota();
    for (const int way : {0, 1, 2, 3, 4, 5}) {
      for_each_place<W>([&](Place<W> place) {
        Numbers want = place.data;
        // Consecutive and scattered indices.
        const bool scattered = way % 2 == 1;
        const auto index = [&](int i) {
          return static_cast<std::size_t>(scattered ? 2 * i : i + 1);
        };
        const Uint at = scattered ? lane * 2u : lane + 1u;
        auto array = place.array();
        const Uint got = array[at];
        for (int i = 0; i < W; ++i)
          if (place.active.test(i)) CHECK(got[i] == want[index(i)]);
        switch (way / 2) {
          case 0:
            array[at] = lane + 7u;
            break;
          case 1:
            array[at] += lane;
            break;
          default:
            array[at] = array[at + 1u];
        }
        const Numbers before = want;
        for (int i = 0; i < W; ++i) {
          if (!place.active.test(i) || !place.covered.test(i)) continue;
          const auto n = static_cast<uint32_t>(i);
          want[index(i)] = way / 2 == 0   ? n + 7
                           : way / 2 == 1 ? before[index(i)] + n
                                          : before[index(i) + 1];
        }
        CHECK(place.data == want);
        CHECK(place.location.faults.count() == 0);
      });
    }
  });
}

TEST_CASE("helpers take no part in atomics") {
  for_each_size([]<int W>(Size<W>) {
    using Uint = Lanes<uint32_t, W>;
    for_each_place<W>([](Place<W> place) {
      const Mask<W> storing = place.active & place.covered;
      auto array = place.array();
      const Uint old = atomicAdd(array[0u], Uint(1u));
      uint32_t next = 100;
      for (int i = 0; i < W; ++i)
        if (storing.test(i)) CHECK(old[i] == next++);
      CHECK(place.data[0] == 100 + static_cast<uint32_t>(storing.count()));
      atomicMax(array[Uint::iota() + 1u], Uint(1000u));
      atomicCompSwap(array[Uint::iota() + 1u], Uint(1000u), Uint::iota());
      for (int i = 0; i < W; ++i) {
        const auto n = static_cast<std::size_t>(i);
        CHECK(place.data[n + 1] == (storing.test(i) ? n : 101 + n));
      }
    });
  });
}

TEST_CASE("a helper outside of an array reads zero and writes no fault") {
  Place<4> place(Mask<4>::all(), Mask<4>::first_n(2));
  auto array = place.array();
  const Lanes<uint32_t, 4> index =
      Lanes<uint32_t, 4>::generate([](int i) { return i < 2 ? 1u : 99u; });
  array[index] = Lanes<uint32_t, 4>(1u);
  CHECK(place.location.faults.count() == 0);
  const Lanes<uint32_t, 4> got = array[index];
  CHECK(got[3] == 0);
  CHECK(place.location.faults.count() == 2);
  const PixelArray<const uint32_t, 4> to_read = array;
  CHECK(to_read.length() == array.length());
  const Lanes<uint32_t, 4> first = to_read[Lanes<std::int32_t, 4>(0)];
  CHECK(first[3] == 100);
}

}  // namespace
