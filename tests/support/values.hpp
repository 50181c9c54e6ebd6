#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "support/masks.hpp"

/// \file
/// Values for lanes, and comparing lanes with an expected array.

namespace lockstep::test {

/// An unsigned integer of T's size, for its bits.
template <class T>
using BitsOf = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
inline constexpr bool is_floating = std::is_floating_point_v<T> || std::is_same_v<T, float16_t>;

template <class T>
bool is_nan(T value) {
  if constexpr (is_floating<T>)
    return std::isnan(static_cast<double>(value));
  else
    return false;
}

template <class T>
BitsOf<T> bits_of(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}

/// The same bits, or both NaN: NaN payloads are not promised.
template <class T>
bool bit_equal(T a, T b) {
  return bits_of(a) == bits_of(b) || (is_nan(a) && is_nan(b));
}

/// Equal as numbers: NaN equals NaN, and +0 equals -0.
template <class T>
bool same_value(T a, T b) {
  return a == b || (is_nan(a) && is_nan(b));
}

/// The values that are most likely to be handled wrong: zeros, ones, extremes, infinities, NaN, denormals.
template <class T>
const auto& special_values() {
  if constexpr (is_floating<T>) {
    using Limits = std::numeric_limits<T>;
    // A signed zero, an odd fraction, and neighbours of powers of two that integers end at.
    static const std::array<T, 20> values = {T(0.0f),
                                             T(-0.0f),
                                             T(1.0f),
                                             T(-1.0f),
                                             T(0.5f),
                                             T(-2.5f),
                                             T(127.5f),
                                             T(-128.5f),
                                             T(255.0f),
                                             T(-32768.0f),
                                             T(65504.0f),
                                             T(2147483648.0f),
                                             T(-9223372036854775808.0f),
                                             Limits::min(),
                                             Limits::denorm_min(),
                                             T(-Limits::denorm_min()),
                                             Limits::max(),
                                             Limits::infinity(),
                                             T(-Limits::infinity()),
                                             Limits::quiet_NaN()};
    return values;
  } else if constexpr (std::is_same_v<T, bool>) {
    static const std::array<T, 2> values = {false, true};
    return values;
  } else {
    using Limits = std::numeric_limits<T>;
    static const std::array<T, 10> values = {T(0),
                                             T(1),
                                             T(-1),
                                             T(2),
                                             T(7),
                                             Limits::min(),
                                             Limits::max(),
                                             T(Limits::min() + 1),
                                             T(Limits::max() - 1),
                                             T(Limits::max() / 2 + 1)};
    return values;
  }
}

template <class T>
T random_bits(Random& random) {
  if constexpr (std::is_same_v<T, bool>)
    return (random() & 1) != 0;
  else
    return std::bit_cast<T>(static_cast<BitsOf<T>>(random()));
}

template <class T>
T random_special(Random& random) {
  const auto& values = special_values<T>();
  return values[random() % values.size()];
}

/// The contents of inactive lanes in tests: any bit pattern, including NaN, infinities and denormals.
template <class T>
T garbage(Random& random) {
  return random() % 4 == 0 ? random_special<T>(random) : random_bits<T>(random);
}

enum class Values {
  small,   ///< integers of -15 to 15 (unsigned: 0 to 15), whose sums are exact in every type but 8
           ///< bits
  finite,  ///< any finite bit pattern
  special  ///< any bit pattern, a quarter of them from special_values
};

template <class T>
T sample_value(Random& random, Values kind) {
  if constexpr (std::is_same_v<T, bool>) {
    return random_bits<bool>(random);
  } else {
    if (kind == Values::small) {
      const int number = static_cast<int>(random() % 31) - 15;
      return static_cast<T>(std::is_unsigned_v<T> && number < 0 ? -number : number);
    }
    if (kind == Values::special) return garbage<T>(random);
    T value = random_bits<T>(random);
    if constexpr (is_floating<T>) {
      while (!std::isfinite(static_cast<double>(value))) value = random_bits<T>(random);
    }
    return value;
  }
}

/// The number of lanes in the storage of W lanes.
constexpr int physical_lanes(int width) {
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(width)));
}

/// One value for each physical lane of a subgroup of W.
template <class T, int W>
using LaneArray = std::array<T, static_cast<std::size_t>(physical_lanes(W))>;

// Compiled once for each T, whatever W.
template <class T>
void fill_samples(T* to, int width, int physical, Random& random, Values kind) {
  for (int i = 0; i < width; ++i) to[i] = sample_value<T>(random, kind);
  for (int i = width; i < physical; ++i) to[i] = garbage<T>(random);
}
template <class T>
void fill_garbage(T* to, MaskBits keep, int physical, Random& random) {
  for (int i = 0; i < physical; ++i) {
    if (!keep.test(i)) to[i] = garbage<T>(random);
  }
}

/// A value for each lane below W, and garbage in the padding.
template <class T, int W>
LaneArray<T, W> sample_values(Random& random, Values kind) {
  LaneArray<T, W> values;
  fill_samples(values.data(), W, physical_lanes(W), random, kind);
  return values;
}

/// The same values in the lanes of `active`, garbage in all others and in the padding.
template <class T, int W>
LaneArray<T, W> with_garbage(LaneArray<T, W> values, Mask<W> active, Random& random) {
  fill_garbage(values.data(), {active.low64(), active.high64()}, physical_lanes(W), random);
  return values;
}

/// Lanes that hold the array, padding included. Lanes<bool> have no padding.
template <class T, int W>
Lanes<T, W> lanes_from(const LaneArray<T, W>& values) {
  return Lanes<T, W>::generate([&](int i) { return values[static_cast<std::size_t>(i)]; });
}

/// The contents of the lanes, padding included (false for Lanes<bool>).
template <class T, int W>
LaneArray<T, W> to_array(const Lanes<T, W>& lanes) {
  LaneArray<T, W> values;
  for (int i = 0; i < physical_lanes(W); ++i) values[static_cast<std::size_t>(i)] = lanes[i];
  return values;
}

/// Where two arrays differ in the lanes of `which`, in words; empty if nowhere.
template <class T>
std::string difference(const T* got, const T* want, MaskBits which, int physical,
                       bool (*equal)(T, T) = bit_equal<T>) {
  std::string text;
  int count = 0;
  for (int i = 0; i < physical; ++i) {
    if (!which.test(i) || equal(got[i], want[i])) continue;
    if (++count > 4) continue;
    char line[128];
    std::snprintf(line, sizeof line, "lane %d: got %.17g (0x%llx), want %.17g (0x%llx)\n", i,
                  static_cast<double>(got[i]), static_cast<unsigned long long>(bits_of(got[i])),
                  static_cast<double>(want[i]), static_cast<unsigned long long>(bits_of(want[i])));
    text += line;
  }
  if (count > 4) text += "and " + std::to_string(count - 4) + " more lanes\n";
  return text;
}

/// Where lanes differ from the expected array in the lanes of `which`, in words; empty if nowhere.
/// For CHECK(difference(got, want, active) == "").
template <class T, int W>
std::string difference(const Lanes<T, W>& got, const LaneArray<T, W>& want,
                       Mask<W> which = Mask<W>::all(), bool (*equal)(T, T) = bit_equal<T>) {
  const LaneArray<T, W> values = to_array(got);
  return difference(values.data(), want.data(), {which.low64(), which.high64()}, physical_lanes(W),
                    equal);
}

}  // namespace lockstep::test
