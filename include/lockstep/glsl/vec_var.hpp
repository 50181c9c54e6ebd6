#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <lockstep/glsl/var.hpp>
#include <lockstep/glsl/vec.hpp>
#include <lockstep/lanes/detail/element.hpp>
#include <lockstep/lanes/detail/rebuild.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

/// A vector or a matrix.
template <class V>
concept Compound = requires(const V& v, Mask<V::width> lanes) {
  v[0];
  { select(lanes, v, v) } -> std::convertible_to<V>;
};

/// The result of []: a component of a vector, a column of a matrix.
template <class V>
using PartOf = std::remove_cvref_t<decltype(std::declval<const V&>()[0])>;

/// Part number k of a variable, for reading or assignment; it cannot be named, as an element of an array.
template <class Variable, class Part>
class PartVar {
 public:
  using MemoryValue = Part;

  LOCKSTEP_INLINE PartVar(Variable& variable, int k) : variable_(variable), k_(k) {}
  PartVar(const PartVar&) = delete;

  LOCKSTEP_INLINE operator const Part&() && { return value(); }
  LOCKSTEP_NAMED_ELEMENT operator const Part&() const&;

  /// Does not compile: lanes may differ.
  template <std::same_as<bool> B>
  requires BoolPerLane<Part>
  explicit operator B() const { return one_bool_of_lanes<B>(); }

  /// The result of [] on the part: a component of a column, a lane of a component.
  LOCKSTEP_INLINE decltype(auto) operator[](int i) && { return value()[i]; }

  /// Sets the part in the active lanes.
  LOCKSTEP_INLINE void operator=(const Part& value) && {
    variable_ = Variable::generate([&](auto k) __attribute__((always_inline))->Part {
      return k == k_ ? value : std::as_const(variable_)[k];
    });
  }
  LOCKSTEP_INLINE void operator=(PartVar&& other) && {
    static_cast<PartVar&&>(*this) = other.value();
  }
  LOCKSTEP_NAMED_ELEMENT void operator=(const PartVar&) &&;
  LOCKSTEP_ELEMENT_ASSIGNMENTS(Part, true)
  /// For compound assignments: the value before.
  LOCKSTEP_INLINE const Part& read_to_change() const { return value(); }

 private:
  LOCKSTEP_INLINE const Part& value() const { return std::as_const(variable_)[k_]; }

  Variable& variable_;
  int k_;
};

}  // namespace detail

/// A kernel variable that is a vector or a matrix: assigned in the active lanes only.
///
/// Declared by `auto v = var(vec3(0.0f));`. It is a Vec or Mat, so everything that takes one takes
/// the variable. Components and selections of them are read and assigned by name, `v.y = lanes`,
/// `v.xz += pair`, `v.rgb = color`, or a component by its number, `v[k] = lanes`; `m[1] = column`
/// assigns a matrix's column.
///
/// Requires      V is a Vec or Mat; as for Var.
/// Active lanes  Assignment changes active lanes and leaves the others unchanged; the initial value
///               goes into every lane.
/// Errors        Assigning to v.xx does not compile.
/// Cost          One blend per register and assignment.
/// Spec          GLSL local variable · SPIR-V OpVariable Function, OpStore
/// Example       tests/glsl/vec_var.cpp
template <detail::Compound V>
class CompoundVar : public detail::VarParts<CompoundVar<V>, V> {
  static constexpr int W = V::width;

 public:
  LOCKSTEP_INLINE CompoundVar(const Mask<W>& active, const V& initial)
      : detail::VarParts<CompoundVar, V>(initial), active_(active) {}
  /// The mask must outlive the variable, which refers to it.
  CompoundVar(const Mask<W>&& active, const V& initial) = delete;
  CompoundVar(const CompoundVar&) = delete;

  /// Sets the active lanes to `value`.
  LOCKSTEP_INLINE CompoundVar& operator=(const V& value) {
    detail::rebuild(static_cast<V*>(this), select(active_, value, static_cast<const V&>(*this)));
    return *this;
  }
  /// Sets the active lanes to the other variable's values.
  LOCKSTEP_INLINE CompoundVar& operator=(const CompoundVar& other) {
    return *this = static_cast<const V&>(other);
  }

#define LOCKSTEP_COMPOUND_ASSIGN(op)                         \
  template <class A>                                         \
  requires requires(const V& v, const A& a) {                \
    { v op a } -> std::convertible_to<V>;                    \
  }                                                          \
  LOCKSTEP_INLINE CompoundVar& operator op##=(const A& by) { \
    return *this = static_cast<const V&>(*this) op by;       \
  }
  LOCKSTEP_COMPOUND_ASSIGN(+)
  LOCKSTEP_COMPOUND_ASSIGN(-)
  LOCKSTEP_COMPOUND_ASSIGN(*)
  LOCKSTEP_COMPOUND_ASSIGN(/)
  LOCKSTEP_COMPOUND_ASSIGN(%)
  LOCKSTEP_COMPOUND_ASSIGN(&)
  LOCKSTEP_COMPOUND_ASSIGN(|)
  LOCKSTEP_COMPOUND_ASSIGN(^)
  LOCKSTEP_COMPOUND_ASSIGN(<<)
  LOCKSTEP_COMPOUND_ASSIGN(>>)
#undef LOCKSTEP_COMPOUND_ASSIGN
#define LOCKSTEP_COMPOUND_STEP(op)                                    \
  LOCKSTEP_INLINE CompoundVar& operator op##op() {                    \
    return *this = static_cast<const V&>(*this) op detail::one_of<V>; \
  }                                                                   \
  /** Gives the value before. */                                      \
  LOCKSTEP_INLINE V operator op##op(int) {                            \
    const V old = *this;                                              \
    op##op* this;                                                     \
    return old;                                                       \
  }
  LOCKSTEP_COMPOUND_STEP(+)
  LOCKSTEP_COMPOUND_STEP(-)
#undef LOCKSTEP_COMPOUND_STEP

  using V::operator[];
  /// A vector's component or a matrix's column, for reading or assignment. Requires k to be in range.
  LOCKSTEP_INLINE detail::PartVar<CompoundVar, detail::PartOf<V>> operator[](int k) {
    return {*this, k};
  }

 private:
  const Mask<W>& active_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI

// As for Var.
namespace std {
template <class V>
void swap(lockstep::CompoundVar<V>&, lockstep::CompoundVar<V>&) = delete;  // vec3 x = a; ...
}  // namespace std
