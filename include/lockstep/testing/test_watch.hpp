#pragma once

#include <string_view>

/// \file
/// How tests that repeat themselves hear of failed assertions.

namespace lockstep {

/// What a test framework adds to for_each_size and for_each_choice: its assertions do not always throw.
class TestWatch {
 public:
  virtual ~TestWatch() = default;
  /// The test starts, "at subgroup size 8".
  virtual void start(std::string_view where) = 0;
  /// Whether an assertion has failed since.
  virtual bool failed() = 0;
  /// It has ended, maybe by an exception.
  virtual void stop() noexcept = 0;
};
/// All repeated tests from now on use it; testing/catch.hpp and testing/gtest.hpp call this.
void watch_tests(TestWatch& watch);

/// The watches while a repeated test runs once.
class WatchedTest {
 public:
  explicit WatchedTest(std::string_view where);
  ~WatchedTest();
  WatchedTest(const WatchedTest&) = delete;
  WatchedTest& operator=(const WatchedTest&) = delete;

  /// Whether an assertion has failed.
  bool failed() const;
};

}  // namespace lockstep
