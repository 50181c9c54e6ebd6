#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <lockstep/dispatch/texel.hpp>

namespace lockstep::driver {

/// Texels that are one number, of formats that the engine lacks: fractions without a sign, or floats that share an exponent.
struct PackedTexels {
  struct Field {
    std::uint8_t shift = 0,
                 bits = 0;  ///< from the lowest bit on; no bits if the component is missing
    friend bool operator==(const Field&, const Field&) = default;
  };
  std::uint8_t bytes = 0;  ///< 0 of all other formats
  std::array<Field, 4> fields = {};
  Field exponent = {};  ///< of the first three components
  friend bool operator==(const PackedTexels&, const PackedTexels&) = default;

  /// Red, green, blue and alpha as floats. Missing components are 0, alpha is 1.
  TexelBits decode(const std::byte* from) const;
  /// Fractions are clamped to [0, 1] and rounded to the nearest; floats by Vulkan's "RGB to Shared Exponent". NaN becomes 0.
  void encode(std::byte* to, const TexelBits& texel) const;
};

}  // namespace lockstep::driver
