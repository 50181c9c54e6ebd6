#include <lockstep/exec/endless_loop.hpp>

#include <string>

#include <catch2/catch.hpp>

#include <lockstep/exec/scopes.hpp>

namespace {

using namespace lockstep;

TEST_CASE("an endless loop says where, who and how often") {
  const EndlessLoop loop({"kernel.hpp", 12}, {0x13}, 100);
  CHECK(std::string(loop.what()) ==
        "kernel.hpp:12: the loop does not end: lanes 0-1,4 are still in it after 100 trips");
  CHECK_THROWS_AS(fail::endless_loop({"kernel.hpp", 12}, {1}, 2), EndlessLoop);
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
    CHECK(loop.lanes == still);
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
