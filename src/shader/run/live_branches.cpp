#include "shader/run/live_branches.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shader/ir/regions.hpp"
#include "shader/run/fold.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// The registers whose value is known where the operations are appended. What is learned in a region is true until its
/// end: other lanes come there.
class KnownValues {
 public:
  explicit KnownValues(const Ir& ir) : ir_(ir), is_known_(ir.regs.size()), once_(ir.regs.size()) {
    std::vector<bool> written(ir.regs.size());
    for (const Op& op : ir.ops) {
      visit_results(op, [&](Reg r) {
        once_[r] = !written[r];
        written[r] = true;
      });
    }
    for (const IndexedVariable& v : ir.indexed) {
      for (const Reg r : v.regs) once_[r] = false;
    }
  }

  std::optional<std::uint64_t> find(Reg r) const {
    const RegInfo& reg = ir_.regs[r];
    if (reg.constant && !reg.open && !reg.undefined) return reg.value;
    if (is_known_[r]) return values_.at(r);
    return {};
  }

  /// Learns what the operation's result is.
  void follow(const Op& op) {
    if (op.code == Code::move) {
      const std::optional<std::uint64_t> value = find(op.src[0]);
      // Lanes that come here before the write are not in its region.
      if (value && once_[op.dst[0]] && !ir_.regs[op.dst[0]].result) learn(op.dst[0], *value);
      return;
    }
    if (const auto value = fold_known(ir_, op, [&](Reg r) { return find(r); }))
      learn(op.dst[0], *value);
  }
  void learn(Reg r, std::uint64_t value) {
    is_known_[r] = true;
    values_[r] = value;
    learned_.push_back(r);
  }

  std::size_t count() const { return learned_.size(); }
  /// Forgets all but the first ones.
  void forget(std::size_t count) {
    for (; learned_.size() > count; learned_.pop_back()) is_known_[learned_.back()] = false;
  }

 private:
  const Ir& ir_;
  std::vector<bool> is_known_, once_;  ///< once: written by one operation
  std::unordered_map<Reg, std::uint64_t> values_;
  std::vector<Reg> learned_;
};

/// What the returns of a call return.
class ReturnedValues {
 public:
  /// A return moves each component.
  void move(Reg to, std::optional<std::uint64_t> value) {
    const auto [found, added] = values_.try_emplace(to, value);
    if (!added && found->second != value) found->second.reset();
  }
  /// A function may end without one, where nothing says what it returns.
  void end_without_value() { all_return_ = false; }

  void tell(KnownValues& known) const {
    if (!all_return_) return;
    for (const auto& [reg, value] : values_) {
      if (value) known.learn(reg, *value);
    }
  }

 private:
  std::unordered_map<Reg, std::optional<std::uint64_t>> values_;
  bool all_return_ = true;
};

bool is_case_of(const Op& op, std::uint64_t selector) {
  const auto& one = op.as<Case>();
  const int bits = 8 * static_cast<int>(size_of(op.type));
  if (bits < 64) selector &= (std::uint64_t{1} << bits) - 1;
  const bool is_label = std::ranges::find(one.labels, selector) != one.labels.end();
  return is_label != one.is_default;
}

class LiveBranches {
 public:
  explicit LiveBranches(const Ir& ir)
      : ir_(ir), known_(ir), left_(ir.constructs), next_(ir.ops.size()) {
    std::vector<Index> before(ir.constructs, none);
    for (Index k = 0; k < ir.ops.size(); ++k) {
      const Op& op = ir.ops[k];
      const bool starts_part = op.code == Code::if_else || op.code == Code::switch_case ||
                               op.code == Code::trip_end || op.code == Code::loop_back;
      if (!opens_construct(op.code) && !closes_construct(op.code) && !starts_part) continue;
      Index& last = before[construct_of(op)];
      if (last != none) next_[last] = k;
      last = k;
    }
  }

  std::vector<Op> run() {
    const auto count = static_cast<Index>(ir_.ops.size());
    const bool ends = count > 0 && ir_.ops.back().code == Code::end;
    append(0, ends ? count - 1 : count, false);
    if (ends) append_one(count - 1);
    std::vector<Op> live;
    live.reserve(kept_.size());
    for (const Index k : kept_) {
      if (k != none) live.push_back(ir_.ops[k]);
    }
    return live;
  }

 private:
  static constexpr Index none = ~Index{0};

  const Op& op(Index k) const { return ir_.ops[k]; }
  void append_one(Index k) { kept_.push_back(k); }

  /// Appends the operations of a region. Returns whether lanes reach its end.
  bool append(Index begin, Index end, bool in_loop) {
    const std::size_t known = known_.count();
    bool reaches = true;
    for (Index k = begin; k < end && (reaches || in_loop); ++k) {
      const bool goes_on = append_next(k, in_loop);
      reaches = reaches && goes_on;
    }
    known_.forget(known);
    return reaches;
  }

  /// Appends an operation or a construct, whose end k becomes. Returns whether lanes go on after it.
  bool append_next(Index& k, bool in_loop) {
    switch (op(k).code) {
      case Code::if_begin:
        return append_selection(k, in_loop);
      case Code::switch_begin:
        return append_switch(k, in_loop);
      case Code::loop_begin:
        return append_loop(k);
      case Code::call_begin:
        return append_call(k);
      case Code::retire:
        if (!calls_.empty() && !returns_value()) calls_.back().end_without_value();
        append_one(k);
        return false;
      case Code::leave_loop:
        ++left_[construct_of(op(k))];
        append_one(k);
        return false;
      case Code::leave_loop_around:
      case Code::leave_trip:
        ++far_jumps_;
        append_one(k);
        return false;
      default:
        break;
    }
    if (is_returned(op(k)) && !calls_.empty())
      calls_.back().move(op(k).dst[0], known_.find(op(k).src[0]));
    known_.follow(op(k));
    append_one(k);
    return true;
  }
  bool is_returned(const Op& op) const {
    return op.code == Code::move && ir_.regs[op.dst[0]].result;
  }
  bool returns_value() const {
    return !kept_.empty() && kept_.back() != none && is_returned(op(kept_.back()));
  }

  bool append_selection(Index& k, bool in_loop) {
    const Index begin = k, other = next_[begin];
    const bool has_other = op(other).code == Code::if_else;
    const Index end = has_other ? next_[other] : other;
    k = end;
    const std::optional<std::uint64_t> condition = known_.find(op(begin).src[0]);
    const std::size_t at = kept_.size();
    append_one(begin);
    const bool first =
        (!condition || *condition != 0) && append(begin + 1, other, in_loop && condition);
    const std::size_t middle = kept_.size();
    if (has_other) append_one(other);
    const bool second = (!condition || *condition == 0) &&
                        (!has_other || append(other + 1, end, in_loop && condition));
    append_one(end);
    const bool reaches = first || second;
    // The test of a loop may follow.
    if (!condition || (in_loop && !reaches)) return reaches;
    kept_[at] = kept_[middle] = kept_.back() = none;  // without an else it is the end
    return reaches;
  }

  bool append_switch(Index& k, bool in_loop) {
    const Index begin = k;
    const std::optional<std::uint64_t> selector = known_.find(op(begin).src[0]);
    const std::uint32_t construct = construct_of(op(begin));
    const std::size_t at = kept_.size(), far = far_jumps_;
    std::vector<std::size_t> cases;
    bool enters = !selector, reaches = true, any_default = false;
    append_one(begin);
    Index one = next_[begin];
    for (; op(one).code == Code::switch_case; one = next_[one]) {
      any_default = any_default || op(one).as<Case>().is_default;
      // A case that reaches its end falls through to the next.
      if (selector && !enters && (!cases.empty() || !is_case_of(op(one), *selector))) continue;
      cases.push_back(kept_.size());
      append_one(one);
      reaches = append(one + 1, next_[one], in_loop && selector);
      enters = !selector || reaches;
    }
    k = one;
    append_one(one);
    const bool jumps = left_[construct] > 0;
    const bool goes_on = cases.empty() || reaches || jumps || (!selector && !any_default);
    if (!selector || (in_loop && !goes_on) || far_jumps_ != far) return goes_on;
    const std::size_t last = kept_.size() - 2;
    const bool leaves_last = kept_[last] != none && op(kept_[last]).code == Code::leave_loop &&
                             construct_of(op(kept_[last])) == construct;
    if (left_[construct] != (leaves_last ? 1u : 0u)) return goes_on;
    kept_[at] = kept_.back() = none;
    for (const std::size_t c : cases) kept_[c] = none;
    if (leaves_last) kept_[last] = none;
    return goes_on;
  }

  /// A loop keeps its parts, whatever leaves it.
  bool append_loop(Index& k) {
    append_one(k);
    while (op(k).code != Code::loop_end) {
      append(k + 1, next_[k], true);
      k = next_[k];
      append_one(k);
    }
    return true;
  }

  bool append_call(Index& k) {
    append_one(k);
    calls_.emplace_back();
    const Index end = next_[k];
    if (append(k + 1, end, false)) calls_.back().end_without_value();
    append_one(end);
    k = end;
    const ReturnedValues returned = std::move(calls_.back());
    calls_.pop_back();
    returned.tell(known_);
    return true;
  }

  const Ir& ir_;
  KnownValues known_;
  std::vector<std::uint32_t> left_;  ///< by switch or loop: the jumps to its end
  std::vector<Index> next_;  ///< by operation that begins a part of a construct: the next such one
  std::vector<Index> kept_;  ///< operations; none: one that is not needed after all
  std::vector<ReturnedValues> calls_;  ///< around here
  std::size_t far_jumps_ = 0;          ///< from inside switches
};

}  // namespace

Ir with_live_branches(const Ir& ir) {
  Ir live;
  static_cast<IrFrame&>(live) = ir;
  live.ops = LiveBranches(ir).run();
  return live;
}

}  // namespace lockstep::spirv
