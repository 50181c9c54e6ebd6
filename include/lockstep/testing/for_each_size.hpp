#pragma once

#include <concepts>
#include <type_traits>

#include <lockstep/lanes/mask.hpp>
#include <lockstep/testing/test_watch.hpp>

/// \file
/// One test at every subgroup size.

namespace lockstep {

/// Runs test(context, size) for each size until one fails.
void run_sizes(int first, int last, bool (*test)(void* context, int size), void* context);

inline namespace LOCKSTEP_ABI {

/// Calls test(size) with the subgroup sizes 1 to 128, or `first` to `last`, from the smallest up, and stops at
/// the first that fails: one that throws or returns false. With <lockstep/testing/catch.hpp> or
/// <lockstep/testing/gtest.hpp> also one with a failed assertion, whose message names the size.
///
///     lockstep::for_each_size([](int size) {
///       std::vector<std::uint32_t> out(256);
///       lockstep::Device{.subgroup_size = size}.dispatch<Scan, 128>({4}, out);   // one width for all sizes
///       CHECK(lockstep::compare(out, expected));
///     });
///
/// Requires      1 <= first <= last <= 128. Catch2 tells only whether the last assertion of a size has failed:
///               use REQUIRE where others follow, or the sizes after it run, too.
/// Active lanes  As the test's.
/// Errors        Throws Error, which names the size, if the test throws an exception or returns false; exceptions
///               that do not derive from std::exception, as in frameworks' assertions, are passed on.
/// Cost          The tests' own.
/// Spec          None.
/// Example       tests/testing/for_each_size.cpp
template <std::invocable<int> F>
void for_each_size(F&& test, int first = 1, int last = max_subgroup_size) {
  using Plain = std::remove_reference_t<F>;
  run_sizes(
      first, last,
      [](void* context, int size) {
        Plain& call = *static_cast<Plain*>(context);
        if constexpr (std::is_void_v<decltype(call(size))>) {
          call(size);
          return true;
        } else {
          static_assert(std::same_as<decltype(call(size)), bool>,
                        "a test at a size returns nothing, or a bool: whether it passed");
          return call(size);
        }
      },
      const_cast<void*>(static_cast<const void*>(&test)));
}

}  // namespace LOCKSTEP_ABI
}  // namespace lockstep
