#pragma once

#include <concepts>
#include <cstdint>

#include <lockstep/exec/machine.hpp>
#include <lockstep/workgroup/atomics.hpp>
#include <lockstep/workgroup/traced_memory.hpp>

#define LOCKSTEP_ONLY_SUMMED                                                                      \
  __attribute__((unavailable(                                                                     \
      "a kernel only adds to a Summed, by atomicAdd(array[i], value); for anything else make it " \
      "a Buffer")))

namespace lockstep::inline LOCKSTEP_ABI {

template <class T, class S>
class Summed;

namespace detail {

/// What no other member of a kernel takes: to find out which ones are.
struct SummedAlone {
  template <class T, class S>
  operator Summed<T, S>() const;
};

/// The same array in other memory.
template <class A, class T, int W>
LOCKSTEP_INLINE A array_in(const A& array, const View<T, W>& view) {
  if constexpr (requires { A(view, array.context()); })
    return A(view, array.context());
  else
    return A(view);
}

/// In place of an atomic's result, for which no value stands.
template <class Value>
struct NoResultOf {
  LOCKSTEP_ONLY_SUMMED operator Value() const;
};

}  // namespace detail

/// One element of a Summed per lane: the type of `totals[index]` in a kernel. E is that of a Buffer.
///
/// Requires      Used as a temporary, the first operand of atomicAdd.
/// Active lanes  As Element.
/// Errors        As Element.
/// Cost          As Summed.
/// Spec          GLSL atomicAdd
/// Example       kernels/butterfly
template <class E>
class SummedElement {
  using Value = typename E::MemoryValue;

 public:
  template <class A, class Index>
  LOCKSTEP_INLINE SummedElement(const A& array, const Index& index) : element_(array[index]) {}
  SummedElement(const SummedElement&) = delete;

  /// Adds each active lane's value to its element.
  LOCKSTEP_INLINE friend detail::NoResultOf<Value> atomicAdd(SummedElement&& to,
                                                             const Value& value) {
    detail::atomic<detail::AtomicAdd>(to.element_, value);
    return {};
  }
  /// The same value of all lanes.
  template <std::same_as<detail::NumberOf<E>> T>
  LOCKSTEP_INLINE friend detail::NoResultOf<Value> atomicAdd(SummedElement&& to, T value) {
    detail::atomic<detail::AtomicAdd>(to.element_, value);
    return {};
  }

  LOCKSTEP_ONLY_SUMMED operator Value() const;
  template <class V>
  LOCKSTEP_ONLY_SUMMED void operator=(const V&) const;
#define LOCKSTEP_NOT_SUMMED(name) \
  template <class... V>           \
  LOCKSTEP_ONLY_SUMMED friend void name(SummedElement&&, const V&...);
  LOCKSTEP_NOT_SUMMED(atomicExchange)
  LOCKSTEP_NOT_SUMMED(atomicMin)
  LOCKSTEP_NOT_SUMMED(atomicMax)
  LOCKSTEP_NOT_SUMMED(atomicAnd)
  LOCKSTEP_NOT_SUMMED(atomicOr)
  LOCKSTEP_NOT_SUMMED(atomicXor)
  LOCKSTEP_NOT_SUMMED(atomicCompSwap)
  LOCKSTEP_NOT_SUMMED(atomicLoad)
  LOCKSTEP_NOT_SUMMED(atomicStore)
#undef LOCKSTEP_NOT_SUMMED

 private:
  E element_;
};

/// An array of integers that a kernel only adds to: `Summed<uint> totals;` in place of `Buffer<uint>`, and
/// `atomicAdd(totals[i], value);`, whose result cannot be used. Threads need not wait for each other: each sums up
/// what it adds, and adds its sums to the array when it has finished. The array's values are the same.
///
/// Requires      int, uint, int64_t or uint64_t; with floats a sum would depend on the threads. During the dispatch
///               nothing else reads or writes the array.
/// Active lanes  As Element.
/// Errors        As Element. Reading and writing it, other atomics, and using the result of atomicAdd do not compile.
///               dispatch throws Error if another of its arguments is the same array.
/// Cost          An addition without lock, and for each range of workgroups that a thread takes, an atomic for each
///               element that is not 0. Arrays of more than 16 KiB: as Element's atomics.
/// Spec          GLSL atomicAdd · SPIR-V OpAtomicIAdd, Relaxed
/// Example       kernels/butterfly
template <class T, class S>
class Summed {
  static_assert(
      detail::is_atomic_integer<T>,
      "a Summed adds int, uint, int64_t or uint64_t: with floats, sums depend on the order");
  static constexpr int W = S::width;
  using Array = ArrayOn<S, T>;

 public:
  /// For the dispatch: of its argument.
  LOCKSTEP_INLINE explicit(false) Summed(const Array& array)
      : array_(detail::array_in(array, of_this_thread(array.view()))) {}

  /// Each lane's element.
  LOCKSTEP_INLINE auto operator[](const detail::LaneIndex<ValueOn<S, std::uint32_t>>& index) const
      requires(!detail::takes_traced_index<S>) {
    return at(index);
  }
  /// Each lane's element; a negative index is out of bounds.
  LOCKSTEP_INLINE auto operator[](
      const detail::ConvertedIndex<ValueOn<S, std::uint32_t>, ValueOn<S, std::int32_t>>& index)
      const requires(!detail::takes_traced_index<S>) {
    return at(index);
  }
  /// The same element for all lanes.
  LOCKSTEP_INLINE auto operator[](const detail::UniformIndex& index) const
      requires(!detail::takes_traced_index<S>) {
    return at(index);
  }
  auto operator[](const detail::TracedIndex<W>& index) const
      requires(detail::takes_traced_index<S>) {
    return at(index);
  }
  /// GLSL's length() of a runtime-sized array.
  LOCKSTEP_INLINE std::uint32_t length() const { return array_.length(); }

 private:
  LOCKSTEP_INLINE static detail::View<T, W> of_this_thread(detail::View<T, W> view) {
    void* const own = view.location->sums.in_place_of(view.data);
    if (own != nullptr) {
      view.data = static_cast<T*>(own);
      view.binding = view.binding.of_one_thread();
    }
    return view;
  }
  template <class Index>
  LOCKSTEP_INLINE auto at(const Index& index) const {
    return SummedElement<decltype(array_[index])>(array_, index);
  }

  Array array_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI

#undef LOCKSTEP_ONLY_SUMMED
