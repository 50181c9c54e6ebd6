#include "shader/instruments/bounds/swap_loops.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "shader/ir/written_resources.hpp"

namespace lockstep::spirv {
namespace {

/// One iteration of a loop, by what its registers stand for.
class Iteration {
 public:
  Iteration(const Ir& ir, std::size_t begin, std::size_t end, const std::vector<bool>& written)
      : ir_(ir), begin_(begin), end_(end), written_(written) {
    for (std::size_t k = begin; k <= end; ++k)
      for (const Reg r : ir.ops[k].dst) assigned_.insert(r);
  }

  /// What replaces the loop: the operations that its atomic addition needs, and that; nothing if it is another loop.
  std::optional<std::vector<Op>> replacement() {
    for (std::size_t k = begin_ + 1; k < end_; ++k)
      if (!follow(ir_.ops[k])) return {};
    if (!swap_ || !ends_with_success_) return {};
    const auto addend = addend_of_swap();
    const Reg index = swap_->src[0];
    if (!addend || (index != no_reg && !is_invariant(value(index)))) return {};
    std::vector<Op> ops;
    std::set<Reg> kept;
    for (std::size_t k = begin_ + 1; k < end_; ++k) {
      const Op& op = ir_.ops[k];
      if (!is_kept(op)) continue;
      for (const Reg r : op.src)
        if (assigned_.contains(r) && !kept.contains(r)) return {};
      kept.insert(op.dst.begin(), op.dst.end());
      ops.push_back(op);
    }
    if (is_used_outside(kept)) return {};
    Op& add = ops.emplace_back(*swap_);
    add.type = add.type == Scalar::u64 || add.type == Scalar::i64 ? Scalar::f64 : Scalar::f32;
    add.dst = RegList();
    add.src = {index == no_reg ? no_reg : registers_.at(value(index)), registers_.at(*addend)};
    add.as<AtomicOp>().op = Operator::add;
    return ops;
  }

 private:
  using Value = std::size_t;
  struct Made {
    const Op* by = nullptr;  ///< null: it is there when the iteration begins
    bool invariant = false;
    std::vector<Value> of = {};
  };

  Value add(Made made, Reg reg) {
    made_.push_back(std::move(made));
    registers_[made_.size() - 1] = reg;
    return made_.size() - 1;
  }
  Value value(Reg r) {
    const auto found = now_.find(r);
    if (found != now_.end()) return found->second;
    return now_[r] = add({.by = nullptr, .invariant = !assigned_.contains(r)}, r);
  }
  bool is_invariant(Value v) const { return made_[v].invariant; }

  /// Whether the operation may stand in such a loop.
  bool follow(const Op& op) {
    if (op.code == Code::move || op.code == Code::copy) {
      now_[op.dst[0]] = value(op.src[0]);
      // Behind a condition a variable may keep its value.
      return !op.masked && !condition_;
    }
    if (is_pure(op.code)) return !op.masked && make(op, true);
    if (op.code == Code::load) return make(op, !written_[place_of(op).resource]);
    if (op.code == Code::atomic) return take_swap(op);
    if (op.code == Code::loop_test)
      return op.as<LoopTest>().kind != LoopTest::Kind::asks || leaves(value(op.src[0]), false);
    if (op.code == Code::leave_loop)
      return condition_ && op.as<Branch>().construct == construct_of(ir_.ops[begin_]) &&
             leaves(*condition_, side_);
    if (op.code == Code::if_begin) {
      if (condition_) return false;
      condition_ = value(op.src[0]);
      side_ = true;
    }
    if (op.code == Code::if_else) side_ = false;
    if (op.code == Code::if_end) condition_.reset();
    constexpr std::array others{Code::if_begin,  Code::if_else,   Code::if_end,  Code::declare,
                                Code::loop_head, Code::loop_back, Code::trip_end};
    return std::ranges::find(others, op.code) != others.end();
  }
  bool take_swap(const Op& op) {
    if (swap_ || op.as<AtomicOp>().op != Operator::compare_exchange || op.dst.size() != 1)
      return false;
    swap_ = &op;
    for (const Reg r : op.src)
      if (r != no_reg) value(r);
    expected_ = value(op.src[2]);
    stored_ = value(op.src[1]);
    now_[op.dst[0]] = found_ = add({.by = &op}, op.dst[0]);
    return true;
  }
  bool make(const Op& op, bool may_be_invariant) {
    // What lanes compute behind a condition is not theirs alone.
    if (condition_ || op.dst.size() != 1) return false;
    Made made{.by = &op, .invariant = may_be_invariant};
    for (const Reg r : op.src) {
      if (r == no_reg) continue;
      made.of.push_back(value(r));
      made.invariant = made.invariant && is_invariant(made.of.back());
    }
    now_[op.dst[0]] = add(std::move(made), op.dst[0]);
    return true;
  }

  /// Lanes leave where the condition is as given: because they have succeeded, or after some tries.
  bool leaves(Value condition, bool where) {
    while (made_[condition].by != nullptr && made_[condition].by->code == Code::bnot) {
      condition = made_[condition].of[0];
      where = !where;
    }
    const Made& test = made_[condition];
    if (!swap_ || !depends_on_swap(condition)) return true;
    const Code wanted = where ? Code::equal : Code::not_equal;
    const std::vector<Value> these{found_, expected_}, those{expected_, found_};
    if (test.by == nullptr || test.by->code != wanted || (test.of != these && test.of != those))
      return false;
    return ends_with_success_ = true;
  }
  bool depends_on_swap(Value v) const {
    return v == found_ ||
           std::ranges::any_of(made_[v].of, [&](Value other) { return depends_on_swap(other); });
  }

  /// What is added to the expected number, if the new one is their sum.
  std::optional<Value> addend_of_swap() const {
    const Made& sum = made_[stored_];
    const auto bytes = size_of(swap_->type);
    if (sum.by == nullptr || sum.by->code != Code::add || !is_float(sum.by->type) ||
        size_of(sum.by->type) != bytes || bytes < 4 || sum.by->controls.flushes ||
        sum.by->controls.cuts_off)
      return {};
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
      if (sum.of[k] == expected_ && is_invariant(sum.of[1 - k])) return sum.of[1 - k];
    return {};
  }

  /// Whether the operation gives the same in each iteration, in a register of its own.
  bool is_kept(const Op& op) const {
    const auto makes = [&](const Made& made) { return made.by == &op && made.invariant; };
    return std::ranges::any_of(made_, makes) && !ir_.regs[op.dst[0]].variable;
  }
  /// Whether something is read outside that only the loop assigns.
  bool is_used_outside(const std::set<Reg>& kept) const {
    bool any = false;
    for (std::size_t k = 0; k < ir_.ops.size(); ++k) {
      if (k >= begin_ && k <= end_) continue;
      visit_sources(ir_.ops[k],
                    [&](Reg r) { any = any || (assigned_.contains(r) && !kept.contains(r)); });
    }
    for (const IndexedVariable& v : ir_.indexed)
      for (const Reg r : v.regs) any = any || assigned_.contains(r);
    return any;
  }

  const Ir& ir_;
  std::size_t begin_, end_;
  const std::vector<bool>& written_;
  std::set<Reg> assigned_;
  std::vector<Made> made_;
  std::map<Value, Reg> registers_;  ///< that have the values
  std::map<Reg, Value> now_;
  const Op* swap_ = nullptr;
  Value expected_ = 0, stored_ = 0, found_ = 0;
  bool ends_with_success_ = false;
  std::optional<Value> condition_;  ///< of the selection around
  bool side_ = true;
};

std::size_t end_of_loop(const Ir& ir, std::size_t begin) {
  const std::uint32_t construct = construct_of(ir.ops[begin]);
  for (std::size_t k = begin + 1; k < ir.ops.size(); ++k)
    if (ir.ops[k].code == Code::loop_end && construct_of(ir.ops[k]) == construct) return k;
  return ir.ops.size();
}

}  // namespace

void replace_swap_loops(Ir& ir) {
  const auto is_swap = [](const Op& op) {
    return op.code == Code::atomic && op.as<AtomicOp>().op == Operator::compare_exchange;
  };
  if (std::ranges::none_of(ir.ops, is_swap)) return;
  const std::vector<bool> written = written_resources(ir);
  for (std::size_t begin = 0; begin < ir.ops.size(); ++begin) {
    if (ir.ops[begin].code != Code::loop_begin) continue;
    const std::size_t end = end_of_loop(ir, begin);
    if (end == ir.ops.size()) continue;
    const auto ops = Iteration(ir, begin, end, written).replacement();
    if (!ops) continue;
    const auto at = [&](std::size_t k) { return ir.ops.begin() + static_cast<std::ptrdiff_t>(k); };
    ir.ops.erase(at(begin), at(end + 1));
    ir.ops.insert(at(begin), ops->begin(), ops->end());
  }
}

}  // namespace lockstep::spirv
