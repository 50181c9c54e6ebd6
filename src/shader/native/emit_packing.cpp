#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <bit>
#include <cmath>

/// \file
/// Packing: the same bits as the functions of include/lockstep/glsl/functions/packing.hpp.

namespace lockstep::spirv {
namespace {

/// The number that stands for 1.
constexpr std::uint32_t one_of(int bits, bool has_sign) {
  return (1u << (has_sign ? bits - 1 : bits)) - 1;
}
/// The largest float below a half.
constexpr std::uint32_t below_half = 0x3effffff;
constexpr std::uint32_t sign = 0x80000000;

std::uint32_t bits_of_float(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace

/// Floats as a fraction of the number that stands for 1, in words; zero for NaN. Halves go away from zero: the largest
/// number below a half is added, and the sum, which rounds to the next integer from a half on, is cut off.
template <int bits, bool has_sign>
void Emitter::to_fraction(const Vector& to) {
  if (has_sign) as_.zero_nan(to, to, Scalar::f32);
  // The second one where the first is NaN.
  as_.vmaxps(to, to, as_.constant(has_sign ? bits_of_float(-1) : 0));
  as_.vminps(to, to, as_.constant(bits_of_float(1)));
  as_.vmulps(to, to, as_.constant(bits_of_float(static_cast<float>(one_of(bits, has_sign)))));
  if (has_sign) {
    as_.bit_and(as_.scratch(), to, as_.constant(sign));
    as_.bit_or(as_.scratch(), as_.scratch(), as_.constant(below_half));
    as_.vaddps(to, to, as_.scratch());
  } else {
    as_.vaddps(to, to, as_.constant(below_half));
  }
  as_.vcvttps2dq(to, to);
}

template <int bits, bool has_sign>
void Emitter::emit_pack(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  constexpr int count = 32 / bits;
  const Vector all = cache_.fresh(), part = cache_.fresh();
  for (int k = 0; k < count; ++k) {
    const Vector& here = k == 0 ? all : part;
    as_.vmovups(here, source(i, k, v));
    to_fraction<bits, has_sign>(here);
    // Only the signs of negative numbers are above the fraction.
    if (has_sign && k + 1 < count) as_.bit_and(here, here, as_.constant((1u << bits) - 1));
    if (k == 0) continue;
    as_.vpslld(part, part, static_cast<std::uint8_t>(bits * k));
    as_.bit_or(k + 1 == count ? to : all, all, part);
  }
}
template void Emitter::emit_pack<8, false>(const Inst&, const EmitRule&, std::uint32_t,
                                           const Vector&);
template void Emitter::emit_pack<8, true>(const Inst&, const EmitRule&, std::uint32_t,
                                          const Vector&);
template void Emitter::emit_pack<16, false>(const Inst&, const EmitRule&, std::uint32_t,
                                            const Vector&);
template void Emitter::emit_pack<16, true>(const Inst&, const EmitRule&, std::uint32_t,
                                           const Vector&);

/// Component number imm. A product with the reciprocal in two parts is the quotient, for all numbers of so few bits.
template <int bits, bool has_sign>
void Emitter::emit_unpack(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const auto first = static_cast<std::uint8_t>(i.imm * bits);
  const Vector a = value(i, 0, v), number = cache_.fresh(), quotient = cache_.fresh();
  if (has_sign) {
    as_.vpslld(number, a, static_cast<std::uint8_t>(32 - bits - first));
    as_.vpsrad(number, number, 32 - bits);
  } else if (first + bits == 32) {
    as_.vpsrld(number, a, first);
  } else if (first != 0) {
    as_.vpsrld(number, a, first);
    as_.bit_and(number, number, as_.constant((1u << bits) - 1));
  } else {
    as_.bit_and(number, a, as_.constant((1u << bits) - 1));
  }
  as_.vcvtdq2ps(number, number);
  constexpr double reciprocal = 1.0 / one_of(bits, has_sign);
  constexpr auto high = static_cast<float>(reciprocal);
  as_.vmulps(quotient, number, as_.constant(bits_of_float(static_cast<float>(reciprocal - high))));
  as_.vfmadd231ps(quotient, number, as_.constant(bits_of_float(high)));
  if (has_sign)
    as_.vmaxps(to, quotient, as_.constant(bits_of_float(-1)));
  else
    as_.vmovaps(to, quotient);
}
template void Emitter::emit_unpack<8, false>(const Inst&, const EmitRule&, std::uint32_t,
                                             const Vector&);
template void Emitter::emit_unpack<8, true>(const Inst&, const EmitRule&, std::uint32_t,
                                            const Vector&);
template void Emitter::emit_unpack<16, false>(const Inst&, const EmitRule&, std::uint32_t,
                                              const Vector&);
template void Emitter::emit_unpack<16, true>(const Inst&, const EmitRule&, std::uint32_t,
                                             const Vector&);

/// NaN becomes the quiet NaN without payload: the smallest one of those that the conversion gives.
void Emitter::emit_pack_halves(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector low = cache_.fresh(), high = cache_.fresh();
  as_.vcvtps2ph(as_.half(low), value(i, 0, v), 0);
  as_.vcvtps2ph(as_.half(high), value(i, 1, v), 0);
  as_.extend(low, low, Scalar::u16, 4);
  as_.extend(high, high, Scalar::u16, 4);
  as_.vpslld(high, high, 16);
  as_.bit_or(low, low, high);
  as_.bit_and(high, low, as_.constant(0x7fff7fff));
  as_.vpminuw(high, high, as_.constant(0x7e007e00));
  as_.bit_and(low, low, as_.constant(0x80008000));
  as_.bit_or(to, low, high);
}
/// Component number imm.
void Emitter::emit_unpack_half(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  Vector a = value(i, 0, v);
  const Vector half = cache_.fresh();
  if (i.imm != 0) {
    as_.vpsrld(half, a, 16);
    a = half;
  }
  as_.truncate(half, a, 4, 2);
  as_.vcvtph2ps(to, as_.half(half));
}

}  // namespace lockstep::spirv

#endif
