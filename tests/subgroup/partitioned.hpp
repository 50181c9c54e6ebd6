#pragma once

#include <lockstep/subgroup/partitioned.hpp>

#include "support/built_in.hpp"

/// \file
/// The calls that tests/subgroup/partitioned*.cpp check and that take a partition.

namespace lockstep::test {

template <class Shape>
struct PartitionedCalls {
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
          {built_in<Shape>(
               "subgroupPartitionedAddNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedAddNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedAddNV(in.active, v, in.ballots());
               }),
           Op::add, Form::partitioned},
          {built_in<Shape>(
               "subgroupPartitionedMulNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedMulNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedMulNV(in.active, v, in.ballots());
               }),
           Op::mul, Form::partitioned},
          {built_in<Shape>(
               "subgroupPartitionedMinNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedMinNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedMinNV(in.active, v, in.ballots());
               }),
           Op::min, Form::partitioned},
          {built_in<Shape>(
               "subgroupPartitionedMaxNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedMaxNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedMaxNV(in.active, v, in.ballots());
               }),
           Op::max, Form::partitioned},
          {built_in<Shape>(
               "subgroupPartitionedInclusiveAddNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedInclusiveAddNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedInclusiveAddNV(in.active, v, in.ballots());
               }),
           Op::add, Form::partitioned_inclusive},
          {built_in<Shape>(
               "subgroupPartitionedInclusiveMulNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedInclusiveMulNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedInclusiveMulNV(in.active, v, in.ballots());
               }),
           Op::mul, Form::partitioned_inclusive},
          {built_in<Shape>(
               "subgroupPartitionedInclusiveMinNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedInclusiveMinNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedInclusiveMinNV(in.active, v, in.ballots());
               }),
           Op::min, Form::partitioned_inclusive},
          {built_in<Shape>(
               "subgroupPartitionedInclusiveMaxNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedInclusiveMaxNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedInclusiveMaxNV(in.active, v, in.ballots());
               }),
           Op::max, Form::partitioned_inclusive},
          {built_in<Shape>(
               "subgroupPartitionedExclusiveAddNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedExclusiveAddNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedExclusiveAddNV(in.active, v, in.ballots());
               }),
           Op::add, Form::partitioned_exclusive},
          {built_in<Shape>(
               "subgroupPartitionedExclusiveMulNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedExclusiveMulNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedExclusiveMulNV(in.active, v, in.ballots());
               }),
           Op::mul, Form::partitioned_exclusive},
          {built_in<Shape>(
               "subgroupPartitionedExclusiveMinNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedExclusiveMinNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedExclusiveMinNV(in.active, v, in.ballots());
               }),
           Op::min, Form::partitioned_exclusive},
          {built_in<Shape>(
               "subgroupPartitionedExclusiveMaxNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedExclusiveMaxNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedExclusiveMaxNV(in.active, v, in.ballots());
               }),
           Op::max, Form::partitioned_exclusive},
      };
      return calls;
    }
  }
  static std::span<const Combination<T>> bits() {
    if constexpr (is_floating<T>) {
      return {};
    } else {
      static constexpr Combination<T> calls[] = {
          {built_in<Shape>(
               "subgroupPartitionedAndNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedAndNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedAndNV(in.active, v, in.ballots());
               }),
           Op::bit_and, Form::partitioned},
          {built_in<Shape>(
               "subgroupPartitionedOrNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedOrNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedOrNV(in.active, v, in.ballots());
               }),
           Op::bit_or, Form::partitioned},
          {built_in<Shape>(
               "subgroupPartitionedXorNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedXorNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedXorNV(in.active, v, in.ballots());
               }),
           Op::bit_xor, Form::partitioned},
          {built_in<Shape>(
               "subgroupPartitionedInclusiveAndNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedInclusiveAndNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedInclusiveAndNV(in.active, v, in.ballots());
               }),
           Op::bit_and, Form::partitioned_inclusive},
          {built_in<Shape>(
               "subgroupPartitionedInclusiveOrNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedInclusiveOrNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedInclusiveOrNV(in.active, v, in.ballots());
               }),
           Op::bit_or, Form::partitioned_inclusive},
          {built_in<Shape>(
               "subgroupPartitionedInclusiveXorNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedInclusiveXorNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedInclusiveXorNV(in.active, v, in.ballots());
               }),
           Op::bit_xor, Form::partitioned_inclusive},
          {built_in<Shape>(
               "subgroupPartitionedExclusiveAndNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedExclusiveAndNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedExclusiveAndNV(in.active, v, in.ballots());
               }),
           Op::bit_and, Form::partitioned_exclusive},
          {built_in<Shape>(
               "subgroupPartitionedExclusiveOrNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedExclusiveOrNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedExclusiveOrNV(in.active, v, in.ballots());
               }),
           Op::bit_or, Form::partitioned_exclusive},
          {built_in<Shape>(
               "subgroupPartitionedExclusiveXorNV",
               [](const auto& in, const auto& v) {
                 return subgroupPartitionedExclusiveXorNV(in.active, v, in.ballots());
               },
               [](const auto& in, const auto& v) {
                 return undefined::subgroupPartitionedExclusiveXorNV(in.active, v, in.ballots());
               }),
           Op::bit_xor, Form::partitioned_exclusive},
      };
      return calls;
    }
  }
};

}  // namespace lockstep::test
