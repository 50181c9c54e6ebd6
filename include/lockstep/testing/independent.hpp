#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/testing/comparison.hpp>

/// \file
/// A matcher for runs whose result must not depend on what an implementation may choose.

namespace lockstep {

/// What runs are tried.
struct Behaviours {
  Rule rule = Rule::core;
  std::vector<int> sizes = {4, 8, 16, 32, 64, 128};  ///< of subgroups
  std::uint64_t most = 1000;                         ///< sequences of choices at each size
};

namespace matchers {

/// What the matcher does, without types.
class Independence {
 public:
  explicit Independence(Behaviours behaviours) : behaviours_(std::move(behaviours)) {}

  /// For GoogleTest: what runs should be, and what they should not be.
  void DescribeTo(std::ostream* to) const;
  void DescribeNegationTo(std::ostream* to) const;
  /// For Catch2: what the last run's result depends on, to print after it.
  std::string toString() const;

 protected:
  using Run = LaneTable (*)(const void* context, int subgroup_size, const Convergence& convergence);

  bool matches(Run run, const void* context) const;
  bool matches(Run run, const void* context, std::ostream* explanation) const;

 private:
  Behaviours behaviours_;
  mutable std::string last_;
};

}  // namespace matchers

inline namespace LOCKSTEP_ABI {

/// A function that dispatches at a subgroup size with a convergence and returns an array of numbers.
template <class F>
concept RunOfKernel = requires(const F& run, int size, const Convergence& convergence) {
  { run(size, convergence) } -> NumberArray;
};

/// Made by IsIndependent.
///
/// Requires      One thread at a time uses a matcher: it remembers what it found.
/// Active lanes  As the run's.
/// Errors        None: an exception of the run is its result.
/// Cost          As many runs as Behaviours says.
/// Spec          None.
/// Example       tests/testing/independent.cpp
class IndependenceMatcher : public matchers::Independence {
 public:
  using is_gtest_matcher = void;
  using matchers::Independence::Independence;

  /// For Catch2.
  template <RunOfKernel F>
  bool match(const F& run) const {
    return matches(&table_of<F>, &run);
  }
  /// For GoogleTest.
  template <RunOfKernel F>
  bool MatchAndExplain(const F& run, std::ostream* explanation) const {
    return matches(&table_of<F>, &run, explanation);
  }

 private:
  template <class F>
  static LaneTable table_of(const void* run, int size, const Convergence& convergence) {
    return to_element_table((*static_cast<const F*>(run))(size, convergence));
  }
};

/// The result is the same at every subgroup size, whatever the implementation chooses: which lanes rejoin where the rule
/// promises nothing, how it groups the lanes of a switch, and in which order the subgroups of a workgroup run. A failure
/// names the smallest size and the fewest choices at it that change the result.
///
///     const auto run = [](int subgroup_size, const lockstep::Convergence& convergence) {
///       std::vector<std::uint32_t> out(256);
///       lockstep::Device{.subgroup_size = subgroup_size}.dispatch<Compact, 128>(convergence, {4}, out);
///       return out;
///     };
///     CHECK_THAT(run, lockstep::IsIndependent());
///
/// Requires      The run uses the size and the convergence, and does the same for the same.
/// Active lanes  As the run's.
/// Errors        None: an exception of the run is its result.
/// Cost          As many runs as Behaviours says.
/// Spec          SPIR-V 2.2.5, Vulkan "Compute Shaders": what is implementation-defined
/// Example       tests/testing/independent.cpp
inline IndependenceMatcher IsIndependent(Behaviours behaviours = {}) {
  return IndependenceMatcher(std::move(behaviours));
}

}  // namespace LOCKSTEP_ABI
}  // namespace lockstep
