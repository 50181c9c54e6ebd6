#include "shader/lower/barrier.hpp"

#include "shader/lower/flow.hpp"
#include "shader/lower/opcode_table.hpp"

/// \file
/// Barriers, and the memory order of those and of atomics.

namespace lockstep::spirv {
namespace {

void lower_control_barrier(Lowering& l, const Instruction& i) {
  const Sync sync{scope_of(l, i, 0), memory_order(l, i, 1, 2)};
  switch (*sync.execution) {
    case Scope::workgroup:
      l.ir().has_barriers = true;
      emit_flow(l, Code::barrier, BarrierOp{sync});
      break;
    case Scope::cross_device:
    case Scope::device:
    case Scope::queue_family:
      l.unsupported(i, "an execution scope larger than Workgroup");
    case Scope::subgroup:
    case Scope::invocation:
    case Scope::shader_call:
      // The lanes of a subgroup take each step together.
      emit_flow(l, Code::memory_barrier, BarrierOp{sync});
      break;
  }
}

void lower_memory_barrier(Lowering& l, const Instruction& i) {
  emit_flow(l, Code::memory_barrier, BarrierOp{{std::nullopt, memory_order(l, i, 0, 1)}});
}

}  // namespace

Scope scope_of(Lowering& l, const Instruction& i, std::size_t operand) {
  const std::uint64_t number = l.constant_bits(i[operand]);
  if (number > static_cast<std::uint64_t>(Scope::shader_call)) fail_at(i, "has an unknown scope");
  return static_cast<Scope>(number);
}

MemoryOrder memory_order(Lowering& l, const Instruction& i, std::size_t scope,
                         std::size_t semantics) {
  return {scope_of(l, i, scope), static_cast<std::uint32_t>(l.constant_bits(i[semantics]))};
}

void add_barriers(OpcodeTable& table) {
  table.add(spv::Op::OpControlBarrier, lower_control_barrier);
  table.add(spv::Op::OpMemoryBarrier, lower_memory_barrier);
}

}  // namespace lockstep::spirv
