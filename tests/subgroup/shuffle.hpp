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
        move<Shape>(
            "subgroupShuffle", source::shuffle,
            [](const auto& in, const auto& v) {
              return subgroupShuffle(in.active, v, in.numbers());
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupShuffle(in.active, v, in.numbers(), in.size);
            }),
        move<Shape>(
            "subgroupShuffleXor", source::shuffle_xor,
            [](const auto& in, const auto& v) {
              return subgroupShuffleXor(in.active, v, in.numbers());
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupShuffleXor(in.active, v, in.numbers(), in.size);
            }),
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
