#pragma once

#include <string_view>
#include <utility>

#include <lockstep/exec/lane_values.hpp>
#include <lockstep/exec/machine.hpp>
#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/tell.hpp>
#include <lockstep/workgroup/atomics.hpp>
#include <lockstep/workgroup/pixel_memory.hpp>

/// \file
/// Arrays on a machine with observers: as workgroup/memory.hpp, and each access is reported.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// Each lane's index, whether it is uniform, and the source location of the
/// brackets.
template <int W>
struct TracedIndex {
  Lanes<std::uint32_t, W> lanes;
  bool uniform;
  SourceLocation where;

  template <class Index>
  requires(!std::same_as<std::remove_cvref_t<Index>, TracedIndex>)
      TracedIndex(Index&& index, SourceLocation place = SourceLocation::current())
      : lanes(to_lanes(std::forward<Index>(index))),
        uniform(std::is_integral_v<std::remove_cvref_t<Index>>),
        where(place) {}

 private:
  static Lanes<std::uint32_t, W> to_lanes(const Lanes<std::uint32_t, W>& index) { return index; }
  static Lanes<std::uint32_t, W> to_lanes(const Lanes<std::int32_t, W>& index) {
    return Lanes<std::uint32_t, W>(index);
  }
  template <std::integral Index>
  static Lanes<std::uint32_t, W> to_lanes(Index index) {
    return Lanes<std::uint32_t, W>(element_number(index));
  }
};

/// Whether arrays on machine S take such an index. Machines with numbers of their own take indices of those.
template <class S>
inline constexpr bool takes_traced_index =
    S::tangled&& std::same_as<typename S::Numbers, PlainNumbers>;

/// The numbers of one lane that an access touches, from the start of its element.
struct TouchedNumbers {
  std::uint32_t offset = 0;  ///< bytes to the first
  std::uint32_t bytes = 4;   ///< of each
  std::uint32_t count = 1;

  /// One T; a bool in shared memory takes four bytes, as in shaders.
  template <class T>
  static constexpr TouchedNumbers one(std::uint32_t offset = 0) {
    return several<T>(1, offset);
  }
  template <class T>
  static constexpr TouchedNumbers several(std::uint32_t count, std::uint32_t offset = 0) {
    return {offset, std::same_as<std::remove_const_t<T>, bool> ? 4 : sizeof(T), count};
  }
};

/// Where the lanes go in the view's object, an array with this stride: byte_of(i) is where lane i's element starts.
template <class T, int W, class F>
Access access_of(const View<T, W>& view, const TouchedNumbers& numbers, std::uint32_t stride,
                 F byte_of) {
  Access access;
  access.object = view.binding.object();
  access.object.stride = stride;
  access.data = reinterpret_cast<const std::byte*>(view.data);
  access.bytes = numbers.bytes;
  access.count = numbers.count;
  access.step = numbers.count > 1 ? numbers.bytes : 0;
  access.byte.reserve(W);
  for (int i = 0; i < W; ++i) {
    const std::uint64_t byte = byte_of(i);
    access.byte.push_back(byte == Access::outside ? byte : byte + numbers.offset);
  }
  return access;
}

inline void set_order(Access& access, const AtomicOrder& order) {
  access.order = order.order;
  access.unequal = order.unequal;
}

/// What an atomic took and gave, for observers.
template <int W, class Result, class... Operands>
AccessValues atomic_values(std::string_view name, const Result& result,
                           const Operands&... operands) {
  AccessValues values{name, {exec::to_lane_values<W>(operands)...}};
  if constexpr (!std::same_as<Result, NoResult>) values.result = exec::to_lane_values<W>(result);
  return values;
}

/// Reports an access by these lanes. `access` and `values` compute what observers ask for.
template <int W, class MakeAccess, class MakeValues>
void tell_access(exec::TangledState<W>& state, AccessKind kind, SourceLocation where, Mask<W> lanes,
                 const MakeAccess& access, const MakeValues& values) {
  exec::settle(state);
  if (!state.stack->asks(kind_of(kind)) || !lanes.any_lane()) return;
  lockstep::tell_access(*state.stack, kind, where, to_lane_set(lanes), access(),
                        state.stack->asks_values(kind) ? values() : AccessValues());
}

/// Before an atomic: another subgroup may run first; then, who decides the order of its lanes.
template <int W>
AtomicChoice before_atomic(exec::TangledState<W>& state, SourceLocation where) {
  exec::let_others_run(state, where);
  Chooser* const chooser = state.stack->convergence->chooser;
  return {chooser != nullptr && chooser->asks(Choice::atomic_order) ? chooser : nullptr, where};
}

/// Where lane i's element of an array starts.
inline std::uint64_t byte_of_element(std::uint32_t index, std::uint32_t size,
                                     std::uint32_t stride) {
  return index < size ? std::uint64_t{index} * stride : Access::outside;
}

}  // namespace detail

/// One element of a traced array per lane: as Element, on pixels as PixelElement, and each access
/// is reported to the observers.
template <class L, class T>
class TracedElement : public Element<L, T, Lanes<std::uint32_t, L::width>> {
  static constexpr int W = L::width;
  using Untraced = Element<L, T, Lanes<std::uint32_t, W>>;

 public:
  TracedElement(const detail::View<T, W>& view, const detail::TracedIndex<W>& index,
                exec::TangledState<W>& state)
      : Untraced(view, index.lanes, index.where), where_(index), state_(state) {}

  /// Reads the element of each active lane.
  operator L() && { return load(this->view()); }
  LOCKSTEP_NAMED_ELEMENT operator L() const&;
  /// Writes each active lane's value to its element.
  void operator=(const L& value) && requires(!std::is_const_v<T>) {
    exec::let_others_run(state_, where_.where);
    const Mask<W> storing = active();
    const auto view = this->view().of(&storing);
    if (where_.uniform)
      detail::store(view, where_.lanes.lane0(), value, where_.where);
    else
      detail::store(view, where_.lanes, value, where_.where);
    tell(
        AccessKind::write, view, [&] { return access_of(view); },
        [&] { return AccessValues{.operands = {exec::to_lane_values<W>(value)}}; });
  }
  /// Reads the other element, then writes.
  void operator=(TracedElement&& other) && requires(!std::is_const_v<T>) {
    std::move(*this) = L(std::move(other));
  }
  LOCKSTEP_NAMED_ELEMENT void operator=(const TracedElement&) &&;
  LOCKSTEP_ELEMENT_ASSIGNMENTS(L, !std::is_const_v<T>)

  /// For atomics: the lanes that take part; no helpers.
  Mask<W> active() const { return this->view().active() & state_.covered; }
  /// For atomics: what happens before.
  detail::AtomicChoice before_atomic() const { return detail::before_atomic(state_, where_.where); }
  /// For atomics: reports to the observers.
  template <class Result, class... Operands>
  void tell_atomic(std::string_view name, const detail::AtomicOrder& order, const Result& result,
                   const Operands&... operands) const {
    const Mask<W> storing = active();
    const auto access = [&] {
      Access made = access_of(this->view());
      detail::set_order(made, order);
      return made;
    };
    tell(AccessKind::atomic, this->view().of(&storing), access,
         [&] { return detail::atomic_values<W>(name, result, operands...); });
  }

  /// For compound assignments: the value before, without helpers.
  L read_to_change() const {
    const Mask<W> storing = active();
    return load(this->view().of(&storing));
  }

 private:
  L load(const detail::View<T, W>& view) const {
    exec::let_others_run(state_, where_.where);
    const L value = where_.uniform ? detail::load(view, where_.lanes.lane0(), where_.where)
                                   : detail::load(view, where_.lanes, where_.where);
    tell(
        AccessKind::read, view, [&] { return access_of(view); },
        [&] { return AccessValues{.result = exec::to_lane_values<W>(value)}; });
    return value;
  }
  Access access_of(const detail::View<T, W>& view) const {
    constexpr auto number = detail::TouchedNumbers::one<T>();
    return detail::access_of(view, number, number.bytes, [&](int i) {
      return detail::byte_of_element(where_.lanes[i], view.size, number.bytes);
    });
  }
  template <class MakeAccess, class MakeValues>
  void tell(AccessKind kind, const detail::View<T, W>& view, const MakeAccess& access,
            const MakeValues& values) const {
    detail::tell_access(state_, kind, where_.where, view.active(), access, values);
  }

  detail::TracedIndex<W> where_;
  exec::TangledState<W>& state_;
};

/// An array in a kernel on a tangled machine: as Array.
template <class T, int W>
class TracedArray {
 public:
  using L = Lanes<std::remove_const_t<T>, W>;

  TracedArray(const detail::View<T, W>& view, exec::TangledState<W>* state)
      : view_(view), state_(state) {}
  TracedArray(const TracedArray&) = default;
  /// An array to read from, made from one to write to.
  TracedArray(const TracedArray<std::remove_const_t<T>, W>& writable) requires std::is_const_v<T>
      : view_(writable.view_), state_(writable.state_) {}

  /// Each lane's element, or the same for all.
  TracedElement<L, T> operator[](const detail::TracedIndex<W>& index) const {
    return {view_, index, *state_};
  }
  /// GLSL's length() of a runtime-sized array.
  std::uint32_t length() const { return view_.size; }
  /// The array as the subgroup sees it.
  const detail::View<T, W>& view() const { return view_; }
  /// The subgroup, for places.
  exec::TangledState<W>* context() const { return state_; }

 private:
  template <class U, int V>
  friend class TracedArray;

  detail::View<T, W> view_;
  exec::TangledState<W>* state_;
};

namespace detail {

/// As for Array.
template <class T, int W>
TracedArray<T, W> make_array(exec::TangledState<W>& state, const View<T, W>& view) {
  return TracedArray<T, W>(view, &state);
}

/// The type of an array of T in a kernel on machine S. glsl/block.hpp adds elements larger than a
/// number.
template <class S, class T>
struct ArrayFor {
  using type = decltype(make_array(std::declval<typename S::State&>(), View<T, S::width>()));
};

}  // namespace detail

/// The arrays of kernels on machine S.
template <class S, class T>
using ArrayOn = typename detail::ArrayFor<S, T>::type;

}  // namespace lockstep::inline LOCKSTEP_ABI
