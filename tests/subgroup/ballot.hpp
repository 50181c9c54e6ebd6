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
        {built_in<Shape>(
             "subgroupBroadcast",
             [](const auto& in, const auto& v) {
               return subgroupBroadcast(in.active, v, in.uniform);
             },
             [](const auto& in, const auto& v) {
               return undefined::subgroupBroadcast(in.active, v, in.uniform, in.size);
             }),
         source::broadcast},
        {built_in<Shape>(
             "subgroupBroadcast",
             [](const auto& in, const auto& v) {
               return subgroupBroadcast(in.active, v, in.numbers());
             },
             [](const auto& in, const auto& v) {
               return undefined::subgroupBroadcast(in.active, v, in.numbers(), in.size);
             }),
         source::broadcast_number},
        {built_in<Shape>(
             "subgroupBroadcastFirst",
             [](const auto& in, const auto& v) { return subgroupBroadcastFirst(in.active, v); }),
         source::broadcast_first},
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
