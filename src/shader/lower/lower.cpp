#include "shader/lower/lower.hpp"

#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "shader/lower/constants.hpp"
#include "shader/lower/cooperative_matrix.hpp"
#include "shader/lower/derivative.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/pointer.hpp"
#include "shader/lower/shared_bindings.hpp"
#include "shader/lower/variables.hpp"

namespace lockstep::spirv {
namespace {

bool is_type(spv::Op op) {
  return (op >= spv::Op::OpTypeVoid && op <= spv::Op::OpTypeForwardPointer) ||
         op == op_type_vector_id;
}

void lower_type(Lowering& l, const Instruction& i) {
  if (i.opcode == op_type_cooperative_matrix) return add_cooperative_matrix(l, i);
  if (is_type(i.opcode)) l.types().add(i, [&](Id length) { return l.constant_bits(length); });
}

const EntryPoint& find_entry(const Module& module, const std::string& name) {
  std::string known;
  for (const EntryPoint& e : module.entry_points()) {
    if (e.model != spv::ExecutionModel::GLCompute) continue;
    if (e.name == name) return e;
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", e.name);
  }
  throw Error(fmt::format("{}: has no compute entry point '{}'; it has {}", module.file(), name,
                          known.empty() ? "none" : known));
}

void lower_checked_constant(Lowering& l, const Instruction& i) {
  lower_constant(l, i);
  l.check_result(i);
}

void lower_globals(Lowering& l) {
  for (const Instruction* i : l.module().globals()) {
    l.set_where(i->where);
    lower_type(l, *i);
    if (is_constant(i->opcode))
      lower_checked_constant(l, *i);
    else if (i->opcode == spv::Op::OpVariable)
      lower_global_variable(l, *i);
  }
}

/// The constant that is decorated as WorkgroupSize, which wins over execution modes; null if none.
const Instruction* workgroup_size_constant(const Module& module) {
  const Instruction* last = nullptr;
  for (const Instruction* i : module.globals()) {
    const auto* built_in = module.decorations(i->result).find(spv::Decoration::BuiltIn);
    const bool is_composite =
        i->opcode == spv::Op::OpConstantComposite || i->opcode == spv::Op::OpSpecConstantComposite;
    if (is_composite && built_in != nullptr &&
        static_cast<spv::BuiltIn>(*built_in) == spv::BuiltIn::WorkgroupSize)
      last = i;
  }
  return last;
}

void take_size_of_constant(Lowering& l, const Instruction& i) {
  const auto size = l.regs(i.result);
  if (size.size() != 3) fail_at(i, "needs three components");
  for (std::size_t k = 0; k < 3; ++k)
    l.ir().local_size[k] = static_cast<std::uint32_t>(l.ir().regs[size[k]].value);
}

void take_size_of_mode(Lowering& l, Id entry, spv::ExecutionMode mode) {
  const Instruction* i = l.module().execution_mode(entry, mode);
  if (i == nullptr) return;
  const bool ids = mode == spv::ExecutionMode::LocalSizeId;
  for (std::size_t k = 0; k < 3; ++k)
    l.ir().local_size[k] =
        ids ? static_cast<std::uint32_t>(l.constant_bits((*i)[2 + k])) : (*i)[2 + k];
}

void find_local_size(Lowering& l, Id entry) {
  if (const Instruction* constant = workgroup_size_constant(l.module())) {
    take_size_of_constant(l, *constant);
  } else {
    take_size_of_mode(l, entry, spv::ExecutionMode::LocalSize);
    take_size_of_mode(l, entry, spv::ExecutionMode::LocalSizeId);
  }
  const auto& size = l.ir().local_size;
  std::uint64_t invocations = 1;
  for (const std::uint32_t n : size) {
    if (n == 0 || n > 1u << 16 || (invocations *= n) > 1u << 16)
      throw Error(
          fmt::format("{}: the local size is {} x {} x {}; 1 to 65536 "
                      "invocations are supported",
                      l.module().file(), size[0], size[1], size[2]));
  }
}

}  // namespace

Id lower_declarations(Lowering& l) {
  const EntryPoint& entry = find_entry(l.module(), l.options().entry);
  l.set_float_modes(FloatModes(l.module(), entry.function));
  lower_globals(l);
  find_local_size(l, entry.function);
  find_derivative_group(l, entry.function);
  return entry.function;
}

/// Whether a compiler of WGSL has made the module: Tint or Naga, by their numbers in the registry of generators.
bool is_of_wgsl(const Module& module) {
  constexpr std::size_t generator = 2;  // the word of the header
  constexpr std::uint32_t tint = 23, naga = 28;
  const std::uint32_t made_by = module.words()[generator], tool = made_by >> 16;
  return tool == tint || tool == naga || made_by == naga;  // naga writes no version
}

Ir lower(const Module& module, const LowerOptions& options) {
  Lowering l(module, options);
  const Id entry = lower_declarations(l);
  check_shared_bindings(l, entry);
  lower_entry(l, entry);
  l.ir().discards_loads = module.is_hlsl() || is_of_wgsl(module);
  return std::move(l.ir());
}

void Lowering::lower_instruction(const Instruction& i) {
  const OpcodeTable::Handler handler = opcode_table().find(i.opcode);
  if (handler == nullptr) unsupported(i);
  const Decorations& decorations = module().decorations(i.result);
  // The sum of a dot product has no order even if it is not combined with others.
  const bool is_sum = i.opcode == spv::Op::OpDot || i.opcode == spv::Op::OpMatrixTimesVector ||
                      i.opcode == spv::Op::OpVectorTimesMatrix ||
                      i.opcode == spv::Op::OpMatrixTimesMatrix;
  set_precision(decorations.has(spv::Decoration::NoContraction) && !is_sum,
                decorations.has(spv::Decoration::RelaxedPrecision));
  set_obeyed(obeyed_by(i, module()));
  handler(*this, i);
  set_precision(false, false);
  set_obeyed({});
  check_result(i);
  name_result(i.result);
  if (i.result != 0 && is_known(i.result) && !is_pointer(i.result) &&
      is_same_in_subgroup(*this, i.result))
    expect_same(*this, components(i.result), module().name(i.result));
}

}  // namespace lockstep::spirv
