#pragma once

#include <lockstep/subgroup/shuffle_relative.hpp>

#include "support/built_in.hpp"

/// \file
/// The calls that tests/subgroup/shuffle_relative.cpp checks.

namespace lockstep::test {

template <class Shape>
struct ShuffleRelativeCalls {
  using T = typename Shape::value_type;

  static void check() {
    static constexpr Move<T> calls[] = {
        {built_in<Shape>(
             "subgroupShuffleUp",
             [](const auto& in, const auto& v) {
               return subgroupShuffleUp(in.active, v, in.numbers());
             },
             [](const auto& in, const auto& v) {
               return undefined::subgroupShuffleUp(in.active, v, in.numbers(), in.size);
             }),
         source::shuffle_up},
        {built_in<Shape>(
             "subgroupShuffleDown",
             [](const auto& in, const auto& v) {
               return subgroupShuffleDown(in.active, v, in.numbers());
             },
             [](const auto& in, const auto& v) {
               return undefined::subgroupShuffleDown(in.active, v, in.numbers(), in.size);
             }),
         source::shuffle_down},
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
