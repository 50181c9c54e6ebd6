#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "shader/front/compile.hpp"
#include "shader/lower/flow.hpp"
#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/pointer.hpp"

/// \file
/// Functions are inlined; structured control flow becomes constructs that begin and end.

namespace lockstep::spirv {
namespace {

constexpr std::size_t deepest_calls = 256;
constexpr std::uint32_t most_constructs = 0xffff;
constexpr std::size_t most_operations_inlined = std::size_t{1} << 21;

bool targets(const Instruction& terminator, Id label) {
  switch (terminator.opcode) {
    case spv::Op::OpBranch:
      return terminator[0] == label;
    case spv::Op::OpBranchConditional:
      return terminator[1] == label || terminator[2] == label;
    default:
      return false;
  }
}

const Function& current_function(Lowering& l) { return *l.control().activations.back().function; }

void region(Lowering& l, Id id);
void selection(Lowering& l, const Block& block);
void loop(Lowering& l, const Block& block);
void switch_statement(Lowering& l, const Block& block);
bool conditional_branch(Lowering& l, const Block& block, Id& next);
bool leaves(Lowering& l, Id target, Id from);
bool lower_block(Lowering& l, Id& id);
bool follow_terminator(Lowering& l, const Block& block, Id& next);
void return_from(Lowering& l, const Block& block);

/// The headers of loops whose back edge is conditional, by the positions of their blocks.
std::vector<bool> loops_tested_last(const Function& function) {
  std::vector<bool> found(function.blocks.size());
  for (const Block& b : function.blocks) {
    if (b.terminator->opcode != spv::Op::OpBranchConditional) continue;
    for (const Id target : {(*b.terminator)[1], (*b.terminator)[2]}) {
      const auto block = function.block_of.find(target);
      if (block == function.block_of.end()) continue;
      const Block& header = function.blocks[block->second];
      if (header.merge != nullptr && header.merge->opcode == spv::Op::OpLoopMerge &&
          targets(*b.terminator, (*header.merge)[0]))
        found[header.position] = true;
    }
  }
  return found;
}

void lower_body(Lowering& l, const Function& called, std::vector<Reg> result) {
  if (called.blocks.empty()) fail_at(*called.start, "the function has no body");
  for (const Activation& a : l.control().activations) {
    if (a.function == &called)
      l.unsupported(*called.start,
                    fmt::format("{} calls itself", l.module().name(called.start->result)));
  }
  if (l.control().activations.size() >= deepest_calls)
    l.unsupported(*called.start, fmt::format("calls nested more than {} deep", deepest_calls));
  for (const Block& block : called.blocks) {
    for (const Instruction* phi : block.phis) {
      l.set_where(phi->where);
      std::vector<Reg> components;
      for (const Scalar s : l.types().scalars(l.types()[phi->type])) {
        components.push_back(l.new_reg(s));
        l.ir().regs.back().variable = true;
      }
      l.define(phi->result, components);
      l.name_variable(phi->result, components, l.types()[phi->type]);
    }
  }
  l.control().activations.push_back({&called, std::move(result), l.control().constructs.size(),
                                     std::vector<bool>(called.blocks.size()),
                                     loops_tested_last(called)});
  region(l, called.blocks.front().label);
  l.control().activations.pop_back();
}

/// Throws Error if the functions called so far have become too much code: two calls in each of n functions that call one
/// another are 2^n.
void check_inlined(Lowering& l, const Instruction& call) {
  if (l.ir().constructs < most_constructs && l.ir().ops.size() < most_operations_inlined) return;
  fail_at(call, fmt::format("the shader has more than {} selections, loops and calls, or {} "
                            "operations, after inlining: call functions from fewer places",
                            most_constructs, most_operations_inlined));
}

void call_function(Lowering& l, const Instruction& i) {
  check_inlined(l, i);
  const Function& called = l.module().function(i[0]);
  if (called.parameters.size() + 1 != i.operands.size())
    fail_at(i, "has a different number of arguments than the function has parameters");
  for (std::size_t k = 0; k < called.parameters.size(); ++k) {
    if (!l.is_known(i[k + 1]))
      fail_at(i, fmt::format("%{} is used before it is defined", i[k + 1]));
    l.define_same(called.parameters[k]->result, i[k + 1]);
  }
  std::vector<Reg> result;
  const Type& type = l.types()[i.type];
  if (type.kind != Type::Kind::nothing) {
    for (const Scalar s : l.types().scalars(type)) {
      result.push_back(l.new_reg(s));
      l.ir().regs.back().variable = l.ir().regs.back().result = true;
    }
  }
  const SourceLocation here = l.where();
  const std::uint32_t number = l.ir().constructs++;
  emit_flow(l, Code::call_begin, Branch{number});
  lower_body(l, called, result);
  l.set_where(here);
  emit_flow(l, Code::call_end, Branch{number});
  if (type.kind != Type::Kind::nothing) l.define(i.result, result);
}

void region(Lowering& l, Id id) {
  if (l.control().constructs.size() > deepest_constructs)
    fail_at(l.where(), fmt::format("control flow is nested more than {} deep", deepest_constructs));
  while (lower_block(l, id)) {
  }
}

bool lower_block(Lowering& l, Id& id) {
  const Block& block = current_function(l).block(id);
  if (l.control().activations.back().done[block.position])
    fail_at(*block.terminator,
            fmt::format("control flow is not structured: %{} is reached in several ways", id));
  l.control().activations.back().done[block.position] = true;
  const bool is_loop = block.merge != nullptr && block.merge->opcode == spv::Op::OpLoopMerge;
  if (is_loop) {
    loop(l, block);
    id = (*block.merge)[0];
    return true;
  }
  for (const Instruction* i : block.body) {
    l.set_where(i->where);
    l.lower_instruction(*i);
  }
  l.set_where(block.terminator->where);
  return follow_terminator(l, block, id);
}

bool follow_terminator(Lowering& l, const Block& block, Id& next) {
  const Instruction& t = *block.terminator;
  const bool has_merge = block.merge != nullptr && block.merge->opcode == spv::Op::OpSelectionMerge;
  switch (t.opcode) {
    case spv::Op::OpBranch:
      next = t[0];
      return !leaves(l, next, block.label);
    case spv::Op::OpBranchConditional:
      if (has_merge) {
        selection(l, block);
        next = (*block.merge)[0];
        return true;
      }
      return conditional_branch(l, block, next);
    case spv::Op::OpSwitch:
      if (!has_merge) fail_at(t, "control flow is not structured: a switch without a merge");
      switch_statement(l, block);
      next = (*block.merge)[0];
      return true;
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
      return_from(l, block);
      return false;
    case spv::Op::OpUnreachable:
      emit_flow(l, Code::retire);
      return false;
    default:
      l.unsupported(t);
  }
}

void return_from(Lowering& l, const Block& block) {
  const Instruction& t = *block.terminator;
  if (t.opcode == spv::Op::OpReturnValue) {
    const std::vector<Reg>& result = l.control().activations.back().result;
    if (l.regs(t[0]).size() != result.size())
      fail_at(t, "returns a value whose type differs from the function's");
    for (std::size_t k = 0; k < result.size(); ++k) l.move(result[k], l.regs(t[0])[k]);
  }
  emit_flow(l, Code::retire);
}

void phi_moves(Lowering& l, Id target, Id from) {
  const Block& block = current_function(l).block(target);
  std::vector<std::pair<Reg, Reg>> moves;
  std::set<Reg> written;
  for (const Instruction* phi : block.phis) {
    for (std::size_t k = 0; k + 1 < phi->operands.size(); k += 2) {
      if ((*phi)[k + 1] != from) continue;
      const auto to = l.regs(phi->result);
      // A value that is only defined later stands for one that was never assigned.
      const Id source = (*phi)[k];
      if (l.is_pointer(source)) {
        moves.emplace_back(to[0], address_of(l, source, *phi));
      } else if (l.is_known(source) && l.regs(source).size() == to.size()) {
        for (std::size_t c = 0; c < to.size(); ++c)
          moves.emplace_back(l.regs(phi->result)[c], l.regs(source)[c]);
      } else {
        fail_at(*phi, fmt::format("%{} is not defined here", source));
      }
      for (const Reg r : l.regs(phi->result)) written.insert(r);
    }
  }
  // All phis of a block take their values simultaneously.
  for (auto& [to, value] : moves) {
    if (to == value || written.count(value) == 0) continue;
    const Reg before = l.new_reg(l.ir().regs[value].type);
    l.emit(Code::copy, l.ir().regs[value].type, {before}, {value});
    value = before;
  }
  for (const auto& [to, value] : moves) {
    if (to != value) l.move(to, value);
  }
}

bool is_exit(Lowering& l, Id target) {
  for (std::size_t k = l.control().constructs.size(); k > l.control().activations.back().constructs;
       --k) {
    const Construct& c = l.control().constructs[k - 1];
    if (target == c.merge) return true;
    if (c.kind == Construct::Kind::loop && (target == c.continue_target || target == c.header))
      return true;
    if (std::find(c.cases.begin(), c.cases.end(), target) != c.cases.end()) return true;
  }
  return false;
}

bool leaves(Lowering& l, Id target, Id from) {
  phi_moves(l, target, from);
  bool in_switch = false, in_loop = false, innermost = true;
  std::uint32_t outermost_switch = 0;  // of those around here in the innermost loop
  const auto fail = [&](const char* what) {
    fail_at(l.where(), fmt::format("control flow is not structured: {} (%{})", what, target));
  };
  for (std::size_t k = l.control().constructs.size(); k > l.control().activations.back().constructs;
       --k) {
    const Construct& c = l.control().constructs[k - 1];
    switch (c.kind) {
      case Construct::Kind::selection:
        if (target != c.merge) break;
        if (!innermost) fail("a branch leaves several nested selections");
        return true;
      case Construct::Kind::loop:
        if (target == c.merge) {
          if (in_loop) fail("a branch leaves an outer loop");
          if (in_switch)
            emit_flow(l, Code::leave_loop_around, LeaveAround{c.number, outermost_switch});
          else
            emit_flow(l, Code::leave_loop, Branch{c.number});
          return true;
        }
        if (target == c.continue_target && !c.in_continue) {
          if (in_loop) fail("a branch continues an outer loop");
          if (!innermost) emit_flow(l, Code::leave_trip, Branch{c.number});
          return true;
        }
        if (target == c.header) {
          if (!innermost) fail("a back edge starts inside another construct");
          return true;
        }
        in_loop = true;
        break;
      case Construct::Kind::switch_statement:
        if (target == c.merge) {
          if (in_switch || in_loop) fail("a branch leaves a switch from inside another construct");
          emit_flow(l, Code::leave_loop, Branch{c.number});
          return true;
        }
        if (std::find(c.cases.begin(), c.cases.end(), target) != c.cases.end()) {
          if (!innermost || target != c.next_case)
            fail("a case falls through to one that does not follow it");
          return true;
        }
        in_switch = true;
        outermost_switch = c.number;
        break;
    }
    innermost = false;
  }
  return false;
}

void selection(Lowering& l, const Block& block) {
  const Instruction& t = *block.terminator;
  const Id merge = (*block.merge)[0];
  const Id sides[2] = {t[1], t[2]};
  const Reg condition = sides[0] == sides[1] ? l.constant(Scalar::boolean, 1) : l.scalar(t[0]);
  const std::uint32_t number = l.ir().constructs++;
  // An empty side gives the phis of the merge their values: all lanes take them, and lanes of the other side
  // overwrite them later.
  if (sides[0] == merge || sides[1] == merge) phi_moves(l, merge, block.label);
  emit_flow(l, Code::if_begin, Branch{number}, {condition});
  Construct c;
  c.merge = merge;
  c.number = number;
  l.control().constructs.push_back(c);
  if (sides[0] != merge && !leaves(l, sides[0], block.label)) region(l, sides[0]);
  l.set_where(t.where);
  emit_flow(l, Code::if_else, Branch{number});
  if (sides[1] != merge && sides[1] != sides[0] && !leaves(l, sides[1], block.label))
    region(l, sides[1]);
  l.control().constructs.pop_back();
  l.set_where(t.where);
  emit_flow(l, Code::if_end, Branch{number});
}

/// The loop's test is the first conditional branch that leaves the loop; only selections may precede it.
void find_test(Lowering& l, Construct& loop, const Block& header) {
  loop.test_last = l.control().activations.back().tested_last[header.position];
  const Block* block = &header;
  for (std::size_t steps = 0; steps < current_function(l).blocks.size(); ++steps) {
    const Instruction& t = *block->terminator;
    Id next = 0;
    if (block != &header && block->merge != nullptr) {
      if (block->merge->opcode != spv::Op::OpSelectionMerge) return;
      next = (*block->merge)[0];
    } else if (t.opcode == spv::Op::OpBranch) {
      next = t[0];
    } else {
      const bool leaves_loop = t.opcode == spv::Op::OpBranchConditional && targets(t, loop.merge) &&
                               !targets(t, loop.header) && !targets(t, loop.continue_target);
      if (leaves_loop && t[1] != t[2] && !loop.test_last) loop.test = block->label;
      return;
    }
    if (next == loop.continue_target || next == loop.merge || is_exit(l, next)) return;
    block = &current_function(l).block(next);
  }
}

void loop(Lowering& l, const Block& block) {
  Construct c;
  c.kind = Construct::Kind::loop;
  c.merge = (*block.merge)[0];
  c.continue_target = (*block.merge)[1];
  c.header = block.label;
  c.number = l.ir().constructs++;
  find_test(l, c, block);
  const SourceLocation where = block.merge->where;
  l.set_where(where);
  emit_flow(l, Code::loop_begin, Branch{c.number});
  const Reg yes = l.constant(Scalar::boolean, 1);
  if (c.test_last)
    emit_flow(l, Code::loop_test, LoopTest{c.number, LoopTest::Kind::precedes}, {yes});
  emit_flow(l, Code::loop_head, Branch{c.number});
  if (!c.test_last && c.test == 0)
    emit_flow(l, Code::loop_test, LoopTest{c.number, LoopTest::Kind::passes}, {yes});
  const bool one_block = c.continue_target == c.header;
  c.in_continue = one_block;
  l.control().constructs.push_back(c);
  for (const Instruction* i : block.body) {
    l.set_where(i->where);
    l.lower_instruction(*i);
  }
  l.set_where(block.terminator->where);
  if (one_block) emit_flow(l, Code::trip_end, Branch{c.number});
  Id next = 0;
  if (follow_terminator(l, block, next)) region(l, next);
  if (!one_block) {
    l.set_where(where);
    emit_flow(l, Code::trip_end, Branch{c.number});
    l.control().constructs.back().in_continue = true;
    region(l, c.continue_target);
  }
  l.control().constructs.pop_back();
  l.set_where(where);
  emit_flow(l, Code::loop_back, Branch{c.number});
  emit_flow(l, Code::loop_end, Branch{c.number});
}

/// Lanes leave the loop where the block's condition says so, with the values that the merge's phis
/// take from here.
void leave_by_test(Lowering& l, const Block& block, Id merge) {
  const Instruction& t = *block.terminator;
  const std::uint32_t number = l.control().constructs.back().number;
  Reg stay = l.scalar(t[0]);
  if (t[1] == merge) stay = l.pure(Code::bnot, Scalar::boolean, Scalar::boolean, {stay});
  if (!current_function(l).block(merge).phis.empty()) {
    const std::uint32_t leaving = l.ir().constructs++;
    const Reg leave = l.pure(Code::bnot, Scalar::boolean, Scalar::boolean, {stay});
    emit_flow(l, Code::if_begin, Branch{leaving}, {leave});
    phi_moves(l, merge, block.label);
    emit_flow(l, Code::if_else, Branch{leaving});
    emit_flow(l, Code::if_end, Branch{leaving});
  }
  emit_flow(l, Code::loop_test, LoopTest{number}, {stay});
}

/// A conditional branch without a merge of its own: a loop's test, or an exit.
bool conditional_branch(Lowering& l, const Block& block, Id& next) {
  const Instruction& t = *block.terminator;
  const Id sides[2] = {t[1], t[2]};
  if (sides[0] == sides[1]) {
    next = sides[0];
    return !leaves(l, next, block.label);
  }
  if (l.control().constructs.size() > l.control().activations.back().constructs) {
    const Construct c = l.control().constructs.back();
    if (c.kind == Construct::Kind::loop && targets(t, c.merge)) {
      const Id other = sides[0] == c.merge ? sides[1] : sides[0];
      if (c.test == block.label || other == c.header) {
        leave_by_test(l, block, c.merge);
        next = other;
        return !leaves(l, other, block.label);
      }
    }
  }
  const bool exits[2] = {is_exit(l, sides[0]), is_exit(l, sides[1])};
  const std::uint32_t number = l.ir().constructs++;
  const Reg condition = l.scalar(t[0]);
  emit_flow(l, Code::if_begin, Branch{number}, {condition});
  Construct c;
  c.number = number;
  l.control().constructs.push_back(c);
  for (int k = 0; k < 2; ++k) {
    if (k == 1) emit_flow(l, Code::if_else, Branch{number});
    if (exits[k]) {
      leaves(l, sides[k], block.label);
    } else if (exits[1 - k]) {
      phi_moves(l, sides[k], block.label);
      next = sides[k];
    } else {
      phi_moves(l, sides[k], block.label);
      region(l, sides[k]);
    }
  }
  l.control().constructs.pop_back();
  emit_flow(l, Code::if_end, Branch{number});
  return exits[0] != exits[1];
}

/// The possible successors of a block.
std::vector<Id> successors(Lowering& l, const Block& block) {
  const Instruction& t = *block.terminator;
  switch (t.opcode) {
    case spv::Op::OpBranch:
      return {t[0]};
    case spv::Op::OpBranchConditional:
      return {t[1], t[2]};
    case spv::Op::OpSwitch: {
      const std::size_t words = size_of(l.type_of(t[0]).scalar) == 8 ? 2 : 1;
      std::vector<Id> targets{t[1]};
      for (std::size_t k = 2 + words; k < t.operands.size(); k += words + 1)
        targets.push_back(t[k]);
      return targets;
    }
    default:
      return {};
  }
}

/// The case that a case of the innermost construct, a switch, falls through to; 0 if none.
Id falls_through_to(Lowering& l, Id from) {
  const std::vector<Id>& cases = l.control().constructs.back().cases;
  std::vector<bool> seen(current_function(l).blocks.size());
  std::vector<Id> ahead{from};
  while (!ahead.empty()) {
    const Block& block = current_function(l).block(ahead.back());
    ahead.pop_back();
    if (seen[block.position]) continue;
    seen[block.position] = true;
    for (const Id next : successors(l, block)) {
      if (next != from && std::find(cases.begin(), cases.end(), next) != cases.end()) return next;
      if (!is_exit(l, next)) ahead.push_back(next);
    }
  }
  return 0;
}

/// The cases of the innermost construct, a switch, each before the one that it falls through to.
/// Compilers may order and list their blocks differently.
std::vector<Id> order_of_cases(Lowering& l) {
  const std::vector<Id>& cases = l.control().constructs.back().cases;
  std::vector<Id> next, order;
  for (const Id c : cases) next.push_back(falls_through_to(l, c));
  const auto is_in = [](const std::vector<Id>& list, Id c) {
    return std::find(list.begin(), list.end(), c) != list.end();
  };
  for (const Id first : cases) {
    if (is_in(next, first)) continue;
    for (Id c = first; c != 0 && !is_in(order, c);) {
      order.push_back(c);
      c = next[static_cast<std::size_t>(std::find(cases.begin(), cases.end(), c) - cases.begin())];
    }
  }
  return order;
}

void switch_statement(Lowering& l, const Block& block) {
  const Instruction& t = *block.terminator;
  const Id merge = (*block.merge)[0];
  const Reg selector = l.scalar(t[0]);
  const Scalar type = l.ir().regs[selector].type;
  const std::size_t words = size_of(type) == 8 ? 2 : 1;
  struct Target {
    Id block;
    std::vector<std::uint64_t> labels;
    bool other = false;
  };
  std::vector<Target> cases;
  std::vector<std::uint64_t> all;
  const auto find = [&](Id label) -> Target& {
    for (Target& target : cases) {
      if (target.block == label) return target;
    }
    return cases.emplace_back(Target{label, {}});
  };
  find(t[1]).other = true;
  for (std::size_t k = 2; k + words < t.operands.size(); k += words + 1) {
    std::uint64_t label = t[k];
    if (words == 2) label |= std::uint64_t{t[k + 1]} << 32;
    if (size_of(type) < 4) label &= (1u << (8 * size_of(type))) - 1;
    find(t[k + words]).labels.push_back(label);
    all.push_back(label);
  }
  for (const Target& target : cases) phi_moves(l, target.block, block.label);
  std::erase_if(cases, [&](const Target& target) { return target.block == merge; });
  Construct c;
  c.kind = Construct::Kind::switch_statement;
  c.merge = merge;
  c.number = l.ir().constructs++;
  for (const Target& target : cases) c.cases.push_back(target.block);
  emit_flow(l, Code::switch_begin, Branch{c.number}, {selector});
  l.control().constructs.push_back(c);
  const std::vector<Id> order = order_of_cases(l);
  std::sort(cases.begin(), cases.end(), [&](const Target& a, const Target& b) {
    return std::find(order.begin(), order.end(), a.block) <
           std::find(order.begin(), order.end(), b.block);
  });
  for (std::size_t k = 0; k < cases.size(); ++k) {
    l.control().constructs.back().next_case = k + 1 < cases.size() ? cases[k + 1].block : 0;
    const Target& target = cases[k];
    Case one{c.number, target.other, {}};
    // The default takes the values without a label.
    for (const std::uint64_t label : target.other ? all : target.labels) {
      const bool own =
          std::find(target.labels.begin(), target.labels.end(), label) != target.labels.end();
      if (!target.other || !own) one.labels.push_back(label);
    }
    l.set_where(t.where);  // not the end of the case before
    l.emit(Code::switch_case, type, {}, {selector}, std::move(one));
    region(l, target.block);
  }
  l.control().constructs.pop_back();
  l.set_where(t.where);
  emit_flow(l, Code::switch_end, Branch{c.number});
}

/// The number of instructions with functions inlined, up to a limit.
class InlinedSizes {
 public:
  static constexpr std::size_t most = std::size_t{1} << 17;

  explicit InlinedSizes(const Module& module) : module_(module) {}

  std::size_t of(Id id) {
    const auto [found, is_new] = known_.try_emplace(id, 0);
    if (!is_new) return found->second;  // 0: of a function that calls itself, an error later on
    std::size_t size = 0;
    for (const Block& block : module_.function(id).blocks) {
      size += block.body.size() + 1;
      for (const Instruction* i : block.body) {
        if (i->opcode == spv::Op::OpFunctionCall) size += of((*i)[0]);
      }
      if (size > most) break;
    }
    return known_[id] = std::min(size, most);
  }

 private:
  const Module& module_;
  std::unordered_map<Id, std::size_t> known_;
};

}  // namespace

void emit_flow(Lowering& l, Code code, Detail detail, std::vector<Reg> src) {
  l.emit(code, Scalar::boolean, {}, std::move(src), std::move(detail));
}

void lower_entry(Lowering& l, Id id) {
  // Growing copies all of them several times. Memory that is not used costs nothing.
  l.ir().ops.reserve(2 * InlinedSizes(l.module()).of(id));
  lower_body(l, l.module().function(id), {});
  emit_flow(l, Code::end);
}

void add_calls(OpcodeTable& table) {
  table.add(spv::Op::OpFunctionCall, call_function);
  // Nothing to do.
  for (const spv::Op op :
       {spv::Op::OpNop, spv::Op::OpName, spv::Op::OpSourceContinued, spv::Op::OpModuleProcessed})
    table.add(op, [](Lowering&, const Instruction&) {});
}

}  // namespace lockstep::spirv
