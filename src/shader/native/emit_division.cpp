#if LOCKSTEP_SPIRV_NATIVE

#include <bit>
#include <cstdlib>

#include "shader/native/divisors.hpp"
#include "shader/native/emitter.hpp"

/// \file
/// Division. Of integers by zero, quotient and remainder are zero, as the functions of lanes have them.

namespace lockstep::spirv {

void Emitter::emit_div(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const std::uint64_t* by = is_float(rule.type) ? nullptr : constant(i, 1);
  if (by == nullptr && !is_float(rule.type)) return divide(i, rule, v, to);
  const Vector a = value(i, 0, v);
  if (rule.type == Scalar::f32) return as_.vdivps(to, a, source(i, 1, v));
  if (rule.type == Scalar::f64) return as_.vdivpd(to, a, source(i, 1, v));
  const auto divisor = static_cast<std::uint32_t>(*by);
  if (divisor == 0) return as_.bit_xor(to, to, to);
  rule.type == Scalar::i32 ? signed_quotient_by(divisor, to, a) : quotient_by(divisor, 32, to, a);
}
/// With the sign of the divisor.
void Emitter::emit_mod(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const std::uint64_t* by = constant(i, 1);
  if (by == nullptr) return divide(i, rule, v, to);
  const auto divisor = static_cast<std::uint32_t>(*by);
  const Vector a = value(i, 0, v);
  if (divisor == 0) return as_.bit_xor(to, to, to);
  if (rule.type == Scalar::i32) return signed_mod_by(divisor, to, a);
  if (std::has_single_bit(divisor)) return as_.bit_and(to, a, as_.constant(divisor - 1));
  const Vector quotient = cache_.fresh();
  quotient_by(divisor, 32, quotient, a);
  multiply(quotient, quotient, divisor);
  as_.vpsubd(to, a, quotient);
}
/// With the sign of the dividend.
void Emitter::emit_rem(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  if (rule.type != Scalar::i32) return emit_mod(i, rule, v, to);
  const std::uint64_t* by = constant(i, 1);
  if (by == nullptr) return divide(i, rule, v, to);
  const auto divisor = static_cast<std::uint32_t>(*by);
  const Vector a = value(i, 0, v);
  if (divisor == 0) return as_.bit_xor(to, to, to);
  const Vector quotient = cache_.fresh();
  signed_quotient_by(divisor, quotient, a);
  multiply(quotient, quotient, divisor);
  as_.vpsubd(to, a, quotient);
}

// ---- By constants ----

/// Of numbers below 2^bits.
void Emitter::quotient_by(std::uint32_t divisor, unsigned bits, const Vector& to, const Vector& a) {
  if (std::has_single_bit(divisor))
    return as_.vpsrld(to, a, static_cast<std::uint8_t>(std::countr_zero(divisor)));
  const UnsignedDivisor by = unsigned_divisor(divisor, bits);
  const Vector spare = cache_.fresh();
  const Xbyak::Address factor = as_.constant(by.factor), addend = as_.wide_constant(by.factor);
  if (by.before != 0) as_.vpsrld(to, a, by.before);
  as_.multiply_high(to, Scalar::u32, by.before != 0 ? to : a, factor, true, spare,
                    by.adds ? &addend : nullptr);
  as_.vpsrld(to, to, by.after);
}

void Emitter::signed_quotient_by(std::uint32_t divisor, const Vector& to, const Vector& a) {
  const bool negative = static_cast<std::int32_t>(divisor) < 0;
  const std::uint32_t size = negative ? 0 - divisor : divisor;
  if (std::has_single_bit(size))
    return signed_quotient_by_power(static_cast<unsigned>(std::countr_zero(size)), negative, to, a);
  const SignedDivisor by = signed_divisor(size);
  const Vector spare = cache_.fresh(), quotient = cache_.fresh();
  as_.multiply_high(quotient, Scalar::i32, a, as_.constant(static_cast<std::uint32_t>(by.factor)),
                    true, spare);
  if (by.adds) as_.vpaddd(quotient, quotient, a);
  if (by.after != 0) as_.vpsrad(quotient, quotient, by.after);
  // Less the sign, which adds one to negative quotients.
  as_.vpsrad(as_.scratch(), a, 31);
  negative ? as_.vpsubd(to, as_.scratch(), quotient) : as_.vpsubd(to, quotient, as_.scratch());
}
/// Negative numbers are rounded down by the shift, unless the divisor less one is added before.
void Emitter::signed_quotient_by_power(unsigned log, bool negative, const Vector& to,
                                       const Vector& a) {
  Vector quotient = a;
  const Vector zero = cache_.fresh();
  if (log != 0) {
    quotient = as_.scratch();
    as_.vpsrad(quotient, a, 31);
    as_.vpsrld(quotient, quotient, static_cast<std::uint8_t>(32 - log));
    as_.vpaddd(quotient, quotient, a);
    as_.vpsrad(quotient, quotient, static_cast<std::uint8_t>(log));
  }
  if (!negative) return as_.vmovaps(to, quotient);
  as_.bit_xor(zero, zero, zero);
  as_.vpsubd(to, zero, quotient);
}
/// A negative number x has the quotient ~(~x / divisor), rounded down.
void Emitter::signed_mod_by(std::uint32_t divisor, const Vector& to, const Vector& a) {
  const bool negative = static_cast<std::int32_t>(divisor) < 0;
  const std::uint32_t size = negative ? 0 - divisor : divisor;
  if (std::has_single_bit(size)) {
    as_.bit_and(to, a, as_.constant(size - 1));
  } else {
    const Vector quotient = cache_.fresh(), sign = cache_.fresh();
    as_.vpsrad(sign, a, 31);
    as_.bit_xor(quotient, a, sign);
    quotient_by(size, 31, quotient, quotient);
    as_.bit_xor(quotient, quotient, sign);
    multiply(quotient, quotient, size);
    as_.vpsubd(to, a, quotient);
  }
  if (!negative) return;
  // Less the size where it is not zero.
  const Vector less = as_.scratch();
  as_.bit_xor(less, less, less);
  as_.vpsubd(less, less, to);
  as_.vpsrad(less, less, 31);
  as_.bit_and(less, less, as_.constant(divisor));
  as_.vpaddd(to, to, less);
}

// ---- By variables ----

/// Divides magnitudes, then gives the quotient or the remainder its sign.
void Emitter::divide(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v), b = value(i, 1, v);
  const Vector quotient = cache_.fresh(), rest = cache_.fresh(), spare = cache_.fresh();
  const bool is_quotient = inline_code(rule.code).emit == &Emitter::emit_div;
  const Vector& wanted = is_quotient ? quotient : rest;
  const Vector sign = as_.scratch();
  if (rule.type != Scalar::i32) {
    as_.divide(quotient, rest, a, b, spare);
    as_.clear_where_zero(wanted, b);
    return as_.vmovaps(to, wanted);
  }
  const Vector x = cache_.fresh(), y = cache_.fresh();
  as_.vpabsd(x, a);
  as_.vpabsd(y, b);
  as_.divide(quotient, rest, x, y, spare);
  as_.clear_where_zero(wanted, b);
  if (is_quotient)
    as_.bit_xor(sign, a, b);
  else
    as_.vmovaps(sign, a);
  as_.vpsrad(sign, sign, 31);
  as_.bit_xor(wanted, wanted, sign);
  if (is_quotient || inline_code(rule.code).emit == &Emitter::emit_rem)
    return as_.vpsubd(to, wanted, sign);
  as_.vpsubd(rest, wanted, sign);
  // Plus the divisor where it and the remainder have different signs: one of r and -r is negative unless both are zero.
  as_.bit_xor(spare, spare, spare);
  as_.vpsubd(spare, spare, rest);
  as_.bit_or(spare, spare, rest);
  as_.bit_xor(sign, rest, b);
  as_.bit_and(sign, sign, spare);
  as_.vpsrad(sign, sign, 31);
  as_.bit_and(sign, sign, b);
  as_.vpaddd(to, rest, sign);
}

}  // namespace lockstep::spirv

#endif
