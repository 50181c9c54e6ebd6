#pragma once

#include <lockstep/subgroup/clustered.hpp>

#include "support/built_in.hpp"

/// \file
/// The calls that tests/subgroup/clustered*.cpp check.

namespace lockstep::test {

template <class Shape>
struct ClusteredCalls {
  using T = typename Shape::value_type;

  static void check() {
    test::check<T>(numbers());
    test::check<T>(bits());
  }

 private:
  static std::span<const Combination<T>> numbers() {
    if constexpr (std::is_same_v<T, bool>) {
      return {};
    } else {
      static constexpr Combination<T> calls[] = {
          combination<Shape>(
              "subgroupClusteredAdd", Op::add, Form::clustered,
              [](const auto& in, const auto& v) {
                return subgroupClusteredAdd(in.active, v, in.cluster);
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupClusteredAdd(in.active, v, in.cluster, in.size);
              }),
          combination<Shape>(
              "subgroupClusteredMul", Op::mul, Form::clustered,
              [](const auto& in, const auto& v) {
                return subgroupClusteredMul(in.active, v, in.cluster);
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupClusteredMul(in.active, v, in.cluster, in.size);
              }),
          combination<Shape>(
              "subgroupClusteredMin", Op::min, Form::clustered,
              [](const auto& in, const auto& v) {
                return subgroupClusteredMin(in.active, v, in.cluster);
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupClusteredMin(in.active, v, in.cluster, in.size);
              }),
          combination<Shape>(
              "subgroupClusteredMax", Op::max, Form::clustered,
              [](const auto& in, const auto& v) {
                return subgroupClusteredMax(in.active, v, in.cluster);
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupClusteredMax(in.active, v, in.cluster, in.size);
              }),
      };
      return calls;
    }
  }
  static std::span<const Combination<T>> bits() {
    if constexpr (is_floating<T>) {
      return {};
    } else {
      static constexpr Combination<T> calls[] = {
          combination<Shape>(
              "subgroupClusteredAnd", Op::bit_and, Form::clustered,
              [](const auto& in, const auto& v) {
                return subgroupClusteredAnd(in.active, v, in.cluster);
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupClusteredAnd(in.active, v, in.cluster, in.size);
              }),
          combination<Shape>(
              "subgroupClusteredOr", Op::bit_or, Form::clustered,
              [](const auto& in, const auto& v) {
                return subgroupClusteredOr(in.active, v, in.cluster);
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupClusteredOr(in.active, v, in.cluster, in.size);
              }),
          combination<Shape>(
              "subgroupClusteredXor", Op::bit_xor, Form::clustered,
              [](const auto& in, const auto& v) {
                return subgroupClusteredXor(in.active, v, in.cluster);
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupClusteredXor(in.active, v, in.cluster, in.size);
              }),
      };
      return calls;
    }
  }
};

}  // namespace lockstep::test
