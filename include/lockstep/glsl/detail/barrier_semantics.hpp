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

/// Device and queue family: the scopes beyond one thread.
template <int Scope>
inline constexpr bool is_wider_than_workgroup = Scope == 1 || Scope == 5;

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
