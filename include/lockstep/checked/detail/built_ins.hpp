#pragma once

#include <array>
#include <string_view>

#include <lockstep/checked/detail/results.hpp>
#include <lockstep/glsl/detail/built_in_calls.hpp>
#include <lockstep/subgroup/detail/undefined.hpp>
#include <lockstep/subgroup/spec.hpp>

/// \file
/// Subgroup built-ins of values that may be undefined: what they pass on, and where their results begin to be undefined.

namespace lockstep::inline LOCKSTEP_ABI::checked {

/// What the table says about a built-in, by the type that calls it (glsl/detail/built_in_calls.hpp).
template <class F>
struct Row {
  static constexpr bool known = false;
};
#define LOCKSTEP_ROW(name_, family, types, operation_, op, ...)           \
  template <>                                                             \
  struct Row<built_in::name_> {                                           \
    static constexpr bool known = true;                                   \
    static constexpr spec::Name name = spec::Name::name_;                 \
    static constexpr const char* text = #name_;                           \
    static constexpr std::string_view operation = #operation_;            \
    static constexpr bool combines = std::string_view(#op) != "none";     \
    static constexpr bool finds_nan =                                     \
        std::string_view(#op) == "min" || std::string_view(#op) == "max"; \
  };
LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW

/// The same about derivatives, which are not in the table.
template <class F>
struct Derivative {
  static constexpr bool known = false;
};
#define LOCKSTEP_ROW(name)                                                      \
  template <>                                                                   \
  struct Derivative<built_in::name> {                                           \
    static constexpr bool known = true;                                         \
    static constexpr std::string_view text = #name;                             \
    template <int W>                                                            \
    static Mask<W> undefined_in(Mask<W> active, const Lanes<float, W>& value) { \
      return undefined::name(active, value, origins::subgroup_size());          \
    }                                                                           \
  };
LOCKSTEP_DERIVATIVES(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW

/// Where a derivative is undefined because a member of the quad is that it reads, or is not active.
template <class F, int W>
Poison<W> of_derivative(Mask<W> active, SourceLocation where, const Poison<W>& mine) {
  using Uint = Lanes<std::uint32_t, W>;
  using D = Derivative<F>;
  const auto begun = Poison<W>::from(Check::undefined_quad,
                                     active & D::undefined_in(active, Lanes<float, W>(0.0f)), where,
                                     D::text.data());
  if (!(mine.lanes & active).any_lane()) return begun;
  constexpr bool coarse = D::text.ends_with("Coarse");
  const Uint each = mine.in(active).each();
  const auto of_member = [&](const Uint& member) { return permute(each, member); };
  // The members that differ from `base` in one bit.
  const auto along = [&](std::uint32_t bit) {
    const Uint base = Uint::iota() & Uint(coarse ? ~3u : ~bit);
    const Uint low = of_member(base), high = of_member(base | Uint(bit));
    return select(low > high, low, high);
  };
  constexpr bool along_x = !D::text.starts_with("dFdy"), along_y = !D::text.starts_with("dFdx");
  Poison<W> passed_on;
  if constexpr (along_x) passed_on = passed_on | Poison<W>::from(along(1u));
  if constexpr (along_y) passed_on = passed_on | Poison<W>::from(along(2u));
  return begun | passed_on.in(active);
}

/// The active lanes are all undefined if one of them is, for the origin with the highest number.
template <int W>
Poison<W> in_any_lane(Mask<W> active, const Poison<W>& mine) {
  if (!(mine.lanes & active).any_lane()) return {};
  return {Mask<W>::all(),
          mine.has_one_origin() ? mine.since : subgroupMax(active, mine.in(active).each())};
}

/// What a built-in makes of flags or numbers of origins: a built-in that moves values moves these, too, and any other combines the
/// flags or origins of the lanes whose values it combines.
template <class F, int W, class T, class... More>
auto combined(const F& f, Mask<W> active, const Lanes<T, W>& each, const More&... more) {
  using R = Row<F>;
  // Of flags any, of numbers the greatest.
  const auto choose = [&](auto any, auto greatest) {
    if constexpr (std::same_as<T, bool>)
      return any(active, each, more...);
    else
      return greatest(active, each, more...);
  };
#define LOCKSTEP_OF_LANES(name)                                     \
  choose([](const auto&... a) { return subgroup##name##Or(a...); }, \
         [](const auto&... a) { return subgroup##name##Max(a...); })
#define LOCKSTEP_OF_PARTS(name)                                       \
  choose([](const auto&... a) { return subgroup##name##OrNV(a...); }, \
         [](const auto&... a) { return subgroup##name##MaxNV(a...); })
  if constexpr (!R::combines)
    return f(active, each, more...);
  else if constexpr (R::operation == "inclusive_scan")
    return LOCKSTEP_OF_LANES(Inclusive);
  else if constexpr (R::operation == "exclusive_scan")
    return LOCKSTEP_OF_LANES(Exclusive);
  else if constexpr (R::operation == "clustered")
    return LOCKSTEP_OF_LANES(Clustered);
  else if constexpr (R::operation == "partitioned_reduce")
    return LOCKSTEP_OF_PARTS(Partitioned);
  else if constexpr (R::operation == "partitioned_inclusive_scan")
    return LOCKSTEP_OF_PARTS(PartitionedInclusive);
  else
    return LOCKSTEP_OF_PARTS(PartitionedExclusive);
#undef LOCKSTEP_OF_LANES
#undef LOCKSTEP_OF_PARTS
}

/// Where the result is undefined because the value is.
template <class F, int W, class... More>
Poison<W> passed_on(const F& f, Mask<W> active, const Poison<W>& mine, const More&... more) {
  if (!(mine.lanes & active).any_lane()) return {};
  if constexpr (Row<F>::operation == "reduce") {
    return in_any_lane(active, mine);
  } else if (mine.has_one_origin()) {
    const Lanes<bool, W> flags = mine.lanes & active;
    return {Lanes<bool, W>(combined(f, active, flags, more...)).mask(), mine.since};
  } else {
    const Lanes<std::uint32_t, W> each = mine.in(active).each();
    return Poison<W>::from(Lanes<std::uint32_t, W>(combined(f, active, each, more...)));
  }
}

/// One lane with a defined value can decide a vote.
template <class F, int W>
Poison<W> of_vote(Mask<W> active, const Lanes<bool, W>& value, const Poison<W>& mine) {
  if (!(mine.lanes & active).any_lane()) return {};
  if constexpr (Row<F>::operation == "all" || Row<F>::operation == "any") {
    const Mask<W> deciding = Row<F>::operation == "any" ? value.mask() : ~value.mask();
    return (deciding & active).without(mine.lanes).any_lane() ? Poison<W>()
                                                              : in_any_lane(active, mine);
  } else {
    return Poison<W>::from(subgroupClusteredMax(active, mine.in(active).each(), 4u));
  }
}

/// The lanes in which the function itself gives nothing defined.
template <spec::Name name, int W, class... A>
Mask<W> undefined_in(Mask<W> sources, const A&... a) {
  using Undefined = undefined::FunctionOf<name>;
  [[maybe_unused]] const int size = origins::subgroup_size();
  if constexpr (spec::function(name).undefined.empty())
    return Mask<W>::none();
  else if constexpr (requires { Undefined::call(sources, a..., size); })
    return Undefined::call(sources, a..., size);
  else
    return Undefined::call(sources, a...);
}

/// Whether the last of the arguments is the size of clusters that the subgroup has.
template <class V, class Delta>
bool has_legal_cluster(const V&, const Delta&, std::uint32_t cluster) {
  return lockstep::detail::legal_cluster(cluster, origins::subgroup_size());
}

/// Whether a broadcast's active lanes name different lanes.
template <int W, class V>
bool differ(Mask<W> active, const V&, const Lanes<std::uint32_t, W>& lane) {
  const Lanes<std::uint32_t, W> first(lane[active.first()]);
  return active.without((lane == first).mask()).any_lane();
}
template <int W, class V>
bool differ(Mask<W>, const V&, std::uint32_t) {
  return false;
}

/// Where the result begins to be undefined, whatever its arguments' origins.
template <class F, int W, class... A>
Poison<W> begun(Mask<W> active, SourceLocation where, const A&... a) {
  using R = Row<F>;
  constexpr spec::UndefinedRule rule = spec::function(R::name).rule;
  const auto broken = [&](Check check, Mask<W> sources) {
    return Poison<W>::from(check, active & undefined_in<R::name, W>(sources, a...), where, R::text);
  };
  if constexpr (!rule.breaks) {
    return {};
  } else if constexpr (rule.past_edge) {
    const Mask<W> all = Mask<W>::first_n(origins::subgroup_size());
    return broken(Check::shuffle_past_edge, all) |
           broken(*rule.breaks, active).without(undefined_in<R::name, W>(all, a...));
  } else {
    if constexpr (R::operation == "broadcast") {
      // Numbers that differ are a finding of their own, which says more.
      if (differ(active, a...) && origins::is_checked_for(Check::broadcast_not_uniform)) return {};
    } else if constexpr (R::operation == "clustered_rotate") {
      if (!has_legal_cluster(a...)) return {};  // cluster-size reports it
    }
    return broken(*rule.breaks, active);
  }
}

/// Ballots as lanes; anything else as it is.
template <int W, class A>
decltype(auto) ballots_as_lanes(const A& argument) {
  if constexpr (std::same_as<A, Ballot>)
    return BallotLanes<W>(argument);
  else
    return (argument);
}

/// Reports an operand that must be the same for all lanes and is undefined.
template <int W, class... A>
void check_same(Mask<W> active, SourceLocation where, const A&... operands) {
  const Poison<W> any = (Poison<W>() | ... | poison_of<W>(operands)).in(active);
  if (any.any()) [[unlikely]]
    origins::report(UseKind::same_operand, where, to_lane_set(any.lanes), any.since);
}

/// Where a built-in's result on a value is undefined: component by component.
template <int W, class F, class V, class... More>
auto poison_on_value(Mask<W> active, SourceLocation where, const F& f, const V& value,
                     const More&... more) {
  using Row = checked::Row<F>;
  Poison<W> of_more;
  if constexpr (spec::function(Row::name).rule.needs_same)
    check_same<W>(active, where, more...);
  else
    of_more = (Poison<W>() | ... | poison_of<W>(more));
  const int lane = active.first();
  const auto begun_at = [&](const auto& component) {
    return begun<F>(active, where, numbers(component, lane),
                    ballots_as_lanes<W>(numbers(more, lane))...);
  };
  // Only NaN differs between components.
  Poison<W> of_all = of_more;
  if constexpr (VecOfLanes<V> && !Row::finds_nan) of_all = begun_at(value[0]) | of_more;
  const auto of_component = [&](const auto& component) {
    const Poison<W> passed = passed_on(f, active, poison_of<W>(component), numbers(more, lane)...);
    if constexpr (VecOfLanes<V> && !Row::finds_nan)
      return of_all | passed;
    else
      return begun_at(component) | passed | of_all;
  };
  if constexpr (VecOfLanes<V>) {
    std::array<Poison<W>, V::components> each;
    for (int k = 0; k < V::components; ++k)
      each[static_cast<std::size_t>(k)] = of_component(value[k]);
    return each;
  } else {
    return std::array{of_component(value)};
  }
}

/// Where a built-in's result is undefined, for each component of its value, in a tangle of these lanes.
template <int W, class F>
std::array<Poison<W>, 1> poison_of_call(Mask<W>, SourceLocation, const F&) {
  return {};
}
template <int W, class F, class V, class... More>
auto poison_of_call(Mask<W> active, SourceLocation where, const F& f, const V& value,
                    const More&... more) {
  [[maybe_unused]] const int lane = active.first();
  if constexpr (Derivative<F>::known) {
    if constexpr (VecOfLanes<V>) {
      std::array<Poison<W>, V::components> each;
      for (int k = 0; k < V::components; ++k)
        each[static_cast<std::size_t>(k)] = of_derivative<F>(active, where, poison_of<W>(value[k]));
      return each;
    } else {
      return std::array{of_derivative<F>(active, where, poison_of<W>(value))};
    }
  } else if constexpr (!Row<F>::known) {
    return std::array{
        (in_any_lane(active, poison_of<W>(value)) | ... | in_any_lane(active, poison_of<W>(more)))};
  } else {
    constexpr spec::Form form = spec::function(Row<F>::name).form;
    if constexpr (form == spec::Form::condition) {
      return std::array{
          of_vote<F>(active, Lanes<bool, W>(numbers(value, lane)), poison_of<W>(value))};
    } else if constexpr (form == spec::Form::condition_to_ballot ||
                         form == spec::Form::comparison || form == spec::Form::value_to_ballot) {
      return std::array{in_any_lane(active, poison_of<W>(value))};
    } else if constexpr (form == spec::Form::ballot &&
                         spec::function(Row<F>::name).rule.needs_same) {
      check_same<W>(active, where, value);
      return std::array{Poison<W>()};
    } else if constexpr (form == spec::Form::ballot || form == spec::Form::ballot_index) {
      return std::array{
          begun<F>(active, where, BallotLanes<W>(numbers(value, lane)), numbers(more, lane)...) |
          (poison_of<W>(value) | ... | poison_of<W>(more))};
    } else {
      return poison_on_value<W>(active, where, f, value, more...);
    }
  }
}

/// A built-in's plain result with what is known of it.
template <int W, std::size_t N, class R>
auto result_of(const R& result, const std::array<Poison<W>, N>& poison, const Mask<W>& active,
               SourceLocation where) {
  if constexpr (VecOfLanes<R>) {
    return Vec<Checked<typename R::value_type>, R::components, W>::generate([&](auto k) {
      return Value<typename R::value_type, W>(result.template component<k>(),
                                              poison[N == 1 ? 0 : static_cast<std::size_t>(k)]);
    });
  } else if constexpr (std::same_as<R, Ballot> || std::same_as<R, SubgroupBallot<W>>) {
    return OneBallot<W>(result, poison[0], active, where);
  } else if constexpr (std::same_as<R, BallotLanes<W>>) {
    return Ballots<W>(result, poison[0]);
  } else if constexpr (lockstep::detail::OneOfEachTangle<R>) {
    return OneResult<typename R::Each, W>(result, poison[0], active, where);
  } else if constexpr (lockstep::detail::Number<R> || std::same_as<R, bool>) {
    return OneResult<R, W>(Lanes<R, W>(result), poison[0], active, where);
  } else {
    return Value<typename R::value_type, W>(result, poison[0]);
  }
}

/// Runs a built-in where all active lanes are one tangle.
template <int W, class F, class... A>
auto call(const Mask<W>& active, SourceLocation where, const F& f, const A&... arguments) {
  return result_of<W>(f(active, numbers(arguments, active.first())...),
                      poison_of_call<W>(active, where, f, arguments...), active, where);
}

/// The numbers of an argument, one for each tangle if that is what it is.
template <int W, class A>
decltype(auto) tangled_numbers(const A& argument, const Mask<W>& active, SourceLocation where) {
  if constexpr (std::derived_from<A, Ballots<W>> && requires { argument.each(0); })
    return SubgroupBallot<W>(argument.plain(), active, where);
  else if constexpr (requires { argument.each(0); })
    return SubgroupValue<typename A::Each, W>(argument.plain(), active, where);
  else
    return numbers(argument);
}

/// Runs a built-in once per tangle.
template <int W, class F, class... A>
auto call_in_tangles(exec::TangledState<W>& state, const char* name, SourceLocation where,
                     const F& f, const A&... arguments) {
  exec::settle(state);
  auto poison = poison_of_call<W>(Mask<W>::none(), where, f, arguments...);
  for (auto& each : poison) each = {};
  for (const Tangle& tangle : state.stack->tangles) {
    const Mask<W> lanes = to_mask<W>(tangle.lanes);
    const auto more = poison_of_call<W>(lanes, where, f, arguments...);
    for (std::size_t k = 0; k < more.size(); ++k) poison[k] = poison[k] | more[k].in(lanes);
  }
  return result_of<W>(
      lockstep::detail::call_per_tangle(state, name, where, f,
                                        tangled_numbers(arguments, state.active, where)...),
      poison, state.active, where);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::checked
