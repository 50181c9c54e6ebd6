#include "shader/run/assembler.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "shader/ir/consecutive.hpp"
#include "shader/ir/names.hpp"
#include "shader/ir/operations.hpp"
#include "shader/ir/product.hpp"
#include "shader/ir/race_free.hpp"
#include "shader/ir/regions.hpp"
#include "shader/ir/written_resources.hpp"
#include "shader/run/ops/functions.hpp"

/// \file
/// The frame of the assembler: operations in turn, registers and operands, and operations without side effects.

namespace lockstep::spirv {
namespace {

bool is_division(Code code) { return code == Code::div || code == Code::mod; }

}  // namespace

Assembler::Assembler(const Ir& ir, Program& program, std::uint32_t once,
                     const AssembleOptions& options)
    : ir_(ir),
      program_(program),
      once_(once),
      asked_(options.tangled ? options.told : Interest::none()),
      written_(asked_.conflict_free ? std::vector<bool>() : written_resources(ir)),
      race_free_(options.race_axes == 0 ? std::vector<bool>(ir.resources.size())
                                        : find_race_free(ir, options.race_axes)),
      judged_only_(options.judged_only),
      atomic_order_(options.atomic_order),
      places_(ir, program, once),
      branches_(ir, program.on_stack()),
      ballots_(ir),
      consecutive_(find_consecutive(ir, options.linear)),
      ranges_(find_value_ranges(ir)) {}

void Assembler::run() {
  places_.place_fixed(program_);
  for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) {
    at_ = k;
    start_.push_back(static_cast<std::uint32_t>(program_.insts.size()));
    for (const Reg r : ir_.ops[k].dst) slot(r);
    if (k == once_) program_.first = program_.insts.size();
    tell_line(ir_.ops[k]);
    emit(ir_.ops[k]);
    program_.tells = program_.tells || tells(ir_.ops[k]);
    note_last_uses();
  }
  start_.push_back(static_cast<std::uint32_t>(program_.insts.size()));
  if (program_.any_order) places_.list_lanes(program_);
  program_.register_bytes = places_.bytes();
  branches_.set_targets(program_, start_);
  note_loop_locals();
}

/// Whether an access of another invocation can conflict with it: see Interest.
bool Assembler::may_conflict(const Op& op) const {
  const auto is_written = [&](std::uint32_t first, std::uint64_t choices) {
    for (std::uint64_t k = 0; k < std::max<std::uint64_t>(choices, 1); ++k)
      if (written_[first + k] && !race_free_[first + k]) return true;
    return false;
  };
  switch (op.code) {
    case Code::load:
      return is_written(place_of(op).resource, 1);
    case Code::store:
    case Code::atomic:
      return !race_free_[place_of(op).resource];
    case Code::image_load:
    case Code::image_store:
      return is_written(op.as<ImageOp>().resource, op.as<ImageOp>().choices);
    case Code::image_sample:
      return is_written(op.as<Sampling>().image.resource, op.as<Sampling>().image.choices);
    case Code::load_indexed:
    case Code::store_indexed:
      return false;
    default:
      return true;
  }
}

/// Whether observers are told of what it accesses, or of a built-in.
bool Assembler::tells(const Op& op) const {
  if (is_subgroup(op.code)) return is_told(op, Event::Kind::built_in);
  using enum Event::Kind;
  const bool any = is_told(op, read) || is_told(op, write) || is_told(op, atomic);
  return any && operation_of(op.code).event == Notice::told;
}

/// Records the values whose live range ends at the instruction.
void Assembler::note_last_uses() {
  for (const Reg r : places_.free_last_used(at_)) dying_.push_back(r);
  // The test that follows uses the operands of a fused comparison.
  if (tested_ == at_ || program_.insts.empty()) return;
  for (const Reg r : dying_)
    program_.last_uses.push_back({program_.insts.size() - 1, slot(r).at, places_.bytes_of(r)});
  dying_.clear();
}

/// Records the variables that are read in one loop only, which is an innermost one.
void Assembler::note_loop_locals() {
  const Regions regions(ir_.ops);
  const auto none = static_cast<std::uint32_t>(ir_.ops.size());
  constexpr std::uint32_t several = ~0u;
  std::vector<std::uint32_t> loop(ir_.regs.size(), none);  // by its end
  std::vector<bool> read(ir_.regs.size());
  const auto reads = [&](Reg r, std::uint32_t end) {
    if (r == no_reg) return;
    loop[r] = !read[r] || loop[r] == end ? end : several;
    read[r] = true;
  };
  for (std::uint32_t k = 0; k < none; ++k) {
    for (const Reg r : ir_.ops[k].src) reads(r, regions.loop_end[k]);
  }
  for (const IndexedVariable& v : ir_.indexed) {
    for (const Reg r : v.regs) reads(r, none);
  }
  std::vector<std::pair<std::uint32_t, Reg>> of_loop;  // by its end
  for (Reg r = 0; r < ir_.regs.size(); ++r) {
    if (ir_.regs[r].variable && read[r] && loop[r] < none) of_loop.emplace_back(loop[r], r);
  }
  std::ranges::sort(of_loop);
  for (std::uint32_t k = 0; k < none; ++k) {
    const std::uint32_t end = regions.loop_end[k];
    if (end == none || regions.loop_end[end] != none || start_[k] == start_[k + 1]) continue;
    if (program_.rules[start_[k]].kind != EmitRule::Kind::iterate) continue;
    for (auto at = std::ranges::lower_bound(of_loop, std::pair(end, Reg{0}));
         at != of_loop.end() && at->first == end; ++at)
      program_.loop_locals.push_back({start_[k], slot(at->second).at});
  }
}

std::uint32_t Assembler::line(const SourceLocation& where) {
  const auto [found, added] = lines_.try_emplace({where.file, where.line},
                                                 static_cast<std::uint32_t>(program_.lines.size()));
  if (added) program_.lines.push_back(where);
  return found->second;
}

Inst Assembler::start(const Op& op) {
  Inst inst;
  inst.line = line(op.where);
  if (construct_of(op) != no_construct) inst.number = static_cast<std::uint16_t>(construct_of(op));
  if (!op.dst.empty()) {
    const Slot dst = slot(op.dst[0]);
    inst.dst = dst.at;
    inst.chunks = chunks_of(op.dst[0]);
    if (dst.varying) inst.steps |= 0x80;
  }
  return inst;
}

void Assembler::operand(Inst& inst, std::size_t k, Reg r) {
  const Slot s = slot(r);
  if (k == 3)
    inst.imm = s.at;
  else
    (k == 0 ? inst.a : k == 1 ? inst.b : inst.c) = s.at;
  if (s.varying) inst.steps = static_cast<std::uint8_t>(inst.steps | 1u << k);
}

void Assembler::operands(Inst& inst, const Op& op) {
  for (std::size_t k = 0; k < op.src.size(); ++k) operand(inst, k, op.src[k]);
}

void Assembler::no_function(const Op& op) const {
  std::string where;
  if (op.where.line > 0) where = fmt::format("{}:{}: ", op.where.file, op.where.line);
  throw Error(fmt::format("{}the operation {} on {} is not supported (from {})", where,
                          operation_of(op.code).name, name_of(op.type), name_of(op.from)));
}

/// Machine code computes by itself; everything that the stack or observers see is a call.
EmitRule Assembler::tangled_rule(EmitRule rule) {
  using Kind = EmitRule::Kind;
  switch (rule.kind) {
    case Kind::call:
    case Kind::branch:
    case Kind::stop:
    case Kind::back:
    case Kind::arithmetic:
      break;
    case Kind::test:
    case Kind::rejoin:
    case Kind::other_side:
      rule.kind = Kind::branch;
      break;
    case Kind::iterate:
      rule.kind = Kind::back;
      break;
    case Kind::end:
      rule.kind = Kind::stop;
      break;
    default:
      rule.kind = Kind::call;
  }
  return rule;
}

void Assembler::add(const Op& op, Inst inst, Run function, const EmitRule& rule) {
  if (function == nullptr) no_function(op);
  inst.run = function;
  program_.insts.push_back(inst);
  program_.rules.push_back(program_.on_stack() ? tangled_rule(rule) : rule);
  // Observers see the end of one subgroup before the next one starts.
  if (program_.tangled && rule.kind == EmitRule::Kind::end)
    program_.rules.back().kind = EmitRule::Kind::stop;
  program_.op_of.push_back(at_);
}

void Assembler::add_flow(const Op& op, const Inst& inst, Run function, EmitRule::Kind kind) {
  add(op, inst, function, {kind, op.code, op.type});
}

/// The rule by which machine code emits the operation inline, if it is among the most frequent ones.
EmitRule Assembler::arithmetic(const Op& op, const Inst& inst) const {
  EmitRule rule;
  if (is_arithmetic(op.code, op.type, op.from, inst)) rule.kind = EmitRule::Kind::arithmetic;
  rule.code = op.code == Code::move ? Code::copy : op.code;
  rule.type = op.type;
  rule.from = op.from;
  rule.variable = ir_.regs[op.dst[0]].variable;
  return rule;
}

/// With observers of lines, each is reported; control flow reports itself.
void Assembler::tell_line(const Op& op) {
  if (is_control(op.code)) {
    told_ = {"", 0};
    return;
  }
  if (!asked_.kinds.has(Event::Kind::line) || op.where.line == 0) return;
  if (told_.file == op.where.file && told_.line == op.where.line) return;
  told_ = op.where;
  Inst inst;
  inst.line = line(op.where);
  add(op, inst, functions().find_tell_line());
}

void Assembler::emit(const Op& op) {
  if (is_pure(op.code)) return emit_pure(op);
  if (is_subgroup(op.code)) return emit_subgroup(op);
  if (is_control(op.code)) return emit_flow(op);
  using Emit = void (Assembler::*)(const Op& op);
  static constexpr Emit of_effects[] = {
#define LOCKSTEP_ROW(code, operands, result, uniformity, undefined, bounds, event, instruction) \
  &Assembler::emit_##instruction,
      LOCKSTEP_EFFECTS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  };
  const auto row = static_cast<std::size_t>(op.code) - static_cast<std::size_t>(Code::move);
  (this->*of_effects[row])(op);
}

void Assembler::emit_pure(const Op& op) {
  if (is_tested_next()) {
    tested_ = at_;
    return;
  }
  Inst inst = start(op);
  if (op.masked) inst.steps |= 0x40;
  inst.imm = functions().immediate_of(op);
  operands(inst, op);
  if (op.code == Code::mul && (op.type == Scalar::u32 || op.type == Scalar::i32))
    inst.imm = static_cast<std::uint64_t>(product_of(ranges_[op.src[0]], ranges_[op.src[1]]));
  // Neither machine code nor functions for one form round towards zero.
  if (op.controls.cuts_off) return add(op, inst, functions().find_pure(op));
  if (const Run hot = hot_function(op, inst)) return add(op, inst, hot, arithmetic(op, inst));
  if (op.code == Code::chain) {
    auto limit = std::make_unique<MemoryArgs>();
    limit->offset = op.as<Chain>().limit;
    inst.args = &limit->offset;
    program_.memory_args.push_back(std::move(limit));
  }
  add(op, inst, functions().find_pure(op), is_in_place(op) ? arithmetic(op, inst) : EmitRule());
}

/// Whether machine code may compute the operation, if it can.
bool Assembler::is_in_place(const Op& op) const {
  if (op.code == Code::convert) return op.type != Scalar::boolean && op.from != Scalar::boolean;
  return true;
}

/// The function compiled for the instruction's form, if its operation has one.
Run Assembler::hot_function(const Op& op, Inst& inst) const {
  const HotForm form{inst.chunks, op.masked};
  if (is_division(op.code) && op.type == Scalar::u32) {
    const RegInfo& divisor = ir_.regs[op.src[1]];
    const auto value = static_cast<std::uint32_t>(divisor.value);
    if (!divisor.constant || !std::has_single_bit(value)) return nullptr;
    inst.imm =
        op.code == Code::div ? static_cast<std::uint32_t>(std::countr_zero(value)) : value - 1;
    return functions().find_power_of_two(op.code, form);
  }
  return functions().find_hot(op.code, op.type, form);
}

/// Whether the operation is a comparison, or an election, whose only use is the test directly after it. The two become
/// one instruction.
bool Assembler::is_tested_next() const {
  if (program_.on_stack() || at_ + 1 >= ir_.ops.size()) return false;
  const Op& op = ir_.ops[at_];
  if (is_subgroup(op.code) && is_told(op, Event::Kind::built_in)) return false;
  const Op& next = ir_.ops[at_ + 1];
  if (next.code != Code::if_begin && next.code != Code::loop_test) return false;
  if (op.code == Code::elect)
    return next.code == Code::if_begin && next.src[0] == op.dst[0] &&
           places_.uses(op.dst[0]) == 1 && !ir_.regs[op.dst[0]].variable &&
           !branches_.is_break(at_ + 1);
  return op.src.size() == 2 && next.src[0] == op.dst[0] && places_.uses(op.dst[0]) == 1 &&
         !ir_.regs[op.dst[0]].variable &&
         functions().find_test(op.code, op.type, Test::enter, 1) != nullptr;
}

/// A test of the operation's condition, fused with the comparison that computes it if there is one.
void Assembler::add_test(const Op& op, Test kind, Run alone) {
  Inst inst = start(op);
  if (at_ > 0 && tested_ == at_ - 1) {
    const Op& comparison = ir_.ops[tested_];
    if (comparison.code == Code::elect)
      return add_flow(
          op, inst, functions().find_enter_elected(program_.width),
          !program_.counted && is_test(comparison.code, comparison.type, inst, program_.chunks)
              ? EmitRule::Kind::elect
              : EmitRule::Kind::branch);
    inst.chunks = chunks_of(comparison.dst[0]);
    operands(inst, comparison);
    if (!ir_.regs[comparison.dst[0]].uniform) inst.steps |= 0x80;
    const bool whole = comparison.type == Scalar::u32 || comparison.type == Scalar::i32;
    EmitRule rule{EmitRule::Kind::branch, comparison.code, comparison.type, kind};
    if (kind == Test::jump && whole) rule.kind = EmitRule::Kind::jump_if;
    if (kind != Test::jump && is_test(comparison.code, comparison.type, inst, program_.chunks))
      rule.kind = EmitRule::Kind::test;
    return add(op, inst, functions().find_test(comparison.code, comparison.type, kind, inst.chunks),
               rule);
  }
  operand(inst, 0, op.src[0]);
  EmitRule rule{EmitRule::Kind::branch, op.code, op.type, kind};
  if (kind == Test::jump)
    rule.kind = EmitRule::Kind::jump_if;
  else if (is_test(op.code, op.type, inst, program_.chunks))
    rule.kind = EmitRule::Kind::test;
  add(op, inst, alone, rule);
}

}  // namespace lockstep::spirv
