#include <lockstep/exec/endless_loop.hpp>

#include <string>

#include <catch2/catch.hpp>

#include <lockstep/exec/scopes.hpp>

namespace {

using namespace lockstep;

TEST_CASE("an endless loop says where, which lanes and how often") {
  const EndlessLoop loop({"kernel.hpp", 12}, {.spinning = {0x13}}, 100);
  CHECK(
      std::string(loop.what()) ==
      "kernel.hpp:12: the loop does not end: lanes 0-1,4 are still in it after 100 iterations; if "
      "it is only long, raise max_trips (--max-steps of lockstep run)");
  const EndlessLoop::Lanes apart{.spinning = {0x13}, .left = {0x20}, .elsewhere = {0xc}};
  const EndlessLoop::Subgroup subgroup{{1, 2, 3}, 4};
  CHECK_THROWS_WITH(
      fail::endless_loop({"kernel.hpp", 12}, apart, 2, &subgroup),
      "kernel.hpp:12: the loop does not end: lanes 0-1,4 of subgroup 4 of workgroup (1, 2, 3) are "
      "still in it after 2 iterations; lanes 5 have left it and wait at its merge; lanes 2-3 wait "
      "at the merge of a construct around it, or have returned; if the loop waits for those lanes, "
      "it may never end: Vulkan promises no forward progress between invocations of a subgroup; if "
      "it is only long, raise max_trips (--max-steps of lockstep run)");
}

TEST_CASE("an endless loop says what the other subgroups wait for, those at one place together") {
  using Reason = EndlessLoop::Waiting::Reason;
  const std::string copy = "kernel.hpp";
  const EndlessLoop alone({"kernel.hpp", 12}, {.spinning = {0x1}}, 100);
  try {
    fail::endless_loop(alone, {{0, Reason::barrier, {"kernel.hpp", 9}},
                               {2, Reason::construct, {"kernel.hpp", 9}},
                               {3, Reason::turn},
                               {4, Reason::turn},
                               {5, Reason::barrier, {copy.c_str(), 9}},
                               {6, Reason::barrier, {"kernel.hpp", 10}},
                               {7, Reason::barrier, {copy.c_str(), 9}},
                               {8, Reason::barrier, {"kernel.hpp", 9}}});
  } catch (const EndlessLoop& loop) {
    CHECK(loop.lanes.spinning == alone.lanes.spinning);
    CHECK(loop.trips == 100);
    CHECK(loop.others.size() == 8);
    CHECK(std::string(loop.what()) ==
          "kernel.hpp:12: the loop does not end: lanes 0 are still in it after 100 iterations; "
          "subgroups 0, 5, 7-8 wait for this one at barrier(), kernel.hpp:9; subgroup 2 waits for "
          "this one at a header or merge, kernel.hpp:9; subgroups 3-4 wait for their turn; "
          "subgroup 6 waits for this one at barrier(), kernel.hpp:10; if it is only long, raise "
          "max_trips (--max-steps of lockstep run)");
    return;
  }
  FAIL("nothing was thrown");
}

TEST_CASE("an endless loop that is thrown again keeps its subgroup") {
  const EndlessLoop::Subgroup subgroup{{1, 2, 3}, 4};
  const EndlessLoop loop({"kernel.hpp", 12}, {.spinning = {0x1}}, 100, &subgroup);
  CHECK_THROWS_WITH(fail::endless_loop(loop, {{5, EndlessLoop::Waiting::Reason::turn}}),
                    "kernel.hpp:12: the loop does not end: lanes 0 of subgroup 4 of workgroup (1, "
                    "2, 3) are still in it after 100 iterations; subgroup 5 waits for its turn; if "
                    "it is only long, raise max_trips (--max-steps of lockstep run)");
}

TEST_CASE("a limit that somebody gave wins over a default") {
  CHECK(trip_limit(default_max_trips, default_max_trips) == default_max_trips);
  CHECK(trip_limit(7, default_max_trips) == 7);
  CHECK(trip_limit(default_max_trips, 9) == 9);
  CHECK(trip_limit(7, 9) == 7);
}

/// A loop that lane i leaves before iteration leaves[i], until it is stopped.
template <bool test_last>
int trips(std::uint64_t limit, const int (&leaves)[3]) {
  exec::State<3> state{.active = Mask<3>::all()};
  int trip = 0;
  const auto condition = [&] {
    Mask<3> stay = Mask<3>::none();
    for (int i = 0; i < 3; ++i)
      if (trip < leaves[i]) stay = stay | Mask<3>::lane(i);
    return stay;
  };
  try {
    if constexpr (test_last) {
      for (exec::LoopScope loop(state, SourceLocation::current(), limit);
           loop.again_unless_done();) {
        ++trip;
        loop.test_last(condition);
      }
    } else {
      for (exec::LoopScope loop(state, SourceLocation::current(), limit); loop.again(condition());
           loop.next())
        ++trip;
    }
  } catch (const EndlessLoop& loop) {
    CHECK(loop.trips == limit);
    LaneSet still;
    for (int i = 0; i < 3; ++i)
      if (trip < leaves[i] || (test_last && trip == 0)) still = still | LaneSet::lane(i);
    CHECK(loop.lanes.spinning == still);
    CHECK(loop.lanes.left == LaneSet::first_n(3).without(still));
    return -trip;
  }
  CHECK(state.active == Mask<3>::all());
  return trip;
}

TEST_CASE("a loop runs as often as it may and not once more") {
  for (const std::uint64_t limit : {0u, 1u, 2u, 7u, 100u}) {
    const int most = static_cast<int>(limit);
    for (const int longest : {1, 2, 7, 8, 99, 100, 101}) {
      const int leaves[] = {1, longest, longest / 2};
      CHECK(trips<false>(limit, leaves) == (longest <= most ? longest : -most));
      CHECK(trips<true>(limit, leaves) == (longest <= most ? longest : -most));
    }
  }
  const int never[] = {0, 0, 0};
  CHECK(trips<false>(0, never) == 0);
}

}  // namespace
