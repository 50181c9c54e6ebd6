#pragma once

#include <optional>
#include <ostream>
#include <string_view>

#include <gtest/gtest.h>

#include <lockstep/testing/findings.hpp>
#include <lockstep/testing/for_each_choice.hpp>
#include <lockstep/testing/for_each_size.hpp>
#include <lockstep/testing/independent.hpp>
#include <lockstep/testing/matchers.hpp>
#include <lockstep/testing/print.hpp>

/// \file
/// Lockstep in tests with GoogleTest.
///
/// `EXPECT_EQ(lanes, expected)` compares all lanes, also with a number for all of them, and a failure names the
/// first lanes that differ; so does `EXPECT_TRUE(result_of(compare(out, expected)))` for arrays. EXPECT_THAT of
/// GoogleMock takes the matchers of testing/matchers.hpp and testing/findings.hpp, messages print values of lanes, and for_each_size
/// notices failed assertions.

namespace lockstep {

/// A comparison with its text as GoogleTest's result.
inline ::testing::AssertionResult result_of(const Comparison& comparison) {
  return (comparison ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << comparison;
}

inline namespace LOCKSTEP_ABI {

/// What EXPECT_EQ and ASSERT_EQ call for values of lanes.
template <InLanes V, class E>
requires(ComparedByLane<V, E> || UniformForLanes<E, V>)::testing::AssertionResult
    CmpHelperEQ(const char* lanes_text, const char* expected_text, const V& lanes,
                const E& expected) {
  const Comparison comparison = compare(lanes, expected);
  if (comparison) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << lanes_text << " and " << expected_text << ": " << comparison;
}

}  // namespace LOCKSTEP_ABI

namespace googletest {

/// Prints where the test runs with each failed assertion of for_each_size and for_each_choice.
class RunTrace final : public TestWatch {
 public:
  void start(std::string_view where) override {
    failures_before_ = failures();
    trace_.emplace(__FILE__, __LINE__, ::testing::Message() << where);
  }
  bool failed() override { return failures() != failures_before_; }
  void stop() noexcept override { trace_.reset(); }

 private:
  /// Of the test that runs.
  static int failures() {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    if (test == nullptr) return 0;
    int count = 0;
    for (int k = 0; k < test->result()->total_part_count(); ++k)
      count += test->result()->GetTestPartResult(k).failed() ? 1 : 0;
    return count;
  }

  int failures_before_ = 0;
  std::optional<::testing::ScopedTrace> trace_;
};

inline const bool watches_tests = [] {
  static RunTrace trace;
  watch_tests(trace);
  return true;
}();

}  // namespace googletest
}  // namespace lockstep
