#pragma once

#include <array>
#include <utility>
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
  PlainElementOf(const lockstep::detail::View<T, W>& view, const Index& index, SourceLocation where,
                 const Context<State>&)
      : element(view, index, where) {}

  lockstep::Element<Lanes<std::remove_const_t<T>, W>, T, Index> element;
};
template <class State, class T, int W, class Index>
requires is_tangled<State>
struct PlainElementOf<State, T, W, Index> {
  PlainElementOf(const lockstep::detail::View<T, W>& view, const Index& from, SourceLocation where,
                 const Context<State>& context)
      : index(from, where), element(view, index, *context.state) {}

  lockstep::detail::TracedIndex<W> index;  // the element refers to it
  TracedElement<Lanes<std::remove_const_t<T>, W>, T> element;
};

/// One element of a buffer or shared array per lane: as lockstep::Element, and undefined or not. V is its value; because
/// V comes first, the compiler finds V's operators for it. It converts to V alone, never to plain lanes.
template <class V, class T, class State, bool is_uniform>
class Element {
  static constexpr int W = V::width;
  using Number = std::remove_const_t<T>;
  using Index = std::conditional_t<is_uniform, std::uint32_t, Lanes<std::uint32_t, W>>;
  using View = lockstep::detail::View<T, W>;

 public:
  static constexpr int width = W;
  using MemoryValue = V;
  static constexpr bool is_const = std::is_const_v<T>;
  static constexpr bool is_atomic_operand = true;

  Element(const View& view, const Index& index, SourceLocation where, const Context<State>& context)
      : plain_(view, index, where, context), shadow_(context.shadow) {}
  Element(const Element&) = delete;

  operator MemoryValue() && { return with_origins(std::move(plain_.element)); }
  LOCKSTEP_NAMED_ELEMENT operator MemoryValue() const&;

  /// Does not compile: lanes may differ.
  template <std::same_as<bool> B>
  requires lockstep::detail::BoolPerLane<V>
  explicit operator B() const { return lockstep::detail::one_bool_of_lanes<B>(); }

  void operator=(const MemoryValue& value) && requires(!is_const) { store(value); }
  void operator=(Element&& other) && requires(!is_const) { store(std::move(other)); }
  LOCKSTEP_NAMED_ELEMENT void operator=(const Element&) &&;
  LOCKSTEP_ELEMENT_ASSIGNMENTS(V, !is_const)
  /// For compound assignments. Helpers of pixels store nothing, so they need not read it either.
  MemoryValue read_to_change() const { return with_origins(plain_.element.read_to_change()); }

  /// The same as in lockstep::Element.
  const View& view() const { return plain_.element.view(); }
  SourceLocation where() const { return plain_.element.where(); }
  Mask<W> active() const { return plain_.element.active(); }
  bool only_thread() const { return plain_.element.only_thread(); }
  template <class F>
  auto with_targets(F f) const {
    return plain_.element.with_targets(f);
  }
  lockstep::detail::AtomicChoice before_atomic() const requires is_tangled<State> {
    return plain_.element.before_atomic();
  }
  template <class... Arguments>
  void tell_atomic(const Arguments&... arguments) const requires is_tangled<State> {
    plain_.element.tell_atomic(arguments...);
  }
  MemoryObject object() const { return view().binding.object(); }

  /// The result of an atomic, which read `old`.
  template <class Op>
  MemoryValue after_atomic(const MemoryValue& old) const {
    if (!may_be_undefined()) return old;
    const auto before = Poison<W>::from(
        origins_of_elements([&](std::uint32_t k) { return shadow_->found_by_atomic<Op>(k, 1); }));
    return result_of_atomic<Op>(old, before, active(), where(), object());
  }

 private:
  bool may_be_undefined() const {
    return shadow_ != nullptr && shadow_->any(*view().location, object());
  }
  MemoryValue with_origins(const Lanes<Number, W>& value) const {
    if (!may_be_undefined()) return value;
    return {value,
            Poison<W>::from(origins_of_elements([&](std::uint32_t k) { return shadow_->at(k); }))};
  }
  void store(const MemoryValue& value) {
    if (shadow_ == nullptr)
      check(UseKind::stored, where(), active(), value.poison(), object());
    else if (may_be_undefined() || (value.poison().lanes & active()).any_lane())
      store_poison(value.poison().each());
    std::move(plain_.element) = value.plain();
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
    const auto index = lockstep::detail::index_in_memory<W>(plain_.element.index());
    for_each_lane(active(), [&](int i) {
      const std::uint32_t k = index(i);
      if (k < view().size) f(i, k);
    });
  }

  PlainElementOf<State, T, W, Index> plain_;
  Shadow* shadow_;
};

/// Operands of atomics.
template <class V, class T, class State, bool is_uniform>
const typename V::Plain& used(const Element<V, T, State, is_uniform>& element, const V& value,
                              SourceLocation, UseKind use) {
  check(use, element.where(), element.active(), value.poison(), element.object());
  return value.plain();
}

/// As lockstep::Array.
template <class State, class T, int W>
class Array {
  using Uint = Value<std::uint32_t, W>;
  using Int = Value<std::int32_t, W>;
  template <bool is_uniform>
  using ElementAt = Element<Value<std::remove_const_t<T>, W>, T, State, is_uniform>;

 public:
  Array(const lockstep::detail::View<T, W>& view, const Context<State>& context)
      : view_(view), context_(context) {}
  Array(const Array&) = default;
  Array(const Array<State, std::remove_const_t<T>, W>& writable) requires std::is_const_v<T>
      : view_(writable.view()), context_(writable.context()) {}

  ElementAt<false> operator[](const lockstep::detail::LaneIndex<Uint>& index) const {
    return at(index.lanes, index.where);
  }
  ElementAt<false> operator[](const lockstep::detail::ConvertedIndex<Uint, Int>& index) const {
    return at(index.lanes, index.where);
  }
  ElementAt<true> operator[](const lockstep::detail::UniformIndex& index) const {
    return {view_, index.value, index.where, context_};
  }
  std::uint32_t length() const { return view_.size; }
  const lockstep::detail::View<T, W>& view() const { return view_; }
  Context<State> context() const { return context_; }

 private:
  ElementAt<false> at(const Uint& index, SourceLocation where) const {
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
