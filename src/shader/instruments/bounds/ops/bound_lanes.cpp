#include "shader/run/bound_args.hpp"

#include <algorithm>
#include <array>

#include "oracle/operations.hpp"
#include "shader/ir/operation_text.hpp"
#include "shader/run/ops/chunk.hpp"

/// \file
/// Values that conforming devices may have: operations between lanes.

namespace lockstep::spirv {
namespace {

using oracle::Allowed;
using oracle::Why;

/// The operands that all operations between lanes have, from `first` on.
struct Between {
  const BoundArgs& args;
  std::size_t first = 0;

  bool is_undefined(const Context& c, int lane) const {
    const Slot& slot = args.slots[first];
    return slot.at != nowhere && get_bits(c, slot, Scalar::boolean, lane) != 0;
  }
  Allowed group(const Context& c, int lane) const {
    return get_allowed(c, args.slots[first + 1], lane);
  }
  /// What is allowed for an operand.
  Allowed operand(const Context& c, std::size_t number, int lane) const {
    return get_allowed(c, args.slots[first + 2 + number], lane);
  }
  std::size_t operands() const {
    return args.bound.of == nullptr ? args.slots.size() - first - 2 : args.bound.of->src.size();
  }

  /// The weakest of the result, and what is known of the lanes that take part.
  Allowed result(const Context& c, int lane, const Allowed& value) const {
    if (is_undefined(c, lane))
      return oracle::any(Allowed::Kind::undefined, Why::lanes, args.bound.origin);
    return oracle::weaker(value, group(c, lane));
  }
};

/// A number that is not exact makes another result possible.
Allowed as_open(const Allowed& a) {
  if (a.kind != Allowed::Kind::within) return a;
  return oracle::any(Allowed::Kind::open, Why::conversion, a.origin);
}

const Inst* between(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  const Between given{args};
  const auto of_lane = [&](int lane) {
    Allowed all;
    for (std::size_t k = 0; k < given.operands(); ++k)
      all = oracle::weaker(all, as_open(given.operand(c, k, lane)));
    return all;
  };
  // An operation of one lane alone, or on those of all.
  const bool alone = args.bound.of == nullptr;
  Allowed all;
  if (!alone)
    for_each_lane(c.state.active, [&](int lane) { all = oracle::weaker(all, of_lane(lane)); });
  for_each_lane(c.state.active, [&](int lane) {
    const Allowed result = given.result(c, lane, alone ? of_lane(lane) : all);
    for (const Slot& to : args.results) put_allowed(c, to, lane, result);
  });
  return i + 1;
}

/// The value's own, from the lane that it comes from; which lane that is may be open, too.
const Inst* gather(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  const Between given{args, 1};
  std::array<Allowed, 128> values;
  for_each_lane(c.state.active, [&](int lane) {
    values[static_cast<std::size_t>(lane)] = given.operand(c, 0, lane);
  });
  for_each_lane(c.state.active, [&](int lane) {
    const auto source = static_cast<int>(get_bits(c, args.slots[0], Scalar::u32, lane));
    Allowed result;
    if (source < c.size && c.state.active.test(source))
      result = values[static_cast<std::size_t>(source)];
    for (std::size_t k = 1; k < given.operands(); ++k)
      result = oracle::weaker(result, as_open(given.operand(c, k, lane)));
    put_allowed(c, args.results[0], lane, given.result(c, lane, result));
  });
  return i + 1;
}

/// Reductions and scans of floats.
class Reducer {
 public:
  Reducer(const BoundArgs& args, Context& c)
      : args_(args), c_(c), given_{args, 2}, op_(*args.bound.of), reduction_(op_.as<Reduction>()) {
    rules_.precision.format = format_of(op_.type);
    // Sums and products obey no mode, minima and maxima have one result.
    rules_.precision.flushes = !op_.controls.keeps_denormals;
    rules_.origin = args.bound.origin;
    const bool ballots = given_.operands() > 1;
    for_each_lane(c.state.active, [&](int lane) {
      const double value = value_of(0, lane);
      Allowed& mine = values_[static_cast<std::size_t>(lane)];
      mine = oracle::operand(given_.operand(c, 0, lane), value, rules_);
      if (mine.kind == Allowed::Kind::within && !mine.values.is_finite())
        mine = oracle::any(Allowed::Kind::undefined, Why::special, rules_.origin);
      if (!ballots) return;
      for (std::size_t k = 1; k < given_.operands(); ++k) {
        const Allowed word = given_.operand(c, k, lane);
        if (word.kind != Allowed::Kind::exact) mine = oracle::weaker(mine, as_open(word));
      }
    });
  }

  void run() {
    for_each_lane(c_.state.active, [&](int lane) {
      Allowed result = given_.result(c_, lane, of(lane));
      if (c_.provenance != nullptr && result.kind != Allowed::Kind::exact) keep_step(lane, result);
      put_allowed(c_, args_.results[0], lane, result);
    });
  }

 private:
  /// The operand's number, and the result's.
  double value_of(std::size_t number, int lane) const {
    return oracle::from_bits(get_bits(c_, args_.slots[number], args_.types[number], lane),
                             rules_.precision.format);
  }
  /// Its operands are those of the lanes that take part.
  void keep_step(int lane, Allowed& result) const {
    oracle::Step step{.origin = rules_.origin,
                      .operation = operation_text(op_),
                      .value = value_of(1, lane),
                      .allowed = result,
                      .operands = {}};
    for_each_lane(c_.state.active, [&](int other) {
      if (!takes_part(lane, other)) return;
      step.operands.push_back({given_.operand(c_, 0, other).step, value_of(0, other), other});
    });
    result.step = c_.provenance->add(std::move(step));
  }
  bool is_inclusive() const {
    return op_.code == Code::inclusive_scan || op_.code == Code::partitioned_inclusive_scan;
  }
  bool is_exclusive() const {
    return op_.code == Code::exclusive_scan || op_.code == Code::partitioned_exclusive_scan;
  }
  bool is_partitioned() const {
    return op_.code == Code::partitioned_reduce || op_.code == Code::partitioned_inclusive_scan ||
           op_.code == Code::partitioned_exclusive_scan;
  }

  bool takes_part(int lane, int other) const {
    if (is_inclusive() && other > lane) return false;
    if (is_exclusive() && other >= lane) return false;
    if (op_.code == Code::clustered) {
      const int cluster = static_cast<int>(reduction_.cluster);
      return cluster == 0 || lane / cluster == other / cluster;
    }
    if (is_partitioned()) {
      const std::size_t word = args_.slots.size() - 4 + static_cast<std::size_t>(other / 32);
      return (get_bits(c_, args_.slots[word], Scalar::u32, lane) >> (other % 32) & 1) != 0;
    }
    return true;
  }

  Allowed of(int lane) const {
    std::vector<Allowed> taking;
    Allowed weakest;
    for_each_lane(c_.state.active, [&](int other) {
      if (!takes_part(lane, other)) return;
      const Allowed& value = values_[static_cast<std::size_t>(other)];
      if (!value.is_number()) weakest = oracle::weaker(weakest, value);
      taking.push_back(value);
    });
    if (!weakest.is_number()) return weakest;
    // In a known order exact numbers have one result.
    const bool exact = std::all_of(taking.begin(), taking.end(),
                                   [](const Allowed& a) { return a.values.is_point(); });
    if (args_.bound.ordered && exact) return {};
    return joined(taking);
  }
  Allowed joined(const std::vector<Allowed>& taking) const {
    // Without any it is the identity, with one that number: either is exact but for denormals.
    if (taking.empty()) return {};
    switch (reduction_.op) {
      case Operator::add:
        if (taking.size() == 1) break;
        return oracle::any_order_sum(taking, rules_.precision, rules_.origin);
      case Operator::mul:
        if (taking.size() == 1) break;
        return oracle::any_order_product(taking, rules_.precision, rules_.origin);
      case Operator::min:
      case Operator::max: {
        Allowed all = taking[0];
        for (const Allowed& value : taking)
          all = reduction_.op == Operator::min ? oracle::minimum(all, value, rules_)
                                               : oracle::maximum(all, value, rules_);
        return all;
      }
      default:
        break;
    }
    return oracle::numbers(oracle::flushed(taking[0].values, rules_.precision), rules_.origin);
  }

  const BoundArgs& args_;
  Context& c_;
  Between given_;
  const Op& op_;
  const Reduction& reduction_;
  oracle::Rules rules_;
  std::array<Allowed, 128> values_;
};

const Inst* reduce(const Inst* i, Context& c) {
  Reducer(*static_cast<const BoundArgs*>(i->args), c).run();
  return i + 1;
}

}  // namespace

Run find_bound_lanes(Bound::Kind kind) {
  return kind == Bound::Kind::gather ? gather : kind == Bound::Kind::between ? between : reduce;
}

}  // namespace lockstep::spirv
