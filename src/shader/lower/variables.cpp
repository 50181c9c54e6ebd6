#include "shader/lower/variables.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/exec/intern.hpp>

#include "shader/ir/invocation_count.hpp"
#include "shader/lower/image.hpp"
#include "shader/lower/lower.hpp"
#include "shader/lower/pointer.hpp"

namespace lockstep::spirv {
namespace {

/// As ResourceUse::stride.
std::uint32_t stride_of(Lowering& l, const Type& type) {
  if (type.kind != Type::Kind::array && type.kind != Type::Kind::runtime_array) return 0;
  return static_cast<std::uint32_t>(l.types().array_stride(type, {}));
}
std::uint32_t stride_of_block(Lowering& l, const Type& block) {
  if (block.members.size() != 1) return 0;
  const auto* start = l.module().member_decorations(block.id, 0).find(spv::Decoration::Offset);
  return start != nullptr && *start == 0 ? stride_of(l, l.types()[block.members[0]]) : 0;
}

void buffer_variable(Lowering& l, const Instruction& i, const Type& pointee,
                     spv::StorageClass storage) {
  const Decorations& decorations = l.module().decorations(i.result);
  const auto number = [&](spv::Decoration d) {
    const auto* found = decorations.find(d);
    return found != nullptr ? *found : 0;
  };
  const bool unsized = pointee.kind == Type::Kind::runtime_array;
  const bool array = pointee.kind == Type::Kind::array || unsized;
  const Type& block = array ? l.types()[pointee.element] : pointee;
  if (block.kind != Type::Kind::structure) l.unsupported(i, "an array of arrays of buffers");
  const std::uint64_t elements = descriptors(l, i, pointee);
  Pointer p;
  p.kind = Pointer::Kind::memory;
  p.type = array ? pointee.id : block.id;
  p.resource = static_cast<std::uint32_t>(l.ir().resources.size());
  p.elements = array ? static_cast<std::uint32_t>(elements) : 0;
  ResourceUse use;
  use.kind = storage == spv::StorageClass::PushConstant ? ResourceUse::Kind::push_constants
                                                        : ResourceUse::Kind::buffer;
  use.set = number(spv::Decoration::DescriptorSet);
  use.binding = number(spv::Decoration::Binding);
  use.name = l.module().name(i.result);
  if (use.name.empty() || use.name[0] == '%') use.name = l.module().name(block.id);
  const bool buffer_block = l.module().decorations(block.id).has(spv::Decoration::BufferBlock);
  use.writable = storage == spv::StorageClass::StorageBuffer || buffer_block;
  if (decorations.has(spv::Decoration::NonWritable)) use.writable = false;
  bool all_read_only = !block.members.empty();
  for (std::uint32_t m = 0; m < block.members.size(); ++m)
    all_read_only = all_read_only &&
                    l.module().member_decorations(block.id, m).has(spv::Decoration::NonWritable);
  if (all_read_only) use.writable = false;
  p.read_only = !use.writable;
  add_default_coherence(p, l.module());
  add_qualifiers(p, decorations);
  use.optional = unsized;
  use.stride = stride_of_block(l, block);
  add_resources(l, i, use, elements);
  l.define_pointer(i.result, p);
}

/// The resource of a variable of shared memory. Blocks have an explicit layout and all start at the same byte: they are
/// one resource.
std::uint32_t workgroup_resource(Lowering& l, const Instruction& i, const Type& pointee) {
  const bool block = l.module().decorations(pointee.id).has(spv::Decoration::Block);
  std::string name = l.module().name(i.result);
  if (block && (name.empty() || name[0] == '%')) name = l.module().name(pointee.id);
  if (block && l.shared_block()) {
    l.ir().resources[*l.shared_block()].name += ", " + name;
    return *l.shared_block();
  }
  const auto resource = static_cast<std::uint32_t>(l.ir().resources.size());
  if (block) l.shared_block() = resource;
  ResourceUse use;
  use.kind = ResourceUse::Kind::workgroup;
  use.name = std::move(name);
  if (!block) use.stride = stride_of(l, pointee);
  l.ir().resources.push_back(std::move(use));
  return resource;
}

void workgroup_variable(Lowering& l, const Instruction& i, const Type& pointee) {
  Pointer p;
  p.kind = Pointer::Kind::memory;
  p.type = pointee.id;
  p.resource = workgroup_resource(l, i, pointee);
  const std::uint64_t bytes = l.types().size(pointee, {});
  ResourceUse& use = l.ir().resources[p.resource];
  constexpr std::uint64_t most_bytes = 1u << 26;
  const std::uint64_t more = bytes - std::min(bytes, use.bytes);
  if (bytes > most_bytes || (l.ir().workgroup_bytes += more) > most_bytes)
    l.unsupported(i, "more than 64 MiB of shared memory");
  use.bytes += more;
  if (i.operands.size() > 1) {
    if (l.module().definition(i[1]).opcode != spv::Op::OpConstantNull)
      l.unsupported(i, "an initializer of shared memory that is not zero");
    use.zeroed = std::max(use.zeroed, bytes);
  }
  l.define_pointer(i.result, p);
}

/// Whether the compute entry point that is lowered declares to use the variable; others may be of other stages.
bool is_of_entry(Lowering& l, Id variable) {
  for (const Instruction* i : l.module().globals()) {
    if (i->opcode != spv::Op::OpEntryPoint || i->text(2) != l.options().entry ||
        static_cast<spv::ExecutionModel>((*i)[0]) != spv::ExecutionModel::GLCompute)
      continue;
    const auto interface = i->operands.subspan(2 + i->text_words(2));
    return std::find(interface.begin(), interface.end(), variable) != interface.end();
  }
  return false;
}

void built_in_variable(Lowering& l, const Instruction& i, const Type& pointee) {
  if (!is_of_entry(l, i.result)) return;  // the first use reports that it is unknown
  const auto* built_in = l.module().decorations(i.result).find(spv::Decoration::BuiltIn);
  if (built_in == nullptr) l.unsupported(i, "an input that is not a built-in");
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
      if (use.built_in == invocation_count) break;
      l.unsupported(i, fmt::format("the built-in variable {}", *built_in));
  }
  for (const Scalar s : l.types().scalars(pointee)) use.regs.push_back(l.new_reg(s));
  Pointer p;
  p.kind = Pointer::Kind::variable;
  p.variable = i.result;
  p.type = pointee.id;
  p.first = static_cast<std::uint32_t>(l.pool().size());
  p.count = static_cast<std::uint32_t>(use.regs.size());
  p.read_only = true;
  l.pool().insert(l.pool().end(), use.regs.begin(), use.regs.end());
  l.ir().built_ins.push_back(std::move(use));
  l.define_pointer(i.result, p);
}

}  // namespace

std::uint64_t descriptors(Lowering& l, const Instruction& i, const Type& type) {
  if (type.kind == Type::Kind::runtime_array) {
    const Decorations& decorations = l.module().decorations(i.result);
    const auto* const set = decorations.find(spv::Decoration::DescriptorSet);
    const auto* const binding = decorations.find(spv::Decoration::Binding);
    const auto& given = l.options().unsized_arrays;
    const auto found = given.find({set != nullptr ? *set : 0, binding != nullptr ? *binding : 0});
    return found == given.end() ? unsized_descriptors : found->second;
  }
  if (type.kind != Type::Kind::array) return 1;
  if (type.count == 0 || type.count > most_descriptors)
    l.unsupported(i, fmt::format("an array of {} descriptors; 1 to {} are supported", type.count,
                                 most_descriptors));
  return type.count;
}

void add_resources(Lowering& l, const Instruction& i, ResourceUse use, std::uint64_t count) {
  constexpr std::size_t most_resources = 1u << 16;
  if (l.ir().resources.size() + count > most_resources)
    l.unsupported(i, "more than 65536 descriptors");
  for (std::uint32_t e = 0; e < count; ++e) {
    use.element = e;
    l.ir().resources.push_back(use);
  }
}

Reg lane_number(Lowering& l) {
  for (const BuiltInUse& known : l.ir().built_ins)
    if (known.built_in == spv::BuiltIn::SubgroupLocalInvocationId) return known.regs[0];
  const Reg lane = l.new_reg(Scalar::u32);
  l.ir().built_ins.push_back({spv::BuiltIn::SubgroupLocalInvocationId, {lane}});
  return lane;
}

bool is_same_in_subgroup(Lowering& l, Id id) {
  const Decorations& decorations = l.module().decorations(id);
  if (decorations.has(spv::Decoration::Uniform)) return true;
  const auto* scope = decorations.find(spv::Decoration::UniformId);
  // What is the same in a wider scope is so in the subgroup.
  return scope != nullptr &&
         l.constant_bits(*scope) <= static_cast<std::uint64_t>(spv::Scope::Subgroup);
}

void register_variable(Lowering& l, const Instruction& i, const Type& pointee) {
  Pointer p;
  p.kind = Pointer::Kind::variable;
  p.variable = i.result;
  p.type = pointee.id;
  p.first = static_cast<std::uint32_t>(l.pool().size());
  const std::vector<Scalar> scalars = l.types().scalars(pointee, most_of_variable);
  p.count = static_cast<std::uint32_t>(scalars.size());
  const char* const name = intern(l.module().name(i.result));
  p.same_in_subgroup = is_same_in_subgroup(l, i.result);
  for (const Scalar s : scalars) {
    const Reg reg = l.new_reg(s);
    l.ir().regs[reg].variable = true;
    l.ir().variables.push_back({reg, name, i.where});
    l.pool().push_back(reg);
  }
  l.name_variable(i.result, std::span(l.pool()).subspan(p.first, p.count), pointee);
  l.define_pointer(i.result, p);
  if (i.operands.size() == 1 &&
      static_cast<spv::StorageClass>(i[0]) == spv::StorageClass::Function) {
    const auto regs = std::span(l.pool()).subspan(p.first, p.count);
    l.emit(Code::declare, Scalar::u32, {}, {}, Declared{{regs.begin(), regs.end()}});
  }
  if (i.operands.size() > 1) {
    const std::vector<Reg> initial =
        l.is_pointer(i[1]) ? std::vector<Reg>{address_of(l, i[1], i)} : l.components(i[1]);
    if (initial.size() != p.count)
      fail_at(i, "the size of the initializer differs from the variable's");
    for (std::uint32_t k = 0; k < p.count; ++k) l.move(l.pool()[p.first + k], initial[k]);
  }
}

void lower_global_variable(Lowering& l, const Instruction& i) {
  const Type& type = l.types()[i.type];
  if (type.kind != Type::Kind::pointer) fail_at(i, "is not a pointer");
  const Type& pointee = l.types()[type.element];
  switch (type.storage) {
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PushConstant:
      buffer_variable(l, i, pointee, type.storage);
      break;
    case spv::StorageClass::Workgroup:
      workgroup_variable(l, i, pointee);
      break;
    case spv::StorageClass::Input:
      built_in_variable(l, i, pointee);
      break;
    case spv::StorageClass::Private:
    case spv::StorageClass::Function:
      register_variable(l, i, pointee);
      break;
    case spv::StorageClass::UniformConstant:
      image_variable(l, i, pointee);
      break;
    default:
      // Unused variables do no harm; the first use reports that they are unknown.
      break;
  }
}

}  // namespace lockstep::spirv
