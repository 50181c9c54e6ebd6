#pragma once

#include <lockstep/checked/detail/lanes.hpp>
#include <lockstep/glsl/detail/function_list.hpp>
#include <lockstep/glsl/functions.hpp>
#include <lockstep/glsl/functions/common_float16.hpp>
#include <lockstep/glsl/functions/packing_float16.hpp>

/// \file
/// GLSL's functions on lanes that may be undefined. Those on vectors call these for each component.

namespace lockstep::inline LOCKSTEP_ABI::checked {

/// The lanes in which a function gets numbers outside its domain.
namespace domain {

struct Everything {};

// By default all numbers are inside.
#define LOCKSTEP_NO_DOMAIN(name) \
  template <class... A>          \
  Everything name(const A&...) { \
    return {};                   \
  }
LOCKSTEP_FUNCTIONS(LOCKSTEP_NO_DOMAIN)
#undef LOCKSTEP_NO_DOMAIN

#define LOCKSTEP_DOMAIN_OF_ONE(name, ...)            \
  template <class T, int W>                          \
  Mask<W> name(const Lanes<T, W>& x) {               \
    const Lanes<T, W> zero(T(0)), one(T(1.0f));      \
    static_cast<void>(zero), static_cast<void>(one); \
    return (__VA_ARGS__).mask();                     \
  }
LOCKSTEP_DOMAIN_OF_ONE(sqrt, x < zero)
LOCKSTEP_DOMAIN_OF_ONE(inversesqrt, x <= zero)
LOCKSTEP_DOMAIN_OF_ONE(log, x <= zero)
LOCKSTEP_DOMAIN_OF_ONE(log2, x <= zero)
LOCKSTEP_DOMAIN_OF_ONE(asin, (x > one) | (x < -one))
LOCKSTEP_DOMAIN_OF_ONE(acos, (x > one) | (x < -one))
LOCKSTEP_DOMAIN_OF_ONE(acosh, x < one)
LOCKSTEP_DOMAIN_OF_ONE(atanh, (x >= one) | (x <= -one))
#undef LOCKSTEP_DOMAIN_OF_ONE
template <class T, class U, int W>
Mask<W> atan(const Lanes<T, W>& y, const Lanes<U, W>& x) {
  return ((y == Lanes<T, W>(T(0))) & (x == Lanes<U, W>(U(0)))).mask();
}
template <class T, class U, int W>
Mask<W> pow(const Lanes<T, W>& x, const Lanes<U, W>& y) {
  const Lanes<T, W> zero(T(0));
  return ((x < zero) | ((x == zero) & (y <= Lanes<U, W>(U(0))))).mask();
}
template <class T, class U, class V, int W>
Mask<W> smoothstep(const Lanes<T, W>& low, const Lanes<U, W>& high, const Lanes<V, W>&) {
  return (Lanes<V, W>(high) <= Lanes<V, W>(low)).mask();
}
template <class T, class U, class V, int W>
Mask<W> clamp(const Lanes<T, W>&, const Lanes<U, W>& low, const Lanes<V, W>& high) {
  return (Lanes<T, W>(high) < Lanes<T, W>(low)).mask();
}
template <class T, class U, int W>
Mask<W> ldexp(const Lanes<T, W>&, const Lanes<U, W>& exponent) {
  constexpr std::int32_t most = sizeof(T) == 8 ? 1024 : sizeof(T) == 4 ? 128 : 16;
  return (Lanes<std::int32_t, W>(exponent) > Lanes<std::int32_t, W>(most)).mask();
}
template <class T, class U, class V, int W>
Mask<W> bitfieldExtract(const Lanes<T, W>&, const Lanes<U, W>& offset, const Lanes<V, W>& count) {
  using Uint = Lanes<std::uint32_t, W>;
  const Uint bits(static_cast<std::uint32_t>(8 * sizeof(T)));
  return ((Uint(offset) > bits) | (bits - Uint(offset) < Uint(count))).mask();
}
template <class T, class U, class V, class X, int W>
Mask<W> bitfieldInsert(const Lanes<T, W>& base, const Lanes<U, W>&, const Lanes<V, W>& offset,
                       const Lanes<X, W>& count) {
  return bitfieldExtract(base, offset, count);
}

}  // namespace domain

/// The plain lanes of an argument; a number as it is.
template <class A>
decltype(auto) plain_argument(const A& a) {
  if constexpr (CheckedLanes<A>)
    return a.plain();
  else
    return (a);
}
/// The same with numbers in lanes.
template <int W, class A>
decltype(auto) lanes_argument(const A& a) {
  if constexpr (CheckedLanes<A>)
    return a.plain();
  else
    return Lanes<A, W>(a);
}
template <int W, class A>
Poison<W> poison_of_argument(const A& a) {
  if constexpr (CheckedLanes<A>)
    return a.poison();
  else
    return {};
}

/// The value of an argument: an element of an array is read first.
template <class A>
struct ValueOfArgument {
  using type = std::remove_cvref_t<A>;
};
template <lockstep::detail::ElementArgument A>
struct ValueOfArgument<A> {
  using type = lockstep::detail::ValueOfElement<A>;
};
template <class A>
using ArgumentValue = typename ValueOfArgument<A>::type;

/// A value that may be an argument of a function on lanes.
template <class V>
concept LaneArgument = CheckedLanes<V> || lockstep::detail::Number<V> || std::same_as<V, bool>;
/// Arguments of a function on lanes; at least one may be undefined.
template <class... A>
concept CheckedArguments = (CheckedLanes<ArgumentValue<A>> || ...) &&
                           (LaneArgument<ArgumentValue<A>> && ...);

template <int W, class D>
Poison<W> poison_outside(const D& outside, SourceLocation where, const char* name, int bits) {
  if constexpr (std::same_as<D, domain::Everything>)
    return {};
  else
    return Poison<W>::from(
        std::string_view(name).starts_with("bitfield") ? Check::shift_too_wide : Check::math_domain,
        outside, where, name, bits);
}

// The place of the call follows the arguments, so there is one overload for each number of them.
#define LOCKSTEP_CHECKED_CALL(name, ...)                                           \
  return [&](const auto&... a) {                                                   \
    const auto result = lockstep::name(plain_argument(a)...);                      \
    using L = std::remove_cvref_t<decltype(result)>;                               \
    constexpr int W = L::width;                                                    \
    const Poison<W> poison =                                                       \
        (poison_of_argument<W>(a) | ... |                                          \
         poison_outside<W>(domain::name(lanes_argument<W>(a)...), where, #name,    \
                           8 * static_cast<int>(sizeof(typename L::value_type)))); \
    return Value<typename L::value_type, W>(result, poison);                       \
  }(__VA_ARGS__);
#define LOCKSTEP_CHECKED_ARGUMENT(A, a) lockstep::detail::argument(static_cast<A&&>(a))
#define LOCKSTEP_CHECKED_FUNCTION(name)                                                         \
  template <class A>                                                                            \
  requires CheckedArguments<A>                                                                  \
  auto name(A&& a1, SourceLocation where = SourceLocation::current()) {                         \
    LOCKSTEP_CHECKED_CALL(name, LOCKSTEP_CHECKED_ARGUMENT(A, a1))                               \
  }                                                                                             \
  template <class A, class B>                                                                   \
  requires CheckedArguments<A, B>                                                               \
  auto name(A&& a1, B&& a2, SourceLocation where = SourceLocation::current()) {                 \
    LOCKSTEP_CHECKED_CALL(name, LOCKSTEP_CHECKED_ARGUMENT(A, a1),                               \
                          LOCKSTEP_CHECKED_ARGUMENT(B, a2))                                     \
  }                                                                                             \
  template <class A, class B, class C>                                                          \
  requires CheckedArguments<A, B, C>                                                            \
  auto name(A&& a1, B&& a2, C&& a3, SourceLocation where = SourceLocation::current()) {         \
    LOCKSTEP_CHECKED_CALL(name, LOCKSTEP_CHECKED_ARGUMENT(A, a1),                               \
                          LOCKSTEP_CHECKED_ARGUMENT(B, a2), LOCKSTEP_CHECKED_ARGUMENT(C, a3))   \
  }                                                                                             \
  template <class A, class B, class C, class D>                                                 \
  requires CheckedArguments<A, B, C, D>                                                         \
  auto name(A&& a1, B&& a2, C&& a3, D&& a4, SourceLocation where = SourceLocation::current()) { \
    LOCKSTEP_CHECKED_CALL(name, LOCKSTEP_CHECKED_ARGUMENT(A, a1),                               \
                          LOCKSTEP_CHECKED_ARGUMENT(B, a2), LOCKSTEP_CHECKED_ARGUMENT(C, a3),   \
                          LOCKSTEP_CHECKED_ARGUMENT(D, a4))                                     \
  }
LOCKSTEP_FUNCTIONS(LOCKSTEP_CHECKED_FUNCTION)
#undef LOCKSTEP_CHECKED_FUNCTION
#undef LOCKSTEP_CHECKED_ARGUMENT
#undef LOCKSTEP_CHECKED_CALL

// Functions with two results, which are undefined together.
#define LOCKSTEP_CHECKED_PAIR(name, first, second)                                     \
  template <class First, class Second>                                                 \
  struct name##_result {                                                               \
    First first;                                                                       \
    Second second;                                                                     \
  };                                                                                   \
  template <class... A>                                                                \
  requires CheckedArguments<A...>                                                      \
  auto name(const A&... a) {                                                           \
    const auto result = lockstep::name(plain_argument(a)...);                          \
    using First = std::remove_cvref_t<decltype(result.first)>;                         \
    using Second = std::remove_cvref_t<decltype(result.second)>;                       \
    constexpr int W = First::width;                                                    \
    const Poison<W> poison = (Poison<W>() | ... | poison_of_argument<W>(a));           \
    using V1 = Value<typename First::value_type, W>;                                   \
    using V2 = Value<typename Second::value_type, W>;                                  \
    return name##_result<V1, V2>{V1(result.first, poison), V2(result.second, poison)}; \
  }
LOCKSTEP_CHECKED_PAIR(modf, fraction, whole)
LOCKSTEP_CHECKED_PAIR(frexp, significand, exponent)
LOCKSTEP_CHECKED_PAIR(uaddCarry, sum, carry)
LOCKSTEP_CHECKED_PAIR(usubBorrow, difference, borrow)
LOCKSTEP_CHECKED_PAIR(umulExtended, msb, lsb)
LOCKSTEP_CHECKED_PAIR(imulExtended, msb, lsb)
#undef LOCKSTEP_CHECKED_PAIR

#define LOCKSTEP_CHECKED_PACK(name)                                            \
  template <class... A>                                                        \
  requires CheckedArguments<A...>                                              \
  auto name(const A&... a) {                                                   \
    const auto result = lockstep::name(plain_argument(a)...);                  \
    using L = std::remove_cvref_t<decltype(result)>;                           \
    return Value<typename L::value_type, L::width>(                            \
        result, (Poison<L::width>() | ... | poison_of_argument<L::width>(a))); \
  }
LOCKSTEP_CHECKED_PACK(packUnorm2x16)
LOCKSTEP_CHECKED_PACK(packSnorm2x16)
LOCKSTEP_CHECKED_PACK(packUnorm4x8)
LOCKSTEP_CHECKED_PACK(packSnorm4x8)
LOCKSTEP_CHECKED_PACK(packHalf2x16)
LOCKSTEP_CHECKED_PACK(packDouble2x32)
#undef LOCKSTEP_CHECKED_PACK

// The components that unpacking gives, from which a Vec is made.
template <class V>
struct TwoComponents {
  V x, y;
};
template <class V>
struct FourComponents {
  V x, y, z, w;
};
#define LOCKSTEP_CHECKED_UNPACK(name)                                                           \
  template <CheckedLanes A>                                                                     \
  auto name(const A& a) {                                                                       \
    const auto result = lockstep::name(a.plain());                                              \
    using V = Value<typename std::remove_cvref_t<decltype(result.x)>::value_type, A::width>;    \
    const auto part = [&](const auto& plain) { return V(plain, a.poison()); };                  \
    if constexpr (requires { result.z; })                                                       \
      return FourComponents<V>{part(result.x), part(result.y), part(result.z), part(result.w)}; \
    else                                                                                        \
      return TwoComponents<V>{part(result.x), part(result.y)};                                  \
  }
LOCKSTEP_CHECKED_UNPACK(unpackUnorm2x16)
LOCKSTEP_CHECKED_UNPACK(unpackSnorm2x16)
LOCKSTEP_CHECKED_UNPACK(unpackUnorm4x8)
LOCKSTEP_CHECKED_UNPACK(unpackSnorm4x8)
LOCKSTEP_CHECKED_UNPACK(unpackHalf2x16)
LOCKSTEP_CHECKED_UNPACK(unpackDouble2x32)
#undef LOCKSTEP_CHECKED_UNPACK

}  // namespace lockstep::inline LOCKSTEP_ABI::checked
