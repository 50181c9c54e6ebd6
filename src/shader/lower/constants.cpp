#include "shader/lower/constants.hpp"

#include <bit>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "shader/lower/cooperative_matrix.hpp"
#include "shader/lower/lower.hpp"
#include "shader/run/fold.hpp"

namespace lockstep::spirv {
namespace {

std::uint64_t low_bits(std::uint64_t value, Scalar type) {
  const std::uint32_t bytes = type == Scalar::boolean ? 8 : size_of(type);
  return bytes == 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

/// The bits that a chosen value gives a constant of the type.
std::uint64_t bits_as(const SpecConstant& value, Scalar type) {
  if (type == Scalar::boolean) {
    const bool is_real = !value.is_bits() && value.real<double>() != 0;
    return is_real || value.integer() != 0 ? 1 : 0;
  }
  if (value.is_bits() || !is_float(type)) return value.integer();
  if (type == Scalar::f32) return std::bit_cast<std::uint32_t>(value.real<float>());
  return fold_convert(type, Scalar::f64, std::bit_cast<std::uint64_t>(value.real<double>()));
}

/// The bits that the caller chose for the constant, or its own.
std::uint64_t specialized(Lowering& l, const Instruction& i, Scalar type, std::uint64_t bits) {
  const auto* id = l.module().decorations(i.result).find(spv::Decoration::SpecId);
  if (id == nullptr) return bits;
  const auto chosen = l.options().spec_constants.find(*id);
  if (chosen == l.options().spec_constants.end()) return bits;
  const std::uint32_t given = chosen->second.bytes();
  if (given != 0 && given != size_of(type))
    throw Error(
        fmt::format("{}: specialization constant {} ({}) has {} bytes, "
                    "but {} are given: give as "
                    "many as its type has",
                    l.module().file(), *id, l.module().name(i.result), size_of(type), given));
  return bits_as(chosen->second, type);
}

/// The value of a constant that is one number.
void define_number(Lowering& l, const Instruction& i, std::uint64_t bits) {
  const Type& type = l.types()[i.type];
  if (type.kind != Type::Kind::scalar) fail_at(i, "is not a scalar");
  bits = specialized(l, i, type.scalar, bits);
  l.define(i.result, l.constant(type.scalar, low_bits(bits, type.scalar)));
}

std::uint64_t literal(const Instruction& i, const Type& type) {
  return size_of(type.scalar) == 8 ? i[0] | std::uint64_t{i[1]} << 32 : i[0];
}

void lower_null(Lowering& l, const Instruction& i, const Type& type) {
  const bool is_pointer_to_memory = type.storage == spv::StorageClass::PhysicalStorageBuffer ||
                                    type.storage == spv::StorageClass::StorageBuffer ||
                                    type.storage == spv::StorageClass::Workgroup;
  if (type.kind == Type::Kind::pointer && !is_pointer_to_memory)
    l.unsupported(i, "for a pointer to this storage class");
  if (i.opcode == spv::Op::OpUndef) return lower_undefined(l, i);
  l.define(i.result, l.null_value(type));
}

void lower_constant_composite(Lowering& l, const Instruction& i, const Type& type) {
  std::vector<Reg> all;
  for (const Id part : i.operands) {
    const auto components = l.regs(part);
    all.insert(all.end(), components.begin(), components.end());
  }
  if (is_cooperative_matrix(type) && all.size() == 1)
    return l.define(i.result, replicated(l, i, type));
  if (all.size() != type.components)
    fail_at(i, "has a different number of components than its type");
  l.define(i.result, all);
}

/// The operation is lowered as in a function; with constant operands, its result is folded.
void lower_constant_operation(Lowering& l, const Instruction& i) {
  Instruction inner = i;
  inner.opcode = static_cast<spv::Op>(i[0]);
  inner.operands = i.operands.subspan(1);
  l.lower_instruction(inner);
  for (const Reg r : l.regs(i.result)) {
    if (!l.is_constant(r)) l.unsupported(i, name_of(inner.opcode));
  }
}

}  // namespace

void lower_undefined(Lowering& l, const Instruction& i) {
  using enum Type::Kind;
  const Type& type = l.types()[i.type];
  // Of what is no value, it does no harm without a use; the first use reports it.
  if (type.kind == image || type.kind == sampler || type.kind == sampled_image ||
      type.kind == runtime_array)
    return;
  l.define(i.result, l.undefined_value(type));
}

std::vector<Reg> replicated(Lowering& l, const Instruction& i, const Type& composite) {
  const std::vector<Reg> part = l.components(i[0]);
  const std::uint64_t count = composite.components;
  if (part.empty() || count == 0 || count > most_components || count % part.size() != 0)
    fail_at(i, "has a part that does not fill its type");
  std::vector<Reg> all;
  while (all.size() < count) all.insert(all.end(), part.begin(), part.end());
  return all;
}

bool is_constant(spv::Op op) {
  switch (op) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpConstant:
    case spv::Op::OpConstantComposite:
    case spv::Op::OpConstantNull:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpSpecConstantOp:
    case spv::Op::OpUndef:
      return true;
    default:
      return is_replicated_constant(op);
  }
}

void lower_constant(Lowering& l, const Instruction& i) {
  const Type& type = l.types()[i.type];
  switch (i.opcode) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
      return define_number(l, i, 1);
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      return define_number(l, i, literal(i, type));
    case spv::Op::OpConstantNull:
    case spv::Op::OpUndef:
      return lower_null(l, i, type);
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      return lower_constant_composite(l, i, type);
    case spv::Op::OpSpecConstantOp:
      return lower_constant_operation(l, i);
    default:
      return is_replicated_constant(i.opcode) ? l.define(i.result, replicated(l, i, type))
                                              : define_number(l, i, 0);
  }
}

}  // namespace lockstep::spirv
