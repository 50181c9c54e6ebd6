#pragma once

#include <string_view>
#include <utility>

#include <lockstep/exec/lane_values.hpp>
#include <lockstep/exec/machine.hpp>
#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/workgroup/atomics.hpp>
#include <lockstep/workgroup/pixel_memory.hpp>

/// \file
/// Arrays on a machine with an observer: as workgroup/memory.hpp, and each access is reported.

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
    return Lanes<std::uint32_t, W>(static_cast<std::uint32_t>(index));
  }
};

/// Reports an access of the view's active lanes.
template <class T, int W>
void tell_access(exec::TangledState<W>& state, Event::Kind kind, std::string_view name,
                 const View<T, W>& view, const TracedIndex<W>& index, LaneValues operand,
                 LaneValues result) {
  exec::settle(state);
  if (!state.stack.observed() || !view.active().any_lane()) return;
  Event event;
  event.kind = kind;
  event.where = index.where;
  event.name = name;
  event.depth = static_cast<std::uint32_t>(state.stack.frames.size());
  event.tangles = state.stack.tangles;
  event.others = to_lane_set(view.active());
  const MemoryObject object = view.binding.object();
  event.binding = object.kind == MemoryObject::Kind::shared ? 0xffffffff : object.binding;
  event.operands.push_back(exec::to_lane_values<W>(index.lanes));
  if (operand.type != LaneValues::Type::none) event.operands.push_back(std::move(operand));
  event.result = std::move(result);
  state.stack.tell(std::move(event));
}

}  // namespace detail

/// One element of a traced array per lane: as Element, on pixels as PixelElement, and each access
/// is reported to the observer.
template <class L, class T>
class TracedElement : public Element<L, T, Lanes<std::uint32_t, L::width>> {
  static constexpr int W = L::width;
  using Untraced = Element<L, T, Lanes<std::uint32_t, W>>;

 public:
  TracedElement(const detail::View<T, W>& view, const detail::TracedIndex<W>& index,
                exec::TangledState<W>& state)
      : Untraced(view, index.lanes, index.where), where_(index), state_(state) {}

  /// Reads the element of each active lane.
  operator L() const { return load(this->view()); }
  /// Writes each active lane's value to its element.
  void operator=(const L& value) && requires(!std::is_const_v<T>) {
    const Mask<W> storing = active();
    const auto view = this->view().of(&storing);
    if (where_.uniform)
      detail::store(view, where_.lanes.lane0(), value, where_.where);
    else
      detail::store(view, where_.lanes, value, where_.where);
    tell(Event::Kind::write, "", view, exec::to_lane_values<W>(value), {});
  }
  /// Reads the other element, then writes.
  void operator=(TracedElement&& other) && requires(!std::is_const_v<T>) {
    std::move(*this) = L(std::move(other));
  }
  // clang-format off
  /// Reads, combines, writes; not atomic.
  void operator+=(const L& value) && { std::move(*this) = read_to_change() + value; }
  /// Reads, combines, writes; not atomic.
  void operator-=(const L& value) && { std::move(*this) = read_to_change() - value; }
  /// Reads, combines, writes; not atomic.
  void operator*=(const L& value) && { std::move(*this) = read_to_change() * value; }
  // clang-format on

  /// For atomics: the lanes that take part; no helpers.
  Mask<W> active() const { return this->view().active() & state_.covered; }
  /// For atomics: reports to the observer.
  void tell_atomic(std::string_view name, const L& value, const L& old) const {
    const Mask<W> storing = active();
    tell(Event::Kind::atomic, name, this->view().of(&storing), exec::to_lane_values<W>(value),
         exec::to_lane_values<W>(old));
  }

 private:
  L load(const detail::View<T, W>& view) const {
    const L value = where_.uniform ? detail::load(view, where_.lanes.lane0(), where_.where)
                                   : detail::load(view, where_.lanes, where_.where);
    tell(Event::Kind::read, "", view, {}, exec::to_lane_values<W>(value));
    return value;
  }
  L read_to_change() const {
    const Mask<W> storing = active();
    return load(this->view().of(&storing));
  }
  void tell(Event::Kind kind, std::string_view name, const detail::View<T, W>& view,
            LaneValues operand, LaneValues result) const {
    detail::tell_access(state_, kind, name, view, where_, std::move(operand), std::move(result));
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
