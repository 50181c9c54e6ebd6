#pragma once

#include <atomic>
#include <utility>

#include <lockstep/workgroup/memory.hpp>

/// \file
/// GLSL's atomics on buffers and shared memory. Lanes of a subgroup take their turns in rising
/// order.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// What std::atomic_ref is when only one thread runs: the same operations without locking the bus,
/// which would also wait for every store before it.
template <class T>
class SingleThreadRef {
 public:
  LOCKSTEP_INLINE explicit SingleThreadRef(T& object) : object_(object) {}

  LOCKSTEP_INLINE T load(std::memory_order) const { return object_; }
  LOCKSTEP_INLINE T exchange(T value, std::memory_order) const {
    return std::exchange(object_, value);
  }
  LOCKSTEP_INLINE T fetch_add(T value, std::memory_order) const {
    return std::exchange(object_, scalar::add(object_, value));
  }
  LOCKSTEP_INLINE T fetch_and(T value, std::memory_order) const {
    return std::exchange(object_, static_cast<T>(object_ & value));
  }
  LOCKSTEP_INLINE T fetch_or(T value, std::memory_order) const {
    return std::exchange(object_, static_cast<T>(object_ | value));
  }
  LOCKSTEP_INLINE T fetch_xor(T value, std::memory_order) const {
    return std::exchange(object_, static_cast<T>(object_ ^ value));
  }
  LOCKSTEP_INLINE bool compare_exchange_strong(T& expected, T value, std::memory_order) const {
    const bool equal = object_ == expected;
    if (equal)
      object_ = value;
    else
      expected = object_;
    return equal;
  }
  LOCKSTEP_INLINE bool compare_exchange_weak(T& expected, T value, std::memory_order order) const {
    return compare_exchange_strong(expected, value, order);
  }

 private:
  T& object_;
};

/// f(object, value, lane) on the element of one lane; 0 and a fault where there is none.
template <class T, int W, class F>
LOCKSTEP_INLINE T atomic_once(const View<T, W>& view, std::uint32_t index, T value, int lane, F f) {
  if (index >= view.size) {
    view.fault(true, index, lane);
    return T(0);
  }
  if (view.location->only_thread) return f(SingleThreadRef<T>(view.data[index]), value, lane);
  return f(std::atomic_ref<T>(view.data[index]), value, lane);
}

/// Calls f(object, value, lane) for each active lane in rising order; lane i gets what it returns.
template <class L, class T, class I, class F>
LOCKSTEP_INLINE L atomic_each(const Element<L, T, I>& element, const L& value, F f) {
  const auto& view = element.view();
  const auto active = view.active();
  const auto index_of = index_in_memory<L::width>(element.index());
  const InMemory<T, L::physical> from(value.packs());
  if (active.count() == 1) {
    // One lane for all, the usual case: the result never goes through memory lane by lane.
    const int lane = active.first();
    return select(active, L(atomic_once(view, index_of(lane), from.lane[lane], lane, f)), L(T(0)));
  }
  alignas(64) T old[L::physical] = {};
  for_each_lane(active,
                [&](int i) { old[i] = atomic_once(view, index_of(i), from.lane[i], i, f); });
  return L(load_packs<T, L::physical>(old));
}

/// The compare-and-swap loop behind operations std::atomic_ref lacks; stores only what changes.
template <class T, class Object, class F>
LOCKSTEP_INLINE T atomic_update(Object object, F f) {
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
///               lane.
/// Spec          GLSL atomicAdd ... · SPIR-V OpAtomicIAdd ..., Relaxed
/// Example       kernels/allocate
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
