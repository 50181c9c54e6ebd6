#include <lockstep/exec/tangled_state.hpp>

#include "shader/run/ops/built_in_function.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"
#include "shader/run/ops/reduction.hpp"
#include "shader/run/ops/wide.hpp"

/// \file
/// Undefined values: where subgroup operations have no defined result, and their reports.

namespace lockstep::spirv {
namespace {

using U32 = std::uint32_t;

/// Whether only NaN may make the result undefined.
constexpr bool depends_on_value(spec::Name name) {
  const auto op = row_of(name).op;
  return op && (*op == Operator::min || *op == Operator::max);
}
constexpr bool is_partitioned(spec::Name name) { return form_of(name) == spec::Form::value_ballot; }

template <int P>
Lanes<U32, P> word(const Context& c, const Slot& slot) {
  return get_wide<U32, P>(c.regs + slot.at, slot.varying);
}
template <int P>
BallotLanes<P> ballots(const Context& c, const ListArgs& list, std::size_t first) {
  const auto at = [&](std::size_t k) { return word<P>(c, list.slots[first + k]); };
  return {at(0), at(1), at(2), at(3)};
}

/// The lanes in which the function of a row gives nothing defined. T is the type of its value, or any where the
/// value does not matter.
template <spec::Name name, class T, int P>
Mask<P> undefined_in(Mask<P> active, const Context& c, const ListArgs& list, U32 cluster) {
  using enum spec::Form;
  using Undefined = UndefinedFunction<name>;
  constexpr spec::Form form = form_of(name);
  const auto taken = [&] {
    return get_wide<T, P>(c.regs + list.slots[0].at, list.slots[0].varying);
  };
  if constexpr (form == value_index) {
    return Undefined::call(active, Lanes<U32, P>(0u), word<P>(c, list.slots[1]), c.size);
  } else if constexpr (form == value_index_cluster) {
    return Undefined::call(active, Lanes<U32, P>(0u), word<P>(c, list.slots[1]), cluster, c.size);
  } else if constexpr (form == spec::Form::ballot) {
    return Undefined::call(active, ballots<P>(c, list, 0), c.size);
  } else if constexpr (form == ballot_index) {
    return Undefined::call(active, ballots<P>(c, list, 0), word<P>(c, list.slots[4]), c.size);
  } else if constexpr (form == value_ballot) {
    return Undefined::call(active, taken(), ballots<P>(c, list, 1));
  } else if constexpr (form == value_cluster) {
    return Undefined::call(active, taken(), cluster, c.size);
  } else if constexpr (requires { Undefined::call(active, taken(), c.size); }) {
    return Undefined::call(active, taken(), c.size);
  } else {
    static_assert(form == spec::Form::value, "no operands are known for this form");
    return Undefined::call(active, taken());
  }
}

/// Whether the operands are such that a lane that gets nothing defined has no source: what else is wrong with them has
/// a rule of its own.
template <spec::Name name, int P>
bool has_legal_operands(Mask<P> active, const Context& c, const ListArgs& list, U32 cluster,
                        bool if_agreed) {
  if constexpr (row_of(name).code == Code::broadcast)
    return !if_agreed || lockstep::detail::agreed(active, word<P>(c, list.slots[1]));
  else if constexpr (form_of(name) == spec::Form::value_index_cluster)
    return lockstep::detail::legal_cluster(cluster, c.size) &&
           lockstep::detail::agreed(active, word<P>(c, list.slots[1]));
  else
    return true;
}

/// Inst::imm is the size of clusters, Inst::c says that only sources outside the subgroup count, and Inst::b that numbers
/// which must be the same in all lanes have a rule of their own.
template <spec::Name name, class T, int P>
const Inst* undefined_lanes(const Inst* i, Context& c) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  const Mask<P> active = active_lanes<P>(c);
  const Mask<P> sources = i->c != 0 ? Mask<P>::first_n(c.size) : active;
  const auto cluster = static_cast<U32>(i->imm);
  Mask<P> lanes;
  if (has_legal_operands<name, P>(active, c, list, cluster, i->b != 0))
    lanes = active & undefined_in<name, T, P>(sources, c, list, cluster);
  put_mask(c.regs + i->dst, Mask<128>::from_bits(lanes.bits()));
  return i + 1;
}

constexpr bool is_of_lanes(spec::Name name) {
  using enum spec::Form;
  const spec::Form form = form_of(name);
  if (!spec::function(name).undefined.empty() && !row_of(name).op)
    return form == value_index || form == value_index_cluster || form == value || form == ballot ||
           form == ballot_index;
  return false;
}
constexpr bool is_of_find(spec::Name name) {
  return is_of_lanes(name) && row_of(name).code != Code::inverse_ballot;
}
constexpr bool is_of_numbers(spec::Name name) { return depends_on_value(name); }
/// All partitioned operations on integers are undefined alike.
constexpr bool is_partitioned_add(spec::Name name) {
  return is_partitioned(name) && row_of(name).op == Operator::add;
}

template <bool (*is_chosen)(spec::Name), class T, int P>
Run find_undefined(spec::Name name) {
  return for_name<is_chosen>(
      name, []<spec::Name known>() -> Run { return undefined_lanes<known, T, P>; });
}

const Inst* report_undefined(const Inst* i, Context& c) {
  const Mask<128> lanes = c.state.active & get_mask(c.regs + i->a);
  if (lanes.any_lane()) [[unlikely]]
    note_undefined(c, i, to_lane_set(lanes));
  return i + 1;
}

}  // namespace

Run find_undefined_lanes(const Op& op, int width) {
  const auto& built_in = op.as<UndefinedLanes>();
  const spec::Name name = name_of(built_in.code, built_in.op, static_cast<int>(built_in.direction));
  return for_width(width, [&]<int P>() -> Run {
    if (is_partitioned(name) && !(is_float(op.type) && depends_on_value(name)))
      return find_undefined<is_partitioned_add, U32, P>(name_of(built_in.code, Operator::add));
    if (!depends_on_value(name)) return find_undefined<is_of_find, U32, P>(name);
    return for_float(op.type, [&]<class T>() { return find_undefined<is_of_numbers, T, P>(name); });
  });
}

Run find_report_undefined() { return report_undefined; }

}  // namespace lockstep::spirv
