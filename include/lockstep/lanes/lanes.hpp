#pragma once

#include <bit>
#include <concepts>
#include <cstring>

#include <lockstep/lanes/detail/element.hpp>
#include <lockstep/lanes/detail/packs.hpp>
#include <lockstep/lanes/mask.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

template <class T, int W>
class Lanes;

namespace detail {

template <class F, class T, int W, class... U>
LOCKSTEP_INLINE auto map(F f, const Lanes<T, W>& v, const Lanes<U, W>&... more);

/// The type of the number that a uniform value is: for an enumerator its underlying type.
template <class U>
struct NumberType : std::type_identity<U> {};
template <class U>
requires std::is_enum_v<U>
struct NumberType<U> : std::underlying_type<U> {
};

template <class U, class T>
inline constexpr bool narrows_number =
    (std::floating_point<U> && Integer<T>) || std::same_as<U, bool> ||
    (std::integral<U> && sizeof(U) == 8 && sizeof(T) < 8 && Integer<T>);
/// Whether a uniform U may lose its value as a T: a fraction, the upper half of 64 bits, or that it is a bool.
/// C++'s literals of type int and double count as any integer and as float.
template <class U, class T>
inline constexpr bool narrows = narrows_number<typename NumberType<U>::type, T>;

/// A uniform value that is not yet a T: another number, an enumerator that stands for one, or a class that stands for
/// one number or bool and not for lanes.
template <class U, class T>
concept UniformFor =
    !std::same_as<U, T> &&
    (std::is_class_v<U>
         ? std::convertible_to<U, T> && !requires { U::width; }
         : (std::is_arithmetic_v<U> || (std::is_enum_v<U> && std::convertible_to<U, T>)) &&
               std::is_arithmetic_v<T> && !std::same_as<T, bool>);
template <class U, class T>
concept UniformInteger = Integer<T> && std::integral<U> && !narrows<U, T>;

template <class T, class U>
LOCKSTEP_INLINE constexpr T uniform_as(const U& uniform) {
  if constexpr (std::floating_point<U> && Integer<T>)
    return scalar::convert<T>(uniform);
  else
    return static_cast<T>(uniform);
}

}  // namespace detail

/// One value of type T in each of W lanes.
///
/// Requires      T is (u)int8/16/32/64_t, float, double, float16_t (lanes/float16.hpp) or bool; 1
///               <= W <= 128.
/// Active lanes  Lanes has no active mask: every operation computes all lanes, and inactive lanes
///               hold arbitrary values. There is no assignment, because assigning must respect the
///               active mask: kernels assign to variables made by var().
/// Errors        None: integers wrap, x / 0 and x % 0 give 0, shift counts wrap modulo the bit
///               width, float to integer saturates and turns NaN into 0.
/// Cost          One SIMD instruction per register of lanes. Integer / and % process one lane at a
///               time unless the divisor is a uniform power of two.
/// Spec          GLSL's component-wise operators · SPIR-V OpIAdd, OpFAdd, ...
/// Example       kernels/max_reduce
template <class T, int W>
class Lanes {
  static_assert(detail::Number<T>,
                "Lanes holds (u)int8/16/32/64_t, float, double, float16_t or bool");
  static_assert(1 <= W && W <= max_subgroup_size, "a subgroup has 1 to 128 lanes");

 public:
  using value_type = T;
  using Bool = Lanes<bool, W>;
  static constexpr int width = W;
  /// Lanes in storage: the next power of two. Those at and above W never exist for a kernel.
  static constexpr int physical = static_cast<int>(std::bit_ceil(static_cast<unsigned>(W)));
  using Packs = detail::Packs<T, physical>;
  using Ops = typename Packs::Ops;

  Lanes() = delete;  // a value is needed: Uint x = 0u, or a variable: auto x = var(0u)
  Lanes(const Lanes&) = default;
  /// Deleted: assignment must respect the active mask. Make a variable with var(value) and assign to
  /// that.
  Lanes& operator=(const Lanes&) = delete;

  /// The same value in every lane.
  LOCKSTEP_INLINE Lanes(std::same_as<T> auto uniform) : packs_(broadcast(uniform)) {}
  /// The same, converted; explicit where that loses more than GLSL's implicit conversions do.
  template <detail::UniformFor<T> U>
  LOCKSTEP_INLINE explicit(detail::narrows<U, T>) Lanes(const U& uniform)
      : packs_(broadcast(detail::uniform_as<T>(uniform))) {}
  /// Each lane converted, as GLSL's constructor of that type does.
  template <class U>
  requires(!std::same_as<U, T>) LOCKSTEP_INLINE explicit Lanes(const Lanes<U, W>& from)
      : packs_(convert(from)) {}
  /// An element of an array, or a part of one, converted.
  template <detail::ElementArgument E>
  requires(std::constructible_from<Lanes, detail::ValueOfElement<E>> &&
           !std::same_as<Lanes, detail::ValueOfElement<E>>) LOCKSTEP_INLINE
      explicit Lanes(E&& element)
      : Lanes(detail::argument(static_cast<E&&>(element))) {}
  /// For the layers below kernels: lanes from their storage.
  LOCKSTEP_INLINE explicit Lanes(const Packs& packs) : packs_(packs) {}

  /// Lane i is f(i), for every physical lane.
  template <class F>
  LOCKSTEP_INLINE static Lanes generate(F&& f) {
    alignas(64) T lane[physical];
    for (int i = 0; i < physical; ++i) lane[i] = static_cast<T>(f(i));
    return Lanes(detail::load_packs<T, physical>(lane));
  }
  /// Lane i is i.
  LOCKSTEP_INLINE static Lanes iota() {
    return generate([](int i) { return i; });
  }
  /// Lane i is from[i] for i < W; exactly W elements are read.
  LOCKSTEP_INLINE static Lanes load(const T* from) {
    if constexpr (W == physical) {
      return Lanes(detail::load_packs<T, physical>(from));
    } else {
      alignas(64) T lane[physical] = {};
      std::memcpy(lane, from, W * sizeof(T));
      return Lanes(detail::load_packs<T, physical>(lane));
    }
  }
  /// Writes lane i to to[i] for i < W; exactly W elements are written.
  LOCKSTEP_INLINE void store(T* to) const {
    if constexpr (W == physical) {
      detail::store_packs<T, physical>(to, packs_);
    } else {
      alignas(64) T lane[physical];
      detail::store_packs<T, physical>(lane, packs_);
      std::memcpy(to, lane, W * sizeof(T));
    }
  }

  /// The value of lane `index`. Requires 0 <= index < physical.
  LOCKSTEP_INLINE T operator[](int index) const {
    T value;
    std::memcpy(
        &value,
        reinterpret_cast<const char*>(&packs_) + static_cast<std::size_t>(index) * sizeof(T),
        sizeof(T));
    return value;
  }
  /// The value of lane 0, without going through memory.
  LOCKSTEP_INLINE T lane0() const { return Ops::first(packs_.batch[0]); }
  /// For the layers below kernels: the storage.
  LOCKSTEP_INLINE const Packs& packs() const { return packs_; }

  LOCKSTEP_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return each(LOCKSTEP_INLINED(Ops::add), a, b);
  }
  LOCKSTEP_INLINE friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return each(LOCKSTEP_INLINED(Ops::sub), a, b);
  }
  LOCKSTEP_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return each(LOCKSTEP_INLINED(Ops::mul), a, b);
  }
  LOCKSTEP_INLINE friend Lanes operator-(const Lanes& a) {
    return each(LOCKSTEP_INLINED(Ops::neg), a);
  }
  LOCKSTEP_INLINE friend Lanes operator/(const Lanes& a, const Lanes& b) {
    if constexpr (detail::Floating<T>)
      return each(LOCKSTEP_INLINED(Ops::div), a, b);
    else
      return detail::map(LOCKSTEP_INLINED(detail::scalar::div<T>), a, b);
  }
  LOCKSTEP_INLINE friend Lanes operator%(const Lanes& a,
                                         const Lanes& b) requires detail::Integer<T> {
    return detail::map(LOCKSTEP_INLINED(detail::scalar::mod<T>), a, b);
  }
  /// Division by a uniform value: a shift when it is a power of two.
  template <detail::UniformInteger<T> U>
  LOCKSTEP_INLINE friend Lanes operator/(const Lanes& a, U uniform) {
    const T b = static_cast<T>(uniform);
    if constexpr (std::is_unsigned_v<T>) {
      if (std::has_single_bit(b)) return a >> Lanes(static_cast<T>(std::countr_zero(b)));
    }
    return a / Lanes(b);
  }
  /// Remainder by a uniform value: a bit mask when it is a power of two.
  template <detail::UniformInteger<T> U>
  LOCKSTEP_INLINE friend Lanes operator%(const Lanes& a, U uniform) {
    const T b = static_cast<T>(uniform);
    if (b > 0 && std::has_single_bit(static_cast<std::make_unsigned_t<T>>(b))) {
      return a & Lanes(static_cast<T>(b - 1));
    }
    return a % Lanes(b);
  }

  LOCKSTEP_INLINE friend Lanes operator&(const Lanes& a,
                                         const Lanes& b) requires detail::Integer<T> {
    return each(LOCKSTEP_INLINED(Ops::bit_and), a, b);
  }
  LOCKSTEP_INLINE friend Lanes operator|(const Lanes& a,
                                         const Lanes& b) requires detail::Integer<T> {
    return each(LOCKSTEP_INLINED(Ops::bit_or), a, b);
  }
  LOCKSTEP_INLINE friend Lanes operator^(const Lanes& a,
                                         const Lanes& b) requires detail::Integer<T> {
    return each(LOCKSTEP_INLINED(Ops::bit_xor), a, b);
  }
  LOCKSTEP_INLINE friend Lanes operator~(const Lanes& a) requires detail::Integer<T> {
    return a ^ Lanes(static_cast<T>(-1));
  }
  LOCKSTEP_INLINE friend Lanes operator<<(const Lanes& a,
                                          const Lanes& count) requires detail::Integer<T> {
    return each(LOCKSTEP_INLINED(Ops::shl), a, count);
  }
  LOCKSTEP_INLINE friend Lanes operator>>(const Lanes& a,
                                          const Lanes& count) requires detail::Integer<T> {
    return each(LOCKSTEP_INLINED(Ops::shr), a, count);
  }

  LOCKSTEP_INLINE friend Bool operator==(const Lanes& a, const Lanes& b) {
    return test(LOCKSTEP_INLINED(Ops::equal), a, b);
  }
  LOCKSTEP_INLINE friend Bool operator!=(const Lanes& a, const Lanes& b) { return !(a == b); }
  LOCKSTEP_INLINE friend Bool operator<(const Lanes& a, const Lanes& b) {
    return test(LOCKSTEP_INLINED(Ops::less), a, b);
  }
  LOCKSTEP_INLINE friend Bool operator<=(const Lanes& a, const Lanes& b) {
    return test(LOCKSTEP_INLINED(Ops::less_equal), a, b);
  }
  LOCKSTEP_INLINE friend Bool operator>(const Lanes& a, const Lanes& b) { return b < a; }
  LOCKSTEP_INLINE friend Bool operator>=(const Lanes& a, const Lanes& b) { return b <= a; }

  /// a in the lanes of `mask`, b in the others.
  LOCKSTEP_INLINE friend Lanes select(Mask<W> mask, const Lanes& a, const Lanes& b) {
    return Lanes(detail::make_packs<T, physical>([&](int k) __attribute__((always_inline)) {
      return Ops::select(detail::batch_bits<Packs::lanes_each>(mask.bits(), k), a.packs_.batch[k],
                         b.packs_.batch[k]);
    }));
  }
  /// a in the lanes where `condition` is true, b in the others: GLSL's ?: without branches.
  LOCKSTEP_INLINE friend Lanes select(const Bool& condition, const Lanes& a, const Lanes& b) {
    return select(condition.mask(), a, b);
  }

 protected:
  /// For variables, which know the active mask: replaces every lane.
  LOCKSTEP_INLINE void replace(const Lanes& value) { packs_ = value.packs_; }

 private:
  LOCKSTEP_INLINE static Packs broadcast(T value) {
    return detail::make_packs<T, physical>([&](int) __attribute__((always_inline)) {
      return Ops::splat(value);
    });
  }

  template <class F, class... L>
  LOCKSTEP_INLINE static Lanes each(F f, const L&... v) {
    return Lanes(detail::make_packs<T, physical>([&](int k) __attribute__((always_inline)) {
      return f(v.packs_.batch[k]...);
    }));
  }

  template <class F>
  LOCKSTEP_INLINE static Bool test(F f, const Lanes& a, const Lanes& b) {
    using Word = typename Mask<W>::Word;
    return Mask<W>::from_bits(detail::collect_bits<Word, T, physical>([&](
        int k) __attribute__((always_inline)) { return f(a.packs_.batch[k], b.packs_.batch[k]); }));
  }

  template <class U>
  LOCKSTEP_INLINE static Packs convert(const Lanes<U, W>& from) {
    if constexpr (std::same_as<U, bool>) {
      return select(from.mask(), Lanes(T(1)), Lanes(T(0))).packs_;
    } else if constexpr (detail::Integer<T> && detail::Integer<U> && sizeof(T) == sizeof(U)) {
      return detail::reinterpret_packs<T>(from.packs());
    } else {
      return detail::map([](U value) { return detail::scalar::convert<T>(value); }, from).packs_;
    }
  }

  template <class U, int V>
  friend class Lanes;

  Packs packs_;
};

/// One bool per lane, held as a mask. Comparisons return it; If and select take it.
///
/// Requires      1 <= W <= 128.
/// Active lanes  As for every Lanes: all lanes are computed, inactive ones hold arbitrary values.
/// Errors        None. `bool(lanes)`, `&&` and `||` do not compile: a kernel branches with If
///               (condition), combines conditions with & and |, or calls subgroupAny or subgroupAll
///               for a uniform answer.
/// Cost          As Mask<W>.
/// Spec          GLSL bool · SPIR-V OpTypeBool
/// Example       kernels/allocate
template <int W>
class Lanes<bool, W> {
 public:
  using value_type = bool;
  using Bool = Lanes;
  static constexpr int width = W;
  static constexpr int physical = static_cast<int>(std::bit_ceil(static_cast<unsigned>(W)));

  Lanes() = delete;  // a value is needed: Uint x = 0u, or a variable: auto x = var(0u)
  Lanes(const Lanes&) = default;
  /// Deleted: assignment must respect the active mask. Make a variable with var(value) and assign to
  /// that.
  Lanes& operator=(const Lanes&) = delete;

  /// The same value in every lane.
  LOCKSTEP_INLINE Lanes(std::same_as<bool> auto uniform)
      : mask_(uniform ? Mask<W>::all() : Mask<W>::none()) {}
  /// The same of a class that stands for one bool.
  template <detail::UniformFor<bool> U>
  LOCKSTEP_INLINE Lanes(const U& uniform) : Lanes(static_cast<bool>(uniform)) {}
  /// True in exactly the lanes of `mask`.
  LOCKSTEP_INLINE Lanes(Mask<W> mask) : mask_(mask) {}
  /// True where the number is not zero, as GLSL's bool constructor.
  template <detail::Number U>
  LOCKSTEP_INLINE explicit Lanes(const Lanes<U, W>& from) : Lanes(from != Lanes<U, W>(U(0))) {}

  /// The same of an element of an array, or a part of one.
  template <detail::ElementArgument E>
  requires(detail::Number<typename detail::ValueOfElement<E>::value_type>) LOCKSTEP_INLINE
      explicit Lanes(E&& element)
      : Lanes(detail::argument(static_cast<E&&>(element))) {}

  /// Lane i is f(i).
  template <class F>
  LOCKSTEP_INLINE static Lanes generate(F&& f) {
    typename Mask<W>::Word bits = 0;
    for (int i = 0; i < W; ++i) bits |= static_cast<typename Mask<W>::Word>(f(i) ? 1 : 0) << i;
    return Mask<W>::from_bits(bits);
  }
  /// Lane i is from[i] for i < W.
  LOCKSTEP_INLINE static Lanes load(const bool* from) {
    return generate([&](int i) { return from[i]; });
  }
  /// Writes lane i to to[i] for i < W.
  LOCKSTEP_INLINE void store(bool* to) const {
    for (int i = 0; i < W; ++i) to[i] = mask_.test(i);
  }

  /// The lanes that are true.
  LOCKSTEP_INLINE Mask<W> mask() const { return mask_; }
  /// The value of lane `index`; false for lanes that do not exist.
  LOCKSTEP_INLINE bool operator[](int index) const { return index < W && mask_.test(index); }

  LOCKSTEP_INLINE friend Lanes operator!(const Lanes& a) { return ~a.mask_; }
  LOCKSTEP_INLINE friend Lanes operator&(const Lanes& a, const Lanes& b) {
    return a.mask_ & b.mask_;
  }
  LOCKSTEP_INLINE friend Lanes operator|(const Lanes& a, const Lanes& b) {
    return a.mask_ | b.mask_;
  }
  LOCKSTEP_INLINE friend Lanes operator^(const Lanes& a, const Lanes& b) {
    return a.mask_ ^ b.mask_;
  }
  LOCKSTEP_INLINE friend Lanes operator==(const Lanes& a, const Lanes& b) {
    return ~(a.mask_ ^ b.mask_);
  }
  LOCKSTEP_INLINE friend Lanes operator!=(const Lanes& a, const Lanes& b) {
    return a.mask_ ^ b.mask_;
  }

  /// a in the lanes of `mask`, b in the others.
  LOCKSTEP_INLINE friend Lanes select(Mask<W> mask, const Lanes& a, const Lanes& b) {
    return (a.mask_ & mask) | b.mask_.without(mask);
  }
  /// a in the lanes where `condition` is true, b in the others.
  LOCKSTEP_INLINE friend Lanes select(const Lanes& condition, const Lanes& a, const Lanes& b) {
    return select(condition.mask_, a, b);
  }

  /// Does not compile: lanes may differ. Branch with If (condition), or use subgroupAny / subgroupAll. && and || ask
  /// for one bool, too, and cannot short-circuit per lane: use & and |, or AndAlso and OrElse around side effects.
  template <std::same_as<bool> B>
  explicit operator B() const {
    return detail::one_bool_of_lanes<B>();
  }

 protected:
  /// For variables, which know the active mask: replaces every lane.
  LOCKSTEP_INLINE void replace(const Lanes& value) { mask_ = value.mask_; }

 private:
  Mask<W> mask_;
};

// Compilers show the line of a deleted function, so it says what to write.
#define LOCKSTEP_LANES_OF_TWO_TYPES(op, advice)                                 \
  template <class T, class U, int W>                                            \
  requires(!std::same_as<detail::Plain<T>, detail::Plain<U>>) void operator op( \
      const Lanes<T, W>&, const Lanes<U, W>&) = delete;
LOCKSTEP_LANES_OF_TWO_TYPES(+, "lanes of different types: convert one, as in Uint(a) + b")
LOCKSTEP_LANES_OF_TWO_TYPES(-, "lanes of different types: convert one, as in Uint(a) - b")
LOCKSTEP_LANES_OF_TWO_TYPES(*, "lanes of different types: convert one, as in Uint(a) * b")
LOCKSTEP_LANES_OF_TWO_TYPES(/, "lanes of different types: convert one, as in Uint(a) / b")
LOCKSTEP_LANES_OF_TWO_TYPES(%, "lanes of different types: convert one, as in Uint(a) % b")
LOCKSTEP_LANES_OF_TWO_TYPES(&, "lanes of different types: convert one, as in Uint(a) & b")
LOCKSTEP_LANES_OF_TWO_TYPES(|, "lanes of different types: convert one, as in Uint(a) | b")
LOCKSTEP_LANES_OF_TWO_TYPES(^, "lanes of different types: convert one, as in Uint(a) ^ b")
LOCKSTEP_LANES_OF_TWO_TYPES(<<, "lanes of different types: convert one, as in a << Uint(b)")
LOCKSTEP_LANES_OF_TWO_TYPES(>>, "lanes of different types: convert one, as in a >> Uint(b)")
LOCKSTEP_LANES_OF_TWO_TYPES(==, "lanes of different types: convert one, as in Uint(a) == b")
LOCKSTEP_LANES_OF_TWO_TYPES(!=, "lanes of different types: convert one, as in Uint(a) != b")
LOCKSTEP_LANES_OF_TWO_TYPES(<, "lanes of different types: convert one, as in Uint(a) < b")
LOCKSTEP_LANES_OF_TWO_TYPES(<=, "lanes of different types: convert one, as in Uint(a) <= b")
LOCKSTEP_LANES_OF_TWO_TYPES(>, "lanes of different types: convert one, as in Uint(a) > b")
LOCKSTEP_LANES_OF_TWO_TYPES(>=, "lanes of different types: convert one, as in Uint(a) >= b")
#undef LOCKSTEP_LANES_OF_TWO_TYPES

namespace detail {

/// Lanes stored to plain memory, for code that processes one lane at a time.
template <class T, int P>
struct InMemory {
  LOCKSTEP_INLINE explicit InMemory(const Packs<T, P>& packs) { store_packs<T, P>(lane, packs); }

  alignas(64) T lane[P];
};

/// f applied lane by lane, over every physical lane: for everything that has no SIMD instruction.
template <class F, class T, int W, class... U>
LOCKSTEP_INLINE auto map(F f, const Lanes<T, W>& v, const Lanes<U, W>&... more) {
  using R = decltype(f(T(), U()...));
  constexpr int P = Lanes<T, W>::physical;
  return [&](const auto&... in) __attribute__((always_inline)) {
    if constexpr (std::same_as<R, bool>) {
      return Lanes<bool, W>::generate([&](int i) { return f(in.lane[i]...); });
    } else {
      alignas(64) R out[P];
      for (int i = 0; i < P; ++i) out[i] = f(in.lane[i]...);
      return Lanes<R, W>(load_packs<R, P>(out));
    }
  }
  (InMemory<T, P>(v.packs()), InMemory<U, P>(more.packs())...);
}

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
