#include <lockstep/trace/timeline.hpp>

#include <catch2/catch.hpp>

#include "trace/run_stack.hpp"

namespace {

using namespace lockstep;
using test::StackRun;
using trace::Step;
using trace::Timeline;
using Kind = Step::Kind;
using Outcome = Step::Outcome;
using Sets = std::vector<LaneSet>;

LaneSet set(std::uint64_t lanes) { return {lanes, 0}; }

Timeline timeline_of(const StackRun& run, int size = 4) {
  return trace::make_timeline(run.events(), size);
}

TEST_CASE("events at one line are one step, until the line runs again") {
  StackRun run(set(0xf), Rule::maximal, Chooser::rejoin_all());
  run.tell(Event::Kind::read, 3);
  run.built_in("subgroupAdd", 3, 7);
  run.tell(Event::Kind::write, 3);
  run.built_in("subgroupMax", 3, 8);
  run.built_in("subgroupAdd", 3, 9);
  run.tell(Event::Kind::read, 4);
  const Timeline timeline = timeline_of(run);
  CHECK(timeline.existing == set(0xf));
  REQUIRE(timeline.steps.size() == 3);
  CHECK(timeline.steps[0].where.line == 3);
  CHECK(timeline.steps[0].note == "= 7, = 8");
  CHECK(timeline.steps[1].where.line == 3);
  CHECK(timeline.steps[1].note == "= 9");
  CHECK(timeline.steps[2].where.line == 4);
  for (const Step& step : timeline.steps) {
    CHECK(step.kind == Kind::line);
    CHECK(step.tangles == Sets{set(0xf)});
    CHECK(step.names == "A");
    CHECK_FALSE(step.waiting.any_lane());
  }
}

TEST_CASE("a selection: who evaluates it, who goes in, who waits, who meets") {
  StackRun run(set(0xf), Rule::maximal, Chooser::rejoin_all());
  run.tell(Event::Kind::read, 5);
  run.enter(0b0110, 5);
  run.tell(Event::Kind::write, 6);
  run.flip(5);
  run.tell(Event::Kind::write, 8);
  run.leave(5);
  const Timeline timeline = timeline_of(run);
  REQUIRE(timeline.steps.size() == 5);
  const auto& [test, inside, other, outside, merge] =
      std::tie(timeline.steps[0], timeline.steps[1], timeline.steps[2], timeline.steps[3],
               timeline.steps[4]);
  CHECK(test.where.line == 5);
  CHECK(test.active() == set(0xf));
  CHECK(test.aside == set(0b1001));
  CHECK(test.diverges);
  CHECK(inside.active() == set(0b0110));
  CHECK(inside.waiting == set(0b1001));
  CHECK(inside.names == "A");
  REQUIRE(inside.stack.size() == 1);
  CHECK(inside.stack[0].where.line == 5);
  CHECK(inside.stack[0].waiting == set(0b1001));
  CHECK(other.kind == Kind::other_side);
  CHECK(other.active() == set(0b1001));
  CHECK(other.names == "B");  // not those who were inside
  CHECK(outside.names == "B");
  CHECK(outside.stack[0].arrived == set(0b0110));
  CHECK(merge.kind == Kind::merge);
  CHECK(merge.outcome == Outcome::rejoined);
  CHECK(merge.tangles == Sets{set(0xf)});
  CHECK(merge.names == "A");  // as it was when it entered
  CHECK(merge.arrivals == Sets{set(0b0110), set(0b1001)});
  CHECK(merge.stack.empty());
}

TEST_CASE("nothing is shown where nothing happens") {
  StackRun run(set(0xf), Rule::maximal, Chooser::rejoin_all());
  run.enter(0xf, 5);  // all go in: one step, and no merge
  retire(run.stack(), run.at(6));
  run.enter(0xf, 7);  // no lane is left
  run.leave(7);
  run.leave(5);
  const Timeline timeline = timeline_of(run);
  REQUIRE(timeline.steps.size() == 2);
  CHECK_FALSE(timeline.steps[0].diverges);
  CHECK(timeline.steps[1].where.line == 6);
  CHECK(trace::summarize(timeline).divergences == 0);
}

TEST_CASE("lanes that do not rejoin keep letters of their own") {
  StackRun run(set(0xff), Rule::core, Chooser::rejoin_none());
  run.enter(0b10101010, 30);
  run.enter(0b00000010, 31);
  run.leave(31);
  run.built_in("subgroupBroadcastFirst", 33, 40);
  run.enter(0b10101010, 34);  // all go in: a construct without any effect
  run.leave(34);
  run.built_in("subgroupAdd", 36, 50);
  run.leave(30);
  const Timeline timeline = timeline_of(run, 8);
  const Sets apart{set(0b00000010), set(0b10101000)};
  REQUIRE(timeline.steps.size() == 7);
  const Step& merge = timeline.steps[2];
  CHECK(merge.kind == Kind::merge);
  CHECK(merge.outcome == Outcome::stay_apart);
  CHECK(merge.tangles == apart);
  CHECK(merge.names == "AB");
  const Step& broadcast = timeline.steps[3];
  CHECK(broadcast.tangles == apart);
  CHECK(broadcast.names == "AB");
  CHECK(broadcast.note == "A = 40, B = 41");
  CHECK(timeline.steps[4].where.line == 34);
  CHECK(timeline.steps[5].names == "AB");
  CHECK(timeline.steps[6].kind == Kind::merge);
  CHECK(timeline.steps[6].outcome == Outcome::rejoined);
  CHECK(timeline.steps[6].names == "A");
  CHECK(trace::why_open(merge, timeline.existing) ==
        "nothing is promised: only 4 of 8 lanes entered it");

  const trace::Summary summary = trace::summarize(timeline);
  CHECK(summary.apart == std::vector<std::size_t>{2});
  CHECK(summary.divergences == 2);
  // Lines 30 (8 lanes), 31 (4), and twice 1 + 3 lanes at each of 33, 34 and 36.
  CHECK(summary.times == 8);
  CHECK(summary.lanes == 24);
  CHECK(summary.utilisation == Approx(24 / 64.0));
  REQUIRE(summary.lines.size() == 5);
  CHECK(summary.lines[2].where.line == 33);
  CHECK(summary.lines[2].times == 2);
  CHECK(summary.lines[2].lanes == 4);
}

TEST_CASE("those that rejoin without a promise are told from those that may rely on it") {
  StackRun run(set(0xff), Rule::core, Chooser::rejoin_all());
  run.enter(0x0f, 1);
  run.enter(0x03, 2);
  run.leave(2);
  run.leave(1);
  const Timeline timeline = timeline_of(run, 8);
  REQUIRE(timeline.steps.size() == 4);
  CHECK(timeline.steps[2].outcome == Outcome::by_choice);
  CHECK(timeline.steps[3].outcome == Outcome::rejoined);
  CHECK(trace::summarize(timeline).apart.empty());
}

TEST_CASE("a loop: lanes leave it trip by trip") {
  StackRun run(set(0b111), Rule::maximal, Chooser::rejoin_all());
  enter_loop(run.stack(), run.at(10));
  test_loop(run.stack(), set(0b110), run.at(10));
  run.enter(0b010, 11);
  leave_trip(run.stack(), run.at(12));
  run.leave(11);
  run.tell(Event::Kind::read, 13);
  next_trip(run.stack(), run.at(10));
  test_loop(run.stack(), set(0b100), run.at(10));
  run.tell(Event::Kind::read, 13);
  leave_loop(run.stack(), run.at(14));
  next_trip(run.stack(), run.at(10));
  test_loop(run.stack(), set(0), run.at(10));
  exit_loop(run.stack(), run.at(10));
  const Timeline timeline = timeline_of(run, 3);
  const auto row = [&](std::size_t k) {
    const Step& s = timeline.steps[k];
    return std::tuple(s.kind, s.where.line, s.active().low, s.aside.low, s.trip);
  };
  REQUIRE(timeline.steps.size() == 9);
  CHECK(row(0) == std::tuple(Kind::line, 10, 0b111u, 0b001u, 1u));
  CHECK(row(1) == std::tuple(Kind::line, 11, 0b110u, 0b100u, 0u));
  CHECK(row(2) == std::tuple(Kind::line, 12, 0b010u, 0u, 0u));
  CHECK(row(3) == std::tuple(Kind::line, 13, 0b100u, 0u, 0u));
  CHECK(row(4) == std::tuple(Kind::merge, 10, 0b110u, 0u, 1u));
  CHECK(row(5) == std::tuple(Kind::line, 10, 0b110u, 0b010u, 2u));
  CHECK(row(6) == std::tuple(Kind::line, 13, 0b100u, 0u, 0u));
  CHECK(row(7) == std::tuple(Kind::line, 14, 0b100u, 0u, 0u));
  CHECK(row(8) == std::tuple(Kind::merge, 10, 0b111u, 0u, 2u));
  CHECK(timeline.steps[3].stack[0].continuing == set(0b010));
  CHECK(timeline.steps[3].stack[0].arrived == set(0b001));
  CHECK(timeline.steps[4].merge == Event::Kind::next_trip);
  CHECK(timeline.steps[8].merge == Event::Kind::exit);
}

TEST_CASE("a loop whose test comes last runs its line at the end of each trip only") {
  StackRun run(set(0b111), Rule::maximal, Chooser::rejoin_all());
  run.tell(Event::Kind::line, 4);
  enter_loop(run.stack(), run.at(7));
  run.tell(Event::Kind::line, 6);
  next_trip(run.stack(), run.at(7));
  test_loop(run.stack(), set(0b100), run.at(7));
  run.tell(Event::Kind::line, 6);
  next_trip(run.stack(), run.at(7));
  test_loop(run.stack(), set(0), run.at(7));
  exit_loop(run.stack(), run.at(7));
  const Timeline timeline = timeline_of(run, 3);
  std::vector<std::pair<int, std::uint64_t>> lines;
  for (const Step& step : timeline.steps)
    if (step.kind == Kind::line) lines.emplace_back(step.where.line, step.active().low);
  CHECK(lines == std::vector<std::pair<int, std::uint64_t>>{
                     {4, 0b111}, {6, 0b111}, {7, 0b111}, {6, 0b100}, {7, 0b100}});
  CHECK(timeline.steps[1].stack.size() == 1);
  CHECK(timeline.steps[2].diverges);
}

TEST_CASE("a switch: all evaluate it, none goes in before its case") {
  StackRun run(set(0b111), Rule::maximal, Chooser::rejoin_all());
  const std::int64_t values[128] = {0, 1, 2};
  enter_switch(run.stack(), run.at(20));
  enter_case(run.stack(), set(0b001), values, run.at(21));
  leave_loop(run.stack(), run.at(22));
  enter_case(run.stack(), set(0b010), values, run.at(24));
  enter_case(run.stack(), set(0b100), values, run.at(26));
  leave_switch(run.stack(), run.at(20));
  const Timeline timeline = timeline_of(run, 3);
  REQUIRE(timeline.steps.size() == 6);
  CHECK(timeline.steps[0].where.line == 20);
  CHECK_FALSE(timeline.steps[0].aside.any_lane());
  CHECK(timeline.steps[1].where.line == 21);
  CHECK(timeline.steps[1].active() == set(0b001));
  CHECK(timeline.steps[1].diverges);
  CHECK(timeline.steps[1].stack[0].kind == trace::Level::Kind::switch_statement);
  CHECK(timeline.steps[2].where.line == 22);
  CHECK(timeline.steps[3].active() == set(0b010));
  CHECK(timeline.steps[3].names == "B");
  CHECK(timeline.steps[4].active() == set(0b110));  // lane 1 fell through
  CHECK_FALSE(timeline.steps[4].diverges);
  CHECK(timeline.steps[5].kind == Kind::merge);
  CHECK(timeline.steps[5].arrivals == Sets{set(0b001), set(0b110)});
}

TEST_CASE("lanes that return from a function wait, from the kernel they are gone") {
  StackRun run(set(0b111), Rule::maximal, Chooser::rejoin_all());
  call(run.stack(), run.at(40));
  run.enter(0b001, 41);
  retire(run.stack(), run.at(42));
  run.leave(41);
  run.tell(Event::Kind::read, 43);
  end_call(run.stack(), run.at(40));
  run.enter(0b010, 50);
  retire(run.stack(), run.at(51));
  run.leave(50);
  run.tell(Event::Kind::read, 53);
  const Timeline timeline = timeline_of(run, 3);
  REQUIRE(timeline.steps.size() == 8);
  CHECK(timeline.steps[3].where.line == 43);
  CHECK(timeline.steps[3].waiting == set(0b001));
  CHECK(timeline.steps[3].stack[0].arrived == set(0b001));
  CHECK(timeline.steps[4].kind == Kind::merge);
  CHECK(timeline.steps[4].tangles == Sets{set(0b111)});
  CHECK(timeline.steps[7].where.line == 53);
  CHECK(timeline.steps[7].active() == set(0b101));
  CHECK_FALSE(timeline.steps[7].waiting.any_lane());
}

/// Why nothing was promised at the first merge without reconvergence.
std::string why_of(const StackRun& run) {
  const Timeline timeline = timeline_of(run);
  const trace::Summary summary = trace::summarize(timeline);
  REQUIRE_FALSE(summary.apart.empty());
  return trace::why_open(timeline.steps[summary.apart[0]], timeline.existing);
}

TEST_CASE("why nothing was promised: not all entered") {
  StackRun run(set(0xf), Rule::subgroup_uniform, Chooser::rejoin_none());
  run.enter(0b0111, 1);
  run.enter(0b0001, 2);
  run.leave(2);
  CHECK(why_of(run) == "nothing is promised: only 3 of 4 lanes entered it");
}

TEST_CASE("why nothing was promised: functions, and lanes that were apart before") {
  StackRun run(set(0xf), Rule::subgroup_uniform, Chooser::rejoin_none());
  call(run.stack(), run.at(1));
  run.enter(0b0001, 2);
  retire(run.stack(), run.at(3));
  run.leave(2);
  end_call(run.stack(), run.at(1));
  CHECK(why_of(run) == "nothing is promised at the end of a function");
  run.enter(0b0010, 5);
  run.leave(5);
  const Timeline timeline = timeline_of(run);
  CHECK(trace::why_open(timeline.steps.back(), timeline.existing) ==
        "nothing is promised: the lanes that entered it were apart already");
}

TEST_CASE("why nothing was promised: the end of a trip, and lanes on another way") {
  StackRun run(set(0xf), Rule::subgroup_uniform, Chooser::rejoin_none());
  enter_loop(run.stack(), run.at(1));
  test_loop(run.stack(), set(0xf), run.at(1));
  run.enter(0b0011, 2);
  run.enter(0b0001, 3);
  leave_trip(run.stack(), run.at(4));
  run.leave(3);
  run.leave(2);
  CHECK(why_of(run) == "nothing is promised: some of its lanes left it by another way");
  next_trip(run.stack(), run.at(1));
  const Timeline timeline = timeline_of(run);
  CHECK(trace::why_open(timeline.steps.back(), timeline.existing) ==
        "nothing is promised at the end of a trip, only at the loop's end");
}

TEST_CASE("why nothing was promised: other subgroups of the workgroup") {
  struct Elsewhere : Meeting {
    std::uint32_t meet(SourceLocation, std::uint64_t, std::uint32_t) override { return ~0u; }
  } elsewhere;
  trace::Recorder recorder;
  Chooser chooser = Chooser::rejoin_none();
  const Convergence convergence{.rule = Rule::core, .chooser = &chooser, .observer = &recorder};
  ReconvergenceStack stack(set(0xf), convergence, &elsewhere);
  Event start;
  start.tangles = stack.tangles;
  stack.tell(start);
  enter(stack, set(0b0011), {"kernel.hpp", 1});
  leave(stack, {"kernel.hpp", 1});
  const Timeline timeline = trace::make_timeline(recorder.events(), 4);
  REQUIRE(timeline.steps.size() == 2);
  CHECK(timeline.steps[1].outcome == Outcome::stay_apart);
  CHECK(trace::why_open(timeline.steps[1], timeline.existing) ==
        "nothing is promised: the workgroup did not arrive here as a whole");
}

TEST_CASE(
    "the end of a trip says nothing new right behind a merge that left the same lanes apart") {
  StackRun run(set(0xf), Rule::core, Chooser::rejoin_none());
  enter_loop(run.stack(), run.at(1));
  test_loop(run.stack(), set(0b0111), run.at(1));
  run.enter(0b0001, 2);
  run.leave(2);
  next_trip(run.stack(), run.at(1));
  const Timeline timeline = timeline_of(run);
  REQUIRE(timeline.steps.size() == 3);
  CHECK(timeline.steps[2].where.line == 2);
  CHECK(timeline.steps[2].outcome == Outcome::stay_apart);
}

}  // namespace
