#pragma once

#include <cstdint>

#include <lockstep/lanes/ballot.hpp>

/// \file
/// Inputs of the built-in benchmarks: many different sets of operands, small enough together for
/// the L1 cache, so that neither constants nor branch predictors know the result.

namespace lockstep::bench {

/// The values that lanes hold.
enum class Values {
  any,            ///< small integers, so that every sum of floats is exact
  powers_of_two,  ///< so that every product of floats is exact
  few,            ///< one of four, so that lanes agree with some others
  often_equal     ///< uniform in every other set
};
/// The number that each lane holds in addition.
enum class Numbers {
  lane,      ///< any lane
  distance,  ///< not above the lane's own number
  room,      ///< not above the number of lanes that follow
  in_quad    ///< 0 to 3, the same in all lanes of a quad
};

/// Operands of `count` calls at type T and subgroup size W, twice where lanes and scalar loops need
/// different forms: masks are bits for the former, arrays of bool for the latter.
template <class T, int W>
struct Inputs {
  static constexpr int count = 2048 / W;
  static constexpr int words = (W + 31) / 32;
  using Word = typename Mask<W>::Word;

  alignas(64) T value[count][W];
  alignas(64) std::uint32_t number[count][W];
  alignas(64) std::uint32_t ballot[count][words][W];  ///< a ballot for each lane
  alignas(64) bool active[count][W];                  ///< three out of four lanes, in some sets all
  alignas(64) bool condition[count][W];
  Word active_bits[count];
  Word condition_bits[count];
  std::uint32_t id[count];  ///< a lane
  int size;                 ///< W, known at run time only
};

/// Operands where each lane's ballot is its subset of a partition of the active lanes into up to
/// four.
template <class T, int W>
void fill(Inputs<T, W>& inputs, Values values, Numbers numbers);

}  // namespace lockstep::bench
