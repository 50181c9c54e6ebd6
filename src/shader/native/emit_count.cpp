#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"
#include "shader/native/layout.hpp"
#include "shader/run/ops/find.hpp"

/// \file
/// Counters of a shader's work. No branch depends on the lanes.

namespace lockstep::spirv {

using namespace Xbyak::util;

void Emitter::emit_count(const Inst& i) {
  cache_.begin_operation();
  if (static_cast<CountedLanes>(i.c) == CountedLanes::active) {
    transitions_.load_active(rax);
  } else {
    condition_bits(rax, i);
    if (static_cast<CountedLanes>(i.c) == CountedLanes::that_hold)
      as_.and_(rax, ptr[rbx + layout::active]);
    else
      as_.andn(rax, rax, ptr[rbx + layout::active]);
  }
  const std::size_t at = i.imm * sizeof(Count);
  as_.mov(rcx, ptr[rbx + offsetof(Context, counts)]);
  // Adds 1 unless no lane counts: the operand is -1, whose sign is extended.
  as_.cmp(rax, 1);
  as_.sbb(qword[rcx + at + offsetof(Count, times)], ~std::uint32_t{0});
  as_.popcnt(rax, rax);
  as_.add(qword[rcx + at + offsetof(Count, lanes)], rax);
}

void Emitter::emit_count_split(const Inst& i) {
  cache_.begin_operation();
  condition_bits(rax, i);
  transitions_.load_active(rcx);
  as_.and_(rax, rcx);
  as_.xor_(rcx, rax);
  // The carry flag after each negation: whether there are lanes.
  as_.neg(rax);
  as_.sbb(rax, rax);
  as_.and_(rcx, rax);
  as_.mov(rax, ptr[rbx + offsetof(Context, divergences)]);
  as_.neg(rcx);
  as_.adc(qword[rax], 0);
}

}  // namespace lockstep::spirv

#endif
