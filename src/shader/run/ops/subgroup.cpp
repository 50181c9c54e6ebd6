#include "shader/run/ops/reduction_list.hpp"

/// \file
/// Runs the functions of the table of built-ins, by their form.

namespace lockstep::spirv {
namespace {

using U32 = std::uint32_t;

template <class T, int P>
LOCKSTEP_INLINE Lanes<T, P> value(const Inst* i, const Context& c) {
  return get_wide<T, P>(c.regs + i->a, i->varying(0));
}
template <int P>
LOCKSTEP_INLINE Lanes<U32, P> second(const Inst* i, const Context& c) {
  return get_wide<U32, P>(c.regs + i->b, i->varying(1));
}

/// The ballot in four registers, operands first to first + 3 of the list.
template <int P>
BallotLanes<P> get_ballots(const Context& c, const ListArgs& list, std::size_t first) {
  const auto word = [&](std::size_t k) {
    const Slot& slot = list.slots[first + k];
    return get_wide<U32, P>(c.regs + slot.at, slot.varying);
  };
  return {word(0), word(1), word(2), word(3)};
}

/// Four words, uniform or per lane; only those that are used.
void give_ballot(const Inst* i, Context& c, const ListArgs& list, Ballot ballot) {
  const U32 words[4] = {ballot.x, ballot.y, ballot.z, ballot.w};
  for (std::size_t k = 0; k < 4; ++k) {
    if (list.result[k].at != nowhere) put_one<U32>(i, c.regs + list.result[k].at, words[k]);
  }
}

/// The words of a uniform ballot.
Ballot uniform_ballot(const Context& c, const ListArgs& list) {
  const auto word = [&](std::size_t k) { return get_first<U32>(c.regs + list.slots[k].at); };
  return {word(0), word(1), word(2), word(3)};
}
bool is_uniform_ballot(const ListArgs& list) {
  return !list.slots[0].varying && !list.slots[1].varying && !list.slots[2].varying &&
         !list.slots[3].varying;
}

/// f(ballot) for one ballot, or one per lane.
template <int P, class F>
const Inst* of_ballot(const Inst* i, Context& c, F f) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  if (is_uniform_ballot(list)) return give<P>(i, c, f(uniform_ballot(c, list)));
  return give<P>(i, c, f(get_ballots<P>(c, list, 0)));
}

/// The function, with the subgroup size if it takes it.
template <spec::Name name, int P, class... A>
LOCKSTEP_INLINE auto call(const Context& c, const A&... arguments) {
  if constexpr (spec::function(name).takes_size)
    return BuiltInFunction<name>::call(active_lanes<P>(c), arguments..., c.size);
  else
    return BuiltInFunction<name>::call(active_lanes<P>(c), arguments...);
}

template <int P>
const Inst* give_ballots(const Inst* i, Context& c, const BallotLanes<P>& ballots) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  put_wide<U32, P>(c.regs + list.result[0].at, ballots.x);
  put_wide<U32, P>(c.regs + list.result[1].at, ballots.y);
  put_wide<U32, P>(c.regs + list.result[2].at, ballots.z);
  put_wide<U32, P>(c.regs + list.result[3].at, ballots.w);
  return i + 1;
}

/// Runs the function of a row.
template <spec::Name name, class T, int P>
const Inst* run_built_in(const Inst* i, Context& c) {
  using spec::Form;
  constexpr Form form = form_of(name);
  [[maybe_unused]] const auto* list = static_cast<const ListArgs*>(i->args);
  [[maybe_unused]] const auto listed = [&]<class U>(std::size_t k) {
    return get_wide<U, P>(c.regs + list->slots[k].at, list->slots[k].varying);
  };
  if constexpr (form == Form::nothing) {
    return give<P>(i, c, call<name, P>(c));
  } else if constexpr (form == Form::condition || form == Form::comparison || form == Form::value) {
    return give<P>(i, c, call<name, P>(c, value<T, P>(i, c)));
  } else if constexpr (form == Form::value_index) {
    return give<P>(i, c, call<name, P>(c, value<T, P>(i, c), second<P>(i, c)));
  } else if constexpr (form == Form::value_index_cluster) {
    const auto cluster = static_cast<U32>(i->imm);
    return give<P>(i, c, call<name, P>(c, value<T, P>(i, c), second<P>(i, c), cluster));
  } else if constexpr (form == Form::condition_to_ballot) {
    give_ballot(i, c, *list, call<name, P>(c, listed.template operator()<bool>(0)));
    return i + 1;
  } else if constexpr (form == Form::value_to_ballot) {
    return give_ballots<P>(i, c, call<name, P>(c, listed.template operator()<T>(0)));
  } else if constexpr (form == Form::ballot) {
    return of_ballot<P>(i, c, [&](const auto& ballot) { return call<name, P>(c, ballot); });
  } else {
    static_assert(form == Form::ballot_index, "no operands are known for this form");
    const auto index = listed.template operator()<U32>(4);
    return of_ballot<P>(i, c, [&](const auto& ballot) { return call<name, P>(c, ballot, index); });
  }
}

template <bool (*is_chosen)(spec::Name), class T, int P>
Run find_on(spec::Name name) {
  return for_name<is_chosen>(name,
                             []<spec::Name known>() -> Run { return run_built_in<known, T, P>; });
}

/// Takes no value whose type matters.
constexpr bool has_no_value(spec::Name name) {
  using enum spec::Form;
  const spec::Form form = form_of(name);
  return form == nothing || form == condition || form == condition_to_ballot || form == ballot ||
         form == ballot_index;
}
/// Compares values: floats and integers differ.
constexpr bool compares(spec::Name name) {
  return form_of(name) == spec::Form::comparison || form_of(name) == spec::Form::value_to_ballot;
}
/// Moves values between lanes: depends on bits only.
constexpr bool moves(spec::Name name) {
  using enum spec::Form;
  const spec::Form form = form_of(name);
  return !row_of(name).op && (form == value || form == value_index || form == value_index_cluster);
}

/// Runs a reduction or scan once for each subset of the active lanes and blends the results.
template <class T, int P>
const Inst* partitioned(const Inst* i, Context& c) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  const Mask<P> active = active_lanes<P>(c);
  const BallotLanes<P> partition = get_ballots<P>(c, list, 1);
  Inst inner = *i;
  inner.a = list.slots[0].at;
  inner.steps = static_cast<std::uint8_t>(0x80 | (list.slots[0].varying ? 1 : 0));
  const exec::State<128> whole = c.state;
  // The value may only occupy the result's register once all subsets have read it.
  detail::Assignable<Lanes<T, P>> result(get_wide<T, P>(c.regs + inner.a, inner.varying(0)));
  detail::for_each_subset(active, partition, [&](Mask<P> subset) {
    c.state.active = Mask<128>::from_bits(subset.bits());
    list.inner(&inner, c);
    result.set(select(subset, get_wide<T, P>(c.regs + i->dst, true), result.get()));
  });
  c.state = whole;
  put_wide<T, P>(c.regs + i->dst, result.get());
  return i + 1;
}

template <int P>
Run find_of_width(spec::Name name, Scalar type) {
  if (const Run found = find_on<has_no_value, bool, P>(name)) return found;
  if (compares(name)) {
    if (type == Scalar::boolean) return find_on<compares, bool, P>(name);
    if (is_float(type))
      return for_float(type, [&]<class T>() { return find_on<compares, T, P>(name); });
    return for_bits(type, [&]<class T>() { return find_on<compares, T, P>(name); });
  }
  if (type == Scalar::boolean) return find_on<moves, bool, P>(name);
  return for_bits(type, [&]<class T>() { return find_on<moves, T, P>(name); });
}

/// Makes or takes one ballot.
constexpr bool has_one_ballot(spec::Name name) {
  return form_of(name) == spec::Form::condition_to_ballot || form_of(name) == spec::Form::ballot;
}

/// A row with a ballot whose first word is uniform and the only one that is used.
template <spec::Name name>
const Inst* run_on_word(const Inst* i, Context& c) {
  if constexpr (form_of(name) == spec::Form::condition_to_ballot)
    return give<32>(i, c, call<name, 32>(c, value<bool, 32>(i, c)).x);
  else
    return give<32>(i, c, call<name, 32>(c, Ballot{get_first<U32>(c.regs + i->a), 0, 0, 0}));
}

}  // namespace

Run find_subgroup(spec::Name name, Scalar type, int width) {
  return for_width(width, [&]<int P>() { return find_of_width<P>(name, type); });
}

Run find_enter_elected(int width) {
  return for_width(width, []<int P>() -> Run {
    return [](const Inst* i, Context& c) {
      const Lanes<bool, P> elected = subgroupElect(active_lanes<P>(c));
      exec::Entered<128>& entered = c.frames[i->number].entered;
      entered = exec::enter(c.state, Mask<128>::from_bits(elected.mask().bits()));
      if (entered.any) count_divergence(c, c.state.active, entered.waiting);
      return entered.any ? i + 1 : i->target;
    };
  });
}

Run find_one_word(spec::Name name) {
  return for_name<has_one_ballot>(name,
                                  []<spec::Name known>() -> Run { return run_on_word<known>; });
}

Run find_partitioned(Scalar type, int width) {
  return for_width(width, [&]<int P>() -> Run {
    if (type == Scalar::boolean) return partitioned<bool, P>;
    return for_bits(type, []<class T>() -> Run { return partitioned<T, P>; });
  });
}

Run find_reduction(spec::Name name, Scalar type, int width) {
  if (type == Scalar::boolean) {
    return for_width(
        width, [&]<int P>() { return find_reduction_on<is_reduction_of_bools, bool, P>(name); });
  }
  if (is_float(type)) return find_reduction_float(name, type, width);
  switch (size_of(type)) {
    case 1:
      return find_reduction_int8(name, is_signed(type), width);
    case 2:
      return find_reduction_int16(name, is_signed(type), width);
    case 4:
      return find_reduction_int32(name, is_signed(type), width);
    default:
      return find_reduction_int64(name, is_signed(type), width);
  }
}

}  // namespace lockstep::spirv
