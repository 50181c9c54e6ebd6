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
          combination<Shape>(
              "subgroupPartitionedAddNV", Op::add, Form::partitioned,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedAddNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedAddNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedMulNV", Op::mul, Form::partitioned,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedMulNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedMulNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedMinNV", Op::min, Form::partitioned,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedMinNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedMinNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedMaxNV", Op::max, Form::partitioned,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedMaxNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedMaxNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedInclusiveAddNV", Op::add, Form::partitioned_inclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedInclusiveAddNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedInclusiveAddNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedInclusiveMulNV", Op::mul, Form::partitioned_inclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedInclusiveMulNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedInclusiveMulNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedInclusiveMinNV", Op::min, Form::partitioned_inclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedInclusiveMinNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedInclusiveMinNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedInclusiveMaxNV", Op::max, Form::partitioned_inclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedInclusiveMaxNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedInclusiveMaxNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedExclusiveAddNV", Op::add, Form::partitioned_exclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedExclusiveAddNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedExclusiveAddNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedExclusiveMulNV", Op::mul, Form::partitioned_exclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedExclusiveMulNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedExclusiveMulNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedExclusiveMinNV", Op::min, Form::partitioned_exclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedExclusiveMinNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedExclusiveMinNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedExclusiveMaxNV", Op::max, Form::partitioned_exclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedExclusiveMaxNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedExclusiveMaxNV(in.active, v, in.ballots());
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
              "subgroupPartitionedAndNV", Op::bit_and, Form::partitioned,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedAndNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedAndNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedOrNV", Op::bit_or, Form::partitioned,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedOrNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedOrNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedXorNV", Op::bit_xor, Form::partitioned,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedXorNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedXorNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedInclusiveAndNV", Op::bit_and, Form::partitioned_inclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedInclusiveAndNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedInclusiveAndNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedInclusiveOrNV", Op::bit_or, Form::partitioned_inclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedInclusiveOrNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedInclusiveOrNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedInclusiveXorNV", Op::bit_xor, Form::partitioned_inclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedInclusiveXorNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedInclusiveXorNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedExclusiveAndNV", Op::bit_and, Form::partitioned_exclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedExclusiveAndNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedExclusiveAndNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedExclusiveOrNV", Op::bit_or, Form::partitioned_exclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedExclusiveOrNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedExclusiveOrNV(in.active, v, in.ballots());
              }),
          combination<Shape>(
              "subgroupPartitionedExclusiveXorNV", Op::bit_xor, Form::partitioned_exclusive,
              [](const auto& in, const auto& v) {
                return subgroupPartitionedExclusiveXorNV(in.active, v, in.ballots());
              },
              [](const auto& in, const auto& v) {
                return undefined::subgroupPartitionedExclusiveXorNV(in.active, v, in.ballots());
              }),
      };
      return calls;
    }
  }
};

}  // namespace lockstep::test
