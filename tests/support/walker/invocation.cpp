#include "support/walker/invocation.hpp"

#include <spirv/unified1/GLSL.std.450.h>

#include <fmt/format.h>
#include <algorithm>

#include <lockstep/exec/error.hpp>

#include "support/walker/arithmetic.hpp"
#include "support/walker/group.hpp"
#include "support/walker/number.hpp"

namespace lockstep::walker {

using spv::Op;

namespace {

bool is_atomic(Op op) { return op >= Op::OpAtomicLoad && op <= Op::OpAtomicXor; }

/// What others have to be there for, and atomics, which the lanes of a tangle do in their order.
bool is_meeting(Op op) {
  return is_group_operation(op) || is_atomic(op) || op == Op::OpControlBarrier;
}

}  // namespace

Invocation::Invocation(const Module& module, std::map<Id, Object*> variables, int lane)
    : module_(module), variables_(std::move(variables)), lane_(lane) {
  enter(module.main, {}, 0);
}

const Instruction& Invocation::instruction() const {
  const Frame& f = *frames_.back();
  return f.code->body[f.next];
}

Place Invocation::place() const {
  Place place;
  for (const auto& f : frames_) {
    for (const Loop& loop : f->loops) {
      place.push_back(f->function->blocks.at(loop.header).order);
      place.push_back(loop.iteration);
    }
    place.push_back(f->code->order);
    place.push_back(f->next);
  }
  return place;
}

const Value* Invocation::find(Id id) const {
  const auto& values = frames_.back()->values;
  if (id < values.size() && (!values[id].parts.empty() || values[id].pointer.object != nullptr))
    return &values[id];
  const auto constant = module_.constants.find(id);
  return constant != module_.constants.end() ? &constant->second : nullptr;
}

const Value& Invocation::value(Id id) const {
  if (const Value* found = find(id)) return *found;
  throw Error(fmt::format("the reference has no value for id {}", id));
}

std::vector<Value> Invocation::operands(const Instruction& i) const {
  std::vector<Value> values;
  values.reserve(i.operands.size());
  for (const std::uint32_t word : i.operands) {
    const Value* found = find(word);  // a literal may look like an id; nobody asks for its value
    values.push_back(found != nullptr ? *found : Value{});
  }
  return values;
}

void Invocation::enter(Id function, std::span<const Id> arguments, Id result) {
  const Function& f = module_.functions.at(function);
  auto frame = std::make_unique<Frame>(Frame{&f, f.entry});
  frame->result = result;
  frame->code = &f.blocks.at(f.entry);
  frame->values.resize(module_.bound);
  for (std::size_t k = 0; k < arguments.size(); ++k)
    frame->values[f.parameters[k]] = value(arguments[k]);
  for (const auto& [id, object] : variables_) frame->values[id].pointer = {object};
  frames_.push_back(std::move(frame));
  if (!frames_.back()->code->loops.empty()) frames_.back()->loops.push_back({f.entry, 0});
}

void Invocation::go_to(Id block) {
  Frame& f = *frames_.back();
  f.code = &f.function->blocks.at(block);
  const std::vector<Id>& loops = f.code->loops;
  const auto is_around = [&](Id header) {
    return std::any_of(f.loops.begin(), f.loops.end(),
                       [&](const Loop& l) { return l.header == header; });
  };
  const bool back = !loops.empty() && loops.back() == block && is_around(block);
  std::vector<Loop> around;
  for (const Id header : loops) {
    const auto same = std::find_if(f.loops.begin(), f.loops.end(),
                                   [&](const Loop& l) { return l.header == header; });
    around.push_back(same != f.loops.end() ? *same : Loop{header, 0});
  }
  if (back) ++around.back().iteration;
  f.loops = std::move(around);
  f.previous = std::exchange(f.block, block);
  f.next = 0;
  phis();
}

/// All phis of a block take their values at once.
void Invocation::phis() {
  Frame& f = *frames_.back();
  const auto& body = f.code->body;
  std::vector<std::pair<Id, Value>> values;
  for (; body[f.next].op == Op::OpPhi; ++f.next) {
    const auto& o = body[f.next].operands;
    for (std::size_t k = 0; k < o.size(); k += 2)
      if (o[k + 1] == f.previous) values.emplace_back(body[f.next].result, value(o[k]));
  }
  for (auto& [id, v] : values) f.values[id] = std::move(v);
}

std::uint64_t Invocation::run() {
  std::uint64_t steps = 0;
  for (state_ = State::running; state_ == State::running; ++steps) {
    const Instruction& i = instruction();
    if (is_meeting(i.op))
      state_ = State::meeting;
    else
      execute(i);
    if (steps > 10'000'000) throw Error("the reference found a loop without an end");
  }
  return steps;
}

void Invocation::resume(Value result) {
  const Instruction& i = instruction();
  if (i.result != 0) set(i, std::move(result));
  ++frames_.back()->next;
  state_ = State::running;
}

void Invocation::execute(const Instruction& i) {
  if (control(i)) return;
  if (!memory(i) && !image(i)) {
    if (i.op == Op::OpExtInst)
      extended(i);
    else if (i.result != 0)
      set(i, arithmetic(module_, i, operands(i)));
    else
      throw Error(fmt::format("the reference does not know opcode {}", static_cast<int>(i.op)));
  }
  ++frames_.back()->next;
}

void Invocation::leave(Value result) {
  const Id id = frames_.back()->result;
  frames_.pop_back();
  if (frames_.empty()) {
    state_ = State::ended;
    return;
  }
  if (!result.parts.empty() || result.pointer.object != nullptr)
    frames_.back()->values[id] = std::move(result);
  ++frames_.back()->next;
}

/// Control flow, which says itself what comes next. False: it is none.
bool Invocation::control(const Instruction& i) {
  const auto& o = i.operands;
  switch (i.op) {
    case Op::OpBranch:
      go_to(o[0]);
      return true;
    case Op::OpBranchConditional:
      go_to(value(o[0]).parts[0].bits != 0 ? o[1] : o[2]);
      return true;
    case Op::OpSwitch: {
      const std::uint64_t selector = value(o[0]).parts[0].bits;
      Id target = o[1];
      for (std::size_t k = 2; k < o.size(); k += 2)
        if (truncated(o[k], module_.type(module_.type_of.at(o[0])).width) == selector)
          target = o[k + 1];
      go_to(target);
      return true;
    }
    case Op::OpReturn:
      leave({});
      return true;
    case Op::OpReturnValue:
      leave(value(o[0]));
      return true;
    case Op::OpUnreachable:
      throw Error("the reference reached OpUnreachable");
    case Op::OpFunctionCall:
      enter(o[0], std::span(o).subspan(1), i.result);
      return true;
    case Op::OpSelectionMerge:
    case Op::OpLoopMerge:
    case Op::OpMemoryBarrier:
    case Op::OpNop:
      ++frames_.back()->next;
      return true;
    default:
      return false;
  }
}

Value Invocation::variable(const Instruction& i) {
  const Id type = module_.type(i.type).element;
  Object& object = frames_.back()->variables[i.result];
  object.parts.assign(module_.scalars(type), Scalar{0, false});
  if (i.operands.size() > 1) object.parts = value(i.operands[1]).parts;
  return {{}, {&object}};
}

/// Accesses. False: it is none.
bool Invocation::memory(const Instruction& i) {
  const auto& o = i.operands;
  switch (i.op) {
    case Op::OpVariable:
      set(i, variable(i));
      return true;
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain: {
      std::vector<std::int64_t> indices;
      for (const Id id : std::span(o).subspan(1)) {
        const Scalar& s = value(id).parts[0];
        if (!s.defined) throw Error("the reference found an undefined index");
        indices.push_back(sign_extended(s.bits, module_.type(module_.type_of.at(id)).width));
      }
      set(i, {{}, access(module_, pointee_id(o[0]), value(o[0]).pointer, indices)});
      return true;
    }
    case Op::OpLoad: {
      const Type& t = pointee(o[0]);
      if (t.kind == Type::Kind::image || t.kind == Type::Kind::other)
        set(i, {{}, value(o[0]).pointer});
      else
        set(i, load(module_, i.type, value(o[0]).pointer));
      return true;
    }
    case Op::OpStore:
      store(module_, pointee_id(o[0]), value(o[0]).pointer, value(o[1]));
      return true;
    case Op::OpCopyMemory:
      store(module_, pointee_id(o[0]), value(o[0]).pointer,
            load(module_, pointee_id(o[1]), value(o[1]).pointer));
      return true;
    case Op::OpArrayLength:
      set(i, {{{array_length(module_, pointee_id(o[0]), value(o[0]).pointer)}}});
      return true;
    default:
      return false;
  }
}

/// Storage images. False: the instruction is of another kind.
bool Invocation::image(const Instruction& i) {
  const auto& o = i.operands;
  const auto coordinate = [&](std::size_t k) {
    const auto& parts = value(o[1]).parts;
    return k < parts.size() ? sign_extended(parts[k].bits, 32) : 0;
  };
  const auto object = [&]() -> Object& { return *value(o[0]).pointer.object; };
  const auto type = [&]() -> const Type& { return module_.type(module_.type_of.at(o[0])); };
  switch (i.op) {
    case Op::OpImageRead: {
      Value texel = load_texel(module_, type(), object(), coordinate(0), coordinate(1));
      texel.parts.resize(module_.scalars(i.type));
      set(i, std::move(texel));
      return true;
    }
    case Op::OpImageWrite: {
      Value texel = value(o[2]);
      texel.parts.resize(4);
      store_texel(type(), object(), coordinate(0), coordinate(1), texel);
      return true;
    }
    case Op::OpImageQuerySize:
      set(i, {{{object().width}, {object().height}}});
      return true;
    default:
      return false;
  }
}

void Invocation::extended(const Instruction& i) {
  if (module_.imports.at(i.operands[0]) != "GLSL.std.450")
    throw Error(fmt::format("the reference does not know the instructions of {}",
                            module_.imports.at(i.operands[0])));
  const std::uint32_t number = i.operands[1];
  std::vector<Value> all = operands(i);
  const std::span<const Value> x = std::span(all).subspan(2);
  // With a pointer for the second result: what the forms with structures give.
  const bool is_modf = number == GLSLstd450Modf, is_frexp = number == GLSLstd450Frexp;
  if (!is_modf && !is_frexp) return set(i, glsl_function(module_, number, i, x));
  Value both =
      glsl_function(module_, is_modf ? GLSLstd450ModfStruct : GLSLstd450FrexpStruct, i, x.first(1));
  const auto half = both.parts.begin() + static_cast<std::ptrdiff_t>(both.parts.size() / 2);
  store(module_, pointee_id(i.operands[3]), x[1].pointer, {{half, both.parts.end()}});
  both.parts.erase(half, both.parts.end());
  set(i, std::move(both));
}

Value Invocation::atomic(const Instruction& i) {
  const auto& o = i.operands;
  const Pointer& at = value(o[0]).pointer;
  const Id type = pointee_id(o[0]);
  const int w = module_.type(type).width;
  const Value old = load(module_, type, at);
  const auto operand = [&](std::size_t k) { return value(o[k]).parts[0].bits; };
  const std::uint64_t a = old.parts[0].bits;
  const auto smaller = [&] { return sign_extended(a, w) < sign_extended(operand(3), w); };
  std::uint64_t next = a;
  switch (i.op) {
    case Op::OpAtomicLoad:
      return old;
    case Op::OpAtomicStore:
    case Op::OpAtomicExchange:
      next = operand(3);
      break;
    case Op::OpAtomicCompareExchange:
      next = a == operand(5) ? operand(4) : a;
      break;
    case Op::OpAtomicIIncrement:
      next = a + 1;
      break;
    case Op::OpAtomicIDecrement:
      next = a - 1;
      break;
    case Op::OpAtomicIAdd:
      next = a + operand(3);
      break;
    case Op::OpAtomicISub:
      next = a - operand(3);
      break;
    case Op::OpAtomicSMin:
      next = smaller() ? a : operand(3);
      break;
    case Op::OpAtomicSMax:
      next = smaller() ? operand(3) : a;
      break;
    case Op::OpAtomicUMin:
      next = std::min(a, operand(3));
      break;
    case Op::OpAtomicUMax:
      next = std::max(a, operand(3));
      break;
    case Op::OpAtomicAnd:
      next = a & operand(3);
      break;
    case Op::OpAtomicOr:
      next = a | operand(3);
      break;
    case Op::OpAtomicXor:
      next = a ^ operand(3);
      break;
    default:
      throw Error(fmt::format("the reference does not know opcode {}", static_cast<int>(i.op)));
  }
  store(module_, type, at, {{{truncated(next, w)}}});
  return old;
}

}  // namespace lockstep::walker
