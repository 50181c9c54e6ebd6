#include "shader/run/assembler.hpp"

#include <memory>
#include <utility>

#include <lockstep/exec/intern.hpp>

#include "shader/ir/names.hpp"
#include "shader/run/ops/functions.hpp"

/// \file
/// Variables and memory.

namespace lockstep::spirv {
namespace {

/// Whether the operation's memory is found by a pointer.
bool has_pointer(const Op& op) {
  switch (op.code) {
    case Code::load_address:
    case Code::store_address:
    case Code::atomic_address:
      return true;
    case Code::array_length:
      return !op.src.empty();
    default:
      return false;
  }
}

AccessKind access_kind(const Op& op) {
  switch (op.code) {
    case Code::load:
    case Code::load_address:
      return AccessKind::read;
    case Code::atomic:
    case Code::atomic_address:
      return AccessKind::atomic;
    default:
      return AccessKind::write;
  }
}

}  // namespace

void Assembler::emit_move(const Op& op) {
  Inst inst = start(op);
  operands(inst, op);
  const Run hot = functions().find_hot(op.code, op.type, {inst.chunks, inst.varying_result()});
  const EmitRule rule = op.type == Scalar::boolean ? EmitRule() : arithmetic(op, inst);
  if (inst.varying_result()) inst.steps |= 0x40;
  return add(op, inst, hot != nullptr ? hot : functions().find_memory(op.code, op.type), rule);
}

const IndexedArgs* Assembler::indexed(std::uint32_t number) {
  auto& known = indexed_[number];
  if (known == nullptr) {
    auto args = std::make_unique<IndexedArgs>();
    for (const Reg r : ir_.indexed[number].regs) args->slots.push_back(slot(r).at);
    known = args.get();
    program_.indexed_args.push_back(std::move(args));
  }
  return known;
}

void Assembler::emit_indexed(const Op& op) {
  Inst inst = start(op);
  operands(inst, op);
  if (op.code == Code::store_indexed) inst.chunks = program_.chunks;
  const auto& place = op.as<IndexedPlace>();
  inst.imm = place.component;
  const IndexedArgs* const variable = indexed(place.variable);
  inst.args = variable;
  const bool told =
      is_told(op, op.code == Code::load_indexed ? Event::Kind::read : Event::Kind::write);
  const bool word = op.type != Scalar::boolean && size_of(op.type) <= 4;
  EmitRule rule{EmitRule::Kind::call, op.code, op.type};
  if (!told && word && is_short_indexed(*variable, inst)) rule.kind = EmitRule::Kind::indexed;
  if (!told && word && is_short_indexed_by_lane(*variable, inst))
    rule.kind = EmitRule::Kind::indexed_by_lane;
  add(op, inst, functions().find_memory(op.code, op.type), rule);
  if (told) tell_indexed(op, *variable, program_.insts.back());
}

void Assembler::emit_memory(const Op& op) {
  Inst inst = start(op);
  if (op.dst.empty()) inst.chunks = program_.chunks;  // a store reads all lanes' indices
  auto args = std::make_unique<MemoryArgs>();
  const bool by_address = has_pointer(op);
  const bool atomic = op.code == Code::atomic || op.code == Code::atomic_address;
  const MemoryPlace& place = place_of(op);
  if (place.expected) inst.number = follows_expectations;
  args->resource = place.resource;
  args->stride = place.stride;
  args->offset = place.offset;
  args->step = static_cast<std::uint32_t>(place.step);
  if (atomic) args->op = op.as<AtomicOp>().op;
  if (!op.src.empty() && op.src[0] != no_reg) {
    args->has_index = true;
    args->index = slot(op.src[0]);
  }
  args->has_pointer = by_address;
  args->pointer = place.pointer;
  const bool loads =
      op.code == Code::load || op.code == Code::load_address || op.code == Code::array_length;
  const std::size_t first = loads ? 0 : 1;
  const std::vector<Reg>& values = loads ? op.dst : op.src;
  for (std::size_t k = first; k < values.size() && k - first < 4; ++k)
    args->value[k - first] = slot(values[k]);
  args->components = static_cast<std::uint32_t>(values.size() - first);
  if (atomic) {
    args->components = 1;
    args->step = 0;
    if (op.dst.empty() || (places_.uses(op.dst[0]) == 0 && !is_told(op, Event::Kind::atomic)))
      inst.imm = no_result;
  }
  if (!by_address && op.code != Code::array_length) {
    args->limit = static_cast<std::uint32_t>(program_.limited.size());
    program_.limited.push_back(args.get());
    args->bytes = size_of(op.type);
  }
  inst.args = args.get();
  program_.memory_args.push_back(std::move(args));
  const bool wrapped = (is_told(op, kind_of(access_kind(op))) || is_ordered(op, atomic)) &&
                       op.code != Code::array_length;
  if (!wrapped && is_run(op)) {
    inst.imm = static_cast<std::uint64_t>(program_.size);
    inst.chunks = program_.chunks;
    const auto& m = *static_cast<const MemoryArgs*>(inst.args);
    return add(op, inst, functions().find_run(op.code, inst.chunks, size_of(op.type)),
               {is_short_run(m) ? EmitRule::Kind::run : EmitRule::Kind::call, op.code, op.type});
  }
  EmitRule rule{EmitRule::Kind::call, op.code, op.type};
  if (!wrapped && op.code != Code::array_length) rule = rule_of_access(op, inst);
  add(op, inst, atomic ? functions().find_atomic(op) : functions().find_memory(op.code, op.type),
      rule);
  if (wrapped) tell_access(op, program_.insts.back());
}

/// How machine code implements an access that is not consecutive.
EmitRule Assembler::rule_of_access(const Op& op, const Inst& inst) const {
  const auto& m = *static_cast<const MemoryArgs*>(inst.args);
  EmitRule rule{EmitRule::Kind::call, op.code, op.type};
  if (is_short_element(op, m, program_.chunks)) rule.kind = EmitRule::Kind::element;
  // A variable keeps what it was in inactive lanes.
  const bool to_variable = !op.dst.empty() && ir_.regs[op.dst[0]].variable;
  if (!to_variable && is_short_atomic(op, m, program_.chunks)) {
    rule.kind = EmitRule::Kind::atomic;
    rule.combine = m.op;
  }
  return rule;
}

void Assembler::emit_expect(const Op& op) {
  const auto& expected = op.as<Expectation>();
  Inst inst = start(op);
  inst.chunks = program_.chunks;
  operands(inst, op);
  inst.imm = expected.extent;
  const bool is_wide = !op.src.empty() && size_of(ir_.regs[op.src[0]].type) == 8;
  add(op, inst, functions().find_expect(expected, is_wide));
}

/// Whether the access is to consecutive numbers of up to 32 bits, one per lane.
bool Assembler::is_run(const Op& op) const {
  const std::size_t operands = op.code == Code::load ? 1 : op.code == Code::store ? 2 : 0;
  return operands != 0 && op.src.size() == operands && op.src[0] != no_reg &&
         op.dst.size() == 2 - operands && op.type != Scalar::boolean && size_of(op.type) <= 4 &&
         place_of(op).stride == size_of(op.type) && consecutive_[op.src[0]] &&
         program_.size % chunk_lanes == 0;
}

/// The instruction becomes one that also reports its read or write to observers.
void Assembler::tell_indexed(const Op& op, const IndexedArgs& variable, Inst& inst) {
  const std::uint32_t number = op.as<IndexedPlace>().variable;
  auto told = std::make_unique<IndexedAccessArgs>();
  told->reads = op.code == Code::load_indexed;
  told->type = op.type;
  told->object = {.kind = MemoryObject::Kind::private_memory,
                  .binding = number,
                  .name = intern(ir_.indexed[number].name)};
  told->variable = &variable;
  std::uint64_t byte = 0;
  for (const Reg r : ir_.indexed[number].regs) {
    told->bytes.push_back(byte);
    byte += size_of(ir_.regs[r].type);
  }
  told->run = inst.run;
  told->value = slot(told->reads ? op.dst[0] : op.src[1]);
  inst.args = told.get();
  inst.run = functions().find_tell_indexed();
  program_.indexed_access_args.push_back(std::move(told));
}

/// The instruction becomes one that also reports its reads or writes to observers.
void Assembler::tell_access(const Op& op, Inst& inst) {
  const AccessKind kind = access_kind(op);
  if (!has_pointer(op) &&
      ir_.resources[place_of(op).resource].kind == ResourceUse::Kind::push_constants)
    return;
  auto access = std::make_unique<AccessArgs>();
  access->kind = kind;
  access->type = op.type;
  access->memory = static_cast<const MemoryArgs*>(inst.args);
  access->run = inst.run;
  access->name = kind == AccessKind::atomic ? atomic_name(op.as<AtomicOp>().op) : "";
  if (kind != AccessKind::write && !op.dst.empty()) access->result = slot(op.dst[0]);
  access->has_result = kind != AccessKind::write && !op.dst.empty();
  access->ordered = kind == AccessKind::atomic && depends_on_order(op);
  inst.args = access.get();
  inst.run = functions().find_tell_access();
  program_.access_args.push_back(std::move(access));
}

void Assembler::emit_tell_variable(const Op& op) {
  const auto& told = op.as<ToldVariable>();
  auto args = std::make_unique<VariableArgs>();
  for (const Reg r : op.src) args->slots.push_back(slot(r));
  args->type = op.type;
  args->object = {
      .kind = MemoryObject::Kind::private_memory, .binding = told.id, .name = told.name};
  Inst inst = start(op);
  inst.args = args.get();
  program_.variable_args.push_back(std::move(args));
  add(op, inst, functions().find_tell_variable());
}

/// Whether what an atomic does depends on which of its lanes is first: what it returns is used, or updates do not
/// commute.
bool Assembler::depends_on_order(const Op& op) const {
  if (!op.dst.empty() && places_.uses(op.dst[0]) != 0)
    return op.as<AtomicOp>().op != Operator::load;
  switch (op.as<AtomicOp>().op) {
    case Operator::load:
    case Operator::min:
    case Operator::max:
    case Operator::band:
    case Operator::bor:
    case Operator::bxor:
      return false;
    case Operator::add:
    case Operator::sub:
      return is_float(op.type);
    default:
      return true;
  }
}

}  // namespace lockstep::spirv
