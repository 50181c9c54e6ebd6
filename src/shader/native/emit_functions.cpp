#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <bit>

/// \file
/// Functions of floats and minima, and conversions: the same instructions for the same bits as the functions that
/// include/lockstep/glsl/functions/common.hpp has for lanes.

namespace lockstep::spirv {

/// The number in all lanes.
Xbyak::Address Emitter::in_all_lanes(const EmitRule& rule, double value) {
  if (rule.type == Scalar::f64) return as_.wide_constant(std::bit_cast<std::uint64_t>(value));
  return as_.constant(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}
Xbyak::Address Emitter::sign_bit(const EmitRule& rule) {
  if (rule.type == Scalar::f64) return as_.wide_constant(std::uint64_t{1} << 63);
  return as_.constant(rule.type == Scalar::f16 ? 0x80008000u : 0x80000000u);
}

/// a < b ? a : b.
void Emitter::minimum(const EmitRule& rule, const Vector& to, const Vector& a,
                      const Xbyak::Operand& b) {
  if (rule.type == Scalar::f64) return as_.vminpd(to, a, b);
  if (rule.type == Scalar::f32) return as_.vminps(to, a, b);
  rule.type == Scalar::i32 ? as_.vpminsd(to, a, b) : as_.vpminud(to, a, b);
}
/// a > b ? a : b.
void Emitter::maximum(const EmitRule& rule, const Vector& to, const Vector& a,
                      const Xbyak::Operand& b) {
  if (rule.type == Scalar::f64) return as_.vmaxpd(to, a, b);
  if (rule.type == Scalar::f32) return as_.vmaxps(to, a, b);
  rule.type == Scalar::i32 ? as_.vpmaxsd(to, a, b) : as_.vpmaxud(to, a, b);
}

// Where one of the operands is NaN, or both are zeros, the first one is the result.
void Emitter::emit_min(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector b = value(i, 1, v);
  minimum(rule, to, b, source(i, 0, v));
}
void Emitter::emit_max(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector b = value(i, 1, v);
  maximum(rule, to, b, source(i, 0, v));
}
void Emitter::emit_clamp(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector low = value(i, 1, v), high = value(i, 2, v);
  const Vector raised = cache_.fresh();
  maximum(rule, raised, low, source(i, 0, v));
  minimum(rule, to, high, raised);
}
/// The other operand where one is NaN.
void Emitter::emit_number_min(const Inst& i, const EmitRule& rule, std::uint32_t v,
                              const Vector& to) {
  const Vector a = value(i, 0, v), b = value(i, 1, v);
  const Vector least = cache_.fresh();
  minimum(rule, least, b, a);
  as_.select_nan(to, a, least, b, rule.type);
}
void Emitter::emit_number_max(const Inst& i, const EmitRule& rule, std::uint32_t v,
                              const Vector& to) {
  const Vector a = value(i, 0, v), b = value(i, 1, v);
  const Vector most = cache_.fresh();
  maximum(rule, most, b, a);
  as_.select_nan(to, a, most, b, rule.type);
}

void Emitter::emit_abs(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  if (rule.type == Scalar::i32) return as_.vpabsd(to, a);
  as_.bit_and(to, a,
              rule.type == Scalar::f64 ? as_.wide_constant(~std::uint64_t{0} >> 1)
                                       : as_.constant(0x7fffffff));
}
Rounding Emitter::rounding_of(Code code) {
  return code == Code::floor   ? Rounding::down
         : code == Code::ceil  ? Rounding::up
         : code == Code::trunc ? Rounding::to_zero
                               : Rounding::even;
}
void Emitter::emit_round(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  as_.round(to, source(i, 0, v), rounding_of(rule.code), rule.type);
}
void Emitter::emit_fract(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v), below = as_.scratch();
  as_.round(below, a, Rounding::down, rule.type);
  rule.type == Scalar::f64 ? as_.vsubpd(to, a, below) : as_.vsubps(to, a, below);
}
void Emitter::emit_sqrt(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Source a = source(i, 0, v);
  rule.type == Scalar::f64 ? as_.vsqrtpd(to, a) : as_.vsqrtps(to, a);
}
void Emitter::emit_inverse_sqrt(const Inst& i, const EmitRule& rule, std::uint32_t v,
                                const Vector& to) {
  emit_sqrt(i, rule, v, to);
  as_.vmovups(as_.scratch(), in_all_lanes(rule, 1));
  rule.type == Scalar::f64 ? as_.vdivpd(to, as_.scratch(), to) : as_.vdivps(to, as_.scratch(), to);
}
void Emitter::emit_fma(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector b = value(i, 1, v), c = value(i, 2, v);
  as_.vmovups(as_.scratch(), source(i, 0, v));
  if (rule.type == Scalar::f64)
    as_.vfmadd213pd(as_.scratch(), b, c);
  else
    as_.vfmadd213ps(as_.scratch(), b, c);
  as_.vmovups(to, as_.scratch());
}
/// x * (1 - a) + y * a, each rounded.
void Emitter::emit_mix(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 2, v), part = cache_.fresh();
  as_.vmovups(as_.scratch(), in_all_lanes(rule, 1));
  if (rule.type == Scalar::f64) {
    as_.vsubpd(part, as_.scratch(), a);
    as_.vmulpd(part, part, source(i, 0, v));
    as_.vmulpd(as_.scratch(), a, source(i, 1, v));
    return as_.vaddpd(to, part, as_.scratch());
  }
  as_.vsubps(part, as_.scratch(), a);
  as_.vmulps(part, part, source(i, 0, v));
  as_.vmulps(as_.scratch(), a, source(i, 1, v));
  as_.vaddps(to, part, as_.scratch());
}

// ---- Conversions ----

/// Numbers of other sizes lie in other vectors: v counts those of the result.
void Emitter::emit_convert(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const std::uint32_t from = size_of(rule.from), size = size_of(rule.type);
  if (from < 8 && size < 8) return convert_short(i, rule, v, to);
  if (from == 8 && size == 8) return as_.vmovups(to, source(i, 0, v));
  if (from == 8) {
    const Vector low = value(i, 0, 2 * v), high = value(i, 0, 2 * v + 1);
    if (size == 4) return convert_from_wide(rule, to, low, high);
    const Vector words = cache_.fresh();
    as_.narrow_words(words, low, high);
    return as_.truncate(to, words, 4, size);
  }
  const Vector both = as_words(rule.from, operand(i, 0, v / 2));
  Vector half = both;
  if (v % 2 != 0) {
    half = as_.scratch();
    as_.upper_half(half, both);
  }
  EmitRule words = rule;
  if (from < 4) words.from = with_sign(Scalar::i32, is_signed(rule.from));
  convert_to_wide(words, to, as_.half(half));
}

/// The vector at the place as integers of 32 bits.
Vector Emitter::as_words(Scalar type, std::uint32_t at) {
  const Vector given = cache_.value(at, as_.shape(size_of(type)));
  if (size_of(type) == 4) return given;
  const Vector words = cache_.fresh();
  as_.extend(words, given, type, 4);
  return words;
}
/// Between numbers of up to 32 bits, most of them by way of 32 bits.
void Emitter::convert_short(const Inst& i, const EmitRule& rule, std::uint32_t v,
                            const Vector& to) {
  const std::uint32_t from = size_of(rule.from), size = size_of(rule.type);
  EmitRule words = rule;
  Vector a = value(i, 0, v);
  if (from == size && is_float(rule.from) == is_float(rule.type) && size < 4)
    return as_.vmovaps(to, a);
  if (!is_float(rule.from) && !is_float(rule.type) && from < size)
    return as_.extend(to, a, rule.from, size);
  if (!is_float(rule.from) && !is_float(rule.type) && from > size)
    return as_.truncate(to, a, from, size);
  if (rule.from == Scalar::f16) {
    if (rule.type == Scalar::f32) return as_.vcvtph2ps(to, as_.half(a));
    words.from = Scalar::f32;
    a = widened(i, 0, v, cache_.fresh());
  } else if (from < 4) {
    words.from = Scalar::i32;
    a = as_words(rule.from, operand(i, 0, v));
  }
  if (size == 4) return convert_words(words, to, a);
  if (rule.type != Scalar::f16) return as_.truncate(to, saturated(a, rule.type), 4, size);
  if (words.from != Scalar::f32) {
    words.type = Scalar::f32;
    const Vector floats = cache_.fresh();
    convert_words(words, floats, a);
    a = floats;
  }
  as_.vcvtps2ph(as_.half(to), a, 0);
}
/// The nearest integers of 8 or 16 bits that are not farther from zero, in 32; zero for NaN.
Vector Emitter::saturated(const Vector& floats, Scalar type) {
  const auto bits = static_cast<int>(8 * size_of(type)) - (is_signed(type) ? 1 : 0);
  const auto bound = [&](float value) { return as_.constant(std::bit_cast<std::uint32_t>(value)); };
  const Vector whole = cache_.fresh();
  as_.zero_nan(whole, floats, Scalar::f32);
  as_.vmaxps(whole, whole, bound(is_signed(type) ? -static_cast<float>(1 << bits) : 0.0f));
  as_.vminps(whole, whole, bound(static_cast<float>((1 << bits) - 1)));
  as_.vcvttps2dq(whole, whole);
  return whole;
}

void Emitter::convert_words(const EmitRule& rule, const Vector& to, const Vector& from) {
  if (rule.type == rule.from || (!is_float(rule.type) && !is_float(rule.from)))
    return as_.vmovaps(to, from);
  if (rule.from == Scalar::i32) return as_.vcvtdq2ps(to, from);
  const Vector spare = cache_.fresh();
  if (rule.from == Scalar::u32) return as_.unsigned_to_float(to, from, spare);
  if (rule.type == Scalar::u32) {
    const Vector positive = cache_.fresh();
    as_.bit_xor(spare, spare, spare);
    as_.vmaxps(positive, from, spare);  // zero for NaN, too
    return as_.float_to_unsigned(to, positive, spare);
  }
  // Numbers that do not fit give the smallest one, whose bits are turned where the number is too large.
  const MaskRegister above = cache_.fresh_mask();
  as_.vmovups(spare, as_.constant(0x4f000000));  // 2^31
  as_.compare(above, Comparison::less_equal, Scalar::f32, spare, from);
  as_.zero_nan(spare, from, Scalar::f32);
  as_.bit_xor(to, spare, spare);
  as_.fill(to, above);
  as_.vcvttps2dq(spare, spare);
  as_.bit_xor(to, to, spare);
}

void Emitter::convert_to_wide(const EmitRule& rule, const Vector& to, const Vector& from) {
  if (rule.type == Scalar::f64) {
    if (rule.from == Scalar::f32) return as_.vcvtps2pd(to, from);
    if (rule.from == Scalar::i32) return as_.vcvtdq2pd(to, from);
    // The bits of 2^52 + the number.
    as_.vpmovzxdq(to, from);
    as_.bit_or(to, to, as_.wide_constant(std::bit_cast<std::uint64_t>(0x1p52)));
    return as_.vsubpd(to, to, as_.wide_constant(std::bit_cast<std::uint64_t>(0x1p52)));
  }
  rule.from == Scalar::i32 ? as_.vpmovsxdq(to, from) : as_.vpmovzxdq(to, from);
}

void Emitter::convert_from_wide(const EmitRule& rule, const Vector& to, const Vector& low,
                                const Vector& high) {
  if (rule.from != Scalar::f64) return as_.narrow_words(to, low, high);
  const Vector halves[] = {cache_.fresh(), cache_.fresh()};
  for (int k = 0; k < 2; ++k) {
    const Vector& half = halves[k];
    const Vector& from = k == 0 ? low : high;
    if (rule.type == Scalar::f32) {
      as_.vcvtpd2ps(as_.half(half), from);
      continue;
    }
    const bool has_sign = rule.type == Scalar::i32;
    const auto bound = [&](double value) {
      return as_.wide_constant(std::bit_cast<std::uint64_t>(value));
    };
    as_.zero_nan(half, from, Scalar::f64);
    as_.vmaxpd(half, half, bound(has_sign ? -0x1p31 : 0.0));
    as_.vminpd(half, half, bound(has_sign ? 0x1p31 - 1 : 0x1p32 - 1));
    if (has_sign) {
      as_.vcvttpd2dq(as_.half(half), half);
      continue;
    }
    // The lower bits of 2^52 + the number.
    as_.round(half, half, Rounding::to_zero, Scalar::f64);
    as_.vaddpd(half, half, bound(0x1p52));
  }
  if (rule.type == Scalar::u32) return as_.narrow_words(to, halves[0], halves[1]);
  as_.join_halves(to, halves[0], halves[1]);
}

}  // namespace lockstep::spirv

#endif
