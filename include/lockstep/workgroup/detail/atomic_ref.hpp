#pragma once

#include <cstring>
#include <utility>

#include <lockstep/lanes/detail/scalar.hpp>

/// \file
/// One number in memory as an atomic: what std::atomic_ref offers, without <atomic>, which costs each user's
/// source a quarter of a second.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The order of an atomic for this process's memory.
enum class HostOrder : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
};

/// Whether two numbers are identical: for floats, NaN is identical to itself, and 0 is not -0.
template <class T>
LOCKSTEP_INLINE bool same_bits(T a, T b) {
  if constexpr (Integer<T>)
    return a == b;
  else
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits, as above
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// A number that other threads may use at the same time. Those that fetch take integers only.
template <class T>
class AtomicRef {
 public:
  LOCKSTEP_INLINE explicit AtomicRef(T& object) : object_(object) {}

  LOCKSTEP_INLINE T load(HostOrder order) const {
    T value;
    __atomic_load(&object_, &value, static_cast<int>(order));
    return value;
  }
  LOCKSTEP_INLINE void store(T value, HostOrder order) const {
    __atomic_store(&object_, &value, static_cast<int>(order));
  }
  LOCKSTEP_INLINE T exchange(T value, HostOrder order) const {
    T old;
    __atomic_exchange(&object_, &value, &old, static_cast<int>(order));
    return old;
  }
  LOCKSTEP_INLINE T fetch_add(T value, HostOrder order) const {
    return __atomic_fetch_add(&object_, value, static_cast<int>(order));
  }
  LOCKSTEP_INLINE T fetch_and(T value, HostOrder order) const {
    return __atomic_fetch_and(&object_, value, static_cast<int>(order));
  }
  LOCKSTEP_INLINE T fetch_or(T value, HostOrder order) const {
    return __atomic_fetch_or(&object_, value, static_cast<int>(order));
  }
  LOCKSTEP_INLINE T fetch_xor(T value, HostOrder order) const {
    return __atomic_fetch_xor(&object_, value, static_cast<int>(order));
  }
  LOCKSTEP_INLINE bool compare_exchange_strong(T& expected, T value, HostOrder order) const {
    return __atomic_compare_exchange(&object_, &expected, &value, false, static_cast<int>(order),
                                     unequal(order));
  }
  LOCKSTEP_INLINE bool compare_exchange_weak(T& expected, T value, HostOrder order) const {
    return __atomic_compare_exchange(&object_, &expected, &value, true, static_cast<int>(order),
                                     unequal(order));
  }

 private:
  /// Where the values differ nothing is stored.
  LOCKSTEP_INLINE static int unequal(HostOrder order) {
    const bool acquires = order == HostOrder::acquire || order == HostOrder::acq_rel;
    return static_cast<int>(acquires ? HostOrder::acquire : HostOrder::relaxed);
  }

  T& object_;
};

/// The same for a single thread, without a locked instruction, which would also wait for every earlier store.
template <class T>
class SingleThreadRef {
 public:
  LOCKSTEP_INLINE explicit SingleThreadRef(T& object) : object_(object) {}

  LOCKSTEP_INLINE T load(HostOrder) const { return object_; }
  LOCKSTEP_INLINE void store(T value, HostOrder) const { object_ = value; }
  LOCKSTEP_INLINE T exchange(T value, HostOrder) const { return std::exchange(object_, value); }
  LOCKSTEP_INLINE T fetch_add(T value, HostOrder) const {
    return std::exchange(object_, scalar::add(object_, value));
  }
  LOCKSTEP_INLINE T fetch_and(T value, HostOrder) const {
    return std::exchange(object_, static_cast<T>(object_ & value));
  }
  LOCKSTEP_INLINE T fetch_or(T value, HostOrder) const {
    return std::exchange(object_, static_cast<T>(object_ | value));
  }
  LOCKSTEP_INLINE T fetch_xor(T value, HostOrder) const {
    return std::exchange(object_, static_cast<T>(object_ ^ value));
  }
  LOCKSTEP_INLINE bool compare_exchange_strong(T& expected, T value, HostOrder) const {
    const bool equal = same_bits(object_, expected);
    if (equal)
      object_ = value;
    else
      expected = object_;
    return equal;
  }
  LOCKSTEP_INLINE bool compare_exchange_weak(T& expected, T value, HostOrder order) const {
    return compare_exchange_strong(expected, value, order);
  }

 private:
  T& object_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
