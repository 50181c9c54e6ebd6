#include <lockstep/workgroup/fault.hpp>

#include <catch2/catch.hpp>

using lockstep::Fault;
using lockstep::FaultLog;

TEST_CASE("FaultLog: counts all faults and keeps the first") {
  FaultLog log;
  CHECK(log.count() == 0);
  log.record({.index = 7});
  log.record({.index = 9});
  CHECK(log.count() == 2);
  CHECK(log.first().index == 7);
}

TEST_CASE("FaultLog: merging adds counts, and the first of the log merged into stays") {
  FaultLog a, b, none;
  a.record({.index = 1});
  b.record({.index = 2});
  b.record({.index = 3});
  none.merge(b);
  CHECK(none.count() == 2);
  CHECK(none.first().index == 2);
  a.merge(b);
  CHECK(a.count() == 3);
  CHECK(a.first().index == 1);
}
