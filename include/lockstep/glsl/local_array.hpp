#pragma once

#include <concepts>
#include <utility>

#include <lockstep/exec/machine.hpp>
#include <lockstep/exec/used.hpp>
#include <lockstep/glsl/vec_var.hpp>
#include <lockstep/lanes/detail/rebuild.hpp>
#include <lockstep/workgroup/traced_memory.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// The values of T in the lanes of machine S: a vector as it is, a number or bool in lanes.
template <class S, class T>
struct RowOf {
  using type = ValueOn<S, T>;
};
template <class S, Compound T>
struct RowOf<S, T> {
  using type = T;
};

/// Which of a kernel's arrays one is, for observers: of those that exist at a time each has another number.
template <class State>
struct ArrayNumber {
  LOCKSTEP_INLINE explicit ArrayNumber(State&) {}
};
template <class State>
requires requires(const State& state) { state.local_arrays; }
struct ArrayNumber<State> {
  explicit ArrayNumber(State& of) : state(of), number(of.local_arrays++) {}
  ArrayNumber(const ArrayNumber&) = delete;
  ~ArrayNumber() { --state.local_arrays; }

  State& state;
  const std::uint32_t number;
};

}  // namespace detail

/// One element per lane of a local array: as Element, without atomics.
template <class Row, class Array, class Index>
class LocalElement {
 public:
  using MemoryValue = Row;

  LOCKSTEP_INLINE LocalElement(Array& array, const Index& index, SourceLocation where)
      : array_(array), index_(index), where_(where) {}
  LocalElement(const LocalElement&) = delete;

  /// Reads the element of each active lane.
  LOCKSTEP_INLINE operator MemoryValue() && { return array_.load(index_, where_); }
  LOCKSTEP_NAMED_ELEMENT operator MemoryValue() const&;

  /// Does not compile: lanes may differ.
  template <std::same_as<bool> B>
  requires detail::BoolPerLane<Row>
  explicit operator B() const { return detail::one_bool_of_lanes<B>(); }

  /// Writes each active lane's value to its element.
  LOCKSTEP_INLINE void operator=(const MemoryValue& value) && {
    array_.store(index_, value, where_);
  }
  /// Reads the other element, then writes.
  LOCKSTEP_INLINE void operator=(LocalElement&& other) && {
    array_.store(index_, MemoryValue(static_cast<LocalElement&&>(other)), where_);
  }
  LOCKSTEP_NAMED_ELEMENT void operator=(const LocalElement&) &&;
  LOCKSTEP_ELEMENT_ASSIGNMENTS(Row, true)
  /// For compound assignments: the value before.
  LOCKSTEP_INLINE Row read_to_change() const { return array_.load(index_, where_); }

 private:
  Array& array_;
  Index index_;
  SourceLocation where_;
};

/// An array of each invocation: `Array<uint, 16> bins{this};` in a kernel's function. It starts with the N values
/// that follow `this`, or else with zeros, which GLSL does not promise: in a checked run such elements are undefined
/// until they are written.
///
/// Requires      Constructed with the kernel's `this`; T is a number, bool or vector.
/// Active lanes  As Element. Lanes that are not active keep their elements.
/// Errors        As Element. Observers see accesses with an index per lane. A uniform index, like a constant one in
///               a shader, names a variable, and variables are not memory.
/// Cost          One selection for a uniform index, otherwise N.
/// Spec          GLSL array as a local variable · SPIR-V OpTypeArray, StorageClass Function
/// Example       tests/glsl/local_array.cpp
template <class T, int N, class S>
class LocalArray {
  static_assert(N >= 1, "an array has elements");
  using Uint = ValueOn<S, std::uint32_t>;
  using Int = ValueOn<S, std::int32_t>;
  using PlainUint = Lanes<std::uint32_t, S::width>;

 public:
  using Row = typename detail::RowOf<S, T>::type;

  template <class K>
  LOCKSTEP_INLINE explicit(false)
      LocalArray(K* kernel, SourceLocation declared = SourceLocation::current())
      : LocalArray(
            kernel,
            unwritten(kernel->lockstep_state(), zero(), "an element of this array", declared),
            std::make_integer_sequence<int, N>()) {}
  /// With these elements.
  template <class K, class... V>
  requires(sizeof...(V) == N) LOCKSTEP_INLINE LocalArray(K* kernel, const V&... values)
      : rows_{Row(values)...},
        state_(&kernel->lockstep_state()),
        location_(&kernel->lockstep_location()),
        number_(*state_) {}
  LocalArray(const LocalArray&) = delete;
  LocalArray& operator=(const LocalArray&) = delete;

  /// Each lane's element.
  LOCKSTEP_INLINE LocalElement<Row, LocalArray, Uint> operator[](
      const detail::LaneIndex<Uint>& index) {
    return {*this, index.lanes, index.where};
  }
  /// Each lane's element; a negative index is out of bounds.
  LOCKSTEP_INLINE LocalElement<Row, LocalArray, Uint> operator[](
      const detail::ConvertedIndex<Uint, Int>& index) {
    return {*this, index.lanes, index.where};
  }
  /// The same element for all lanes.
  LOCKSTEP_INLINE LocalElement<Row, LocalArray, std::uint32_t> operator[](
      const detail::UniformIndex& index) {
    return {*this, index.value, index.where};
  }
  /// Number of elements.
  static constexpr std::uint32_t length() { return N; }

 private:
  template <class R, class A, class I>
  friend class LocalElement;

  template <class K, int... I>
  LOCKSTEP_INLINE LocalArray(K* kernel, const Row& initial, std::integer_sequence<int, I...>)
      : rows_{(static_cast<void>(I), initial)...},
        state_(&kernel->lockstep_state()),
        location_(&kernel->lockstep_location()),
        number_(*state_) {}
  LOCKSTEP_INLINE static Row zero() { return Row(detail::Plain<typename Row::value_type>(0)); }

  LOCKSTEP_INLINE Row load(const Uint& index, SourceLocation where) const {
    const PlainUint& at = used(*state_, index, where, UseKind::index);
    report(AccessKind::read, at, where);
    Row result = zero();
    for (std::uint32_t k = 0; k < N; ++k)
      detail::rebuild(&result, select((at == PlainUint(k)).mask(), rows_[k], Row(result)));
    if constexpr (S::tangled) tell(AccessKind::read, at, result, where);
    return result;
  }
  LOCKSTEP_INLINE Row load(std::uint32_t index, SourceLocation where) const {
    if (index < N) return rows_[index];
    if (state_->active.any_lane()) fault(AccessKind::read, index, state_->active.first(), where);
    return zero();
  }
  LOCKSTEP_INLINE void store(const Uint& index, const Row& value, SourceLocation where) {
    const PlainUint& at = used(*state_, index, where, UseKind::index);
    report(AccessKind::write, at, where);
    for (std::uint32_t k = 0; k < N; ++k)
      replace(k, (at == PlainUint(k)).mask() & state_->active, value);
    if constexpr (S::tangled) tell(AccessKind::write, at, value, where);
  }
  LOCKSTEP_INLINE void store(std::uint32_t index, const Row& value, SourceLocation where) {
    if (index < N)
      replace(index, state_->active, value);
    else if (state_->active.any_lane())
      fault(AccessKind::write, index, state_->active.first(), where);
  }
  LOCKSTEP_INLINE void replace(std::uint32_t k, Mask<S::width> lanes, const Row& value) {
    detail::rebuild(&rows_[k], select(lanes, value, Row(rows_[k])));
  }

  LOCKSTEP_INLINE void report(AccessKind kind, const PlainUint& at, SourceLocation where) const {
    const Mask<S::width> outside = state_->active & (at >= PlainUint(std::uint32_t{N})).mask();
    if (outside.any_lane()) [[unlikely]]
      for_each_lane(outside, [&](int i) { fault(kind, at[i], i, where); });
  }
  LOCKSTEP_INLINE void fault(AccessKind kind, std::uint32_t index, int lane,
                             SourceLocation where) const {
    detail::note_outside(location_, where, kind, {0, MemoryObject::Kind::private_memory},
                         LaneAccess::Unit::element, index, N, lane);
  }

  /// Of the value that was read or written.
  void tell(AccessKind kind, const PlainUint& at, const Row& value, SourceLocation where) const {
    exec::settle(*state_);
    if (!state_->stack->interest.conflict_free) return;
    using Number = detail::Plain<typename Row::value_type>;
    constexpr auto numbers = detail::TouchedNumbers::several<Number>(components);
    const detail::View<Number, S::width> array{
        .size = N, .binding = {number_.number, MemoryObject::Kind::private_memory}};
    const auto byte = [&](int i) {
      return detail::byte_of_element(at[i], N, numbers.bytes * numbers.count);
    };
    const auto values = [&] {
      AccessValues made;
      (kind == AccessKind::read ? made.result : made.operands.emplace_back()) =
          exec::to_lane_values<S::width>(value);
      return made;
    };
    detail::tell_access(
        *state_, kind, where, state_->active,
        [&] { return detail::access_of(array, numbers, numbers.bytes * numbers.count, byte); },
        values);
  }

  static constexpr std::uint32_t components = [] {
    if constexpr (requires { Row::components; })
      return static_cast<std::uint32_t>(Row::components);
    else
      return 1u;
  }();

  Row rows_[N];
  typename S::State* state_;
  Location* location_;
  [[no_unique_address]] detail::ArrayNumber<typename S::State> number_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
