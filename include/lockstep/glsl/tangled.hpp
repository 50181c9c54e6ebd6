#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <lockstep/exec/chosen_order.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/lane_values.hpp>
#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/tell.hpp>
#include <lockstep/lanes/detail/rebuild.hpp>
#include <lockstep/subgroup.hpp>

/// \file
/// Subgroup built-ins on a machine with several active tangles: each runs once per tangle, and the
/// results are blended.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// Ends the run: plain C++ needs one value where tangles hold different ones.
[[noreturn]] inline void fail_disagreement(SourceLocation where) {
  throw Error(std::string(where.file) + ":" + std::to_string(where.line) +
              ": tangles that did not rejoin have different results here, and plain C++ wants one "
              "value: keep it in lanes (Uint, Bool, ...) and branch with If");
}

}  // namespace detail

/// The result of a built-in with one result for the subgroup, on a tangled machine: each lane holds
/// its tangle's result. Where plain C++ needs one value, all active tangles must agree.
///
/// Requires      Created by a built-in of a kernel; lives no longer than the kernel.
/// Active lanes  Holds a result in each lane that was active at the call.
/// Errors        Conversion to T throws Error if active lanes hold different values.
/// Cost          As Lanes.
/// Spec          None.
/// Example       kernels/allocate_broken
template <class T, int W>
class SubgroupValue : public Lanes<T, W> {
  using L = Lanes<T, W>;

 public:
  using Each = T;

  SubgroupValue(const L& lanes, const Mask<W>& active, SourceLocation where)
      : L(lanes), active_(active), where_(where) {}
  /// The mask must outlive the value, which refers to it.
  SubgroupValue(const L& lanes, const Mask<W>&& active, SourceLocation where) = delete;

  operator T() const {
    const T value = (*this)[active_.first()];
    if (active_.without((static_cast<const L&>(*this) == L(value)).mask()).any_lane())
      detail::fail_disagreement(where_);
    return value;
  }

  /// Other lanes with one value for each of the same tangles, made of this and maybe more.
  template <class R, class... More>
  SubgroupValue<R, W> with(const Lanes<R, W>& lanes, const More&...) const {
    return {lanes, active_, where_};
  }
  /// The value of a lane.
  T each(int lane) const { return (*this)[lane]; }

 private:
  const Mask<W>& active_;
  SourceLocation where_;
};

namespace detail {

/// One value for each tangle: SubgroupValue, and its like on machines with numbers of their own.
template <class V>
concept OneOfEachTangle = requires {
  typename V::Each;
};

/// f of the tangles' results, which is again one value for each tangle.
template <class V, class F>
auto of_each_tangle(const V& value, F f) {
  using R = decltype(f(typename V::Each()));
  return value.template with<R>(
      Lanes<R, V::width>::generate([&](int i) { return f(value.each(i)); }));
}

/// C++'s quotient and remainder. Lanes without a result may hold what C++ cannot divide by.
template <class C>
C quotient(C a, C b) {
  if constexpr (std::is_integral_v<C>) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<C>)
      if (b == -1)
        return static_cast<C>(std::make_unsigned_t<C>(0) - static_cast<std::make_unsigned_t<C>>(a));
  }
  return static_cast<C>(a / b);
}
template <class C>
C remainder(C a, C b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<C>)
    if (b == -1) return 0;
  return static_cast<C>(a % b);
}

}  // namespace detail

/// \defgroup subgroup_value Operators of SubgroupValue with plain numbers and with each other
///
/// On the fast machine all of them are plain numbers, so what a kernel does there it can do here: the result is
/// again one value for each tangle, which plain C++ may ask for. `&&`, `||` and `?:` are C++'s own, and ask for
/// one value.
///
/// Requires      None.
/// Active lanes  As SubgroupValue.
/// Errors        As SubgroupValue.
/// Cost          One operation a lane.
/// Spec          None.
/// Example       kernels/quarter_ballot
/// @{
#define LOCKSTEP_SUBGROUP_VALUE_OPERATOR(op, ...)                                         \
  template <detail::OneOfEachTangle A, class U>                                           \
  requires std::is_arithmetic_v<U>                                                        \
  auto operator op(const A& a, U b) {                                                     \
    const auto f = []<class X, class Y>(X x, Y y) { return __VA_ARGS__; };                \
    return detail::of_each_tangle(a, [&](auto x) { return f(x, b); });                    \
  }                                                                                       \
  template <class U, detail::OneOfEachTangle B>                                           \
  requires std::is_arithmetic_v<U>                                                        \
  auto operator op(U a, const B& b) {                                                     \
    const auto f = []<class X, class Y>(X x, Y y) { return __VA_ARGS__; };                \
    return detail::of_each_tangle(b, [&](auto y) { return f(a, y); });                    \
  }                                                                                       \
  template <detail::OneOfEachTangle A, detail::OneOfEachTangle B>                         \
  auto operator op(const A& a, const B& b) {                                              \
    const auto f = []<class X, class Y>(X x, Y y) { return __VA_ARGS__; };                \
    using R = decltype(f(typename A::Each(), typename B::Each()));                        \
    return a.template with<R>(                                                            \
        Lanes<R, A::width>::generate([&](int i) { return f(a.each(i), b.each(i)); }), b); \
  }
#define LOCKSTEP_COMMON(x) static_cast<std::common_type_t<X, Y>>(x)
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(+, LOCKSTEP_COMMON(x) + LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(-, LOCKSTEP_COMMON(x) - LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(*, LOCKSTEP_COMMON(x) * LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(&, LOCKSTEP_COMMON(x) & LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(|, LOCKSTEP_COMMON(x) | LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(^, LOCKSTEP_COMMON(x) ^ LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(==, LOCKSTEP_COMMON(x) == LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(!=, LOCKSTEP_COMMON(x) != LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(<, LOCKSTEP_COMMON(x) < LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(<=, LOCKSTEP_COMMON(x) <= LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(>, LOCKSTEP_COMMON(x) > LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(>=, LOCKSTEP_COMMON(x) >= LOCKSTEP_COMMON(y))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(/, detail::quotient(LOCKSTEP_COMMON(x), LOCKSTEP_COMMON(y)))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(%, detail::remainder(LOCKSTEP_COMMON(x), LOCKSTEP_COMMON(y)))
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(<<, x << y)
LOCKSTEP_SUBGROUP_VALUE_OPERATOR(>>, x >> y)
#undef LOCKSTEP_COMMON
#undef LOCKSTEP_SUBGROUP_VALUE_OPERATOR
template <detail::OneOfEachTangle A>
requires std::same_as<typename A::Each, bool>
auto operator!(const A& a) {
  return detail::of_each_tangle(a, [](bool x) { return !x; });
}
template <detail::OneOfEachTangle A>
auto operator-(const A& a) {
  return detail::of_each_tangle(a, [](auto x) { return -x; });
}
template <detail::OneOfEachTangle A>
auto operator~(const A& a) {
  return detail::of_each_tangle(a, [](auto x) { return ~x; });
}
/// @}

/// As SubgroupValue, of a ballot.
template <int W>
class SubgroupBallot : public BallotLanes<W> {
 public:
  /// The components, each with one value for each tangle.
  SubgroupValue<std::uint32_t, W> x, y, z, w;

  SubgroupBallot(const BallotLanes<W>& lanes, const Mask<W>& active, SourceLocation where)
      : BallotLanes<W>(lanes),
        x(lanes.x, active, where),
        y(lanes.y, active, where),
        z(lanes.z, active, where),
        w(lanes.w, active, where),
        active_(active),
        where_(where) {}
  /// The mask must outlive the ballot, which refers to it.
  SubgroupBallot(const BallotLanes<W>& lanes, const Mask<W>&& active,
                 SourceLocation where) = delete;

  operator Ballot() const {
    const Ballot value = (*this)[active_.first()];
    for_each_lane(active_, [&](int i) {
      if (!((*this)[i] == value)) detail::fail_disagreement(where_);
    });
    return value;
  }

 private:
  const Mask<W>& active_;
  SourceLocation where_;
};

namespace detail {

// A built-in's result for one tangle, as lanes.
template <int W, class T>
requires(Number<T> || std::same_as<T, bool>) Lanes<T, W> in_lanes(const T& result) {
  return Lanes<T, W>(result);
}
template <int W>
BallotLanes<W> in_lanes(const Ballot& result) {
  return BallotLanes<W>(result);
}
template <int W, class R>
requires(!Number<R> && !std::same_as<R, bool> &&
         !std::same_as<R, Ballot>) const R& in_lanes(const R& result) {
  return result;
}

template <int W>
BallotLanes<W> select(Mask<W> mask, const BallotLanes<W>& a, const BallotLanes<W>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z),
          select(mask, a.w, b.w)};
}

// An argument that is uniform in a tangle, for lanes that hold the same value.
template <class A>
const A& of_lane(const A& argument, int) {
  return argument;
}
template <class T, int W>
T of_lane(const SubgroupValue<T, W>& argument, int lane) {
  return argument[lane];
}
template <int W>
Ballot of_lane(const SubgroupBallot<W>& argument, int lane) {
  return argument[lane];
}

// The lanes whose argument equals that of the given lane.
template <int W, class A>
Mask<W> lanes_like(const A&, int) {
  return Mask<W>::all();
}
template <int W, class T>
Mask<W> lanes_like(const SubgroupValue<T, W>& argument, int lane) {
  using L = Lanes<T, W>;
  return (static_cast<const L&>(argument) == L(argument[lane])).mask();
}
template <int W>
Mask<W> lanes_like(const SubgroupBallot<W>& argument, int lane) {
  const Ballot mine = argument[lane];
  return ((argument.x == Lanes<std::uint32_t, W>(mine.x)) &
          (argument.y == Lanes<std::uint32_t, W>(mine.y)) &
          (argument.z == Lanes<std::uint32_t, W>(mine.z)) &
          (argument.w == Lanes<std::uint32_t, W>(mine.w)))
      .mask();
}

/// A built-in's result as the kernel sees it.
template <int W, class R, class L>
auto to_kernel(const L& lanes, const Mask<W>& active, SourceLocation where) {
  if constexpr (std::same_as<R, Ballot>)
    return SubgroupBallot<W>(lanes, active, where);
  else if constexpr (Number<R> || std::same_as<R, bool>)
    return SubgroupValue<R, W>(lanes, active, where);
  else
    return lanes;
}

/// Whether the order in which a built-in combines values of T can change its result.
template <class F, class T>
inline constexpr bool depends_on_order = [] {
  if constexpr (Floating<T> && requires { F::op; })
    return F::op == "add" || F::op == "mul";
  else
    return false;
}();

/// The lanes with which a lane combines values, from what follows the value: the size of a cluster, or a ballot.
inline LaneSet combined_with(int) { return LaneSet::first_n(max_subgroup_size); }
inline LaneSet combined_with(int lane, std::uint32_t cluster) {
  const int size = static_cast<int>(cluster), first = lane / size * size;
  return LaneSet::first_n(first + size).without(LaneSet::first_n(first));
}
inline LaneSet combined_with(int, const Ballot& ballot) {
  return {ballot.low64(), ballot.high64()};
}
template <int W>
Ballot combined_argument(const BallotLanes<W>& ballots, int lane) {
  return ballots[lane];
}
template <class A>
const A& combined_argument(const A& argument, int) {
  return argument;
}

/// The result of a reduction or scan of floats in a tangle, in the order that the chooser decides.
template <class F, class T, int W, class... More>
Lanes<T, W> in_chosen_order(Chooser& chooser, SourceLocation where, Mask<W> active,
                            const Lanes<T, W>& result, const Lanes<T, W>& value,
                            const More&... more) {
  constexpr auto takes = F::operation.ends_with("inclusive_scan") ? FloatReduction::Takes::up_to_own
                         : F::operation.ends_with("exclusive_scan")
                             ? FloatReduction::Takes::below_own
                             : FloatReduction::Takes::all;
  constexpr auto type = sizeof(T) == 2   ? FloatReduction::Type::f16
                        : sizeof(T) == 4 ? FloatReduction::Type::f32
                                         : FloatReduction::Type::f64;
  FloatReduction reduction{.type = type, .multiplies = F::op == "mul", .takes = takes};
  std::array<std::uint64_t, W> values{};
  std::array<T, W> results{};
  for (int i = 0; i < W; ++i) {
    const T mine = value[i];
    std::memcpy(&values[static_cast<std::size_t>(i)], &mine, sizeof mine);
    results[static_cast<std::size_t>(i)] = result[i];
  }
  for_each_lane(active, [&](int i) {
    reduction.group[static_cast<std::size_t>(i)] = combined_with(i, combined_argument(more, i)...);
  });
  for (const LaneResult& lane :
       reduce_in_chosen_order(chooser, where, to_lane_set(active), reduction, values))
    std::memcpy(&results[static_cast<std::size_t>(lane.lane)], &lane.bits, sizeof(T));
  return Lanes<T, W>::generate([&](int i) { return results[static_cast<std::size_t>(i)]; });
}

/// The same of each component, if the order matters and a chooser decides it.
template <class F, int W, class R>
const R& reordered(const exec::TangledState<W>&, SourceLocation, Mask<W>, const R& result) {
  return result;
}
template <class F, int W, class R, class V, class... More>
R reordered(const exec::TangledState<W>& state, SourceLocation where, Mask<W> active,
            const R& result, const V& value, const More&... more) {
  if constexpr (requires { typename V::value_type; }) {
    using T = typename V::value_type;
    if constexpr (depends_on_order<F, T>) {
      Chooser* const chooser = state.stack->convergence->chooser;
      if (chooser != nullptr && chooser->asks(Choice::reduction_order)) {
        if constexpr (std::same_as<R, Lanes<T, W>>)
          return in_chosen_order<F, T, W>(*chooser, where, active, result, value, more...);
        else
          return R::generate([&](auto k) {
            return in_chosen_order<F, T, W>(*chooser, where, active, result.template component<k>(),
                                            value.template component<k>(), more...);
          });
      }
    }
  }
  return result;
}

/// Runs a built-in once per tangle. If lanes of a tangle hold different values of an argument
/// that should be uniform (they got them while they were apart), the built-in runs once for each
/// value.
template <int W, class F, class... A>
auto call_per_tangle(exec::TangledState<W>& state, const char* name, SourceLocation where, F f,
                     const A&... arguments) {
  using R = std::remove_cvref_t<decltype(f(Mask<W>(), of_lane(arguments, 0)...))>;
  exec::settle(state);
  auto result = in_lanes<W>(R(f(Mask<W>::none(), of_lane(arguments, 0)...)));
  for (const Tangle& tangle : state.stack->tangles) {
    const Mask<W> lanes = to_mask<W>(tangle.lanes);
    for (Mask<W> rest = lanes; rest.any_lane();) {
      [[maybe_unused]] const int lane = rest.first();
      const Mask<W> same = (rest & ... & lanes_like<W>(arguments, lane));
      const auto here = in_lanes<W>(R(f(lanes, of_lane(arguments, lane)...)));
      detail::rebuild(
          &result,
          select(same, reordered<F>(state, where, lanes, here, of_lane(arguments, lane)...),
                 decltype(result)(result)));
      rest = rest.without(same);
    }
    if (state.stack->asks(Event::Kind::built_in))
      tell_built_in(*state.stack, where, tangle, name, {exec::to_lane_values<W>(arguments)...},
                    exec::to_lane_values<W>(result));
  }
  return to_kernel<W, R>(result, state.active, where);
}

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
