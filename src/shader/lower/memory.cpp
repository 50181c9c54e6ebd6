#include <utility>

#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/pointer.hpp"
#include "shader/lower/variables.hpp"

/// \file
/// Instructions that make, compare, load and store through pointers.

namespace lockstep::spirv {
namespace {

void lower_local_variable(Lowering& l, const Instruction& i) {
  register_variable(l, i, l.types()[l.types()[i.type].element]);
}

void lower_access_chain(Lowering& l, const Instruction& i) { access_chain(l, i, false); }
void lower_pointer_access_chain(Lowering& l, const Instruction& i) { access_chain(l, i, true); }

void lower_load(Lowering& l, const Instruction& i) {
  Pointer p = pointer(l, i[0]);
  add_memory_operands(l, p, i, 1);
  if (p.kind == Pointer::Kind::image || p.kind == Pointer::Kind::sampler)
    l.define_pointer(i.result, p);
  else
    l.define(i.result, load(l, p, i));
}

void lower_store(Lowering& l, const Instruction& i) {
  Pointer p = pointer(l, i[0]);
  add_memory_operands(l, p, i, 2);
  if (l.is_pointer(i[1])) {
    const Reg value = address_of(l, i[1], i);
    store(l, p, std::span(&value, 1), i);
  } else {
    store(l, p, l.regs(i[1]), i);
  }
}

void lower_copy_memory(Lowering& l, const Instruction& i) {
  Pointer to = pointer(l, i[0]);
  const Pointer from = pointer(l, i[1]);
  add_memory_operands(l, to, i, 2);
  store(l, to, load(l, from, i), i);
}

void lower_array_length(Lowering& l, const Instruction& i) {
  Types& types = l.types();
  const Pointer p = pointer(l, i[0]);
  const Type& block = types[p.type];
  if (block.kind != Type::Kind::structure) fail_at(i, "needs a block");
  const Type& array = types[types.element(block, i[1]).id];
  if (array.kind != Type::Kind::runtime_array) fail_at(i, "needs a runtime array");
  const auto stride =
      static_cast<std::uint32_t>(types.array_stride(array, types.member_layout(block, i[1])));
  if (stride == 0) fail_at(i, "the array's stride is zero");
  const Reg dst = l.new_reg(Scalar::u32);
  const bool is_address = p.kind == Pointer::Kind::address;
  l.emit(
      Code::array_length, Scalar::u32, {dst},
      is_address ? std::vector<Reg>{p.index} : std::vector<Reg>{},
      MemoryPlace{p.resource, p.offset + types.member_offset(block, i[1]), stride, 0, p.pointer});
  l.define(i.result, dst);
}

void lower_pointer_comparison(Lowering& l, const Instruction& i) {
  const Reg a = address_of(l, i[0], i), b = address_of(l, i[1], i);
  const Code code = i.opcode == spv::Op::OpPtrEqual ? Code::equal : Code::not_equal;
  l.define(i.result, l.pure(code, Scalar::u64, Scalar::boolean, {a, b}));
}

}  // namespace

void add_memory(OpcodeTable& table) {
  constexpr std::pair<spv::Op, OpcodeTable::Handler> handlers[] = {
      {spv::Op::OpVariable, lower_local_variable},
      {spv::Op::OpAccessChain, lower_access_chain},
      {spv::Op::OpInBoundsAccessChain, lower_access_chain},
      {spv::Op::OpPtrAccessChain, lower_pointer_access_chain},
      {spv::Op::OpInBoundsPtrAccessChain, lower_pointer_access_chain},
      {spv::Op::OpLoad, lower_load},
      {spv::Op::OpStore, lower_store},
      {spv::Op::OpCopyMemory, lower_copy_memory},
      {spv::Op::OpArrayLength, lower_array_length},
      {spv::Op::OpPtrEqual, lower_pointer_comparison},
      {spv::Op::OpPtrNotEqual, lower_pointer_comparison},
  };
  for (const auto& [opcode, handler] : handlers) table.add(opcode, handler);
}

}  // namespace lockstep::spirv
