#include <lockstep/workgroup/workgroup_run.hpp>

#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

using namespace lockstep;

namespace {

constexpr SourceLocation here{"some.hpp", 17}, there{"some.hpp", 18};

/// Subgroups of four lanes that say where they are.
struct Described : WorkgroupRun::Subgroups {
  explicit Described(std::vector<BarrierArrival> all) : arrivals(std::move(all)) {}
  BarrierArrival arrival(std::uint32_t subgroup) const override { return arrivals[subgroup]; }
  std::vector<BarrierArrival> arrivals;
};

BarrierArrival at(SourceLocation where, LaneSet waiting = LaneSet::first_n(4)) {
  BarrierArrival arrival;
  arrival.barrier = {where};
  arrival.waiting = waiting;
  return arrival;
}

TEST_CASE("subgroups that stop at one barrier run in turn") {
  const Described described({at(here), at(here), at(here)});
  WorkgroupRun run(3, described);
  run.start({1, 2, 3});
  std::string order;
  for (int k = 0; k < 7; ++k) order += std::to_string(run.arrive({k < 3 ? here : there}, true));
  CHECK(order == "1201201");
  CHECK(run.running() == 1);
}

TEST_CASE("subgroups that end one after another end the workgroup") {
  const Described described({{}, {}, {}});
  WorkgroupRun run(3, described);
  for (int workgroups = 0; workgroups < 2; ++workgroups) {
    run.start({});
    CHECK(run.running() == 0);
    CHECK(run.arrive({here}, true) == 1);
    CHECK(run.arrive({here}, true) == 2);
    CHECK(run.arrive({here}, true) == 0);
    CHECK(run.end() == 1);
    CHECK(run.end() == 2);
    CHECK(run.end() == WorkgroupRun::none);
  }
}

TEST_CASE("one that pauses runs again after the others, and the barrier waits for it") {
  const Described described({at(here), at(here), at(here)});
  WorkgroupRun run(3, described);
  run.start({});
  CHECK(run.arrive({here}, true) == 1);
  CHECK(run.pause() == 2);
  CHECK(run.arrive({here}, true) == 1);
  CHECK(run.pause() == 1);
  CHECK(run.arrive({here}, true) == 0);
  CHECK(run.end() == 1);
  CHECK(run.pause() == 2);
  CHECK(run.end() == 1);
  CHECK(run.end() == WorkgroupRun::none);
}

TEST_CASE("votes are combined, and read after others have voted again") {
  const Described described({at(here), at(here)});
  WorkgroupRun run(2, described);
  run.start({});
  CHECK(run.meet(here, 1, 1) == 1);
  CHECK(run.meet(here, 1, 2) == 0);
  CHECK(run.answer(0) == 3);
  CHECK(run.arrive({here}, true, 4) == 1);
  CHECK(run.answer(1) == 3);
  CHECK(run.arrive({here}, true, 8) == 0);
  CHECK(run.answer(0) == 12);
  CHECK(run.arrive({here}, true, 1) == 1);
  CHECK(run.answer(1) == 12);
}

TEST_CASE("those that meet apart are told so, also while others wait at a barrier") {
  const Described described({at(here), at(here)});
  WorkgroupRun run(2, described);
  run.start({});
  run.meet(here, 1, 1);
  CHECK(run.meet(there, 1, 1) == 0);
  CHECK(run.answer(0) == WorkgroupRun::not_all);
  run.meet(here, 2, 1);
  CHECK(run.meet(here, 3, 1) == 0);
  CHECK(run.answer(0) == WorkgroupRun::not_all);
  run.meet(here, 4, 1);
  CHECK(run.arrive({here}, true) == 0);
  CHECK(run.answer(0) == WorkgroupRun::not_all);
  CHECK_THROWS_AS(run.end(), Error);  // 1 waits for it
}

/// What others wait for: b(arrier), c(onstruct), t(urn), and - for each that has ended or runs.
std::string others(const WorkgroupRun& run, std::size_t subgroups) {
  std::string text(subgroups, '-');
  for (const EndlessLoop::Waiting& other : run.waiting()) {
    text[other.subgroup] = "bct"[static_cast<int>(other.reason)];
    CHECK(other.where.line == (other.reason == EndlessLoop::Waiting::Reason::turn ? 0 : 17));
  }
  return text;
}

TEST_CASE("where the other subgroups are while one runs") {
  const Described described({at(here), at(here), at(here)});
  WorkgroupRun run(3, described);
  run.start({});
  CHECK(others(run, 3) == "-tt");
  run.arrive({here}, true);
  CHECK(others(run, 3) == "b-t");
  run.pause();
  CHECK(others(run, 3) == "bt-");
  run.meet(here, 1, 1);
  CHECK(others(run, 3) == "b-c");
  run.arrive({here}, true);  // no subgroup is ready: the meeting is answered
  CHECK(others(run, 3) == "bb-");
  run.arrive({here}, true);  // all are there
  CHECK(others(run, 3) == "-tt");
  run.end();
  CHECK(others(run, 3) == "--t");
  run.meet(here, 1, 1);
  CHECK(others(run, 3) == "-c-");
  run.end();
  CHECK(others(run, 3) == "---");
}

/// What happens when the three subgroups do as `stops` says in turn: b(arrier), o(ther barrier),
/// p(artly there) or e(nd).
std::string outcome(const std::string& stops, Lenient lenient = {}) {
  std::vector<BarrierArrival> arrivals;
  for (const char stop : stops) {
    arrivals.push_back(at(stop == 'o' ? there : here));
    if (stop != 'p') continue;
    arrivals.back().waiting = {0x3};
    arrivals.back().returned = {0x4};
    arrivals.back().elsewhere = {0x8};
  }
  const Described described(arrivals);
  WorkgroupRun run(static_cast<std::uint32_t>(stops.size()), described, lenient);
  run.start({1, 2, 3});
  try {
    std::string next;
    for (std::size_t s = 0; s < stops.size(); ++s) {
      const std::uint32_t on =
          stops[s] == 'e' ? run.end() : run.arrive(arrivals[s].barrier, stops[s] != 'p');
      if (s + 1 == stops.size()) next = on == WorkgroupRun::none ? "none" : std::to_string(on);
    }
    return next + (run.notes().count > 0 ? ": " + run.notes().first : "");
  } catch (const Error& error) {
    return error.what();
  }
}

TEST_CASE("a barrier that not all reach is an error that says where they are") {
  const std::string start = "some.hpp:17: barrier() is not reached by all of workgroup (1, 2, 3): ";
  const std::string end = "; put the barrier where all invocations pass it";
  CHECK(outcome("bbb") == "0");
  CHECK(outcome("eee") == "none");
  CHECK(outcome("beb") == start + "subgroups 0, 2 wait for subgroup 1, which has ended" + end);
  CHECK(outcome("ebe") == start + "subgroup 1 waits for subgroups 0, 2, which have ended" + end);
  CHECK(outcome("bbo") == start + "subgroup 2 waits at another one, some.hpp:18" + end);
  CHECK(outcome("bpb") == start +
                              "of subgroup 1 lanes 0-1 wait, lane 2 has returned, lane 3 is in "
                              "another branch or trip" +
                              end);
  CHECK(outcome("eop") ==
        "some.hpp:18: barrier() is not reached by all of workgroup (1, 2, 3): subgroup 2 waits at "
        "another one, some.hpp:17; subgroup 1 waits for subgroup 0, which has ended; of subgroup 2 "
        "lanes 0-1 wait, lane 2 has returned, lane 3 is in another branch or trip" +
            end);
  CHECK_THAT(outcome("ppppppp"), Catch::Contains("of subgroup 3 lanes") &&
                                     !Catch::Contains("of subgroup 4") &&
                                     Catch::Contains("; and so in 3 more subgroups; put"));
}

TEST_CASE("two instructions are two barriers, even of one line") {
  const int first = 0, second = 0;
  CHECK(BarrierId{here, &first} == BarrierId{here, &first});
  CHECK(!(BarrierId{here, &first} == BarrierId{here, &second}));
  const std::string copy = "some.hpp";
  CHECK(BarrierId{here} == BarrierId{{copy.c_str(), 17}});
  CHECK(!(BarrierId{here} == BarrierId{there}));
  CHECK(BarrierId{{"some.hpp", 17, 3}} == BarrierId{{copy.c_str(), 17, 3}});
  CHECK(!(BarrierId{{"some.hpp", 17, 3}} == BarrierId{{"some.hpp", 17, 4}}));
}

TEST_CASE("a lenient barrier opens and notes why") {
  const std::string start = "some.hpp:17: barrier() is not reached by all of workgroup (1, 2, 3): ";
  const std::string end = "; they are counted as arrived";
  constexpr Lenient lenient{.barriers = true};
  CHECK(outcome("bbb", lenient) == "0");
  CHECK(outcome("ebe", lenient) ==
        "1: " + start + "subgroup 1 waits for subgroups 0, 2, which have ended" + end);
  CHECK(outcome("bbo", lenient) ==
        "0: " + start + "subgroup 2 waits at another one, some.hpp:18" + end);
  CHECK_THAT(outcome("bpb", lenient), Catch::StartsWith("0: ") && Catch::EndsWith(end));
}

TEST_CASE("a stack knows which of its lanes wait, have returned and are elsewhere") {
  const Convergence maximal;
  ReconvergenceStack stack(LaneSet::first_n(8), maximal);
  enter(stack, LaneSet::lane(1), here);
  retire(stack, here);
  flip(stack, here);
  leave(stack, here);
  call(stack, here);
  enter(stack, LaneSet::lane(2), here);
  retire(stack, here);
  leave(stack, here);
  enter(stack, LaneSet::first_n(6), here);
  const BarrierArrival arrival = arrival_of(stack, {there});
  CHECK(arrival.barrier == BarrierId{there});
  CHECK(arrival.waiting == LaneSet{0x39});
  CHECK(arrival.returned == LaneSet::lane(1));
  CHECK(arrival.elsewhere == LaneSet{0xc4});
}

TEST_CASE("a chooser decides which subgroup is first and next") {
  constexpr std::array kinds = {Choice::subgroup_order};
  const Described described({at(here), at(here), at(here)});
  WorkgroupRun run(3, described);
  // Of 0, 1, 2 the last; of 0, 1 the second; after the barrier of 2, 0, 1 after 1 the first.
  Chooser chooser = Chooser::start_with({2, 1}).only(kinds);
  run.start({}, &chooser);
  CHECK(run.running() == 2);
  CHECK(run.arrive({here}, true) == 1);
  CHECK(run.arrive({here}, true) == 0);
  CHECK(chooser.made().size() == 2);  // only one could run
  CHECK_FALSE(run.others_ready());
  CHECK(run.arrive({here}, true) == 1);
  CHECK(run.others_ready());
  CHECK(run.yield() == 2);
  CHECK(run.pause() == 0);
  CHECK(run.end() == 1);
  CHECK(run.end() == 2);
  CHECK(run.end() == WorkgroupRun::none);
}

TEST_CASE("by default a chooser lets subgroups run as they do without one") {
  constexpr std::array kinds = {Choice::subgroup_order, Choice::progress};
  const Described described({at(here), at(here), at(here)});
  WorkgroupRun plain(3, described), chosen(3, described);
  Chooser chooser = Chooser::rejoin_all().only(kinds);
  plain.start({});
  chosen.start({}, &chooser);
  CHECK(chosen.running() == plain.running());
  for (int k = 0; k < 6; ++k) CHECK(chosen.arrive({here}, true) == plain.arrive({here}, true));
  for (int k = 0; k < 5; ++k) CHECK(chosen.pause() == plain.pause());
  for (int k = 0; k < 3; ++k) CHECK(chosen.end() == plain.end());
}

TEST_CASE("without a promise of progress, a subgroup that spins is never interrupted") {
  constexpr std::array kinds = {Choice::progress};
  const Described described({at(here), at(here)});
  WorkgroupRun run(2, described);
  Chooser chooser = Chooser::start_with({1, 1}).only(kinds);
  run.start({}, &chooser);
  CHECK(run.running() == 1);
  for (int k = 0; k < 3; ++k) CHECK(run.pause() == 1);
  CHECK(run.arrive({here}, true) == 0);
}

}  // namespace
