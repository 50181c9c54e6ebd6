#include <lockstep/exec/left_scope.hpp>

#include <stdexcept>

#include <catch2/catch.hpp>

#include <lockstep/exec/scopes.hpp>

namespace {

using namespace lockstep;
using Catch::Matchers::Contains;

constexpr SourceLocation place{"kernel.hpp", 12};
using State = exec::State<8>;

TEST_CASE("errors about scopes say where and what to write") {
  CHECK_THROWS_WITH(fail::left_scope(place, "loop"), Contains("kernel.hpp:12: ") &&
                                                         Contains("leaves this loop") &&
                                                         Contains("write Return or Break"));
  CHECK_THROWS_WITH(fail::no_return_value(place),
                    Contains("kernel.hpp:12: ") && Contains("return ReturnValue (value)"));
}

TEST_CASE("scopes that a coroutine leaves behind are no errors") {
  {
    const GivenUp outer;
    { const GivenUp inner; }
    CHECK_NOTHROW(fail::left_scope(place, "loop"));
    CHECK_NOTHROW(fail::no_return_value(place));
  }
  CHECK_THROWS(fail::left_scope(place, "loop"));
}

/// The body of a selection that half of the lanes enter: the number of times that it ran.
template <class Leave>
int run_body(State& state, Leave leave) {
  int runs = 0;
  for (exec::Body<exec::IfScope<State>> body{{state, Mask<8>::first_n(4)}, place}; body.open;
       body.open = false) {
    ++runs;
    CHECK(state.active == Mask<8>::first_n(4));
    if (leave()) return runs;
  }
  return runs;
}

TEST_CASE("a body runs once, and says when it is left in the middle") {
  State state{.active = Mask<8>::all()};
  CHECK(run_body(state, [] { return false; }) == 1);
  CHECK(state.active.all_lanes());
  CHECK_THROWS_WITH(run_body(state, [] { return true; }),
                    Contains("kernel.hpp:12: ") && Contains("leaves this If, Else or Case"));
  CHECK(state.active.all_lanes());
  state.active = Mask<8>::lane(7);
  CHECK(run_body(state, [] { return true; }) == 0);
}

TEST_CASE("an exception passes through a body") {
  State state{.active = Mask<8>::all()};
  CHECK_THROWS_WITH(run_body(state, []() -> bool { throw std::runtime_error("mine"); }), "mine");
}

TEST_CASE("a lower-case continue is for loops of lanes and uniform ones") {
  static_assert(exec::continues<exec::Outside>);
  static_assert(exec::continues<exec::LoopScope<State>>);
  static_assert(!exec::continues<exec::DoScope<State>>);
  static_assert(!exec::continues<exec::Body<exec::IfScope<State>>>);
  static_assert(exec::is_main("main") && !exec::is_main("helper"));
  SUCCEED();
}

}  // namespace
