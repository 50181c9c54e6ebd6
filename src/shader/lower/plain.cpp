#include "shader/lower/plain.hpp"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include <spirv/unified1/GLSL.std.450.h>

#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

/// An instruction that is an operation, component by component.
struct PlainInstruction {
  std::uint32_t number = 0;
  bool of_glsl = false;                ///< of GLSL.std.450
  std::optional<bool> is_signed = {};  ///< how it reads integers; nothing: as their types say
  Code code = Code::copy;
};

namespace instruction_row {

// The words of the column `instructions`.
using enum spv::Op;
constexpr PlainInstruction op(spv::Op opcode) { return {static_cast<std::uint32_t>(opcode)}; }
constexpr PlainInstruction op_signed(spv::Op opcode) {
  return {static_cast<std::uint32_t>(opcode), false, true};
}
constexpr PlainInstruction op_unsigned(spv::Op opcode) {
  return {static_cast<std::uint32_t>(opcode), false, false};
}
constexpr PlainInstruction glsl(GLSLstd450 number) { return {number, true}; }
constexpr PlainInstruction glsl_signed(GLSLstd450 number) { return {number, true, true}; }
constexpr PlainInstruction glsl_unsigned(GLSLstd450 number) { return {number, true, false}; }

constexpr std::size_t most = 4;
struct Cell {
  std::array<PlainInstruction, most> each = {};
  std::size_t count = 0;
};
template <class... I>
constexpr Cell lowers(I... instructions) {
  return {{instructions...}, sizeof...(I)};
}

/// In the order of Code.
constexpr Cell cells[] = {
#define LOCKSTEP_ROW(code, text, instructions, ...) instructions,
    LOCKSTEP_PURE_OPERATIONS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};

}  // namespace instruction_row

using Instructions = std::unordered_map<std::uint32_t, PlainInstruction>;
Instructions make_instructions(bool of_glsl) {
  Instructions all;
  for (std::size_t k = 0; k < std::size(instruction_row::cells); ++k) {
    const auto& cell = instruction_row::cells[k];
    for (std::size_t at = 0; at < cell.count; ++at) {
      PlainInstruction instruction = cell.each[at];
      instruction.code = static_cast<Code>(k);
      if (instruction.of_glsl == of_glsl) all.emplace(instruction.number, instruction);
    }
  }
  return all;
}
const Instructions& of_spirv() {
  static const Instructions all = make_instructions(false);
  return all;
}
const Instructions& of_glsl() {
  static const Instructions all = make_instructions(true);
  return all;
}

/// One operation per component; all operands have as many components as the first.
void lower_each(Lowering& l, const Instruction& i, const PlainInstruction& instruction,
                std::size_t first_operand) {
  const std::size_t count = i.operands.size() - first_operand;
  if (count > 3) fail_at(i, "has too many operands");
  std::vector<std::vector<Reg>> operands;
  for (std::size_t k = 0; k < count; ++k) {
    operands.push_back(l.components(i[first_operand + k]));
    if (operands[k].size() != operands[0].size()) fail_at(i, "has operands of unequal sizes");
  }
  const Code code = instruction.code;
  const Scalar wanted = l.types()[i.type].scalar;
  const Operand& given = operation_of(code).result;
  const Scalar result =
      given.kind == Operand::Kind::fixed && given.scalar != Scalar::boolean ? given.scalar : wanted;
  std::vector<Reg> out;
  for (std::size_t k = 0; k < operands.at(0).size(); ++k) {
    const Reg a = operands[0][k];
    Scalar type = l.scalar_type(a);
    if (instruction.is_signed) type = with_sign(type, *instruction.is_signed);
    Reg b = count > 1 ? operands[1][k] : no_reg;
    // A shift count may have another width than the shifted value.
    if ((code == Code::shl || code == Code::shr) && size_of(l.scalar_type(b)) != size_of(type))
      b = l.pure(Code::convert, type, type, {b}, l.scalar_type(b));
    Reg value = count == 1   ? l.pure(code, type, result, {a})
                : count == 2 ? l.pure(code, type, result, {a, b})
                             : l.pure(code, type, result, {a, b, operands[2][k]});
    if (size_of(result) != size_of(wanted))
      value = l.pure(Code::convert, wanted, wanted, {value}, result);
    out.push_back(value);
  }
  l.define(i.result, out);
}

void lower_plain(Lowering& l, const Instruction& i) {
  lower_each(l, i, of_spirv().at(static_cast<std::uint32_t>(i.opcode)), 0);
}

}  // namespace

void add_plain(OpcodeTable& table) {
  for (const auto& [number, instruction] : of_spirv())
    table.add(static_cast<spv::Op>(number), lower_plain);
}

bool lower_plain_glsl(Lowering& l, const Instruction& i) {
  const auto found = of_glsl().find(i[1]);
  if (found == of_glsl().end()) return false;
  lower_each(l, i, found->second, 2);
  return true;
}

}  // namespace lockstep::spirv
