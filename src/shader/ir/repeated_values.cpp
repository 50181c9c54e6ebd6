#include "shader/ir/repeated_values.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "shader/ir/regions.hpp"
#include "shader/ir/steps.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// Whether the operation makes one number, from registers alone. A bool is better computed where a test uses it.
bool makes_value(const Ir& ir, const Op& op) {
  if (!is_pure(op.code) || op.masked || op.dst.size() != 1 || op.src.empty() ||
      op.detail.index() != 0)
    return false;
  const RegInfo& result = ir.regs[op.dst[0]];
  return result.type != Scalar::boolean && !result.variable && !result.lanes && !result.undefined;
}

/// By construct that is a loop, where it ends.
std::vector<Index> ends_of_loops(const Ir& ir) {
  std::vector<Index> ends(ir.constructs);
  for (Index k = 0; k < ir.ops.size(); ++k) {
    if (ir.ops[k].code == Code::loop_end) ends[construct_of(ir.ops[k])] = k;
  }
  return ends;
}

class RepeatedValues {
 public:
  RepeatedValues(Ir& ir, const std::vector<bool>& indexed)
      : ir_(ir),
        indexed_(indexed),
        loop_end_(ends_of_loops(ir)),
        writes_(ir.regs.size()),
        by_(ir.regs.size()) {
    for (Reg r = 0; r < by_.size(); ++r) by_[r] = r;
  }

  void run() {
    scopes_.emplace_back();
    std::size_t kept = 0;
    for (now_ = 0; now_ < ir_.ops.size(); ++now_) {
      Op& op = ir_.ops[now_];
      visit_sources(op, [&](Reg& r) { r = by_[r]; });
      if (is_control(op.code)) control(op);
      if (is_repeated(op)) continue;
      visit_results(op, [&](Reg r) { ++writes_[r]; });
      if (kept++ != now_) ir_.ops[kept - 1] = std::move(op);
    }
    ir_.ops.resize(kept);
  }

 private:
  /// What the operation does, and to what: registers, and how often each was written before.
  using Key = std::array<std::uint64_t, 5>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = 0;
      for (const std::uint64_t word : key) hash = (hash ^ word) * 0x9e3779b97f4a7c15u ^ hash >> 29;
      return static_cast<std::size_t>(hash);
    }
  };

  std::optional<Key> key_of(const Op& op) const {
    if (!makes_value(ir_, op) || op.src.size() > 4) return {};
    const FloatControls& c = op.controls;
    const bool flags[] = {op.precise, op.relaxed, c.keeps_denormals, c.flushes,
                          c.nearest,  c.to_zero,  c.cuts_off,        c.keeps_specials};
    std::uint64_t what = static_cast<std::uint64_t>(op.code) << 32 |
                         static_cast<std::uint64_t>(op.type) << 16 |
                         static_cast<std::uint64_t>(op.from) << 8;
    for (unsigned k = 0; k < std::size(flags); ++k) what |= std::uint64_t{flags[k]} << k;
    Key key{what, no_reg, no_reg, no_reg, no_reg};
    for (std::size_t k = 0; k < op.src.size(); ++k) {
      const Reg r = op.src[k];
      if (r == no_reg || indexed_[r] || ir_.regs[r].open) return {};
      key[k + 1] = std::uint64_t{writes_[r]} << 32 | r;
    }
    return key;
  }
  /// Whether a register holds the operation's result already, in all lanes that are here.
  bool is_repeated(const Op& op) {
    const std::optional<Key> key = key_of(op);
    if (!key) return false;
    const auto [found, added] = known_.try_emplace(*key, op.dst[0]);
    if (added)
      scopes_.back().push_back(*key);
    else
      by_[op.dst[0]] = found->second;
    return !added;
  }

  void control(const Op& op) {
    // Lanes come to a case, and to the end of an iteration, without what is before it.
    const bool is_part = op.code == Code::if_else || op.code == Code::switch_case ||
                         op.code == Code::trip_end || op.code == Code::loop_head;
    if (is_part || closes_construct(op.code)) close();
    if (is_part || opens_construct(op.code)) scopes_.emplace_back();
    if (op.code != Code::loop_begin) return;
    // An iteration may read what the one before it has written.
    for (Index k = now_; k < loop_end_[construct_of(op)]; ++k) {
      ++steps_of_passes;
      visit_results(ir_.ops[k], [&](Reg r) { ++writes_[r]; });
    }
  }
  void close() {
    for (const Key& key : scopes_.back()) known_.erase(key);
    scopes_.pop_back();
  }

  Ir& ir_;
  const std::vector<bool>& indexed_;
  std::vector<Index> loop_end_;
  std::vector<std::uint32_t> writes_;  ///< by register: how often it was written so far
  std::vector<Reg> by_;                ///< the register that stands for each
  std::unordered_map<Key, Reg, Hash> known_;
  std::vector<std::vector<Key>> scopes_;  ///< what became known in the regions around here
  Index now_ = 0;
};

/// A value that waits in a register through a whole loop takes it from others.
constexpr std::size_t most_hoisted = 16;

class InvariantValues {
 public:
  InvariantValues(Ir& ir, const std::vector<bool>& indexed)
      : ir_(ir),
        indexed_(indexed),
        loop_end_(ends_of_loops(ir)),
        made_(ir.regs.size()),
        writes_(ir.regs.size()) {
    for (Index k = 0; k < ir.ops.size(); ++k) {
      visit_results(ir.ops[k], [&](Reg r) {
        made_[r] = k;
        if (ir.regs[r].variable) writes_[r].push_back(k);
      });
    }
  }

  void run() {
    std::vector<Op> ops;
    ops.reserve(ir_.ops.size());
    for (Index k = 0; k < ir_.ops.size(); ++k) {
      if (ir_.ops[k].code == Code::loop_begin)
        append(take_loop(k), ops);
      else
        ops.push_back(std::move(ir_.ops[k]));
    }
    ir_.ops = std::move(ops);
  }

 private:
  struct Loop {
    std::vector<Op> before, ops;
  };

  static void append(Loop loop, std::vector<Op>& ops) {
    std::ranges::move(loop.before, std::back_inserter(ops));
    std::ranges::move(loop.ops, std::back_inserter(ops));
  }

  /// The loop that begins at k, which becomes its end, and what it need not compute.
  Loop take_loop(Index& k) {
    const Index begin = k, end = loop_end_[construct_of(ir_.ops[k])];
    Loop loop;
    int depth = 0;  // of selections and switches: their values may not be needed
    const auto take = [&](Op& op) {
      depth += opens_construct(op.code) ? 1 : closes_construct(op.code) ? -1 : 0;
      if (depth != 0 || !is_invariant(op, begin, end) || loop.before.size() == most_hoisted)
        return loop.ops.push_back(std::move(op));
      made_[op.dst[0]] = begin;
      loop.before.push_back(std::move(op));
    };
    loop.ops.push_back(std::move(ir_.ops[begin]));
    for (k = begin + 1; k < end; ++k) {
      ++steps_of_passes;
      if (ir_.ops[k].code != Code::loop_begin) {
        take(ir_.ops[k]);
        continue;
      }
      Loop inner = take_loop(k);
      for (Op& op : inner.before) take(op);
      std::ranges::move(inner.ops, std::back_inserter(loop.ops));
    }
    loop.ops.push_back(std::move(ir_.ops[end]));
    return loop;
  }

  bool is_invariant(const Op& op, Index begin, Index end) const {
    if (!makes_value(ir_, op)) return false;
    return std::ranges::all_of(op.src, [&](Reg r) { return r != no_reg && stays(r, begin, end); });
  }
  bool stays(Reg r, Index begin, Index end) const {
    const RegInfo& info = ir_.regs[r];
    if (info.constant) return !info.open;
    if (!info.variable) return made_[r] <= begin || made_[r] > end;
    const auto first = std::ranges::upper_bound(writes_[r], begin);
    return !indexed_[r] && (first == writes_[r].end() || *first > end);
  }

  Ir& ir_;
  const std::vector<bool>& indexed_;
  std::vector<Index> loop_end_;
  std::vector<Index> made_;                 ///< by value: where
  std::vector<std::vector<Index>> writes_;  ///< by variable, in order
};

}  // namespace

void drop_repeated_values(Ir& ir, const std::vector<bool>& indexed) {
  RepeatedValues(ir, indexed).run();
}

void hoist_invariant_values(Ir& ir, const std::vector<bool>& indexed) {
  InvariantValues(ir, indexed).run();
}

}  // namespace lockstep::spirv
