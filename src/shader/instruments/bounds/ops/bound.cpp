#include "shader/run/bound_args.hpp"
#include "shader/run/ops/chunk.hpp"

/// \file
/// Values that conforming devices may have: variables, and what depends on divergence.

namespace lockstep::spirv {
namespace {

using oracle::Allowed;

/// Calls f(lane) for each active lane and writes its result.
template <class F>
const Inst* each_lane(const Inst* i, Context& c, F f) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  for_each_lane(c.state.active,
                [&](int lane) { put_allowed(c, args.results[0], lane, f(args, lane)); });
  return i + 1;
}

const Inst* copy(const Inst* i, Context& c) {
  return each_lane(
      i, c, [&](const BoundArgs& args, int lane) { return get_allowed(c, args.slots[0], lane); });
}
const Inst* fill(const Inst* i, Context& c) {
  return each_lane(i, c, [](const BoundArgs& args, int) { return *args.bound.filled; });
}
/// A variable that lanes may or may not have written: it holds the old or the new value.
const Inst* mark(const Inst* i, Context& c) {
  return each_lane(i, c, [&](const BoundArgs& args, int lane) {
    const Allowed mine = get_allowed(c, args.slots[0], lane);
    const Allowed control = get_allowed(c, args.slots[1], lane);
    return oracle::weaker(mine, control);
  });
}
/// Lanes whose condition may differ on another device may take the other branch.
const Inst* enter(const Inst* i, Context& c) {
  return each_lane(i, c, [&](const BoundArgs& args, int lane) {
    const Allowed control = get_allowed(c, args.slots[0], lane);
    Allowed condition = get_allowed(c, args.slots[1], lane);
    if (condition.kind == Allowed::Kind::within)
      condition = oracle::any(Allowed::Kind::open, oracle::Why::conversion, condition.origin);
    return oracle::weaker(control, condition);
  });
}
const Inst* spread(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  Allowed all;
  for_each_lane(c.state.active, [&](int lane) {
    all = oracle::weaker(all, get_allowed(c, args.slots[0], lane));
    all = oracle::weaker(all, get_allowed(c, args.slots[1], lane));
  });
  if (all.kind == Allowed::Kind::open) all.why = oracle::Why::participants;
  for_each_lane(c.state.active, [&](int lane) { put_allowed(c, args.results[0], lane, all); });
  return i + 1;
}

}  // namespace

Run find_bound(Bound::Kind kind) {
  using enum Bound::Kind;
  switch (kind) {
    case compute:
      return find_bound_compute();
    case Bound::Kind::copy:
      return spirv::copy;
    case Bound::Kind::fill:
      return spirv::fill;
    case Bound::Kind::mark:
      return spirv::mark;
    case Bound::Kind::enter:
      return spirv::enter;
    case Bound::Kind::spread:
      return spirv::spread;
    case gather:
    case between:
    case reduce:
      return find_bound_lanes(kind);
    case sample_texels:
      return find_bound_sample();
    default:
      return find_bound_memory(kind);
  }
}

}  // namespace lockstep::spirv
