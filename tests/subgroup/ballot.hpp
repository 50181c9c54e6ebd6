#pragma once

#include <lockstep/subgroup/ballot.hpp>

#include "support/built_in.hpp"

/// \file
/// The broadcasts, which tests/subgroup/ballot.cpp checks.

namespace lockstep::test {

template <class Shape>
struct BroadcastCalls {
  using T = typename Shape::value_type;

  static void check() {
    static constexpr Move<T> calls[] = {
        move<Shape>(
            "subgroupBroadcast", source::broadcast,
            [](const auto& in, const auto& v) {
              return subgroupBroadcast(in.active, v, in.uniform);
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupBroadcast(in.active, v, in.uniform, in.size);
            }),
        move<Shape>(
            "subgroupBroadcast", source::broadcast_number,
            [](const auto& in, const auto& v) {
              return subgroupBroadcast(in.active, v, in.numbers());
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupBroadcast(in.active, v, in.numbers(), in.size);
            }),
        move<Shape>(
            "subgroupBroadcastFirst", source::broadcast_first,
            [](const auto& in, const auto& v) { return subgroupBroadcastFirst(in.active, v); }),
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
