#pragma once

#include <lockstep/glsl/functions/common.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup packing Floating-point pack and unpack functions (GLSL 4.60, 8.4)
///
/// Requires      None. A vector is passed as its components, x first, and returned as a struct of
///               them.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None: values outside the packed range are clamped, NaN packs as 0.
/// Cost          A few SIMD instructions per component and register of lanes.
/// Spec          GLSL names as below · SPIR-V GLSL.std.450 PackUnorm2x16, ..., UnpackDouble2x32
/// Example       tests/glsl/functions/packing.cpp packHalf2x16 and unpackHalf2x16 are in
///               packing_float16.hpp. Rounding is that of round(): halves go away from zero.
/// @{

/// The components of a vec2 or uvec2 that an unpack function returns.
template <class T, int W>
struct Unpacked2 {
  Lanes<T, W> x, y;
};
/// The components of a vec4 that an unpack function returns.
template <class T, int W>
struct Unpacked4 {
  Lanes<T, W> x, y, z, w;
};

namespace detail {

/// c clamped to [lowest, 1], scaled and rounded, as the bits of an int.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> to_fixed(const Lanes<float, W>& c, float lowest,
                                                 float scale) {
  const Lanes<float, W> scaled = round(clamp(c, lowest, 1.0f) * scale);
  return Lanes<std::uint32_t, W>(Lanes<std::int32_t, W>(scaled));
}

template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> join_halves(const Lanes<std::uint32_t, W>& x,
                                                    const Lanes<std::uint32_t, W>& y) {
  return (x & 0xFFFFu) | (y << 16u);
}

template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> join_bytes(const Lanes<std::uint32_t, W>& x,
                                                   const Lanes<std::uint32_t, W>& y,
                                                   const Lanes<std::uint32_t, W>& z,
                                                   const Lanes<std::uint32_t, W>& w) {
  return (x & 0xFFu) | ((y & 0xFFu) << 8u) | ((z & 0xFFu) << 16u) | (w << 24u);
}

/// The unsigned number in the Bits bits from `position` up, as a fraction of the largest one.
template <int Bits, int W>
LOCKSTEP_INLINE Lanes<float, W> from_unorm(const Lanes<std::uint32_t, W>& p,
                                           std::uint32_t position) {
  constexpr std::int32_t largest = (1 << Bits) - 1;
  const Lanes<std::int32_t, W> fixed(p >> position);
  return Lanes<float, W>(fixed & largest) / static_cast<float>(largest);
}

/// The signed number in the Bits bits from `position` up, as a fraction of the largest one, not below -1.
template <int Bits, int W>
LOCKSTEP_INLINE Lanes<float, W> from_snorm(const Lanes<std::uint32_t, W>& p,
                                           std::uint32_t position) {
  constexpr std::uint32_t unused = 32 - Bits;
  const Lanes<std::int32_t, W> top(p << (unused - position));
  const Lanes<std::int32_t, W> fixed = top >> static_cast<std::int32_t>(unused);
  return max(Lanes<float, W>(fixed) / static_cast<float>((1 << (Bits - 1)) - 1), -1.0f);
}

}  // namespace detail

/// Two numbers in [0, 1] as 16-bit fractions, x in the low half.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> packUnorm2x16(
    const Lanes<float, W>& x, const std::type_identity_t<Lanes<float, W>>& y) {
  const auto fixed = [](const Lanes<float, W>& c) { return detail::to_fixed(c, 0.0f, 65535.0f); };
  return detail::join_halves(fixed(x), fixed(y));
}
/// Two numbers in [-1, 1] as 16-bit fractions, x in the low half.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> packSnorm2x16(
    const Lanes<float, W>& x, const std::type_identity_t<Lanes<float, W>>& y) {
  const auto fixed = [](const Lanes<float, W>& c) { return detail::to_fixed(c, -1.0f, 32767.0f); };
  return detail::join_halves(fixed(x), fixed(y));
}
/// Four numbers in [0, 1] as 8-bit fractions, x in the low byte.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> packUnorm4x8(
    const Lanes<float, W>& x, const std::type_identity_t<Lanes<float, W>>& y,
    const std::type_identity_t<Lanes<float, W>>& z,
    const std::type_identity_t<Lanes<float, W>>& w) {
  const auto fixed = [](const Lanes<float, W>& c) { return detail::to_fixed(c, 0.0f, 255.0f); };
  return detail::join_bytes(fixed(x), fixed(y), fixed(z), fixed(w));
}
/// Four numbers in [-1, 1] as 8-bit fractions, x in the low byte.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> packSnorm4x8(
    const Lanes<float, W>& x, const std::type_identity_t<Lanes<float, W>>& y,
    const std::type_identity_t<Lanes<float, W>>& z,
    const std::type_identity_t<Lanes<float, W>>& w) {
  const auto fixed = [](const Lanes<float, W>& c) { return detail::to_fixed(c, -1.0f, 127.0f); };
  return detail::join_bytes(fixed(x), fixed(y), fixed(z), fixed(w));
}

/// Inverse of packUnorm2x16: each half / 65535.
template <int W>
LOCKSTEP_INLINE Unpacked2<float, W> unpackUnorm2x16(const Lanes<std::uint32_t, W>& p) {
  return {detail::from_unorm<16>(p, 0), detail::from_unorm<16>(p, 16)};
}
/// Inverse of packSnorm2x16: each half / 32767, not below -1.
template <int W>
LOCKSTEP_INLINE Unpacked2<float, W> unpackSnorm2x16(const Lanes<std::uint32_t, W>& p) {
  return {detail::from_snorm<16>(p, 0), detail::from_snorm<16>(p, 16)};
}
/// Inverse of packUnorm4x8: each byte / 255.
template <int W>
LOCKSTEP_INLINE Unpacked4<float, W> unpackUnorm4x8(const Lanes<std::uint32_t, W>& p) {
  return {detail::from_unorm<8>(p, 0), detail::from_unorm<8>(p, 8), detail::from_unorm<8>(p, 16),
          detail::from_unorm<8>(p, 24)};
}
/// Inverse of packSnorm4x8: each byte / 127, not below -1.
template <int W>
LOCKSTEP_INLINE Unpacked4<float, W> unpackSnorm4x8(const Lanes<std::uint32_t, W>& p) {
  return {detail::from_snorm<8>(p, 0), detail::from_snorm<8>(p, 8), detail::from_snorm<8>(p, 16),
          detail::from_snorm<8>(p, 24)};
}

/// The double whose encoding has x as its lower and y as its upper half.
template <int W>
LOCKSTEP_INLINE Lanes<double, W> packDouble2x32(
    const Lanes<std::uint32_t, W>& x, const std::type_identity_t<Lanes<std::uint32_t, W>>& y) {
  using Wide = Lanes<std::uint64_t, W>;
  return detail::bits_as<double>(Wide(x) | (Wide(y) << std::uint64_t{32}));
}
/// The lower (x) and upper (y) half of a double's encoding.
template <int W>
LOCKSTEP_INLINE Unpacked2<std::uint32_t, W> unpackDouble2x32(const Lanes<double, W>& v) {
  using Uint = Lanes<std::uint32_t, W>;
  const auto bits = detail::float_bits(v);
  return {Uint(bits), Uint(bits >> std::uint64_t{32})};
}

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
