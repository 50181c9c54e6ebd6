// Catch2 has macros of these names, too.
#define GTEST_DONT_DEFINE_FAIL 1
#define GTEST_DONT_DEFINE_SUCCEED 1
#include <lockstep/testing/gtest.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <catch2/catch.hpp>

#include <lockstep/glsl/vec.hpp>

namespace {

using namespace lockstep;

std::vector<int> sizes_seen;

// Run by the test case below.
TEST(Values, AreEqual) {
  const auto lanes = Lanes<std::uint32_t, 4>::iota();
  EXPECT_EQ(lanes, lanes);
  EXPECT_EQ((lanes < 4u), true);
  EXPECT_EQ((Vec<float, 2, 4>(1.0f)), (Vec<float, 2, 4>(1.0f)));
  EXPECT_EQ(1, 1);
  EXPECT_THAT(lanes, EqualTo(lanes));
  EXPECT_THAT(lanes, ::testing::Not(EqualTo(Lanes<std::uint32_t, 4>(1u))));
  EXPECT_TRUE(result_of(compare(std::vector<int>{1}, std::vector<int>{1})));
  for_each_size([](int size) { EXPECT_LE(size, 128); });
  const auto same = [](int, const Convergence&) { return std::vector<int>{1}; };
  EXPECT_THAT(same, IsIndependent());
}
TEST(Values, Differ) {
  const auto lanes = Lanes<std::uint32_t, 4>::iota();
  EXPECT_EQ(lanes, 1u);
}
TEST(Values, DoNotMatch) {
  const auto lanes = Lanes<std::uint32_t, 4>::iota();
  EXPECT_THAT(lanes, EqualInActive(Mask<4>::first_n(2), (Lanes<std::uint32_t, 4>(1u))));
}
TEST(Values, HaveFindings) {
  FaultLog findings;
  EXPECT_THAT(findings, HasNoFindings());
  Finding finding = finding_of(Check::data_race);
  finding.message = "a race";
  findings.record(finding);
  EXPECT_THAT(findings, HasFinding(Check::data_race));
  EXPECT_THAT(findings, HasNoFindings());
}
TEST(Values, OfArraysDiffer) {
  EXPECT_TRUE(result_of(compare(std::vector<int>{1, 2}, std::vector<int>{1, 3})));
}
TEST(Values, FailFromSize5) {
  for_each_size([](int size) {
    sizes_seen.push_back(size);
    EXPECT_LT(size, 5);
    EXPECT_GT(size, 0);
  });
}

/// Collects what fails instead of printing it.
class Failures : public ::testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed()) messages_.push_back(result.message());
  }
  std::vector<std::string> take() { return std::exchange(messages_, {}); }

 private:
  std::vector<std::string> messages_;
};

std::vector<std::string> failures_of(const std::string& test) {
  static Failures& failures = [&]() -> Failures& {
    int count = 1;
    char name[] = "test_testing";
    char* arguments[] = {name, nullptr};
    ::testing::InitGoogleTest(&count, arguments);
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    auto* collector = new Failures();
    listeners.Append(collector);
    return *collector;
  }();
  ::testing::GTEST_FLAG(filter) = test;
  const bool passed = RUN_ALL_TESTS() == 0;
  REQUIRE(::testing::UnitTest::GetInstance()->test_to_run_count() == 1);
  std::vector<std::string> messages = failures.take();
  CHECK(passed == messages.empty());
  return messages;
}

TEST_CASE("EXPECT_EQ, EXPECT_THAT and for_each_size pass where values are equal") {
  CHECK(failures_of("Values.AreEqual").empty());
}

TEST_CASE("EXPECT_EQ and EXPECT_THAT name the lanes that differ") {
  const auto differ = failures_of("Values.Differ");
  REQUIRE(differ.size() == 1);
  CHECK(differ[0] ==
        "lanes and 1u: 3 of 4 lanes differ:\n  lane 0: got 0, expected 1\n"
        "  lane 2: got 2, expected 1\n  lane 3: got 3, expected 1");
  const auto match = failures_of("Values.DoNotMatch");
  REQUIRE(match.size() == 1);
  CHECK_THAT(match[0], Catch::Contains("Expected: must equal {1, 1, ., .}"));
  CHECK_THAT(match[0], Catch::Contains("{0, 1, 2, 3}"));
  CHECK_THAT(match[0], Catch::Contains("where 1 of 2 active lanes differ:\n  lane 0: got 0, "));
  const auto arrays = failures_of("Values.OfArraysDiffer");
  REQUIRE(arrays.size() == 1);
  CHECK_THAT(arrays[0], Catch::Contains("1 of 2 elements differ:\n  element 1: got 2, expected 3"));
}

TEST_CASE("EXPECT_THAT prints findings") {
  const auto failures = failures_of("Values.HaveFindings");
  REQUIRE(failures.size() == 1);
  CHECK_THAT(failures[0], Catch::Contains("Expected: has no findings"));
  CHECK_THAT(failures[0], Catch::Contains("error: a race [data-race]"));
}

TEST_CASE("for_each_size stops at the first size with a failed EXPECT and names it") {
  const auto failures = failures_of("Values.FailFromSize5");
  CHECK(sizes_seen == std::vector<int>{1, 2, 3, 4, 5});
  REQUIRE(failures.size() == 1);
  CHECK_THAT(failures[0], Catch::Contains("at subgroup size 5"));
}

}  // namespace
