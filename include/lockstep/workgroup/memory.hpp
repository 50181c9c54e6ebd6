#pragma once

#include <concepts>
#include <type_traits>

#include <lockstep/exec/state.hpp>
#include <lockstep/exec/used.hpp>
#include <lockstep/lanes/detail/element.hpp>
#include <lockstep/lanes/detail/masked_store.hpp>
#include <lockstep/lanes/detail/plain.hpp>
#include <lockstep/lanes/detail/prefix_counts.hpp>
#include <lockstep/lanes/lanes.hpp>
#include <lockstep/workgroup/location.hpp>

/// \file
/// Array accesses of lanes: buffers and shared memory look the same to a kernel.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// An array as a subgroup of W lanes sees it.
template <class T, int W>
struct View {
  T* data = nullptr;
  std::uint32_t size = 0;
  Binding binding = {};
  const Mask<W>* active_lanes = nullptr;
  Location* location = nullptr;

  LOCKSTEP_INLINE operator View<const T, W>() const {
    return {data, size, binding, active_lanes, location};
  }

  LOCKSTEP_INLINE Mask<W> active() const { return *active_lanes; }
  /// For atomics: whether no other thread uses it meanwhile.
  LOCKSTEP_INLINE bool only_thread() const {
    return location->only_thread || binding.is_of_one_thread();
  }
  /// The same array, for other lanes.
  LOCKSTEP_INLINE View of(const Mask<W>* lanes) const {
    return {data, size, binding, lanes, location};
  }

  /// A lane wants an element that does not exist.
  LOCKSTEP_INLINE void fault(AccessKind kind, std::uint32_t index, int lane,
                             SourceLocation where) const {
    note_outside(location, where, kind, binding, LaneAccess::Unit::element, index, size, lane);
  }
};

// The index of `array[index]` is converted to one of these, which finds out where it stands in the source:
// a default argument is the only way, and operators have none.

/// One index for each lane. It refers to the lanes: copied, they would leave registers.
template <class Uint>
struct LaneIndex {
  const Uint& lanes;
  SourceLocation where;

  template <std::derived_from<Uint> Index>
  LOCKSTEP_INLINE LaneIndex(const Index& index, const char* file = __builtin_FILE(),
                            int line = __builtin_LINE())
      : lanes(index), where{file, line} {}
};

/// One index for each lane, out of something that is not yet one: lanes of int, another element.
template <class Uint, class Int>
struct ConvertedIndex {
  Uint lanes;
  SourceLocation where;

  template <class Index>
  requires(!std::is_arithmetic_v<std::remove_cvref_t<Index>> &&
           !std::derived_from<std::remove_cvref_t<Index>, Uint> &&
           (std::convertible_to<Index, Uint> || std::convertible_to<Index, Int>)) LOCKSTEP_INLINE
      ConvertedIndex(Index&& index, const char* file = __builtin_FILE(),
                     int line = __builtin_LINE())
      : lanes(to_lanes(static_cast<Index&&>(index))), where{file, line} {}

 private:
  LOCKSTEP_INLINE static const Uint& to_lanes(const Uint& index) { return index; }
  /// A negative index is beyond any array.
  LOCKSTEP_INLINE static Uint to_lanes(const Int& index) { return Uint(index); }
};

/// A uniform index as the number of an element. One of 64 bits that no array has is beyond all of them, as is
/// a negative one.
template <std::integral Index>
LOCKSTEP_INLINE std::uint32_t element_number(Index index) {
  if constexpr (sizeof(Index) > 4) {
    if (static_cast<std::uint64_t>(index) > 0xffffffff) return 0xffffffff;
  }
  return static_cast<std::uint32_t>(index);
}

/// One index for all lanes, and where it stands in brackets.
struct UniformIndex {
  std::uint32_t value;
  SourceLocation where;

  template <std::integral Index>
  LOCKSTEP_INLINE UniformIndex(Index index, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE())
      : value(element_number(index)), where{file, line} {}
};

/// Whether the active lanes read base + lane, all of it inside the array, so that one vector access
/// suffices.
template <int W>
LOCKSTEP_INLINE bool is_consecutive(Mask<W> active, const Lanes<std::uint32_t, W>& index,
                                    std::uint32_t size) {
  using Uint = Lanes<std::uint32_t, W>;
  const std::uint32_t base = index.lane0();
  const Mask<W> in_step = (index == Uint(base) + Uint::iota()).mask();
  return !active.without(in_step).any_lane() && std::uint64_t{base} + W <= size;
}

/// Prefetches what later subgroups will read if the kernel walks through the array. Between two
/// loads of one array the whole kernel runs, which exceeds the core's out-of-order window.
template <int Bytes>
LOCKSTEP_INLINE void prefetch_ahead(const void* from) {
  constexpr std::uintptr_t distance = 4096;
  const auto ahead = reinterpret_cast<std::uintptr_t>(from) + distance;
  for (int line = 0; line < Bytes; line += 64) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): as a pointer it might not be one into the array
    __builtin_prefetch(reinterpret_cast<const void*>(ahead + static_cast<unsigned>(line)));
  }
}

template <class T, int W>
LOCKSTEP_INLINE Lanes<std::remove_const_t<T>, W> load(const View<T, W>& view,
                                                      const Lanes<std::uint32_t, W>& index,
                                                      SourceLocation where) {
  using Value = std::remove_const_t<T>;
  const Mask<W> active = view.active();
  if (is_consecutive(active, index, view.size)) {
    const Value* from = view.data + index.lane0();
    prefetch_ahead<W * sizeof(Value)>(from);
    return Lanes<Value, W>::load(from);
  }
  const InMemory<std::uint32_t, Lanes<std::uint32_t, W>::physical> at(index.packs());
  alignas(64) Value lane[Lanes<Value, W>::physical] = {};
  for_each_lane(active, [&](int i) {
    const std::uint32_t k = at.lane[i];
    if (k < view.size)
      lane[i] = view.data[k];
    else
      view.fault(AccessKind::read, k, i, where);
  });
  return Lanes<Value, W>(load_packs<Value, Lanes<Value, W>::physical>(lane));
}

/// index[lane] of a copy: lanes whose address is taken are in memory from the start.
template <class T, int W>
LOCKSTEP_INLINE T lane_of(Lanes<T, W> lanes, int lane) {
  return lanes[lane];
}

/// Whether the active lanes, from the lowest up, write consecutive elements, all of them inside the
/// array, as in every stream compaction.
template <int W>
LOCKSTEP_INLINE bool is_packed(Mask<W> active, const Lanes<std::uint32_t, W>& index,
                               std::uint32_t size) {
  using Uint = Lanes<std::uint32_t, W>;
  const std::uint32_t base = lane_of(index, active.first());
  const Mask<W> in_step = (index == Uint(base) + prefix_counts<false>(active)).mask();
  return !active.without(in_step).any_lane() &&
         std::uint64_t{base} + static_cast<unsigned>(active.count()) <= size;
}

template <class T, int W>
LOCKSTEP_INLINE void store(const View<T, W>& view, const Lanes<std::uint32_t, W>& index,
                           const Lanes<T, W>& value, SourceLocation where) {
  const Mask<W> active = view.active();
  if (is_consecutive(active, index, view.size)) {
    if (active.all_lanes())
      value.store(view.data + index.lane0());
    else
      store_masked(view.data + index.lane0(), active, value);
    return;
  }
  if (is_packed(active, index, view.size)) {
    store_packed(view.data + lane_of(index, active.first()), active, value);
    return;
  }
  const InMemory<std::uint32_t, Lanes<std::uint32_t, W>::physical> at(index.packs());
  const InMemory<T, Lanes<T, W>::physical> from(value.packs());
  for_each_lane(active, [&](int i) {
    const std::uint32_t k = at.lane[i];
    if (k < view.size)
      view.data[k] = from.lane[i];
    else
      view.fault(AccessKind::write, k, i, where);
  });
}

/// Bools of shared memory, which are masks in registers: one at a time.
template <class T, int W>
requires(std::same_as<std::remove_const_t<T>, bool>) Lanes<bool, W> load(
    const View<T, W>& view, const Lanes<std::uint32_t, W>& index, SourceLocation where) {
  Mask<W> found = Mask<W>::none();
  for_each_lane(view.active(), [&](int i) {
    const std::uint32_t k = index[i];
    if (k >= view.size)
      view.fault(AccessKind::read, k, i, where);
    else if (view.data[k])
      found = found | Mask<W>::lane(i);
  });
  return found;
}
template <int W>
void store(const View<bool, W>& view, const Lanes<std::uint32_t, W>& index,
           const Lanes<bool, W>& value, SourceLocation where) {
  for_each_lane(view.active(), [&](int i) {
    const std::uint32_t k = index[i];
    if (k < view.size)
      view.data[k] = value[i];
    else
      view.fault(AccessKind::write, k, i, where);
  });
}

/// A lane's value: of a value per lane, or of the same in all lanes.
template <class T, int W>
LOCKSTEP_INLINE T value_of_lane(const Lanes<T, W>& value, int lane) {
  return value[lane];
}
template <class T>
LOCKSTEP_INLINE T value_of_lane(T value, int) {
  return value;
}

/// The same element for all lanes is one access, which keeps the highest active lane's value.
template <class T, int W>
LOCKSTEP_INLINE Lanes<std::remove_const_t<T>, W> load(const View<T, W>& view, std::uint32_t index,
                                                      SourceLocation where) {
  using Value = std::remove_const_t<T>;
  if (index < view.size) return Lanes<Value, W>(static_cast<Value>(view.data[index]));
  if (view.active().any_lane()) view.fault(AccessKind::read, index, view.active().first(), where);
  return Lanes<Value, W>(Value(0));
}

template <class T, int W, class V>
LOCKSTEP_INLINE void store(const View<T, W>& view, std::uint32_t index, const V& value,
                           SourceLocation where) {
  const Mask<W> active = view.active();
  if (!active.any_lane()) return;
  if (index < view.size)
    view.data[index] = value_of_lane(value, active.last());
  else
    view.fault(AccessKind::write, index, active.first(), where);
}

/// Lane i's index, from a uniform index or one per lane.
template <int W>
LOCKSTEP_INLINE auto index_in_memory(const Lanes<std::uint32_t, W>& index) {
  return [at = InMemory<std::uint32_t, Lanes<std::uint32_t, W>::physical>(index.packs())](int i)
      __attribute__((always_inline)) {
    return at.lane[i];
  };
}
template <int W>
LOCKSTEP_INLINE auto index_in_memory(std::uint32_t index) {
  return [=](int) __attribute__((always_inline)) { return index; };
}

}  // namespace detail

/// One element of an array per lane: the type of `buffer[index]` in a kernel. Index is
/// Lanes<uint32_t, W>, or uint32_t for the same element in all lanes.
///
/// It is read when converted to Lanes, also by GLSL's functions and constructors, and written when
/// assigned to. It cannot be named: read it into a `const Uint` or a var().
///
/// Requires      None: a read beyond the array returns zero, and a write there is dropped; both are
///               faults.
/// Active lanes  Only active lanes access memory deliberately; where all lanes' elements exist, a
///               read may touch elements of inactive lanes, too. Inactive lanes get any value. Of
///               several lanes that write one element, the highest wins.
/// Errors        Faults, counted and reported by the dispatch.
/// Cost          One access for a uniform index; one vector access per register if the index is
///               base + lane, or for writes base + rank among the active lanes; otherwise one
///               access per lane.
/// Spec          GLSL buffer and shared variables · SPIR-V OpAccessChain, OpLoad, OpStore
/// Example       kernels/allocate
template <class L, class T, class Index>
class Element {
  using Value = std::remove_const_t<T>;

 public:
  static constexpr int width = L::width;
  using MemoryValue = L;
  static constexpr bool is_const = std::is_const_v<T>;
  static constexpr bool is_atomic_operand = true;

  LOCKSTEP_INLINE Element(const detail::View<T, width>& view, const Index& index,
                          SourceLocation where)
      : view_(view), index_(index), where_(where) {}
  Element(const Element&) = delete;

  /// Reads the element of each active lane.
  LOCKSTEP_INLINE operator L() && { return detail::load(view_, index_, where_); }
  LOCKSTEP_NAMED_ELEMENT operator L() const&;

  /// Does not compile: lanes may differ.
  template <std::same_as<bool> B>
  requires detail::BoolPerLane<L>
  explicit operator B() const { return detail::one_bool_of_lanes<B>(); }

  /// Writes each active lane's value to its element.
  LOCKSTEP_INLINE void operator=(const L& value) && requires(!std::is_const_v<T>) {
    detail::store(view_, index_, value, where_);
  }
  /// Writes the same value to the element of all lanes.
  template <std::same_as<Value> V>
      LOCKSTEP_INLINE void operator=(V value) && requires(!std::is_const_v<T>) {
    if constexpr (is_uniform)
      detail::store(view_, index_, value, where_);
    else
      detail::store(view_, index_, L(value), where_);
  }
  /// Reads the other element, then writes.
  LOCKSTEP_INLINE void operator=(Element&& other) && requires(!std::is_const_v<T>) {
    detail::store(view_, index_, L(static_cast<Element&&>(other)), where_);
  }
  LOCKSTEP_NAMED_ELEMENT void operator=(const Element&) &&;
  LOCKSTEP_ELEMENT_ASSIGNMENTS(L, !std::is_const_v<T>)

  /// The array.
  LOCKSTEP_INLINE const detail::View<T, width>& view() const { return view_; }
  /// Each lane's index, or the uniform one.
  LOCKSTEP_INLINE const Index& index() const { return index_; }
  /// Where it stands in the source; only findings look at it.
  LOCKSTEP_INLINE SourceLocation where() const { return where_; }
  /// For atomics: the lanes that take part.
  LOCKSTEP_INLINE Mask<width> active() const { return view_.active(); }
  /// For compound assignments: the value before.
  LOCKSTEP_INLINE L read_to_change() const { return detail::load(view_, index_, where_); }
  /// For atomics: whether no other thread uses the array.
  LOCKSTEP_INLINE bool only_thread() const { return view_.only_thread(); }
  /// For atomics: f(target), where target(i, use) gives use(lane i's element); where there is none, 0
  /// and a fault.
  template <class F>
  LOCKSTEP_INLINE auto with_targets(F f) const {
    const auto index_of = detail::index_in_memory<width>(index_);
    return f([&](int lane, auto use) __attribute__((always_inline)) {
      const std::uint32_t k = index_of(lane);
      if (k < view_.size) return use(view_.data[k]);
      view_.fault(AccessKind::atomic, k, lane, where_);
      return std::remove_const_t<T>(0);
    });
  }

 private:
  static constexpr bool is_uniform = std::integral<Index>;
  // Copied lanes would leave registers, so they are referred to; they live as long as the element, to the end
  // of the full expression. Above 64 lanes they do not fit registers anyway.
  static constexpr bool is_copied = is_uniform || L::physical > 64;

  detail::View<T, width> view_;
  std::conditional_t<is_copied, Index, const Index&> index_;
  SourceLocation where_;
};

/// An array in a kernel: `a[index]` with one index per lane, or a uniform one.
///
/// Requires      None.
/// Active lanes  As Element.
/// Errors        As Element.
/// Cost          As Element.
/// Spec          GLSL runtime-sized array of a buffer block, shared array · SPIR-V
///               OpTypeRuntimeArray
/// Example       kernels/allocate
template <class T, int W>
class Array {
 public:
  using Value = std::remove_const_t<T>;
  using L = Lanes<Value, W>;
  using Uint = Lanes<std::uint32_t, W>;

  LOCKSTEP_INLINE explicit Array(const detail::View<T, W>& view) : view_(view) {}
  Array(const Array&) = default;
  /// An array to read from, made from one to write to.
  LOCKSTEP_INLINE Array(const Array<Value, W>& writable) requires std::is_const_v<T>
      : view_(writable.view_) {}

  /// Each lane's element.
  LOCKSTEP_INLINE Element<L, T, Uint> operator[](const detail::LaneIndex<Uint>& index) const {
    return {view_, index.lanes, index.where};
  }
  /// Each lane's element; a negative index is out of bounds.
  LOCKSTEP_INLINE Element<L, T, Uint> operator[](
      const detail::ConvertedIndex<Uint, Lanes<std::int32_t, W>>& index) const {
    return {view_, index.lanes, index.where};
  }
  /// The same element for all lanes.
  LOCKSTEP_INLINE Element<L, T, std::uint32_t> operator[](const detail::UniformIndex& index) const {
    return {view_, index.value, index.where};
  }
  /// GLSL's length() of a runtime-sized array.
  LOCKSTEP_INLINE std::uint32_t length() const { return view_.size; }
  /// The array as the subgroup sees it.
  LOCKSTEP_INLINE const detail::View<T, W>& view() const { return view_; }
  /// Nothing: what places (workgroup/place.hpp) need besides the view.
  LOCKSTEP_INLINE exec::State<W>* context() const { return nullptr; }

 private:
  template <class U, int V>
  friend class Array;

  detail::View<T, W> view_;
};

namespace detail {

/// The plain numbers of a value that an element or place is about to store, or that selects a part of
/// it: as exec::used.
template <class To, class V>
LOCKSTEP_INLINE decltype(auto) plain_for(const To& to, const V& value, UseKind use) {
  using exec::used;
  return used(to, value, SourceLocation(), use);
}

/// A value as a place stores it: itself. Machines with numbers of their own overload `stored`.
template <class To, class V>
LOCKSTEP_INLINE const V& stored(const To&, const V& value) {
  return value;
}
template <class To, class V>
LOCKSTEP_INLINE decltype(auto) to_store(const To& to, const V& value) {
  return stored(to, value);
}

/// The array that kernels with this state see; machines with other arrays overload it.
template <class T, int W>
LOCKSTEP_INLINE Array<T, W> make_array(const exec::State<W>&, const View<T, W>& view) {
  return Array<T, W>(view);
}

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
