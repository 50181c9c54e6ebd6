#pragma once

#include <concepts>
#include <type_traits>

#include <lockstep/config.hpp>
#include <lockstep/lanes/detail/plain.hpp>

/// \file
/// Elements of arrays, and parts of elements and of variables: values once they are read, and nothing that a
/// kernel could name.

/// For the conversion of a named element to its value. Named, it would be read again at each use, after
/// writes in between.
#define LOCKSTEP_NAMED_ELEMENT                                                                     \
  __attribute__((unavailable(                                                                      \
      "an element cannot be named by auto, because each use would read it again: write its type, " \
      "as in const Uint x = data[i];, or auto x = var(data[i]);")))

// clang-format off
/// The compound assignments of an element or part with numbers of type L, where `...` says that it can be written:
/// each reads with read_to_change(), combines, and writes; not atomic.
#define LOCKSTEP_ELEMENT_ASSIGNMENTS(L, ...)                                                       \
  LOCKSTEP_ELEMENT_ASSIGNMENT(+, L, L, __VA_ARGS__)                                                \
  LOCKSTEP_ELEMENT_ASSIGNMENT(-, L, L, __VA_ARGS__)                                                \
  LOCKSTEP_ELEMENT_ASSIGNMENT(*, L, L, __VA_ARGS__)                                                \
  LOCKSTEP_ELEMENT_ASSIGNMENT(/, L, ::lockstep::detail::RightOperand<L>, __VA_ARGS__)                 \
  LOCKSTEP_ELEMENT_ASSIGNMENT(%, L, ::lockstep::detail::RightOperand<L>, __VA_ARGS__)                 \
  LOCKSTEP_ELEMENT_ASSIGNMENT(&, L, L, __VA_ARGS__)                                                \
  LOCKSTEP_ELEMENT_ASSIGNMENT(|, L, L, __VA_ARGS__)                                                \
  LOCKSTEP_ELEMENT_ASSIGNMENT(^, L, L, __VA_ARGS__)                                                \
  LOCKSTEP_ELEMENT_ASSIGNMENT(<<, L, ::lockstep::detail::RightOperand<L>, __VA_ARGS__)                \
  LOCKSTEP_ELEMENT_ASSIGNMENT(>>, L, ::lockstep::detail::RightOperand<L>, __VA_ARGS__)                \
  LOCKSTEP_ELEMENT_STEP(+, L, __VA_ARGS__)                                                         \
  LOCKSTEP_ELEMENT_STEP(-, L, __VA_ARGS__)
#define LOCKSTEP_ELEMENT_ASSIGNMENT(op, L, Operand, ...)                                           \
  /** Reads, combines, writes; not atomic. */                                                      \
  LOCKSTEP_INLINE void operator op##=(const Operand& v) &&                                         \
      requires((__VA_ARGS__) && requires(const L& l) { l op v; })                                  \
  { static_cast<std::remove_reference_t<decltype(*this)>&&>(*this) = this->read_to_change() op v; } \
  /** The same of a vector or matrix and another operand that its operator takes, as a number. */  \
  template <class A>                                                                               \
  requires((__VA_ARGS__) && !std::convertible_to<A, L> &&                                          \
           requires(const L& l, A&& a) { { l op static_cast<A&&>(a) } -> std::convertible_to<L>; }) \
  LOCKSTEP_INLINE void operator op##=(A&& a) &&                                                    \
  {                                                                                                \
    static_cast<std::remove_reference_t<decltype(*this)>&&>(*this) =                               \
        this->read_to_change() op static_cast<A&&>(a);                                             \
  }
#define LOCKSTEP_ELEMENT_STEP(op, L, ...)                                                          \
  /** Reads, adds or subtracts 1, writes; gives the new value. Not atomic. */                      \
  LOCKSTEP_INLINE L operator op##op() &&                                                           \
      requires((__VA_ARGS__) && requires(const L& l) { l op ::lockstep::detail::one_of<L>; })      \
  {                                                                                                \
    const L value = this->read_to_change() op ::lockstep::detail::one_of<L>;                       \
    static_cast<std::remove_reference_t<decltype(*this)>&&>(*this) = value;                        \
    return value;                                                                                  \
  }                                                                                                \
  /** The same; gives the old value. */                                                            \
  LOCKSTEP_INLINE L operator op##op(int) &&                                                        \
      requires((__VA_ARGS__) && requires(const L& l) { l op ::lockstep::detail::one_of<L>; })      \
  {                                                                                                \
    const L value = this->read_to_change();                                                        \
    static_cast<std::remove_reference_t<decltype(*this)>&&>(*this) =                               \
        value op ::lockstep::detail::one_of<L>;                                                    \
    return value;                                                                                  \
  }
// clang-format on

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// False for every T: for mistakes that a static_assert names where a template is used.
template <class T>
inline constexpr bool never = false;

/// The conversion to one bool that lanes lack. They declare it all the same, so that it says what to write instead. It
/// depends on no machine: a kernel's mistake is reported once, not for each machine that the kernel is compiled for.
template <std::same_as<bool> B>
B one_bool_of_lanes() {
  static_assert(
      never<B>,
      "Bool is one value per lane: If, While, Choose; && is AndAlso or &, || is OrElse or |");
  return B();
}

/// What ++ adds.
template <class L>
inline constexpr auto one_of = Plain<typename L::value_type>(1);

/// What values of type L are divided, and shifted, by: such values. Machines whose operators want to know where they
/// stand specialise it.
template <class L>
struct RightOperandOf {
  using type = L;
};
template <class L>
using RightOperand = typename RightOperandOf<L>::type;

/// Values whose operators and functions want to know where they stand in the source.
template <class L>
concept KnowsPlace = !std::same_as<RightOperand<L>, L>;

/// Vectors.
template <class A>
concept HasComponents = requires {
  A::components;
};
/// Matrices.
template <class A>
concept HasColumns = requires {
  A::columns;
};

/// One bool per lane.
template <class L>
concept BoolPerLane = !HasComponents<L> && std::is_same_v<Plain<typename L::value_type>, bool>;

/// An element or part, whose value is a MemoryValue.
template <class A>
concept ElementArgument = requires {
  typename std::remove_cvref_t<A>::MemoryValue;
};

/// The value of an element or part.
template <ElementArgument A>
using ValueOfElement = typename std::remove_cvref_t<A>::MemoryValue;

/// Vectors and matrices, and elements that are.
template <class A>
inline constexpr bool is_compound_argument =
    HasComponents<std::remove_cvref_t<A>> || HasColumns<std::remove_cvref_t<A>>;
template <ElementArgument A>
inline constexpr bool is_compound_argument<A> = is_compound_argument<ValueOfElement<A>>;

/// Arguments of a function that finds out where it stands, and so reads its elements itself: of lanes alone.
template <class... A>
concept PlacedElementArguments =
    ((ElementArgument<A> && KnowsPlace<typename std::remove_cvref_t<A>::MemoryValue>) || ...) &&
    !(is_compound_argument<A> || ...);

/// What a function takes for its argument: the value of an element, and everything else unchanged.
template <class A>
requires(!ElementArgument<A>) LOCKSTEP_INLINE const A& argument(const A& value) { return value; }
template <ElementArgument A>
LOCKSTEP_INLINE ValueOfElement<A> argument(A&& element) {
  return static_cast<A&&>(element);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail

namespace lockstep::inline LOCKSTEP_ABI {

/// The negation of an element or part of bool, which for the compiler might as well be that of one bool.
template <detail::ElementArgument E>
requires detail::BoolPerLane<detail::ValueOfElement<E>> LOCKSTEP_INLINE auto operator!(
    E&& element) {
  return !detail::argument(static_cast<E&&>(element));
}

}  // namespace lockstep::inline LOCKSTEP_ABI
