#include <lockstep/testing/catch.hpp>

#include <sstream>
#include <vector>

#include <lockstep/glsl/mat.hpp>

namespace {

using namespace lockstep;

/// What Catch2 does with `left == right` in a CHECK: its result and text.
#define OUTCOME_OF(left, right) outcome_of((Catch::Decomposer() <= left) == right)
struct CheckOutcome {
  bool passed;
  std::string text;
};
CheckOutcome outcome_of(const Catch::ITransientExpression& expression) {
  std::ostringstream text;
  expression.streamReconstructedExpression(text);
  return {expression.getResult(), text.str()};
}

TEST_CASE("CHECK(lanes == expected) names the lanes that differ") {
  auto lanes = Lanes<std::uint32_t, 4>::iota();
  const auto expected = Lanes<std::uint32_t, 4>::generate([](int i) { return i == 2 ? 9 : i; });
  CHECK(lanes == lanes);
  CHECK(OUTCOME_OF(lanes, lanes).passed);
  const CheckOutcome outcome = OUTCOME_OF(lanes, expected);
  CHECK_FALSE(outcome.passed);
  CHECK(outcome.text == "1 of 4 lanes differ:\n  lane 2: got 2, expected 9");

  CHECK((Lanes<float, 4>(0.5f)) == 0.5f);
  CHECK_FALSE(OUTCOME_OF(lanes, 1u).passed);
  CHECK((lanes < 4u) == true);
  CHECK(OUTCOME_OF((lanes < 3u), true).text ==
        "1 of 4 lanes differ:\n  lane 3: got false, expected true");
}

TEST_CASE("CHECK compares vectors, matrices and ballots") {
  const auto lanes = Lanes<float, 2>::iota();
  const Vec<float, 2, 2> vector(lanes, 1.0f), zero(0.0f);
  CHECK(vector == vector);
  CHECK(OUTCOME_OF(vector, zero).text ==
        "2 of 2 lanes differ:\n  lane 0: got (0, 1), expected (0, 0)\n"
        "  lane 1: got (1, 1), expected (0, 0)");
  const Mat<float, 2, 2, 2> identity(1.0f), other(vector, zero);
  CHECK(identity == identity);
  CHECK_THAT(OUTCOME_OF(identity, other).text,
             Catch::Contains("lane 0: got ((1, 0), (0, 1)), expected ((0, 1), (0, 0))"));
  const BallotLanes<2> ballots(Ballot(5, 0, 0, 0));
  const BallotLanes<2> others(Ballot(7, 0, 0, 0));
  CHECK_THAT(ballots, EqualTo(ballots));
  CHECK_FALSE(compare(ballots, others));
  CHECK(Catch::Detail::stringify(Mask<8>::first_n(3)) == "{0-2} of 8");
  CHECK(Catch::Detail::stringify(Ballot(5, 0, 0, 0)) == "0x5 {0,2}");
}

TEST_CASE("CHECK takes other expressions as before") {
  CHECK(1 + 1 == 2);
  CHECK_FALSE(OUTCOME_OF(1, 2).passed);
  CHECK(OUTCOME_OF(1, 2).text == "1 == 2");
  REQUIRE_FALSE(Mask<4>::none().any_lane());
}

TEST_CASE("CHECK_THAT takes matchers") {
  const auto lanes = Lanes<std::uint32_t, 4>::iota();
  CHECK_THAT(lanes, EqualTo(lanes));
  const auto ones = Lanes<std::uint32_t, 4>(1u);
  CHECK_THAT(lanes, EqualInActive(Mask<4>::lane(1), ones));
  std::ostringstream text;
  Catch::makeMatchExpr(lanes, EqualTo(ones), "").streamReconstructedExpression(text);
  CHECK_THAT(text.str(), Catch::StartsWith("{0, 1, 2, 3} where 3 of 4 lanes differ:\n  lane 0: "));
}

std::vector<int> sizes_seen;

TEST_CASE("for_each_size stops at the first size with a failed assertion", "[!shouldfail]") {
  for_each_size([](int size) {
    sizes_seen.push_back(size);
    CHECK(size > 0);
    CHECK(size < 5);
  });
}
TEST_CASE("for_each_size has stopped there, and runs all sizes after a failure elsewhere") {
  CHECK(sizes_seen == std::vector<int>{1, 2, 3, 4, 5});
  int runs = 0;
  for_each_size([&](int) { ++runs; });
  CHECK(runs == 128);
}

}  // namespace
