#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "oracle/interval.hpp"

/// \file
/// Numbers that were packed into one word of 32 bits, and what each may be.

namespace lockstep::oracle {

/// The numbers of a word, from its lowest bits on: two of 16 bits, or four of 8. Plain data, as Allowed is.
struct Pieces {
  enum class Kind : std::uint8_t {
    none,
    halves,              ///< floats of 16 bits
    unsigned_fractions,  ///< of the largest whole number: unorm
    signed_fractions,    ///< snorm
  };
  Kind kind = Kind::none;
  std::uint8_t count = 0;
  /// Of each the lowest and highest place among the numbers of its kind. Both zeros of a float are place 0.
  std::int32_t low[4] = {}, high[4] = {};

  explicit operator bool() const { return kind != Kind::none; }
  /// Piece k is one of these numbers, which a device may round either way.
  void set(std::size_t k, const Interval& numbers);
  /// Whether piece k has one place.
  bool is_exact(std::size_t k) const { return low[k] == high[k]; }
  /// Whether each number of a word is one that it may be.
  bool allows(std::uint32_t word) const;
  /// The numbers that piece k may stand for.
  Interval numbers(std::size_t k) const;
  /// The lowest or the highest numbers: "(0.5, 1)".
  std::string text(bool highest) const;
};

}  // namespace lockstep::oracle
