#include <set>
#include <utility>
#include <vector>

#include "shader/ir/built_ins.hpp"
#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"

/// \file
/// Subgroup operations: each becomes the operation of its row in the table of built-ins.

namespace lockstep::spirv {
namespace {

constexpr std::uint32_t subgroup_scope = 3;

void check_scope(Lowering& l, const Instruction& i) {
  if (l.constant_bits(i[0]) != subgroup_scope) l.unsupported(i, "in a scope other than Subgroup");
}

/// The instruction's row of the table of built-ins, and which of the row's opcodes it has.
struct Found {
  spec::Name name;
  const spec::BuiltIn& built_in;
  const spec::Opcode& opcode;
};

/// Whether the operand that rows of the same opcode differ in is that of the row.
bool has_operand(Lowering& l, const Instruction& i, const spec::Operand& operand) {
  const auto number = static_cast<std::uint32_t>(operand.number);
  const bool has_cluster_size = i.operands.size() > 3;
  switch (operand.kind) {
    case spec::Operand::Kind::group_operation:
      return i[1] == number;
    case spec::Operand::Kind::direction:
      return l.constant_bits(i[2]) == number;
    case spec::Operand::Kind::cluster_size:
      return has_cluster_size;
    case spec::Operand::Kind::no_cluster_size:
      return !has_cluster_size;
    default:
      return true;
  }
}

Found find_row(Lowering& l, const Instruction& i) {
  for (std::size_t k = 0; k < spec::functions().size(); ++k) {
    const spec::BuiltIn& built_in = spec::functions()[k];
    for (const spec::Opcode& opcode : built_in.opcodes) {
      if (opcode.number == static_cast<int>(i.opcode) && has_operand(l, i, built_in.operand))
        return {static_cast<spec::Name>(k), built_in, opcode};
    }
  }
  l.unsupported(i, "this group operation or direction");
}

std::vector<Reg> new_words(Lowering& l) {
  std::vector<Reg> words;
  for (int k = 0; k < 4; ++k) words.push_back(l.new_reg(Scalar::u32));
  return words;
}

std::vector<Reg> ballot_of(Lowering& l, const Instruction& i, std::size_t operand) {
  std::vector<Reg> words = l.components(i[operand]);
  if (words.size() != 4) fail_at(i, "needs a ballot of four words");
  return words;
}

/// One operation with one result of the instruction's scalar type.
Reg emit_one(Lowering& l, const Instruction& i, Code code, Scalar type, std::vector<Reg> src) {
  const Reg dst = l.new_reg(l.types()[i.type].scalar);
  l.emit(code, type, {dst}, std::move(src));
  return dst;
}

/// Adds the operation of one component of a value.
void emit_part(Lowering& l, Code code, Scalar type, std::vector<Reg> dst, std::vector<Reg> src,
               std::size_t part, std::size_t parts, const Detail& detail = {}) {
  Op& op = l.emit(code, type, std::move(dst), std::move(src), detail);
  op.part = static_cast<std::uint8_t>(part);
  op.parts = static_cast<std::uint8_t>(parts);
}

/// One operation for each component of a value, all with the same further operands.
void emit_each(Lowering& l, const Instruction& i, const Found& row, std::size_t value,
               const std::vector<Reg>& more, const Detail& detail) {
  const BuiltInRow& engine = row_of(row.name);
  const std::vector<Reg> components = l.components(i[value]);
  std::vector<Reg> out;
  for (const Reg r : components) {
    const Scalar type = l.scalar_type(r);
    const Reg dst = l.new_reg(type);
    // Of floats only minima and maxima obey a mode, which make no denormals themselves.
    std::vector<Reg> src{l.flushed(r)};
    src.insert(src.end(), more.begin(), more.end());
    emit_part(l, engine.code, engine.op ? with_sign(type, row.opcode.is_signed) : type, {dst},
              std::move(src), out.size(), components.size(), detail);
    out.push_back(dst);
  }
  l.define(i.result, out);
}

/// Vectors agree where all components do.
void emit_comparison(Lowering& l, const Instruction& i, Code code, std::size_t value) {
  Reg out = no_reg;
  const std::vector<Reg> components = l.components(i[value]);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const Reg r = components[k], equal = l.new_reg(Scalar::boolean);
    emit_part(l, code, l.scalar_type(r), {equal}, {r}, k, components.size());
    out =
        out == no_reg ? equal : l.pure(Code::band, Scalar::boolean, Scalar::boolean, {out, equal});
  }
  l.define(i.result, out);
}

/// A ballot of each component of a value: a vector's is the lanes that are in all of them.
void emit_value_to_ballot(Lowering& l, const Instruction& i, Code code, std::size_t value) {
  std::vector<Reg> words;
  const std::vector<Reg> components = l.components(i[value]);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const std::vector<Reg> part = new_words(l);
    emit_part(l, code, l.scalar_type(components[k]), part, {components[k]}, k, components.size());
    if (words.empty()) {
      words = part;
      continue;
    }
    for (std::size_t w = 0; w < 4; ++w)
      words[w] = l.pure(Code::band, Scalar::u32, Scalar::u32, {words[w], part[w]});
  }
  l.define(i.result, words);
}

/// What the operation of a row has besides registers.
Detail detail_of(Lowering& l, const Instruction& i, const Found& row) {
  using enum spec::Form;
  const BuiltInRow& engine = row_of(row.name);
  const auto cluster = [&] { return static_cast<std::uint32_t>(l.constant_bits(i[3])); };
  if (engine.op) return Reduction{*engine.op, row.built_in.form == value_cluster ? cluster() : 0};
  if (row.built_in.form == value_index_cluster) return Cluster{cluster()};
  if (row.built_in.operand.kind == spec::Operand::Kind::direction)
    return Quad{static_cast<std::uint32_t>(row.built_in.operand.number)};
  if (engine.code == Code::broadcast) return Broadcast{!row.opcode.has_scope};
  return {};
}

void lower_built_in(Lowering& l, const Instruction& i) {
  using enum spec::Form;
  const Found row = find_row(l, i);
  if (row.opcode.has_scope) check_scope(l, i);
  const Code code = row_of(row.name).code;
  // Operands start with the scope and the group operation, if it has them.
  const bool grouped = row.built_in.operand.kind == spec::Operand::Kind::group_operation;
  const std::size_t first = (row.opcode.has_scope ? 1 : 0) + (grouped ? 1 : 0);
  const auto index = [&] { return l.as_u32(l.scalar_of(i, first + 1)); };
  const auto result_type = [&] {
    return l.types()[i.type].scalar == Scalar::boolean ? Scalar::boolean : Scalar::u32;
  };
  switch (row.built_in.form) {
    case nothing:
      return l.define(i.result, emit_one(l, i, code, Scalar::boolean, {}));
    case condition:
      return l.define(i.result, emit_one(l, i, code, Scalar::boolean, {l.scalar_of(i, first)}));
    case condition_to_ballot: {
      const Reg bit = l.scalar_of(i, first);
      const std::vector<Reg> words = new_words(l);
      l.emit(code, Scalar::u32, words, {bit});
      return l.define(i.result, words);
    }
    case comparison:
      return emit_comparison(l, i, code, first);
    case value:
    case value_cluster:
      return emit_each(l, i, row, first, {}, detail_of(l, i, row));
    case value_index:
    case value_index_cluster:
      return emit_each(l, i, row, first, {index()}, detail_of(l, i, row));
    case value_ballot:
      return emit_each(l, i, row, first, ballot_of(l, i, first + 1), detail_of(l, i, row));
    case value_to_ballot:
      return emit_value_to_ballot(l, i, code, first);
    case ballot:
      return l.define(i.result, emit_one(l, i, code, result_type(), ballot_of(l, i, first)));
    case ballot_index: {
      std::vector<Reg> src = ballot_of(l, i, first);
      src.push_back(index());
      return l.define(i.result, emit_one(l, i, code, result_type(), std::move(src)));
    }
  }
}

}  // namespace

void add_subgroup(OpcodeTable& table) {
  std::set<int> added;
  for (const spec::BuiltIn& built_in : spec::functions()) {
    for (const spec::Opcode& opcode : built_in.opcodes) {
      if (!opcode.name.empty() && added.insert(opcode.number).second)
        table.add(static_cast<spv::Op>(opcode.number), lower_built_in);
    }
  }
}

}  // namespace lockstep::spirv
