#pragma once

#include <optional>
#include <ostream>
#include <string_view>

#if defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED) || \
    defined(CATCH_AMALGAMATED_HPP_INCLUDED)
// All of Catch2 is there, maybe a copy in the user's project.
#elif __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <catch2/interfaces/catch_interfaces_capture.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <lockstep/testing/detail/catch_macro.hpp>
#include <lockstep/testing/findings.hpp>
#include <lockstep/testing/for_each_choice.hpp>
#include <lockstep/testing/for_each_size.hpp>
#include <lockstep/testing/independent.hpp>
#include <lockstep/testing/matchers.hpp>
#include <lockstep/testing/print.hpp>

/// \file
/// Lockstep in tests with Catch2, 2.13 and 3.
///
/// `CHECK(lanes == expected)` compares all lanes, also with a number for all of them, and a failure names the
/// first lanes that differ. `!=` and `<` do not compile: lanes can differ in some places only. CHECK_THAT takes
/// the matchers of testing/matchers.hpp and testing/findings.hpp, messages print values of lanes, and for_each_size notices failed
/// assertions.

namespace lockstep::inline LOCKSTEP_ABI::catch2 {

/// lanes == expected, as the text of their comparison.
class LanesEqual final : public Catch::ITransientExpression {
 public:
  explicit LanesEqual(const Comparison& comparison)
      : ITransientExpression(true, static_cast<bool>(comparison)), comparison_(comparison) {}

  void streamReconstructedExpression(std::ostream& to) const override { to << comparison_; }

 private:
  Comparison comparison_;
};

/// The left side of a CHECK that starts with lanes.
template <class V>
class LanesExpression {
 public:
  explicit LanesExpression(const V& lanes) : lanes_(lanes) {}

  template <class E>
  requires(ComparedByLane<V, E> || UniformForLanes<E, V>) LanesEqual operator==(
      const E& expected) const {
    return LanesEqual(compare(lanes_, expected));
  }

 private:
  const V& lanes_;
};

/// Prints where the test runs with each failed assertion of for_each_size and for_each_choice.
class RunMessage final : public TestWatch {
 public:
  void start(std::string_view where) override {
    // Catch2 only remembers whether the last assertion passed: before the first of this run, one did.
    Catch::getResultCapture().assertionPassed();
    message_.emplace(Catch::MessageBuilder("INFO", CATCH_INTERNAL_LINEINFO, Catch::ResultWas::Info)
                     << where);
  }
  bool failed() override { return !Catch::getResultCapture().lastAssertionPassed(); }
  void stop() noexcept override { message_.reset(); }

 private:
  std::optional<Catch::ScopedMessage> message_;
};

inline const bool watches_tests = [] {
  static RunMessage message;
  watch_tests(message);
  return true;
}();

}  // namespace lockstep::inline LOCKSTEP_ABI::catch2

namespace Catch {

template <lockstep::InLanes V>
class ExprLhs<const V&> : public lockstep::catch2::LanesExpression<V> {
 public:
  using lockstep::catch2::LanesExpression<V>::LanesExpression;
};
/// Catch2 3 keeps variables that are not const as they are.
template <lockstep::InLanes V>
requires(!std::is_const_v<V>) class ExprLhs<V&> : public lockstep::catch2::LanesExpression<V> {
 public:
  using lockstep::catch2::LanesExpression<V>::LanesExpression;
};

}  // namespace Catch
