#include "shader/ir/early_jumps.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "shader/ir/regions.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// How many jumps one after the other become sides in each other.
constexpr int deepest = 64;

class EarlyJumps {
 public:
  explicit EarlyJumps(Ir& ir)
      : ir_(ir),
        other_(ir.constructs + 1),
        end_(ir.constructs + 1),
        test_(ir.constructs + 1),
        trip_end_(ir.constructs + 1) {
    for (Index k = 0; k < ir.ops.size(); ++k) {
      const Op& op = ir.ops[k];
      if (op.code == Code::if_else) other_[construct_of(op)] = k;
      if (op.code == Code::loop_test) test_[construct_of(op)] = k;
      if (op.code == Code::trip_end) trip_end_[construct_of(op)] = k;
      if (closes_construct(op.code)) end_[construct_of(op)] = k;
    }
  }

  void run() {
    const auto count = static_cast<Index>(ir_.ops.size());
    ops_.reserve(count);
    append(0, count);
    std::ranges::sort(gone_);
    std::size_t next = 0, kept = 0;
    for (std::size_t k = 0; k < ops_.size(); ++k) {
      if (next < gone_.size() && gone_[next] == k)
        ++next;
      else if (kept++ != k)
        ops_[kept - 1] = std::move(ops_[k]);
    }
    ops_.resize(kept);
    ir_.ops = std::move(ops_);
  }

 private:
  bool jumps(Index before, Index first) const {
    return before > first && ir_.ops[before - 1].code == jump_;
  }
  void append_one(Index k) {
    returns_ = returns_ || ir_.ops[k].code == Code::retire;
    ops_.push_back(std::move(ir_.ops[k]));
  }

  /// The operations as they are, except in calls and loops.
  void append(Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      if (ir_.ops[k].code == Code::call_begin)
        k = append_call(k);
      else if (ir_.ops[k].code == Code::loop_begin)
        k = append_loop(k);
      else
        append_one(k);
    }
  }

  /// A call without returns needs no construct: values go in and out freely.
  Index append_call(Index begin) {
    const Index last = end_[construct_of(ir_.ops[begin])];
    const bool outer_returns = std::exchange(returns_, false);
    const std::size_t first = ops_.size();
    append_one(begin);
    append_tail_of(Code::retire, begin + 1, last);
    if (returns_)
      append_one(last);
    else
      gone_.push_back(first);
    returns_ = outer_returns;
    return last;
  }

  /// The parts of an iteration before and after its body stay: the first ends with its test.
  Index append_loop(Index begin) {
    const std::uint32_t construct = construct_of(ir_.ops[begin]);
    const Index last = end_[construct], trip_end = trip_end_[construct];
    const Index test = test_[construct];
    const Index body = test > begin && test < trip_end ? test + 1 : begin + 1;
    append_one(begin);
    append(begin + 1, body);
    append_tail_of(Code::leave_trip, body, trip_end);
    append(trip_end, last + 1);
    return last;
  }

  void append_tail_of(Code jump, Index begin, Index end) {
    const Code outer = std::exchange(jump_, jump);
    append_tail(begin, end, 0);
    jump_ = outer;
  }

  /// Operations after which the function, or the iteration, ends.
  void append_tail(Index begin, Index end, int depth) {
    if (depth > deepest) return append(begin, end);
    for (Index k = begin; k < end;) {
      const Op& op = ir_.ops[k];
      switch (op.code) {
        case Code::if_begin:
          if (append_selection(k, end, depth)) return;
          [[fallthrough]];
        case Code::loop_begin:
        case Code::switch_begin:
        case Code::call_begin: {
          const Index next = end_[construct_of(op)] + 1;
          append(k, next);
          k = next;
          break;
        }
        default:
          if (op.code == jump_) return;  // whatever follows is never reached
          append_one(k++);
      }
    }
  }

  /// A selection of which the first side, or the only one, jumps, with the rest as its other side.
  bool append_selection(Index begin, Index end, int depth) {
    const std::uint32_t construct = construct_of(ir_.ops[begin]);
    const Index other = other_[construct], after = end_[construct];
    const bool first_jumps = jumps(other, begin + 1), other_jumps = jumps(after, other + 1);
    if (first_jumps) {
      append_one(begin);
      append_tail(begin + 1, other - 1, depth + 1);
      append_one(other);
      if (other_jumps) {
        append_tail(other + 1, after - 1, depth + 1);
      } else {
        append(other + 1, after);
        append_tail(after + 1, end, depth + 1);
      }
      append_one(after);
      return true;
    }
    if (after + 1 == end && !other_jumps) {
      append_one(begin);
      append_tail(begin + 1, other, depth + 1);
      append_one(other);
      append_tail(other + 1, after, depth + 1);
      append_one(after);
      return true;
    }
    if (!other_jumps || other != begin + 1) return false;
    invert(ir_.ops[begin]);
    append_one(begin);
    append_tail(other + 1, after - 1, depth + 1);
    append_one(other);
    append_tail(after + 1, end, depth + 1);
    append_one(after);
    return true;
  }

  void invert(Op& selection) {
    Op& inverse = ops_.emplace_back();
    inverse.code = Code::bnot;
    inverse.type = Scalar::boolean;
    inverse.src = {selection.src[0]};
    inverse.dst = {add_register(ir_, {.type = Scalar::boolean})};
    inverse.where = selection.where;
    selection.src = inverse.dst;
  }

  Ir& ir_;
  /// By construct: where its other side begins, where it ends; where the last test of a loop is, and where its iterations
  /// end.
  std::vector<Index> other_, end_, test_, trip_end_;
  Code jump_ = Code::retire;  ///< what leads to the end of the tail
  std::vector<Op> ops_;
  std::vector<std::size_t> gone_;  ///< the operations in ops_ that are not wanted
  bool returns_ = false;           ///< whether lanes return early from the innermost call so far
};

}  // namespace

void make_jumps_sides(Ir& ir) { EarlyJumps(ir).run(); }

}  // namespace lockstep::spirv
