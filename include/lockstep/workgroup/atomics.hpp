#pragma once

#include <atomic>

#include <lockstep/workgroup/memory.hpp>

/// \file
/// GLSL's atomics on buffers and shared memory. Lanes of a subgroup take their turns in rising
/// order.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// Calls f(object, value, lane) for each active lane in rising order; lane i gets what it returns.
template <class L, class T, class I, class F>
LOCKSTEP_INLINE L atomic_each(const Element<L, T, I>& element, const L& value, F f) {
  constexpr int P = L::physical;
  const auto& view = element.view();
  const auto index_of = index_in_memory<L::width>(element.index());
  const InMemory<T, P> from(value.packs());
  alignas(64) T old[P] = {};
  for_each_lane(view.active(), [&](int i) {
    const std::uint32_t k = index_of(i);
    if (k < view.size)
      old[i] = f(std::atomic_ref<T>(view.data[k]), from.lane[i], i);
    else
      view.fault(true, k, i);
  });
  return L(load_packs<T, P>(old));
}

/// The compare-and-swap loop behind operations std::atomic_ref lacks; stores only what changes.
template <class T, class F>
LOCKSTEP_INLINE T atomic_update(std::atomic_ref<T> object, F f) {
  T old = object.load(std::memory_order_relaxed);
  T wanted = f(old);
  while (wanted != old && !object.compare_exchange_weak(old, wanted, std::memory_order_relaxed))
    wanted = f(old);
  return old;
}

}  // namespace detail

/// \defgroup atomics Atomics: change the element, give back what it held before the lane's turn
///
/// Requires      Elements of int, uint, int64_t or uint64_t.
/// Active lanes  Only active lanes take part, in rising order; inactive lanes get 0.
/// Errors        An index beyond the array does nothing, gives 0 and is a fault.
/// Cost          One atomic instruction (or a compare-and-swap loop for Min and Max) an active
/// lane. Spec          GLSL atomicAdd ... · SPIR-V OpAtomicIAdd ..., Relaxed Example
/// kernels/allocate
/// @{

/// Adds.
template <class L, class T, class I>
LOCKSTEP_INLINE L atomicAdd(Element<L, T, I>&& element, const std::type_identity_t<L>& value) {
  return detail::atomic_each(element, value, [](auto object, T v, int) {
    return object.fetch_add(v, std::memory_order_relaxed);
  });
}
/// Replaces.
template <class L, class T, class I>
LOCKSTEP_INLINE L atomicExchange(Element<L, T, I>&& element, const std::type_identity_t<L>& value) {
  return detail::atomic_each(element, value, [](auto object, T v, int) {
    return object.exchange(v, std::memory_order_relaxed);
  });
}
/// Replaces where the element holds `compare`.
template <class L, class T, class I>
LOCKSTEP_INLINE L atomicCompSwap(Element<L, T, I>&& element, const std::type_identity_t<L>& compare,
                                 const std::type_identity_t<L>& value) {
  const detail::InMemory<T, L::physical> expected(compare.packs());
  return detail::atomic_each(element, value, [&](auto object, T v, int lane) {
    T old = expected.lane[lane];
    object.compare_exchange_strong(old, v, std::memory_order_relaxed);
    return old;
  });
}
/// Keeps the smaller.
template <class L, class T, class I>
LOCKSTEP_INLINE L atomicMin(Element<L, T, I>&& element, const std::type_identity_t<L>& value) {
  return detail::atomic_each(element, value, [](auto object, T v, int) {
    return detail::atomic_update<T>(object, [&](T old) { return v < old ? v : old; });
  });
}
/// Keeps the larger.
template <class L, class T, class I>
LOCKSTEP_INLINE L atomicMax(Element<L, T, I>&& element, const std::type_identity_t<L>& value) {
  return detail::atomic_each(element, value, [](auto object, T v, int) {
    return detail::atomic_update<T>(object, [&](T old) { return v > old ? v : old; });
  });
}
/// Bitwise and.
template <class L, class T, class I>
LOCKSTEP_INLINE L atomicAnd(Element<L, T, I>&& element, const std::type_identity_t<L>& value) {
  return detail::atomic_each(element, value, [](auto object, T v, int) {
    return object.fetch_and(v, std::memory_order_relaxed);
  });
}
/// Bitwise or.
template <class L, class T, class I>
LOCKSTEP_INLINE L atomicOr(Element<L, T, I>&& element, const std::type_identity_t<L>& value) {
  return detail::atomic_each(element, value, [](auto object, T v, int) {
    return object.fetch_or(v, std::memory_order_relaxed);
  });
}
/// Bitwise exclusive or.
template <class L, class T, class I>
LOCKSTEP_INLINE L atomicXor(Element<L, T, I>&& element, const std::type_identity_t<L>& value) {
  return detail::atomic_each(element, value, [](auto object, T v, int) {
    return object.fetch_xor(v, std::memory_order_relaxed);
  });
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
