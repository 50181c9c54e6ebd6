#include <algorithm>

#include <fmt/format.h>

#include <lockstep/spirv/detail/pointer_bits.hpp>

#include "spirv/lower/lower.hpp"
#include "spirv/lower/opcode_table.hpp"

/// \file
/// Pointers, loads and stores. Where a pointer leads is followed while lowering; what is left
/// for the run is an index.

namespace lockstep::spirv {

Lowering::Pointer Lowering::pointer(Id id) {
  if (id >= values_.size() || !values_[id].known) {
    const Instruction* made = module_.find_definition(id);
    if (made == nullptr || made->opcode != spv::Op::OpVariable)
      fail_at(where_, fmt::format("%{} is used before it has a value", id));
    if (static_cast<spv::StorageClass>((*made)[0]) == spv::StorageClass::UniformConstant)
      fail_at(where_, fmt::format("{} is not supported: sampled cubes, multisampled images and "
                                  "acceleration structures are not",
                                  module_.name(id)));
    fail_at(where_, fmt::format("{} is not supported: a variable of storage class {}",
                                module_.name(id), (*made)[0]));
  }
  if (values_[id].pointer >= 0) return pointers_[static_cast<std::size_t>(values_[id].pointer)];
  const Type& type = type_of(id);
  if (type.kind != Type::Kind::pointer) fail_at(where_, fmt::format("%{} is no pointer", id));
  Pointer p;
  p.kind = Pointer::Kind::address;
  p.pointer = type.storage == spv::StorageClass::PhysicalStorageBuffer ? PointerKind::device
                                                                       : PointerKind::resource;
  p.type = type.element;
  p.index = scalar(id);
  return p;
}

void Lowering::add_index(Pointer& p, Reg index, std::uint64_t stride, std::uint64_t limit) {
  if (stride > 0xffffffff) fail_at(where_, "elements of more than 4 GiB are not supported");
  if (is_constant(index) && (limit == unlimited || ir_.regs[index].value < limit)) {
    p.offset += ir_.regs[index].value * stride;
    return;
  }
  if (p.kind == Pointer::Kind::address) {
    const bool wide = size_of(ir_.regs[index].type) == 8;
    if (!wide) index = as_u32(index);
    p.index = pure(Code::address_add, Scalar::u64, Scalar::u64, {p.index, index},
                   wide ? Scalar::u64 : Scalar::u32, Chain{static_cast<std::uint32_t>(stride)});
    return;
  }
  if (p.index == no_reg && limit == unlimited) {
    p.index = index;
    p.stride = static_cast<std::uint32_t>(stride);
    return;
  }
  const Reg before = byte_index(p);
  p.index = pure(Code::chain, Scalar::u32, Scalar::u32, {before, index}, Scalar::u32,
                 Chain{static_cast<std::uint32_t>(stride), limit});
  p.stride = 1;
}

/// The pointer's index times its stride, as one register; the constant part stays separate.
Reg Lowering::byte_index(Pointer& p) {
  const Reg zero = constant(Scalar::u32, 0);
  if (p.index == no_reg) return zero;
  if (p.stride == 1) return p.index;
  return pure(Code::chain, Scalar::u32, Scalar::u32, {zero, p.index}, Scalar::u32, Chain{p.stride});
}

void Lowering::step_variable(Pointer& p, const Type& type, Reg index, const Instruction& i) {
  if (type.kind == Type::Kind::structure || is_constant(index)) {
    if (!is_constant(index)) fail_at(i, "a structure's member must be a constant");
    const std::uint64_t k = ir_.regs[index].value;
    const Type& element = types_.element(type, k);
    p.offset += types_.component_offset(type, k);
    p.type = element.id;
    return;
  }
  const Type& element = types_.element(type, 0);
  add_index(p, index, element.components, type.count);
  p.type = element.id;
}

/// A pointer to a descriptor array's element; past its end, to nothing.
Reg Lowering::descriptor_pointer(std::uint32_t resource, std::uint32_t elements, Reg element) {
  for (std::uint32_t e = 0; e < elements; ++e) ir_.resources[resource + e].by_address = true;
  const Reg base = constant(Scalar::u64, pointers::resource_pointer(resource));
  const Reg wide = pure(Code::convert, Scalar::u64, Scalar::u64, {element}, Scalar::u32);
  const Reg shifted = pure(Code::shl, Scalar::u64, Scalar::u64,
                           {wide, constant(Scalar::u64, pointers::pointer_byte_bits)});
  const Reg pointer = pure(Code::add, Scalar::u64, Scalar::u64, {base, shifted});
  const Reg inside =
      pure(Code::less, Scalar::u32, Scalar::boolean, {element, constant(Scalar::u32, elements)});
  return pure(Code::select, Scalar::u64, Scalar::u64, {inside, pointer, constant(Scalar::u64, 0)});
}

void Lowering::step_into(Pointer& p, Id index_id, const Instruction& i) {
  const Type& type = types_[p.type];
  const Reg raw = scalar(index_id);
  if (p.elements > 0) {
    // An array of buffers or images: the index selects one.
    if (is_constant(raw)) {
      if (ir_.regs[raw].value >= p.elements)
        fail_at(i, "takes a descriptor beyond the array's end");
      p.resource += static_cast<std::uint32_t>(ir_.regs[raw].value);
      if (p.sampler != no_resource) p.sampler += static_cast<std::uint32_t>(ir_.regs[raw].value);
    } else if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler) {
      p.element = p.sampler_element = as_u32(raw);
      p.choices = p.sampler_choices = p.elements;
    } else {
      p.kind = Pointer::Kind::address;
      p.index = descriptor_pointer(p.resource, p.elements, as_u32(raw));
      p.stride = 1;
    }
    p.elements = 0;
    p.type = type.element;
    return;
  }
  const Reg index = p.kind == Pointer::Kind::address && !is_constant(raw) ? raw : as_u32(raw);
  if (p.kind == Pointer::Kind::variable) return step_variable(p, type, as_u32(raw), i);
  if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler)
    unsupported(i, "an index into an image");
  switch (type.kind) {
    case Type::Kind::structure: {
      if (!is_constant(index)) fail_at(i, "a structure's member must be a constant");
      const auto member = static_cast<std::uint32_t>(ir_.regs[index].value);
      p.offset += types_.member_offset(type, member);
      const MatrixLayout layout = types_.member_layout(type, member);
      if (layout.stride != 0) p.matrix = layout;
      p.type = types_.element(type, member).id;
      break;
    }
    case Type::Kind::array:
    case Type::Kind::runtime_array:
      add_index(p, index, types_.array_stride(type, p.matrix), unlimited);
      p.type = type.element;
      break;
    case Type::Kind::matrix:
      add_index(p, index, types_.column_stride(type, p.matrix), unlimited);
      if (p.matrix.row_major)
        p.vector_stride = static_cast<std::uint32_t>(types_.row_stride(type, p.matrix));
      p.type = type.element;
      break;
    case Type::Kind::vector:
      add_index(p, index, p.vector_stride != 0 ? p.vector_stride : size_of(type.scalar), unlimited);
      p.vector_stride = 0;
      p.type = type.element;
      break;
    default:
      fail_at(i, "goes into what has no parts");
  }
}

void Lowering::access_chain(const Instruction& i, std::size_t first_index, bool element_first) {
  Pointer p = pointer(i[0]);
  if (element_first) {
    // The first index counts whole objects, as in an array of them.
    const auto* stride = module_.decorations(type_of(i[0]).id).find(spv::Decoration::ArrayStride);
    const std::uint64_t bytes =
        stride != nullptr ? *stride : types_.size(types_[type_of(i[0]).element], p.matrix);
    Reg index = scalar_of(i, first_index);
    if (size_of(ir_.regs[index].type) < 4) index = as_u32(index);
    Pointer fat = p;
    if (p.kind != Pointer::Kind::address) {
      fat = {};
      fat.kind = Pointer::Kind::address;
      fat.type = p.type;
      fat.matrix = p.matrix;
      fat.index = address(p, i);
    }
    // Signed: such pointers may move backwards.
    fat.index = pure(Code::address_add, Scalar::u64, Scalar::u64, {fat.index, index},
                     size_of(ir_.regs[index].type) == 8 ? Scalar::i64 : Scalar::i32,
                     Chain{static_cast<std::uint32_t>(bytes)});
    p = fat;
    ++first_index;
  }
  for (std::size_t k = first_index; k < i.operands.size(); ++k) step_into(p, i[k], i);
  define_pointer(i.result, p);
}

/// The pointer as a value: a resource pointer, or a device address if it came from one.
Reg Lowering::address(const Pointer& pointed, const Instruction& i) {
  Pointer p = pointed;
  if (p.kind != Pointer::Kind::address && p.kind != Pointer::Kind::memory)
    unsupported(i, "a pointer to a variable of the invocation, or an image, as a value");
  if (p.kind == Pointer::Kind::address) {
    if (p.offset == 0) return p.index;
    return pure(Code::address_add, Scalar::u64, Scalar::u64,
                {p.index, constant(Scalar::u64, p.offset)}, Scalar::u64, Chain{1});
  }
  if (p.elements > 0) unsupported(i, "a pointer to an array of descriptors as a value");
  ir_.resources[p.resource].by_address = true;
  const Reg base = constant(
      Scalar::u64, pointers::moved_pointer(pointers::resource_pointer(p.resource), p.offset));
  if (p.index == no_reg) return base;
  return pure(Code::address_add, Scalar::u64, Scalar::u64, {base, p.index}, Scalar::u32,
              Chain{p.stride});
}

std::vector<Reg> Lowering::load(const Pointer& p, const Instruction& i) {
  const Type& type = types_[p.type];
  std::vector<Placement> places = types_.placements(type, p.matrix);
  if (p.vector_stride != 0 && type.kind == Type::Kind::vector) {
    for (std::size_t k = 0; k < places.size(); ++k) places[k].offset = k * p.vector_stride;
  }
  std::vector<Reg> out;
  if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler)
    unsupported(i, "reads an image as a value");
  if (p.kind == Pointer::Kind::variable) {
    if (p.offset + places.size() > p.count) fail_at(i, "reads beyond the variable");
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Reg dst = new_reg(places[k].scalar);
      if (p.index == no_reg) {
        const Reg variable = pool_[p.first + p.offset + k];
        emit(Code::copy, places[k].scalar, {dst}, {variable});
      } else {
        emit(Code::load_indexed, places[k].scalar, {dst}, {p.index},
             IndexedPlace{indexed_.at(p.first), p.offset + k});
      }
      out.push_back(dst);
    }
    return out;
  }
  // Components at equal distances are one operation.
  for (std::size_t k = 0; k < places.size();) {
    std::size_t end = k + 1;
    const std::uint64_t step = end < places.size() ? places[end].offset - places[k].offset : 0;
    while (end < places.size() && end - k < 4 && places[end].scalar == places[k].scalar &&
           places[end].offset - places[end - 1].offset == step)
      ++end;
    std::vector<Reg> part;
    for (std::size_t c = k; c < end; ++c) part.push_back(new_reg(places[c].scalar));
    out.insert(out.end(), part.begin(), part.end());
    const bool fat = p.kind == Pointer::Kind::address;
    emit(fat ? Code::load_address : Code::load, places[k].scalar, std::move(part),
         p.index == no_reg ? std::vector<Reg>{} : std::vector<Reg>{p.index},
         MemoryPlace{p.resource, p.offset + places[k].offset, p.stride, step, p.pointer});
    k = end;
  }
  return out;
}

void Lowering::store(const Pointer& p, std::span<const Reg> components, const Instruction& i) {
  const std::vector<Reg> value(components.begin(), components.end());
  const Type& type = types_[p.type];
  std::vector<Placement> places = types_.placements(type, p.matrix);
  if (p.vector_stride != 0 && type.kind == Type::Kind::vector) {
    for (std::size_t k = 0; k < places.size(); ++k) places[k].offset = k * p.vector_stride;
  }
  if (places.size() != value.size()) fail_at(i, "the value does not fit");
  if (p.read_only) fail_at(i, "writes what is read-only");
  if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler)
    unsupported(i, "writes an image as a value");
  if (p.kind == Pointer::Kind::variable) {
    if (p.offset + places.size() > p.count) fail_at(i, "writes beyond the variable");
    for (std::size_t k = 0; k < value.size(); ++k) {
      if (p.index == no_reg) {
        move(pool_[p.first + p.offset + k], value[k]);
      } else {
        emit(Code::store_indexed, places[k].scalar, {}, {p.index, value[k]},
             IndexedPlace{indexed_.at(p.first), p.offset + k});
      }
    }
    return;
  }
  for (std::size_t k = 0; k < places.size();) {
    std::size_t end = k + 1;
    const std::uint64_t step = end < places.size() ? places[end].offset - places[k].offset : 0;
    while (end < places.size() && end - k < 4 && places[end].scalar == places[k].scalar &&
           places[end].offset - places[end - 1].offset == step)
      ++end;
    std::vector<Reg> operands{p.index};
    operands.insert(operands.end(), value.begin() + static_cast<std::ptrdiff_t>(k),
                    value.begin() + static_cast<std::ptrdiff_t>(end));
    const bool fat = p.kind == Pointer::Kind::address;
    emit(fat ? Code::store_address : Code::store, places[k].scalar, {}, std::move(operands),
         MemoryPlace{p.resource, p.offset + places[k].offset, p.stride, step, p.pointer});
    k = end;
  }
}

bool Lowering::lower_memory(const Instruction& i) {
  const auto index_variable = [&](Pointer& p) {
    if (p.kind != Pointer::Kind::variable || p.index == no_reg) return;
    // From here on the variable's components are selected at run time.
    const auto [found, added] =
        indexed_.try_emplace(p.first, static_cast<std::uint32_t>(ir_.indexed.size()));
    if (!added) return;
    const auto components = std::span(pool_).subspan(p.first, p.count);
    ir_.indexed.push_back({{components.begin(), components.end()}});
  };
  switch (i.opcode) {
    case spv::Op::OpVariable:
      register_variable(i, types_[types_[i.type].element]);
      return true;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      access_chain(i, 1, false);
      return true;
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      access_chain(i, 1, true);
      return true;
    case spv::Op::OpLoad: {
      Pointer p = pointer(i[0]);
      if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler) {
        define_pointer(i.result, p);
        return true;
      }
      index_variable(p);
      define(i.result, load(p, i));
      return true;
    }
    case spv::Op::OpStore: {
      Pointer p = pointer(i[0]);
      index_variable(p);
      if (i[1] < values_.size() && values_[i[1]].known && values_[i[1]].pointer >= 0) {
        const Reg value = address(pointer(i[1]), i);
        store(p, std::span(&value, 1), i);
      } else {
        store(p, regs(i[1]), i);
      }
      return true;
    }
    case spv::Op::OpCopyMemory: {
      Pointer to = pointer(i[0]), from = pointer(i[1]);
      index_variable(to);
      index_variable(from);
      store(to, load(from, i), i);
      return true;
    }
    case spv::Op::OpArrayLength: {
      Pointer p = pointer(i[0]);
      const Type& block = types_[p.type];
      if (block.kind != Type::Kind::structure) fail_at(i, "takes a block");
      const Type& array = types_[types_.element(block, i[1]).id];
      if (array.kind != Type::Kind::runtime_array) fail_at(i, "takes an array without a size");
      const Reg dst = new_reg(Scalar::u32);
      const bool fat = p.kind == Pointer::Kind::address;
      const auto stride =
          static_cast<std::uint32_t>(types_.array_stride(array, types_.member_layout(block, i[1])));
      if (stride == 0) fail_at(i, "the array's stride is zero");
      emit(Code::array_length, Scalar::u32, {dst},
           fat ? std::vector<Reg>{p.index} : std::vector<Reg>{},
           MemoryPlace{p.resource, p.offset + types_.member_offset(block, i[1]), stride, 0,
                       p.pointer});
      define(i.result, dst);
      return true;
    }
    case spv::Op::OpPtrEqual:
    case spv::Op::OpPtrNotEqual: {
      const Reg a = address(pointer(i[0]), i), b = address(pointer(i[1]), i);
      const Code code = i.opcode == spv::Op::OpPtrEqual ? Code::equal : Code::not_equal;
      define(i.result, pure(code, Scalar::u64, Scalar::boolean, {a, b}));
      return true;
    }
    case spv::Op::OpControlBarrier: {
      constexpr std::uint64_t device = 1, workgroup = 2, queue_family = 5;
      const std::uint64_t scope = constant_bits(i[0]);
      if (scope == workgroup) {
        ir_.has_barriers = true;
        flow(Code::barrier);
      } else if (scope <= device || scope == queue_family) {
        unsupported(i, "a barrier for more than a workgroup");
      } else {
        flow(Code::memory_barrier);
      }
      return true;
    }
    case spv::Op::OpMemoryBarrier:
      flow(Code::memory_barrier);
      return true;
    default:
      return false;
  }
}

void add_memory(OpcodeTable& table) {
  for (const spv::Op op :
       {spv::Op::OpVariable, spv::Op::OpAccessChain, spv::Op::OpInBoundsAccessChain,
        spv::Op::OpPtrAccessChain, spv::Op::OpInBoundsPtrAccessChain, spv::Op::OpLoad,
        spv::Op::OpStore, spv::Op::OpCopyMemory, spv::Op::OpArrayLength, spv::Op::OpPtrEqual,
        spv::Op::OpPtrNotEqual, spv::Op::OpControlBarrier, spv::Op::OpMemoryBarrier})
    table.add(op, by_member<&Lowering::lower_memory>);
}

}  // namespace lockstep::spirv
