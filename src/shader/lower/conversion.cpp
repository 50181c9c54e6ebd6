#include <utility>
#include <vector>

#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/pointer.hpp"

/// \file
/// Conversions between numbers, and the same bits as another type.

namespace lockstep::spirv {
namespace {

struct Conversion {
  spv::Op opcode;
  bool from_signed = false, to_signed = false;  ///< of integers
};
constexpr Conversion conversions[] = {
    {.opcode = spv::Op::OpConvertFToU},
    {.opcode = spv::Op::OpConvertFToS, .to_signed = true},
    {.opcode = spv::Op::OpConvertSToF, .from_signed = true},
    {.opcode = spv::Op::OpConvertUToF},
    {.opcode = spv::Op::OpUConvert},
    {.opcode = spv::Op::OpSConvert, .from_signed = true, .to_signed = true},
    {.opcode = spv::Op::OpFConvert},
};

/// How the instruction rounds; to the nearest number if it does not say.
spv::FPRoundingMode rounding_of(Lowering& l, const Instruction& i) {
  const auto* mode = l.module().decorations(i.result).find(spv::Decoration::FPRoundingMode);
  return mode == nullptr ? spv::FPRoundingMode::RTE : static_cast<spv::FPRoundingMode>(*mode);
}

/// A narrower float that was rounded to the nearest, as the next one towards zero where it is farther from zero than
/// the number that it was made of. Infinity becomes the largest number, unless it was infinite before.
Reg towards_zero(Lowering& l, Reg rounded, Reg from) {
  const Scalar narrow = l.scalar_type(rounded), wide = l.scalar_type(from);
  const Scalar bits = bits_of(size_of(narrow));
  const auto absolute = [&](Reg r) { return l.pure(Code::abs, wide, wide, {r}); };
  const Reg again = l.pure(Code::convert, wide, wide, {rounded}, narrow);
  const Reg beyond = l.pure(Code::less, wide, Scalar::boolean, {absolute(from), absolute(again)});
  const Reg as_bits = l.pure(Code::copy, bits, bits, {rounded}, narrow);
  const Reg below = l.pure(Code::sub, bits, bits, {as_bits, l.constant(bits, 1)});
  const Reg chosen = l.pure(Code::select, bits, bits, {beyond, below, as_bits});
  return l.pure(Code::copy, narrow, narrow, {chosen}, bits);
}

void lower_conversion(Lowering& l, const Instruction& i) {
  const spv::FPRoundingMode rounding = rounding_of(l, i);
  if (rounding != spv::FPRoundingMode::RTE && rounding != spv::FPRoundingMode::RTZ)
    l.unsupported(i, "with an FPRoundingMode other than RTE and RTZ");
  const Conversion& rule = rule_of(conversions, i.opcode);
  const Scalar to = l.types()[i.type].scalar;
  std::vector<Reg> out;
  for (const Reg r : l.components(i[0])) {
    out.push_back(l.pure(Code::convert, with_sign(to, rule.to_signed), to, {r},
                         with_sign(l.scalar_type(r), rule.from_signed)));
    const bool narrows =
        is_float(to) && is_float(l.scalar_type(r)) && size_of(to) < size_of(l.scalar_type(r));
    if (rounding == spv::FPRoundingMode::RTZ && narrows)
      out.back() = l.flushed(towards_zero(l, out.back(), r));
  }
  l.define(i.result, out);
}

void lower_quantize(Lowering& l, const Instruction& i) {
  std::vector<Reg> out;
  for (const Reg r : l.components(i[0]))
    out.push_back(l.pure(Code::quantize_f16, Scalar::f32, Scalar::f32, {r}));
  l.define(i.result, out);
}

/// The same bits as components of another size: vec2 of 32 bits to 64 bits, and so on.
void lower_bitcast(Lowering& l, const Instruction& i) {
  const Type& type = l.types()[i.type];
  const std::vector<Reg> from =
      l.is_pointer(i[0]) ? std::vector<Reg>{address_of(l, i[0], i)} : l.components(i[0]);
  if (from.empty() || type.components == 0)
    fail_at(i, "has an operand or result without components");
  const Scalar to = type.scalar;
  const std::uint32_t in = size_of(l.scalar_type(from[0])), out_bytes = size_of(to);
  std::vector<Reg> out;
  if (in == out_bytes) {
    // Registers hold bits; only their interpretation changes.
    for (const Reg r : from) out.push_back(l.pure(Code::copy, to, to, {r}, l.scalar_type(r)));
  } else if (in > out_bytes) {
    for (const Reg r : from) {
      for (std::uint32_t piece = 0; piece < in / out_bytes; ++piece)
        out.push_back(
            l.pure(Code::extract_piece, bits_of(out_bytes), to, {r}, bits_of(in), Piece{piece}));
    }
  } else {
    const std::uint32_t pieces = out_bytes / in;
    for (std::size_t k = 0; k + pieces <= from.size(); k += pieces) {
      Reg whole = l.pure(Code::convert, bits_of(out_bytes), to, {from[k]}, bits_of(in));
      for (std::uint32_t piece = 1; piece < pieces; ++piece)
        whole = l.pure(Code::join_pieces, bits_of(out_bytes), to, {whole, from[k + piece]},
                       bits_of(in), Piece{piece});
      out.push_back(whole);
    }
  }
  if (out.size() != type.components) fail_at(i, "has an operand and a result of different sizes");
  l.define(i.result, out);
}

}  // namespace

void add_conversions(OpcodeTable& table) {
  for (const Conversion& rule : conversions) table.add(rule.opcode, lower_conversion);
  table.add(spv::Op::OpQuantizeToF16, lower_quantize);
  for (const spv::Op op : {spv::Op::OpBitcast, spv::Op::OpConvertPtrToU, spv::Op::OpConvertUToPtr})
    table.add(op, lower_bitcast);
}

}  // namespace lockstep::spirv
