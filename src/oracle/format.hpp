#pragma once

#include <cstdint>

/// \file
/// The formats of floating-point numbers, and their bits as numbers.

namespace lockstep::oracle {

/// A binary format of IEEE 754. Every number of one is a double.
struct Format {
  int bytes = 4;
  int digits = 24;            ///< of the significand, with the leading one
  int least_exponent = -126;  ///< of normal numbers
  double epsilon = 0x1p-23;   ///< from 1 to the next number
  double smallest_normal = 0x1p-126;
  double smallest = 0x1p-149;  ///< denormal
  double largest = 0x1.fffffep127;
  friend bool operator==(const Format&, const Format&) = default;
};

inline constexpr Format float16{2, 11, -14, 0x1p-10, 0x1p-14, 0x1p-24, 65504.0};
inline constexpr Format float32{};
inline constexpr Format float64{
    8, 53, -1022, 0x1p-52, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023};

/// The number that the low bits stand for.
double from_bits(std::uint64_t bits, const Format& format);

/// The distance between neighbours at |x|; at a power of two the one below it, beyond the largest number the last.
double ulp(double x, const Format& format);
/// The largest number of the format that is not above x; minus infinity below all of them.
double round_down(double x, const Format& format);
/// The smallest number of the format that is not below x; infinity above all of them.
double round_up(double x, const Format& format);
/// The nearest number of the format, of two the one whose last bit is 0; infinity from half a unit above the largest on.
double round_to_nearest(double x, const Format& format);

}  // namespace lockstep::oracle
