#pragma once

#include <limits>

#include <lockstep/checked/detail/poison.hpp>
#include <lockstep/glsl/var.hpp>
#include <lockstep/lanes/detail/rebuild.hpp>

/// \file
/// Lanes that know where they are undefined.

namespace lockstep::inline LOCKSTEP_ABI {
namespace checked {

template <class T, int W>
using Value = Lanes<Checked<T>, W>;

template <class A>
concept CheckedLanes = requires(const A& a) {
  a.plain();
  a.poison();
};

/// The right operand of an operator that is not defined for all numbers, and where it stands in the source: a default
/// argument is the only way to find out, and operators have none.
template <class T, int W>
struct Operand {
  Value<T, W> lanes;
  bool is_uniform;  ///< operators on one number for all lanes are faster
  SourceLocation where;

  template <std::convertible_to<Value<T, W>> A>
  LOCKSTEP_INLINE Operand(A&& from, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE())
      : lanes(static_cast<A&&>(from)),
        is_uniform(std::is_arithmetic_v<std::remove_cvref_t<A>>),
        where{file, line} {}
};

/// Where a product or conjunction is undefined: not where a defined operand decides it by itself.
template <int W>
[[gnu::noinline]] Poison<W> absorbed(Poison<W> a, Poison<W> b, Mask<W> a_decides,
                                     Mask<W> b_decides) {
  return a.without(b_decides.without(b.lanes)) | b.without(a_decides.without(a.lanes));
}

/// The lanes whose integral part an integer type cannot hold.
template <class To, class From, int W>
Mask<W> not_convertible(const Lanes<From, W>& from) {
  constexpr int magnitude = std::numeric_limits<To>::digits;
  const auto power = [](int n) {
    double result = 1;
    for (; n > 0; --n) result *= 2;
    return result;
  };
  const double above = power(magnitude);
  const double least = std::is_signed_v<To> ? -above : 0;
  const Lanes<double, W> x(from);
  // Fractions below the least number are cut off, where a double has them.
  const Lanes<bool, W> is_enough = magnitude < 53 || std::is_unsigned_v<To>
                                       ? x > Lanes<double, W>(least - 1)
                                       : x >= Lanes<double, W>(least);
  return (!((x < Lanes<double, W>(above)) & is_enough)).mask();
}

}  // namespace checked

/// Lanes that may be undefined: the values of kernels on a CheckedMachine.
///
/// Requires      As Lanes<T, W>.
/// Active lanes  As Lanes<T, W>.
/// Errors        None: undefined lanes are reported where they become visible.
/// Cost          As Lanes<T, W>, and a few instructions on masks as long as nothing is undefined.
/// Spec          SPIR-V: undefined values
/// Example       tests/checked/machine.cpp
template <class T, int W>
class Lanes<checked::Checked<T>, W> {
  using Operand = checked::Operand<T, W>;
  using Poison = checked::Poison<W>;
  /// Whether converting a U can be undefined.
  template <class U>
  static constexpr bool is_cut_off = lockstep::detail::Integer<T>&& lockstep::detail::Floating<U>;

 public:
  using Plain = Lanes<T, W>;
  using value_type = checked::Checked<T>;
  using Bool = checked::Value<bool, W>;
  static constexpr int width = W;
  static constexpr int physical = Plain::physical;

  Lanes() = delete;  // a value is needed: Uint x = 0u, or a variable: auto x = var(0u)
  Lanes(const Lanes&) = default;
  /// Deleted: assignment must respect the active mask. Make a variable with var(value) and assign to
  /// that.
  Lanes& operator=(const Lanes&) = delete;

  /// The same value in every lane.
  LOCKSTEP_INLINE Lanes(std::same_as<T> auto uniform) : value_(uniform) {}
  /// The same, converted; explicit where that loses more than GLSL's implicit conversions do.
  template <lockstep::detail::UniformFor<T> U>
  requires(!is_cut_off<U>) LOCKSTEP_INLINE explicit(lockstep::detail::narrows<U, T>)
      Lanes(const U& uniform)
      : value_(uniform) {}
  template <lockstep::detail::UniformFor<T> U>
  requires(is_cut_off<U>) LOCKSTEP_INLINE
      explicit Lanes(const U& uniform, const char* file = __builtin_FILE(),
                     int line = __builtin_LINE())
      : value_(uniform), poison_(converted(Lanes<U, W>(uniform), {file, line})) {}
  /// Defined lanes.
  LOCKSTEP_INLINE Lanes(const Plain& value) : value_(value) {}
  LOCKSTEP_INLINE Lanes(const Plain& value, const Poison& poison)
      : value_(value), poison_(poison) {}
  /// Defined lanes converted.
  template <class U>
  requires(!std::same_as<U, T> && std::is_arithmetic_v<U>) LOCKSTEP_INLINE
      explicit Lanes(const Lanes<U, W>& from, const char* file = __builtin_FILE(),
                     int line = __builtin_LINE())
      : value_(from), poison_(converted(from, {file, line})) {}
  /// Each lane converted, as GLSL's constructor of that type does.
  template <class U>
  requires(!std::same_as<U, T>) LOCKSTEP_INLINE
      explicit Lanes(const checked::Value<U, W>& from, const char* file = __builtin_FILE(),
                     int line = __builtin_LINE())
      : value_(from.plain()), poison_(from.poison() | converted(from.plain(), {file, line})) {}
  /// An element of an array, or a part of one, converted.
  template <lockstep::detail::ElementArgument E>
  requires(std::constructible_from<Lanes, lockstep::detail::ValueOfElement<E>> &&
           !std::same_as<Lanes, lockstep::detail::ValueOfElement<E>>) LOCKSTEP_INLINE
      explicit Lanes(E&& element, const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : Lanes(lockstep::detail::argument(static_cast<E&&>(element)), file, line) {}

  /// Lane i is f(i), for every physical lane.
  template <class F>
  LOCKSTEP_INLINE static Lanes generate(F&& f) {
    return Plain::generate(static_cast<F&&>(f));
  }
  /// Lane i is i.
  LOCKSTEP_INLINE static Lanes iota() { return Plain::iota(); }

  /// The numbers, also where they are undefined.
  LOCKSTEP_INLINE const Plain& plain() const { return value_; }
  /// Where they are undefined.
  LOCKSTEP_INLINE const Poison& poison() const { return poison_; }
  /// The value of lane `index`. Requires 0 <= index < W.
  LOCKSTEP_INLINE value_type operator[](int i) const { return {value_[i], poison_.lanes.test(i)}; }

#define LOCKSTEP_CHECKED_OPERATOR(op)                                                         \
  LOCKSTEP_INLINE friend auto operator op(const Lanes& a,                                     \
                                          const Lanes& b) requires requires(const Plain& p) { \
    p op p;                                                                                   \
  }                                                                                           \
  {                                                                                           \
    using R = typename decltype(a.value_ op b.value_)::value_type;                            \
    return checked::Value<R, W>(a.value_ op b.value_, a.poison_ | b.poison_);                 \
  }
  LOCKSTEP_CHECKED_OPERATOR(+)
  LOCKSTEP_CHECKED_OPERATOR(-)
  LOCKSTEP_CHECKED_OPERATOR(^)
  LOCKSTEP_CHECKED_OPERATOR(==)
  LOCKSTEP_CHECKED_OPERATOR(!=)
  LOCKSTEP_CHECKED_OPERATOR(<)
  LOCKSTEP_CHECKED_OPERATOR(<=)
  LOCKSTEP_CHECKED_OPERATOR(>)
  LOCKSTEP_CHECKED_OPERATOR(>=)
#undef LOCKSTEP_CHECKED_OPERATOR
  LOCKSTEP_INLINE friend Lanes operator*(const Lanes& a,
                                         const Lanes& b) requires lockstep::detail::Number<T> {
    if constexpr (lockstep::detail::Floating<T>)
      return {a.value_ * b.value_, a.poison_ | b.poison_};
    else
      return {a.value_ * b.value_, a.poison_of_decided(b, T(0))};
  }
  LOCKSTEP_INLINE friend Lanes operator&(const Lanes& a,
                                         const Lanes& b) requires(std::same_as<T, bool> ||
                                                                  lockstep::detail::Integer<T>) {
    return {a.value_ & b.value_, a.poison_of_decided(b, T(0))};
  }
  LOCKSTEP_INLINE friend Lanes operator|(const Lanes& a,
                                         const Lanes& b) requires(std::same_as<T, bool> ||
                                                                  lockstep::detail::Integer<T>) {
    if constexpr (std::same_as<T, bool>)
      return {a.value_ | b.value_, a.poison_of_decided(b, true)};
    else
      return {a.value_ | b.value_, a.poison_ | b.poison_};
  }
  LOCKSTEP_INLINE friend Lanes operator/(const Lanes& a,
                                         const Operand& b) requires lockstep::detail::Number<T> {
    const auto quotient = [&](const auto& by) { return a.value_ / by; };
    if constexpr (lockstep::detail::Floating<T>)
      return {quotient(b.lanes.value_), a.poison_ | b.lanes.poison_};
    else
      return a.divided(b, quotient);
  }
  LOCKSTEP_INLINE friend Lanes operator%(const Lanes& a,
                                         const Operand& b) requires lockstep::detail::Integer<T> {
    return a.divided(b, [&](const auto& by) { return a.value_ % by; });
  }
  LOCKSTEP_INLINE friend Lanes operator<<(const Lanes& a,
                                          const Operand& b) requires lockstep::detail::Integer<T> {
    return {a.value_ << b.lanes.value_, a.poison_ | b.lanes.poison_ | too_wide(b)};
  }
  LOCKSTEP_INLINE friend Lanes operator>>(const Lanes& a,
                                          const Operand& b) requires lockstep::detail::Integer<T> {
    return {a.value_ >> b.lanes.value_, a.poison_ | b.lanes.poison_ | too_wide(b)};
  }
  LOCKSTEP_INLINE friend Lanes operator!(const Lanes& a) requires std::same_as<T, bool> {
    return {!a.value_, a.poison_};
  }
  LOCKSTEP_INLINE friend Lanes operator~(const Lanes& a) requires lockstep::detail::Integer<T> {
    return {~a.value_, a.poison_};
  }
  LOCKSTEP_INLINE friend Lanes operator-(const Lanes& a) requires lockstep::detail::Number<T> {
    return {-a.value_, a.poison_};
  }

  /// a in the lanes of `mask`, b in the others.
  LOCKSTEP_INLINE friend Lanes select(Mask<W> mask, const Lanes& a, const Lanes& b) {
    return {select(mask, a.value_, b.value_), select(mask, a.poison_, b.poison_)};
  }
  /// a in the lanes where `condition` is true, b in the others: GLSL's ?: without branches.
  LOCKSTEP_INLINE friend Lanes select(const Bool& condition, const Lanes& a, const Lanes& b) {
    const Mask<W> mask = condition.plain().mask();
    return {select(mask, a.value_, b.value_),
            condition.poison() | select(mask, a.poison_, b.poison_)};
  }

  /// Does not compile: lanes may differ. Branch with If (condition), or use subgroupAny / subgroupAll. && and || ask
  /// for one bool, too, and cannot short-circuit per lane: use & and |, or AndAlso and OrElse around side effects.
  template <std::same_as<bool> B>
  requires std::same_as<T, bool>
  explicit operator B() const { return lockstep::detail::one_bool_of_lanes<B>(); }

 protected:
  LOCKSTEP_INLINE void replace(const Lanes& value) {
    lockstep::detail::rebuild(&value_, value.value_);
    poison_ = value.poison_;
  }

 private:
  /// Of an operator whose result is `decided` if one operand is.
  LOCKSTEP_INLINE Poison poison_of_decided(const Lanes& b, T decided) const {
    if (!(poison_.lanes | b.poison_.lanes).any_lane()) [[likely]]
      return {};
    const Plain all(decided);
    return checked::absorbed(poison_, b.poison_, (value_ == all).mask(), (b.value_ == all).mask());
  }
  template <class F>
  LOCKSTEP_INLINE Lanes divided(const Operand& b, const F& quotient) const {
    const Plain& by = b.lanes.value_;
    Mask<W> outside = (by == Plain(T(0))).mask();
    if constexpr (std::is_signed_v<T>)
      outside = outside | ((by == Plain(T(-1))).mask() &
                           (value_ == Plain(std::numeric_limits<T>::min())).mask());
    return {b.is_uniform ? Plain(quotient(by[0])) : Plain(quotient(by)),
            poison_ | b.lanes.poison_ |
                Poison::from(Check::division_by_zero, outside, b.where,
                             std::is_signed_v<T> ? "signed" : "unsigned")};
  }
  LOCKSTEP_INLINE static Poison too_wide(const Operand& b) {
    using U = std::make_unsigned_t<T>;
    constexpr int bits = 8 * static_cast<int>(sizeof(T));
    return Poison::from(Check::shift_too_wide,
                        (Lanes<U, W>(b.lanes.value_) >= Lanes<U, W>(U{bits})).mask(), b.where,
                        "shift", bits);
  }
  template <class U>
  LOCKSTEP_INLINE static Poison converted(const Lanes<U, W>& from, SourceLocation where) {
    if constexpr (is_cut_off<U>)
      return Poison::from(Check::conversion_range, checked::not_convertible<T>(from), where,
                          "conversion");
    else
      return {};
  }

  Plain value_;
  Poison poison_;
};

/// Compound assignments know where they stand.
template <class T, int W>
struct detail::RightOperandOf<checked::Value<T, W>> {
  using type = checked::Operand<T, W>;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
