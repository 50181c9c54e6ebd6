#include <algorithm>
#include <utility>
#include <vector>

#include "shader/lower/constants.hpp"
#include "shader/lower/cooperative_matrix.hpp"
#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/pointer.hpp"

/// \file
/// Vectors, matrices, arrays and structures as values: splitting and composing.

namespace lockstep::spirv {
namespace {

void lower_construct(Lowering& l, const Instruction& i) {
  std::vector<Reg> all;
  for (const Id part : i.operands) {
    if (l.is_pointer(part)) {
      all.push_back(address_of(l, part, i));
      continue;
    }
    const auto components = l.regs(part);
    all.insert(all.end(), components.begin(), components.end());
  }
  const Type& type = l.types()[i.type];
  if (is_cooperative_matrix(type) && all.size() == 1)
    return l.define(i.result, replicated(l, i, type));
  if (all.size() != type.components)
    fail_at(i, "has a different number of components than its type");
  l.define(i.result, all);
}

void lower_replicate(Lowering& l, const Instruction& i) {
  l.define(i.result, replicated(l, i, l.types()[i.type]));
}

/// The part of a value that an instruction's literals select, from `first` on.
struct Part {
  const Type* type = nullptr;
  std::uint64_t offset = 0;  ///< in components
};
Part part_at(Lowering& l, const Instruction& i, const Type& whole, std::size_t first) {
  Part part{&whole};
  for (std::size_t k = first; k < i.operands.size(); ++k) {
    const Type& element = l.types().element(*part.type, i[k]);
    part.offset += l.types().component_offset(*part.type, i[k]);
    part.type = &element;
  }
  return part;
}

void lower_extract(Lowering& l, const Instruction& i) {
  const Part part = part_at(l, i, l.type_of(i[0]), 1);
  const auto all = l.regs(i[0]);
  if (part.offset + part.type->components > all.size()) fail_at(i, "has an index out of range");
  l.define(i.result, all.subspan(part.offset, part.type->components));
}

void lower_insert(Lowering& l, const Instruction& i) {
  const Part part = part_at(l, i, l.types()[i.type], 2);
  std::vector<Reg> all = l.components(i[1]);
  const auto value = l.regs(i[0]);
  if (part.offset + value.size() > all.size()) fail_at(i, "has an index out of range");
  std::copy(value.begin(), value.end(), all.begin() + static_cast<std::ptrdiff_t>(part.offset));
  l.define(i.result, all);
}

void lower_copy(Lowering& l, const Instruction& i) { l.define_same(i.result, i[0]); }

void lower_shuffle(Lowering& l, const Instruction& i) {
  constexpr std::uint32_t no_component = 0xffffffff;
  std::vector<Reg> from = l.components(i[0]);
  const std::vector<Reg> more = l.components(i[1]);
  from.insert(from.end(), more.begin(), more.end());
  std::vector<Reg> out;
  for (std::size_t k = 2; k < i.operands.size(); ++k) {
    if (i[k] == no_component)
      out.push_back(l.undefined(l.types()[i.type].scalar, 0));
    else if (i[k] < from.size())
      out.push_back(from[i[k]]);
    else
      fail_at(i, "has a component index out of range");
  }
  l.define(i.result, out);
}

Reg is_component(Lowering& l, Reg index, std::size_t k) {
  return l.pure(Code::equal, Scalar::u32, Scalar::boolean, {index, l.constant(Scalar::u32, k)});
}

/// A component of a value, which no pointer leads to.
void expect_component(Lowering& l, Reg index, std::size_t count, AccessKind access) {
  const RegInfo& info = l.ir().regs[index];
  if (info.constant && !info.undefined && info.value < count) return;
  Expectation expected{.access = access, .extent = count};
  expected.variable = "a vector";
  l.emit(Code::expect, Scalar::u32, {}, {index}, expected);
}

void lower_extract_dynamic(Lowering& l, const Instruction& i) {
  const std::vector<Reg> from = l.components(i[0]);
  const Reg index = l.as_u32(l.scalar_of(i, 1));
  expect_component(l, index, from.size(), AccessKind::read);
  Reg out = from.at(0);
  for (std::size_t k = 1; k < from.size(); ++k) {
    const Reg here = is_component(l, index, k);
    out = l.pure(Code::select, l.scalar_type(out), l.scalar_type(out), {here, from[k], out});
  }
  l.define(i.result, out);
}

void lower_insert_dynamic(Lowering& l, const Instruction& i) {
  std::vector<Reg> all = l.components(i[0]);
  const Reg part = l.scalar_of(i, 1);
  const Reg index = l.as_u32(l.scalar_of(i, 2));
  expect_component(l, index, all.size(), AccessKind::write);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Reg here = is_component(l, index, k);
    all[k] = l.pure(Code::select, l.scalar_type(part), l.scalar_type(part), {here, part, all[k]});
  }
  l.define(i.result, all);
}

void lower_select(Lowering& l, const Instruction& i) {
  if (l.types()[i.type].kind == Type::Kind::pointer) {
    const Reg a = address_of(l, i[1], i), b = address_of(l, i[2], i);
    l.define(i.result, l.pure(Code::select, Scalar::u64, Scalar::u64, {l.scalar_of(i, 0), a, b}));
    return;
  }
  const std::vector<Reg> condition = l.components(i[0]);
  const std::vector<Reg> a = l.components(i[1]), b = l.components(i[2]);
  if (condition.size() == 1) {
    l.define(i.result, l.select_components(condition[0], a, b));
    return;
  }
  if (a.size() < condition.size() || b.size() < condition.size())
    fail_at(i, "has operands of unequal sizes");
  std::vector<Reg> out;
  for (std::size_t k = 0; k < condition.size(); ++k) {
    const Scalar type = l.scalar_type(a[k]);
    out.push_back(l.pure(Code::select, type, type, {condition[k], a[k], b[k]}));
  }
  l.define(i.result, out);
}

}  // namespace

void add_composites(OpcodeTable& table) {
  constexpr std::pair<spv::Op, OpcodeTable::Handler> handlers[] = {
      {spv::Op::OpCompositeConstruct, lower_construct},
      {op_composite_construct_replicate, lower_replicate},
      {spv::Op::OpCompositeExtract, lower_extract},
      {spv::Op::OpCompositeInsert, lower_insert},
      {spv::Op::OpCopyObject, lower_copy},
      {spv::Op::OpCopyLogical, lower_copy},
      {spv::Op::OpVectorShuffle, lower_shuffle},
      {spv::Op::OpVectorExtractDynamic, lower_extract_dynamic},
      {spv::Op::OpVectorInsertDynamic, lower_insert_dynamic},
      {spv::Op::OpSelect, lower_select},
      {spv::Op::OpUndef, lower_undefined},
  };
  for (const auto& [opcode, handler] : handlers) table.add(opcode, handler);
}

}  // namespace lockstep::spirv
