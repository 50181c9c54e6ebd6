#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdint>

/// \file
/// Numbers of 16, 32 and 64 bits, and the real numbers that they stand for.

namespace lockstep::walker {

/// A real number with 240 bits: more than any sum or product of two numbers of 64 bits needs to round right.
using Real = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<240, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

/// What the bits stand for; exact.
double to_double(std::uint64_t bits, int width);
/// The nearest number of that width, ties to even. Exact results of +, -, *, / and sqrt on operands of 16 or 32
/// bits, rounded to 64 bits first, round to the same number as without that step.
std::uint64_t from_double(double x, int width);

Real to_real(std::uint64_t bits, int width);
/// The nearest number of that width, ties to even.
std::uint64_t from_real(const Real& x, int width);

/// The bits of an integer, the upper ones zero.
constexpr std::uint64_t truncated(std::uint64_t x, int width) {
  return width == 64 ? x : x & ((std::uint64_t{1} << width) - 1);
}
/// The integer of that width in two's complement.
constexpr std::int64_t sign_extended(std::uint64_t x, int width) {
  const int unused = 64 - width;
  return static_cast<std::int64_t>(x << unused) >> unused;
}

}  // namespace lockstep::walker
