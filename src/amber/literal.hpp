#pragma once

/// \file
/// Numbers in a script, and in a buffer's memory.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "amber/type.hpp"

namespace lockstep::amber {

/// A number as written in a script.
struct Literal {
  bool fractional = false;      ///< written with a fraction or exponent, or NaN
  bool negative = false;        ///< of an integer
  std::uint64_t magnitude = 0;  ///< of an integer
  double real = 0;              ///< the value, possibly rounded

  friend bool operator==(const Literal&, const Literal&) = default;
};

/// Decimal, hexadecimal after 0x, with a fraction, or NaN; nothing for other text.
std::optional<Literal> parse_literal(std::string_view text);

/// Whether a number of that kind can hold it: any value for floats; for integers those that fit the
/// bits with or without a sign, however written.
bool fits(const Literal& literal, Number number);

/// Writes it. Requires that it fits, and that there are enough bytes.
void store(const Literal& literal, Number number, std::byte* to);

/// A number read from memory.
struct Value {
  Number number;
  std::uint64_t bits = 0;  ///< of integers, sign-extended
  double real = 0;

  std::string text() const;
};
Value load(Number number, const std::byte* from);

}  // namespace lockstep::amber
