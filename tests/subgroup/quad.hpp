#pragma once

#include <lockstep/subgroup/quad.hpp>

#include "support/built_in.hpp"

/// \file
/// The calls that tests/subgroup/quad.cpp checks and that take values of any type.

namespace lockstep::test {

template <class Shape>
struct QuadCalls {
  using T = typename Shape::value_type;

  static void check() {
    static constexpr Move<T> calls[] = {
        move<Shape>(
            "subgroupQuadBroadcast", source::quad_broadcast,
            [](const auto& in, const auto& v) {
              return subgroupQuadBroadcast(in.active, v, in.numbers());
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupQuadBroadcast(in.active, v, in.numbers(), in.size);
            }),
        move<Shape>(
            "subgroupQuadSwapHorizontal", source::quad_horizontal,
            [](const auto& in, const auto& v) { return subgroupQuadSwapHorizontal(in.active, v); },
            [](const auto& in, const auto& v) {
              return undefined::subgroupQuadSwapHorizontal(in.active, v, in.size);
            }),
        move<Shape>(
            "subgroupQuadSwapVertical", source::quad_vertical,
            [](const auto& in, const auto& v) { return subgroupQuadSwapVertical(in.active, v); },
            [](const auto& in, const auto& v) {
              return undefined::subgroupQuadSwapVertical(in.active, v, in.size);
            }),
        move<Shape>(
            "subgroupQuadSwapDiagonal", source::quad_diagonal,
            [](const auto& in, const auto& v) { return subgroupQuadSwapDiagonal(in.active, v); },
            [](const auto& in, const auto& v) {
              return undefined::subgroupQuadSwapDiagonal(in.active, v, in.size);
            }),
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
