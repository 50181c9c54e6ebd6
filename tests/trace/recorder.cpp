#include <lockstep/trace/recorder.hpp>

#include <catch2/catch.hpp>

#include <lockstep/exec/reconvergence_stack.hpp>

namespace {

using namespace lockstep;

Event event_of(std::array<std::uint32_t, 3> workgroup, std::uint32_t subgroup, int line) {
  Event event;
  event.kind = Event::Kind::read;
  event.where = {"kernel.hpp", line};
  event.workgroup = workgroup;
  event.subgroup = subgroup;
  event.result = {LaneValues::Type::uint32, 1, {1, 2, 3}};
  return event;
}

TEST_CASE("a recorder keeps copies of all events in their order") {
  trace::Recorder recorder;
  for (int line = 1; line <= 3; ++line) {
    Event passing = event_of({0, 0, 0}, 0, line);
    recorder.on(passing);
    passing.result.bits.clear();
  }
  REQUIRE(recorder.events().size() == 3);
  for (int line = 1; line <= 3; ++line)
    CHECK(recorder.events()[static_cast<std::size_t>(line) - 1] == event_of({0, 0, 0}, 0, line));
  recorder.clear();
  CHECK(recorder.events().empty());
}

TEST_CASE("a recorder of one subgroup keeps nothing of others") {
  trace::Recorder recorder({1, 0, 2}, 3);
  recorder.on(event_of({1, 0, 2}, 3, 10));
  recorder.on(event_of({1, 0, 2}, 2, 11));
  recorder.on(event_of({1, 0, 1}, 3, 12));
  recorder.on(event_of({0, 0, 2}, 3, 13));
  recorder.on(event_of({1, 0, 2}, 3, 14));
  REQUIRE(recorder.events().size() == 2);
  CHECK(recorder.events()[0].where.line == 10);
  CHECK(recorder.events()[1].where.line == 14);
}

TEST_CASE("a recorder is told what happens on a reconvergence stack") {
  trace::Recorder recorder;
  const Convergence convergence{.observer = &recorder};
  ReconvergenceStack stack(LaneSet::first_n(4), convergence);
  enter(stack, LaneSet{0b0101, 0}, {"kernel.hpp", 7});
  leave(stack, {"kernel.hpp", 7});
  REQUIRE(recorder.events().size() == 2);
  CHECK(recorder.events()[0].kind == Event::Kind::enter);
  CHECK(recorder.events()[0].tangles == Tangles{{LaneSet{0b0101, 0}}});
  CHECK(recorder.events()[1].kind == Event::Kind::leave);
  CHECK(recorder.events()[1].arrivals ==
        std::vector<LaneSet>{LaneSet{0b0101, 0}, LaneSet{0b1010, 0}});
}

}  // namespace
