#include "convergence/reference.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "convergence/generator.hpp"
#include "convergence/promises.hpp"
#include "convergence/shrink.hpp"
#include "convergence/text.hpp"

namespace {

using namespace lockstep::test;

// Small hand-written programs with the ballots that the rules promise, worked out on paper.

Condition lanes(std::uint64_t bits) { return {.kind = Condition::lane_bits, .bits = {bits, 0}}; }
Condition elect() { return {.kind = Condition::near_first, .n = 1}; }

Statement log(int site) { return {.kind = Statement::log, .site = site}; }
Statement jump(Statement::Kind kind) { return {.kind = kind}; }
Statement call(int function) { return {.kind = Statement::call, .n = function}; }
Statement selection(Condition c, Block then) {
  return {.kind = Statement::selection, .conditions = {std::move(c)}, .bodies = {std::move(then)}};
}
Statement selection(Condition c, Block then, Block otherwise) {
  Statement s = selection(std::move(c), std::move(then));
  s.bodies.push_back(std::move(otherwise));
  return s;
}
Statement loop(Statement::Form form, Condition c, Block body, Block step = {}) {
  return {.kind = Statement::loop,
          .n = 10,
          .conditions = {std::move(c)},
          .bodies = {std::move(body), std::move(step)},
          .form = form};
}

Program program(Block main, Block function = {}) {
  Program p;
  p.functions = {std::move(main), std::move(function)};
  p.sites = 10;
  return p;
}

/// Eight lanes run a program: the logs of one of them, as site and the lanes it was together with.
using Logs = std::vector<std::pair<int, unsigned>>;
Logs logs(const Program& p, std::size_t lane, SwitchLanes switch_lanes = SwitchLanes::joined) {
  const Reference reference = run_reference(p, Lanes128(0xff), switch_lanes);
  Logs result;
  for (const Passed& passed : reference.lanes[lane].logs)
    result.emplace_back(passed.site, static_cast<unsigned>(passed.together.to_ulong()));
  return result;
}

TEST_CASE("lanes part in a selection and meet behind it") {
  const Program p = program(
      {log(0), selection(lanes(0x0f), {log(1), selection(lanes(0x03), {log(2)}), log(3)}, {log(4)}),
       log(5)});
  CHECK(logs(p, 0) == Logs{{0, 0xff}, {1, 0x0f}, {2, 0x03}, {3, 0x0f}, {5, 0xff}});
  CHECK(logs(p, 2) == Logs{{0, 0xff}, {1, 0x0f}, {3, 0x0f}, {5, 0xff}});
  CHECK(logs(p, 7) == Logs{{0, 0xff}, {4, 0xf0}, {5, 0xff}});
}

TEST_CASE("lanes that continued meet at the continue construct, those that broke behind the loop") {
  const Condition by_trip{.kind = Condition::trip_below_lane, .n = 3};
  const Program p =
      program({loop(Statement::Form::for_loop, by_trip,
                    {selection(lanes(0x03), {log(0), jump(Statement::leave_trip)}),
                     selection(lanes(0x20), {log(1), jump(Statement::leave_loop)}), log(2)},
                    {log(3)}),
               log(4)});
  // Lanes 0, 3 and 6 run no iteration, 1, 4 and 7 one, 2 and 5 two.
  CHECK(logs(p, 0) == Logs{{4, 0xff}});
  CHECK(logs(p, 1) == Logs{{0, 0x02}, {3, 0x96}, {4, 0xff}});
  CHECK(logs(p, 2) == Logs{{2, 0x94}, {3, 0x96}, {2, 0x04}, {3, 0x04}, {4, 0xff}});
  CHECK(logs(p, 5) == Logs{{1, 0x20}, {4, 0xff}});
}

TEST_CASE("lanes that leave an endless loop in different trips are not together before its end") {
  const Program p = program({loop(Statement::Form::endless, {},
                                  {selection(elect(), {log(0), jump(Statement::leave_loop)})}),
                             log(1)});
  for (std::size_t i = 0; i < 8; ++i) CHECK(logs(p, i) == Logs{{0, 1u << i}, {1, 0xff}});
}

TEST_CASE("a test that comes last is made by lanes that continued, too") {
  const Condition test{.kind = Condition::logged, .site = 1, .parts = {lanes(0)}};
  const Program p =
      program({loop(Statement::Form::do_while, test,
                    {selection(lanes(0x0f), {jump(Statement::leave_trip)}), log(0)})});
  CHECK(logs(p, 0) == Logs{{1, 0xff}});
  CHECK(logs(p, 4) == Logs{{0, 0xf0}, {1, 0xff}});
}

TEST_CASE("lanes that returned meet the others behind the call") {
  const Program p = program({selection(lanes(0x3f), {call(1), log(0)}), log(1)},
                            {loop(Statement::Form::endless, {},
                                  {selection(elect(), {jump(Statement::leave_function)}),
                                   selection(lanes(0x0e), {jump(Statement::leave_loop)})}),
                             log(2)});
  // Lane 0 is elected first; 1 to 3 break; 4 and 5 are elected in later iterations.
  CHECK(logs(p, 0) == Logs{{0, 0x3f}, {1, 0xff}});
  CHECK(logs(p, 1) == Logs{{2, 0x0e}, {0, 0x3f}, {1, 0xff}});
  CHECK(logs(p, 6) == Logs{{1, 0xff}});
}

TEST_CASE("the right side of a short circuit is for the lanes that want it") {
  const Condition right{.kind = Condition::logged, .site = 0, .parts = {lanes(0x55)}};
  const Condition both{.kind = Condition::both, .parts = {lanes(0x0f), right}};
  const Program p = program({selection(both, {log(1)}, {log(2)})});
  CHECK(logs(p, 0) == Logs{{0, 0x0f}, {1, 0x05}});
  CHECK(logs(p, 1) == Logs{{0, 0x0f}, {2, 0xfa}});
  CHECK(logs(p, 4) == Logs{{2, 0xfa}});
}

TEST_CASE("lanes of different values in a switch are joined, or apart up to its merge") {
  Statement s{.kind = Statement::switch_statement, .n = 4};  // on lane % 4
  s.cases = {{{}, true}, {{0, 1}}, {{2}}};
  s.bodies = {{log(0), jump(Statement::leave_loop)}, {log(1)}, {log(2)}};
  const Program p = program({s, log(3)});
  CHECK(logs(p, 0) == Logs{{1, 0x33}, {2, 0x77}, {3, 0xff}});
  CHECK(logs(p, 2) == Logs{{2, 0x77}, {3, 0xff}});
  CHECK(logs(p, 3) == Logs{{0, 0x88}, {3, 0xff}});
  CHECK(logs(p, 0, SwitchLanes::apart) == Logs{{1, 0x11}, {2, 0x11}, {3, 0xff}});
  CHECK(logs(p, 2, SwitchLanes::apart) == Logs{{2, 0x44}, {3, 0xff}});
}

/// For each log of a lane, whether the weaker rules promise that all eight are together there.
std::vector<bool> whole(const Program& p, std::size_t lane) {
  const Reference reference = run_reference(p, Lanes128(0xff), SwitchLanes::joined);
  std::vector<const Trace*> traces;
  for (std::size_t i = 0; i < 8; ++i) traces.push_back(&reference.lanes[i]);
  const Promises promises(traces);
  std::vector<bool> result;
  for (const Sure& sure : promises.of(lane)) result.push_back(sure.whole);
  return result;
}

TEST_CASE("weaker rules promise a merge that all reach who entered together") {
  using Whole = std::vector<bool>;
  const Statement inner = selection(lanes(0x01), {log(1)});
  CHECK(whole(program({inner, log(0)}), 1) == Whole{true});
  CHECK(whole(program({selection(lanes(0xff), {inner, log(0)}), log(2)}), 1) == Whole{true, true});
  CHECK(whole(program({selection(lanes(0x0f), {inner, log(0)}), log(2)}), 1) == Whole{false, true});
  const Statement leaves = selection(lanes(0x01), {jump(Statement::leave_loop)});
  const Condition once{.kind = Condition::trip_below, .n = 1};
  CHECK(whole(program({loop(Statement::Form::while_loop, once, {leaves, log(0)}), log(1)}), 1) ==
        Whole{false, true});
  const Statement goes_on = selection(lanes(0x01), {jump(Statement::leave_trip)});
  CHECK(whole(program({loop(Statement::Form::for_loop, once, {goes_on}, {log(0)}), log(1)}), 1) ==
        Whole{false, true});
  const Statement returns = selection(lanes(0x01), {jump(Statement::leave_function)});
  CHECK(whole(program({call(1), log(0)}, {returns}), 1) == Whole{false});
  CHECK(whole(program({selection(lanes(0xff), {call(1), log(0)}), log(1)}, {returns}), 1) ==
        Whole{false, true});
}

TEST_CASE("a number makes one program, and other numbers others") {
  const auto text = [](std::uint64_t number) {
    return to_text(Generator(number, Style()).program());
  };
  CHECK(text(5) == text(5));
  CHECK(text(5) != text(6));
}

TEST_CASE("a program is shrunk to what makes it fail") {
  const auto has_continue = [](const Program& p) {
    bool found = false;
    for (const Block& f : p.functions) {
      for_each_statement(
          f, [&](const Statement& s) { found = found || s.kind == Statement::leave_trip; });
    }
    return found;
  };
  int shrunk = 0;
  for (std::uint64_t n = 0; n < 50; ++n) {
    const Program p = Generator(n, Style()).program();
    if (!has_continue(p)) continue;
    const Program small = Shrinker::shrunk(p, has_continue);
    int statements = 0;
    for (const Block& f : small.functions)
      for_each_statement(f, [&](const Statement&) { ++statements; });
    INFO(to_text(small));
    CHECK(statements == 2);  // an enclosing loop
    ++shrunk;
  }
  CHECK(shrunk > 10);
}

}  // namespace
