#include <lockstep/exec/tangled_state.hpp>

#include <catch2/catch.hpp>

#include <lockstep/exec/scopes.hpp>

namespace {

using namespace lockstep;
using exec::TangledState;

template <int W>
Mask<W> mask(std::uint64_t bits) {
  return to_mask<W>(LaneSet{bits, 0});
}

/// A subgroup of eight lanes under a rule where nothing rejoins unless it must.
struct Subgroup {
  explicit Subgroup(Rule rule)
      : convergence{.rule = rule, .chooser = &chooser},
        stack(LaneSet::first_n(8), convergence),
        state(stack) {}

  Chooser chooser = Chooser::rejoin_none();
  Convergence convergence;
  ReconvergenceStack stack;
  TangledState<8> state;
};

TEST_CASE("masks and lane sets name the same lanes") {
  CHECK(to_lane_set(Mask<24>::from_bits(0x800001)) == LaneSet{0x800001, 0});
  const auto wide = Mask<128>::lane(0) | Mask<128>::lane(64) | Mask<128>::lane(127);
  CHECK(to_lane_set(wide) == LaneSet{1, 1ull << 63 | 1});
  CHECK(to_mask<128>(to_lane_set(wide)) == wide);
  CHECK(to_mask<33>(LaneSet{~0ull, ~0ull}).all_lanes());
}

TEST_CASE("all lanes are active behind an If, before it is known whether an Else follows") {
  Subgroup s(Rule::maximal);
  if (auto in = exec::IfScope(s.state, mask<8>(0x0f))) CHECK(s.state.active == mask<8>(0x0f));
  CHECK(s.state.active == mask<8>(0xff));
  CHECK(s.stack.frames.size() == 1);
  if (auto other = exec::ElseScope(s.state)) CHECK(s.state.active == mask<8>(0xf0));
  CHECK(s.state.active == mask<8>(0xff));
  CHECK(s.stack.frames.empty());
}

TEST_CASE("an If without Else is settled by what comes next") {
  Subgroup s(Rule::subgroup_uniform);
  if (auto outer = exec::IfScope(s.state, mask<8>(0x0f))) {
    if (auto inner = exec::IfScope(s.state, mask<8>(0x01))) {
    }
    exec::settle(s.state);
    CHECK(s.stack.tangles == Tangles{{LaneSet{0x01, 0}}, {LaneSet{0x0e, 0}}});
    if (auto inner = exec::IfScope(s.state, mask<8>(0x02))) CHECK(s.state.active == mask<8>(0x02));
  }
  exec::settle(s.state);
  CHECK(s.stack.tangles == Tangles{{LaneSet{0xff, 0}}});
}

TEST_CASE("an Else for nobody runs nothing and ends the selection") {
  Subgroup s(Rule::maximal);
  if (auto in = exec::IfScope(s.state, mask<8>(0xff))) {
  }
  bool ran = false;
  if (auto other = exec::ElseScope(s.state)) ran = true;
  CHECK_FALSE(ran);
  CHECK(s.stack.frames.empty());
  if (auto stray = exec::ElseScope(s.state)) ran = true;  // no If before it
  CHECK_FALSE(ran);
  CHECK(s.state.active == mask<8>(0xff));
}

TEST_CASE("in a chain of Else If each side runs, and all meet at the chain's end") {
  for (const std::uint64_t second : {0x0cull, 0x00ull, 0xfcull}) {
    Subgroup s(Rule::maximal);
    std::uint64_t ran[4] = {};
    if (auto in = exec::IfScope(s.state, mask<8>(0x03))) ran[0] = s.state.active.low64();
    if (auto other = exec::ElseScope(s.state))
      if (auto in = exec::IfScope(s.state, mask<8>(second))) ran[1] = s.state.active.low64();
    CHECK(s.state.active == mask<8>(0xff));
    if (auto other = exec::ElseScope(s.state))
      if (auto in = exec::IfScope(s.state, mask<8>(0x30))) ran[2] = s.state.active.low64();
    if (auto other = exec::ElseScope(s.state)) ran[3] = s.state.active.low64();
    CHECK(ran[0] == 0x03);
    CHECK(ran[1] == second);
    CHECK(ran[2] == (0x30 & ~second));
    CHECK(ran[3] == (0xcc & ~second));
    exec::settle(s.state);
    CHECK(s.stack.tangles == Tangles{{LaneSet{0xff, 0}}});
    CHECK(s.stack.frames.empty());
  }
}

TEST_CASE("scopes that close because of an error leave it alone") {
  Subgroup s(Rule::maximal);
  s.stack.max_trips = 3;
  const auto endless = [&] {
    if (auto in = exec::IfScope(s.state, mask<8>(0x0f))) {
      for (auto l = exec::LoopScope(s.state); l.again(mask<8>(0xff)); l.next()) {
      }
    }
  };
  CHECK_THROWS_WITH(endless(), Catch::Contains("the loop does not end"));
}

TEST_CASE("subgroups that take turns keep their own stacks") {
  Subgroup a(Rule::maximal), b(Rule::maximal);
  exec::enter(a.state, mask<8>(0x0f), {});
  TangledState<8> running = a.state;
  CHECK(running.active == mask<8>(0x0f));
  CHECK(running.stack == &a.stack);
  exec::retire(running, {});
  a.state = running;
  running = b.state;
  CHECK(running.active == mask<8>(0xff));
  CHECK(b.stack.frames.empty());
  running = a.state;
  CHECK_FALSE(running.active.any_lane());
  CHECK(running.stack->frames.size() == 1);
}

}  // namespace
