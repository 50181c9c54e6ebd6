#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include <lockstep/lanes/detail/interleave.hpp>
#include <lockstep/workgroup/traced_memory.hpp>

/// \file
/// The place of each lane's element in an array whose elements are larger than a number, and access
/// to numbers inside elements.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

// Accesses of one lane at a time are out of line on purpose: inlined for each component they took most
// of a kernel's compile time. They take the mask by value, so that it stays in a register outside.

template <class Byte>
LOCKSTEP_INLINE Byte* moved(Byte* at, std::size_t bytes) {
  return at == nullptr ? at : at + bytes;
}

/// One address for all lanes; null where there is no element.
template <class Byte, int W>
struct OneAddress {
  Byte* at;
  Mask<W> active;

  template <class T, int N, std::uint32_t Offset>
  static constexpr bool stores_whole = false;

  LOCKSTEP_INLINE Byte* of(int) const { return at; }
  LOCKSTEP_INLINE OneAddress plus(std::uint32_t bytes) const { return {moved(at, bytes), active}; }

  template <class T, std::uint32_t Offset>
  LOCKSTEP_INLINE Lanes<T, W> load() const {
    T value(0);
    if (at != nullptr) std::memcpy(&value, at + Offset, sizeof(T));
    return value;
  }
  /// Keeps the highest active lane's value.
  template <class T, std::uint32_t Offset>
  LOCKSTEP_INLINE void store(const Lanes<T, W>& value) const {
    if (at == nullptr || !active.any_lane()) return;
    const T last = value[active.last()];
    std::memcpy(at + Offset, &last, sizeof(T));
  }
};

/// Lane i's address is Stride * i after the first, and all of them exist. Whole: as many bytes
/// exist after the last one.
template <class Byte, int W, std::uint32_t Stride, bool Whole = true>
struct AddressRow {
  Byte* first;
  Mask<W> active;

  /// Whether the elements consist of numbers of this size, and whole registers can load them.
  template <class T, std::uint32_t Offset>
  static constexpr bool is_grouped = [] {
    constexpr auto size = static_cast<std::uint32_t>(sizeof(T));
    if constexpr (Whole && W == Lanes<T, W>::physical && Stride % size == 0 && Offset % size == 0)
      return can_interleave<T, W, static_cast<int>(Stride / size)>;
    else
      return false;
  }();
  /// Whether N numbers of T make up the whole element.
  template <class T, int N, std::uint32_t Offset>
  static constexpr bool stores_whole = is_grouped<T, Offset>&& Stride == N * sizeof(T) && N != 3;

  LOCKSTEP_INLINE Byte* of(int i) const { return first + static_cast<std::size_t>(i) * Stride; }
  LOCKSTEP_INLINE AddressRow<Byte, W, Stride, false> plus(std::uint32_t bytes) const {
    return {first + bytes, active};
  }

  template <class T, std::uint32_t Offset>
  LOCKSTEP_INLINE Lanes<T, W> load() const {
    if constexpr (is_grouped<T, Offset>) {
      constexpr int group = static_cast<int>(Stride / sizeof(T));
      return Lanes<T, W>(load_of_groups<T, W, group, static_cast<int>(Offset / sizeof(T))>(
          reinterpret_cast<const T*>(first)));
    } else {
      return load_each<T>(Offset);
    }
  }
  template <class T, std::uint32_t Offset>
  LOCKSTEP_INLINE void store(const Lanes<T, W>& value) const {
    store_each<T>(Offset, value);
  }
  /// Writes all numbers of the elements at once.
  template <class T, class... More>
  LOCKSTEP_INLINE void store_all(const Lanes<T, W>& x, const More&... more) const {
    store_groups(reinterpret_cast<T*>(first), x.packs(), more.packs()...);
  }

 private:
  template <class T>
  [[gnu::noinline]] Lanes<T, W> load_each(std::uint32_t offset) const {
    alignas(64) T lane[Lanes<T, W>::physical] = {};
    for (int i = 0; i < W; ++i) std::memcpy(&lane[i], of(i) + offset, sizeof(T));
    return Lanes<T, W>(load_packs<T, Lanes<T, W>::physical>(lane));
  }
  template <class T>
  [[gnu::noinline]] void store_each(std::uint32_t offset, const Lanes<T, W>& value) const {
    const InMemory<T, Lanes<T, W>::physical> from(value.packs());
    if (active.all_lanes()) {
      for (int i = 0; i < W; ++i) std::memcpy(of(i) + offset, &from.lane[i], sizeof(T));
    } else {
      for_each_lane(active, [&](int i) { std::memcpy(of(i) + offset, &from.lane[i], sizeof(T)); });
    }
  }
};

/// One address per lane; null in lanes that are inactive or have no element.
///
template <class Byte, int W>
struct AddressPerLane {
  Byte* at[W] = {};
  Mask<W> active;

  explicit AddressPerLane(Mask<W> lanes) : active(lanes) {}

  template <class T, int N, std::uint32_t Offset>
  static constexpr bool stores_whole = false;

  LOCKSTEP_INLINE Byte* of(int i) const { return at[i]; }
  [[gnu::noinline]] AddressPerLane plus(std::uint32_t bytes) const {
    AddressPerLane result(active);
    for_each_lane(active, [&](int i) { result.at[i] = moved(at[i], bytes); });
    return result;
  }

  template <class T, std::uint32_t Offset>
  LOCKSTEP_INLINE Lanes<T, W> load() const {
    return load_each<T>(Offset);
  }
  template <class T, std::uint32_t Offset>
  LOCKSTEP_INLINE void store(const Lanes<T, W>& value) const {
    store_each<T>(Offset, value);
  }

 private:
  template <class T>
  [[gnu::noinline]] Lanes<T, W> load_each(std::uint32_t offset) const {
    alignas(64) T lane[Lanes<T, W>::physical] = {};
    for_each_lane(active, [&](int i) {
      if (at[i] != nullptr) std::memcpy(&lane[i], at[i] + offset, sizeof(T));
    });
    return Lanes<T, W>(load_packs<T, Lanes<T, W>::physical>(lane));
  }
  template <class T>
  [[gnu::noinline]] void store_each(std::uint32_t offset, const Lanes<T, W>& value) const {
    const InMemory<T, Lanes<T, W>::physical> from(value.packs());
    for_each_lane(active, [&](int i) {
      if (at[i] != nullptr) std::memcpy(at[i] + offset, &from.lane[i], sizeof(T));
    });
  }
};

/// The addresses of the active lanes' elements of this size; records a fault for missing ones.
template <class Byte, int W>
[[gnu::noinline]] AddressPerLane<Byte, W> addresses_of(View<Byte, W> view, Mask<W> active,
                                                       std::uint32_t stride,
                                                       const Lanes<std::uint32_t, W>& index,
                                                       AccessKind kind, SourceLocation where) {
  AddressPerLane<Byte, W> result(active);
  const InMemory<std::uint32_t, Lanes<std::uint32_t, W>::physical> each(index.packs());
  for_each_lane(active, [&](int i) {
    const std::uint32_t k = each.lane[i];
    if (k < view.size)
      result.at[i] = view.data + std::size_t{k} * stride;
    else
      view.fault(kind, k, i, where);
  });
  return result;
}

/// A view that does not point to the mask, for calls: the exec state must not escape.
template <class Byte, int W>
LOCKSTEP_INLINE View<Byte, W> without_mask(const View<Byte, W>& view) {
  return {view.data, view.size, view.binding, nullptr, view.location};
}

}  // namespace detail

/// Each lane's element in an array of elements of Stride bytes. Index is Lanes<uint32_t, W>, or
/// uint32_t for the same element in all lanes. Byte is std::byte, or const if read-only.
///
/// Requires      The array's size is in elements.
/// Active lanes  Only active lanes matter; inactive lanes have no address, or an existing one.
/// Errors        An element beyond the array has no address and is a fault.
/// Cost          Two compares determine whether the elements are consecutive; then there is one
///               base address and no check of each index.
/// Spec          SPIR-V OpAccessChain
/// Example       tests/workgroup/place.cpp
template <class Byte, int W, std::uint32_t Stride, class Index>
struct Place {
  using Numbers = PlainNumbers;
  static constexpr int width = W;
  static constexpr bool is_const = std::is_const_v<Byte>;
  static constexpr bool traced = false;

  detail::View<Byte, W> view;
  Index index;
  SourceLocation where = {};

  /// The lanes that access it.
  LOCKSTEP_INLINE Mask<W> active() const { return view.active(); }
  /// Whether the dispatch runs on one thread, so that atomics need no lock.
  LOCKSTEP_INLINE bool only_thread() const { return view.only_thread(); }

  /// Where lane i's element starts, as in Access::byte.
  std::uint64_t byte_of(int i) const {
    if constexpr (std::integral<Index>)
      return detail::byte_of_element(index, view.size, Stride);
    else
      return detail::byte_of_element(index[i], view.size, Stride);
  }
  /// Lane i's element, or null and a fault.
  LOCKSTEP_INLINE Byte* at(int i, AccessKind kind) const {
    std::uint32_t k;
    if constexpr (std::integral<Index>)
      k = index;
    else
      k = index[i];
    if (k < view.size) return view.data + std::size_t{k} * Stride;
    view.fault(kind, k, i, where);
    return nullptr;
  }

  /// For places inside this one: records a fault in an array of `size` elements.
  LOCKSTEP_INLINE void fault(AccessKind kind, std::uint32_t k, std::uint32_t size, int i) const {
    detail::note_outside(view.location, where, kind, view.binding, LaneAccess::Unit::inner_element,
                         k, size, i);
  }

  /// f(addresses), one of detail's three kinds.
  template <class F>
  LOCKSTEP_INLINE auto access(AccessKind kind, F f) const {
    const Mask<W> lanes = active();
    if constexpr (std::integral<Index>) {
      Byte* const one = index < view.size || lanes.any_lane() ? at(lanes.first(), kind) : nullptr;
      return f(detail::OneAddress<Byte, W>{one, lanes});
    } else {
      if (detail::is_consecutive(lanes, index, view.size)) {
        return f(detail::AddressRow<Byte, W, Stride>{
            view.data + std::size_t{index.lane0()} * Stride, lanes});
      }
      return f(detail::addresses_of(detail::without_mask(view), lanes, Stride, index, kind, where));
    }
  }
};

/// As Place, in kernels that run on pixels: helpers only read.
///
/// Requires      As Place.
/// Active lanes  As Place; lanes that are not `covered` are helpers. active() are the writing lanes.
/// Errors        As Place; a write that a helper does not make is not a fault.
/// Cost          As Place.
/// Spec          Vulkan "Fragment Shader Execution": helper invocations
/// Example       tests/workgroup/place.cpp
template <class Byte, int W, std::uint32_t Stride, class Index>
struct CoveredPlace {
  using Numbers = PlainNumbers;
  static constexpr int width = W;
  static constexpr bool is_const = std::is_const_v<Byte>;
  static constexpr bool traced = false;

  Place<Byte, W, Stride, Index> all;
  const Mask<W>* covered;
  bool helpers_read = true;

  LOCKSTEP_INLINE Mask<W> active() const { return all.active() & *covered; }
  LOCKSTEP_INLINE bool only_thread() const { return all.only_thread(); }
  /// The same place without reads by helpers, for reads that start a write.
  LOCKSTEP_INLINE CoveredPlace without_helpers() const { return {all, covered, false}; }

  /// As Place.
  LOCKSTEP_INLINE Byte* at(int i, AccessKind kind) const { return all.at(i, kind); }
  /// As Place.
  LOCKSTEP_INLINE void fault(AccessKind kind, std::uint32_t k, std::uint32_t size, int i) const {
    all.fault(kind, k, size, i);
  }
  /// As Place.
  template <class F>
  LOCKSTEP_INLINE auto access(AccessKind kind, F f) const {
    const Mask<W> taking_part = kind != AccessKind::read || !helpers_read ? active() : all.active();
    return Place<Byte, W, Stride, Index>{all.view.of(&taking_part), all.index, all.where}.access(
        kind, f);
  }
};

/// As Place, on pixels as CoveredPlace, on a machine with an observer.
///
/// Requires      As Place.
/// Active lanes  As Place and CoveredPlace.
/// Errors        As Place.
/// Cost          Made for inspection, not for speed.
/// Spec          As Place.
/// Example       tests/workgroup/place.cpp
template <class Byte, int W, std::uint32_t Stride>
struct TracedPlace {
  using Numbers = PlainNumbers;
  static constexpr int width = W;
  static constexpr bool is_const = std::is_const_v<Byte>;
  static constexpr bool traced = true;

  detail::View<Byte, W> view;
  detail::TracedIndex<W> index;
  exec::TangledState<W>* state;
  bool helpers_read = true;

  Mask<W> active() const { return view.active() & state->covered; }
  bool only_thread() const { return view.only_thread(); }
  /// As CoveredPlace.
  TracedPlace without_helpers() const { return {view, index, state, false}; }

  /// As Place.
  Byte* at(int i, AccessKind kind) const {
    return Place<Byte, W, Stride, Lanes<std::uint32_t, W>>{view, index.lanes, index.where}.at(i,
                                                                                              kind);
  }
  /// For places inside this one: records a fault in an array of `size` elements.
  LOCKSTEP_INLINE void fault(AccessKind kind, std::uint32_t k, std::uint32_t size, int i) const {
    detail::note_outside(view.location, index.where, kind, view.binding,
                         LaneAccess::Unit::inner_element, k, size, i);
  }

  /// As Place.
  template <class F>
  auto access(AccessKind kind, F f) const {
    exec::let_others_run(*state, index.where);
    const Mask<W> lanes = taking_part(kind);
    if (index.uniform) {
      return Place<Byte, W, Stride, std::uint32_t>{view.of(&lanes), index.lanes.lane0(),
                                                   index.where}
          .access(kind, f);
    }
    return f(detail::addresses_of(view, lanes, Stride, index.lanes, kind, index.where));
  }
  /// Where lane i's element starts, as in Access::byte.
  std::uint64_t byte_of(int i) const {
    return detail::byte_of_element(index.lanes[i], view.size, Stride);
  }
  /// These numbers of each element, where byte_of(i) is where lane i's place starts: as observers see them.
  template <class F>
  Access access_of(const detail::TouchedNumbers& numbers, F byte) const {
    return detail::access_of(view, numbers, Stride, byte);
  }
  /// For atomics: what happens before.
  detail::AtomicChoice before_atomic() const { return detail::before_atomic(*state, index.where); }
  /// Reports an access to the element or a part of it to the observers: what `access` and `values` compute.
  template <class MakeAccess, class MakeValues>
  void tell(AccessKind kind, const MakeAccess& access, const MakeValues& values) const {
    detail::tell_access(*state, kind, index.where, taking_part(kind), access, values);
  }

 private:
  Mask<W> taking_part(AccessKind kind) const {
    return kind != AccessKind::read || !helpers_read ? active() : view.active();
  }
};

namespace detail {

/// The place of each lane's element in a kernel, from the array's context(); machines with other
/// places overload it.
template <class Byte, int W, class Index, std::uint32_t Stride>
LOCKSTEP_INLINE Place<Byte, W, Stride, Index> make_place(
    const exec::State<W>*, const View<Byte, W>& view, const Index& index, SourceLocation where,
    std::integral_constant<std::uint32_t, Stride>) {
  return {view, index, where};
}
template <class Byte, int W, class Index, std::uint32_t Stride>
LOCKSTEP_INLINE CoveredPlace<Byte, W, Stride, Index> make_place(
    const Mask<W>* covered, const View<Byte, W>& view, const Index& index, SourceLocation where,
    std::integral_constant<std::uint32_t, Stride>) {
  return {{view, index, where}, covered};
}

}  // namespace detail

/// Inside the element at Outer: each lane's element of an array of Length elements of Stride bytes
/// that starts Offset bytes into it.
///
/// Requires      None.
/// Active lanes  As Place.
/// Errors        As Place; the fault's index and size refer to the inner array.
/// Cost          As Place if the inner index is uniform.
/// Spec          SPIR-V OpAccessChain
/// Example       tests/workgroup/place.cpp
template <class Outer, std::uint32_t Offset, std::uint32_t Stride, std::uint32_t Length,
          class Index>
struct InnerPlace {
  using Numbers = typename Outer::Numbers;
  static constexpr int width = Outer::width;
  static constexpr bool is_const = Outer::is_const;
  static constexpr bool traced = Outer::traced;

  Outer outer;
  Index index;

  LOCKSTEP_INLINE auto active() const { return outer.active(); }
  LOCKSTEP_INLINE bool only_thread() const { return outer.only_thread(); }
  /// As CoveredPlace, if the outer place is one.
  LOCKSTEP_INLINE InnerPlace without_helpers() const requires requires(const Outer& o) {
    o.without_helpers();
  }
  { return {outer.without_helpers(), index}; }

  LOCKSTEP_INLINE auto at(int i, AccessKind kind) const {
    return inside(outer.at(i, kind), i, kind);
  }
  template <class F>
  LOCKSTEP_INLINE auto access(AccessKind kind, F f) const {
    return outer.access(
        kind, [&](const auto& addresses) __attribute__((always_inline)) {
          if constexpr (std::integral<Index>) {
            if (index < Length) return f(addresses.plus(Offset + index * Stride));
          }
          using Byte = std::remove_pointer_t<decltype(addresses.of(0))>;
          detail::AddressPerLane<Byte, width> inner(addresses.active);
          for_each_lane(addresses.active,
                        [&](int i) { inner.at[i] = inside(addresses.of(i), i, kind); });
          if constexpr (requires { addresses.with(inner); })
            return f(addresses.with(inner));
          else
            return f(inner);
        });
  }
  /// As Place.
  std::uint64_t byte_of(int i) const {
    std::uint32_t k;
    if constexpr (std::integral<Index>)
      k = index;
    else
      k = index[i];
    const std::uint64_t element = outer.byte_of(i);
    if (element == Access::outside || k >= Length) return Access::outside;
    return element + Offset + std::uint64_t{k} * Stride;
  }
  template <class F>
  Access access_of(const detail::TouchedNumbers& numbers, F byte) const requires traced {
    return outer.access_of(numbers, byte);
  }
  template <class MakeAccess, class MakeValues>
  void tell(AccessKind kind, const MakeAccess& access,
            const MakeValues& values) const requires traced {
    outer.tell(kind, access, values);
  }

  detail::AtomicChoice before_atomic() const requires traced { return outer.before_atomic(); }

  /// For places inside this one: records a fault in an array of `size` elements.
  LOCKSTEP_INLINE void fault(AccessKind kind, std::uint32_t k, std::uint32_t size, int i) const {
    outer.fault(kind, k, size, i);
  }

 private:
  template <class Byte>
  LOCKSTEP_INLINE Byte* inside(Byte* element, int i, AccessKind kind) const {
    if (element == nullptr) return nullptr;
    std::uint32_t k;
    if constexpr (std::integral<Index>)
      k = index;
    else
      k = index[i];
    if (k < Length) return element + (Offset + std::size_t{k} * Stride);
    fault(kind, k, Length, i);
    return nullptr;
  }
};

}  // namespace lockstep::inline LOCKSTEP_ABI
