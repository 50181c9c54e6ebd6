#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "spirv/lower/lower.hpp"
#include "spirv/lower/opcode_table.hpp"

/// \file
/// Functions are inlined; structured control flow becomes constructs that begin and end.

namespace lockstep::spirv {
namespace {

constexpr std::size_t deepest_calls = 256;
constexpr std::size_t deepest_constructs = 512;

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

}  // namespace

void Lowering::flow(Code code, Detail detail, std::vector<Reg> src) {
  emit(code, Scalar::boolean, {}, std::move(src), std::move(detail));
}

void Lowering::lower_entry(Id id) {
  lower_body(module_.function(id), {});
  flow(Code::end);
}

void Lowering::lower_body(const Function& called, std::vector<Reg> result) {
  if (called.blocks.empty()) fail_at(*called.start, "the function has no body");
  for (const Activation& a : activations_) {
    if (a.function == &called)
      unsupported(*called.start,
                  fmt::format("{} calls itself", module_.name(called.start->result)));
  }
  if (activations_.size() >= deepest_calls) unsupported(*called.start, "calls nested that deeply");
  for (const Block& block : called.blocks) {
    for (const Instruction* phi : block.phis) {
      where_ = phi->where;
      std::vector<Reg> components;
      for (const Scalar s : types_.scalars(types_[phi->type])) {
        components.push_back(new_reg(s));
        ir_.regs.back().variable = true;
        ir_.variables.push_back(components.back());
      }
      define(phi->result, components);
    }
  }
  activations_.push_back(
      {&called, std::move(result), constructs_.size(), std::vector<bool>(called.blocks.size())});
  region(called.blocks.front().label);
  activations_.pop_back();
}

void Lowering::call_function(const Instruction& i) {
  const Function& called = module_.function(i[0]);
  if (called.parameters.size() + 1 != i.operands.size())
    fail_at(i, "passes another number of arguments than the function takes");
  for (std::size_t k = 0; k < called.parameters.size(); ++k) {
    if (i[k + 1] >= values_.size() || !values_[i[k + 1]].known)
      fail_at(i, fmt::format("%{} is used before it has a value", i[k + 1]));
    values_[called.parameters[k]->result] = values_[i[k + 1]];
  }
  std::vector<Reg> result;
  const Type& type = types_[i.type];
  if (type.kind != Type::Kind::nothing) {
    for (const Scalar s : types_.scalars(type)) {
      result.push_back(new_reg(s));
      ir_.regs.back().variable = true;
    }
  }
  const SourceLocation here = where_;
  const std::uint32_t number = new_construct();
  flow(Code::call_begin, Branch{number});
  lower_body(called, result);
  where_ = here;
  flow(Code::call_end, Branch{number});
  if (type.kind != Type::Kind::nothing) define(i.result, result);
}

void Lowering::region(Id id) {
  if (constructs_.size() > deepest_constructs) fail_at(where_, "control flow is nested too deeply");
  while (lower_block(id)) {
  }
}

bool Lowering::lower_block(Id& id) {
  const Block& block = function().block(id);
  if (activations_.back().done[block.position])
    fail_at(*block.terminator,
            fmt::format("control flow is not structured: %{} is reached in several ways", id));
  activations_.back().done[block.position] = true;
  const bool is_loop = block.merge != nullptr && block.merge->opcode == spv::Op::OpLoopMerge;
  if (is_loop) {
    loop(block);
    id = (*block.merge)[0];
    return true;
  }
  for (const Instruction* i : block.body) {
    where_ = i->where;
    lower_instruction(*i);
  }
  where_ = block.terminator->where;
  return follow_terminator(block, id);
}

bool Lowering::follow_terminator(const Block& block, Id& next) {
  const Instruction& t = *block.terminator;
  const bool has_merge = block.merge != nullptr && block.merge->opcode == spv::Op::OpSelectionMerge;
  switch (t.opcode) {
    case spv::Op::OpBranch:
      next = t[0];
      return !leaves(next, block.label);
    case spv::Op::OpBranchConditional:
      if (has_merge) {
        selection(block);
        next = (*block.merge)[0];
        return true;
      }
      return conditional_branch(block, next);
    case spv::Op::OpSwitch:
      if (!has_merge) fail_at(t, "control flow is not structured: a switch without a merge");
      switch_statement(block);
      next = (*block.merge)[0];
      return true;
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
      return_from(block);
      return false;
    case spv::Op::OpUnreachable:
      flow(Code::retire);
      return false;
    default:
      unsupported(t);
  }
}

void Lowering::return_from(const Block& block) {
  const Instruction& t = *block.terminator;
  if (t.opcode == spv::Op::OpReturnValue) {
    const std::vector<Reg>& result = activations_.back().result;
    if (regs(t[0]).size() != result.size()) fail_at(t, "returns another type than the function's");
    for (std::size_t k = 0; k < result.size(); ++k) move(result[k], regs(t[0])[k]);
  }
  flow(Code::retire);
}

void Lowering::phi_moves(Id target, Id from) {
  const Block& block = function().block(target);
  std::vector<std::pair<Reg, Reg>> moves;
  std::set<Reg> written;
  for (const Instruction* phi : block.phis) {
    for (std::size_t k = 0; k + 1 < phi->operands.size(); k += 2) {
      if ((*phi)[k + 1] != from) continue;
      const auto to = regs(phi->result);
      // A value that is only defined later stands for one that was never assigned.
      const Value& source = values_[(*phi)[k] < values_.size() ? (*phi)[k] : 0];
      if (source.known && source.pointer >= 0) {
        moves.emplace_back(to[0], address(pointer((*phi)[k]), *phi));
      } else if (source.known && regs((*phi)[k]).size() == to.size()) {
        for (std::size_t c = 0; c < to.size(); ++c)
          moves.emplace_back(regs(phi->result)[c], regs((*phi)[k])[c]);
      } else {
        fail_at(*phi, fmt::format("%{} has no value here", (*phi)[k]));
      }
      for (const Reg r : regs(phi->result)) written.insert(r);
    }
  }
  // All phis of a block take their values simultaneously.
  for (auto& [to, value] : moves) {
    if (to == value || written.count(value) == 0) continue;
    const Reg before = new_reg(ir_.regs[value].type);
    emit(Code::copy, ir_.regs[value].type, {before}, {value});
    value = before;
  }
  for (const auto& [to, value] : moves) {
    if (to != value) move(to, value);
  }
}

bool Lowering::is_exit(Id target) const {
  for (std::size_t k = constructs_.size(); k > activations_.back().constructs; --k) {
    const Construct& c = constructs_[k - 1];
    if (target == c.merge) return true;
    if (c.kind == Construct::Kind::loop && (target == c.continue_target || target == c.header))
      return true;
    if (std::find(c.cases.begin(), c.cases.end(), target) != c.cases.end()) return true;
  }
  return false;
}

bool Lowering::leaves(Id target, Id from) {
  phi_moves(target, from);
  bool in_switch = false, in_loop = false, innermost = true;
  std::uint32_t outermost_switch = 0;  // of those around here in the innermost loop
  const auto fail = [&](const char* what) {
    fail_at(where_, fmt::format("control flow is not structured: {} (%{})", what, target));
  };
  for (std::size_t k = constructs_.size(); k > activations_.back().constructs; --k) {
    const Construct& c = constructs_[k - 1];
    switch (c.kind) {
      case Construct::Kind::selection:
        if (target != c.merge) break;
        if (!innermost) fail("a branch leaves several selections at once");
        return true;
      case Construct::Kind::loop:
        if (target == c.merge) {
          if (in_loop) fail("a branch leaves a loop from inside another");
          if (in_switch)
            flow(Code::leave_loop_around, LeaveAround{c.number, outermost_switch});
          else
            flow(Code::leave_loop, Branch{c.number});
          return true;
        }
        if (target == c.continue_target && !c.in_continue) {
          if (in_loop) fail("a branch continues a loop from inside another");
          if (!innermost) flow(Code::leave_trip, Branch{c.number});
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
          flow(Code::leave_loop, Branch{c.number});
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

void Lowering::selection(const Block& block) {
  const Instruction& t = *block.terminator;
  const Id merge = (*block.merge)[0];
  const Reg condition = scalar(t[0]);
  const Id sides[2] = {t[1], t[2]};
  const std::uint32_t number = new_construct();
  // An empty side gives the phis of the merge their values: all lanes take them, and lanes of the other side
  // overwrite them later.
  if (sides[0] == merge || sides[1] == merge) phi_moves(merge, block.label);
  flow(Code::if_begin, Branch{number}, {condition});
  Construct c;
  c.merge = merge;
  c.number = number;
  constructs_.push_back(c);
  if (sides[0] != merge && !leaves(sides[0], block.label)) region(sides[0]);
  where_ = t.where;
  flow(Code::if_else, Branch{number});
  if (sides[1] != merge && sides[1] != sides[0] && !leaves(sides[1], block.label)) region(sides[1]);
  constructs_.pop_back();
  flow(Code::if_end, Branch{number});
}

/// The loop's test is the first conditional branch that leaves the loop; only selections may precede it.
void Lowering::find_test(Construct& loop, const Block& header) const {
  for (const Block& b : function().blocks) {
    if (b.terminator->opcode == spv::Op::OpBranchConditional &&
        targets(*b.terminator, loop.header) && targets(*b.terminator, loop.merge))
      loop.test_last = true;
  }
  const Block* block = &header;
  for (std::size_t steps = 0; steps < function().blocks.size(); ++steps) {
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
    if (next == loop.continue_target || next == loop.merge || is_exit(next)) return;
    block = &function().block(next);
  }
}

void Lowering::loop(const Block& block) {
  Construct c;
  c.kind = Construct::Kind::loop;
  c.merge = (*block.merge)[0];
  c.continue_target = (*block.merge)[1];
  c.header = block.label;
  c.number = new_construct();
  find_test(c, block);
  const SourceLocation where = block.merge->where;
  where_ = where;
  flow(Code::loop_begin, Branch{c.number});
  const Reg yes = constant(Scalar::boolean, 1);
  if (c.test_last) flow(Code::loop_test, LoopTest{c.number, LoopTest::Kind::precedes}, {yes});
  flow(Code::loop_head, Branch{c.number});
  if (!c.test_last && c.test == 0)
    flow(Code::loop_test, LoopTest{c.number, LoopTest::Kind::passes}, {yes});
  const bool one_block = c.continue_target == c.header;
  c.in_continue = one_block;
  constructs_.push_back(c);
  for (const Instruction* i : block.body) {
    where_ = i->where;
    lower_instruction(*i);
  }
  where_ = block.terminator->where;
  if (one_block) flow(Code::trip_end, Branch{c.number});
  Id next = 0;
  if (follow_terminator(block, next)) region(next);
  if (!one_block) {
    where_ = where;
    flow(Code::trip_end, Branch{c.number});
    constructs_.back().in_continue = true;
    region(c.continue_target);
  }
  constructs_.pop_back();
  where_ = where;
  flow(Code::loop_back, Branch{c.number});
  flow(Code::loop_end, Branch{c.number});
}

/// Lanes leave the loop where the block's condition says so, with the values that the merge's phis
/// take from here.
void Lowering::leave_by_test(const Block& block, Id merge) {
  const Instruction& t = *block.terminator;
  const std::uint32_t number = constructs_.back().number;
  Reg stay = scalar(t[0]);
  if (t[1] == merge) stay = pure(Code::bnot, Scalar::boolean, Scalar::boolean, {stay});
  if (!function().block(merge).phis.empty()) {
    const std::uint32_t leaving = new_construct();
    const Reg leave = pure(Code::bnot, Scalar::boolean, Scalar::boolean, {stay});
    flow(Code::if_begin, Branch{leaving}, {leave});
    phi_moves(merge, block.label);
    flow(Code::if_else, Branch{leaving});
    flow(Code::if_end, Branch{leaving});
  }
  flow(Code::loop_test, LoopTest{number}, {stay});
}

/// A conditional branch without a merge of its own: a loop's test, or an exit.
bool Lowering::conditional_branch(const Block& block, Id& next) {
  const Instruction& t = *block.terminator;
  const Id sides[2] = {t[1], t[2]};
  if (sides[0] == sides[1]) {
    next = sides[0];
    return !leaves(next, block.label);
  }
  if (constructs_.size() > activations_.back().constructs) {
    const Construct c = constructs_.back();
    if (c.kind == Construct::Kind::loop && targets(t, c.merge)) {
      const Id other = sides[0] == c.merge ? sides[1] : sides[0];
      if (c.test == block.label || other == c.header) {
        leave_by_test(block, c.merge);
        next = other;
        return !leaves(other, block.label);
      }
    }
  }
  const bool exits[2] = {is_exit(sides[0]), is_exit(sides[1])};
  const std::uint32_t number = new_construct();
  const Reg condition = scalar(t[0]);
  flow(Code::if_begin, Branch{number}, {condition});
  Construct c;
  c.number = number;
  constructs_.push_back(c);
  for (int k = 0; k < 2; ++k) {
    if (k == 1) flow(Code::if_else, Branch{number});
    if (exits[k]) {
      leaves(sides[k], block.label);
    } else if (exits[1 - k]) {
      phi_moves(sides[k], block.label);
      next = sides[k];
    } else {
      phi_moves(sides[k], block.label);
      region(sides[k]);
    }
  }
  constructs_.pop_back();
  flow(Code::if_end, Branch{number});
  return exits[0] != exits[1];
}

/// The possible successors of a block.
std::vector<Id> Lowering::successors(const Block& block) {
  const Instruction& t = *block.terminator;
  switch (t.opcode) {
    case spv::Op::OpBranch:
      return {t[0]};
    case spv::Op::OpBranchConditional:
      return {t[1], t[2]};
    case spv::Op::OpSwitch: {
      const std::size_t words = size_of(types_.scalars(type_of(t[0])).front()) == 8 ? 2 : 1;
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
Id Lowering::falls_through_to(Id from) {
  const std::vector<Id>& cases = constructs_.back().cases;
  std::vector<bool> seen(function().blocks.size());
  std::vector<Id> ahead{from};
  while (!ahead.empty()) {
    const Block& block = function().block(ahead.back());
    ahead.pop_back();
    if (seen[block.position]) continue;
    seen[block.position] = true;
    for (const Id next : successors(block)) {
      if (next != from && std::find(cases.begin(), cases.end(), next) != cases.end()) return next;
      if (!is_exit(next)) ahead.push_back(next);
    }
  }
  return 0;
}

/// The cases of the innermost construct, a switch, each before the one that it falls through to.
/// Compilers may order and list their blocks differently.
std::vector<Id> Lowering::order_of_cases() {
  const std::vector<Id>& cases = constructs_.back().cases;
  std::vector<Id> next, order;
  for (const Id c : cases) next.push_back(falls_through_to(c));
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

void Lowering::switch_statement(const Block& block) {
  const Instruction& t = *block.terminator;
  const Id merge = (*block.merge)[0];
  const Reg selector = scalar(t[0]);
  const Scalar type = ir_.regs[selector].type;
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
  for (const Target& target : cases) phi_moves(target.block, block.label);
  std::erase_if(cases, [&](const Target& target) { return target.block == merge; });
  Construct c;
  c.kind = Construct::Kind::switch_statement;
  c.merge = merge;
  c.number = new_construct();
  for (const Target& target : cases) c.cases.push_back(target.block);
  flow(Code::switch_begin, Branch{c.number}, {selector});
  constructs_.push_back(c);
  const std::vector<Id> order = order_of_cases();
  std::sort(cases.begin(), cases.end(), [&](const Target& a, const Target& b) {
    return std::find(order.begin(), order.end(), a.block) <
           std::find(order.begin(), order.end(), b.block);
  });
  for (std::size_t k = 0; k < cases.size(); ++k) {
    constructs_.back().next_case = k + 1 < cases.size() ? cases[k + 1].block : 0;
    const Target& target = cases[k];
    Case one{c.number, target.other, {}};
    // The default takes the values without a label.
    for (const std::uint64_t label : target.other ? all : target.labels) {
      const bool own =
          std::find(target.labels.begin(), target.labels.end(), label) != target.labels.end();
      if (!target.other || !own) one.labels.push_back(label);
    }
    emit(Code::switch_case, type, {}, {selector}, std::move(one));
    region(target.block);
  }
  constructs_.pop_back();
  where_ = t.where;
  flow(Code::switch_end, Branch{c.number});
}

void add_calls(OpcodeTable& table) {
  table.add(spv::Op::OpFunctionCall, [](Lowering& l, const Instruction& i) { l.call_function(i); });
  // Nothing to do.
  for (const spv::Op op :
       {spv::Op::OpNop, spv::Op::OpName, spv::Op::OpSourceContinued, spv::Op::OpModuleProcessed})
    table.add(op, [](Lowering&, const Instruction&) {});
}

}  // namespace lockstep::spirv
