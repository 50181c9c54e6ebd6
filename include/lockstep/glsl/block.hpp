#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include <lockstep/glsl/detail/block_access.hpp>
#include <lockstep/glsl/vec.hpp>
#include <lockstep/workgroup/place.hpp>
#include <lockstep/workgroup/shared.hpp>
#include <lockstep/workgroup/std430.hpp>

/// \file
/// Buffers and shared arrays of vectors, matrices and structs: `particles[i].position.x += dx;`.

namespace lockstep::inline LOCKSTEP_ABI {

template <class T, int C, int R, int W>
class Mat;

/// A matrix of a kernel on machine S: mat3, dmat2x4, ... A kernel with matrices includes glsl/mat.hpp.
template <class S, class T, int C, int R>
using MatOn = Mat<typename S::Numbers::template Scalar<T>, C, R, S::width>;

#define LOCKSTEP_REF_ASSIGNMENTS(Ref, V, place)                                   \
  /** Writes what another holds. */                                               \
  LOCKSTEP_INLINE void operator=(Ref&& other) && requires(detail::can_write<P>) { \
    static_cast<Ref&&>(*this) = V(static_cast<Ref&&>(other));                     \
  }                                                                               \
  LOCKSTEP_ELEMENT_ASSIGNMENTS(V, detail::can_write<P>)                           \
  /** For compound assignments: the value before, of lanes that will write it. */ \
  LOCKSTEP_INLINE V read_to_change() const { return detail::read_to_change<V, Ref>(place); }

/// \defgroup refs Parts of an element in memory: a number, vector, matrix, struct or array per lane
///
/// Each lies Offset bytes into the element at P. It is read when converted to its value and written
/// when assigned to; it cannot be named. A vector's components are its members x, y, z, w, or [k];
/// a matrix's columns are [c]; a struct's members have their names.
///
/// Requires      Used as a temporary. Numbers can be operands of atomics, too.
/// Active lanes  As Element.
/// Errors        As Element: a lane's access counts as one fault, a struct as one per member.
/// Cost          As Element; a vector access is that of its components with a single index check.
/// Spec          GLSL members and components of buffer blocks · SPIR-V OpAccessChain, OpLoad,
///               OpStore
/// Example       tests/glsl/block.cpp
/// @{

/// A number.
template <class L, class P, std::uint32_t Offset>
class ScalarRef {
  using T = detail::Plain<typename L::value_type>;

 public:
  using MemoryValue = L;
  static constexpr bool is_const = P::is_const;
  static constexpr bool is_atomic_operand = true;

  LOCKSTEP_INLINE explicit ScalarRef(const P& place) : place_(place) {}

  LOCKSTEP_NAMED_ELEMENT operator L() const&;
  LOCKSTEP_INLINE operator L() && {
    const L value = place_.access(
        AccessKind::read, [](const auto& from) __attribute__((always_inline)) {
          return from.template load<T, Offset>();
        });
    detail::tell_read(place_, detail::TouchedNumbers::one<T>(Offset),
                      [&] { return exec::to_lane_values<P::width>(value); });
    return value;
  }
  LOCKSTEP_INLINE void operator=(const L& value) && requires(detail::can_write<P>) {
    place_.access(
        AccessKind::write, [&](const auto& to) __attribute__((always_inline)) {
          to.template store<T, Offset>(detail::to_store(place_, value));
        });
    detail::tell_write(place_, detail::TouchedNumbers::one<T>(Offset),
                       [&] { return exec::to_lane_values<P::width>(value); });
  }
  LOCKSTEP_REF_ASSIGNMENTS(ScalarRef, L, place_)

  /// For atomics, as Element.
  LOCKSTEP_INLINE auto active() const { return place_.active(); }
  /// Whether the dispatch runs on one thread, so that atomics need no lock.
  LOCKSTEP_INLINE bool only_thread() const { return place_.only_thread(); }
  /// The address, for each lane.
  LOCKSTEP_INLINE const P& place() const { return place_; }
  /// Calls f with the addresses of the active lanes, for atomics.
  template <class F>
  LOCKSTEP_INLINE auto with_targets(F f) const {
    return f([&](int lane, auto use) __attribute__((always_inline)) {
      auto* const element = place_.at(lane, AccessKind::atomic);
      return element == nullptr ? T(0) : use(*reinterpret_cast<T*>(element + Offset));
    });
  }
  /// Asks the chooser for the order of the lanes.
  detail::AtomicChoice before_atomic() const requires(P::traced) { return place_.before_atomic(); }
  /// Of a machine with numbers of its own.
  template <class Op>
  L after_atomic(const L& old) const requires requires(const P& p, const L& l) {
    after_atomic_on(std::type_identity<Op>(), p, Offset, l);
  }
  { return after_atomic_on(std::type_identity<Op>(), place_, Offset, old); }
  /// Tells observers about an atomic.
  template <class Result, class... Operands>
  void tell_atomic(std::string_view name, const detail::AtomicOrder& order, const Result& result,
                   const Operands&... operands) const requires(P::traced) {
    const auto access = [&] {
      Access made = detail::access_at(place_, detail::TouchedNumbers::one<T>(Offset));
      detail::set_order(made, order);
      return made;
    };
    place_.tell(AccessKind::atomic, access,
                [&] { return detail::atomic_values<P::width>(name, result, operands...); });
  }

 private:
  P place_;
};

namespace detail {

/// The place of a vector, which is also that of its components: all have the same initial members.
template <class L, int N, class P, std::uint32_t Offset>
struct VecRefParts;

#define LOCKSTEP_COMPONENT_REF(k) \
  ScalarRef<L, P, Offset + k * sizeof(Plain<typename L::value_type>)>
template <class L, class P, std::uint32_t Offset>
struct VecRefParts<L, 2, P, Offset> {
  LOCKSTEP_INLINE explicit VecRefParts(const P& p) : place(p) {}
  union {
    P place;
    LOCKSTEP_COMPONENT_REF(0) x;
    LOCKSTEP_COMPONENT_REF(1) y;
  };
};
template <class L, class P, std::uint32_t Offset>
struct VecRefParts<L, 3, P, Offset> {
  LOCKSTEP_INLINE explicit VecRefParts(const P& p) : place(p) {}
  union {
    P place;
    LOCKSTEP_COMPONENT_REF(0) x;
    LOCKSTEP_COMPONENT_REF(1) y;
    LOCKSTEP_COMPONENT_REF(2) z;
  };
};
template <class L, class P, std::uint32_t Offset>
struct VecRefParts<L, 4, P, Offset> {
  LOCKSTEP_INLINE explicit VecRefParts(const P& p) : place(p) {}
  union {
    P place;
    LOCKSTEP_COMPONENT_REF(0) x;
    LOCKSTEP_COMPONENT_REF(1) y;
    LOCKSTEP_COMPONENT_REF(2) z;
    LOCKSTEP_COMPONENT_REF(3) w;
  };
};
#undef LOCKSTEP_COMPONENT_REF

template <class D, class P, std::uint32_t Offset>
struct RefType;
/// The reference to a part described by D.
template <class D, class P, std::uint32_t Offset>
using RefTo = typename RefType<D, P, Offset>::type;

/// [] of an array inside an element: Length parts described by D, Stride bytes apart.
template <class D, std::uint32_t Stride, std::uint32_t Length, class P, std::uint32_t Offset>
struct Subscript {
  using Uint = ValueOn<P, std::uint32_t>;

  template <class K>
  LOCKSTEP_INLINE static auto at(const P& place, const K& k) {
    using Index = std::remove_cvref_t<decltype(plain_for(place, k, UseKind::index))>;
    using Inner = InnerPlace<P, Offset, Stride, Length, Index>;
    return RefTo<D, Inner, 0>(Inner{place, plain_for(place, k, UseKind::index)});
  }
};

#define LOCKSTEP_REF_SUBSCRIPTS(place)                                                             \
  /** The same part in all lanes. */                                                               \
  LOCKSTEP_INLINE auto operator[](std::uint32_t k)&& { return Parts::at(place, k); }               \
  /** Deleted: an index has no fraction. */                                                        \
  void operator[](std::floating_point auto)&& = delete;                                            \
  /** Each lane's own part. */                                                                     \
  LOCKSTEP_INLINE auto operator[](const typename Parts::Uint& k)&& { return Parts::at(place, k); } \
  /** Each lane's own part; a negative index is beyond any array. */                               \
  LOCKSTEP_INLINE auto operator[](const ValueOn<P, std::int32_t>& k)&& {                           \
    return Parts::at(place, typename Parts::Uint(k));                                              \
  }

}  // namespace detail

/// A vector.
template <class V, class P, std::uint32_t Offset>
class VecRef : public detail::VecRefParts<typename V::lane_type, V::components, P, Offset> {
  using T = detail::Plain<typename V::value_type>;
  using Base = detail::VecRefParts<typename V::lane_type, V::components, P, Offset>;
  using Parts = detail::Subscript<T, sizeof(T), V::components, P, Offset>;

 public:
  using MemoryValue = V;

  using Base::Base;

  LOCKSTEP_NAMED_ELEMENT operator V() const&;
  LOCKSTEP_INLINE operator V() && {
    const V value = this->place.access(
        AccessKind::read, [](const auto& from) __attribute__((always_inline)) {
          return V::generate([&](auto k) __attribute__((always_inline)) {
            return from.template load<T, Offset + k * sizeof(T)>();
          });
        });
    detail::tell_read(this->place, detail::TouchedNumbers::several<T>(V::components, Offset),
                      [&] { return exec::to_lane_values<P::width>(value); });
    return value;
  }
  LOCKSTEP_INLINE void operator=(const V& value) && requires(detail::can_write<P>) {
    this->place.access(
        AccessKind::write, [&](const auto& to) __attribute__((always_inline)) {
          store(to, detail::to_store(this->place, value));
        });
    detail::tell_write(this->place, detail::TouchedNumbers::several<T>(V::components, Offset),
                       [&] { return exec::to_lane_values<P::width>(value); });
  }
  LOCKSTEP_REF_ASSIGNMENTS(VecRef, V, this->place)
  LOCKSTEP_REF_SUBSCRIPTS(this->place)

 private:
  template <class Addresses, class Value>
  LOCKSTEP_INLINE static void store(const Addresses& to, const Value& v) {
    if constexpr (Addresses::template stores_whole<T, V::components, Offset>) {
      if (to.active.all_lanes()) {
        if constexpr (V::components == 2)
          return to.store_all(v.x, v.y);
        else
          return to.store_all(v.x, v.y, v.z, v.w);
      }
    }
    detail::unrolled<V::components>([&](auto k) __attribute__((always_inline)) {
      to.template store<T, Offset + k * sizeof(T)>(v.template component<k>());
    });
  }
};

/// A matrix.
template <class M, class P, std::uint32_t Offset>
class MatRef {
  using T = detail::Plain<typename M::value_type>;
  using D = std430::Vector<T, M::rows>;
  static constexpr std::uint32_t stride = detail::block_stride<D>;
  using Parts = detail::Subscript<D, stride, M::columns, P, Offset>;

 public:
  using MemoryValue = M;

  LOCKSTEP_INLINE explicit MatRef(const P& place) : place_(place) {}

  LOCKSTEP_NAMED_ELEMENT operator M() const&;
  LOCKSTEP_INLINE operator M() && {
    const M value = place_.access(
        AccessKind::read, [](const auto& from) __attribute__((always_inline)) {
          return M::generate([&](auto c) __attribute__((always_inline)) {
            return M::Column::generate([&](auto r) __attribute__((always_inline)) {
              return from.template load<T, Offset + c * stride + r * sizeof(T)>();
            });
          });
        });
    detail::unrolled<M::columns>([&](auto c) __attribute__((always_inline)) {
      detail::tell_read(place_, column_at(c), [&] { return to_lane_values(value[c]); });
    });
    return value;
  }
  LOCKSTEP_INLINE void operator=(const M& value) && requires(detail::can_write<P>) {
    place_.access(
        AccessKind::write, [&](const auto& to) __attribute__((always_inline)) {
          const auto& plain = detail::to_store(place_, value);
          detail::unrolled<M::columns>([&](auto c) __attribute__((always_inline)) {
            detail::unrolled<M::rows>([&](auto r) __attribute__((always_inline)) {
              to.template store<T, Offset + c * stride + r * sizeof(T)>(
                  plain.template component<c, r>());
            });
          });
        });
    detail::unrolled<M::columns>([&](auto c) __attribute__((always_inline)) {
      detail::tell_write(place_, column_at(c), [&] { return to_lane_values(value[c]); });
    });
  }
  LOCKSTEP_REF_ASSIGNMENTS(MatRef, M, place_)
  LOCKSTEP_REF_SUBSCRIPTS(place_)

 private:
  // Observers are told each column, as its numbers are consecutive.
  static constexpr detail::TouchedNumbers column_at(std::uint32_t c) {
    return detail::TouchedNumbers::several<T>(M::rows, Offset + c * stride);
  }
  static LaneValues to_lane_values(const typename M::Column& column) {
    return exec::to_lane_values<P::width>(column);
  }

  P place_;
};

/// An array of N parts, each described by D.
template <class D, std::uint32_t N, class P, std::uint32_t Offset>
class ArrayRef {
  using Parts = detail::Subscript<D, detail::block_stride<D>, N, P, Offset>;

 public:
  LOCKSTEP_INLINE explicit ArrayRef(const P& place) : place_(place) {}

  LOCKSTEP_REF_SUBSCRIPTS(place_)
  /// Number of parts.
  static constexpr std::uint32_t length() { return N; }

 private:
  P place_;
};
/// @}

#undef LOCKSTEP_REF_ASSIGNMENTS
#undef LOCKSTEP_REF_SUBSCRIPTS

namespace detail {

template <class T, class P, std::uint32_t Offset>
requires Number<T>
struct RefType<T, P, Offset> {
  using type = ScalarRef<ValueOn<P, T>, P, Offset>;
};
template <class T, int N, class P, std::uint32_t Offset>
struct RefType<std430::Vector<T, N>, P, Offset> {
  using type = VecRef<VecOn<P, T, N>, P, Offset>;
};
template <class T, int C, int R, class P, std::uint32_t Offset>
struct RefType<std430::Matrix<T, C, R>, P, Offset> {
  using type = MatRef<MatOn<P, T, C, R>, P, Offset>;
};
template <BlockStruct D, class P, std::uint32_t Offset>
struct RefType<D, P, Offset> {
  using type = typename D::LockstepStruct::template Ref<P, Offset>;
};
template <class D, std::size_t N, class P, std::uint32_t Offset>
struct RefType<D[N], P, Offset> {
  using type = ArrayRef<D, static_cast<std::uint32_t>(N), P, Offset>;
};

/// Values of what D describes, in W lanes of the numbers of a machine.
template <class D, class Numbers, int W>
struct BlockValue;
template <class T, class Numbers, int W>
requires Number<T>
struct BlockValue<T, Numbers, W> {
  using type = Lanes<typename Numbers::template Scalar<T>, W>;
};
template <class T, int N, class Numbers, int W>
struct BlockValue<std430::Vector<T, N>, Numbers, W> {
  using type = Vec<typename Numbers::template Scalar<T>, N, W>;
};
template <class T, int C, int R, class Numbers, int W>
struct BlockValue<std430::Matrix<T, C, R>, Numbers, W> {
  using type = Mat<typename Numbers::template Scalar<T>, C, R, W>;
};
template <BlockStruct D, class Numbers, int W>
struct BlockValue<D, Numbers, W> {
  using type = typename D::LockstepStruct::template Values<Numbers, W>;
};
template <class D, std::size_t N, class Numbers, int W>
struct BlockValue<D[N], Numbers, W> {
  using type = std::array<typename BlockValue<D, Numbers, W>::type, N>;
};

template <class Ref>
requires requires { typename Ref::MemoryValue; }
LOCKSTEP_INLINE auto read_part(Ref&& part) { return argument(static_cast<Ref&&>(part)); }
template <class D, std::uint32_t N, class P, std::uint32_t Offset>
auto read_part(ArrayRef<D, N, P, Offset>&& parts) {
  using Parts = ArrayRef<D, N, P, Offset>;
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return typename BlockValue<D[N], typename P::Numbers, P::width>::type{
        read_part(static_cast<Parts&&>(parts)[static_cast<std::uint32_t>(K)])...};
  }
  (std::make_index_sequence<N>{});
}
template <class Ref, class Value>
LOCKSTEP_INLINE void write_part(Ref&& part, const Value& value) {
  static_cast<Ref&&>(part) = value;
}
template <class D, std::uint32_t N, class P, std::uint32_t Offset, class Value>
void write_part(ArrayRef<D, N, P, Offset>&& parts, const Value& values) {
  using Parts = ArrayRef<D, N, P, Offset>;
  for (std::uint32_t k = 0; k < N; ++k) write_part(static_cast<Parts&&>(parts)[k], values[k]);
}

/// The description of a kernel's element type: std430::vec3 for vec3, a struct itself.
template <class V>
struct Described {};
template <class T, int N, int W>
struct Described<Vec<T, N, W>> {
  using type = std430::Vector<Plain<T>, N>;
};
template <class T, int C, int R, int W>
struct Described<Mat<T, C, R, W>> {
  using type = std430::Matrix<Plain<T>, C, R>;
};
template <BlockStruct V>
struct Described<V> {
  using type = V;
};
template <class V>
concept BlockElement = requires {
  typename Described<V>::type;
};

/// Whether a host array of E holds what D describes: E is D, or a std::array of the same numbers
/// with the size of an element, padding included.
template <class E, class D>
inline constexpr bool is_host_type = std::same_as<E, D>;
template <class T, std::size_t N, class D>
inline constexpr bool is_host_type<std::array<T, N>, D> =
    std::same_as<T, typename BlockType<D>::scalar> && sizeof(T) * N == block_stride<D>;

/// Whether V is the view of a host array that a BlockArray of D may be made of.
template <class V, class D>
inline constexpr bool is_host_view = false;
template <class E, int W, class D>
inline constexpr bool is_host_view<View<E, W>, D> =
    is_host_type<std::remove_const_t<E>, std::remove_const_t<D>> &&
    (std::is_const_v<D> || !std::is_const_v<E>);

}  // namespace detail

/// An array of vectors, matrices or structs in a kernel: the type of Buffer<vec3> and
/// Buffer<Particle>. D describes an element, const if read-only.
///
/// Requires      Bound to an array of std430::vec3 or similar, of structs declared with LOCKSTEP_STRUCT,
///               or of std::array<float, 4> if an element has that size (vec3 and vec4).
/// Active lanes  As Element.
/// Errors        As Element. Other arrays do not compile.
/// Cost          As Element.
/// Spec          GLSL runtime-sized array in an std430 block · SPIR-V OpTypeRuntimeArray
/// Example       tests/glsl/block.cpp
template <class S, class D>
class BlockArray {
  static constexpr int W = S::width;
  using Element = std::remove_const_t<D>;
  using Byte = std::conditional_t<std::is_const_v<D>, const std::byte, std::byte>;
  static constexpr std::uint32_t stride = detail::block_stride<Element>;
  using Uint = ValueOn<S, std::uint32_t>;
  // What places need besides the view, for example the lanes that are not helpers.
  using Context = decltype(std::declval<const ArrayOn<S, std::uint32_t>&>().context());

 public:
  LOCKSTEP_INLINE BlockArray(const detail::View<Byte, W>& view, Context context)
      : view_(view), context_(context) {}
  BlockArray(const BlockArray&) = default;
  /// An array to read from, made from one to write to.
  LOCKSTEP_INLINE BlockArray(const BlockArray<S, Element>& writable) requires std::is_const_v<D>
      : view_(writable.view_), context_(writable.context_) {}
  /// The host array, as a dispatch binds it.
  template <class Host>
  requires(requires(const Host& host) {
    { host.context() } -> std::same_as<Context>;
  } && detail::is_host_view<std::remove_cvref_t<decltype(std::declval<const Host&>().view())>, D>)
      LOCKSTEP_INLINE BlockArray(const Host& host)
      : view_(bytes(host.view())), context_(host.context()) {}

  /// Each lane's element.
  LOCKSTEP_INLINE auto operator[](const detail::LaneIndex<Uint>& index) const
      requires(!detail::takes_traced_index<S>) {
    return at(index.lanes, index.where);
  }
  /// Each lane's element; a negative index is out of bounds.
  LOCKSTEP_INLINE auto operator[](
      const detail::ConvertedIndex<Uint, ValueOn<S, std::int32_t>>& index) const
      requires(!detail::takes_traced_index<S>) {
    return at(index.lanes, index.where);
  }
  /// The same element for all lanes.
  LOCKSTEP_INLINE auto operator[](const detail::UniformIndex& index) const
      requires(!detail::takes_traced_index<S>) {
    return at(index.value, index.where);
  }
  auto operator[](const detail::TracedIndex<W>& index) const
      requires(detail::takes_traced_index<S>) {
    using P = TracedPlace<Byte, W, stride>;
    return detail::RefTo<Element, P, 0>(P{view_, index, context_});
  }
  /// GLSL's length() of a runtime-sized array.
  LOCKSTEP_INLINE std::uint32_t length() const { return view_.size; }

 private:
  template <class S2, class D2>
  friend class BlockArray;

  template <class Index>
  LOCKSTEP_INLINE auto at(const Index& index, SourceLocation where) const {
    using detail::make_place;
    constexpr std::integral_constant<std::uint32_t, stride> each;
    // Not through a variable: its copy costs strided_scan 6 % of its instructions.
    using P = decltype(make_place(context_, view_, index, where, each));
    return detail::RefTo<Element, P, 0>(make_place(context_, view_, index, where, each));
  }
  template <class E>
  LOCKSTEP_INLINE static detail::View<Byte, W> bytes(const detail::View<E, W>& host) {
    return {reinterpret_cast<Byte*>(host.data), host.size, host.binding, host.active_lanes,
            host.location};
  }

  detail::View<Byte, W> view_;
  Context context_;
};

namespace detail {

template <class S, class V>
requires BlockElement<std::remove_const_t<V>>
struct ArrayFor<S, V> {
  using Element = typename Described<std::remove_const_t<V>>::type;
  using type = BlockArray<S, std::conditional_t<std::is_const_v<V>, const Element, Element>>;
};

}  // namespace detail

namespace detail {

/// Sets all numbers, whatever they are.
[[gnu::cold, gnu::noinline]] inline void fill_with_poison(std::byte* bytes, std::size_t count) {
  constexpr auto word = exec::poison<std::uint32_t>();
  for (std::size_t k = 0; k < count; ++k)
    bytes[k] = static_cast<std::byte>(word >> 8 * (k % sizeof word) & 0xff);
}

}  // namespace detail

/// As Shared, of vectors, matrices or structs: `Shared<vec3, 128> positions{this};`.
///
/// Requires      As Shared.
/// Active lanes  As Element.
/// Errors        As Shared.
/// Cost          As Element.
/// Spec          GLSL shared · SPIR-V StorageClass Workgroup
/// Example       tests/glsl/block.cpp
template <class V, int N, class S>
requires detail::BlockElement<V>
class Shared<V, N, S> {
  static_assert(!PixelsOn<S>, "shared memory belongs to workgroups, and pixels have none");
  static constexpr int W = S::width;
  using D = typename detail::Described<V>::type;

 public:
  template <class K>
  explicit(false) Shared(K* kernel, std::string_view name = {})
      : state_(&kernel->lockstep_state()),
        location_(&kernel->lockstep_location()),
        binding_(detail::take_shared(*kernel, sizeof(D) * std::uint64_t{N}, name)) {
    if (kernel->lockstep_undefined() == Undefined::poison) [[unlikely]]
      detail::fill_with_poison(reinterpret_cast<std::byte*>(data_), sizeof data_);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  /// Each lane's element.
  LOCKSTEP_INLINE auto operator[](const detail::LaneIndex<ValueOn<S, std::uint32_t>>&
                                      index) requires(!detail::takes_traced_index<S>) {
    return array()[index];
  }
  /// Each lane's element; a negative index is out of bounds.
  LOCKSTEP_INLINE auto operator[](
      const detail::ConvertedIndex<ValueOn<S, std::uint32_t>, ValueOn<S, std::int32_t>>&
          index) requires(!detail::takes_traced_index<S>) {
    return array()[index];
  }
  /// The same element for all lanes.
  LOCKSTEP_INLINE auto operator[](const detail::UniformIndex& index) requires(
      !detail::takes_traced_index<S>) {
    return array()[index];
  }
  auto operator[](const detail::TracedIndex<W>& index) requires(detail::takes_traced_index<S>) {
    return array()[index];
  }
  /// Number of elements.
  static constexpr std::uint32_t length() { return N; }

 private:
  LOCKSTEP_INLINE BlockArray<S, D> array() {
    return {{reinterpret_cast<std::byte*>(data_), length(), binding_, &state_->active, location_},
            shadow_.context(state_)};
  }

  alignas(64) D data_[N] = {};
  typename S::State* state_;
  Location* location_;
  detail::Binding binding_;
  [[no_unique_address]] detail::SharedShadow<typename S::Numbers, sizeof(D) * N> shadow_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI

// f applied to each of the arguments, which are lists in parentheses; LISTED puts commas between. A
// macro is not expanded inside itself: each step leaves its successor to the next rescan.
#define LOCKSTEP_EACH(f, ...) LOCKSTEP_RESCAN(LOCKSTEP_EACH_STEP(f, __VA_ARGS__))
#define LOCKSTEP_EACH_STEP(f, a, ...) \
  f a __VA_OPT__(LOCKSTEP_EACH_AGAIN LOCKSTEP_NO_ARGUMENTS(f, __VA_ARGS__))
#define LOCKSTEP_EACH_AGAIN() LOCKSTEP_EACH_STEP
#define LOCKSTEP_LISTED(f, ...) LOCKSTEP_RESCAN(LOCKSTEP_LISTED_STEP(f, __VA_ARGS__))
#define LOCKSTEP_LISTED_STEP(f, a, ...) \
  f a __VA_OPT__(, LOCKSTEP_LISTED_AGAIN LOCKSTEP_NO_ARGUMENTS(f, __VA_ARGS__))
#define LOCKSTEP_LISTED_AGAIN() LOCKSTEP_LISTED_STEP
#define LOCKSTEP_NO_ARGUMENTS ()
#define LOCKSTEP_RESCAN(...) LOCKSTEP_RESCAN_3(LOCKSTEP_RESCAN_3(LOCKSTEP_RESCAN_3(__VA_ARGS__)))
#define LOCKSTEP_RESCAN_3(...) LOCKSTEP_RESCAN_2(LOCKSTEP_RESCAN_2(LOCKSTEP_RESCAN_2(__VA_ARGS__)))
#define LOCKSTEP_RESCAN_2(...) LOCKSTEP_RESCAN_1(LOCKSTEP_RESCAN_1(LOCKSTEP_RESCAN_1(__VA_ARGS__)))
#define LOCKSTEP_RESCAN_1(...) LOCKSTEP_RESCAN_0(LOCKSTEP_RESCAN_0(LOCKSTEP_RESCAN_0(__VA_ARGS__)))
#define LOCKSTEP_RESCAN_0(...) __VA_ARGS__

// The expansion of a member (type, name) or (type, name, length) in each place of LOCKSTEP_STRUCT.
#define LOCKSTEP_MEMBER_TYPE(described, name, ...) \
  ::lockstep::detail::BlockMember<described __VA_OPT__(, __VA_ARGS__)>
#define LOCKSTEP_MEMBER_DESCRIPTION(described, name, ...) \
  ::lockstep::detail::BlockType<LOCKSTEP_MEMBER_TYPE(described, name, __VA_ARGS__)>
#define LOCKSTEP_HOST_MEMBER(described, name, ...)                                     \
  alignas(LOCKSTEP_MEMBER_DESCRIPTION(described, name, __VA_ARGS__)::layout.alignment) \
      LOCKSTEP_MEMBER_DESCRIPTION(described, name, __VA_ARGS__)::member name = {};
#define LOCKSTEP_MEMBER_NUMBER(described, name, ...) number_of_##name
#define LOCKSTEP_MEMBER_REF(described, name, ...)                                              \
  ::lockstep::detail::RefTo<LOCKSTEP_MEMBER_TYPE(described, name, __VA_ARGS__), LockstepPlace, \
                            LockstepOffset + members.offset[number_of_##name]>                 \
      name;
#define LOCKSTEP_MEMBER_VALUE(described, name, ...)                                           \
  typename ::lockstep::detail::BlockValue<LOCKSTEP_MEMBER_TYPE(described, name, __VA_ARGS__), \
                                          LockstepNumbers, LockstepWidth>::type name;
#define LOCKSTEP_MEMBER_READ(described, name, ...) \
  ::lockstep::detail::read_part(static_cast<decltype(name)&&>(name))
#define LOCKSTEP_MEMBER_WRITE(described, name, ...) \
  ::lockstep::detail::write_part(static_cast<decltype(name)&&>(name), lockstep_value.name);

/// A struct for buffers: LOCKSTEP_STRUCT(Particle, (vec3, position), (float, mass), (uint, cells, 4));
///
/// On the host it is a plain struct with std430 layout; vectors have components x, y, z, w. In a kernel, for
/// `Buffer<Particle> particles`, `particles[i].position` is each lane's member, for reading and
/// writing; `copy_of(particles[i])` reads all members, and `particles[i] = values` writes them
/// all.
///
/// Requires      At least one member: a number, vector, matrix, struct of this kind or an array of
///               these; at most 100 of them. Declared in a namespace, with <lockstep/glsl/mat.hpp>
///               for matrices.
/// Active lanes  As Element.
/// Errors        A bool member does not compile.
/// Cost          As Element for each member used.
/// Spec          GLSL struct, std430 · SPIR-V OpTypeStruct, Offset
/// Example       tests/glsl/block.cpp
#define LOCKSTEP_STRUCT(Name, ...)                                                          \
  struct Name {                                                                             \
    LOCKSTEP_STD430_NAMES                                                                   \
    LOCKSTEP_EACH(LOCKSTEP_HOST_MEMBER, __VA_ARGS__)                                        \
    bool operator==(const Name&) const = default;                                           \
                                                                                            \
    struct LockstepStruct {                                                                 \
      enum : int { LOCKSTEP_LISTED(LOCKSTEP_MEMBER_NUMBER, __VA_ARGS__) };                  \
      static constexpr ::lockstep::detail::Members<LOCKSTEP_LISTED(LOCKSTEP_MEMBER_TYPE,    \
                                                                   __VA_ARGS__)>            \
          members{};                                                                        \
      static constexpr ::lockstep::TypeLayout layout = members.whole;                       \
                                                                                            \
      template <class LockstepNumbers, int LockstepWidth>                                   \
      struct Values {                                                                       \
        LOCKSTEP_EACH(LOCKSTEP_MEMBER_VALUE, __VA_ARGS__)                                   \
      };                                                                                    \
      template <class LockstepPlace, std::uint32_t LockstepOffset>                          \
      struct Ref {                                                                          \
        using MemoryValue = Values<typename LockstepPlace::Numbers, LockstepPlace::width>;  \
        union {                                                                             \
          LockstepPlace lockstep_place;                                                     \
          LOCKSTEP_EACH(LOCKSTEP_MEMBER_REF, __VA_ARGS__)                                   \
        };                                                                                  \
        LOCKSTEP_INLINE explicit Ref(const LockstepPlace& place) : lockstep_place(place) {} \
        LOCKSTEP_NAMED_ELEMENT operator MemoryValue() const&;                               \
        LOCKSTEP_INLINE operator MemoryValue() && {                                         \
          return {LOCKSTEP_LISTED(LOCKSTEP_MEMBER_READ, __VA_ARGS__)};                      \
        }                                                                                   \
        LOCKSTEP_INLINE friend MemoryValue copy_of(Ref&& lockstep_from) {                   \
          return static_cast<Ref&&>(lockstep_from);                                         \
        }                                                                                   \
        LOCKSTEP_INLINE void operator=(const MemoryValue& lockstep_value) &&                \
            requires(!LockstepPlace::is_const) {                                            \
          LOCKSTEP_EACH(LOCKSTEP_MEMBER_WRITE, __VA_ARGS__)                                 \
        }                                                                                   \
        LOCKSTEP_INLINE void operator=(Ref&& lockstep_from) &&                              \
            requires(!LockstepPlace::is_const) {                                            \
          static_cast<Ref&&>(*this) = MemoryValue(static_cast<Ref&&>(lockstep_from));       \
        }                                                                                   \
      };                                                                                    \
    };                                                                                      \
  };                                                                                        \
  static_assert(sizeof(Name) == Name::LockstepStruct::layout.size &&                        \
                alignof(Name) == Name::LockstepStruct::layout.alignment)
