#pragma once

#include <lockstep/subgroup/arithmetic.hpp>

#include "support/built_in.hpp"

/// \file
/// The calls that tests/subgroup/arithmetic*.cpp check.

namespace lockstep::test {

template <class Shape>
struct ArithmeticCalls {
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
              "subgroupAdd", Op::add, Form::reduce,
              [](const auto& in, const auto& v) { return subgroupAdd(in.active, v); }),
          combination<Shape>(
              "subgroupMul", Op::mul, Form::reduce,
              [](const auto& in, const auto& v) { return subgroupMul(in.active, v); }),
          combination<Shape>(
              "subgroupMin", Op::min, Form::reduce,
              [](const auto& in, const auto& v) { return subgroupMin(in.active, v); },
              [](const auto& in, const auto& v) { return undefined::subgroupMin(in.active, v); }),
          combination<Shape>(
              "subgroupMax", Op::max, Form::reduce,
              [](const auto& in, const auto& v) { return subgroupMax(in.active, v); },
              [](const auto& in, const auto& v) { return undefined::subgroupMax(in.active, v); }),
          combination<Shape>(
              "subgroupInclusiveAdd", Op::add, Form::inclusive,
              [](const auto& in, const auto& v) { return subgroupInclusiveAdd(in.active, v); }),
          combination<Shape>(
              "subgroupInclusiveMul", Op::mul, Form::inclusive,
              [](const auto& in, const auto& v) { return subgroupInclusiveMul(in.active, v); }),
          combination<Shape>(
              "subgroupInclusiveMin", Op::min, Form::inclusive,
              [](const auto& in, const auto& v) { return subgroupInclusiveMin(in.active, v); },
              [](const auto& in, const auto& v) {
                return undefined::subgroupInclusiveMin(in.active, v);
              }),
          combination<Shape>(
              "subgroupInclusiveMax", Op::max, Form::inclusive,
              [](const auto& in, const auto& v) { return subgroupInclusiveMax(in.active, v); },
              [](const auto& in, const auto& v) {
                return undefined::subgroupInclusiveMax(in.active, v);
              }),
          combination<Shape>(
              "subgroupExclusiveAdd", Op::add, Form::exclusive,
              [](const auto& in, const auto& v) { return subgroupExclusiveAdd(in.active, v); }),
          combination<Shape>(
              "subgroupExclusiveMul", Op::mul, Form::exclusive,
              [](const auto& in, const auto& v) { return subgroupExclusiveMul(in.active, v); }),
          combination<Shape>(
              "subgroupExclusiveMin", Op::min, Form::exclusive,
              [](const auto& in, const auto& v) { return subgroupExclusiveMin(in.active, v); },
              [](const auto& in, const auto& v) {
                return undefined::subgroupExclusiveMin(in.active, v);
              }),
          combination<Shape>(
              "subgroupExclusiveMax", Op::max, Form::exclusive,
              [](const auto& in, const auto& v) { return subgroupExclusiveMax(in.active, v); },
              [](const auto& in, const auto& v) {
                return undefined::subgroupExclusiveMax(in.active, v);
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
              "subgroupAnd", Op::bit_and, Form::reduce,
              [](const auto& in, const auto& v) { return subgroupAnd(in.active, v); }),
          combination<Shape>(
              "subgroupOr", Op::bit_or, Form::reduce,
              [](const auto& in, const auto& v) { return subgroupOr(in.active, v); }),
          combination<Shape>(
              "subgroupXor", Op::bit_xor, Form::reduce,
              [](const auto& in, const auto& v) { return subgroupXor(in.active, v); }),
          combination<Shape>(
              "subgroupInclusiveAnd", Op::bit_and, Form::inclusive,
              [](const auto& in, const auto& v) { return subgroupInclusiveAnd(in.active, v); }),
          combination<Shape>(
              "subgroupInclusiveOr", Op::bit_or, Form::inclusive,
              [](const auto& in, const auto& v) { return subgroupInclusiveOr(in.active, v); }),
          combination<Shape>(
              "subgroupInclusiveXor", Op::bit_xor, Form::inclusive,
              [](const auto& in, const auto& v) { return subgroupInclusiveXor(in.active, v); }),
          combination<Shape>(
              "subgroupExclusiveAnd", Op::bit_and, Form::exclusive,
              [](const auto& in, const auto& v) { return subgroupExclusiveAnd(in.active, v); }),
          combination<Shape>(
              "subgroupExclusiveOr", Op::bit_or, Form::exclusive,
              [](const auto& in, const auto& v) { return subgroupExclusiveOr(in.active, v); }),
          combination<Shape>(
              "subgroupExclusiveXor", Op::bit_xor, Form::exclusive,
              [](const auto& in, const auto& v) { return subgroupExclusiveXor(in.active, v); }),
      };
      return calls;
    }
  }
};

}  // namespace lockstep::test
