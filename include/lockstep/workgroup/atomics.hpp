#pragma once

#include <array>

#include <lockstep/exec/chosen_order.hpp>
#include <lockstep/exec/memory_order.hpp>
#include <lockstep/workgroup/detail/atomic_ref.hpp>
#include <lockstep/workgroup/memory.hpp>

/// \file
/// GLSL's atomics on buffers and shared memory. Lanes of a subgroup take turns in ascending
/// order, or in one that a chooser decides.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// The order of an atomic: in GLSL's words for observers, and for this process's memory. By default as
/// atomicAdd(mem, data) in GLSL.
struct AtomicOrder {
  MemoryOrder order{Scope::device, memory_semantics::relaxed};
  std::uint32_t unequal = memory_semantics::relaxed;  ///< as Access::unequal
  HostOrder host = HostOrder::relaxed;
};

/// In place of an atomic's result where it has none.
struct NoResult {};

/// A compare-and-swap loop for other operations; stores only changes.
template <class T, class Object, class F>
LOCKSTEP_INLINE T atomic_update(Object object, HostOrder order, F f) {
  T old = object.load(HostOrder::relaxed);
  T wanted = f(old);
  while (!same_bits(wanted, old) && !object.compare_exchange_weak(old, wanted, order))
    wanted = f(old);
  return old;
}

/// f(object, value, lane) on the number of one lane.
template <class T, class F>
LOCKSTEP_INLINE T atomic_once(T& number, bool only_thread, T value, int lane, F f) {
  if (only_thread) return f(SingleThreadRef<T>(number), value, lane);
  return f(AtomicRef<T>(number), value, lane);
}

/// Each lane's value, for code that processes one lane at a time.
template <class T, int W>
LOCKSTEP_INLINE auto values_of_lanes(const Lanes<T, W>& value) {
  return [from = InMemory<T, Lanes<T, W>::physical>(value.packs())](int lane)
      __attribute__((always_inline)) {
    return from.lane[lane];
  };
}
template <class T>
LOCKSTEP_INLINE auto values_of_lanes(T value) {
  return [=](int) __attribute__((always_inline)) { return value; };
}

/// Calls f(object, value, lane) for each active lane in ascending order; lane i gets its result.
/// target(i, use) returns use(lane i's number), or 0 if there is none. V is Lanes<T, W>, or T for the same in
/// all lanes.
template <class T, int W, class Target, class V, class F>
LOCKSTEP_INLINE Lanes<T, W> atomic_each(Mask<W> active, bool only_thread, const Target& target,
                                        const V& value, F f) {
  using L = Lanes<T, W>;
  const auto value_of = values_of_lanes(value);
  const auto turn = [&](int i) __attribute__((always_inline)) {
    return target(
        i, [&](T & number) __attribute__((always_inline)) {
          return atomic_once(number, only_thread, value_of(i), i, f);
        });
  };
  if (active.count() == 1) {
    // A single active lane, the usual case: the result does not go through memory lane by lane.
    return select(active, L(turn(active.first())), L(T(0)));
  }
  alignas(64) T old[L::physical] = {};
  for_each_lane(active, [&](int i) { old[i] = turn(i); });
  return L(load_packs<T, L::physical>(old));
}

/// Who decides the order of an atomic's lanes, and where the atomic stands.
struct AtomicChoice {
  Chooser* chooser = nullptr;  ///< null: lanes take turns in ascending order
  SourceLocation where = {};
};
/// What a machine with a chooser does before an atomic on an element, place or image.
template <class On>
LOCKSTEP_INLINE AtomicChoice before_atomic([[maybe_unused]] const On& on) {
  if constexpr (requires { on.before_atomic(); })
    return on.before_atomic();
  else
    return {};
}

/// As atomic_each, in the order that the chooser decides.
template <class T, int W, class Target, class V, class F>
[[gnu::noinline]] Lanes<T, W> atomic_each_chosen(const AtomicChoice& choice, Mask<W> active,
                                                 bool only_thread, const Target& target,
                                                 const V& value, F f) {
  using L = Lanes<T, W>;
  std::array<T*, W> number{};
  std::array<AtomicTarget, W> targets{};
  for_each_lane(active, [&](int i) {
    const auto k = static_cast<std::size_t>(i);
    target(i, [&](T& at) {
      number[k] = &at;
      return T(0);
    });
    // Lanes outside the array update nothing.
    targets[k] = {number[k] == nullptr ? k + 1 : 0, reinterpret_cast<std::uintptr_t>(number[k])};
  });
  const auto value_of = values_of_lanes(value);
  alignas(64) T old[L::physical] = {};
  for (const int i : atomic_order(*choice.chooser, choice.where, to_lane_set(active), targets)) {
    T* const at = number[static_cast<std::size_t>(i)];
    if (at != nullptr) old[i] = atomic_once(*at, only_thread, value_of(i), i, f);
  }
  return L(load_packs<T, L::physical>(old));
}

/// The types of atomicAnd and similar, and the additional ones of the others.
template <class T>
inline constexpr bool is_atomic_integer = Integer<T> && sizeof(T) >= 4;
template <class T>
inline constexpr bool is_atomic_number = is_atomic_integer<T> || Floating<T>;

// One struct per operation: its name, its types and one lane's turn.
struct AtomicAdd {
  static constexpr const char* name = "atomicAdd";
  template <class T>
  static constexpr bool takes = is_atomic_number<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T value, HostOrder order) {
    if constexpr (Integer<T>)
      return object.fetch_add(value, order);
    else
      return atomic_update<T>(object, order, [&](T old) { return static_cast<T>(old + value); });
  }
};
struct AtomicExchange {
  static constexpr const char* name = "atomicExchange";
  template <class T>
  static constexpr bool takes = is_atomic_number<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T value, HostOrder order) {
    return object.exchange(value, order);
  }
};
// Prefers a number to NaN.
struct AtomicMin {
  static constexpr const char* name = "atomicMin";
  template <class T>
  static constexpr bool takes = is_atomic_number<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T value, HostOrder order) {
    return atomic_update<T>(object, order,
                            [&](T old) { return value < old || !(old == old) ? value : old; });
  }
};
struct AtomicMax {
  static constexpr const char* name = "atomicMax";
  template <class T>
  static constexpr bool takes = is_atomic_number<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T value, HostOrder order) {
    return atomic_update<T>(object, order,
                            [&](T old) { return value > old || !(old == old) ? value : old; });
  }
};
struct AtomicAnd {
  static constexpr const char* name = "atomicAnd";
  template <class T>
  static constexpr bool takes = is_atomic_integer<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T value, HostOrder order) {
    return object.fetch_and(value, order);
  }
};
struct AtomicOr {
  static constexpr const char* name = "atomicOr";
  template <class T>
  static constexpr bool takes = is_atomic_integer<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T value, HostOrder order) {
    return object.fetch_or(value, order);
  }
};
struct AtomicXor {
  static constexpr const char* name = "atomicXor";
  template <class T>
  static constexpr bool takes = is_atomic_integer<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T value, HostOrder order) {
    return object.fetch_xor(value, order);
  }
};

struct AtomicLoad {
  static constexpr const char* name = "atomicLoad";
  template <class T>
  static constexpr bool takes = is_atomic_number<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T, HostOrder order) {
    return object.load(order);
  }
};
struct AtomicStore {
  static constexpr const char* name = "atomicStore";
  template <class T>
  static constexpr bool takes = is_atomic_number<T>;
  template <class T, class Object>
  LOCKSTEP_INLINE static T turn(Object object, T value, HostOrder order) {
    object.store(value, order);
    return T(0);
  }
};

struct AtomicCompSwap {
  static constexpr const char* name = "atomicCompSwap";
};

/// A number in memory per lane: an element of an array of numbers, or a number inside one.
template <class E>
concept AtomicOperand = requires {
  typename E::MemoryValue::value_type;
  requires E::is_atomic_operand;
};

/// The type of its numbers.
template <class E>
using NumberOf = Plain<typename E::MemoryValue::value_type>;

/// f(object, value, lane), as atomic_each, on the numbers of `element`. The order of loads does not matter.
template <bool Loads = false, class E, class V, class F>
LOCKSTEP_INLINE typename E::MemoryValue atomic_on(const E& element, const V& value, F f) {
  static_assert(!E::is_const, "atomics take memory that can be written, and this buffer is const");
  [[maybe_unused]] const AtomicChoice choice = before_atomic(element);
  return element.with_targets([&](const auto& target) __attribute__((always_inline)) {
    const auto& plain = plain_for(element, value, UseKind::atomic_operand);
    if constexpr (!Loads && requires { element.before_atomic(); }) {
      if (choice.chooser != nullptr)
        return atomic_each_chosen<NumberOf<E>>(choice, element.active(), element.only_thread(),
                                               target, plain, f);
    }
    return atomic_each<NumberOf<E>>(element.active(), element.only_thread(), target, plain, f);
  });
}

/// Reports to observers what an atomic gave (or NoResult) and took.
template <class E, class Result, class... Operands>
LOCKSTEP_INLINE void tell_atomic(const E& element, const char* name, const AtomicOrder& order,
                                 const Result& result, const Operands&... operands) {
  using Lanes = typename E::MemoryValue;
  if constexpr (requires { element.tell_atomic(name, order, result, Lanes(operands)...); })
    element.tell_atomic(name, order, result, Lanes(operands)...);
}

/// An atomic's result; a machine with its own numbers may know more about it.
template <class Op, class E>
LOCKSTEP_INLINE typename E::MemoryValue after_atomic(const E& element,
                                                     const typename E::MemoryValue& old) {
  if constexpr (requires { element.template after_atomic<Op>(old); })
    return element.template after_atomic<Op>(old);
  else
    return old;
}

template <class Op, class E, class V>
LOCKSTEP_INLINE typename E::MemoryValue atomic(const E& element, const V& value,
                                               const AtomicOrder& order = {}) {
  using T = NumberOf<E>;
  static_assert(
      Op::template takes<T>,
      "GLSL has atomicAnd, Or and Xor for int, uint, int64_t and uint64_t, atomicAdd, Min, "
      "Max and Exchange also for float, double and float16_t");
  constexpr bool loads = std::same_as<Op, AtomicLoad>;
  const auto old = atomic_on<loads>(element, value, [host = order.host](auto object, T v, int) {
    return Op::template turn<T>(object, v, host);
  });
  if constexpr (loads)
    tell_atomic(element, Op::name, order, old);
  else if constexpr (std::same_as<Op, AtomicStore>)
    tell_atomic(element, Op::name, order, NoResult(), value);
  else
    tell_atomic(element, Op::name, order, old, value);
  return after_atomic<Op>(element, old);
}

template <class E, class V>
LOCKSTEP_INLINE typename E::MemoryValue atomic_comp_swap(const E& element, const V& compare,
                                                         const V& value,
                                                         const AtomicOrder& order = {}) {
  using T = NumberOf<E>;
  static_assert(is_atomic_integer<T>,
                "GLSL has atomicCompSwap for int, uint, int64_t and uint64_t only");
  const auto expected = values_of_lanes(plain_for(element, compare, UseKind::atomic_operand));
  const auto old = atomic_on(element, value, [&](auto object, T v, int lane) {
    T found = expected(lane);
    object.compare_exchange_strong(found, v, order.host);
    return found;
  });
  tell_atomic(element, AtomicCompSwap::name, order, old, compare, value);
  return after_atomic<AtomicCompSwap>(element, old);
}

}  // namespace detail

/// \defgroup atomics Atomics: update the number, return its value before the lane's turn
///
/// Requires      Numbers of type int, uint, int64_t or uint64_t; Add, Min, Max and Exchange also
///               take float, double and float16_t. Others do not compile. They may be elements of
///               an array, or members and components inside one.
/// Active lanes  Only active lanes take part, in ascending order unless a chooser decides it; inactive lanes get 0.
/// Errors        An index beyond the array does nothing, returns 0 and is a fault.
/// Cost          One atomic instruction (or a compare-and-swap loop for Min, Max and floats) per
///               active lane.
/// Spec          GLSL atomicAdd ... · SPIR-V OpAtomicIAdd, OpAtomicFAddEXT ..., Relaxed
/// Example       kernels/allocate
/// @{

// Data that is the same in all lanes needs no register.
#define LOCKSTEP_ATOMIC(name, Operation)                                               \
  template <detail::AtomicOperand E>                                                   \
  LOCKSTEP_INLINE typename E::MemoryValue name(E&& element,                            \
                                               const typename E::MemoryValue& value) { \
    return detail::atomic<detail::Operation>(element, value);                          \
  }                                                                                    \
  /** The same data in all lanes. */                                                   \
  template <detail::AtomicOperand E, std::same_as<detail::NumberOf<E>> T>              \
  LOCKSTEP_INLINE typename E::MemoryValue name(E&& element, T value) {                 \
    return detail::atomic<detail::Operation>(element, value);                          \
  }
/// Adds.
LOCKSTEP_ATOMIC(atomicAdd, AtomicAdd)
/// Replaces.
LOCKSTEP_ATOMIC(atomicExchange, AtomicExchange)
/// Keeps the smaller; prefers a number to NaN.
LOCKSTEP_ATOMIC(atomicMin, AtomicMin)
/// Keeps the larger; prefers a number to NaN.
LOCKSTEP_ATOMIC(atomicMax, AtomicMax)
/// Bitwise and.
LOCKSTEP_ATOMIC(atomicAnd, AtomicAnd)
/// Bitwise or.
LOCKSTEP_ATOMIC(atomicOr, AtomicOr)
/// Bitwise exclusive or.
LOCKSTEP_ATOMIC(atomicXor, AtomicXor)
#undef LOCKSTEP_ATOMIC

/// Replaces the number if it equals `compare`, bit by bit.
template <detail::AtomicOperand E>
LOCKSTEP_INLINE typename E::MemoryValue atomicCompSwap(E&& element,
                                                       const typename E::MemoryValue& compare,
                                                       const typename E::MemoryValue& value) {
  return detail::atomic_comp_swap(element, compare, value);
}
/// The same numbers in all lanes.
template <detail::AtomicOperand E, std::same_as<detail::NumberOf<E>> T>
LOCKSTEP_INLINE typename E::MemoryValue atomicCompSwap(E&& element, T compare, T value) {
  return detail::atomic_comp_swap(element, compare, value);
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
