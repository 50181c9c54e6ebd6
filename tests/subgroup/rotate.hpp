#pragma once

#include <lockstep/subgroup/rotate.hpp>

#include "support/built_in.hpp"

/// \file
/// The calls that tests/subgroup/rotate.cpp checks.

namespace lockstep::test {

template <class Shape>
struct RotateCalls {
  using T = typename Shape::value_type;

  static void check() {
    static constexpr Move<T> calls[] = {
        move<Shape>(
            "subgroupRotate", source::rotate,
            [](const auto& in, const auto& v) {
              return subgroupRotate(in.active, v, in.uniform, in.size);
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupRotate(in.active, v, in.uniform, in.size);
            }),
        move<Shape>(
            "subgroupRotate", source::rotate_number,
            [](const auto& in, const auto& v) {
              return subgroupRotate(in.active, v, in.numbers(), in.size);
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupRotate(in.active, v, in.numbers(), in.size);
            }),
        move<Shape>(
            "subgroupClusteredRotate", source::clustered_rotate,
            [](const auto& in, const auto& v) {
              return subgroupClusteredRotate(in.active, v, in.uniform, in.cluster);
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupClusteredRotate(in.active, v, in.uniform, in.cluster,
                                                        in.size);
            }),
        move<Shape>(
            "subgroupClusteredRotate", source::clustered_rotate_number,
            [](const auto& in, const auto& v) {
              return subgroupClusteredRotate(in.active, v, in.numbers(), in.cluster);
            },
            [](const auto& in, const auto& v) {
              return undefined::subgroupClusteredRotate(in.active, v, in.numbers(), in.cluster,
                                                        in.size);
            }),
    };
    test::check<T>(calls);
  }
};

}  // namespace lockstep::test
