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
          {built_in<Shape>("subgroupAdd",
                           [](const auto& in, const auto& v) { return subgroupAdd(in.active, v); }),
           Op::add, Form::reduce},
          {built_in<Shape>("subgroupMul",
                           [](const auto& in, const auto& v) { return subgroupMul(in.active, v); }),
           Op::mul, Form::reduce},
          {built_in<Shape>(
               "subgroupMin",
               [](const auto& in, const auto& v) { return subgroupMin(in.active, v); },
               [](const auto& in, const auto& v) { return undefined::subgroupMin(in.active, v); }),
           Op::min, Form::reduce},
          {built_in<Shape>(
               "subgroupMax",
               [](const auto& in, const auto& v) { return subgroupMax(in.active, v); },
               [](const auto& in, const auto& v) { return undefined::subgroupMax(in.active, v); }),
           Op::max, Form::reduce},
          {built_in<Shape>(
               "subgroupInclusiveAdd",
               [](const auto& in, const auto& v) { return subgroupInclusiveAdd(in.active, v); }),
           Op::add, Form::inclusive},
          {built_in<Shape>(
               "subgroupInclusiveMul",
               [](const auto& in, const auto& v) { return subgroupInclusiveMul(in.active, v); }),
           Op::mul, Form::inclusive},
          {built_in<Shape>(
               "subgroupInclusiveMin",
               [](const auto& in, const auto& v) { return subgroupInclusiveMin(in.active, v); },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupInclusiveMin(in.active, v);
               }),
           Op::min, Form::inclusive},
          {built_in<Shape>(
               "subgroupInclusiveMax",
               [](const auto& in, const auto& v) { return subgroupInclusiveMax(in.active, v); },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupInclusiveMax(in.active, v);
               }),
           Op::max, Form::inclusive},
          {built_in<Shape>(
               "subgroupExclusiveAdd",
               [](const auto& in, const auto& v) { return subgroupExclusiveAdd(in.active, v); }),
           Op::add, Form::exclusive},
          {built_in<Shape>(
               "subgroupExclusiveMul",
               [](const auto& in, const auto& v) { return subgroupExclusiveMul(in.active, v); }),
           Op::mul, Form::exclusive},
          {built_in<Shape>(
               "subgroupExclusiveMin",
               [](const auto& in, const auto& v) { return subgroupExclusiveMin(in.active, v); },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupExclusiveMin(in.active, v);
               }),
           Op::min, Form::exclusive},
          {built_in<Shape>(
               "subgroupExclusiveMax",
               [](const auto& in, const auto& v) { return subgroupExclusiveMax(in.active, v); },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupExclusiveMax(in.active, v);
               }),
           Op::max, Form::exclusive},
      };
      return calls;
    }
  }
  static std::span<const Combination<T>> bits() {
    if constexpr (is_floating<T>) {
      return {};
    } else {
      static constexpr Combination<T> calls[] = {
          {built_in<Shape>("subgroupAnd",
                           [](const auto& in, const auto& v) { return subgroupAnd(in.active, v); }),
           Op::bit_and, Form::reduce},
          {built_in<Shape>("subgroupOr",
                           [](const auto& in, const auto& v) { return subgroupOr(in.active, v); }),
           Op::bit_or, Form::reduce},
          {built_in<Shape>("subgroupXor",
                           [](const auto& in, const auto& v) { return subgroupXor(in.active, v); }),
           Op::bit_xor, Form::reduce},
          {built_in<Shape>(
               "subgroupInclusiveAnd",
               [](const auto& in, const auto& v) { return subgroupInclusiveAnd(in.active, v); }),
           Op::bit_and, Form::inclusive},
          {built_in<Shape>(
               "subgroupInclusiveOr",
               [](const auto& in, const auto& v) { return subgroupInclusiveOr(in.active, v); }),
           Op::bit_or, Form::inclusive},
          {built_in<Shape>(
               "subgroupInclusiveXor",
               [](const auto& in, const auto& v) { return subgroupInclusiveXor(in.active, v); }),
           Op::bit_xor, Form::inclusive},
          {built_in<Shape>(
               "subgroupExclusiveAnd",
               [](const auto& in, const auto& v) { return subgroupExclusiveAnd(in.active, v); }),
           Op::bit_and, Form::exclusive},
          {built_in<Shape>(
               "subgroupExclusiveOr",
               [](const auto& in, const auto& v) { return subgroupExclusiveOr(in.active, v); }),
           Op::bit_or, Form::exclusive},
          {built_in<Shape>(
               "subgroupExclusiveXor",
               [](const auto& in, const auto& v) { return subgroupExclusiveXor(in.active, v); }),
           Op::bit_xor, Form::exclusive},
      };
      return calls;
    }
  }
};

}  // namespace lockstep::test
