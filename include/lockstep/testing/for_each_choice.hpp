#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/testing/test_watch.hpp>

/// \file
/// One test under every choice that a rule of convergence leaves open.

namespace lockstep {

/// Runs test(context, convergence) for each sequence of choices until one fails, or `most` have run. Returns whether
/// all have.
bool run_choices(Rule rule, std::uint64_t most,
                 bool (*test)(void* context, const Convergence& convergence), void* context);

inline namespace LOCKSTEP_ABI {

/// Calls test(convergence) with every sequence of answers to what the rule leaves open, those with the fewest choices
/// first, and stops at the first that fails: one that throws or returns false. With <lockstep/testing/catch.hpp> or
/// <lockstep/testing/gtest.hpp> also one with a failed assertion, whose message names the choices. Returns whether all
/// sequences have run: there may be more than `most`.
///
///     lockstep::for_each_choice([](const lockstep::Convergence& convergence) {
///       std::vector<std::uint32_t> out(256);
///       lockstep::Device{.subgroup_size = 8}.dispatch<Compact>(convergence, {4}, out);
///       CHECK(lockstep::compare(out, expected));
///     });
///
/// Requires      The test's dispatches use the convergence, and do the same for the same answers.
/// Active lanes  As the test's.
/// Errors        Throws Error, which names the choices, if the test throws an exception or returns false; exceptions
///               that do not derive from std::exception, as in frameworks' assertions, are passed on.
/// Cost          The tests' own: the number of sequences grows with each place at which lanes may stay apart.
/// Spec          SPIR-V 2.2.5: which invocations share a dynamic instance
/// Example       tests/testing/for_each_choice.cpp
template <std::invocable<const Convergence&> F>
bool for_each_choice(F&& test, Rule rule = Rule::core, std::uint64_t most = 10000) {
  using Plain = std::remove_reference_t<F>;
  return run_choices(
      rule, most,
      [](void* context, const Convergence& convergence) {
        Plain& call = *static_cast<Plain*>(context);
        if constexpr (std::is_void_v<decltype(call(convergence))>) {
          call(convergence);
          return true;
        } else {
          static_assert(std::same_as<decltype(call(convergence)), bool>,
                        "a test under choices returns nothing, or a bool: whether it passed");
          return call(convergence);
        }
      },
      const_cast<void*>(static_cast<const void*>(&test)));
}

}  // namespace LOCKSTEP_ABI
}  // namespace lockstep
