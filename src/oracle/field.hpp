#pragma once

#include <cstdint>

#include "oracle/interval.hpp"

/// \file
/// Numbers that share a word of memory, as the components of packed texels do.

namespace lockstep::oracle {

/// Some bits of a word, and the whole numbers that a device may have in them.
struct Field {
  std::uint32_t shift = 0, bits = 0;
  bool floating = false;  ///< a float without sign, else a fraction of the largest whole number
  Interval values = {};

  /// Whether the word has one of the numbers.
  bool allows(std::uint64_t word) const {
    return values.contains(static_cast<double>(word >> shift & ((std::uint64_t{1} << bits) - 1)));
  }
};

/// What a field may be where one of these numbers is stored: either neighbour.
Interval stored(const Interval& numbers, const Field& field);
/// The numbers that a field may stand for.
Interval loaded(const Field& field);

}  // namespace lockstep::oracle
