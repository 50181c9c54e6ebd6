#if LOCKSTEP_SPIRV_NATIVE

#include <algorithm>

#include "shader/native/emitter.hpp"

/// \file
/// Integers of 32 bits: bit fields, bit counts, carries, and the upper halves of products. The results are those of
/// include/lockstep/glsl/functions/integer.hpp.

namespace lockstep::spirv {

void Emitter::emit_mul_high(const Inst& i, const EmitRule& rule, std::uint32_t v,
                            const Vector& to) {
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  as_.multiply_high(to, rule.type, a, b, !i.varying(1), cache_.fresh());
}
/// The sum is less than its operands where it does not fit, and the difference where it is negative.
void Emitter::emit_carry(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  if (rule.code != Code::add_carry) return as_.less_as_number(to, rule.type, a, b);
  const Vector sum = cache_.fresh();
  as_.vpaddd(sum, a, b);
  as_.less_as_number(to, rule.type, sum, a);
}

void Emitter::emit_bit_reverse(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  as_.reverse_bits(to, a, cache_.fresh());
}
void Emitter::emit_bit_count(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  as_.vmovups(to, source(i, 0, v));
  as_.count_bits(to, cache_.fresh());
}
/// The highest one of the bits that the number and its negative share.
void Emitter::emit_find_lsb(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v), negative = as_.scratch();
  as_.bit_xor(negative, negative, negative);
  as_.vpsubd(negative, negative, a);
  as_.bit_and(to, a, negative);
  as_.highest_bit(to, to);
}
void Emitter::emit_find_msb(const Inst& i, const EmitRule& rule, std::uint32_t v,
                            const Vector& to) {
  const Vector a = value(i, 0, v);
  if (rule.type != Scalar::i32) return as_.highest_bit(to, a);
  as_.vpsrad(as_.scratch(), a, 31);
  as_.bit_xor(to, a, as_.scratch());
  as_.highest_bit(to, to);
}
void Emitter::emit_sign(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  if (rule.type != Scalar::i32) return as_.vpminud(to, a, as_.constant(1));
  as_.vpmaxsd(to, a, as_.constant(~0u));
  as_.vpminsd(to, to, as_.constant(1));
}

// ---- Fields ----

namespace {

/// Ones, as many as bits; all of them if those are too many.
std::uint32_t ones(std::uint64_t bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }

}  // namespace

void Emitter::emit_bit_extract(const Inst& i, const EmitRule& rule, std::uint32_t v,
                               const Vector& to) {
  const bool has_sign = rule.type == Scalar::i32;
  const std::uint64_t *offset = constant(i, 1), *bits = constant(i, 2);
  const Vector a = value(i, 0, v);
  if (offset != nullptr && bits != nullptr) {
    return extract_field(static_cast<std::uint32_t>(*offset % 32),
                         std::min(static_cast<std::uint32_t>(*bits), 32u), has_sign, to, a);
  }
  // First the field and all bits above it.
  const Vector field = cache_.fresh(), count = as_.scratch();
  if (offset != nullptr) {
    as_.vpsrld(field, a, static_cast<std::uint8_t>(*offset % 32));
  } else {
    as_.vmovups(count, as_.constant(31));
    as_.bit_and(count, count, source(i, 1, v));
    as_.vpsrlvd(field, a, count);
  }
  if (bits != nullptr) {
    if (!has_sign || *bits == 0) return as_.bit_and(to, field, as_.constant(ones(*bits)));
    const auto above = static_cast<std::uint8_t>(32 - std::min<std::uint64_t>(*bits, 32));
    as_.vpslld(field, field, above);
    return as_.vpsrad(to, field, above);
  }
  if (!has_sign) {
    as_.vmovups(count, as_.constant(~0u));
    as_.vpsllvd(count, count, source(i, 2, v));
    return as_.bit_clear(to, field, count);
  }
  const Vector above = cache_.fresh();
  as_.vmovups(count, as_.constant(32));
  as_.vpminud(above, count, source(i, 2, v));
  as_.vpsubd(above, count, above);
  as_.vpsllvd(field, field, above);
  as_.vpsravd(to, field, above);
}
/// A field that is too long ends with zeros.
void Emitter::extract_field(std::uint32_t offset, std::uint32_t bits, bool has_sign,
                            const Vector& to, const Vector& a) {
  if (bits == 0) return as_.bit_xor(to, to, to);
  const auto down = static_cast<std::uint8_t>(offset);
  if (offset + bits > 32) return as_.vpsrld(to, a, down);
  const auto above = static_cast<std::uint8_t>(32 - offset - bits);
  if (has_sign) {
    as_.vpslld(to, a, above);
    return as_.vpsrad(to, to, static_cast<std::uint8_t>(32 - bits));
  }
  if (above == 0) return as_.vpsrld(to, a, down);
  if (offset == 0) return as_.bit_and(to, a, as_.constant(ones(bits)));
  as_.vpsrld(to, a, down);
  as_.bit_and(to, to, as_.constant(ones(bits)));
}

void Emitter::emit_bit_insert(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector base = value(i, 0, v), inserted = value(i, 1, v);
  const Vector field = cache_.fresh(), part = cache_.fresh();
  field_bits(i, v, field);
  shift_up(i, 2, v, part, inserted);
  as_.choose_bits(to, field, part, base);
}
/// The bits that are replaced.
void Emitter::field_bits(const Inst& i, std::uint32_t v, const Vector& to) {
  const std::uint64_t *offset = constant(i, 2), *bits = constant(i, 3);
  if (offset != nullptr && bits != nullptr)
    return as_.vmovups(to, as_.constant(ones(*bits) << (*offset % 32)));
  if (bits != nullptr) {
    as_.vmovups(to, as_.constant(ones(*bits)));
  } else {
    as_.vmovups(as_.scratch(), as_.constant(~0u));
    as_.vpsllvd(to, as_.scratch(), source(i, 3, v));
    as_.bit_xor(to, to, as_.scratch());
  }
  shift_up(i, 2, v, to, to);
}
/// By an operand, modulo 32.
void Emitter::shift_up(const Inst& i, int count, std::uint32_t v, const Vector& to,
                       const Vector& a) {
  if (const std::uint64_t* by = constant(i, count))
    return as_.vpslld(to, a, static_cast<std::uint8_t>(*by % 32));
  as_.vmovups(as_.scratch(), as_.constant(31));
  as_.bit_and(as_.scratch(), as_.scratch(), source(i, count, v));
  as_.vpsllvd(to, a, as_.scratch());
}

}  // namespace lockstep::spirv

#endif
