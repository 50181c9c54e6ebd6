#include "shader/lower/pointer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/intern.hpp>
#include <lockstep/spirv/detail/pointer_bits.hpp>

#include "shader/lower/barrier.hpp"
#include "shader/lower/lower.hpp"

/// \file
/// Where a pointer leads is followed while lowering; only an index is left for run time.

namespace lockstep::spirv {
namespace {

/// The pointer's index times its stride, as one register; the constant part stays separate.
Reg byte_index(Lowering& l, Pointer& p) {
  const Reg zero = l.constant(Scalar::u32, 0);
  if (p.index == no_reg) return zero;
  if (p.stride == 1) return p.index;
  return l.pure(Code::chain, Scalar::u32, Scalar::u32, {zero, p.index}, Scalar::u32,
                Chain{p.stride});
}

void add_index(Lowering& l, Pointer& p, Reg index, std::uint64_t stride, std::uint64_t limit) {
  if (stride > 0xffffffff) fail_at(l.where(), "elements of more than 4 GiB are not supported");
  const bool known = l.is_constant(index) && !l.ir().regs[index].undefined;
  if (known && (limit == unlimited || l.ir().regs[index].value < limit)) {
    p.offset += l.ir().regs[index].value * stride;
    return;
  }
  if (p.kind == Pointer::Kind::address) {
    const bool wide = size_of(l.ir().regs[index].type) == 8;
    if (!wide) index = l.as_u32(index);
    p.index = l.pure(Code::address_add, Scalar::u64, Scalar::u64, {p.index, index},
                     wide ? Scalar::u64 : Scalar::u32, Chain{static_cast<std::uint32_t>(stride)});
    return;
  }
  if (p.index == no_reg && limit == unlimited) {
    p.index = index;
    p.stride = static_cast<std::uint32_t>(stride);
    return;
  }
  const Reg before = byte_index(l, p);
  p.index = l.pure(Code::chain, Scalar::u32, Scalar::u32, {before, index}, Scalar::u32,
                   Chain{static_cast<std::uint32_t>(stride), limit});
  p.stride = 1;
}

/// Keeps an index for a check of its own, unless it is known to be inside. The bounds of the memory do not suffice: the
/// byte may be in another row, member or array.
void keep_index(Lowering& l, Pointer& p, Reg index, std::uint64_t extent) {
  if (size_of(l.ir().regs[index].type) < 4) index = l.as_u32(index);
  const RegInfo& info = l.ir().regs[index];
  if (info.constant && !info.undefined && info.value < extent) return;
  p.indices.push_back({index, extent});
}

void step_variable(Lowering& l, Pointer& p, const Type& type, Reg index, const Instruction& i) {
  const bool known = l.is_constant(index) && !l.ir().regs[index].undefined;
  if (type.kind == Type::Kind::structure || known) {
    if (!l.is_constant(index)) fail_at(i, "the index of a structure's member must be constant");
    const std::uint64_t k = l.ir().regs[index].value;
    const Type& element = l.types().element(type, k);
    p.offset += l.types().component_offset(type, k);
    p.type = element.id;
    return;
  }
  const Type& element = l.types().element(type, 0);
  keep_index(l, p, index, type.count);
  add_index(l, p, index, element.components, type.count);
  p.type = element.id;
}

/// An array of buffers, images or samplers: the index selects one.
void step_into_descriptors(Lowering& l, Pointer& p, Reg index, const Instruction& i) {
  if (l.is_constant(index)) {
    const std::uint64_t element = l.ir().regs[index].value;
    if (element >= p.elements) fail_at(i, "has an index past the end of an array of descriptors");
    p.resource += static_cast<std::uint32_t>(element);
    if (p.sampler != no_resource) p.sampler += static_cast<std::uint32_t>(element);
  } else if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler) {
    p.element = p.sampler_element = l.as_u32(index);
    p.choices = p.sampler_choices = p.elements;
  } else {
    p.kind = Pointer::Kind::address;
    p.index = descriptor_pointer(l, p.resource, p.elements, l.as_u32(index));
    p.stride = 1;
  }
  p.elements = 0;
}

void step_into_memory(Lowering& l, Pointer& p, const Type& type, Reg index, const Instruction& i) {
  Types& types = l.types();
  switch (type.kind) {
    case Type::Kind::structure: {
      if (!l.is_constant(index)) fail_at(i, "the index of a structure's member must be constant");
      const auto member = static_cast<std::uint32_t>(l.ir().regs[index].value);
      p.offset += types.member_offset(type, member);
      const MatrixLayout layout = types.member_layout(type, member);
      if (layout.stride != 0) p.matrix = layout;
      add_qualifiers(p, l.module().member_decorations(type.id, member));
      p.type = types.element(type, member).id;
      break;
    }
    case Type::Kind::array:
      keep_index(l, p, index, type.count);
      [[fallthrough]];
    case Type::Kind::runtime_array:
      add_index(l, p, index, types.array_stride(type, p.matrix), unlimited);
      p.type = type.element;
      break;
    case Type::Kind::matrix:
      keep_index(l, p, index, type.count);
      add_index(l, p, index, types.column_stride(type, p.matrix), unlimited);
      if (p.matrix.row_major)
        p.vector_stride = static_cast<std::uint32_t>(types.row_stride(type, p.matrix));
      p.type = type.element;
      break;
    case Type::Kind::vector:
      keep_index(l, p, index, type.count);
      add_index(l, p, index, p.vector_stride != 0 ? p.vector_stride : size_of(type.scalar),
                unlimited);
      p.vector_stride = 0;
      p.type = type.element;
      break;
    default:
      fail_at(i, "indexes a value that is not a composite");
  }
}

/// Moves the pointer to the part of its target that the index selects.
void step_into(Lowering& l, Pointer& p, Id index, const Instruction& i) {
  const Type& type = l.types()[p.type];
  const Reg raw = l.scalar(index);
  if (p.elements > 0) {
    step_into_descriptors(l, p, raw, i);
    p.type = type.element;
    return;
  }
  if (p.kind == Pointer::Kind::variable) return step_variable(l, p, type, l.as_u32(raw), i);
  if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler)
    l.unsupported(i, "an index into an image");
  const bool keeps_width = p.kind == Pointer::Kind::address && !l.is_constant(raw);
  step_into_memory(l, p, type, keeps_width ? raw : l.as_u32(raw), i);
}

/// Whether the module has arrays of such elements at such distances.
bool has_arrays(Lowering& l, Id element, std::uint64_t stride) {
  return std::ranges::any_of(l.module().globals(), [&](const Instruction* i) {
    return i->opcode == spv::Op::OpTypeArray && (*i)[0] == element &&
           l.types().array_stride(l.types()[i->result], {}) == stride;
  });
}

/// Bytes from one object of a pointer's type to the next. Shared memory without blocks has no layout of the shader's:
/// what its pointers say counts only as far as its arrays have been laid out so.
std::uint64_t element_stride(Lowering& l, const Type& pointer, MatrixLayout matrix) {
  const std::uint64_t size = l.types().size(l.types()[pointer.element], matrix);
  const auto* stride = l.module().decorations(pointer.id).find(spv::Decoration::ArrayStride);
  if (stride == nullptr) return size;
  const bool is_laid_out = pointer.storage != spv::StorageClass::Workgroup || l.shared_block();
  return is_laid_out || has_arrays(l, pointer.element, *stride) ? *stride : size;
}

/// The pointer moved by whole objects of its type, as in an array of them.
Pointer moved_by_elements(Lowering& l, const Pointer& p, Reg index, const Instruction& i) {
  const std::uint64_t bytes = element_stride(l, l.type_of(i[0]), p.matrix);
  if (size_of(l.scalar_type(index)) < 4) index = l.as_u32(index);
  Pointer moved = p;
  if (p.kind != Pointer::Kind::address) {
    moved = {};
    moved.kind = Pointer::Kind::address;
    moved.type = p.type;
    moved.matrix = p.matrix;
    moved.index = address(l, p, i);
  }
  // Signed: such pointers may move backwards.
  moved.index = l.pure(Code::address_add, Scalar::u64, Scalar::u64, {moved.index, index},
                       size_of(l.scalar_type(index)) == 8 ? Scalar::i64 : Scalar::i32,
                       Chain{static_cast<std::uint32_t>(bytes)});
  return moved;
}

/// The components of a variable with such a pointer are selected at run time from here on.
void select_at_run_time(Lowering& l, const Pointer& p) {
  if (p.kind != Pointer::Kind::variable || p.index == no_reg) return;
  const auto [found, added] =
      l.indexed().try_emplace(p.first, static_cast<std::uint32_t>(l.ir().indexed.size()));
  if (!added) return;
  const auto components = std::span(l.pool()).subspan(p.first, p.count);
  l.ir().indexed.push_back({l.module().name(p.variable), {components.begin(), components.end()}});
}

/// Where the components of the pointer's target are, in the order of the value.
std::vector<Placement> placements(Lowering& l, const Pointer& p) {
  const Type& type = l.types()[p.type];
  std::vector<Placement> places = l.types().placements(type, p.matrix);
  if (p.vector_stride != 0 && type.kind == Type::Kind::vector) {
    for (std::size_t k = 0; k < places.size(); ++k) places[k].offset = k * p.vector_stride;
  }
  return places;
}

/// Components of one type at equal distances: one operation.
struct Stretch {
  std::size_t end;     ///< after the last of them
  std::uint64_t step;  ///< bytes from one to the next
};
Stretch stretch_from(const std::vector<Placement>& places, std::size_t first) {
  Stretch stretch{first + 1, 0};
  if (stretch.end < places.size()) stretch.step = places[stretch.end].offset - places[first].offset;
  while (stretch.end < places.size() && stretch.end - first < 4 &&
         places[stretch.end].scalar == places[first].scalar &&
         places[stretch.end].offset - places[stretch.end - 1].offset == stretch.step)
    ++stretch.end;
  return stretch;
}

MemoryPlace memory_place(const Pointer& p, const std::vector<Placement>& places, std::size_t first,
                         const Stretch& stretch, std::uint32_t change) {
  unsigned ends = 0;
  for (std::size_t k = first; k < stretch.end; ++k)
    ends |= static_cast<unsigned>(places[k].ends) << (k - first);
  return {p.resource,
          p.offset + places[first].offset,
          p.stride,
          stretch.step,
          p.pointer,
          static_cast<std::uint8_t>(ends),
          access_order(p, change),
          !p.indices.empty()};
}

/// Expects of each component of a variable, or of a value that goes to it, that it is the same in the active lanes.
void expect_same(Lowering& l, const Pointer& p, std::span<const Reg> components) {
  if (p.same_in_subgroup) expect_same(l, components, l.module().name(p.variable));
}

std::vector<Reg> load_variable(Lowering& l, const Pointer& p,
                               const std::vector<Placement>& places) {
  std::vector<Reg> out;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Reg dst = l.new_reg(places[k].scalar);
    if (p.index == no_reg) {
      const Reg variable = l.pool()[p.first + p.offset + k];
      l.emit(Code::copy, places[k].scalar, {dst}, {variable});
    } else {
      l.emit(Code::load_indexed, places[k].scalar, {dst}, {p.index},
             IndexedPlace{l.indexed().at(p.first), p.offset + k});
    }
    out.push_back(dst);
  }
  return out;
}

void store_variable(Lowering& l, const Pointer& p, const std::vector<Placement>& places,
                    const std::vector<Reg>& value) {
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (p.index == no_reg) {
      l.move(l.pool()[p.first + p.offset + k], value[k]);
    } else {
      l.emit(Code::store_indexed, places[k].scalar, {}, {p.index, value[k]},
             IndexedPlace{l.indexed().at(p.first), p.offset + k});
    }
  }
}

}  // namespace

void expect_same(Lowering& l, std::span<const Reg> components, const std::string& name) {
  for (const Reg r : components) {
    Expectation expected{.kind = Expectation::Kind::uniform};
    expected.variable = intern(name);
    l.emit(Code::expect, l.scalar_type(r), {}, {r}, expected);
  }
}

void expect_access(Lowering& l, const Pointer& p, AccessKind access, Scalar component) {
  const bool is_variable = p.kind == Pointer::Kind::variable;
  Expectation expected;
  expected.access = access;
  expected.place = {
      .resource = p.resource, .offset = p.offset, .stride = p.stride, .pointer = p.pointer};
  expected.has_address = p.kind == Pointer::Kind::address;
  expected.bytes = size_of(component);
  if (is_variable) expected.variable = intern(l.module().name(p.variable));
  const auto add = [&](std::vector<Reg> operands) {
    if (!is_variable && p.index != no_reg) operands.push_back(p.index);
    l.emit(Code::expect, Scalar::u32, {}, std::move(operands), expected);
    expected.first = false;
  };
  for (const Pointer::Index& index : p.indices) {
    expected.extent = index.extent;
    add({index.index});
  }
  // Only of device addresses do the shader's types not guarantee the alignment.
  const bool is_address = expected.has_address && p.pointer == PointerKind::device;
  const std::uint64_t natural = is_address ? expected.bytes : 1;
  expected.kind = Expectation::Kind::alignment;
  expected.extent = p.alignment != 0 ? p.alignment : natural;
  if (!is_variable && expected.extent > 1) add({});
}

void add_default_coherence(Pointer& p, const Module& module) {
  // Only globallycoherent needs a decoration.
  if (module.is_hlsl()) p.coherent = Scope::workgroup;
}

MemoryOrder access_order(const Pointer& p, std::uint32_t change) {
  MemoryOrder order;
  if (p.coherent) order = {*p.coherent, change};
  if (p.is_volatile) order.semantics |= memory_semantics::volatile_access;
  return order;
}

void add_qualifiers(Pointer& p, const Decorations& decorations) {
  // Without the Vulkan memory model, `coherent` means the queue family.
  if (decorations.has(spv::Decoration::Coherent)) p.coherent = Scope::queue_family;
  if (decorations.has(spv::Decoration::Volatile)) p.is_volatile = true;
}

void add_memory_operands(Lowering& l, Pointer& p, const Instruction& i, std::size_t at) {
  if (at >= i.operands.size()) return;
  const std::uint32_t mask = i[at];
  const auto has = [&](spv::MemoryAccessMask bit) {
    return (mask & static_cast<std::uint32_t>(bit)) != 0;
  };
  std::size_t next = at + 1;
  if (has(spv::MemoryAccessMask::Volatile)) p.is_volatile = true;
  if (has(spv::MemoryAccessMask::Aligned) && next < i.operands.size()) p.alignment = i[next++];
  for (const auto bit :
       {spv::MemoryAccessMask::MakePointerAvailable, spv::MemoryAccessMask::MakePointerVisible})
    if (has(bit) && next < i.operands.size()) p.coherent = scope_of(l, i, next++);
}

Pointer pointer(Lowering& l, Id id) {
  if (!l.is_known(id)) {
    const Instruction* made = l.module().find_definition(id);
    if (made != nullptr && made->opcode == spv::Op::OpUndef)
      fail_at(l.where(), fmt::format("%{} has no value, and is used", id));
    if (made == nullptr || made->opcode != spv::Op::OpVariable)
      fail_at(l.where(), fmt::format("%{} is used before it is defined", id));
    if (static_cast<spv::StorageClass>((*made)[0]) == spv::StorageClass::UniformConstant)
      fail_at(l.where(), fmt::format("{} is not supported: acceleration structures and images of "
                                     "this kind are not",
                                     l.module().name(id)));
    fail_at(l.where(), fmt::format("{} is not supported: a variable of storage class {}",
                                   l.module().name(id), (*made)[0]));
  }
  if (l.is_pointer(id)) return l.known_pointer(id);
  const Type& type = l.type_of(id);
  if (type.kind != Type::Kind::pointer) fail_at(l.where(), fmt::format("%{} is not a pointer", id));
  Pointer p;
  p.kind = Pointer::Kind::address;
  p.pointer = type.storage == spv::StorageClass::PhysicalStorageBuffer ? PointerKind::device
                                                                       : PointerKind::resource;
  p.type = type.element;
  p.index = l.scalar(id);
  return p;
}

Reg descriptor_pointer(Lowering& l, std::uint32_t resource, std::uint32_t elements, Reg element) {
  for (std::uint32_t e = 0; e < elements; ++e) l.ir().resources[resource + e].by_address = true;
  const Reg base = l.constant(Scalar::u64, pointers::resource_pointer(resource));
  const Reg wide = l.pure(Code::convert, Scalar::u64, Scalar::u64, {element}, Scalar::u32);
  const Reg shifted = l.pure(Code::shl, Scalar::u64, Scalar::u64,
                             {wide, l.constant(Scalar::u64, pointers::pointer_byte_bits)});
  const Reg chosen = l.pure(Code::add, Scalar::u64, Scalar::u64, {base, shifted});
  const Reg inside = l.pure(Code::less, Scalar::u32, Scalar::boolean,
                            {element, l.constant(Scalar::u32, elements)});
  return l.pure(Code::select, Scalar::u64, Scalar::u64,
                {inside, chosen, l.constant(Scalar::u64, 0)});
}

Reg address(Lowering& l, const Pointer& pointed, const Instruction& i) {
  Pointer p = pointed;
  if (p.kind != Pointer::Kind::address && p.kind != Pointer::Kind::memory)
    l.unsupported(i, "a pointer to a private or function variable or to an image as a value");
  if (p.kind == Pointer::Kind::address) {
    if (p.offset == 0) return p.index;
    return l.pure(Code::address_add, Scalar::u64, Scalar::u64,
                  {p.index, l.constant(Scalar::u64, p.offset)}, Scalar::u64, Chain{1});
  }
  if (p.elements > 0) l.unsupported(i, "a pointer to an array of descriptors as a value");
  l.ir().resources[p.resource].by_address = true;
  const Reg base = l.constant(
      Scalar::u64, pointers::moved_pointer(pointers::resource_pointer(p.resource), p.offset));
  if (p.index == no_reg) return base;
  return l.pure(Code::address_add, Scalar::u64, Scalar::u64, {base, p.index}, Scalar::u32,
                Chain{p.stride});
}

Pointer moved_by_bytes(Lowering& l, Pointer p, Reg bytes, Id type) {
  add_index(l, p, bytes, 1, unlimited);
  p.type = type;
  p.matrix = {};
  p.vector_stride = 0;
  return p;
}

void access_chain(Lowering& l, const Instruction& i, bool element_first) {
  Pointer p = pointer(l, i[0]);
  std::size_t next = 1;
  if (element_first) p = moved_by_elements(l, p, l.scalar_of(i, next++), i);
  for (; next < i.operands.size(); ++next) step_into(l, p, i[next], i);
  l.define_pointer(i.result, p);
}

std::vector<Reg> load(Lowering& l, const Pointer& p, const Instruction& i) {
  select_at_run_time(l, p);
  const std::vector<Placement> places = placements(l, p);
  if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler)
    l.unsupported(i, "an image as a value");
  if (p.kind == Pointer::Kind::variable) {
    if (p.offset + places.size() > p.count) fail_at(i, "reads past the end of the variable");
    if (!places.empty()) expect_access(l, p, AccessKind::read, places.front().scalar);
    std::vector<Reg> value = load_variable(l, p, places);
    expect_same(l, p, value);
    return value;
  }
  if (!places.empty()) expect_access(l, p, AccessKind::read, places.front().scalar);
  std::vector<Reg> out;
  for (std::size_t k = 0; k < places.size();) {
    const Stretch stretch = stretch_from(places, k);
    std::vector<Reg> part;
    for (std::size_t c = k; c < stretch.end; ++c) part.push_back(l.new_reg(places[c].scalar));
    out.insert(out.end(), part.begin(), part.end());
    l.emit(p.kind == Pointer::Kind::address ? Code::load_address : Code::load, places[k].scalar,
           std::move(part), p.index == no_reg ? std::vector<Reg>{} : std::vector<Reg>{p.index},
           memory_place(p, places, k, stretch, memory_semantics::make_visible));
    k = stretch.end;
  }
  return out;
}

void store(Lowering& l, const Pointer& p, std::span<const Reg> components, const Instruction& i) {
  select_at_run_time(l, p);
  const std::vector<Reg> value(components.begin(), components.end());
  const std::vector<Placement> places = placements(l, p);
  if (places.size() != value.size()) fail_at(i, "has a value whose size differs from the object's");
  if (p.read_only) fail_at(i, "writes to a read-only object");
  if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler)
    l.unsupported(i, "an image as a value");
  if (p.kind == Pointer::Kind::variable) {
    if (p.offset + places.size() > p.count) fail_at(i, "writes past the end of the variable");
    if (!places.empty()) expect_access(l, p, AccessKind::write, places.front().scalar);
    expect_same(l, p, value);
    return store_variable(l, p, places, value);
  }
  if (!places.empty()) expect_access(l, p, AccessKind::write, places.front().scalar);
  for (std::size_t k = 0; k < places.size();) {
    const Stretch stretch = stretch_from(places, k);
    std::vector<Reg> operands{p.index};
    operands.insert(operands.end(), value.begin() + static_cast<std::ptrdiff_t>(k),
                    value.begin() + static_cast<std::ptrdiff_t>(stretch.end));
    l.emit(p.kind == Pointer::Kind::address ? Code::store_address : Code::store, places[k].scalar,
           {}, std::move(operands),
           memory_place(p, places, k, stretch, memory_semantics::make_available));
    k = stretch.end;
  }
}

}  // namespace lockstep::spirv
