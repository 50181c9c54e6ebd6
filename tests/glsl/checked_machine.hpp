#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <lockstep/glsl/image.hpp>
#include <lockstep/glsl/mat.hpp>
#include <lockstep/glsl/vec_functions.hpp>
#include <lockstep/lockstep.hpp>

/// \file
/// A machine whose values know in which lanes they are undefined: the smallest one that runs whole
/// kernels. Undefined lanes spread through arithmetic, selection, assignment and built-ins, and are
/// reported where they reach control flow, an address, plain C++ or memory.

namespace lockstep::test::checked {

/// A T that may be undefined.
template <class T>
struct Maybe {
  using Plain = T;

  T value;
  bool undefined;

  explicit operator T() const { return value; }
};

struct Numbers {
  template <class T>
  using Scalar = Maybe<lockstep::detail::Plain<T>>;
};

/// A use of undefined lanes.
struct Use {
  std::string kind;
  int line;
  LaneSet lanes;

  friend bool operator==(const Use&, const Use&) = default;
};

/// The uses of the current run. A product would keep them with the state.
inline std::vector<Use> uses;

template <int W>
void report(const char* kind, SourceLocation where, Mask<W> undefined) {
  if (undefined.any_lane()) uses.push_back({kind, where.line, to_lane_set(undefined)});
}

template <int W>
struct State : exec::State<W> {};

template <int W>
struct Machine {
  using KernelName = void;
  using Numbers = checked::Numbers;
  static constexpr int width = W;
  static constexpr bool tangled = false;
  using State = checked::State<W>;
};

}  // namespace lockstep::test::checked

namespace lockstep {

/// Lanes that may be undefined.
template <class T, int W>
class Lanes<test::checked::Maybe<T>, W> {
  using Maybe = test::checked::Maybe<T>;

 public:
  using Plain = Lanes<T, W>;
  using value_type = Maybe;
  using Bool = Lanes<test::checked::Maybe<bool>, W>;
  static constexpr int width = W;

  Lanes(const Lanes&) = default;
  Lanes& operator=(const Lanes&) = delete;

  Lanes(std::same_as<T> auto uniform) : value_(uniform), undefined_(Mask<W>::none()) {}
  Lanes(const Plain& value) : value_(value), undefined_(Mask<W>::none()) {}
  Lanes(const Plain& value, Mask<W> undefined) : value_(value), undefined_(undefined) {}
  template <class U>
  requires(!std::same_as<U, T>) explicit Lanes(const Lanes<test::checked::Maybe<U>, W>& from)
      : value_(Plain(from.plain())), undefined_(from.undefined()) {}

  template <lockstep::detail::ElementArgument E>
  requires std::constructible_from<Lanes, typename E::MemoryValue>
  explicit Lanes(E&& element) : Lanes(lockstep::detail::argument(static_cast<E&&>(element))) {}

  const Plain& plain() const { return value_; }
  Mask<W> undefined() const { return undefined_; }
  Maybe operator[](int i) const { return {value_[i], undefined_.test(i)}; }

#define LOCKSTEP_CHECKED_OPERATOR(op)                                                            \
  friend auto operator op(const Lanes& a, const Lanes& b) requires requires(const Plain& p) {    \
    p op p;                                                                                      \
  }                                                                                              \
  {                                                                                              \
    using R = typename decltype(a.value_ op b.value_)::value_type;                               \
    return Lanes<test::checked::Maybe<R>, W>(a.value_ op b.value_, a.undefined_ | b.undefined_); \
  }
  LOCKSTEP_CHECKED_OPERATOR(+)
  LOCKSTEP_CHECKED_OPERATOR(-)
  LOCKSTEP_CHECKED_OPERATOR(*)
  LOCKSTEP_CHECKED_OPERATOR(/)
  LOCKSTEP_CHECKED_OPERATOR(%)
  LOCKSTEP_CHECKED_OPERATOR(&)
  LOCKSTEP_CHECKED_OPERATOR(|)
  LOCKSTEP_CHECKED_OPERATOR(^)
  LOCKSTEP_CHECKED_OPERATOR(<<)
  LOCKSTEP_CHECKED_OPERATOR(>>)
  LOCKSTEP_CHECKED_OPERATOR(==)
  LOCKSTEP_CHECKED_OPERATOR(!=)
  LOCKSTEP_CHECKED_OPERATOR(<)
  LOCKSTEP_CHECKED_OPERATOR(<=)
  LOCKSTEP_CHECKED_OPERATOR(>)
  LOCKSTEP_CHECKED_OPERATOR(>=)
#undef LOCKSTEP_CHECKED_OPERATOR
  friend Lanes operator!(const Lanes& a) requires std::same_as<T, bool> {
    return {!a.value_, a.undefined_};
  }
  friend Lanes operator-(const Lanes& a) requires lockstep::detail::Number<T> {
    return {-a.value_, a.undefined_};
  }

  friend Lanes select(Mask<W> mask, const Lanes& a, const Lanes& b) {
    return {select(mask, a.value_, b.value_), (a.undefined_ & mask) | b.undefined_.without(mask)};
  }
  friend Lanes select(const Bool& condition, const Lanes& a, const Lanes& b) {
    const Lanes chosen = select(condition.plain().mask(), a, b);
    return {chosen.value_, chosen.undefined_ | condition.undefined()};
  }

 protected:
  void replace(const Lanes& value) {
    std::construct_at(&value_, value.value_);
    undefined_ = value.undefined_;
  }

 private:
  Plain value_;
  Mask<W> undefined_;
};

}  // namespace lockstep

namespace lockstep::test::checked {

template <class T, int W>
using Value = Lanes<Maybe<T>, W>;

/// A built-in's uniform result, reported if it is undefined and plain C++ wants it.
template <class T, int W>
class Uniform : public Value<T, W> {
 public:
  Uniform(T value, Mask<W> undefined, SourceLocation where)
      : Value<T, W>(Lanes<T, W>(value), undefined), where_(where) {}

  operator T() const {
    report("plain C++", where_, this->undefined());
    return this->plain()[0];
  }

 private:
  SourceLocation where_;
};

template <class A>
concept CheckedLanes = requires(const A& a) {
  a.undefined();
};

/// The plain numbers of a built-in's argument.
template <class A>
auto plain(const A& argument) {
  if constexpr (VecOfLanes<A>) {
    using T = lockstep::detail::Plain<typename A::value_type>;
    return Vec<T, A::components, A::width>::generate(
        [&](auto k) { return argument.template component<k>().plain(); });
  } else if constexpr (requires { A::columns; }) {
    using T = lockstep::detail::Plain<typename A::value_type>;
    return Mat<T, A::columns, A::rows, A::width>::generate(
        [&](auto c) { return plain(argument[c]); });
  } else if constexpr (CheckedLanes<A>) {
    using T = lockstep::detail::Plain<typename A::value_type>;
    if constexpr (std::convertible_to<const A&, T>)
      return T(argument);
    else
      return argument.plain();
  } else {
    return argument;
  }
}

/// The lanes where it is undefined.
template <int W, class A>
Mask<W> undefined_in(const A& argument) {
  Mask<W> any = Mask<W>::none();
  if constexpr (VecOfLanes<A>) {
    for (int k = 0; k < A::components; ++k) any = any | argument[k].undefined();
  } else if constexpr (requires { A::columns; }) {
    for (int c = 0; c < A::columns; ++c) any = any | undefined_in<W>(argument[c]);
  } else if constexpr (CheckedLanes<A>) {
    any = argument.undefined();
  }
  return any;
}

/// A built-in's plain result with undefined lanes.
template <int W, class R>
auto with(const R& result, Mask<W> undefined, SourceLocation where) {
  if constexpr (lockstep::detail::Number<R> || std::same_as<R, bool>) {
    return Uniform<R, W>(result, undefined, where);
  } else if constexpr (VecOfLanes<R>) {
    return Vec<Maybe<typename R::value_type>, R::components, W>::generate([&](auto k) {
      return Value<typename R::value_type, W>(result.template component<k>(), undefined);
    });
  } else if constexpr (std::same_as<R, Ballot>) {
    report("ballot", where, undefined);
    return result;
  } else {
    return Value<typename R::value_type, W>(result, undefined);
  }
}

// Where a built-in's result is undefined although its arguments are not.
template <int W, class F, class... A>
Mask<W> created(const F&, Mask<W>, const A&...) {
  return Mask<W>::none();
}
template <int W, class V, class I>
Mask<W> created(const built_in::subgroupShuffle& f, Mask<W> active, const V& value,
                const I& index) {
  return undefined::subgroupShuffle(active, value, index, f.size);
}
template <int W, class V, class D>
Mask<W> created(const built_in::subgroupShuffleUp& f, Mask<W> active, const V& value,
                const D& delta) {
  return undefined::subgroupShuffleUp(active, value, delta, f.size);
}
template <int W, class V, class D>
Mask<W> created(const built_in::subgroupShuffleDown& f, Mask<W> active, const V& value,
                const D& delta) {
  return undefined::subgroupShuffleDown(active, value, delta, f.size);
}

template <class F, class... Each>
inline constexpr bool is_one_of = (std::same_as<F, Each> || ...);

// Where a built-in passes on that its value is undefined in some lanes: those that move values move
// these lanes, too; of scans the lanes from there on; of others all.
template <int W, class F, class... A>
Mask<W> passed_on(const F& f, Mask<W> active, Mask<W> undefined, const A&... more) {
  const Lanes<bool, W> flags = undefined & active;
  if constexpr (is_one_of<F, built_in::subgroupBroadcast, built_in::subgroupBroadcastFirst,
                          built_in::subgroupShuffleXor, built_in::subgroupShuffle,
                          built_in::subgroupShuffleUp, built_in::subgroupShuffleDown>) {
    return Lanes<bool, W>(f(active, flags, more...)).mask();
  } else if constexpr (is_one_of<F, built_in::subgroupInclusiveAdd>) {
    return subgroupInclusiveOr(active, flags).mask();
  } else if constexpr (is_one_of<F, built_in::subgroupExclusiveAdd>) {
    return subgroupExclusiveOr(active, flags).mask();
  } else {
    return flags.mask().any_lane() ? Mask<W>::all() : Mask<W>::none();
  }
}

template <int W, class F>
auto call_built_in(State<W>& state, const char*, SourceLocation where, const F& f) {
  return with<W>(f(state.active), Mask<W>::none(), where);
}
template <int W, class F, class V, class... A>
auto call_built_in(State<W>& state, const char*, SourceLocation where, const F& f, const V& value,
                   const A&... more) {
  return with<W>(f(state.active, plain(value), plain(more)...),
                 created(f, state.active, plain(value), plain(more)...) |
                     passed_on(f, state.active, undefined_in<W>(value), plain(more)...) |
                     (undefined_in<W>(more) | ... | Mask<W>::none()),
                 where);
}

/// GLSL's functions on lanes; those on vectors call these for each component.
#define LOCKSTEP_CHECKED_FUNCTION(name)                                                        \
  template <class... A>                                                                        \
  requires(CheckedLanes<A> || ...) auto name(const A&... a) {                                  \
    const auto result = lockstep::name(plain(a)...);                                           \
    using R = std::remove_cvref_t<decltype(result)>;                                           \
    return Value<typename R::value_type, R::width>(result, (undefined_in<R::width>(a) | ...)); \
  }
LOCKSTEP_FUNCTIONS(LOCKSTEP_CHECKED_FUNCTION)
#undef LOCKSTEP_CHECKED_FUNCTION

/// Control flow, images: a value that is used with these active lanes.
template <int W, class T>
const Lanes<T, W>& used(const State<W>& state, const Value<T, W>& value, SourceLocation where) {
  report("use", where, value.undefined() & state.active);
  return value.plain();
}
template <int W, class T, int N>
Vec<T, N, W> used(const State<W>& state, const Vec<Maybe<T>, N, W>& value, SourceLocation where) {
  report("use", where, undefined_in<W>(value) & state.active);
  return plain(value);
}

/// One element of a buffer or shared array per lane.
template <class T, int W, class Index>
class Element : public lockstep::Element<Lanes<std::remove_const_t<T>, W>, T, Index> {
  using Plain = lockstep::Element<Lanes<std::remove_const_t<T>, W>, T, Index>;

 public:
  using MemoryValue = Value<std::remove_const_t<T>, W>;
  using Plain::Plain;

  operator MemoryValue() && {
    return static_cast<Plain&&>(*this).operator typename Plain::MemoryValue();
  }
  void operator=(const MemoryValue& value) && {
    static_cast<Plain&&>(*this) = lockstep::detail::plain_for(*this, value);
  }
  void operator=(Element&& other) && {
    static_cast<Element&&>(*this) = MemoryValue(std::move(other));
  }
  void operator+=(const MemoryValue& value) && {
    static_cast<Element&&>(*this) = MemoryValue(std::move(*this)) + value;
  }
};

template <class T, int W, class Index>
const Lanes<T, W>& used(const Element<T, W, Index>& element, const Value<T, W>& value,
                        SourceLocation) {
  report("memory", element.where(), value.undefined() & element.active());
  return value.plain();
}

template <class T, int W>
class Array {
  using Uint = Value<std::uint32_t, W>;
  using Int = Value<std::int32_t, W>;

 public:
  explicit Array(const lockstep::detail::View<T, W>& view, State<W>* state)
      : view_(view), state_(state) {}
  Array(const Array&) = default;
  Array(const Array<std::remove_const_t<T>, W>& writable) requires std::is_const_v<T>
      : view_(writable.view()), state_(writable.context()) {}

  Element<T, W, Lanes<std::uint32_t, W>> operator[](
      const lockstep::detail::LaneIndex<Uint>& index) const {
    return at(index.lanes, index.where);
  }
  Element<T, W, Lanes<std::uint32_t, W>> operator[](
      const lockstep::detail::ConvertedIndex<Uint, Int>& index) const {
    return at(index.lanes, index.where);
  }
  Element<T, W, std::uint32_t> operator[](const lockstep::detail::UniformIndex& index) const {
    return {view_, index.value, index.where};
  }
  std::uint32_t length() const { return view_.size; }
  const lockstep::detail::View<T, W>& view() const { return view_; }
  State<W>* context() const { return state_; }

 private:
  Element<T, W, Lanes<std::uint32_t, W>> at(const Uint& index, SourceLocation where) const {
    report("address", where, index.undefined() & view_.active());
    return {view_, index.plain(), where};
  }

  lockstep::detail::View<T, W> view_;
  State<W>* state_;
};

template <class T, int W>
Array<T, W> make_array(State<W>& state, const lockstep::detail::View<T, W>& view) {
  return Array<T, W>(view, &state);
}

/// The place of elements larger than a number.
template <class Byte, int W, std::uint32_t Stride, class Index>
struct Place : lockstep::Place<Byte, W, Stride, Index> {
  using Numbers = checked::Numbers;
};

template <class Byte, int W, std::uint32_t Stride>
Place<Byte, W, Stride, Lanes<std::uint32_t, W>> make_place(
    const State<W>*, const lockstep::detail::View<Byte, W>& view,
    const Value<std::uint32_t, W>& index, SourceLocation where,
    std::integral_constant<std::uint32_t, Stride>) {
  report("address", where, index.undefined() & view.active());
  return {{view, index.plain(), where}};
}

template <class Byte, int W, std::uint32_t Stride, class Index, class V>
auto used(const Place<Byte, W, Stride, Index>& place, const V& value, SourceLocation) {
  report("memory", place.where, undefined_in<W>(value) & place.active());
  return plain(value);
}
template <class Outer, std::uint32_t Offset, std::uint32_t Stride, std::uint32_t Length,
          class Index, class V>
auto used(const InnerPlace<Outer, Offset, Stride, Length, Index>& place, const V& value,
          SourceLocation where) requires std::same_as<typename Outer::Numbers, Numbers> {
  return used(place.outer, value, where);
}

/// Runs a kernel on one thread; returns the uses of undefined lanes in order.
template <template <class> class K, int W, class... A>
std::vector<Use> run(int subgroup_size, std::uint32_t workgroups, A&&... arguments) {
  using S = Machine<W>;
  uses.clear();
  const lockstep::detail::Grid<W> grid({workgroups}, K<S>::local_size, subgroup_size);
  lockstep::detail::Runner<K<S>, S, A...>(grid, arguments...).run(0, workgroups, true);
  return uses;
}

}  // namespace lockstep::test::checked
