#pragma once

#include <array>
#include <vector>

#include <lockstep/checked/detail/state.hpp>
#include <lockstep/exec/intern.hpp>
#include <lockstep/glsl/block.hpp>
#include <lockstep/workgroup/memory.hpp>
#include <lockstep/workgroup/place.hpp>
#include <lockstep/workgroup/shared.hpp>

/// \file
/// Memory of checked kernels. What is stored to a buffer is visible to others; shared memory keeps where its numbers
/// are undefined.

namespace lockstep::inline LOCKSTEP_ABI {
namespace checked {

/// The origins of what shared memory holds, one for each of `size` units: 0 where it is defined. At the start of each
/// workgroup nothing is.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          A word for each unit. None once everything was written.
/// Spec          GLSL shared: undefined at the start
/// Example       tests/checked/machine.cpp
class Shadow {
 public:
  explicit Shadow(std::size_t size) : origins_(size) {}

  /// Whether anything is undefined, in the workgroup that runs.
  bool any(const Location& location, const MemoryObject& object) {
    if (!started_ || !(workgroup_ == location.workgroup)) start(location, object);
    return undefined_ != 0;
  }
  origins::Number at(std::size_t unit) const { return origins_[unit]; }
  void set(std::size_t unit, origins::Number number) {
    undefined_ -= origins_[unit] != 0;
    undefined_ += number != 0;
    origins_[unit] = number;
  }
  std::size_t size() const { return origins_.size(); }
  /// Where what a lane's atomic finds in these units is undefined. Afterwards they are defined, unless Op only reads.
  template <class Op>
  origins::Number found_by_atomic(std::size_t first, std::size_t units) {
    origins::Number found = 0;
    for (std::size_t k = first; k < first + units; ++k) {
      if (at(k) != 0) found = at(k);
      if constexpr (!std::same_as<Op, lockstep::detail::AtomicLoad>) set(k, 0);
    }
    return found;
  }

 private:
  [[gnu::noinline]] void start(const Location& location, const MemoryObject& object) {
    const origins::Number number =
        origins::begun(Check::uninitialised_shared, {}, intern(to_string(object)));
    origins_.assign(origins_.size(), number);
    undefined_ = number == 0 ? 0 : origins_.size();
    workgroup_ = location.workgroup;
    started_ = true;
  }
  std::vector<origins::Number> origins_;
  std::size_t undefined_ = 0;
  Size3 workgroup_{0, 0, 0};
  bool started_ = false;
};

/// What elements and places (workgroup/place.hpp) know besides the view.
template <class State>
struct Context {
  State* state;
  Shadow* shadow;  ///< of shared memory; otherwise null

  friend bool operator==(const Context&, const Context&) = default;
};

template <class State>
inline constexpr bool is_tangled = requires(const State& state) {
  state.stack;
};

/// An atomic's result, which is what was there, undefined `before`. One that changes the number reports where that is.
template <class Op, class T, int W>
Value<T, W> result_of_atomic(const Value<T, W>& old, const Poison<W>& before, Mask<W> active,
                             SourceLocation where, const MemoryObject& object) {
  if constexpr (std::same_as<Op, lockstep::detail::AtomicExchange> ||
                std::same_as<Op, lockstep::detail::AtomicStore> ||
                std::same_as<Op, lockstep::detail::AtomicLoad>)
    return {old.plain(), before};
  check(UseKind::atomic_memory, where, active, before, object);
  return old;
}

/// The element of the machine with the same events and other numbers.
template <class State, class T, int W, class Index>
struct PlainElementOf {
  using type = lockstep::Element<Lanes<std::remove_const_t<T>, W>, T, Index>;
};
template <class State, class T, int W, class Index>
requires is_tangled<State>
struct PlainElementOf<State, T, W, Index> {
  using type = TracedElement<Lanes<std::remove_const_t<T>, W>, T>;
};

/// The index of a traced element, which refers to it.
template <class State, int W>
struct IndexOfElement {
  template <class Index>
  IndexOfElement(const Index&, SourceLocation) {}
};
template <class State, int W>
requires is_tangled<State>
struct IndexOfElement<State, W> {
  template <class Index>
  IndexOfElement(const Index& index, SourceLocation where) : traced(index, where) {}

  lockstep::detail::TracedIndex<W> traced;
};

/// One element of a buffer or shared array per lane: as lockstep::Element, and undefined or not.
template <class State, class T, int W, class Index>
class Element : IndexOfElement<State, W>, public PlainElementOf<State, T, W, Index>::type {
  using Plain = typename PlainElementOf<State, T, W, Index>::type;
  using OwnIndex = IndexOfElement<State, W>;
  using Number = std::remove_const_t<T>;

 public:
  using MemoryValue = Value<Number, W>;

  Element(const lockstep::detail::View<T, W>& view, const Index& index, SourceLocation where,
          const Context<State>& context) requires(!is_tangled<State>)
      : OwnIndex(index, where), Plain(view, index, where), shadow_(context.shadow) {}
  Element(const lockstep::detail::View<T, W>& view, const Index& index, SourceLocation where,
          const Context<State>& context) requires is_tangled<State>
      : OwnIndex(index, where),
        Plain(view, this->traced, *context.state),
        shadow_(context.shadow) {}

  operator MemoryValue() && { return load(); }
  LOCKSTEP_NAMED_ELEMENT operator MemoryValue() const&;

  void operator=(const MemoryValue& value) && requires(!std::is_const_v<T>) { store(value); }
  void operator=(Element&& other) && requires(!std::is_const_v<T>) { store(other.load()); }
  void operator+=(const MemoryValue& value) && { store(load_to_change() + value); }
  void operator-=(const MemoryValue& value) && { store(load_to_change() - value); }
  void operator*=(const MemoryValue& value) && { store(load_to_change() * value); }

  MemoryObject object() const { return this->view().binding.object(); }

  /// The result of an atomic, which read `old`.
  template <class Op>
  MemoryValue after_atomic(const MemoryValue& old) const {
    if (shadow_ == nullptr || !shadow_->any(*this->view().location, object())) return old;
    const auto before = Poison<W>::from(
        origins_of_elements([&](std::uint32_t k) { return shadow_->found_by_atomic<Op>(k, 1); }));
    return result_of_atomic<Op>(old, before, this->active(), this->where(), object());
  }

 private:
  MemoryValue load() { return with_origins(static_cast<Plain&&>(*this)); }
  /// Helpers of pixels store nothing, so they need not read it either.
  MemoryValue load_to_change() {
    if constexpr (is_tangled<State>)
      return with_origins(this->read_to_change());
    else
      return load();
  }
  MemoryValue with_origins(const Lanes<Number, W>& value) {
    if (shadow_ == nullptr || !shadow_->any(*this->view().location, object())) return value;
    return {value,
            Poison<W>::from(origins_of_elements([&](std::uint32_t k) { return shadow_->at(k); }))};
  }
  void store(const MemoryValue& value) {
    if (shadow_ == nullptr) {
      check(UseKind::stored, this->where(), this->active(), value.poison(), object());
    } else if (shadow_->any(*this->view().location, object()) ||
               (value.poison().lanes & this->active()).any_lane()) {
      store_poison(value.poison().each());
    }
    static_cast<Plain&&>(*this) = value.plain();
  }
  [[gnu::noinline]] void store_poison(const Lanes<std::uint32_t, W>& each) {
    for_each_element([&](int i, std::uint32_t k) { shadow_->set(k, each[i]); });
  }

  /// f(k) for each active lane's element k, in ascending order.
  template <class F>
  [[gnu::noinline]] Lanes<std::uint32_t, W> origins_of_elements(const F& f) const {
    std::array<std::uint32_t, W> each{};
    for_each_element([&](int i, std::uint32_t k) { each[static_cast<std::size_t>(i)] = f(k); });
    return Lanes<std::uint32_t, W>::load(each.data());
  }
  template <class F>
  void for_each_element(const F& f) const {
    const auto index = lockstep::detail::index_in_memory<W>(this->index());
    for_each_lane(this->active(), [&](int i) {
      const std::uint32_t k = index(i);
      if (k < this->view().size) f(i, k);
    });
  }

  Shadow* shadow_;
};

/// Operands of atomics.
template <class State, class T, int W, class Index>
const Lanes<T, W>& used(const Element<State, T, W, Index>& element, const Value<T, W>& value,
                        SourceLocation, UseKind use) {
  check(use, element.where(), element.active(), value.poison(), element.object());
  return value.plain();
}

/// As lockstep::Array.
template <class State, class T, int W>
class Array {
  using Uint = Value<std::uint32_t, W>;
  using Int = Value<std::int32_t, W>;
  using PlainUint = Lanes<std::uint32_t, W>;

 public:
  Array(const lockstep::detail::View<T, W>& view, const Context<State>& context)
      : view_(view), context_(context) {}
  Array(const Array&) = default;
  Array(const Array<State, std::remove_const_t<T>, W>& writable) requires std::is_const_v<T>
      : view_(writable.view()), context_(writable.context()) {}

  Element<State, T, W, PlainUint> operator[](const lockstep::detail::LaneIndex<Uint>& index) const {
    return at(index.lanes, index.where);
  }
  Element<State, T, W, PlainUint> operator[](
      const lockstep::detail::ConvertedIndex<Uint, Int>& index) const {
    return at(index.lanes, index.where);
  }
  Element<State, T, W, std::uint32_t> operator[](
      const lockstep::detail::UniformIndex& index) const {
    return {view_, index.value, index.where, context_};
  }
  std::uint32_t length() const { return view_.size; }
  const lockstep::detail::View<T, W>& view() const { return view_; }
  Context<State> context() const { return context_; }

 private:
  Element<State, T, W, PlainUint> at(const Uint& index, SourceLocation where) const {
    check(UseKind::index, where, view_.active(), index.poison(), view_.binding.object());
    return {view_, index.plain(), where, context_};
  }

  lockstep::detail::View<T, W> view_;
  Context<State> context_;
};

template <CheckedState State, class T, int W>
Array<State, T, W> make_array(State& state, const lockstep::detail::View<T, W>& view,
                              Shadow* shadow = nullptr) {
  return {view, Context<State>{&state, shadow}};
}

/// The addresses of lanes' elements, with what is known of the numbers there.
template <class Addresses, class Byte, int W>
struct ShadowedAddresses {
  Addresses addresses;
  Shadow* shadow;  ///< null: buffers
  Byte* base;
  Mask<W> active;

  template <class T, int N, std::uint32_t Offset>
  static constexpr bool stores_whole = false;

  Byte* of(int i) const { return addresses.of(i); }
  auto plus(std::uint32_t bytes) const {
    const auto moved = addresses.plus(bytes);
    return ShadowedAddresses<std::remove_const_t<decltype(moved)>, Byte, W>{moved, shadow, base,
                                                                            active};
  }
  /// The same for other addresses.
  template <class Other>
  ShadowedAddresses<Other, Byte, W> with(const Other& other) const {
    return {other, shadow, base, active};
  }

  template <class T, std::uint32_t Offset>
  Value<T, W> load() const {
    const Lanes<T, W> value = addresses.template load<T, Offset>();
    if (shadow == nullptr) return value;
    std::array<std::uint32_t, W> each{};
    for_each_byte<T>(Offset, [&](int i, std::size_t byte) {
      if (shadow->at(byte) != 0) each[static_cast<std::size_t>(i)] = shadow->at(byte);
    });
    return {value, Poison<W>::from(Lanes<std::uint32_t, W>::load(each.data()))};
  }
  template <class T, std::uint32_t Offset>
  void store(const Value<T, W>& value) const {
    addresses.template store<T, Offset>(value.plain());
    if (shadow == nullptr) return;
    const Lanes<std::uint32_t, W> each = value.poison().each();
    for_each_byte<T>(Offset, [&](int i, std::size_t byte) { shadow->set(byte, each[i]); });
  }

 private:
  template <class T, class F>
  void for_each_byte(std::uint32_t offset, const F& f) const {
    for_each_lane(active, [&](int i) {
      if (of(i) == nullptr) return;
      const auto first = static_cast<std::size_t>(of(i) - base) + offset;
      for (std::size_t k = 0; k < sizeof(T); ++k) f(i, first + k);
    });
  }
};

/// The place of elements larger than a number: as Plain, which is that of the machine with the same events.
template <class Plain, class Byte>
struct Place : Plain {
  using Numbers = checked::Numbers;

  Shadow* shadow;
  SourceLocation where;

  Place without_helpers() const requires requires(const Plain& p) { p.without_helpers(); }
  { return {Plain::without_helpers(), shadow, where}; }

  template <class F>
  auto access(AccessKind kind, F f) const {
    // The shadow is that of the workgroup that runs.
    Shadow* const here = shadow;
    if (here != nullptr) here->any(*this->view.location, this->view.binding.object());
    return Plain::access(kind, [&](const auto& addresses) {
      using A = std::remove_cvref_t<decltype(addresses)>;
      return f(ShadowedAddresses<A, Byte, Plain::width>{addresses, here, this->view.data,
                                                        addresses.active});
    });
  }
};

template <class State, class Byte, int W, class Index, std::uint32_t Stride>
auto make_plain_place(const Context<State>& context, const lockstep::detail::View<Byte, W>& view,
                      const Index& index, SourceLocation where,
                      std::integral_constant<std::uint32_t, Stride>) {
  if constexpr (is_tangled<State>) {
    using Plain = TracedPlace<Byte, W, Stride>;
    return Place<Plain, Byte>{{view, lockstep::detail::TracedIndex<W>(index, where), context.state},
                              context.shadow,
                              where};
  } else {
    using Plain = lockstep::Place<Byte, W, Stride, Index>;
    return Place<Plain, Byte>{{view, index, where}, context.shadow, where};
  }
}
template <class State, class Byte, int W, class Stride>
auto make_place(const Context<State>& context, const lockstep::detail::View<Byte, W>& view,
                const Value<std::uint32_t, W>& index, SourceLocation where, Stride stride) {
  check(UseKind::index, where, view.active(), index.poison(), view.binding.object());
  return make_plain_place(context, view, index.plain(), where, stride);
}
template <class State, class Byte, int W, class Stride>
auto make_place(const Context<State>& context, const lockstep::detail::View<Byte, W>& view,
                std::uint32_t index, SourceLocation where, Stride stride) {
  return make_plain_place(context, view, index, where, stride);
}

/// The outermost place of one inside elements.
template <class P>
const auto& outermost(const P& place) {
  if constexpr (requires { place.outer; })
    return outermost(place.outer);
  else
    return place;
}
template <class P>
concept CheckedPlace = std::same_as<typename P::Numbers, Numbers>;

/// Indices into elements.
template <CheckedPlace P, class V>
auto used(const P& place, const V& value, SourceLocation, UseKind use) {
  const auto& outer = outermost(place);
  check(use, outer.where, place.active(), poison_of<P::width>(value), outer.view.binding.object());
  return numbers(value);
}
/// Operands of atomics.
template <class L, CheckedPlace P, std::uint32_t Offset, class V>
auto used(const ScalarRef<L, P, Offset>& number, const V& value, SourceLocation where,
          UseKind use) {
  return used(number.place(), value, where, use);
}
/// As Element's after_atomic, of a number `offset` bytes into the place.
template <class Op, CheckedPlace P, class T, int W>
Value<T, W> after_atomic_on(std::type_identity<Op>, const P& place, std::uint32_t offset,
                            const Value<T, W>& old) {
  const auto& outer = outermost(place);
  const MemoryObject object = outer.view.binding.object();
  if (outer.shadow == nullptr || !outer.shadow->any(*outer.view.location, object)) return old;
  std::array<std::uint32_t, W> each{};
  for_each_lane(place.active(), [&](int i) {
    const std::uint64_t byte = place.byte_of(i);
    if (byte == Access::outside) return;
    each[static_cast<std::size_t>(i)] =
        outer.shadow->template found_by_atomic<Op>(byte + offset, sizeof(T));
  });
  const auto before = Poison<W>::from(Lanes<std::uint32_t, W>::load(each.data()));
  return result_of_atomic<Op>(old, before, place.active(), outer.where, object);
}
/// What is stored keeps where it is undefined, if it is not visible to others there.
template <CheckedPlace P, class V>
const V& stored(const P& place, const V& value) {
  const auto& outer = outermost(place);
  if (outer.shadow == nullptr)
    check(UseKind::stored, outer.where, place.active(), poison_of<P::width>(value),
          outer.view.binding.object());
  return value;
}

}  // namespace checked

namespace detail {

/// Beside a shared array of so many units.
template <std::size_t Size>
class SharedShadow<checked::Numbers, Size> {
 public:
  template <class State, class T, int W>
  auto array(State& state, const View<T, W>& view) {
    return make_array(state, view, &shadow_);
  }
  template <class State>
  checked::Context<State> context(State* state) {
    return {state, &shadow_};
  }

 private:
  checked::Shadow shadow_{Size};
};

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
