#include <lockstep/testing/findings.hpp>

#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>
#include <lockstep/testing/catch.hpp>

using namespace lockstep;

namespace {

template <class S>
struct Neighbour : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> data;

  void main() {
    const Uint below = subgroupShuffleUp(gl_SubgroupInvocationID, 1u);
    data[gl_SubgroupInvocationID] = below;
  }
  static constexpr int store_line = __LINE__ - 2;
};
constexpr int store_line = Neighbour<FastMachine<8>>::store_line;

const Device device{.subgroup_size = 8, .faults = Faults::counted};

TEST_CASE("findings of a checked run match by rule and line") {
  std::vector<std::uint32_t> data(8);
  const FaultLog log = device.dispatch_checked<Neighbour, 8>(1, data);
  CHECK_THAT(log, HasFinding(Check::shuffle_past_edge));
  CHECK_THAT(log, HasFinding(Check::shuffle_past_edge, store_line));
  CHECK_FALSE(HasFinding(Check::shuffle_past_edge, store_line + 1).match(log));
  CHECK_FALSE(HasFinding(Check::data_race).match(log));
  CHECK_FALSE(HasNoFindings().match(log));
  CHECK_THAT(FaultLog(), HasNoFindings());
  CHECK_FALSE(HasFinding(Check::shuffle_past_edge).match(FaultLog()));
}

TEST_CASE("a failed CHECK_THAT prints the findings") {
  std::vector<std::uint32_t> data(8);
  const FaultLog log = device.dispatch_checked<Neighbour, 8>(1, data);
  std::ostringstream text;
  Catch::makeMatchExpr(log, HasNoFindings(), "").streamReconstructedExpression(text);
  CHECK_THAT(text.str(), Catch::Contains("an undefined value is stored to buffer 0") &&
                             Catch::Contains("[shuffle-past-edge]") &&
                             Catch::EndsWith("should have no findings"));
}

TEST_CASE("matchers of findings say what they want") {
  CHECK(HasNoFindings().toString() == "should have no findings");
  CHECK(HasFinding(Check::data_race, 7).toString() ==
        "should have a finding of the rule data-race in line 7");
  CHECK(HasFinding(Check::data_race).toString() == "should have a finding of the rule data-race");
  std::ostringstream text;
  HasFinding(Check::data_race).DescribeTo(&text);
  text << ", ";
  HasNoFindings().DescribeNegationTo(&text);
  CHECK(text.str() == "has a finding of the rule data-race, not: has no findings");
}

}  // namespace
