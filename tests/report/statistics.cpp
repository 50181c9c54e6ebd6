#include "report/statistics.hpp"

#include <catch2/catch.hpp>

#include "trace/run_stack.hpp"

using namespace lockstep;

namespace {

/// Four lanes, of which two enter a selection at line 5.
std::vector<Event> events_of_subgroup(std::uint32_t workgroup) {
  test::StackRun run({0xf, 0}, Rule::maximal, Chooser::rejoin_all());
  run.tell(Event::Kind::read, 3);
  run.tell(Event::Kind::read, 5);
  run.enter(0b0110, 5);
  run.tell(Event::Kind::write, 6);
  run.leave(5);
  run.tell(Event::Kind::write, 8);
  std::vector<Event> events = run.events();
  for (Event& event : events) {
    event.workgroup = {workgroup, 0, 0};
    event.where.file = "kernel.comp";  // the run's own copy of the name ends with the run
  }
  Event end;
  end.kind = Event::Kind::end;
  end.workgroup = {workgroup, 0, 0};
  events.push_back(end);
  return events;
}

}  // namespace

TEST_CASE("the lines of all subgroups are added up, however their events mix") {
  lockstep::report::Statistics statistics(4);
  const std::vector<Event> first = events_of_subgroup(0), second = events_of_subgroup(1);
  for (std::size_t k = 0; k < first.size(); ++k) {
    CHECK(statistics.subgroups() == 0);
    statistics.on(first[k]);
    statistics.on(second[k]);
  }
  CHECK(statistics.subgroups() == 2);
  CHECK(statistics.times() == 8);
  CHECK(statistics.divergences() == 2);
  CHECK(statistics.apart() == 0);
  // Three lines with four lanes and one with two.
  CHECK(statistics.utilisation() == Approx(14.0 / 16.0));
  const auto lines = statistics.lines();
  REQUIRE(lines.size() == 4);
  const int numbers[] = {3, 5, 6, 8};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(lines[k].line == numbers[k]);
    CHECK(lines[k].times == 2);
    CHECK(lines[k].lanes == (numbers[k] == 6 ? 4 : 8));
  }
}

TEST_CASE("nothing ran, nothing is at work") {
  const lockstep::report::Statistics statistics(4);
  CHECK(statistics.utilisation() == 0);
  CHECK(statistics.lines().empty());
}
