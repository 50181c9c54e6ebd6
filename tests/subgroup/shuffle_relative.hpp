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
        move<Shape>(
            "subgroupShuffleUp", source::shuffle_up,
            [](const auto& in, const auto& v) {
              return subgroupShuffleUp(in.active, v, in.numbers());
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupShuffleUp(in.active, v, in.numbers(), in.size);
            }),
        move<Shape>(
            "subgroupShuffleDown", source::shuffle_down,
            [](const auto& in, const auto& v) {
              return subgroupShuffleDown(in.active, v, in.numbers());
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupShuffleDown(in.active, v, in.numbers(), in.size);
            }),
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
