#include <lockstep/check/checker.hpp>

#include <catch2/catch.hpp>

using namespace lockstep;

TEST_CASE("a run has a checker where a rule needs its events") {
  CHECK(Checker::needed_for({Check::data_race}));
  CHECK_FALSE(Checker::needed_for({Check::out_of_bounds, Check::no_progress}));
  CHECK_FALSE(Checker::needed_for({}));

  CheckedConvergence unchecked({Check::out_of_bounds}, 32, nullptr);
  CHECK(unchecked.get() == nullptr);
  const Convergence given{.rule = Rule::core};
  CheckedConvergence as_given({}, 32, &given);
  CHECK(as_given.get() == &given);
  CheckedConvergence checked({Check::data_race}, 32, &given);
  REQUIRE(checked.get() != nullptr);
  CHECK(checked.get()->rule == Rule::core);
  CHECK(checked.get()->observers.size() == 1);
}
