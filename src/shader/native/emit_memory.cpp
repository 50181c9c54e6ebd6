#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

/// \file
/// Memory: consecutive elements, and variables with a uniform index.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

/// Consecutive elements in memory.
void Emitter::emit_run(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  const bool loads = rule(k).code == Code::load;
  Cold& code = cold(k);
  cache_.first_to(eax, m.index.at);
  as_.mov(rcx, ptr[rbx + offsetof(Context, limits)]);
  as_.lea(rdx, ptr[rax + static_cast<std::size_t>(i.imm)]);
  as_.cmp(rdx, ptr[rcx + m.limit * sizeof(std::uint64_t)]);
  as_.ja(code.begin, near);
  if (!loads && !as_.stores_lanes()) transitions_.require_all_active(program_.size, code.begin);
  as_.mov(rcx, ptr[rbx + offsetof(Context, memory)]);
  as_.mov(rcx, ptr[rcx + m.resource * sizeof(Memory) + offsetof(Memory, data)]);
  as_.lea(rcx, ptr[rcx + rax * 4 + static_cast<std::size_t>(m.offset)]);
  for (std::uint32_t v = 0; v < i.chunks * register_chunk_bytes / as_.vector_bytes(); ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * as_.vector_bytes();
    const std::uint32_t value = m.value[0].at + (m.value[0].varying ? away : 0);
    if (loads) {
      constexpr std::size_t bytes_ahead = 2048;
      if (away % register_chunk_bytes == 0) as_.prefetcht0(ptr[rcx + bytes_ahead + away]);
      const Vector to = cache_.result(value);
      as_.vmovups(to, ptr[rcx + away]);
      cache_.keep(to, value, false);
    } else if (as_.stores_lanes()) {
      const Vector from = cache_.value(value);
      as_.store_lanes(ptr[rcx + away], cache_.active(v), from);
    } else {
      as_.vmovups(ptr[rcx + away], cache_.value(value));
    }
  }
  come_back(code);
}

/// A variable's component by a uniform index.
void Emitter::emit_indexed(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const std::uint32_t step = slots[1] - slots[0];
  const auto bytes = static_cast<std::uint32_t>(slots.size()) * step;
  const bool loads = rule(k).code == Code::load_indexed;
  Cold& code = cold(k);
  cache_.first_to(eax, i.a);
  if (i.imm != 0) as_.add(rax, static_cast<std::uint32_t>(i.imm));
  as_.cmp(rax, static_cast<std::uint32_t>(slots.size()));
  as_.jae(code.begin, near);
  as_.imul(rax, rax, static_cast<int>(step));
  as_.lea(rax, ptr[r12 + rax + slots[0]]);
  cache_.save_inside(slots[0], bytes);
  if (!loads) cache_.overwritten(slots[0], bytes);
  for (std::uint32_t v = 0; v < i.chunks * register_chunk_bytes / as_.vector_bytes(); ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * as_.vector_bytes();
    const auto component = ptr[rax + away];
    if (loads) {
      const Vector to = cache_.result(i.dst + away);
      as_.vmovups(to, component);
      cache_.keep(to, i.dst + away, false);
    } else {
      const Vector value = cache_.value(i.b + (i.varying(1) ? away : 0)), all = cache_.fresh();
      as_.vmovups(all, component);
      as_.select(all, cache_.active(v), all, value);
      as_.vmovups(component, all);
    }
  }
  if (!loads) cache_.overwritten(slots[0], bytes);
  come_back(code);
}

}  // namespace lockstep::spirv

#endif
