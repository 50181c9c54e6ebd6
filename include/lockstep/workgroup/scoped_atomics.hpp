#pragma once

#include <lockstep/workgroup/atomics.hpp>

/// \file
/// Atomics with memory scope and semantics (GL_KHR_memory_scope_semantics). The constants are
/// types, so that what GLSL rejects does not compile.

namespace lockstep::inline LOCKSTEP_ABI {

/// gl_Scope...: the invocations that an operation concerns.
template <int Value>
struct ScopeConstant {
  static constexpr int value = Value;
};

/// gl_StorageSemantics...: the memory that it orders; combined with |.
template <int Value>
struct StorageConstant {
  static constexpr int value = Value;

  template <int Other>
  friend constexpr StorageConstant<(Value | Other)> operator|(StorageConstant,
                                                              StorageConstant<Other>) {
    return {};
  }
};

/// gl_Semantics...: how it orders memory; combined with |.
template <int Value>
struct SemanticsConstant {
  static constexpr int value = Value;

  template <int Other>
  friend constexpr SemanticsConstant<(Value | Other)> operator|(SemanticsConstant,
                                                                SemanticsConstant<Other>) {
    return {};
  }
};

/// All the constants: f(name, type, value).
#define LOCKSTEP_SCOPE_CONSTANTS(f)                                                               \
  f(gl_ScopeDevice, ScopeConstant, 1) f(gl_ScopeWorkgroup, ScopeConstant, 2)                      \
      f(gl_ScopeSubgroup, ScopeConstant, 3) f(gl_ScopeInvocation, ScopeConstant, 4)               \
          f(gl_ScopeQueueFamily, ScopeConstant, 5) f(gl_StorageSemanticsNone, StorageConstant, 0) \
              f(gl_StorageSemanticsBuffer, StorageConstant, 0x40)                                 \
                  f(gl_StorageSemanticsShared, StorageConstant, 0x100)                            \
                      f(gl_StorageSemanticsImage, StorageConstant, 0x800)                         \
                          f(gl_StorageSemanticsOutput, StorageConstant, 0x1000)                   \
                              f(gl_SemanticsRelaxed, SemanticsConstant, 0)                        \
                                  f(gl_SemanticsAcquire, SemanticsConstant, 0x2) f(               \
                                      gl_SemanticsRelease, SemanticsConstant, 0x4)                \
                                      f(gl_SemanticsAcquireRelease, SemanticsConstant, 0x8) f(    \
                                          gl_SemanticsMakeAvailable, SemanticsConstant, 0x2000)   \
                                          f(gl_SemanticsMakeVisible, SemanticsConstant, 0x4000)   \
                                              f(gl_SemanticsVolatile, SemanticsConstant, 0x8000)

#define LOCKSTEP_SCOPE_CONSTANT(name, type, value) inline constexpr type<value> name{};
LOCKSTEP_SCOPE_CONSTANTS(LOCKSTEP_SCOPE_CONSTANT)
#undef LOCKSTEP_SCOPE_CONSTANT

namespace detail {

inline constexpr int acquire_bit = 0x2, release_bit = 0x4, acquire_release_bit = 0x8,
                     available_bit = 0x2000, visible_bit = 0x4000, volatile_bit = 0x8000;

/// What GLSL rejects in the semantics of any atomic.
template <int Semantics>
constexpr void check_semantics() {
  constexpr int orders = (Semantics & acquire_bit ? 1 : 0) + (Semantics & release_bit ? 1 : 0) +
                         (Semantics & acquire_release_bit ? 1 : 0);
  static_assert(orders <= 1,
                "at most one of gl_SemanticsAcquire, gl_SemanticsRelease, "
                "gl_SemanticsAcquireRelease");
  static_assert(!(Semantics & available_bit) || (Semantics & (release_bit | acquire_release_bit)),
                "gl_SemanticsMakeAvailable needs gl_SemanticsRelease or AcquireRelease");
  static_assert(!(Semantics & visible_bit) || (Semantics & (acquire_bit | acquire_release_bit)),
                "gl_SemanticsMakeVisible needs gl_SemanticsAcquire or AcquireRelease");
}

template <int Semantics>
constexpr HostOrder memory_order_of() {
  check_semantics<Semantics>();
  if constexpr ((Semantics & acquire_release_bit) != 0)
    return HostOrder::acq_rel;
  else if constexpr ((Semantics & acquire_bit) != 0)
    return HostOrder::acquire;
  else if constexpr ((Semantics & release_bit) != 0)
    return HostOrder::release;
  else
    return HostOrder::relaxed;
}

/// GLSL's constants as SPIR-V's, whose semantics include the storage.
template <int Value, int Storage, int Semantics>
constexpr MemoryOrder scoped_order() {
  return {static_cast<Scope>(Value), static_cast<std::uint32_t>(Storage | Semantics)};
}
template <int Scope, int Storage, int Semantics>
constexpr AtomicOrder atomic_order() {
  return {.order = scoped_order<Scope, Storage, Semantics>(), .host = memory_order_of<Semantics>()};
}

/// For the host a single order, no weaker than the semantics of success and failure.
template <int Scope, int Storage, int Equal, int StorageUnequal, int Unequal>
constexpr AtomicOrder comp_swap_order() {
  check_semantics<Unequal>();
  static_assert(!(Unequal & (release_bit | acquire_release_bit)),
                "atomicCompSwap cannot release where it does not replace");
  static_assert((Equal & volatile_bit) == (Unequal & volatile_bit),
                "gl_SemanticsVolatile is in both semantics of atomicCompSwap or in none");
  constexpr bool both = (Equal & release_bit) && (Unequal & acquire_bit);
  constexpr int order = both ? acquire_release_bit
                             : Equal | (Equal & acquire_release_bit ? 0 : Unequal & acquire_bit);
  return {scoped_order<Scope, Storage, Equal>(),
          static_cast<std::uint32_t>(StorageUnequal | Unequal), memory_order_of<order>()};
}

}  // namespace detail

/// \defgroup scoped_atomics Atomics with scope, storage and semantics
///
/// Requires      As for the plain forms; atomicLoad and atomicStore take all their types.
/// Active lanes  As for the plain forms.
/// Errors        As for the plain forms. What GLSL rejects does not compile: several orders at once, a
///               load that releases, a store that acquires, MakeAvailable without release,
///               MakeVisible without acquire, a failing atomicCompSwap that releases.
/// Cost          As for the plain forms. Every scope is treated as device scope.
/// Spec          GLSL atomicAdd(mem, data, scope, storage, sem) ... · SPIR-V OpAtomicIAdd ...,
///               OpAtomicLoad, OpAtomicStore
/// Example       tests/workgroup/scoped_atomics.cpp
/// @{

#define LOCKSTEP_SCOPED_ATOMIC(name, Operation)                                                   \
  template <detail::AtomicOperand E, int Scope, int Storage, int Semantics>                       \
  LOCKSTEP_INLINE typename E::MemoryValue name(E&& element, const typename E::MemoryValue& value, \
                                               ScopeConstant<Scope>, StorageConstant<Storage>,    \
                                               SemanticsConstant<Semantics>) {                    \
    return detail::atomic<detail::Operation>(element, value,                                      \
                                             detail::atomic_order<Scope, Storage, Semantics>());  \
  }                                                                                               \
  /** The same data in all lanes. */                                                              \
  template <detail::AtomicOperand E, std::same_as<detail::NumberOf<E>> T, int Scope, int Storage, \
            int Semantics>                                                                        \
  LOCKSTEP_INLINE typename E::MemoryValue name(E&& element, T value, ScopeConstant<Scope>,        \
                                               StorageConstant<Storage>,                          \
                                               SemanticsConstant<Semantics>) {                    \
    return detail::atomic<detail::Operation>(element, value,                                      \
                                             detail::atomic_order<Scope, Storage, Semantics>());  \
  }
/// Adds.
LOCKSTEP_SCOPED_ATOMIC(atomicAdd, AtomicAdd)
/// Replaces.
LOCKSTEP_SCOPED_ATOMIC(atomicExchange, AtomicExchange)
/// Keeps the smaller; prefers a number to NaN.
LOCKSTEP_SCOPED_ATOMIC(atomicMin, AtomicMin)
/// Keeps the larger; prefers a number to NaN.
LOCKSTEP_SCOPED_ATOMIC(atomicMax, AtomicMax)
/// Bitwise and.
LOCKSTEP_SCOPED_ATOMIC(atomicAnd, AtomicAnd)
/// Bitwise or.
LOCKSTEP_SCOPED_ATOMIC(atomicOr, AtomicOr)
/// Bitwise exclusive or.
LOCKSTEP_SCOPED_ATOMIC(atomicXor, AtomicXor)
#undef LOCKSTEP_SCOPED_ATOMIC

/// Replaces the number if it equals `compare`; the two semantics apply to success and to failure.
template <detail::AtomicOperand E, int Scope, int Storage, int Equal, int StorageUnequal,
          int Unequal>
LOCKSTEP_INLINE typename E::MemoryValue atomicCompSwap(
    E&& element, const typename E::MemoryValue& compare, const typename E::MemoryValue& value,
    ScopeConstant<Scope>, StorageConstant<Storage>, SemanticsConstant<Equal>,
    StorageConstant<StorageUnequal>, SemanticsConstant<Unequal>) {
  return detail::atomic_comp_swap(
      element, compare, value,
      detail::comp_swap_order<Scope, Storage, Equal, StorageUnequal, Unequal>());
}

/// Reads.
template <detail::AtomicOperand E, int Scope, int Storage, int Semantics>
LOCKSTEP_INLINE typename E::MemoryValue atomicLoad(E&& element, ScopeConstant<Scope>,
                                                   StorageConstant<Storage>,
                                                   SemanticsConstant<Semantics>) {
  static_assert(!(Semantics & (detail::release_bit | detail::acquire_release_bit)),
                "atomicLoad cannot release");
  return detail::atomic<detail::AtomicLoad>(element, detail::NumberOf<E>(0),
                                            detail::atomic_order<Scope, Storage, Semantics>());
}
/// Writes.
template <detail::AtomicOperand E, int Scope, int Storage, int Semantics>
LOCKSTEP_INLINE void atomicStore(E&& element, const typename E::MemoryValue& value,
                                 ScopeConstant<Scope>, StorageConstant<Storage>,
                                 SemanticsConstant<Semantics>) {
  static_assert(!(Semantics & (detail::acquire_bit | detail::acquire_release_bit)),
                "atomicStore cannot acquire");
  detail::atomic<detail::AtomicStore>(element, value,
                                      detail::atomic_order<Scope, Storage, Semantics>());
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
