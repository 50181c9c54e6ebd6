#include <algorithm>

#include <fmt/format.h>

#include "spirv/lower/lower.hpp"

/// \file
/// Arithmetic, conversions, vectors and matrices: everything becomes operations on components.

namespace lockstep::spirv {
void Lowering::lower_instruction(const Instruction& i) {
  switch (i.opcode) {
    case spv::Op::OpNop:
    case spv::Op::OpName:
    case spv::Op::OpSourceContinued:
    case spv::Op::OpModuleProcessed:
      return;
    case spv::Op::OpUndef:
      define(i.result, undefined_value(types_[i.type]));
      return;
    case spv::Op::OpFunctionCall:
      call_function(i);
      return;
    case spv::Op::OpExtInst:
      lower_extended(i);
      return;
    default:
      break;
  }
  const bool done = lower_memory(i) || lower_composite(i) || lower_arithmetic(i) ||
                    lower_conversion(i) || lower_matrix(i) || lower_dot_product(i) ||
                    lower_subgroup(i) || lower_atomic(i) || lower_image(i) || lower_sampling(i);
  if (!done) unsupported(i);
  check_result(i);
}

/// That the value is what its type says: what comes later relies on it.
void Lowering::check_result(const Instruction& i) {
  if (i.result == 0 || i.type == 0 || i.result >= values_.size()) return;
  const Value& value = values_[i.result];
  if (!value.known || value.pointer >= 0) return;
  const Type& type = types_[i.type];
  if (type.kind != Type::Kind::nothing && value.count != type.components)
    fail_at(i,
            fmt::format("gives {} components where its type has {}", value.count, type.components));
}

std::vector<Reg> Lowering::select_components(Reg condition, std::span<const Reg> a,
                                             std::span<const Reg> b) {
  if (a.size() != b.size()) fail_at(where_, "the sides of a choice have different types");
  const std::vector<Reg> left(a.begin(), a.end()), right(b.begin(), b.end());
  std::vector<Reg> out;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const Scalar type = ir_.regs[left[k]].type;
    out.push_back(pure(Code::select, type, type, {condition, left[k], right[k]}));
  }
  return out;
}

bool Lowering::lower_composite(const Instruction& i) {
  switch (i.opcode) {
    case spv::Op::OpCompositeConstruct: {
      std::vector<Reg> all;
      for (const Id part : i.operands) {
        if (part < values_.size() && values_[part].known && values_[part].pointer >= 0) {
          all.push_back(address(pointer(part), i));
          continue;
        }
        const auto components = regs(part);
        all.insert(all.end(), components.begin(), components.end());
      }
      if (all.size() != types_[i.type].components) fail_at(i, "does not fit its type");
      define(i.result, all);
      return true;
    }
    case spv::Op::OpCompositeExtract: {
      const Type* type = &type_of(i[0]);
      std::uint64_t offset = 0;
      for (std::size_t k = 1; k < i.operands.size(); ++k) {
        const Type& element = types_.element(*type, i[k]);
        offset += types_.component_offset(*type, i[k]);
        type = &element;
      }
      const auto all = regs(i[0]);
      if (offset + type->components > all.size()) fail_at(i, "takes what is not there");
      define(i.result, all.subspan(offset, type->components));
      return true;
    }
    case spv::Op::OpCompositeInsert: {
      const Type* type = &types_[i.type];
      std::uint64_t offset = 0;
      for (std::size_t k = 2; k < i.operands.size(); ++k) {
        const Type& element = types_.element(*type, i[k]);
        offset += types_.component_offset(*type, i[k]);
        type = &element;
      }
      std::vector<Reg> all(regs(i[1]).begin(), regs(i[1]).end());
      const auto part = regs(i[0]);
      if (offset + part.size() > all.size()) fail_at(i, "puts a part where there is no room");
      std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(offset));
      define(i.result, all);
      return true;
    }
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical:
    case spv::Op::OpExpectKHR:
      if (i[0] >= values_.size() || !values_[i[0]].known)
        fail_at(i, fmt::format("%{} is used before it has a value", i[0]));
      values_[i.result] = values_[i[0]];
      return true;
    case spv::Op::OpVectorShuffle: {
      std::vector<Reg> from(regs(i[0]).begin(), regs(i[0]).end());
      from.insert(from.end(), regs(i[1]).begin(), regs(i[1]).end());
      std::vector<Reg> out;
      for (std::size_t k = 2; k < i.operands.size(); ++k) {
        if (i[k] == 0xffffffff)
          out.push_back(undefined(types_[i.type].scalar, 0));
        else if (i[k] < from.size())
          out.push_back(from[i[k]]);
        else
          fail_at(i, "takes a component that is not there");
      }
      define(i.result, out);
      return true;
    }
    case spv::Op::OpVectorExtractDynamic: {
      const std::vector<Reg> from(regs(i[0]).begin(), regs(i[0]).end());
      const Reg index = as_u32(scalar_of(i, 1));
      Reg out = from[0];
      for (std::size_t k = 1; k < from.size(); ++k) {
        const Reg here =
            pure(Code::equal, Scalar::u32, Scalar::boolean, {index, constant(Scalar::u32, k)});
        out = pure(Code::select, ir_.regs[out].type, ir_.regs[out].type, {here, from[k], out});
      }
      define(i.result, out);
      return true;
    }
    case spv::Op::OpVectorInsertDynamic: {
      std::vector<Reg> all(regs(i[0]).begin(), regs(i[0]).end());
      const Reg part = scalar_of(i, 1);
      const Reg index = as_u32(scalar_of(i, 2));
      for (std::size_t k = 0; k < all.size(); ++k) {
        const Reg here =
            pure(Code::equal, Scalar::u32, Scalar::boolean, {index, constant(Scalar::u32, k)});
        all[k] = pure(Code::select, ir_.regs[part].type, ir_.regs[part].type, {here, part, all[k]});
      }
      define(i.result, all);
      return true;
    }
    case spv::Op::OpSelect: {
      if (types_[i.type].kind == Type::Kind::pointer) {
        const Reg a = address(pointer(i[1]), i), b = address(pointer(i[2]), i);
        define(i.result, pure(Code::select, Scalar::u64, Scalar::u64, {scalar_of(i, 0), a, b}));
        return true;
      }
      const std::vector<Reg> condition(regs(i[0]).begin(), regs(i[0]).end());
      if (condition.size() == 1) {
        define(i.result, select_components(condition[0], regs(i[1]), regs(i[2])));
        return true;
      }
      std::vector<Reg> out;
      for (std::size_t k = 0; k < condition.size(); ++k) {
        if (k >= regs(i[1]).size() || k >= regs(i[2]).size()) fail_at(i, "has unequal operands");
        const Reg a = regs(i[1])[k], b = regs(i[2])[k];
        out.push_back(pure(Code::select, ir_.regs[a].type, ir_.regs[a].type, {condition[k], a, b}));
      }
      define(i.result, out);
      return true;
    }
    default:
      return false;
  }
}

/// One operation for each component; all operands have as many components as the result.
void Lowering::component_wise(const Instruction& i, Code code, bool as_signed, bool as_unsigned) {
  const Scalar result = types_[i.type].scalar;
  const std::size_t count = regs(i[0]).size();
  std::vector<Reg> out;
  for (std::size_t k = 0; k < count; ++k) {
    Scalar type = ir_.regs[regs(i[0])[k]].type;
    if (as_signed || as_unsigned) type = with_sign(type, as_signed);
    if (i.operands.size() == 1) {
      out.push_back(pure(code, type, result, {regs(i[0])[k]}));
      continue;
    }
    if (regs(i[1]).size() != count) fail_at(i, "has operands of unequal sizes");
    const Reg a = regs(i[0])[k];
    Reg b = regs(i[1])[k];
    // A shift's count may have another width than what is shifted.
    if ((code == Code::shl || code == Code::shr) &&
        size_of(ir_.regs[b].type) != size_of(ir_.regs[a].type))
      b = pure(Code::convert, type, type, {b}, ir_.regs[b].type);
    out.push_back(pure(code, type, result, {a, b}));
  }
  define(i.result, out);
}

void Lowering::compare(const Instruction& i, Code code, bool as_signed, bool swap, bool negate,
                       bool unordered) {
  const std::size_t count = regs(i[0]).size();
  if (regs(i[1]).size() != count) fail_at(i, "has operands of unequal sizes");
  std::vector<Reg> out;
  for (std::size_t k = 0; k < count; ++k) {
    Reg a = regs(i[0])[k], b = regs(i[1])[k];
    const Scalar type = with_sign(ir_.regs[a].type, as_signed);
    if (swap) std::swap(a, b);
    Reg answer = pure(code, type, Scalar::boolean, {a, b});
    if (negate) answer = pure(Code::bnot, Scalar::boolean, Scalar::boolean, {answer});
    if (unordered) {
      // Ordered and not equal: neither may be NaN.
      for (const Reg r : {a, b}) {
        const Reg number = pure(Code::equal, type, Scalar::boolean, {r, r});
        answer = pure(Code::band, Scalar::boolean, Scalar::boolean, {answer, number});
      }
    }
    out.push_back(answer);
  }
  define(i.result, out);
}

bool Lowering::lower_arithmetic(const Instruction& i) {
  const auto each = [&](Code code) { component_wise(i, code, false, false); };
  const auto each_signed = [&](Code code) { component_wise(i, code, true, false); };
  const auto each_unsigned = [&](Code code) { component_wise(i, code, false, true); };
  const auto order = [&](Code code, bool negative, bool swap) {
    compare(i, code, negative, swap, false, false);
  };
  // a < b or unordered is not (b <= a).
  const auto unordered = [&](Code code, bool swap) { compare(i, code, false, swap, true, false); };
  switch (i.opcode) {
    case spv::Op::OpIAdd:
    case spv::Op::OpFAdd:
      return each(Code::add), true;
    case spv::Op::OpISub:
    case spv::Op::OpFSub:
      return each(Code::sub), true;
    case spv::Op::OpIMul:
    case spv::Op::OpFMul:
      return each(Code::mul), true;
    case spv::Op::OpFDiv:
      return each(Code::div), true;
    case spv::Op::OpFRem:
      return each(Code::rem), true;
    case spv::Op::OpFMod:
      return each(Code::mod), true;
    case spv::Op::OpSDiv:
      return each_signed(Code::div), true;
    case spv::Op::OpUDiv:
      return each_unsigned(Code::div), true;
    case spv::Op::OpSMod:
      return each_signed(Code::mod), true;
    case spv::Op::OpUMod:
      return each_unsigned(Code::mod), true;
    case spv::Op::OpSRem:
      return each_signed(Code::rem), true;
    case spv::Op::OpSNegate:
    case spv::Op::OpFNegate:
      return each(Code::neg), true;
    case spv::Op::OpNot:
    case spv::Op::OpLogicalNot:
      return each(Code::bnot), true;
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return each(Code::band), true;
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return each(Code::bor), true;
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpLogicalNotEqual:
      return each(Code::bxor), true;
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpIEqual:
    case spv::Op::OpFOrdEqual:
      return order(Code::equal, false, false), true;
    case spv::Op::OpINotEqual:
    case spv::Op::OpFUnordNotEqual:
      return order(Code::not_equal, false, false), true;
    case spv::Op::OpFOrdNotEqual:
    case spv::Op::OpLessOrGreater:
      compare(i, Code::not_equal, false, false, false, true);
      return true;
    case spv::Op::OpFUnordEqual: {
      // Equal, or one of them is NaN: not (ordered and not equal).
      compare(i, Code::not_equal, false, false, false, true);
      const std::vector<Reg> answers(regs(i.result).begin(), regs(i.result).end());
      std::vector<Reg> out;
      for (const Reg r : answers)
        out.push_back(pure(Code::bnot, Scalar::boolean, Scalar::boolean, {r}));
      define(i.result, out);
      return true;
    }
    case spv::Op::OpOrdered:
    case spv::Op::OpUnordered: {
      std::vector<Reg> out;
      for (std::size_t k = 0; k < regs(i[0]).size(); ++k) {
        const Reg a = regs(i[0])[k], b = regs(i[1])[k];
        const Scalar type = ir_.regs[a].type;
        const Code code = i.opcode == spv::Op::OpOrdered ? Code::equal : Code::not_equal;
        const Code join = i.opcode == spv::Op::OpOrdered ? Code::band : Code::bor;
        const Reg left = pure(code, type, Scalar::boolean, {a, a});
        const Reg right = pure(code, type, Scalar::boolean, {b, b});
        out.push_back(pure(join, Scalar::boolean, Scalar::boolean, {left, right}));
      }
      define(i.result, out);
      return true;
    }
    case spv::Op::OpULessThan:
    case spv::Op::OpFOrdLessThan:
      return order(Code::less, false, false), true;
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpFOrdGreaterThan:
      return order(Code::less, false, true), true;
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpFOrdLessThanEqual:
      return order(Code::less_equal, false, false), true;
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpFOrdGreaterThanEqual:
      return order(Code::less_equal, false, true), true;
    case spv::Op::OpSLessThan:
      return order(Code::less, true, false), true;
    case spv::Op::OpSGreaterThan:
      return order(Code::less, true, true), true;
    case spv::Op::OpSLessThanEqual:
      return order(Code::less_equal, true, false), true;
    case spv::Op::OpSGreaterThanEqual:
      return order(Code::less_equal, true, true), true;
    case spv::Op::OpFUnordLessThan:
      return unordered(Code::less_equal, true), true;
    case spv::Op::OpFUnordGreaterThan:
      return unordered(Code::less_equal, false), true;
    case spv::Op::OpFUnordLessThanEqual:
      return unordered(Code::less, true), true;
    case spv::Op::OpFUnordGreaterThanEqual:
      return unordered(Code::less, false), true;
    case spv::Op::OpShiftLeftLogical:
      return each_unsigned(Code::shl), true;
    case spv::Op::OpShiftRightLogical:
      return each_unsigned(Code::shr), true;
    case spv::Op::OpShiftRightArithmetic:
      return each_signed(Code::shr), true;
    case spv::Op::OpBitReverse:
      return each_unsigned(Code::bit_reverse), true;
    case spv::Op::OpIsNan:
      return each(Code::is_nan), true;
    case spv::Op::OpIsInf:
      return each(Code::is_inf), true;
    case spv::Op::OpBitCount: {
      std::vector<Reg> out;
      const std::vector<Reg> from(regs(i[0]).begin(), regs(i[0]).end());
      const Scalar result = types_[i.type].scalar;
      for (const Reg r : from) {
        const Scalar type = with_sign(ir_.regs[r].type, false);
        const Reg count = pure(Code::bit_count, type, Scalar::i32, {r});
        out.push_back(size_of(result) == 4
                          ? count
                          : pure(Code::convert, result, result, {count}, Scalar::i32));
      }
      define(i.result, out);
      return true;
    }
    case spv::Op::OpBitFieldInsert:
    case spv::Op::OpBitFieldSExtract:
    case spv::Op::OpBitFieldUExtract: {
      const bool insert = i.opcode == spv::Op::OpBitFieldInsert;
      const Reg offset = as_u32(scalar_of(i, insert ? 2 : 1));
      const Reg bits = as_u32(scalar_of(i, insert ? 3 : 2));
      std::vector<Reg> out;
      const std::size_t count = regs(i[0]).size();
      for (std::size_t k = 0; k < count; ++k) {
        const Reg base = regs(i[0])[k];
        const Scalar type = with_sign(ir_.regs[base].type, i.opcode == spv::Op::OpBitFieldSExtract);
        if (insert) {
          if (regs(i[1]).size() != count) fail_at(i, "has operands of unequal sizes");
          out.push_back(pure(Code::bit_insert, type, type, {base, regs(i[1])[k], offset, bits}));
        } else {
          out.push_back(pure(Code::bit_extract, type, type, {base, offset, bits}));
        }
      }
      define(i.result, out);
      return true;
    }
    case spv::Op::OpIAddCarry:
    case spv::Op::OpISubBorrow:
    case spv::Op::OpUMulExtended:
    case spv::Op::OpSMulExtended: {
      const bool is_product =
          i.opcode == spv::Op::OpUMulExtended || i.opcode == spv::Op::OpSMulExtended;
      const Code low = i.opcode == spv::Op::OpIAddCarry    ? Code::add
                       : i.opcode == spv::Op::OpISubBorrow ? Code::sub
                                                           : Code::mul;
      const Code high = is_product         ? Code::mul_high
                        : low == Code::add ? Code::add_carry
                                           : Code::sub_borrow;
      std::vector<Reg> lows, highs;
      for (std::size_t k = 0; k < regs(i[0]).size(); ++k) {
        if (k >= regs(i[1]).size()) fail_at(i, "has operands of unequal sizes");
        const Reg a = regs(i[0])[k], b = regs(i[1])[k];
        const Scalar type = with_sign(ir_.regs[a].type, i.opcode == spv::Op::OpSMulExtended);
        lows.push_back(pure(low, type, type, {a, b}));
        highs.push_back(pure(high, type, type, {a, b}));
      }
      lows.insert(lows.end(), highs.begin(), highs.end());
      define(i.result, lows);
      return true;
    }
    case spv::Op::OpAny:
    case spv::Op::OpAll: {
      const std::vector<Reg> parts(regs(i[0]).begin(), regs(i[0]).end());
      Reg out = parts[0];
      for (std::size_t k = 1; k < parts.size(); ++k)
        out = pure(i.opcode == spv::Op::OpAny ? Code::bor : Code::band, Scalar::boolean,
                   Scalar::boolean, {out, parts[k]});
      define(i.result, out);
      return true;
    }
    default:
      return false;
  }
}

void Lowering::convert(const Instruction& i, bool from_signed, bool to_signed) {
  const Scalar to = types_[i.type].scalar;
  const std::vector<Reg> from(regs(i[0]).begin(), regs(i[0]).end());
  std::vector<Reg> out;
  for (const Reg r : from) {
    const Scalar source = with_sign(ir_.regs[r].type, from_signed);
    const Scalar target = with_sign(to, to_signed);
    out.push_back(pure(Code::convert, target, to, {r}, source));
  }
  define(i.result, out);
}

/// The same bits in components of another size: vec2 of 32 bits to 64 bits, and the like.
void Lowering::bitcast(const Instruction& i) {
  const Type& type = types_[i.type];
  std::vector<Reg> from;
  if (i[0] < values_.size() && values_[i[0]].known && values_[i[0]].pointer >= 0)
    from.push_back(address(pointer(i[0]), i));
  else
    from.assign(regs(i[0]).begin(), regs(i[0]).end());
  if (from.empty() || type.components == 0) fail_at(i, "is of what has no bits");
  const Scalar to = type.scalar;
  const std::uint32_t in = size_of(ir_.regs[from[0]].type), out_bytes = size_of(to);
  std::vector<Reg> out;
  if (in == out_bytes) {
    for (const Reg r : from) {
      // Registers hold bits; only how they are read changes.
      out.push_back(pure(Code::copy, to, to, {r}, ir_.regs[r].type));
    }
  } else if (in > out_bytes) {
    for (const Reg r : from) {
      for (std::uint32_t piece = 0; piece < in / out_bytes; ++piece)
        out.push_back(
            pure(Code::extract_piece, bits_of(out_bytes), to, {r}, bits_of(in), Piece{piece}));
    }
  } else {
    const std::uint32_t pieces = out_bytes / in;
    for (std::size_t k = 0; k + pieces <= from.size(); k += pieces) {
      Reg whole = pure(Code::convert, bits_of(out_bytes), to, {from[k]}, bits_of(in));
      for (std::uint32_t piece = 1; piece < pieces; ++piece)
        whole = pure(Code::join_pieces, bits_of(out_bytes), to, {whole, from[k + piece]},
                     bits_of(in), Piece{piece});
      out.push_back(whole);
    }
  }
  if (out.size() != type.components) fail_at(i, "the sizes do not match");
  define(i.result, out);
}

bool Lowering::lower_conversion(const Instruction& i) {
  switch (i.opcode) {
    case spv::Op::OpConvertFToU:
      return convert(i, false, false), true;
    case spv::Op::OpConvertFToS:
      return convert(i, false, true), true;
    case spv::Op::OpConvertSToF:
      return convert(i, true, false), true;
    case spv::Op::OpConvertUToF:
      return convert(i, false, false), true;
    case spv::Op::OpUConvert:
      return convert(i, false, false), true;
    case spv::Op::OpSConvert:
      return convert(i, true, true), true;
    case spv::Op::OpFConvert:
      return convert(i, false, false), true;
    case spv::Op::OpQuantizeToF16: {
      std::vector<Reg> out;
      const std::vector<Reg> from(regs(i[0]).begin(), regs(i[0]).end());
      for (const Reg r : from)
        out.push_back(pure(Code::quantize_f16, Scalar::f32, Scalar::f32, {r}));
      define(i.result, out);
      return true;
    }
    case spv::Op::OpBitcast:
    case spv::Op::OpConvertPtrToU:
    case spv::Op::OpConvertUToPtr:
      return bitcast(i), true;
    default:
      return false;
  }
}

Reg Lowering::dot(std::span<const Reg> a, std::span<const Reg> b, Scalar type) {
  if (a.size() != b.size() || a.empty()) fail_at(where_, "operands of unequal sizes");
  const std::vector<Reg> left(a.begin(), a.end()), right(b.begin(), b.end());
  Reg sum = pure(Code::mul, type, type, {left[0], right[0]});
  for (std::size_t k = 1; k < left.size(); ++k)
    sum = pure(Code::add, type, type, {sum, pure(Code::mul, type, type, {left[k], right[k]})});
  return sum;
}

/// The columns of m, each times a component of v, added from the first to the last.
std::vector<Reg> Lowering::matrix_times_vector(std::span<const Reg> m, std::span<const Reg> v,
                                               std::size_t rows, Scalar type) {
  const std::vector<Reg> matrix(m.begin(), m.end()), vector(v.begin(), v.end());
  if (matrix.size() != rows * vector.size()) fail_at(where_, "operands of unequal sizes");
  std::vector<Reg> out;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Reg> row;
    for (std::size_t c = 0; c < vector.size(); ++c) row.push_back(matrix[c * rows + r]);
    out.push_back(dot(row, vector, type));
  }
  return out;
}

bool Lowering::lower_matrix(const Instruction& i) {
  const auto vector_of = [&](std::size_t k) {
    return std::vector<Reg>(regs(i[k]).begin(), regs(i[k]).end());
  };
  const auto rows_of = [&](std::size_t k) {
    const Type& type = type_of(i[k]);
    if (type.kind != Type::Kind::matrix) fail_at(i, "takes a matrix");
    return static_cast<std::size_t>(types_[type.element].count);
  };
  switch (i.opcode) {
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar: {
      const Reg factor = scalar_of(i, 1);
      std::vector<Reg> out;
      for (const Reg r : vector_of(0))
        out.push_back(pure(Code::mul, ir_.regs[r].type, ir_.regs[r].type, {r, factor}));
      define(i.result, out);
      return true;
    }
    case spv::Op::OpDot:
      define(i.result, dot(vector_of(0), vector_of(1), types_[i.type].scalar));
      return true;
    case spv::Op::OpMatrixTimesVector:
      define(i.result,
             matrix_times_vector(vector_of(0), vector_of(1), rows_of(0), types_[i.type].scalar));
      return true;
    case spv::Op::OpVectorTimesMatrix: {
      const std::size_t rows = rows_of(1);
      const std::vector<Reg> m = vector_of(1);
      std::vector<Reg> out;
      for (std::size_t c = 0; c < m.size() / rows; ++c)
        out.push_back(
            dot(vector_of(0), std::span(m).subspan(c * rows, rows), types_[i.type].scalar));
      define(i.result, out);
      return true;
    }
    case spv::Op::OpMatrixTimesMatrix: {
      const std::size_t rows = rows_of(0), inner = rows_of(1);
      const std::vector<Reg> b = vector_of(1);
      std::vector<Reg> out;
      for (std::size_t c = 0; c < b.size() / inner; ++c) {
        const auto column = matrix_times_vector(
            vector_of(0), std::span(b).subspan(c * inner, inner), rows, types_[i.type].scalar);
        out.insert(out.end(), column.begin(), column.end());
      }
      define(i.result, out);
      return true;
    }
    case spv::Op::OpOuterProduct: {
      std::vector<Reg> out;
      const Scalar type = types_[i.type].scalar;
      for (const Reg c : vector_of(1)) {
        for (const Reg r : vector_of(0)) out.push_back(pure(Code::mul, type, type, {r, c}));
      }
      define(i.result, out);
      return true;
    }
    case spv::Op::OpTranspose: {
      const std::size_t rows = rows_of(0);
      const std::vector<Reg> m = vector_of(0);
      std::vector<Reg> out;
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < m.size() / rows; ++c) out.push_back(m[c * rows + r]);
      }
      define(i.result, out);
      return true;
    }
    default:
      return false;
  }
}

/// OpSDot and its kin: products of small integers, added in the result's width.
bool Lowering::lower_dot_product(const Instruction& i) {
  bool left_signed = false, right_signed = false, accumulate = false;
  switch (i.opcode) {
    case spv::Op::OpSDot:
    case spv::Op::OpSDotAccSat:
      left_signed = right_signed = true;
      break;
    case spv::Op::OpSUDot:
    case spv::Op::OpSUDotAccSat:
      left_signed = true;
      break;
    case spv::Op::OpUDot:
    case spv::Op::OpUDotAccSat:
      break;
    default:
      return false;
  }
  accumulate = i.opcode == spv::Op::OpSDotAccSat || i.opcode == spv::Op::OpSUDotAccSat ||
               i.opcode == spv::Op::OpUDotAccSat;
  const Scalar result = with_sign(types_[i.type].scalar, left_signed);
  const auto unpack = [&](std::size_t k, bool negative) {
    std::vector<Reg> parts(regs(i[k]).begin(), regs(i[k]).end());
    if (parts.size() == 1 && size_of(ir_.regs[parts[0]].type) == 4) {
      const Reg packed = parts[0];
      parts.clear();
      for (std::uint32_t piece = 0; piece < 4; ++piece)
        parts.push_back(
            pure(Code::extract_piece, Scalar::u8, Scalar::u8, {packed}, Scalar::u32, Piece{piece}));
    }
    for (Reg& r : parts)
      r = pure(Code::convert, result, result, {r}, with_sign(ir_.regs[r].type, negative));
    return parts;
  };
  const std::vector<Reg> a = unpack(0, left_signed), b = unpack(1, right_signed);
  Reg sum = dot(a, b, result);
  if (accumulate) sum = pure(Code::add_sat, result, result, {sum, scalar_of(i, 2)});
  define(i.result, sum);
  return true;
}

}  // namespace lockstep::spirv
