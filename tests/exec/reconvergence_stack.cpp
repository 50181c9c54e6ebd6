#include <lockstep/exec/reconvergence_stack.hpp>

#include <array>
#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

namespace {

using namespace lockstep;

constexpr SourceLocation here{"kernel.hpp", 7};

LaneSet lanes(std::uint64_t bits) { return {bits, 0}; }

/// The tangles as their bits, in order.
std::vector<std::uint64_t> bits(const ReconvergenceStack& stack) {
  std::vector<std::uint64_t> result;
  for (const Tangle& t : stack.tangles) result.push_back(t.lanes.low);
  return result;
}
using Bits = std::vector<std::uint64_t>;

/// A subgroup of eight lanes, 0 to 7, under a rule and a chooser.
struct Subgroup {
  explicit Subgroup(Rule rule, Chooser c = Chooser::rejoin_none(), std::uint64_t existing = 0xff)
      : chooser(std::move(c)),
        convergence{.rule = rule, .chooser = &chooser},
        stack(lanes(existing), convergence) {}

  Chooser chooser;
  Convergence convergence;
  ReconvergenceStack stack;
};

TEST_CASE("a selection runs one side, then the other, and maximal lanes rejoin") {
  Subgroup s(Rule::maximal);
  CHECK(enter(s.stack, lanes(0x0f), here));
  CHECK(bits(s.stack) == Bits{0x0f});
  CHECK(flip(s.stack, here));
  CHECK(bits(s.stack) == Bits{0xf0});
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});
  CHECK(s.stack.frames.empty());
  CHECK(s.chooser.made().empty());
}

TEST_CASE("a side that no lane takes is told, and changes nothing") {
  Subgroup s(Rule::maximal);
  CHECK_FALSE(enter(s.stack, lanes(0), here));
  CHECK(flip(s.stack, here));
  CHECK(bits(s.stack) == Bits{0xff});
  leave(s.stack, here);
  CHECK(enter(s.stack, lanes(0xff), here));
  CHECK_FALSE(flip(s.stack, here));
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});
}

TEST_CASE("subgroup_uniform: a whole subgroup rejoins, part of one need not") {
  Subgroup s(Rule::subgroup_uniform);
  enter(s.stack, lanes(0x0f), here);
  enter(s.stack, lanes(0x01), here);
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0x01, 0x0e});  // nothing promised inside divergent flow
  CHECK(s.chooser.made() == std::vector<std::uint32_t>{1});
  flip(s.stack, here);
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});  // promised: the whole subgroup entered, and none escaped
}

TEST_CASE("subgroup_uniform: a partial subgroup is whole with the lanes it has") {
  Subgroup s(Rule::subgroup_uniform, Chooser::rejoin_none(), 0x1f);
  enter(s.stack, lanes(0xf0), here);
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0x1f});
}

TEST_CASE("subgroup_uniform: one lane that escapes voids the promise") {
  Subgroup s(Rule::subgroup_uniform);
  enter(s.stack, lanes(0x0f), here);
  enter(s.stack, lanes(0x01), here);
  retire(s.stack, here);
  leave(s.stack, here);
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0x0e, 0xf0});
  enter(s.stack, lanes(0x02), here);  // and it is never whole again
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0x02, 0x0c, 0xf0});
}

TEST_CASE("the chooser decides who rejoins") {
  for (const auto& [answers, want] :
       {std::pair<std::vector<std::uint32_t>, Bits>{{0}, {0x0f}}, {{1}, {0x01, 0x0e}}}) {
    Subgroup s(Rule::subgroup_uniform, Chooser::replay(answers));
    enter(s.stack, lanes(0x0f), here);
    enter(s.stack, lanes(0x01), here);
    leave(s.stack, here);
    CHECK(bits(s.stack) == want);
    CHECK(s.chooser.made() == answers);
  }
}

TEST_CASE("a loop keeps those that left apart until it ends") {
  Subgroup s(Rule::maximal);
  enter_loop(s.stack, here);
  CHECK(test_loop(s.stack, lanes(0x7f), here));
  CHECK(bits(s.stack) == Bits{0x7f});
  enter(s.stack, lanes(0x03), here);
  leave_loop(s.stack, here);
  CHECK(s.stack.tangles.empty());
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0x7c});
  enter(s.stack, lanes(0x0c), here);
  leave_trip(s.stack, here);
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0x70});
  next_trip(s.stack, here);
  CHECK(bits(s.stack) == Bits{0x7c});
  CHECK_FALSE(test_loop(s.stack, lanes(0), here));
  exit_loop(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});
}

TEST_CASE("without maximal reconvergence lanes that continue early may stay apart") {
  Subgroup s(Rule::core);
  enter_loop(s.stack, here);
  test_loop(s.stack, lanes(0xff), here);
  enter(s.stack, lanes(0x0f), here);
  leave_trip(s.stack, here);
  leave(s.stack, here);
  next_trip(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xf0, 0x0f});
  CHECK_FALSE(test_loop(s.stack, lanes(0), here));
  exit_loop(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});  // but all left through the loop's end
}

TEST_CASE("a switch runs its cases in order, with fallthrough, break and default") {
  Subgroup s(Rule::maximal);
  std::int64_t value[128] = {0, 0, 1, 1, 2, 2, 9, 9};
  enter_switch(s.stack, here);
  CHECK(s.stack.tangles.empty());
  CHECK(enter_case(s.stack, lanes(0b0000'0011), value, here));
  CHECK(bits(s.stack) == Bits{0b0000'0011});
  CHECK(enter_case(s.stack, lanes(0b0000'1100), value, here));  // the first two fall through
  CHECK(s.stack.active() == lanes(0b0000'1111));
  leave_loop(s.stack, here);
  CHECK(enter_case(s.stack, lanes(0b1100'0000), value, here));  // default
  CHECK(bits(s.stack) == Bits{0b1100'0000});
  leave_switch(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});  // lanes 4 and 5 matched no case
}

TEST_CASE("even under maximal, lanes of one case may be apart by their value") {
  Subgroup s(Rule::maximal, Chooser::rejoin_none());
  const std::int64_t value[128] = {1, 2, 1, 2, 3, 3, 3, 3};
  enter_switch(s.stack, here);
  enter_case(s.stack, lanes(0x0f), value, here);
  CHECK(bits(s.stack) == Bits{0b0101, 0b1010});
  enter_case(s.stack, lanes(0xf0), value, {"kernel.hpp", 8});
  CHECK(bits(s.stack) == Bits{0xf0, 0b0101, 0b1010});  // those that fall through, too
  leave_switch(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});

  Subgroup joined(Rule::maximal, Chooser::rejoin_all());
  enter_switch(joined.stack, here);
  enter_case(joined.stack, lanes(0x0f), value, here);
  CHECK(bits(joined.stack) == Bits{0x0f});
  enter_case(joined.stack, lanes(0xf0), value, here);
  CHECK(bits(joined.stack) == Bits{0xff});
}

TEST_CASE("a loop is left from inside a switch") {
  Subgroup s(Rule::subgroup_uniform);
  const std::int64_t selector[8] = {0, 0, 1, 1, 2, 2, 2, 2};
  enter_loop(s.stack, here);
  test_loop(s.stack, lanes(0xff), here);
  enter_switch(s.stack, here);
  enter_case(s.stack, lanes(0x03), selector, here);
  leave_loop_around(s.stack, here);
  CHECK(bits(s.stack).empty());
  enter_case(s.stack, lanes(0x0c), selector, here);
  leave_loop(s.stack, here);
  leave_switch(s.stack, here);
  CHECK(s.stack.active() == lanes(0xfc));
  for (const std::uint64_t tangle : bits(s.stack)) CHECK((tangle & 0x03) == 0);
  exit_loop(s.stack, here);
  CHECK(s.stack.active() == lanes(0xff));
}

TEST_CASE("a function's early returns wait behind its call; the kernel's never come back") {
  Subgroup s(Rule::maximal);
  call(s.stack, here);
  enter(s.stack, lanes(0x0f), here);
  retire(s.stack, here);
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xf0});
  end_call(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});
  enter(s.stack, lanes(0x0f), here);
  retire(s.stack, here);
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xf0});
}

/// Plays the other subgroups of a workgroup: the combined votes, question by question.
struct Others : Meeting {
  std::vector<std::uint32_t> answers;
  std::vector<std::uint32_t> votes = {};
  explicit Others(std::vector<std::uint32_t> a) : answers(std::move(a)) {}
  std::uint32_t meet(SourceLocation, std::uint64_t, std::uint32_t vote) override {
    votes.push_back(vote);
    return answers.at(votes.size() - 1);
  }
};

TEST_CASE("core: a merge is promised when the whole workgroup entered and left") {
  const auto tangles_after = [](std::vector<std::uint32_t> others_answer) {
    Chooser chooser = Chooser::rejoin_none();
    const Convergence convergence{.rule = Rule::core, .chooser = &chooser};
    Others others(others_answer);
    ReconvergenceStack stack(lanes(0xff), convergence, &others);
    enter(stack, lanes(0x0f), here);
    leave(stack, here);
    CHECK(others.votes == std::vector<std::uint32_t>{3, 1});
    return stack.tangles;
  };
  CHECK(tangles_after({3, 1}) == Tangles{{lanes(0xff), true}});
  // A lane of another subgroup escaped.
  CHECK(tangles_after({3, 3}) == Tangles{{lanes(0x0f)}, {lanes(0xf0)}});
}

TEST_CASE("core: a branch all lanes of the workgroup take leaves it together") {
  Chooser chooser = Chooser::rejoin_none();
  const Convergence convergence{.rule = Rule::core, .chooser = &chooser};
  Others others({1, 3, 1});
  ReconvergenceStack stack(lanes(0xff), convergence, &others);
  enter(stack, lanes(0xff), here);
  CHECK(stack.tangles == Tangles{{lanes(0xff), true}});
  enter(stack, lanes(0xff), here);  // some lane elsewhere did not
  CHECK(stack.tangles == Tangles{{lanes(0xff), false}});
  leave(stack, here);
  CHECK(stack.tangles == Tangles{{lanes(0xff), true}});
  leave(stack, here);  // no lane was apart: no vote is needed
  CHECK(stack.tangles == Tangles{{lanes(0xff), true}});
  CHECK(others.votes == std::vector<std::uint32_t>{1, 1, 1});
}

TEST_CASE("core: a subgroup whose lanes all escaped still votes") {
  Chooser chooser = Chooser::rejoin_none();
  const Convergence convergence{.rule = Rule::core, .chooser = &chooser};
  Others others({3, 3});
  ReconvergenceStack stack(lanes(0xff), convergence, &others);
  enter(stack, lanes(0xff), here);
  retire(stack, here);
  leave(stack, here);
  CHECK(others.votes == std::vector<std::uint32_t>{1, 2});
  CHECK(stack.tangles.empty());
}

TEST_CASE("an endless loop ends at the limit and says who is still in it") {
  Subgroup s(Rule::maximal);
  s.stack.max_trips = 100;
  enter_loop(s.stack, here);
  const auto spin = [&] {
    while (test_loop(s.stack, lanes(0x06), here)) next_trip(s.stack, here);
  };
  CHECK_THROWS_WITH(spin(), Catch::StartsWith("kernel.hpp:7: the loop does not end: lanes 1-2 of "
                                              "subgroup 0 of workgroup (0, 0, 0) are still in it "
                                              "after 100 iterations; lanes"));
}

TEST_CASE("a loop is not left from inside a switch without one") {
  Subgroup s(Rule::maximal);
  enter_switch(s.stack, here);
  CHECK_THROWS_AS(leave_loop_around(s.stack, here), Error);
}

TEST_CASE("jumps out of nothing are errors") {
  Subgroup s(Rule::maximal);
  CHECK_THROWS_WITH(leave_loop(s.stack, here), "kernel.hpp:7: Break outside a loop or switch");
  CHECK_THROWS_WITH(leave_trip(s.stack, here), "kernel.hpp:7: Continue outside a loop");
}

TEST_CASE("the stack is printed from the outermost construct in") {
  Subgroup s(Rule::maximal);
  enter_loop(s.stack, here);
  test_loop(s.stack, lanes(0x3f), here);
  enter(s.stack, lanes(0x03), {"kernel.hpp", 9});
  CHECK(to_string(s.stack) ==
        "kernel.hpp:7: loop  entered {0-7}  arrived {6-7}  trips 1\n"
        "kernel.hpp:9: selection  entered {0-5}  waiting {2-5}\n"
        "active {0-1}\n");
  retire(s.stack, here);
  CHECK_THAT(to_string(s.stack), Catch::EndsWith("no lane is active\n"));
}

TEST_CASE("observers are told each transition, with who and where") {
  struct Log : Observer {
    std::vector<std::string> lines;
    void on(const Event& event) override { lines.push_back(to_string(event)); }
  } log;
  const Convergence convergence{.observer = &log};
  ReconvergenceStack stack(lanes(0xff), convergence);
  enter(stack, lanes(0x0f), here);
  flip(stack, here);
  retire(stack, here);
  leave(stack, here);
  CHECK(log.lines == std::vector<std::string>{
                         "kernel.hpp:7: enter -> {0-3}, others {4-7}",
                         "kernel.hpp:7: flip -> {4-7}, others {0-3}",
                         "kernel.hpp:7: return -> none, others {4-7}",
                         "kernel.hpp:7: leave -> {0-3}",
                     });
}

Chooser asked_only(Choice choice, std::vector<std::uint32_t> answers) {
  return Chooser::start_with(std::move(answers)).only(std::array{choice});
}

TEST_CASE("the other side of a selection may run first") {
  const int other = 0;
  Subgroup s(Rule::core, asked_only(Choice::side_order, {1}));
  CHECK(enter_other_first(s.stack, lanes(0x0f), here, &other));
  CHECK(bits(s.stack) == Bits{0xf0});
  CHECK(s.stack.frames.back().other == &other);
  CHECK(flip(s.stack, here));
  CHECK(bits(s.stack) == Bits{0x0f});
  leave(s.stack, here);
  CHECK(bits(s.stack) == Bits{0xff});
  // A side without lanes is no choice.
  CHECK_FALSE(enter_other_first(s.stack, lanes(0xff), here, &other));
  CHECK(bits(s.stack) == Bits{0xff});
  CHECK(s.stack.frames.back().other == nullptr);
  CHECK(s.chooser.made().size() == 1);
}

TEST_CASE("lanes of several iterations may run the code before their break together") {
  const int code = 0;
  for (const Rule rule : {Rule::maximal, Rule::subgroup_uniform, Rule::core}) {
    Subgroup s(rule, asked_only(Choice::late_break, {1}));
    s.stack.tangles = {{lanes(0xff)}};
    enter_loop(s.stack, here);
    for (const std::uint64_t leaving : {0x03u, 0x30u}) {
      CHECK(test_loop(s.stack, lanes(0xff), here));
      CHECK(enter(s.stack, lanes(leaving), here));
      LateBreak* late = break_late(s.stack, here, &code);
      CHECK((late != nullptr) == (rule != Rule::maximal));
      if (late == nullptr) leave_loop(s.stack, here);
      CHECK(s.stack.tangles.empty());
      flip(s.stack, here);
      leave(s.stack, here);
      next_trip(s.stack, here);
    }
    CHECK_FALSE(test_loop(s.stack, lanes(0), here));
    const auto late = resume_late_break(s.stack, here);
    REQUIRE(late.has_value() == (rule != Rule::maximal));
    if (late) {
      CHECK(late->at == &code);
      CHECK(late->lanes == lanes(0x33));
      CHECK(bits(s.stack) == Bits{0x33});
      CHECK(s.stack.frames.size() == 2);  // inside the selection
      leave_loop(s.stack, here);
      leave(s.stack, here);
      next_trip(s.stack, here);
      CHECK_FALSE(resume_late_break(s.stack, here));
    }
    exit_loop(s.stack, here);
    CHECK(s.stack.active() == lanes(0xff));
  }
}

}  // namespace
