#pragma once

#include <lockstep/lanes/detail/plain.hpp>
#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
/// A variable of a kernel: Lanes that can be assigned, in the active lanes only.
///
/// Declared by `auto x = var(0u);`. It is a Lanes<T, W>, so everything that takes one takes the
/// variable. Prefer `const Uint x = ...` for values that never change: it needs no mask.
///
/// Requires      Created inside a kernel; neither copied nor moved (`const Uint y = x;` reads it).
/// Active lanes  Assignment changes active lanes and leaves the others unchanged; the initial value
///               goes into every lane.
/// Errors        None.
/// Cost          One blend per register and assignment.
/// Spec          GLSL local variable · SPIR-V OpVariable Function, OpStore
/// Example       kernels/allocate
template <class T, int W>
class Var : public Lanes<T, W> {
  using L = Lanes<T, W>;
  using Operand = detail::RightOperand<L>;
  /// Operands that are lanes leave integers of C++ to overloads of their own.
  template <class U>
  static constexpr bool is_uniform =
      std::same_as<Operand, L>&& detail::UniformInteger<U, detail::Plain<T>>;

 public:
  LOCKSTEP_INLINE Var(const Mask<W>& active, const L& initial) : L(initial), active_(active) {}
  /// The mask must outlive the variable, which refers to it.
  Var(const Mask<W>&& active, const L& initial) = delete;
  Var(const Var&) = delete;

  /// Sets the active lanes to `value`.
  LOCKSTEP_INLINE Var& operator=(const L& value) {
    L::replace(select(active_, value, static_cast<const L&>(*this)));
    return *this;
  }
  /// Sets the active lanes to the other variable's values.
  LOCKSTEP_INLINE Var& operator=(const Var& other) { return *this = static_cast<const L&>(other); }

  // clang-format off
  LOCKSTEP_INLINE Var& operator+=(const L& v) { return *this = *this + v; }
  LOCKSTEP_INLINE Var& operator-=(const L& v) { return *this = *this - v; }
  LOCKSTEP_INLINE Var& operator*=(const L& v) { return *this = *this * v; }
  LOCKSTEP_INLINE Var& operator/=(const Operand& v) { return *this = *this / v; }
  template <class U> requires(is_uniform<U>)
  LOCKSTEP_INLINE Var& operator/=(U v) { return *this = *this / static_cast<detail::Plain<T>>(v); }
  LOCKSTEP_INLINE Var& operator%=(const Operand& v) { return *this = *this % v; }
  template <class U> requires(is_uniform<U>)
  LOCKSTEP_INLINE Var& operator%=(U v) { return *this = *this % static_cast<detail::Plain<T>>(v); }
  LOCKSTEP_INLINE Var& operator&=(const L& v) { return *this = *this & v; }
  LOCKSTEP_INLINE Var& operator|=(const L& v) { return *this = *this | v; }
  LOCKSTEP_INLINE Var& operator^=(const L& v) { return *this = *this ^ v; }
  LOCKSTEP_INLINE Var& operator<<=(const Operand& v) { return *this = *this << v; }
  LOCKSTEP_INLINE Var& operator>>=(const Operand& v) { return *this = *this >> v; }
  LOCKSTEP_INLINE Var& operator++() { return *this = *this + L(detail::Plain<T>(1)); }
  LOCKSTEP_INLINE Var& operator--() { return *this = *this - L(detail::Plain<T>(1)); }
  /// Gives the value before.
  LOCKSTEP_INLINE L operator++(int) { const L old = *this; ++*this; return old; }
  LOCKSTEP_INLINE L operator--(int) { const L old = *this; --*this; return old; }
  // clang-format on

 private:
  const Mask<W>& active_;
};

/// A variable of T in a kernel on machine S.
template <class S, class T>
using VarOn = Var<typename S::Numbers::template Scalar<T>, S::width>;

}  // namespace lockstep::inline LOCKSTEP_ABI

// In std, because kernels that call std::swap look nowhere else. Compilers show the line of a deleted function.
namespace std {
template <class T, int W>
void swap(lockstep::Var<T, W>&, lockstep::Var<T, W>&) = delete;  // const Uint x = a; a = b; b = x;
}  // namespace std
