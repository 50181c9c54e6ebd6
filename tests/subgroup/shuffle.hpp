#pragma once

#include <lockstep/subgroup/shuffle.hpp>

#include "support/built_in.hpp"

/// \file
/// The calls that tests/subgroup/shuffle.cpp checks.

namespace lockstep::test {

template <class Shape>
struct ShuffleCalls {
  using T = typename Shape::value_type;

  static void check() {
    static constexpr Move<T> calls[] = {
        {built_in<Shape>(
             "subgroupShuffle",
             [](const auto& in, const auto& v) {
               return subgroupShuffle(in.active, v, in.numbers());
             },
             [](const auto& in, const auto& v) {
               return undefined::subgroupShuffle(in.active, v, in.numbers(), in.size);
             }),
         source::shuffle},
        {built_in<Shape>(
             "subgroupShuffleXor",
             [](const auto& in, const auto& v) {
               return subgroupShuffleXor(in.active, v, in.numbers());
             },
             [](const auto& in, const auto& v) {
               return undefined::subgroupShuffleXor(in.active, v, in.numbers(), in.size);
             }),
         source::shuffle_xor},
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
