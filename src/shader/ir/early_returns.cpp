#include "shader/ir/early_returns.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// How many returns one after the other become sides in each other.
constexpr int deepest = 64;

class EarlyReturns {
 public:
  explicit EarlyReturns(Ir& ir) : ir_(ir), other_(ir.constructs + 1), end_(ir.constructs + 1) {
    for (Index k = 0; k < ir.ops.size(); ++k) {
      switch (ir.ops[k].code) {
        case Code::if_else:
          other_[construct_of(ir.ops[k])] = k;
          break;
        case Code::if_end:
        case Code::loop_end:
        case Code::switch_end:
        case Code::call_end:
          end_[construct_of(ir.ops[k])] = k;
          break;
        default:
          break;
      }
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
  bool returns(Index before, Index first) const {
    return before > first && ir_.ops[before - 1].code == Code::retire;
  }
  void append_one(Index k) {
    returns_ = returns_ || ir_.ops[k].code == Code::retire;
    ops_.push_back(std::move(ir_.ops[k]));
  }

  /// The operations as they are, except in calls.
  void append(Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      if (ir_.ops[k].code == Code::call_begin)
        k = append_call(k);
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
    append_tail(begin + 1, last, 0);
    if (returns_)
      append_one(last);
    else
      gone_.push_back(first);
    returns_ = outer_returns;
    return last;
  }

  /// Operations after which the function ends.
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
        case Code::retire:
          return;  // whatever follows is never reached
        default:
          append_one(k++);
      }
    }
  }

  /// A selection of which the first side, or the only one, returns, with the rest of the function as its other side.
  bool append_selection(Index begin, Index end, int depth) {
    const std::uint32_t construct = construct_of(ir_.ops[begin]);
    const Index other = other_[construct], after = end_[construct];
    const bool first_returns = returns(other, begin + 1), other_returns = returns(after, other + 1);
    if (first_returns) {
      append_one(begin);
      append_tail(begin + 1, other - 1, depth + 1);
      append_one(other);
      if (other_returns) {
        append_tail(other + 1, after - 1, depth + 1);
      } else {
        append(other + 1, after);
        append_tail(after + 1, end, depth + 1);
      }
      append_one(after);
      return true;
    }
    if (after + 1 == end && !other_returns) {
      append_one(begin);
      append_tail(begin + 1, other, depth + 1);
      append_one(other);
      append_tail(other + 1, after, depth + 1);
      append_one(after);
      return true;
    }
    if (!other_returns || other != begin + 1) return false;
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
  std::vector<Index> other_,
      end_;  ///< by construct: where its other side begins, and where it ends
  std::vector<Op> ops_;
  std::vector<std::size_t> gone_;  ///< the operations in ops_ that are not wanted
  bool returns_ = false;           ///< whether lanes return early from the innermost call so far
};

}  // namespace

void make_returns_sides(Ir& ir) { EarlyReturns(ir).run(); }

}  // namespace lockstep::spirv
