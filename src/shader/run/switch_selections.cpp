#include "shader/run/switch_selections.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "shader/ir/checked_ops.hpp"
#include "shader/ir/regions.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// More comparisons than this take longer than to look for the lanes of each case.
constexpr std::size_t most_ranges = 64;
/// The number of constructs is limited; a large shader keeps its switches.
constexpr std::uint32_t most_constructs = 0x8000;

/// Labels that follow each other.
struct Range {
  std::uint64_t first, last;
};
std::vector<Range> ranges_of(std::vector<std::uint64_t> labels) {
  std::ranges::sort(labels);
  std::vector<Range> ranges;
  for (const std::uint64_t label : labels) {
    if (!ranges.empty() && label - ranges.back().last <= 1)
      ranges.back().last = label;
    else
      ranges.push_back({label, label});
  }
  return ranges;
}

Scalar unsigned_of(Scalar type) {
  switch (size_of(type)) {
    case 1:
      return Scalar::u8;
    case 2:
      return Scalar::u16;
    case 4:
      return Scalar::u32;
    default:
      return Scalar::u64;
  }
}

/// Which switches can become selections.
class SwitchFinder {
 public:
  explicit SwitchFinder(const Ir& ir) : ops_(ir.ops), splits_(ir.constructs) {
    for (Index k = 0; k < ops_.size(); ++k) look_at(k);
  }
  /// By construct.
  std::vector<bool> splits() && { return std::move(splits_); }

 private:
  struct Open {
    std::uint32_t construct;
    bool is_switch;
    std::size_t leaves = 0;  ///< how many there were before it
    std::size_t ranges = 0;
    bool has_case = false;
  };

  void look_at(Index k) {
    const Op& op = ops_[k];
    if (opens_construct(op.code)) {
      const bool is_switch = op.code == Code::switch_begin;
      if (is_switch) splits_[construct_of(op)] = true;
      open_.push_back({construct_of(op), is_switch, leaves_.size()});
    } else if (op.code == Code::switch_case) {
      Open& one = open_.back();
      if (one.has_case && !jumps(ops_[k - 1])) splits_[one.construct] = false;
      one.has_case = true;
      one.ranges += ranges_of(op.as<Case>().labels).size();
      if (one.ranges > most_ranges) splits_[one.construct] = false;
    } else if (op.code == Code::leave_loop) {
      const Code next = ops_[k + 1].code;
      const bool ends_case = next == Code::switch_case || next == Code::switch_end;
      const Open* const left = find(construct_of(op));
      if (left != nullptr && left->is_switch && (!ends_case || left != &open_.back()))
        splits_[left->construct] = false;
    } else if (op.code == Code::leave_loop_around) {
      leaves_.push_back(k);
    }
    if (!closes_construct(op.code)) return;
    const Open closed = open_.back();
    open_.pop_back();
    if (closed.is_switch && !splits_[closed.construct]) keep_left(closed);
  }
  /// Lanes that leave a loop from a switch that stays do so through all switches around it.
  void keep_left(const Open& inner) {
    for (std::size_t k = inner.leaves; k < leaves_.size(); ++k) {
      const std::uint32_t outermost = ops_[leaves_[k]].as<LeaveAround>().outermost;
      if (outermost != inner.construct) splits_[outermost] = false;
    }
  }

  static bool jumps(const Op& op) {
    return op.code == Code::leave_loop || op.code == Code::leave_loop_around ||
           op.code == Code::leave_trip || op.code == Code::retire;
  }
  const Open* find(std::uint32_t construct) const {
    const auto found = std::ranges::find(open_, construct, &Open::construct);
    return found == open_.end() ? nullptr : &*found;
  }

  const std::vector<Op>& ops_;
  std::vector<bool> splits_;
  std::vector<Open> open_;
  std::vector<Index> leaves_;  ///< leave_loop_around, so far
};

class CaseSelector {
 public:
  CaseSelector(Ir& ir, std::vector<bool> splits) : ir_(ir), ops_(ir), splits_(std::move(splits)) {}

  void run() {
    for (Op& op : ir_.ops) {
      ops_.move_to(op.where);
      if (!append(op)) ops_.keep(std::move(op));
    }
    ir_.ops = ops_.take();
  }

 private:
  struct Open {
    std::uint32_t construct;      ///< the switch
    Reg selector;                 ///< what it was when the lanes came
    std::uint32_t selection = 0;  ///< the case's
    bool has_case = false;
  };

  /// Whether something else stands for the operation.
  bool append(Op& op) {
    const std::uint32_t construct = construct_of(op);
    const bool splits = construct != no_construct && splits_[construct];
    switch (op.code) {
      case Code::switch_begin:
        if (splits) open_.push_back({construct, kept(op.src[0])});
        return splits;
      case Code::switch_case:
        if (splits) begin_case(op);
        return splits;
      case Code::switch_end:
        if (!splits) return false;
        end_case();
        open_.pop_back();
        return true;
      case Code::leave_loop:
        return splits;
      case Code::leave_loop_around:
        if (!splits_[op.as<LeaveAround>().outermost]) return false;
        op.code = Code::leave_loop;
        op.detail = Branch{construct};
        return false;
      default:
        return false;
    }
  }

  /// The selector, which a case may change if it is a variable.
  Reg kept(Reg selector) {
    if (!ir_.regs[selector].variable) return selector;
    return ops_.emit(Code::copy, ir_.regs[selector].type, {selector});
  }
  void begin_case(const Op& op) {
    Open& open = open_.back();
    end_case();
    open.has_case = true;
    open.selection = ir_.constructs++;
    const Reg condition = condition_of(op, open.selector);
    ops_.add(Code::if_begin, Scalar::u32, {}, {condition}).detail = Branch{open.selection};
  }
  void end_case() {
    const Open& open = open_.back();
    if (!open.has_case) return;
    ops_.add(Code::if_else, Scalar::u32, {}, {}).detail = Branch{open.selection};
    ops_.add(Code::if_end, Scalar::u32, {}, {}).detail = Branch{open.selection};
  }

  /// Whether a lane enters the case.
  Reg condition_of(const Op& op, Reg selector) {
    const auto& one = op.as<Case>();
    Reg condition = no_reg;
    for (const Range& range : ranges_of(one.labels)) {
      const Reg here = is_in(range, op.type, selector, !one.is_default);
      const Code both = one.is_default ? Code::band : Code::bor;
      condition = condition == no_reg ? here : ops_.emit(both, Scalar::boolean, {condition, here});
    }
    // A switch with a default alone.
    return condition == no_reg ? constant(Scalar::boolean, one.is_default ? 1 : 0) : condition;
  }
  /// Whether the selector is in the range, or whether it is not.
  Reg is_in(const Range& range, Scalar type, Reg selector, bool wanted) {
    if (range.first == range.last)
      return ops_.emit(wanted ? Code::equal : Code::not_equal, type,
                       {selector, constant(type, range.first)});
    const Scalar number = unsigned_of(type);
    const Reg length = constant(number, range.last - range.first);
    const Reg offset = ops_.emit(Code::sub, number, {selector, constant(number, range.first)});
    return wanted ? ops_.emit(Code::less_equal, number, {offset, length})
                  : ops_.emit(Code::less, number, {length, offset});
  }
  Reg constant(Scalar type, std::uint64_t value) {
    RegInfo info{.type = type};
    info.constant = true;
    info.value = value;
    return add_register(ir_, info);
  }

  Ir& ir_;
  CheckedOps ops_;
  std::vector<bool> splits_;  ///< by construct
  std::vector<Open> open_;    ///< switches around here that become selections
};

}  // namespace

void select_cases(Ir& ir) {
  if (ir.constructs > most_constructs) return;
  std::vector<bool> splits = SwitchFinder(ir).splits();
  if (std::ranges::find(splits, true) != splits.end()) CaseSelector(ir, std::move(splits)).run();
}

}  // namespace lockstep::spirv
