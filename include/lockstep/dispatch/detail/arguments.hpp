#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <lockstep/dispatch/detail/needs.hpp>
#include <lockstep/dispatch/error.hpp>
#include <lockstep/dispatch/subgroup_setup.hpp>
#include <lockstep/lanes/detail/element.hpp>
#include <lockstep/workgroup/memory.hpp>
#include <lockstep/workgroup/summed.hpp>

/// \file
/// The arguments of a dispatch as the kernel's members take them, and whether they fit.

namespace lockstep::inline LOCKSTEP_ABI::detail {

template <class A>
concept ContiguousRange = requires(A& a) {
  std::span(a);
};

/// Whether a member of type T takes a number of type A: of the same kind, or a float for an integer. A class takes what
/// converts to it.
template <class A, class T>
concept TakesNumber = std::same_as<A, T> ||
    (std::is_arithmetic_v<T>
         ? !std::same_as<T, bool> && (std::integral<A> || std::floating_point<T>)
         : std::convertible_to<const A&, T>);

/// Whether some integers of type A are not of type T.
template <class A, class T>
inline constexpr bool may_not_hold = std::integral<A>&& std::integral<T> &&
                                     ((std::is_signed_v<A> && std::is_unsigned_v<T>) ||
                                      std::numeric_limits<A>::digits >
                                          std::numeric_limits<T>::digits);

/// A number for a kernel's member, whose type it takes on.
template <class A>
struct BoundNumber {
  A value;
  static constexpr int width = 0;  ///< so that Lanes take it by this conversion alone

  template <class T>
  requires TakesNumber<A, T> LOCKSTEP_INLINE operator T() const { return static_cast<T>(value); }
};

/// A dispatch's argument as the kernel's member takes it: arrays become views of the running
/// subgroup, as do other arguments with a bind_argument (images); everything else is copied in.
template <class S, class A>
LOCKSTEP_INLINE decltype(auto) bind(const SubgroupSetup<S>& setup, A& argument,
                                    std::uint32_t binding) {
  if constexpr (ContiguousRange<A>) {
    const auto span = std::span(argument);
    using T = typename decltype(span)::element_type;
    const View<T, S::width> view{span.data(), static_cast<std::uint32_t>(span.size()), binding,
                                 &setup.state.active, &setup.location};
    return make_array(setup.state, view);
  } else if constexpr (requires { bind_argument(setup, argument, binding); }) {
    return bind_argument(setup, argument, binding);
  } else if constexpr (std::is_arithmetic_v<A>) {
    return BoundNumber<std::remove_const_t<A>>{argument};
  } else {
    return static_cast<const A&>(argument);
  }
}

// Stand-ins for arguments, to find out about the kernel's members. None is ever evaluated.

/// A number that a member of a narrower type cannot take.
template <class A>
struct NumberInRange {
  static constexpr int width = 0;
  template <class T>
  requires(TakesNumber<A, T> && !may_not_hold<A, T>) operator T() const;
};
/// What a member of type T alone takes.
template <class T>
struct Only {
  template <std::same_as<T> U>
  operator U() const;
};
/// What every member takes.
struct Anything {
  template <class T>
  operator T() const;
};
template <std::size_t>
using AnythingAt = Anything;

template <class S, class A>
using Bound = decltype(bind<S>(std::declval<const SubgroupSetup<S>&>(), std::declval<A&>(), 0u));
template <class S, class A>
struct BoundInRange {
  using type = Bound<S, A>;
};
template <class S, class A>
requires std::is_arithmetic_v<A>
struct BoundInRange<S, A> {
  using type = NumberInRange<std::remove_const_t<A>>;
};

/// Whether K's members, in order, can be made of P.
template <class K, class S, class... P>
concept MadeOf = requires(const SubgroupSetup<S>& setup) {
  K{{setup}, std::declval<P>()...};
};
/// The same, whatever the numbers.
template <class K, class S, class... A>
concept FitInRange = MadeOf<K, S, typename BoundInRange<S, A>::type...>;
/// The same, if the numbers are in range.
template <class K, class S, class... A>
concept Fit = FitInRange<K, S, A...> || MadeOf<K, S, Bound<S, A>...>;

/// Whether member N takes a P.
template <class K, class S, std::size_t N, class P, std::size_t... I>
constexpr bool member_takes(std::index_sequence<I...>) {
  return MadeOf<K, S, std::conditional_t<I == N, P, Anything>...>;
}
template <class K, class S, class... A>
struct KernelMembers {
  using Indices = std::index_sequence_for<A...>;

  template <std::size_t N, class P>
  static constexpr bool take = member_takes<K, S, N, P>(Indices());

  /// The integer type of member N: the first of T that it takes.
  template <std::size_t N, class T, class... More>
  static constexpr auto integer_at() {
    if constexpr (sizeof...(More) == 0 || take<N, Only<T>>)
      return std::type_identity<T>();
    else
      return integer_at<N, More...>();
  }
};

/// An argument's type as the kernel sees it: arrays that end with the dispatch are read-only.
template <class A>
using ArgumentType = std::conditional_t<std::is_reference_v<A> || !ContiguousRange<A>,
                                        std::remove_reference_t<A>, const A>;

/// Throws where an argument is an integer that member N, of another type, cannot hold.
template <class K, class S, std::size_t N, class A, class Of>
void check_integer(std::string_view kernel, const A& argument) {
  using T = typename decltype(Of::template integer_at<N, std::uint32_t, std::int32_t,
                                                      unsigned long long, long long, std::uint64_t,
                                                      std::int64_t, std::uint16_t, std::int16_t,
                                                      std::uint8_t, std::int8_t, A>())::type;
  if constexpr (may_not_hold<A, T>) {
    const T held = static_cast<T>(argument);
    if (static_cast<A>(held) == argument && (held < T(0)) == (argument < A(0))) return;
    const auto all = static_cast<std::uint64_t>(argument);
    const bool negative = argument < A(0);
    fail::integer_argument(kernel, static_cast<int>(N) + 1, negative, negative ? 0 - all : all,
                           std::is_signed_v<T>, 8 * sizeof(T));
  }
}

/// Whether member N is a Summed.
template <class K, class S, std::size_t N, class... A>
inline constexpr bool is_summed = KernelMembers<K, S, A...>::template take<N, SummedAlone>;

/// The arrays whose members are.
template <class K, class S, class... A>
auto summed_arrays([[maybe_unused]] A&... arguments) {
  return [&]<std::size_t... N>(std::index_sequence<N...>) {
    std::array<SummedArray, (0 + ... + (is_summed<K, S, N, A...> ? 1 : 0))> arrays;
    [[maybe_unused]] std::size_t n = 0;
    [[maybe_unused]] const auto add = [&](const auto& span) {
      arrays[n++] = {span.data(), span.size_bytes(), sizeof(*span.data())};
    };
    (
        [&] {
          if constexpr (is_summed<K, S, N, A...>) add(std::span(arguments));
        }(),
        ...);
    return arrays;
  }
  (std::index_sequence_for<A...>());
}

/// Once per dispatch: throws Error for arrays that are too long or overlap, and for integers that a member of another
/// type cannot hold.
template <class K, class S, class... A>
void check_arguments(std::string_view kernel, A&... arguments) {
  using Of = KernelMembers<K, S, A...>;
  constexpr std::size_t arrays = (0 + ... + (ContiguousRange<A> ? 1 : 0));
  std::array<ArgumentArray, arrays> bound;
  [[maybe_unused]] std::size_t n = 0;
  const auto check = [&]<std::size_t N, class T>(std::integral_constant<std::size_t, N>,
                                                 T& argument) {
    if constexpr (ContiguousRange<T>) {
      const auto span = std::span(argument);
      using E = typename decltype(span)::element_type;
      bound[n].data = span.data();
      bound[n].bytes = span.size_bytes();
      bound[n].elements = span.size();
      bound[n].number = static_cast<int>(N) + 1;
      // A Buffer of const elements takes arrays of const ones, too.
      if constexpr (arrays > 1 && !std::is_const_v<E>) {
        bound[n].is_written = !Of::template take<N, Bound<S, std::span<const E>>>;
        bound[n].is_summed = is_summed<K, S, N, A...>;
      }
      ++n;
    } else if constexpr (std::integral<T> && !FitInRange<K, S, A...>) {
      check_integer<K, S, N, std::remove_const_t<T>, Of>(kernel, argument);
    }
  };
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    (check(std::integral_constant<std::size_t, N>(), arguments), ...);
  }
  (std::index_sequence_for<A...>());
  if constexpr (arrays > 0) fail::unless_arrays_fit(kernel, bound);
}

// What is instantiated where arguments do not fit, so that the compiler prints the types. Their names are words of the
// message. Arguments are counted from 1, after the workgroups or the image's size.

/// Argument `number` for a member that does not take it.
template <int number, class Given>
struct Argument {
  template <class Member>
  operator Member() const {
    static_assert(never<Member>,
                  "this argument of the dispatch (its number, the type Given) does not fit the "
                  "kernel's Member: a Buffer<T>, which is an Array<T>, takes an array of T, or of "
                  "std430::vec3 for vec3");
    __builtin_unreachable();
  }
};
/// The same of an array that only a Buffer of const elements takes.
template <int number, class Given>
struct ReadOnlyArgument {
  template <class Member>
  operator Member() const {
    static_assert(never<Member>,
                  "this argument of the dispatch is a temporary or const array, but the kernel's "
                  "member is writable: "
                  "pass a variable, or make it a Buffer of const elements");
    __builtin_unreachable();
  }
};
/// A dispatch with the wrong number of arguments.
template <int given, int wanted>
struct ArgumentCount {
  template <class Kernel>
  static constexpr bool is_wrong() {
    static_assert(given >= wanted || never<Kernel>,
                  "this dispatch has fewer arguments (given) than the kernel has members without a "
                  "value (wanted), which for Shared arrays is {this}");
    static_assert(given <= wanted || never<Kernel>,
                  "this dispatch has more arguments (given) than the kernel has members (wanted)");
    return true;
  }
};

/// Why arguments do not fit K's members.
template <class K, class S, class Indices, class... A>
struct Misfit;
template <class K, class S, std::size_t... I, class... A>
struct Misfit<K, S, std::index_sequence<I...>, A...> {
  static constexpr std::size_t count = sizeof...(A);

  template <std::size_t... N>
  static constexpr bool takes_as_many(std::index_sequence<N...>) {
    return MadeOf<K, S, AnythingAt<N>...>;
  }
  /// How many members there are: more than the arguments if too few are given.
  static constexpr std::size_t wanted() {
    constexpr std::size_t most = count + 16;
    std::array<bool, most> as_many{};
    [&]<std::size_t... N>(std::index_sequence<N...>) {
      ((as_many[N] = takes_as_many(std::make_index_sequence<N>())), ...);
    }
    (std::make_index_sequence<most>());
    for (std::size_t n = count; n < most; ++n)
      if (as_many[n]) return n;
    for (std::size_t n = count; n-- > 0;)
      if (as_many[n]) return n;
    return count;
  }
  /// The first argument that does not fit.
  static constexpr std::size_t first() {
    const std::array<bool, count> fits{KernelMembers<K, S, A...>::template take<I, Bound<S, A>>...};
    std::size_t n = 0;
    while (n + 1 < count && fits[n]) ++n;
    return n;
  }
  template <std::size_t N, class Given>
  static constexpr bool is_read_only = ContiguousRange<Given>&& [] {
    if constexpr (ContiguousRange<Given>) {
      using T =
          std::remove_const_t<typename decltype(std::span(std::declval<Given&>()))::element_type>;
      return KernelMembers<K, S, A...>::template take<N, Bound<S, std::span<T>>>;
    }
    return false;
  }();
  template <std::size_t N, class Given>
  using At = std::conditional_t<
      N == first(),
      std::conditional_t<is_read_only<N, Given>, ReadOnlyArgument<static_cast<int>(N) + 1, Given>,
                         Argument<static_cast<int>(N) + 1, Given>>,
      Anything>;

  /// In place of Run's: does not compile.
  template <class F>
  static FaultLog at_first_width(int, const F&, const SubgroupSetup<S>* setup = nullptr) {
    if constexpr (wanted() != count)
      ArgumentCount<static_cast<int>(count), static_cast<int>(wanted())>::template is_wrong<K>();
    else
      static_cast<void>(K{{*setup}, At<I, A>()...});
    return {};
  }
};

/// A dispatch whose arguments fit, compiled for an ascending list of widths.
template <class Widths>
struct Run;
template <int... Widths>
struct Run<std::integer_sequence<int, Widths...>> {
  static constexpr int widest = (0, ..., Widths);

  /// Calls f<W>(findings) for each width until it returns true: at the first that holds the subgroup.
  template <class F>
  static FaultLog at_first_width(int subgroup_size, const F& f) {
    FaultLog found;
    if (subgroup_size < 1 || !(f.template operator()<Widths>(found) || ...))
      fail::subgroup_size(subgroup_size, widest);
    return found;
  }
};

/// What runs a dispatch with arguments of these types. For, the type of its size, names kernel, machine and widths. The
/// kernel is compiled only if the arguments fit its members; otherwise Misfit says why not, and nothing else is
/// reported.
template <class For, class... A>
using RunOf = std::conditional_t<Fit<typename For::Kernel, typename For::On, ArgumentType<A>...>,
                                 Run<typename For::Widths>,
                                 Misfit<typename For::Kernel, typename For::On,
                                        std::index_sequence_for<A...>, ArgumentType<A>...>>;

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
