#if LOCKSTEP_SPIRV_NATIVE

#include <algorithm>

#include "shader/native/emitter.hpp"
#include "shader/run/ops/find.hpp"

/// \file
/// Atomics on 32-bit integers at an index that is the same for all lanes. Where the result is not needed, the lanes'
/// updates are combined into one.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

namespace {

/// Whether the lanes' updates of one element can be combined into one.
bool goes_together(Operator op) {
  return op != Operator::exchange && op != Operator::compare_exchange;
}
bool has_instruction(Operator op) {
  return op == Operator::add || op == Operator::band || op == Operator::bor || op == Operator::bxor;
}

/// Instructions between an election and an atomic, at most.
constexpr std::size_t most_between = 32;

}  // namespace

/// Whether one lane is active there, as an election before it is the last change.
bool Emitter::is_elected(std::size_t k) const {
  for (std::size_t before = 0; before < std::min(k, most_between) && !is_target_[k - before];
       ++before) {
    switch (rule(k - before - 1).kind) {
      case Kind::elect:
        return true;
      case Kind::call:
      case Kind::run:
      case Kind::indexed:
      case Kind::indexed_by_lane:
      case Kind::arithmetic:
      case Kind::ballot:
      case Kind::shuffle:
      case Kind::reduction:
      case Kind::broadcast:
      case Kind::element:
      case Kind::atomic:
        break;
      default:
        return false;
    }
  }
  return false;
}

void Emitter::emit_atomic(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  const bool wanted = i.imm != no_result, elected = is_elected(k);
  const bool one = elected || wanted || !goes_together(m.op);
  updating_value(k, one);
  element_index(m);
  Cold& code = cold(k);
  if (one && !elected) {
    transitions_.load_active(rdx);
    as_.popcnt(rdx, rdx);
    as_.cmp(rdx, 1);
    as_.jne(code.begin, near);
  }
  update(i, rule(k), code);
  if (wanted) {
    as_.mov(eax, r11d);
    keep_word(i, eax);
  }
  come_back(code);
}

/// An election whose lane does nothing else than an atomic whose result is not needed: no other lane sees it.
bool Emitter::is_elected_atomic(std::size_t k) const {
  if (k + 2 >= program_.insts.size() || rule(k).kind != Kind::elect) return false;
  const EmitRule end = rule(k + 2);
  return rule(k + 1).kind == Kind::atomic && program_.insts[k + 1].imm == no_result &&
         !is_target_[k + 1] && end.kind == Kind::rejoin && end.code != Code::trip_end &&
         program_.insts[k + 2].number == program_.insts[k].number;
}
void Emitter::emit_elected_atomic(std::size_t k) {
  const Inst& i = program_.insts[k + 1];
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  for (const Slot& value : m.value) {
    if (value.varying) cache_.save_inside(value.at, vectors() * as_.vector_bytes());
  }
  Cold& code = cold(k);
  code.is_elected_atomic = true;
  transitions_.require_active(code.begin);
  updating_value(k + 1, true);
  element_index(m);
  update(i, rule(k + 1), code);
  come_back(code);
}

/// What the element is updated with, to eax, and what it is compared with, to r8d: of one lane, or of all together.
void Emitter::updating_value(std::size_t k, bool of_one) {
  const auto& m = *static_cast<const MemoryArgs*>(program_.insts[k].args);
  const Slot& value = m.value[0];
  if (of_one) {
    lane_to(eax, value);
    if (m.op == Operator::compare_exchange) lane_to(r8d, m.value[1]);
  } else if (value.varying) {
    const Vector all = reduced(value.at, rule(k));
    as_.vmovd(eax, Xbyak::Xmm(all.getIdx()));
    cache_.unlock(all);
  } else {
    cache_.first_to(eax, value.at);
    if (m.op != Operator::add && m.op != Operator::bxor) return;
    transitions_.load_active(rdx);
    as_.popcnt(rdx, rdx);
    if (m.op == Operator::bxor) as_.and_(edx, 1);
    as_.imul(eax, edx);
  }
}

/// Updates the element at index ecx; r11d becomes what it was, if that is needed. Goes to the function where it is
/// outside of the memory or not aligned.
void Emitter::update(const Inst& i, const EmitRule& rule, Cold& code) {
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  element_address(m, code);
  as_.test(dl, 3);
  as_.jnz(code.begin, near);
  if (m.offset != 0) as_.add(rdx, static_cast<std::uint32_t>(m.offset));
  const bool wanted = i.imm != no_result;
  if (program_.resources[m.resource].kind == ResourceUse::Kind::workgroup)
    return update_alone(rule, wanted);
  Label shared, done;
  as_.mov(rcx, ptr[rbx + offsetof(Context, memory)]);
  as_.mov(cl, byte[rcx + m.resource * sizeof(Memory) + offsetof(Memory, local)]);
  as_.or_(cl, byte[rbx + offsetof(Context, only_thread)]);
  as_.jz(shared, near);
  update_alone(rule, wanted);
  as_.jmp(done, near);
  as_.L(shared);
  update_shared(rule, wanted);
  as_.L(done);
}

void Emitter::combine(const EmitRule& rule, const Xbyak::Operand& to, const Xbyak::Reg32& value) {
  switch (rule.combine) {
    case Operator::band:
      return as_.and_(to, value);
    case Operator::bor:
      return as_.or_(to, value);
    case Operator::bxor:
      return as_.xor_(to, value);
    default:
      return as_.add(to, value);
  }
}
/// What old, which is in r10d, becomes with the value.
void Emitter::updated(const EmitRule& rule, const Xbyak::Reg32& value) {
  const bool has_sign = rule.type == Scalar::i32;
  if (has_instruction(rule.combine)) return combine(rule, r10d, value);
  as_.cmp(value, r10d);
  if (rule.combine == Operator::min)
    has_sign ? as_.cmovl(r10d, value) : as_.cmovb(r10d, value);
  else
    has_sign ? as_.cmovg(r10d, value) : as_.cmova(r10d, value);
}

/// By instructions that no other thread comes between, as none has the memory.
void Emitter::update_alone(const EmitRule& rule, bool wanted) {
  const auto element = dword[rdx];
  if (!wanted && has_instruction(rule.combine)) return combine(rule, element, eax);
  as_.mov(r11d, element);
  if (rule.combine == Operator::exchange) return as_.mov(element, eax);
  as_.mov(r10d, r11d);
  if (rule.combine == Operator::compare_exchange) {
    as_.cmp(r10d, r8d);
    as_.cmove(r10d, eax);
  } else {
    updated(rule, eax);
  }
  as_.mov(element, r10d);
}
void Emitter::update_shared(const EmitRule& rule, bool wanted) {
  const auto element = dword[rdx];
  if (!wanted && has_instruction(rule.combine)) {
    as_.lock();
    return combine(rule, element, eax);
  }
  if (rule.combine == Operator::exchange) {
    as_.mov(r11d, eax);
    return as_.xchg(r11d, element);
  }
  if (rule.combine == Operator::add) {
    as_.mov(r11d, eax);
    as_.lock();
    return as_.xadd(element, r11d);
  }
  if (rule.combine == Operator::compare_exchange) {
    as_.mov(r10d, eax);
    as_.mov(eax, r8d);
    as_.lock();
    as_.cmpxchg(element, r10d);
    return as_.mov(r11d, eax);
  }
  Label again;
  as_.mov(r9d, eax);
  as_.mov(eax, element);
  as_.L(again);
  as_.mov(r10d, eax);
  updated(rule, r9d);
  as_.lock();
  as_.cmpxchg(element, r10d);
  as_.jnz(again);
  as_.mov(r11d, eax);
}

}  // namespace lockstep::spirv

#endif
