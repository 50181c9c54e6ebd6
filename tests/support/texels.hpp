#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/dispatch/image.hpp>

/// \file
/// The meaning of texels, one component at a time, derived from GLSL's names of the formats.

namespace lockstep::test {

/// How a component is stored.
struct StoredComponent {
  enum Kind { real, unorm, snorm, sint, uint };
  Kind kind = real;
  int bits = 32;
  int first_bit = 0;  ///< of the texel, counted from the first byte's lowest

  std::uint64_t most_raw() const { return bits == 64 ? ~0ull : (1ull << bits) - 1; }
};

/// The components of "rgba16_snorm" and the like.
inline std::vector<StoredComponent> components_of(std::string_view name) {
  std::vector<StoredComponent> components;
  const auto add = [&](StoredComponent::Kind kind, int bits) {
    const int at = components.empty() ? 0 : components.back().first_bit + components.back().bits;
    components.push_back({kind, bits, at});
  };
  if (name == "r11f_g11f_b10f") {
    for (const int bits : {11, 11, 10}) add(StoredComponent::real, bits);
    return components;
  }
  if (name == "rgb10_a2" || name == "rgb10_a2ui") {
    for (const int bits : {10, 10, 10, 2})
      add(name.ends_with("ui") ? StoredComponent::uint : StoredComponent::unorm, bits);
    return components;
  }
  const std::size_t digits = name.find_first_of("0123456789");
  const std::size_t end = name.find_first_not_of("0123456789", digits);
  const std::string_view kind = end == name.npos ? "" : name.substr(end);
  for (std::size_t k = 0; k < digits; ++k)
    add(kind == "f"        ? StoredComponent::real
        : kind == "_snorm" ? StoredComponent::snorm
        : kind == "i"      ? StoredComponent::sint
        : kind == "ui"     ? StoredComponent::uint
                           : StoredComponent::unorm,
        std::stoi(std::string(name.substr(digits, end - digits))));
  return components;
}

inline std::uint64_t raw_component(const std::byte* texel, const StoredComponent& c) {
  std::uint64_t raw = 0;
  for (int bit = 0; bit < c.bits; ++bit) {
    const int at = c.first_bit + bit;
    const auto byte = static_cast<unsigned>(texel[at / 8]);
    raw |= std::uint64_t{byte >> at % 8 & 1} << bit;
  }
  return raw;
}
inline void put_raw_component(std::byte* texel, const StoredComponent& c, std::uint64_t raw) {
  for (int bit = 0; bit < c.bits; ++bit) {
    const int at = c.first_bit + bit;
    const auto mask = static_cast<std::byte>(1u << at % 8);
    texel[at / 8] = (raw >> bit & 1) != 0 ? texel[at / 8] | mask : texel[at / 8] & ~mask;
  }
}

/// A float of fewer than 32 bits, digit by digit: 5 bits of exponent, a sign if there are 16.
inline double small_float_value(const StoredComponent& c, std::uint64_t raw) {
  const int fraction_bits = c.bits == 16 ? 10 : c.bits - 5;
  const double sign = c.bits == 16 && raw >> 15 != 0 ? -1 : 1;
  const double fraction =
      std::ldexp(static_cast<double>(raw & ((1u << fraction_bits) - 1)), -fraction_bits);
  const int exponent = static_cast<int>(raw >> fraction_bits & 31);
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

inline std::int64_t with_sign(std::uint64_t raw, int bits) {
  return bits < 64 && raw >> (bits - 1) != 0
             ? static_cast<std::int64_t>(raw) - (std::int64_t{1} << bits)
             : static_cast<std::int64_t>(raw);
}

/// The float that a shader sees for a component's bits; for real, unorm and snorm.
inline float loaded_float(const StoredComponent& c, std::uint64_t raw) {
  if (c.kind == StoredComponent::real) {
    if (c.bits != 32) return static_cast<float>(small_float_value(c, raw));
    const auto bits = static_cast<std::uint32_t>(raw);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  // Rounding a quotient twice is correct: double has more than twice the bits.
  if (c.kind == StoredComponent::unorm)
    return static_cast<float>(static_cast<double>(raw) / static_cast<double>(c.most_raw()));
  const double most = static_cast<double>(c.most_raw() / 2);
  return static_cast<float>(std::max(static_cast<double>(with_sign(raw, c.bits)) / most, -1.0));
}

/// The integer that a shader sees for a component's bits.
inline std::uint64_t loaded_integer(const StoredComponent& c, std::uint64_t raw) {
  return c.kind == StoredComponent::sint ? static_cast<std::uint64_t>(with_sign(raw, c.bits)) : raw;
}

/// The integer nearest to a product that long double holds exactly, ties to even.
inline std::int64_t nearest_whole(long double exact) {
  const long double below = std::floor(exact);
  const long double over = exact - below;
  const auto whole = static_cast<std::int64_t>(below);
  return over > 0.5L || (over == 0.5L && whole % 2 != 0) ? whole + 1 : whole;
}

/// The stored bits of a float.
inline std::uint64_t stored_float(const StoredComponent& c, float value) {
  if (c.kind == StoredComponent::real && c.bits == 32) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  if (c.kind != StoredComponent::real) {
    if (std::isnan(value)) return 0;
    const bool is_signed = c.kind == StoredComponent::snorm;
    const auto most = static_cast<long double>(is_signed ? c.most_raw() / 2 : c.most_raw());
    const float low = is_signed ? -1 : 0;
    const float inside = value < low ? low : value > 1 ? 1 : value;
    return static_cast<std::uint64_t>(nearest_whole(static_cast<long double>(inside) * most)) &
           c.most_raw();
  }
  const bool half = c.bits == 16;
  const std::uint64_t infinity = half ? 0x7c00 : 31ull << (c.bits - 5);
  const std::uint64_t sign = half && std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | infinity | 1ull << (half ? 9 : c.bits - 6);
  if (!half && !(value > 0)) return 0;
  const double size = std::fabs(static_cast<double>(value));
  if (std::isinf(size)) return sign | infinity;
  std::uint64_t below = 0, above = infinity;  // they increase with their bits
  while (above - below > 1) {
    const std::uint64_t middle = (below + above) / 2;
    (small_float_value(c, middle) <= size ? below : above) = middle;
  }
  // Halves overflow as if there were one more binade; unsigned floats stay finite.
  if (above == infinity && !half) return below;
  const double next = above == infinity ? 65536.0 : small_float_value(c, above);
  const double to_below = size - small_float_value(c, below), to_above = next - size;
  if (to_below != to_above) return sign | (to_below < to_above ? below : above);
  return sign | (below % 2 == 0 ? below : above);
}

/// Whether a shader sees the format's numbers as floats.
inline bool is_float_format(std::string_view name) {
  return components_of(name).front().kind <= StoredComponent::snorm;
}

}  // namespace lockstep::test
