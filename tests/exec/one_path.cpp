#include <lockstep/exec/reconvergence_stack.hpp>

#include <array>
#include <cstdint>
#include <random>

#include <catch2/catch.hpp>

/// \file
/// Nothing splits lanes that take the same path: no rule, and no chooser.

namespace {

using namespace lockstep;

constexpr SourceLocation here{"kernel.hpp", 7};

/// Random constructs that all active lanes go through in the same way, at every step of which they are one tangle.
class OnePath {
 public:
  OnePath(ReconvergenceStack& stack, std::uint32_t seed)
      : stack_(stack), lanes_(stack.active()), random_(seed) {}

  void run(int depth) {
    for (std::uint32_t k = 1 + pick(3); k-- > 0;) construct(depth);
  }
  int steps() const { return steps_; }

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  void together() {
    REQUIRE(stack_.tangles.size() == 1);
    REQUIRE(stack_.tangles[0].lanes == lanes_);
    ++steps_;
  }
  void inside(int depth) {
    together();
    if (depth > 0) run(depth - 1);
    together();
  }

  void construct(int depth) {
    switch (pick(4)) {
      case 0:
        return selection(depth);
      case 1:
        return loop(depth);
      case 2:
        return switch_statement(depth);
      default:
        return function(depth);
    }
  }
  void selection(int depth) {
    const bool first_side = pick(2) == 0;
    CHECK(enter(stack_, first_side ? lanes_ : LaneSet(), here) == first_side);
    if (first_side) inside(depth);
    CHECK(flip(stack_, here) == !first_side);
    if (!first_side) inside(depth);
    leave(stack_, here);
    together();
  }
  void loop(int depth) {
    enter_loop(stack_, here);
    const std::uint32_t trips = pick(4), way = pick(3);
    for (std::uint32_t k = 0; k < trips; ++k) {
      CHECK(test_loop(stack_, lanes_, here));
      inside(depth);
      if (way == 1) leave_trip(stack_, here);
      if (way == 2 && k + 1 == trips) leave_loop(stack_, here);
      next_trip(stack_, here);
      if (way != 2 || k + 1 < trips) together();
    }
    CHECK_FALSE(test_loop(stack_, {}, here));
    exit_loop(stack_, here);
    together();
  }
  void switch_statement(int depth) {
    enter_switch(stack_, here);
    std::array<std::int64_t, 128> selector{};
    selector.fill(pick(3));
    const bool falls_through = pick(2) == 0;
    bool left = false;
    for (std::int64_t label = 0; label < 3; ++label) {
      const bool matches = selector[0] == label;
      const bool any = enter_case(stack_, matches ? lanes_ : LaneSet(), selector.data(), here);
      REQUIRE(any == (!left && selector[0] <= label));
      if (!any) continue;
      inside(depth);
      if (falls_through) continue;
      leave_loop(stack_, here);
      left = true;
    }
    leave_switch(stack_, here);
    together();
  }
  void function(int depth) {
    call(stack_, here);
    inside(depth);
    if (pick(2) == 0) retire(stack_, here);
    end_call(stack_, here);
    together();
  }

  ReconvergenceStack& stack_;
  LaneSet lanes_;
  std::mt19937 random_;
  int steps_ = 0;
};

}  // namespace

TEST_CASE("lanes on one path stay one tangle, nothing splits by itself") {
  int steps = 0;
  for (const Rule rule : {Rule::maximal, Rule::subgroup_uniform, Rule::core}) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
      INFO(to_string(rule) << ", seed " << seed);
      Chooser chooser = seed % 2 == 0 ? Chooser::rejoin_none() : Chooser::random(seed);
      const Convergence convergence{.rule = rule, .chooser = &chooser};
      ReconvergenceStack stack(LaneSet::first_n(1 + static_cast<int>(seed % 32)), convergence);
      // Half of the time only some lanes are on that path.
      const bool some = seed % 4 < 2 && stack.active() != LaneSet::lane(0);
      if (some) REQUIRE(enter(stack, stack.active().without(LaneSet::lane(0)), here));
      OnePath path(stack, seed);
      path.run(3);
      steps += path.steps();
      if (some) CHECK(flip(stack, here));
    }
  }
  CHECK(steps > 10000);
}
