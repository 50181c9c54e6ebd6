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
        {built_in<Shape>(
             "subgroupQuadBroadcast",
             [](const auto& in, const auto& v) {
               return subgroupQuadBroadcast(in.active, v, in.numbers());
             },
             [](const auto& in, const auto& v) {
               return undefined::subgroupQuadBroadcast(in.active, v, in.numbers(), in.size);
             }),
         source::quad_broadcast},
        {built_in<Shape>(
             "subgroupQuadSwapHorizontal",
             [](const auto& in, const auto& v) { return subgroupQuadSwapHorizontal(in.active, v); },
             [](const auto& in, const auto& v) {
               return undefined::subgroupQuadSwapHorizontal(in.active, v, in.size);
             }),
         source::quad_horizontal},
        {built_in<Shape>(
             "subgroupQuadSwapVertical",
             [](const auto& in, const auto& v) { return subgroupQuadSwapVertical(in.active, v); },
             [](const auto& in, const auto& v) {
               return undefined::subgroupQuadSwapVertical(in.active, v, in.size);
             }),
         source::quad_vertical},
        {built_in<Shape>(
             "subgroupQuadSwapDiagonal",
             [](const auto& in, const auto& v) { return subgroupQuadSwapDiagonal(in.active, v); },
             [](const auto& in, const auto& v) {
               return undefined::subgroupQuadSwapDiagonal(in.active, v, in.size);
             }),
         source::quad_diagonal},
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
