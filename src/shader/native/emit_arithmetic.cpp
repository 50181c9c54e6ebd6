#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <algorithm>
#include <array>
#include <bit>

/// \file
/// Arithmetic on numbers and bools.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

std::uint32_t Emitter::operand(const Inst& i, int number, std::uint32_t v) const {
  return operand_place(i, number) + (i.varying(number) ? v * shape_.bytes : 0);
}
const std::uint64_t* Emitter::constant(const Inst& i, int number) const {
  if (i.varying(number)) return nullptr;
  const auto found = constants_.find(operand_place(i, number));
  return found == constants_.end() ? nullptr : &found->second;
}

void Emitter::arithmetic(const Inst& i, const EmitRule& rule) {
  cache_.begin_operation();
  if (rule.type == Scalar::boolean) return bool_arithmetic(i, rule);
  shape_ = as_.shape(size_of_operands(rule));
  if (is_comparison(rule.code)) {
    const auto masks = compare_vectors(i, rule);
    cache_.overwritten(i.dst, bool_bytes);
    for (std::uint32_t v = 0; v < masks.size(); ++v)
      cache_.keep_mask(masks[v], i.dst + v * as_.mask_bytes());
    return cache_.unlock();
  }
  const std::uint32_t count = vectors_of(i, as_.shape(size_of_numbers(rule)));
  for (std::uint32_t v = 0; v < count; ++v) arithmetic(i, rule, v);
}
/// Vector v of the result.
void Emitter::arithmetic(const Inst& i, const EmitRule& rule, std::uint32_t v) {
  const Shape shape = as_.shape(size_of_numbers(rule));
  const bool one = !i.varying_result() && !i.masked();
  cache_.begin_operation();
  // Only the active lanes get the result; in a simple loop those are all that matter.
  if (i.masked() && !owned(i.dst)) return masked_arithmetic(i, rule, shape, v);
  const std::uint32_t at = i.dst + v * shape.bytes;
  hold_operands(i, rule, v);
  const Vector to = cache_.result(at);
  compute(i, rule, v, to);
  cache_.keep(to, at, shape, one ? shape.vectors(chunk_lanes) : 1);
}
void Emitter::compute(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  if (const Fusion* fusion = fusion_of(i)) return emit_fusion(*fusion, rule, v, to);
  const InlineCode& code = inline_code(rule.code);
  const auto emit = is_narrow(rule.type)                               ? code.narrow
                    : rule.type == Scalar::f16 && code.half != nullptr ? code.half
                                                                       : code.emit;
  (this->*emit)(i, rule, v, to);
}
void Emitter::emit_fusion(const Fusion& fusion, const EmitRule& rule, std::uint32_t v,
                          const Vector& to) {
  const auto place = [&](std::size_t k) { return vector_place(fusion.operands[k], v); };
  if (fusion.kind == Fusion::Kind::rotate)
    return as_.rotate_right(to, cache_.source(place(0), shape_), fusion.number, size_of(rule.type));
  const Vector a = cache_.value(place(0), shape_), b = cache_.value(place(1), shape_);
  as_.combine(to, a, b, cache_.source(place(2), shape_), fusion.number);
}

/// The result does not take the registers of its operands.
void Emitter::hold_operands(const Inst& i, const EmitRule& rule, std::uint32_t v) {
  if (const Fusion* fusion = fusion_of(i)) {
    for (const Fusion::Operand& operand : fusion->operands) cache_.hold(vector_place(operand, v));
    return;
  }
  const auto [first, last] = number_operands(rule);
  if (size_of_operands(rule) == 8 && size_of_numbers(rule) < 8) {
    cache_.hold(operand(i, 0, 2 * v));
    return cache_.hold(operand(i, 0, 2 * v + 1));
  }
  if (size_of_operands(rule) < 8 && size_of_numbers(rule) == 8)
    return cache_.hold(operand(i, 0, v / 2));
  for (int number = first; number < last; ++number) cache_.hold(operand(i, number, v));
}
void Emitter::masked_arithmetic(const Inst& i, const EmitRule& rule, const Shape& shape,
                                std::uint32_t v) {
  const std::uint32_t at = i.dst + v * shape.bytes;
  const Vector all = cache_.value(at, shape);
  const MaskRegister active = cache_.active(mask_of(shape, v));
  if (rule.code == Code::copy) {
    const Source from = cache_.source(operand(i, 0, v), shape);
    as_.select_lanes(shape, v, all, active, all, from);
  } else {
    const Vector result = cache_.fresh();
    compute(i, rule, v, result);
    as_.select_lanes(shape, v, all, active, all, result);
  }
  cache_.keep(all, at, shape, 1);
}

/// An operation on bools: on their bits in memory, unless registers hold their masks.
void Emitter::bool_arithmetic(const Inst& i, const EmitRule& rule) {
  if (bool_arithmetic_of_masks(i, rule)) return;
  cache_.save_inside(i.a, bool_bytes);
  if (!takes_one_bool(rule)) cache_.save_inside(i.b, bool_bytes);
  for (std::uint32_t half = 0; half < bool_bytes; half += 8) {
    as_.mov(rax, ptr[r12 + i.a + half]);
    find_inline_bool_code(rule.code)->bits(as_, ptr[r12 + i.b + half]);
    as_.mov(ptr[r12 + i.dst + half], rax);
  }
  cache_.overwritten(i.dst, bool_bytes);
}
bool Emitter::bool_arithmetic_of_masks(const Inst& i, const EmitRule& rule) {
  const bool unary = takes_one_bool(rule);
  if (!i.varying_result() || !i.varying(0) || !cache_.holds_masks(i.a, vectors())) return false;
  if (!unary && (!i.varying(1) || !cache_.holds_masks(i.b, vectors()))) return false;
  // Registers for the result, distinct from the operands'.
  const auto room = static_cast<std::uint32_t>(as_.masks() == 0 ? 8 : as_.masks());
  if (vectors() * (unary ? 2 : 3) > room) return false;
  std::vector<MaskRegister> results;
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    const MaskRegister a = cache_.mask(i.a + v * as_.mask_bytes());
    const MaskRegister b = unary ? a : cache_.mask(i.b + v * as_.mask_bytes());
    cache_.lock(a);
    cache_.lock(b);
    const MaskRegister to = results.emplace_back(cache_.fresh_mask());
    cache_.lock(to);
    find_inline_bool_code(rule.code)->masks(as_, to, a, b);
  }
  cache_.overwritten(i.dst, bool_bytes);
  for (std::uint32_t v = 0; v < vectors(); ++v)
    cache_.keep_mask(results[v], i.dst + v * as_.mask_bytes());
  cache_.unlock();
  return true;
}

namespace {

Comparison comparison_of(Code code) {
  return code == Code::equal       ? Comparison::equal
         : code == Code::not_equal ? Comparison::not_equal
         : code == Code::less      ? Comparison::less
                                   : Comparison::less_equal;
}

}  // namespace

/// The mask of 32-bit lanes number v, locked.
MaskRegister Emitter::compare_vector(const Inst& i, const EmitRule& rule, std::uint32_t v) {
  const Comparison comparison = comparison_of(rule.code);
  cache_.begin_operation();
  if (size_of(rule.type) == 8) {
    MaskRegister holds[2];
    for (std::uint32_t half = 0; half < 2; ++half) {
      cache_.begin_operation();
      const Vector a = value(i, 0, 2 * v + half);
      const Source b = source(i, 1, 2 * v + half);
      holds[half] = cache_.fresh_mask();
      as_.compare_wide(holds[half], comparison, rule.type, a, b);
      cache_.lock(holds[half]);
    }
    as_.join_masks(holds[0], holds[1]);
    cache_.unlock(holds[1]);
    return holds[0];
  }
  if (rule.type == Scalar::f16) {
    const Vector a = widened(i, 0, v, cache_.fresh());
    const Vector b = widened(i, 1, v, cache_.fresh());
    const MaskRegister holds = cache_.fresh_mask();
    as_.compare(holds, comparison, Scalar::f32, a, b);
    cache_.lock(holds);
    return holds;
  }
  const Vector a = value(i, 0, v);
  if (is_narrow(rule.type)) {
    const Vector b = value(i, 1, v);
    const MaskRegister holds = cache_.fresh_mask();
    as_.compare_narrow(holds, comparison, rule.type, a, b);
    cache_.lock(holds);
    return holds;
  }
  const Source b = source(i, 1, v);
  const MaskRegister holds = cache_.fresh_mask();
  as_.compare(holds, comparison, rule.type, a, b);
  cache_.lock(holds);
  return holds;
}
/// The masks of a comparison, locked.
std::vector<MaskRegister> Emitter::compare_vectors(const Inst& i, const EmitRule& rule) {
  shape_ = as_.shape(size_of_operands(rule));
  std::vector<MaskRegister> masks;
  for (std::uint32_t v = 0; v < vectors(i, words_); ++v)
    masks.push_back(compare_vector(i, rule, v));
  return masks;
}

const InlineBoolCode* find_inline_bool_code(Code code) {
  using Address = Xbyak::Address;
  using M = MaskRegister;
  static constexpr InlineBoolCode all[] = {
      {Code::band, [](VectorAssembler& as, const Address& b) { as.and_(rax, b); },
       [](VectorAssembler& as, M to, M a, M b) { as.mask_and(to, a, b); }},
      {Code::bor, [](VectorAssembler& as, const Address& b) { as.or_(rax, b); },
       [](VectorAssembler& as, M to, M a, M b) { as.mask_or(to, a, b); }},
      {Code::bxor, [](VectorAssembler& as, const Address& b) { as.xor_(rax, b); },
       [](VectorAssembler& as, M to, M a, M b) { as.mask_xor(to, a, b); }},
      {Code::bnot, [](VectorAssembler& as, const Address&) { as.not_(rax); },
       [](VectorAssembler& as, M to, M a, M) { as.mask_not(to, a); }},
  };
  for (const InlineBoolCode& row : all)
    if (row.code == code) return &row;
  return nullptr;
}

/// The operand, of 16 bits, as floats of 32.
Vector Emitter::widened(const Inst& i, int number, std::uint32_t v, const Vector& to) {
  as_.vcvtph2ps(to, source(i, number, v).part(as_, shape_));
  return to;
}

void Emitter::emit_copy(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  if (size_of(rule.type) < 4) return as_.vmovaps(to, value(i, 0, v));
  as_.vmovups(to, source(i, 0, v));
}
void Emitter::emit_select(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const std::uint32_t at = i.a + (i.varying(0) ? mask_of(shape_, v) * as_.mask_bytes() : 0);
  const MaskRegister mask = cache_.mask(at);
  const Vector no = value(i, 2, v);
  as_.select_lanes(shape_, v, to, mask, no, source(i, 1, v));
}
void Emitter::emit_add(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  if (rule.type == Scalar::f16)
    return in_floats(i, v, to, [&](auto&... each) { as_.vaddps(each...); });
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  if (rule.type == Scalar::f64) return as_.vaddpd(to, a, b);
  if (size_of(rule.type) == 8) return as_.vpaddq(to, a, b);
  rule.type == Scalar::f32 ? as_.vaddps(to, a, b) : as_.vpaddd(to, a, b);
}
void Emitter::emit_sub(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  if (rule.type == Scalar::f16)
    return in_floats(i, v, to, [&](auto&... each) { as_.vsubps(each...); });
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  if (rule.type == Scalar::f64) return as_.vsubpd(to, a, b);
  if (size_of(rule.type) == 8) return as_.vpsubq(to, a, b);
  rule.type == Scalar::f32 ? as_.vsubps(to, a, b) : as_.vpsubd(to, a, b);
}
void Emitter::emit_mul(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  if (rule.type == Scalar::f16)
    return in_floats(i, v, to, [&](auto&... each) { as_.vmulps(each...); });
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  if (rule.type == Scalar::f64) return as_.vmulpd(to, a, b);
  if (rule.type == Scalar::f32) return as_.vmulps(to, a, b);
  const std::uint64_t* by = constant(i, 1);
  if (size_of(rule.type) == 8) {
    if (by != nullptr && std::has_single_bit(*by))
      return as_.vpsllq(to, a, static_cast<std::uint8_t>(std::countr_zero(*by)));
    const Vector spare = cache_.fresh(), other_spare = cache_.fresh();
    return as_.multiply_wide(to, a, b, spare, other_spare);
  }
  if (by != nullptr && multiply_by_shifts(to, a, static_cast<std::uint32_t>(*by))) return;
  if (const auto product = static_cast<Product>(i.imm); product != Product::words)
    return multiply_halves(product, to, a, b, by);
  as_.vpmulld(to, a, b);
}
/// The instruction adds two products of 16 bits; one of them is zero here.
void Emitter::multiply_halves(Product product, const Vector& to, const Vector& a,
                              const Xbyak::Operand& b, const std::uint64_t* by) {
  if (by != nullptr) return as_.vpmaddwd(to, a, as_.constant(static_cast<std::uint16_t>(*by)));
  if (product == Product::halves) return as_.vpmaddwd(to, a, b);
  as_.bit_and(as_.scratch(), a, as_.constant(0xffff));
  as_.vpmaddwd(to, as_.scratch(), b);
}
void Emitter::emit_neg(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  if (is_float(rule.type)) return as_.bit_xor(to, a, sign_bit(rule));
  as_.bit_xor(as_.scratch(), as_.scratch(), as_.scratch());
  size_of(rule.type) == 8 ? as_.vpsubq(to, as_.scratch(), a) : as_.vpsubd(to, as_.scratch(), a);
}
void Emitter::emit_band(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v);
  as_.bit_and(part(to), a, source(i, 1, v).part(as_, shape_));
}
void Emitter::emit_bor(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v);
  as_.bit_or(part(to), a, source(i, 1, v).part(as_, shape_));
}
void Emitter::emit_bxor(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v);
  as_.bit_xor(part(to), a, source(i, 1, v).part(as_, shape_));
}
void Emitter::emit_bnot(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  as_.bit_xor(to, a, as_.constant(~0u));
}
/// Multiplication takes ten cycles where an addition takes one.
bool Emitter::multiply_by_shifts(const Vector& to, const Vector& a, std::uint32_t by) {
  if (std::has_single_bit(by)) {
    as_.vpslld(to, a, static_cast<std::uint8_t>(std::countr_zero(by)));
    return true;
  }
  for (std::uint8_t k = 1; k < 8; ++k) {
    const bool adds = by == (1u << k) + 1;
    if (!adds && by != (1u << k) - 1) continue;
    as_.vpslld(as_.scratch(), a, k);
    adds ? as_.vpaddd(to, as_.scratch(), a) : as_.vpsubd(to, as_.scratch(), a);
    return true;
  }
  return false;
}
void Emitter::multiply(const Vector& to, const Vector& a, std::uint32_t by) {
  if (!multiply_by_shifts(to, a, by)) as_.vpmulld(to, a, as_.constant(by));
}
/// Offset + index * stride; all ones once the index is out of range, the offset is all ones or the sum is too large.
void Emitter::emit_chain(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector index = value(i, 1, v);
  constexpr std::uint64_t most = 0xfffffffe;
  const std::uint64_t limit = std::min(*static_cast<const std::uint64_t*>(i.args),
                                       i.imm == 0 ? most + 1 : most / i.imm + 1);
  const MaskRegister outside = cache_.fresh_mask();
  // The largest valid index is less than the index.
  if (limit == 0) return as_.vmovups(to, as_.constant(~0u));
  const Vector greatest = cache_.fresh();
  as_.vmovups(greatest, as_.constant(static_cast<std::uint32_t>(limit - 1)));
  as_.compare(outside, Comparison::less, Scalar::u32, greatest, index);
  if (i.imm == 1)
    as_.vmovups(to, index);
  else
    multiply(to, index, static_cast<std::uint32_t>(i.imm));
  if (const std::uint64_t* offset = constant(i, 0); offset == nullptr || *offset != 0) {
    const Vector before = value(i, 0, v);
    const MaskRegister beyond = cache_.fresh_mask();
    as_.vmovups(greatest, as_.constant(static_cast<std::uint32_t>(most)));
    as_.vpsubd(greatest, greatest, to);
    as_.compare(beyond, Comparison::less, Scalar::u32, greatest, before);
    as_.mask_or(outside, outside, beyond);
    as_.vpaddd(to, to, before);
  }
  as_.fill(to, outside);
}
/// Counts wrap modulo the number of bits.
void Emitter::emit_shift(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  if (size_of(rule.type) == 8) return shift_wide(i, rule, v, to);
  const Vector a = value(i, 0, v);
  const bool has_sign = rule.type == Scalar::i32, left = shifts_left(rule);
  if (const std::uint64_t* by = constant(i, 1)) {
    const auto count = static_cast<std::uint8_t>(*by % 32);
    if (left) return as_.vpslld(to, a, count);
    return has_sign ? as_.vpsrad(to, a, count) : as_.vpsrld(to, a, count);
  }
  const Vector low = as_.scratch();
  as_.vmovups(low, as_.constant(31));
  as_.bit_and(low, low, source(i, 1, v));
  if (left) return as_.vpsllvd(to, a, low);
  return has_sign ? as_.vpsravd(to, a, low) : as_.vpsrlvd(to, a, low);
}
void Emitter::shift_wide(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  const bool has_sign = rule.type == Scalar::i64, left = shifts_left(rule);
  if (const std::uint64_t* by = constant(i, 1)) {
    const auto count = static_cast<std::uint8_t>(*by % 64);
    if (left) return as_.vpsllq(to, a, count);
    if (!has_sign) return as_.vpsrlq(to, a, count);
    return as_.shift_wide_signed(to, a, count, cache_.fresh());
  }
  const Vector low = as_.scratch();
  as_.vmovups(low, as_.wide_constant(63));
  as_.bit_and(low, low, source(i, 1, v));
  if (left) return as_.vpsllvq(to, a, low);
  if (!has_sign) return as_.vpsrlvq(to, a, low);
  as_.shift_wide_signed(to, a, low, cache_.fresh());
}

}  // namespace lockstep::spirv

#endif
