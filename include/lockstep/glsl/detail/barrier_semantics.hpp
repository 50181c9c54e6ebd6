#pragma once

#include <lockstep/workgroup/scoped_atomics.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// GLSL's requirements on a barrier's constants; `fence` if it must have a memory order.
template <int Storage, int Bits, bool fence>
constexpr void check_barrier_semantics() {
  check_semantics<Bits>();
  constexpr bool ordered = (Bits & (acquire_bit | release_bit | acquire_release_bit)) != 0;
  static_assert(!fence || ordered, "memoryBarrier needs an order: gl_SemanticsRelaxed has none");
  static_assert((!ordered && !fence) || Storage != 0,
                "a barrier with an order needs a gl_StorageSemantics... that it orders");
  static_assert(!(Bits & volatile_bit), "gl_SemanticsVolatile is not for barriers");
}

/// The memory that a barrier without arguments orders if its name names none.
inline constexpr std::uint32_t all_memory = memory_semantics::buffers | memory_semantics::shared |
                                            memory_semantics::atomic_counters |
                                            memory_semantics::images;

/// The order of GLSL's barriers without arguments.
template <Scope Memory>
constexpr MemoryOrder acquire_release(std::uint32_t storage) {
  return {Memory, memory_semantics::acquire_release | storage};
}

/// A fence for this process's memory. A workgroup runs on one thread: within it there is nothing to do, and
/// nothing for shared memory.
LOCKSTEP_INLINE void fence(const MemoryOrder& order) {
  constexpr std::uint32_t orders =
      memory_semantics::acquire | memory_semantics::release | memory_semantics::acquire_release;
  constexpr std::uint32_t beyond_workgroups = memory_semantics::buffers | memory_semantics::images;
  const bool others = order.scope == Scope::device || order.scope == Scope::queue_family;
  if (others && (order.semantics & orders) != 0 && (order.semantics & beyond_workgroups) != 0)
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
