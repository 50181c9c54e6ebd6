#include "shader/run/forwarded_variables.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "shader/ir/regions.hpp"
#include "shader/ir/steps.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

class VariableForwarder {
 public:
  explicit VariableForwarder(Ir& ir)
      : ir_(ir), writes_(ir.regs.size()), indexed_(ir.regs.size()), gone_(ir.ops.size()) {
    for (const IndexedVariable& v : ir.indexed) {
      for (const Reg r : v.regs) indexed_[r] = true;
    }
    end_.resize(ir.constructs);
    for (Index k = 0; k < ir.ops.size(); ++k) {
      if (ir.ops[k].code == Code::loop_end) end_[construct_of(ir.ops[k])] = k;
    }
  }

  void run() {
    levels_.emplace_back();
    for (now_ = 0; now_ < ir_.ops.size(); ++now_) {
      Op& op = ir_.ops[now_];
      visit_sources(op, [&](Reg& r) { read(r); });
      if (op.code == Code::move)
        write(op.dst[0], op.src[0]);
      else
        visit_results(op, [&](Reg r) { forget(r); });
      if (is_control(op.code)) control(op);
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < ir_.ops.size(); ++k) {
      if (gone_[k]) continue;
      if (kept != k) ir_.ops[kept] = std::move(ir_.ops[k]);
      ++kept;
    }
    ir_.ops.resize(kept);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The last write of a variable, in a region around here. Nothing deeper has written the variable since.
  struct Write {
    std::uint32_t level = none;
    Index at = 0;
    Reg value = no_reg;  ///< no_reg: one that may change
    bool read = false;   ///< by what could not read the value instead
  };
  /// A region around here.
  struct Level {
    std::uint32_t construct = no_construct;
    bool is_call = false;
    Index left = 0;      ///< where lanes left it last
    Index rejoined = 0;  ///< where lanes that had left came back last
    std::vector<Reg> written;
  };

  void read(Reg& r) {
    Write& last = writes_[r];
    if (last.level == none) return;
    const bool reaches = last.value != no_reg && last.at >= levels_[last.level].rejoined;
    reaches ? void(r = last.value) : void(last.read = true);
  }
  void write(Reg to, Reg value) {
    if (indexed_[to]) return;
    const auto level = static_cast<std::uint32_t>(levels_.size() - 1);
    const Write& last = writes_[to];
    // All lanes that could read the value before write another one.
    if (last.level == level && !last.read && last.at >= levels_[level].left &&
        last.at >= levels_[level].rejoined)
      gone_[last.at] = true;
    const bool stays = !ir_.regs[value].variable && ir_.regs[value].type == ir_.regs[to].type;
    writes_[to] = {level, now_, stays ? value : no_reg, false};
    levels_[level].written.push_back(to);
  }
  void forget(Reg r) { writes_[r] = {}; }

  void control(const Op& op) {
    if (op.code == Code::if_else || op.code == Code::switch_case || closes_construct(op.code))
      close();
    if (op.code == Code::if_else || op.code == Code::switch_case || opens_construct(op.code))
      open(op);
    if (op.code == Code::loop_begin) forget_writes(end_[construct_of(op)]);
    if (op.code == Code::trip_end) levels_.back().rejoined = now_;
    if (leaves_construct(op.code))
      leave([&](const Level& level) { return level.construct == construct_of(op); });
    if (op.code == Code::retire) leave([](const Level& level) { return level.is_call; });
  }
  /// An iteration of the loop may read what the one before it has written.
  void forget_writes(Index end) {
    for (Index k = now_; k < end; ++k) {
      ++steps_of_passes;
      visit_results(ir_.ops[k], [&](Reg r) { forget(r); });
    }
  }
  void open(const Op& op) {
    levels_.push_back({construct_of(op), op.code == Code::call_begin, now_, now_, {}});
  }
  void close() {
    const auto level = static_cast<std::uint32_t>(levels_.size() - 1);
    for (const Reg r : levels_.back().written) {
      if (writes_[r].level == level) forget(r);
    }
    levels_.pop_back();
  }
  /// Lanes leave the regions up to one for which it is true.
  template <class F>
  void leave(F is_last) {
    for (std::size_t k = levels_.size(); k-- > 0;) {
      levels_[k].left = now_;
      if (is_last(levels_[k])) return;
    }
  }

  Ir& ir_;
  std::vector<Write> writes_;  ///< by register
  std::vector<bool>
      indexed_;  ///< variables with an index, which the list of operations' results lacks
  std::vector<Index> end_;  ///< by loop
  std::vector<bool> gone_;
  std::vector<Level> levels_;
  Index now_ = 0;
};

}  // namespace

void forward_variables(Ir& ir) { VariableForwarder(ir).run(); }

}  // namespace lockstep::spirv
