#include <lockstep/testing/matchers.hpp>

#include <sstream>

#include <catch2/catch.hpp>

#include <lockstep/glsl/var.hpp>
#include <lockstep/testing/catch.hpp>

namespace {

using namespace lockstep;

TEST_CASE("matchers compare all lanes, active lanes, bits, or to a few ulp") {
  const auto lanes = Lanes<std::uint32_t, 8>::iota();
  const Lanes<std::uint32_t, 8> ones(1u);
  CHECK(EqualTo(lanes).match(lanes));
  CHECK_FALSE(EqualTo(ones).match(lanes));
  CHECK(EqualInActive(Mask<8>::lane(1), ones).match(lanes));
  CHECK_FALSE(EqualInActive(Mask<8>::first_n(2), ones).match(lanes));

  const Lanes<float, 4> one(1.0f), more(1.0000002f), zero(0.0f);
  CHECK(WithinUlp(2, one).match(more));
  CHECK_FALSE(WithinUlp(1, one).match(more));
  CHECK(WithinUlpInActive(Mask<4>::none(), 0, one).match(more));
  CHECK_FALSE(WithinUlpInActive(Mask<4>::lane(3), 0, one).match(more));
  CHECK(EqualTo(zero).match(-zero));
  CHECK_FALSE(SameBits(zero).match(-zero));

  CHECK(EqualTo(std::vector<int>{1, 2}).match(std::vector<int>{1, 2}));
  CHECK_FALSE(WithinUlp(3, std::vector<float>{1, 2}).match(std::vector<float>{1, 3}));
}

TEST_CASE("matchers take variables") {
  Mask<4> active = Mask<4>::all();
  const Var<std::uint32_t, 4> variable(active, Lanes<std::uint32_t, 4>::iota());
  CHECK(EqualTo(variable).match(Lanes<std::uint32_t, 4>::iota()));
  CHECK(EqualInActive(active, Lanes<std::uint32_t, 4>::iota()).match(variable));
}

TEST_CASE("matchers say how the value differs, for Catch2 and GoogleTest") {
  const auto lanes = Lanes<std::uint32_t, 4>::iota();
  const auto matcher = EqualInActive(Mask<4>::first_n(3), Lanes<std::uint32_t, 4>(1u));
  const std::string text =
      "where 2 of 3 active lanes differ:\n  lane 0: got 0, expected 1\n  lane 2: got 2, expected 1";
  CHECK_FALSE(matcher.match(lanes));
  CHECK(matcher.toString() == text);

  std::ostringstream explanation, description, negation;
  CHECK_FALSE(matcher.MatchAndExplain(lanes, &explanation));
  CHECK_FALSE(matcher.MatchAndExplain(lanes, nullptr));
  CHECK(explanation.str() == text);
  matcher.DescribeTo(&description);
  CHECK(description.str() == "must equal {1, 1, 1, .}");
  WithinUlp(2, Lanes<float, 2>(0.5f)).DescribeNegationTo(&negation);
  CHECK(negation.str() == "must not be within 2 ulp of {0.5, 0.5}");
}

}  // namespace
