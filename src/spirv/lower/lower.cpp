#include "spirv/lower/lower.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "spirv/exec/fold.hpp"
#include "spirv/lower/opcode_table.hpp"

namespace lockstep::spirv {
namespace {

std::uint64_t low_bits(std::uint64_t value, Scalar type) {
  const std::uint32_t bytes = type == Scalar::boolean ? 8 : size_of(type);
  return bytes == 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

bool is_global_constant(spv::Op op) {
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
      return false;
  }
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

bool is_type(spv::Op op) {
  return op >= spv::Op::OpTypeVoid && op <= spv::Op::OpTypeForwardPointer;
}

}  // namespace

Ir lower(const Module& module, const LowerOptions& options) {
  return Lowering(module, options).run();
}

Lowering::Lowering(const Module& module, const LowerOptions& options)
    : Builder(module), options_(options) {}

Ir Lowering::run() {
  const EntryPoint* entry = nullptr;
  std::string known;
  for (const EntryPoint& e : module_.entry_points()) {
    if (e.model != spv::ExecutionModel::GLCompute) continue;
    if (e.name == options_.entry) entry = &e;
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", e.name);
  }
  if (entry == nullptr)
    throw Error(fmt::format("{}: has no compute entry point '{}'; it has {}", module_.file(),
                            options_.entry, known.empty() ? "none" : known));
  lower_globals();
  find_local_size(entry->function);
  lower_entry(entry->function);
  return std::move(ir_);
}

void Lowering::lower_instruction(const Instruction& i) {
  const OpcodeTable::Handler handler = opcode_table().find(i.opcode);
  if (handler == nullptr) unsupported(i);
  handler(*this, i);
  check_result(i);
}

void Lowering::lower_globals() {
  for (const Instruction* i : module_.globals()) {
    where_ = i->where;
    if (is_type(i->opcode) || is_global_constant(i->opcode))
      lower_type_or_constant(*i);
    else if (i->opcode == spv::Op::OpVariable)
      lower_variable(*i);
  }
}

void Lowering::lower_type_or_constant(const Instruction& i) {
  if (is_type(i.opcode))
    types_.add(i, [&](Id length) { return constant_bits(length); });
  else
    lower_constant(i);
}

void Lowering::lower_constant(const Instruction& i) {
  const Type& type = types_[i.type];
  std::uint64_t bits = 0;
  switch (i.opcode) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
      bits = 1;
      break;
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      bits = i[0];
      if (size_of(type.scalar) == 8) bits |= std::uint64_t{i[1]} << 32;
      break;
    case spv::Op::OpConstantNull:
    case spv::Op::OpUndef:
      if (type.kind == Type::Kind::pointer &&
          type.storage != spv::StorageClass::PhysicalStorageBuffer &&
          type.storage != spv::StorageClass::StorageBuffer &&
          type.storage != spv::StorageClass::Workgroup)
        unsupported(i, "of a pointer to that storage class");
      define(i.result, i.opcode == spv::Op::OpUndef ? undefined_value(type) : null_value(type));
      return;
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite: {
      std::vector<Reg> all;
      for (const Id part : i.operands) {
        const auto components = regs(part);
        all.insert(all.end(), components.begin(), components.end());
      }
      if (all.size() != type.components) fail_at(i, "does not fit its type");
      define(i.result, all);
      workgroup_size_constant(i);
      return;
    }
    case spv::Op::OpSpecConstantOp: {
      Instruction inner = i;
      inner.opcode = static_cast<spv::Op>(i[0]);
      inner.operands = i.operands.subspan(1);
      lower_instruction(inner);
      for (const Reg r : regs(i.result)) {
        if (!is_constant(r)) unsupported(i, name_of(inner.opcode));
      }
      return;
    }
    default:
      break;
  }
  if (type.kind != Type::Kind::scalar) fail_at(i, "is not a scalar");
  bits = specialized(i, type.scalar, bits);
  define(i.result, constant(type.scalar, low_bits(bits, type.scalar)));
}

/// The bits that the caller chose for the constant, or its own.
std::uint64_t Lowering::specialized(const Instruction& i, Scalar type, std::uint64_t bits) {
  const auto* id = module_.decorations(i.result).find(spv::Decoration::SpecId);
  if (id == nullptr) return bits;
  const auto chosen = options_.spec_constants.find(*id);
  if (chosen == options_.spec_constants.end()) return bits;
  const std::uint32_t given = chosen->second.bytes();
  if (given != 0 && given != size_of(type))
    throw Error(
        fmt::format("{}: specialization constant {} ({}) has {} bytes, but {} are given: give as "
                    "many as its type has",
                    module_.file(), *id, module_.name(i.result), size_of(type), given));
  return bits_as(chosen->second, type);
}

/// A constant with the decoration WorkgroupSize determines the invocations of a workgroup.
void Lowering::workgroup_size_constant(const Instruction& i) {
  const auto* built_in = module_.decorations(i.result).find(spv::Decoration::BuiltIn);
  if (built_in == nullptr || static_cast<spv::BuiltIn>(*built_in) != spv::BuiltIn::WorkgroupSize)
    return;
  const auto size = regs(i.result);
  if (size.size() != 3) fail_at(i, "takes three components");
  for (std::size_t k = 0; k < 3; ++k)
    ir_.local_size[k] = static_cast<std::uint32_t>(ir_.regs[size[k]].value);
  has_workgroup_size_ = true;
}

void Lowering::find_local_size(Id entry) {
  const auto take = [&](spv::ExecutionMode mode, bool ids) {
    const Instruction* i = module_.execution_mode(entry, mode);
    if (i == nullptr) return;
    for (std::size_t k = 0; k < 3; ++k)
      ir_.local_size[k] =
          ids ? static_cast<std::uint32_t>(constant_bits((*i)[2 + k])) : (*i)[2 + k];
  };
  if (!has_workgroup_size_) {
    take(spv::ExecutionMode::LocalSize, false);
    take(spv::ExecutionMode::LocalSizeId, true);
  }
  std::uint64_t invocations = 1;
  for (const std::uint32_t n : ir_.local_size) {
    if (n == 0 || n > 1u << 16 || (invocations *= n) > 1u << 16)
      throw Error(
          fmt::format("{}: the local size is {} x {} x {}; 1 to 65536 invocations are "
                      "supported",
                      module_.file(), ir_.local_size[0], ir_.local_size[1], ir_.local_size[2]));
  }
}

void Lowering::lower_variable(const Instruction& i) {
  const Type& type = types_[i.type];
  if (type.kind != Type::Kind::pointer) fail_at(i, "is not a pointer");
  const Type& pointee = types_[type.element];
  switch (type.storage) {
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PushConstant:
      buffer_variable(i, pointee, type.storage);
      break;
    case spv::StorageClass::Workgroup:
      workgroup_variable(i, pointee);
      break;
    case spv::StorageClass::Input:
      built_in_variable(i, pointee);
      break;
    case spv::StorageClass::Private:
    case spv::StorageClass::Function:
      register_variable(i, pointee);
      break;
    case spv::StorageClass::UniformConstant:
      image_variable(i, pointee);
      break;
    default:
      // Unused variables do no harm; the first use reports that they are unknown.
      break;
  }
}

void Lowering::buffer_variable(const Instruction& i, const Type& pointee,
                               spv::StorageClass storage) {
  const Decorations& decorations = module_.decorations(i.result);
  const auto number = [&](spv::Decoration d) {
    const auto* found = decorations.find(d);
    return found != nullptr ? *found : 0;
  };
  const bool unsized = pointee.kind == Type::Kind::runtime_array;
  const bool array = pointee.kind == Type::Kind::array || unsized;
  const Type& block = array ? types_[pointee.element] : pointee;
  if (block.kind != Type::Kind::structure) unsupported(i, "an array of arrays of buffers");
  const std::uint64_t elements = descriptors(i, pointee);
  Pointer p;
  p.kind = Pointer::Kind::memory;
  p.type = array ? pointee.id : block.id;
  p.resource = static_cast<std::uint32_t>(ir_.resources.size());
  p.elements = array ? static_cast<std::uint32_t>(elements) : 0;
  ResourceUse use;
  use.kind = storage == spv::StorageClass::PushConstant ? ResourceUse::Kind::push_constants
                                                        : ResourceUse::Kind::buffer;
  use.set = number(spv::Decoration::DescriptorSet);
  use.binding = number(spv::Decoration::Binding);
  use.name = module_.name(i.result);
  if (use.name.empty() || use.name[0] == '%') use.name = module_.name(block.id);
  const bool buffer_block = module_.decorations(block.id).has(spv::Decoration::BufferBlock);
  use.writable = storage == spv::StorageClass::StorageBuffer || buffer_block;
  if (decorations.has(spv::Decoration::NonWritable)) use.writable = false;
  bool all_read_only = !block.members.empty();
  for (std::uint32_t m = 0; m < block.members.size(); ++m)
    all_read_only =
        all_read_only && module_.member_decorations(block.id, m).has(spv::Decoration::NonWritable);
  if (all_read_only) use.writable = false;
  p.read_only = !use.writable;
  use.optional = unsized;
  add_resources(i, use, elements);
  define_pointer(i.result, p);
}

/// The number of descriptors of a variable of that type.
std::uint64_t Lowering::descriptors(const Instruction& i, const Type& type) {
  if (type.kind == Type::Kind::runtime_array) return unsized_descriptors;
  if (type.kind != Type::Kind::array) return 1;
  if (type.count == 0 || type.count > most_descriptors)
    unsupported(
        i, fmt::format("an array of {} descriptors; 1 to {} are", type.count, most_descriptors));
  return type.count;
}

void Lowering::add_resources(const Instruction& i, ResourceUse use, std::uint64_t count) {
  constexpr std::size_t most_resources = 1u << 16;
  if (ir_.resources.size() + count > most_resources) unsupported(i, "more than 65536 descriptors");
  for (std::uint32_t e = 0; e < count; ++e) {
    use.element = e;
    ir_.resources.push_back(use);
  }
}

void Lowering::workgroup_variable(const Instruction& i, const Type& pointee) {
  Pointer p;
  p.kind = Pointer::Kind::memory;
  p.type = pointee.id;
  const std::uint64_t bytes = types_.size(pointee, {});
  constexpr std::uint64_t most_bytes = 1u << 26;
  if (bytes > most_bytes || (ir_.workgroup_bytes += bytes) > most_bytes)
    unsupported(i, "more than 64 MiB of shared memory");
  // Blocks with explicit layout all start at the same byte.
  const bool block = module_.decorations(pointee.id).has(spv::Decoration::Block);
  if (block && workgroup_block_) {
    p.resource = *workgroup_block_;
    auto& use = ir_.resources[p.resource];
    use.bytes = std::max(use.bytes, bytes);
  } else {
    p.resource = static_cast<std::uint32_t>(ir_.resources.size());
    if (block) workgroup_block_ = p.resource;
    ResourceUse use;
    use.kind = ResourceUse::Kind::workgroup;
    use.bytes = bytes;
    use.name = module_.name(i.result);
    ir_.resources.push_back(use);
  }
  if (i.operands.size() > 1 && module_.definition(i[1]).opcode != spv::Op::OpConstantNull)
    unsupported(i, "shared memory that starts with values other than zero");
  define_pointer(i.result, p);
}

void Lowering::built_in_variable(const Instruction& i, const Type& pointee) {
  const auto* built_in = module_.decorations(i.result).find(spv::Decoration::BuiltIn);
  if (built_in == nullptr) unsupported(i, "an input that is not a built-in");
  BuiltInUse use;
  use.built_in = static_cast<spv::BuiltIn>(*built_in);
  switch (use.built_in) {
    case spv::BuiltIn::NumWorkgroups:
    case spv::BuiltIn::WorkgroupSize:
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::LocalInvocationId:
    case spv::BuiltIn::GlobalInvocationId:
    case spv::BuiltIn::LocalInvocationIndex:
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::SubgroupId:
    case spv::BuiltIn::SubgroupLocalInvocationId:
    case spv::BuiltIn::SubgroupEqMask:
    case spv::BuiltIn::SubgroupGeMask:
    case spv::BuiltIn::SubgroupGtMask:
    case spv::BuiltIn::SubgroupLeMask:
    case spv::BuiltIn::SubgroupLtMask:
    case spv::BuiltIn::DeviceIndex:
      break;
    default:
      unsupported(i, fmt::format("the built-in variable {}", *built_in));
  }
  for (const Scalar s : types_.scalars(pointee)) use.regs.push_back(new_reg(s));
  Pointer p;
  p.kind = Pointer::Kind::variable;
  p.type = pointee.id;
  p.first = static_cast<std::uint32_t>(pool_.size());
  p.count = static_cast<std::uint32_t>(use.regs.size());
  p.read_only = true;
  pool_.insert(pool_.end(), use.regs.begin(), use.regs.end());
  ir_.built_ins.push_back(std::move(use));
  define_pointer(i.result, p);
}

void Lowering::register_variable(const Instruction& i, const Type& pointee) {
  Pointer p;
  p.kind = Pointer::Kind::variable;
  p.type = pointee.id;
  p.first = static_cast<std::uint32_t>(pool_.size());
  const std::vector<Scalar> scalars = types_.scalars(pointee, most_of_variable);
  p.count = static_cast<std::uint32_t>(scalars.size());
  for (const Scalar s : scalars) {
    const Reg reg = new_reg(s);
    ir_.regs[reg].variable = true;
    ir_.variables.push_back(reg);
    pool_.push_back(reg);
  }
  define_pointer(i.result, p);
  if (i.operands.size() > 1) {
    const auto initial = regs(i[1]);
    if (initial.size() != p.count) fail_at(i, "the initial value does not fit");
    for (std::uint32_t k = 0; k < p.count; ++k) move(pool_[p.first + k], regs(i[1])[k]);
  }
}

}  // namespace lockstep::spirv
