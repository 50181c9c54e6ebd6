#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <algorithm>

/// \file
/// Arithmetic on integers of 8 and 16 bits, in the lower quarter and the lower half of a vector register.

namespace lockstep::spirv {

void Emitter::narrow_add(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v), b = narrow(i, 1, v);
  size_of(rule.type) == 1 ? as_.vpaddb(part(to), a, b) : as_.vpaddw(part(to), a, b);
}
void Emitter::narrow_sub(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v), b = narrow(i, 1, v);
  size_of(rule.type) == 1 ? as_.vpsubb(part(to), a, b) : as_.vpsubw(part(to), a, b);
}
void Emitter::narrow_neg(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v), zero = part(as_.scratch());
  as_.bit_xor(zero, zero, zero);
  size_of(rule.type) == 1 ? as_.vpsubb(part(to), zero, a) : as_.vpsubw(part(to), zero, a);
}
void Emitter::narrow_abs(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v);
  size_of(rule.type) == 1 ? as_.vpabsb(part(to), a) : as_.vpabsw(part(to), a);
}

// ---- Products ----

void Emitter::narrow_mul(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v);
  const std::uint64_t* by = constant(i, 1);
  if (by != nullptr && size_of(rule.type) == 1) return multiply_bytes(part(to), a, *by);
  const Vector b = narrow(i, 1, v);
  size_of(rule.type) == 1 ? multiply_bytes(part(to), a, b) : as_.vpmullw(part(to), a, b);
}
/// There are only products of 16 bits: those of the lower bytes, and of the upper ones.
void Emitter::multiply_bytes(const Vector& to, const Vector& a, const Vector& b) {
  const Vector low = part(cache_.fresh()), upper = part(cache_.fresh()), high = part(as_.scratch());
  as_.vpmullw(low, a, b);
  as_.bit_and(low, low, as_.constant(0x00ff00ff));
  as_.bit_and(upper, b, as_.constant(0xff00ff00));
  as_.vpsrlw(high, a, 8);
  as_.vpmullw(high, high, upper);
  as_.bit_or(to, low, high);
}
void Emitter::multiply_bytes(const Vector& to, const Vector& a, std::uint64_t by) {
  const Vector low = part(cache_.fresh()), high = part(as_.scratch());
  const auto factor = static_cast<std::uint8_t>(by);
  if (factor == 3) {
    as_.vpaddb(low, a, a);
    return as_.vpaddb(to, low, a);
  }
  const auto each = as_.narrow_constant(factor, 2);
  as_.vpmullw(low, a, each);
  as_.bit_and(low, low, as_.constant(0x00ff00ff));
  as_.bit_and(high, a, as_.constant(0xff00ff00));
  as_.vpmullw(high, high, each);
  as_.bit_or(to, low, high);
}

// ---- Minima and maxima ----

void Emitter::narrow_minimum(Scalar type, const Vector& to, const Vector& a, const Vector& b) {
  const bool has_sign = is_signed(type);
  if (size_of(type) == 1) return has_sign ? as_.vpminsb(to, a, b) : as_.vpminub(to, a, b);
  has_sign ? as_.vpminsw(to, a, b) : as_.vpminuw(to, a, b);
}
void Emitter::narrow_maximum(Scalar type, const Vector& to, const Vector& a, const Vector& b) {
  const bool has_sign = is_signed(type);
  if (size_of(type) == 1) return has_sign ? as_.vpmaxsb(to, a, b) : as_.vpmaxub(to, a, b);
  has_sign ? as_.vpmaxsw(to, a, b) : as_.vpmaxuw(to, a, b);
}
void Emitter::narrow_min(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v), b = narrow(i, 1, v);
  narrow_minimum(rule.type, part(to), a, b);
}
void Emitter::narrow_max(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v), b = narrow(i, 1, v);
  narrow_maximum(rule.type, part(to), a, b);
}
void Emitter::narrow_clamp(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v), low = narrow(i, 1, v), high = narrow(i, 2, v);
  const Vector raised = part(as_.scratch());
  narrow_maximum(rule.type, raised, a, low);
  narrow_minimum(rule.type, part(to), raised, high);
}

// ---- Shifts ----

/// Counts wrap modulo the number of bits. There are shifts of 32 bits by a count of each lane.
void Emitter::narrow_shift(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const std::uint32_t bytes = size_of(rule.type);
  const Vector a = value(i, 0, v);
  if (const std::uint64_t* by = constant(i, 1))
    return shift_narrow(rule, part(to), part(a), static_cast<std::uint8_t>(*by % (8 * bytes)));
  const Vector counts = value(i, 1, v), wide = cache_.fresh(), by = as_.scratch();
  as_.extend(wide, a, rule.type, 4);
  as_.extend(by, counts, with_sign(rule.type, false), 4);
  as_.bit_and(by, by, as_.constant(8 * bytes - 1));
  if (shifts_left(rule))
    as_.vpsllvd(wide, wide, by);
  else
    is_signed(rule.type) ? as_.vpsravd(wide, wide, by) : as_.vpsrlvd(wide, wide, by);
  as_.truncate(to, wide, 4, bytes);
}
/// Bytes are shifted in pairs, which moves bits from one to the other.
void Emitter::shift_narrow(const EmitRule& rule, const Vector& to, const Vector& a,
                           std::uint8_t count) {
  const bool left = shifts_left(rule), has_sign = is_signed(rule.type);
  if (size_of(rule.type) == 2) {
    if (left) return as_.vpsllw(to, a, count);
    return has_sign ? as_.vpsraw(to, a, count) : as_.vpsrlw(to, a, count);
  }
  left ? as_.vpsllw(to, a, count) : as_.vpsrlw(to, a, count);
  as_.bit_and(to, to, as_.narrow_constant(left ? 0xffu << count : 0xffu >> count, 1));
  if (left || !has_sign) return;
  const auto sign = as_.narrow_constant(0x80u >> count, 1);
  as_.bit_xor(to, to, sign);
  as_.vpsubb(to, to, sign);
}

}  // namespace lockstep::spirv

#endif
