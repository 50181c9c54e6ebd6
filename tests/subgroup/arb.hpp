#pragma once

#include <lockstep/subgroup/arb.hpp>

#include "support/built_in.hpp"

/// \file
/// The calls that tests/subgroup/arb.cpp checks and that take values.

namespace lockstep::test {

template <class Shape>
struct ArbCalls {
  using T = typename Shape::value_type;

  static void check() {
    static constexpr Move<T> calls[] = {
        move<Shape>(
            "readInvocationARB", source::broadcast,
            [](const auto& in, const auto& v) {
              return readInvocationARB(in.active, v, in.uniform);
            },
            [](const auto& in, const auto& v) {
              return undefined::readInvocationARB(in.active, v, in.uniform, in.size);
            }),
        move<Shape>(
            "readInvocationARB", source::broadcast_number,
            [](const auto& in, const auto& v) {
              return readInvocationARB(in.active, v, in.numbers());
            },
            [](const auto& in, const auto& v) {
              return undefined::readInvocationARB(in.active, v, in.numbers(), in.size);
            }),
        move<Shape>(
            "readFirstInvocationARB", source::broadcast_first,
            [](const auto& in, const auto& v) { return readFirstInvocationARB(in.active, v); }),
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
