#include <lockstep/exec/scopes.hpp>

#include <catch2/catch.hpp>

#include "exec/program.hpp"
#include "support/types.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

/// Runs a program for all lanes at once, with the scopes.
template <int W>
class SubgroupRun {
 public:
  SubgroupRun(std::uint64_t program, int conditions, Mask<W> lanes)
      : program_(program), visits_(static_cast<std::size_t>(conditions * W)), steps_(W) {
    state_.active = lanes;
  }

  void run(const Block& block) {
    for (const Statement& s : block) run(s);
  }
  const std::vector<std::vector<Step>>& steps() const { return steps_; }
  const exec::State<W>& state() const { return state_; }

 private:
  // Inactive lanes hold garbage.
  Mask<W> ask(int condition) {
    Mask<W> result;
    for (int i = 0; i < W; ++i) {
      const bool yes = state_.active.test(i)
                           ? answer(program_, condition,
                                    visits_[static_cast<std::size_t>(condition * W + i)]++, i)
                           : garbage_() % 2 == 0;
      if (yes) result = result | Mask<W>::lane(i);
    }
    return result;
  }

  void run(const Statement& s) {
    using namespace exec;
    switch (s.kind) {
      case Statement::note:
        for_each_lane(state_.active, [&](int i) {
          steps_[static_cast<std::size_t>(i)].emplace_back(
              s.id, MaskBits{state_.active.low64(), state_.active.high64()});
        });
        break;
      case Statement::selection: {
        if (auto in = IfScope(state_, ask(s.conditions[0]))) run(s.bodies[0]);
        for (std::size_t k = 1; k < s.conditions.size(); ++k) {
          if (auto other = ElseScope(state_))
            if (auto in = IfScope(state_, ask(s.conditions[k]))) run(s.bodies[k]);
        }
        if (s.bodies.size() > s.conditions.size()) {
          if (auto other = ElseScope(state_)) run(s.bodies.back());
        }
        break;
      }
      case Statement::loop:
        for (auto l = LoopScope(state_); l.again(ask(s.conditions[0])); l.next()) {
          run(s.bodies[0]);
        }
        break;
      case Statement::leave_loop:
        leave_loop(state_);
        break;
      case Statement::next_trip:
        leave_trip(state_);
        break;
      case Statement::leave_kernel:
        retire(state_);
        break;
    }
  }

  std::uint64_t program_;
  std::vector<int> visits_;
  std::vector<std::vector<Step>> steps_;
  exec::State<W> state_;
  Random garbage_ = make_random(program_);
};

// Not templates: Catch's macros are slow to compile.
void check_steps(const std::vector<std::vector<Step>>& got,
                 const std::vector<std::vector<Step>>& want, int program) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    INFO("W = " << want.size() << ", program " << program << ", lane " << i << ", seed " << seed());
    REQUIRE(got[i] == want[i]);
  }
}
void check_none(int lanes) { REQUIRE(lanes == 0); }

TEST_CASE("scopes run random programs as each lane alone would, and lanes rejoin") {
  const int programs = full_run() ? 2000 : 120;
  std::size_t steps = 0;
  for_each_size([&]<int W>(Size<W>) {
    Random random = make_random(W);
    for (int n = 0; n < programs; ++n) {
      const std::uint64_t number = random();
      ProgramWriter writer(random);
      const Block program = writer.block(3, false);
      const MaskBits lanes = n % 2 == 0 ? MaskBits::first_n(W) : random_mask_bits(W, random);
      SubgroupRun<W> subgroup(number, writer.conditions(), to_mask<W>(lanes));
      subgroup.run(program);
      const auto expected = expected_steps(program, number, writer.conditions(), W, lanes);
      check_steps(subgroup.steps(), expected, n);
      check_none((subgroup.state().broken | subgroup.state().continuing).count());
      for (const auto& lane : expected) steps += lane.size();
    }
  });
  CHECK(steps > 10000);  // the programs do something
}

TEST_CASE("a scope tells whether any lane goes in") {
  exec::State<8> state{.active = Mask<8>::from_bits(0b0110'1100)};
  {
    const exec::IfScope none(state, Mask<8>::from_bits(0b1001'0011));
    CHECK_FALSE(static_cast<bool>(none));
    CHECK(state.active == Mask<8>::from_bits(0b0110'1100));
  }
  {
    const exec::ElseScope all(state);
    CHECK(static_cast<bool>(all));
    CHECK(state.active == Mask<8>::from_bits(0b0110'1100));
  }
  {
    const exec::IfScope all(state, Mask<8>::all());
    CHECK(static_cast<bool>(all));
  }
  {
    const exec::ElseScope none(state);
    CHECK_FALSE(static_cast<bool>(none));
    CHECK(state.active == Mask<8>::from_bits(0b0110'1100));
  }
  CHECK(state.active == Mask<8>::from_bits(0b0110'1100));
}

TEST_CASE("an inner loop leaves the outer loop's waiting lanes alone") {
  exec::State<8> state{.active = Mask<8>::all(),
                       .broken = Mask<8>::from_bits(0b0000'0001),
                       .continuing = Mask<8>::from_bits(0b0000'0010)};
  state.active = Mask<8>::from_bits(0b1111'1100);
  {
    exec::LoopScope loop(state);
    CHECK(loop.again(Mask<8>::from_bits(0b0011'1111)));
    CHECK(state.active == Mask<8>::from_bits(0b0011'1100));
    loop.next();
    CHECK(state.active == Mask<8>::from_bits(0b0011'1100));
    CHECK_FALSE(loop.again(Mask<8>::none()));
  }
  CHECK(state.active == Mask<8>::from_bits(0b1111'1100));
  CHECK(state.broken == Mask<8>::from_bits(0b0000'0001));
  CHECK(state.continuing == Mask<8>::from_bits(0b0000'0010));
}

}  // namespace
