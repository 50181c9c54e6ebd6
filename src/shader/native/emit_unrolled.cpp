#if LOCKSTEP_SPIRV_NATIVE

#include <algorithm>

#include "shader/native/emitter.hpp"
#include "shader/run/ops/chunk.hpp"
#include "shader/run/ops/find.hpp"

/// \file
/// Short loops that no lane leaves alone and whose number of iterations follows from constants: one iteration after the
/// other, with constants for what is the same in all lanes. The loop itself follows for where its limit is near.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

namespace {

constexpr std::size_t most_trips = 32, most_instructions = 512;

}  // namespace

/// What an operand that is the same in all lanes is known to be.
std::optional<std::uint32_t> Emitter::known(const Inst& i, int number,
                                            const Constants& values) const {
  if (i.varying(number)) return std::nullopt;
  const std::uint32_t places[] = {i.a, i.b, i.c};
  for (const Constants* of : {&values, &constants_}) {
    const auto found = of->find(places[number]);
    if (found != of->end()) return static_cast<std::uint32_t>(found->second);
  }
  return std::nullopt;
}

/// Runs an instruction's function on what its operands are known to be; what it returned, or null if they are not known.
/// Its result is in the registers of the scratch subgroup.
const Inst* Emitter::evaluate(std::size_t k, const Constants& values) {
  const Inst& i = program_.insts[k];
  const std::uint32_t places[] = {i.a, i.b, i.c};
  if (registers_ == nullptr) {
    registers_ = allocate_aligned(program_.register_bytes);
    evaluating_.regs = registers_.get();
    evaluating_.program = &program_;
    evaluating_.state.active = Mask<128>::lane(0);
  }
  for (int operand = 0; operand < number_operands(rule(k)).second; ++operand) {
    const std::optional<std::uint32_t> value = known(i, operand, values);
    if (!value) return nullptr;
    put<std::uint32_t>(evaluating_.regs + places[operand], Chunk<std::uint32_t>(*value));
  }
  return i.run(&i, evaluating_);
}

/// What arithmetic gives if that is the same in all lanes and known.
std::optional<std::uint32_t> Emitter::known_result(std::size_t k, const Constants& values) {
  const EmitRule rule = this->rule(k);
  const Inst& i = program_.insts[k];
  const bool whole = rule.type == Scalar::u32 || rule.type == Scalar::i32;
  if (rule.kind != Kind::arithmetic || !whole || i.varying_result() || is_comparison(rule.code) ||
      size_of_operands(rule) != 4 || evaluate(k, values) == nullptr)
    return std::nullopt;
  return get_first<std::uint32_t>(evaluating_.regs + i.dst);
}

/// What is known after the instruction.
void Emitter::learn(std::size_t k, Constants& values) {
  if (straight_loops_.empty()) return;
  const Inst& i = program_.insts[k];
  const auto forget = [&](std::uint32_t at, std::uint32_t bytes) {
    const auto first =
        values.lower_bound(at < register_chunk_bytes ? 0 : at - register_chunk_bytes + 1);
    values.erase(first, values.lower_bound(at + bytes));
  };
  const std::uint32_t most_bytes = std::max<std::uint32_t>(program_.chunks, 1) * chunk_lanes * 8;
  switch (rule(k).kind) {
    case Kind::arithmetic: {
      const std::optional<std::uint32_t> result = known_result(k, values);
      forget(i.dst, most_bytes);
      if (result) values[i.dst] = *result;
      return;
    }
    case Kind::run: {
      const auto& m = *static_cast<const MemoryArgs*>(i.args);
      if (rule(k).code == Code::load) forget(m.value[0].at, most_bytes);
      return;
    }
    case Kind::indexed:
    case Kind::indexed_by_lane: {
      if (rule(k).code == Code::load_indexed) return forget(i.dst, most_bytes);
      for (const std::uint32_t slot : static_cast<const IndexedArgs*>(i.args)->slots)
        forget(slot, most_bytes);
      return;
    }
    case Kind::ballot:
    case Kind::shuffle:
    case Kind::reduction:
    case Kind::broadcast:
      return forget(i.dst, most_bytes);
    case Kind::count_begin:
    case Kind::jump_if:
      return;
    default:
      values.clear();
  }
}

/// Whether it is a loop that may be unrolled: no lane leaves it alone, and nothing in it is called or jumped to.
bool Emitter::is_straight(std::size_t head, std::size_t back) const {
  for (std::size_t k = head; k < back; ++k) {
    if (k > head && is_target_[k]) return false;
    switch (rule(k).kind) {
      case Kind::arithmetic:
      case Kind::run:
      case Kind::indexed:
      case Kind::ballot:
      case Kind::shuffle:
      case Kind::reduction:
      case Kind::jump_if:
        break;
      default:
        return false;
    }
  }
  return true;
}
void Emitter::find_straight_loops() {
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    const EmitRule rule = this->rule(k);
    if (rule.kind != Kind::iterate || program_.insts[k].a != back_of_all) continue;
    const std::size_t head = number(program_.insts[k].target);
    if (k - head <= most_instructions && is_straight(head, k)) straight_loops_[head] = k;
  }
}

/// The iterations from a head on with what is known there, if that is all that matters.
std::optional<std::size_t> Emitter::trips_of(std::size_t head, std::size_t back) {
  Constants values = known_;
  std::size_t instructions = 0;
  for (std::size_t trips = 0; trips <= most_trips; ++trips) {
    for (std::size_t k = head; k < back; ++k, ++instructions) {
      if (instructions > most_instructions) return std::nullopt;
      if (rule(k).kind == Kind::jump_if) {
        if (!is_comparison(rule(k).code)) return std::nullopt;
        const Inst* const next = evaluate(k, values);
        if (next == nullptr) return std::nullopt;
        if (next != &program_.insts[k + 1]) return trips;
      }
      learn(k, values);
    }
  }
  return std::nullopt;
}

/// Before the code of the loop that begins there, if one does.
void Emitter::unroll(std::size_t head) {
  const auto found = straight_loops_.find(head);
  if (found == straight_loops_.end() || known_.empty()) return;
  const std::optional<std::size_t> trips = trips_of(head, found->second);
  if (!trips) return;
  Label loop;
  cache_.save_all();
  as_.mov(rax, ptr[rbx + offsetof(Context, steps)]);
  as_.add(rax, static_cast<std::uint32_t>(*trips));
  as_.cmp(rax, ptr[rbx + offsetof(Context, slice_end)]);
  as_.jae(loop, near);
  const Inst* const after = emit_trips(head, found->second);
  cache_.save_all();
  as_.add(qword[rbx + offsetof(Context, steps)], static_cast<std::uint32_t>(*trips));
  as_.jmp(labels_[number(after)], near);
  as_.L(loop);
  cache_.forget();
}
/// Returns where the loop goes on after its last test.
const Inst* Emitter::emit_trips(std::size_t head, std::size_t back) {
  for (std::size_t k = head;; k = k + 1 == back ? head : k + 1) {
    const Inst& i = program_.insts[k];
    if (rule(k).kind != Kind::jump_if)
      instruction(k);
    else if (const Inst* const next = evaluate(k, known_); next != &i + 1)
      return next;
    learn(k, known_);
    for (std::size_t at = last_uses_; at < program_.last_uses.size(); ++at) {
      const LastUse& last = program_.last_uses[at];
      if (last.inst > k) break;
      if (last.inst == k && last.at != i.dst && !(fusions_ && fusions_->is_part(k)))
        cache_.overwritten(last.at, last.bytes);
    }
  }
}

}  // namespace lockstep::spirv

#endif
