#include "driver/packed_texels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace lockstep::driver {
namespace {

using Field = PackedTexels::Field;

std::uint32_t most(Field field) { return (1u << field.bits) - 1; }

std::uint32_t bits_of(double x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); }

/// The float of a component, as a number from 0 to `highest`.
double clamped(std::uint64_t bits, double highest) {
  const double x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return x > 0 ? std::min(x, highest) : 0;  // NaN becomes 0
}

std::uint32_t rounded(double x) { return static_cast<std::uint32_t>(std::floor(x + 0.5)); }

/// Half of the exponents are of numbers below 1.
int bias(Field exponent) { return static_cast<int>(most(exponent) / 2); }

/// The numbers are m * 2^(exponent - bias - bits).
std::uint32_t encode_shared(const PackedTexels& format, const TexelBits& texel) {
  const int mantissa_bits = format.fields[0].bits, zero = bias(format.exponent);
  const double mantissas = most(format.fields[0]) + 1.0;
  const double highest =
      std::ldexp((mantissas - 1) / mantissas, static_cast<int>(most(format.exponent)) - zero);
  std::array<double, 3> colours{};
  for (std::size_t k = 0; k < 3; ++k) colours[k] = clamped(texel[k], highest);
  const double largest = *std::ranges::max_element(colours);
  const int log2 = largest > 0 ? std::ilogb(largest) : -zero - 1;
  int exponent = std::max(-zero - 1, log2) + 1 + zero;
  const auto mantissa = [&](double x) {
    return rounded(std::ldexp(x, mantissa_bits + zero - exponent));
  };
  if (mantissa(largest) > most(format.fields[0])) ++exponent;
  std::uint32_t word = static_cast<std::uint32_t>(exponent) << format.exponent.shift;
  for (std::size_t k = 0; k < 3; ++k) word |= mantissa(colours[k]) << format.fields[k].shift;
  return word;
}

}  // namespace

TexelBits PackedTexels::decode(const std::byte* from) const {
  std::uint32_t word = 0;
  std::memcpy(&word, from, bytes);
  TexelBits texel{0, 0, 0, bits_of(1)};
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (fields[k].bits == 0) continue;
    const std::uint32_t number = word >> fields[k].shift & most(fields[k]);
    const int power = static_cast<int>(word >> exponent.shift & most(exponent)) - bias(exponent);
    texel[k] = exponent.bits != 0 ? bits_of(std::ldexp(number, power - fields[k].bits))
                                  : bits_of(double(number) / most(fields[k]));
  }
  return texel;
}

void PackedTexels::encode(std::byte* to, const TexelBits& texel) const {
  std::uint32_t word = 0;
  if (exponent.bits != 0)
    word = encode_shared(*this, texel);
  else
    for (std::size_t k = 0; k < fields.size(); ++k)
      word |= rounded(clamped(texel[k], 1) * most(fields[k])) << fields[k].shift;
  std::memcpy(to, &word, bytes);
}

}  // namespace lockstep::driver
