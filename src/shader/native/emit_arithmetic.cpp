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
  const std::uint32_t places[] = {i.a, i.b, i.c};
  return places[number] + (i.varying(number) ? v * as_.vector_bytes() : 0);
}
const std::uint32_t* Emitter::constant(const Inst& i, int number) const {
  const std::uint32_t places[] = {i.a, i.b, i.c};
  if (i.varying(number)) return nullptr;
  const auto found = constants_.find(places[number]);
  return found == constants_.end() ? nullptr : &found->second;
}

void Emitter::arithmetic(const Inst& i, const EmitRule& rule) {
  cache_.begin_operation();
  if (rule.type == Scalar::boolean) return bool_arithmetic(i, rule);
  if (is_comparison(rule.code)) {
    const auto masks = compare_vectors(i, rule);
    cache_.overwritten(i.dst, bool_bytes);
    for (std::uint32_t v = 0; v < masks.size(); ++v)
      cache_.keep_mask(masks[v], i.dst + v * as_.mask_bytes());
    return cache_.unlock();
  }
  // Only the active lanes get the result; in a simple loop those are all that matter.
  const bool masked = i.masked() && !owned(i.dst);
  const std::uint32_t count = vectors_of(i);
  const bool twice = count == 1 && as_.vector_bytes() < register_chunk_bytes;
  for (std::uint32_t v = 0; v < count; ++v) {
    cache_.begin_operation();
    if (masked) {
      masked_arithmetic(i, rule, v);
      continue;
    }
    const std::uint32_t at = i.dst + v * as_.vector_bytes();
    const auto [first, last] = number_operands(rule);
    for (int number = first; number < last; ++number) cache_.hold(operand(i, number, v));
    const Vector to = cache_.result(at);
    (this->*inline_code(rule.code).emit)(i, rule, v, to);
    cache_.keep(to, at, twice);
  }
}
void Emitter::masked_arithmetic(const Inst& i, const EmitRule& rule, std::uint32_t v) {
  const std::uint32_t at = i.dst + v * as_.vector_bytes();
  const Vector all = cache_.value(at);
  const MaskRegister active = cache_.active(v);
  if (rule.code == Code::copy) {
    const Source from = cache_.source(operand(i, 0, v));
    as_.select(all, active, all, from);
  } else {
    const Vector result = cache_.fresh();
    (this->*inline_code(rule.code).emit)(i, rule, v, result);
    as_.select(all, active, all, result);
  }
  cache_.keep(all, at, false);
}

/// An operation on bools: on their bits in memory, unless registers hold their masks.
void Emitter::bool_arithmetic(const Inst& i, const EmitRule& rule) {
  if (bool_arithmetic_of_masks(i, rule)) return;
  cache_.save_inside(i.a, bool_bytes);
  if (rule.code != Code::bnot) cache_.save_inside(i.b, bool_bytes);
  for (std::uint32_t half = 0; half < bool_bytes; half += 8) {
    as_.mov(rax, ptr[r12 + i.a + half]);
    find_inline_bool_code(rule.code)->bits(as_, ptr[r12 + i.b + half]);
    as_.mov(ptr[r12 + i.dst + half], rax);
  }
  cache_.overwritten(i.dst, bool_bytes);
}
bool Emitter::bool_arithmetic_of_masks(const Inst& i, const EmitRule& rule) {
  const bool unary = rule.code == Code::bnot;
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

/// The masks of a comparison, locked.
std::vector<MaskRegister> Emitter::compare_vectors(const Inst& i, const EmitRule& rule) {
  const Comparison comparison = rule.code == Code::equal       ? Comparison::equal
                                : rule.code == Code::not_equal ? Comparison::not_equal
                                : rule.code == Code::less      ? Comparison::less
                                                               : Comparison::less_equal;
  std::vector<MaskRegister> masks;
  for (std::uint32_t v = 0; v < vectors(i); ++v) {
    cache_.begin_operation();
    const Vector a = cache_.value(operand(i, 0, v));
    const Source b = cache_.source(operand(i, 1, v));
    const MaskRegister holds = cache_.fresh_mask();
    as_.compare(holds, comparison, rule.type, a, b);
    cache_.lock(holds);
    masks.push_back(holds);
  }
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

const InlineCode& Emitter::inline_code(Code code) {
  using enum InlineCode::On;
  constexpr auto pure_operations = static_cast<std::size_t>(Code::move);
  static constexpr auto all = [] {
    std::array<InlineCode, pure_operations> rows;
    const auto row = [&rows](Code c) -> InlineCode& { return rows[static_cast<std::size_t>(c)]; };
    row(Code::copy) = {words, 0, 1, &Emitter::emit_copy};
    row(Code::select) = {words, 1, 3, &Emitter::emit_select};
    row(Code::add) = {words, 0, 2, &Emitter::emit_add};
    row(Code::sub) = {words, 0, 2, &Emitter::emit_sub};
    row(Code::mul) = {words, 0, 2, &Emitter::emit_mul};
    row(Code::div) = {words, 0, 2, &Emitter::emit_div};
    row(Code::mod) = {integers, 0, 1, &Emitter::emit_mod};
    row(Code::neg) = {words, 0, 1, &Emitter::emit_neg};
    row(Code::band) = {integers, 0, 2, &Emitter::emit_band};
    row(Code::bor) = {integers, 0, 2, &Emitter::emit_bor};
    row(Code::bxor) = {integers, 0, 2, &Emitter::emit_bxor};
    row(Code::bnot) = {integers, 0, 1, &Emitter::emit_bnot};
    row(Code::min) = {integers, 0, 2, &Emitter::emit_min};
    row(Code::max) = {integers, 0, 2, &Emitter::emit_max};
    row(Code::shl) = {integers, 0, 2, &Emitter::emit_shift};
    row(Code::shr) = {integers, 0, 2, &Emitter::emit_shift};
    row(Code::chain) = {integers, 1, 2, &Emitter::emit_chain};
    return rows;
  }();
  return all[static_cast<std::size_t>(code)];
}

void Emitter::emit_copy(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  as_.vmovups(to, source(i, 0, v));
}
void Emitter::emit_select(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const std::uint32_t at = i.a + (i.varying(0) ? v * as_.mask_bytes() : 0);
  const MaskRegister mask = cache_.mask(at);
  const Vector no = value(i, 2, v);
  as_.select(to, mask, no, source(i, 1, v));
}
void Emitter::emit_add(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  rule.type == Scalar::f32 ? as_.vaddps(to, a, b) : as_.vpaddd(to, a, b);
}
void Emitter::emit_sub(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  rule.type == Scalar::f32 ? as_.vsubps(to, a, b) : as_.vpsubd(to, a, b);
}
void Emitter::emit_mul(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const bool real = rule.type == Scalar::f32;
  const Vector a = value(i, 0, v);
  if (const std::uint32_t* by = constant(i, 1); by != nullptr && !real) return multiply(to, a, *by);
  const Source b = source(i, 1, v);
  real ? as_.vmulps(to, a, b) : as_.vpmulld(to, a, b);
}
void Emitter::emit_div(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  if (rule.type == Scalar::f32) return as_.vdivps(to, a, source(i, 1, v));
  as_.vpsrld(to, a, static_cast<std::uint8_t>(i.imm));
}
void Emitter::emit_mod(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  as_.bit_and(to, a, as_.constant(static_cast<std::uint32_t>(i.imm)));
}
void Emitter::emit_neg(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  if (rule.type == Scalar::f32) return as_.bit_xor(to, a, as_.constant(0x80000000u));
  as_.bit_xor(as_.scratch(), as_.scratch(), as_.scratch());
  as_.vpsubd(to, as_.scratch(), a);
}
void Emitter::emit_band(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  as_.bit_and(to, a, source(i, 1, v));
}
void Emitter::emit_bor(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  as_.bit_or(to, a, source(i, 1, v));
}
void Emitter::emit_bxor(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  as_.bit_xor(to, a, source(i, 1, v));
}
void Emitter::emit_bnot(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  as_.bit_xor(to, a, as_.constant(~0u));
}
void Emitter::emit_min(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  rule.type == Scalar::i32 ? as_.vpminsd(to, a, b) : as_.vpminud(to, a, b);
}
void Emitter::emit_max(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = value(i, 0, v);
  const Source b = source(i, 1, v);
  rule.type == Scalar::i32 ? as_.vpmaxsd(to, a, b) : as_.vpmaxud(to, a, b);
}
/// Multiplication takes ten cycles where an addition takes one.
void Emitter::multiply(const Vector& to, const Vector& a, std::uint32_t by) {
  if (by != 0 && (by & (by - 1)) == 0)
    return as_.vpslld(to, a, static_cast<std::uint8_t>(std::countr_zero(by)));
  for (std::uint8_t k = 1; k < 8; ++k) {
    if (by != (1u << k) + 1) continue;
    as_.vpslld(as_.scratch(), a, k);
    return as_.vpaddd(to, as_.scratch(), a);
  }
  as_.vpmulld(to, a, as_.constant(by));
}
/// Index * stride; all ones once the index is out of range or the product is too large.
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
  as_.fill(to, outside);
}
/// Counts wrap modulo 32.
void Emitter::emit_shift(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = cache_.value(operand(i, 0, v));
  const bool has_sign = rule.type == Scalar::i32;
  if (const std::uint32_t* by = constant(i, 1)) {
    const auto count = static_cast<std::uint8_t>(*by % 32);
    if (rule.code == Code::shl) return as_.vpslld(to, a, count);
    return has_sign ? as_.vpsrad(to, a, count) : as_.vpsrld(to, a, count);
  }
  const Vector low = as_.scratch();
  as_.vmovups(low, as_.constant(31));
  as_.bit_and(low, low, cache_.source(operand(i, 1, v)));
  if (rule.code == Code::shl) return as_.vpsllvd(to, a, low);
  return has_sign ? as_.vpsravd(to, a, low) : as_.vpsrlvd(to, a, low);
}

}  // namespace lockstep::spirv

#endif
