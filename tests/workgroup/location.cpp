#include <lockstep/workgroup/location.hpp>

#include <catch2/catch.hpp>

using namespace lockstep;

TEST_CASE("a lane's access outside an array becomes a finding of the subgroup that runs") {
  Location running{.workgroup = {1, 2, 3}, .subgroup = 4, .faults = {}};
  for (const int lane : {5, 7})
    detail::note_outside(&running, {"kernel.hpp", 12}, AccessKind::write, 6,
                         LaneAccess::Unit::element, static_cast<std::uint32_t>(lane) + 40, 20,
                         lane);
  REQUIRE(running.faults.count() == 2);
  REQUIRE(running.faults.findings().size() == 1);
  const Finding& first = running.faults.first();
  CHECK(first.rule == "out-of-bounds");
  CHECK(first.severity == Severity::error);
  CHECK(first.message == "write to element 45 of buffer 6, which has 20");
  CHECK(first.where.line == 12);
  CHECK(first.origin.line == 0);
  CHECK(first.workgroup == Size3{1, 2, 3});
  CHECK(first.subgroup == 4);
  CHECK(first.lanes == (LaneSet::lane(5) | LaneSet::lane(7)));
  CHECK(first.access.index == 45);
  CHECK(first.access.size == 20);
}
