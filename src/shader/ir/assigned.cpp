#include "shader/ir/assigned.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::spirv {
namespace {

/// The variables that lanes have written, if any lane comes.
struct Assigned {
  bool any = false;
  std::vector<bool> has;

  static Assigned no_lane(std::size_t count) { return {false, std::vector<bool>(count)}; }
};

/// Lanes of both rejoin.
void join(Assigned& to, const Assigned& from) {
  if (!from.any) return;
  if (!to.any) {
    to = from;
    return;
  }
  for (std::size_t k = 0; k < to.has.size(); ++k) to.has[k] = to.has[k] && from.has[k];
}

/// Follows lanes through the operations once: a loop's later iterations have written more than the first.
class Assignment {
 public:
  explicit Assignment(const Ir& ir) : ir_(ir), number_(ir.regs.size(), none) {
    unassigned_.resize(ir.regs.size());
    std::vector<bool> is_indexed(ir.regs.size());
    for (const IndexedVariable& v : ir.indexed) {
      for (const Reg r : v.regs) is_indexed[r] = true;
    }
    for (const Variable& v : ir.variables) {
      if (is_indexed[v.reg])
        unassigned_[v.reg] = true;
      else
        number_[v.reg] = count_++;
    }
  }

  std::vector<bool> find() {
    now_ = {true, std::vector<bool>(count_)};
    for (const Op& op : ir_.ops) {
      visit_sources(op, [&](Reg r) { read(r); });
      is_control(op.code) ? control(op) : write(op);
    }
    return std::move(unassigned_);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  /// A construct, and the lanes in it that are not active.
  struct Level {
    std::uint32_t construct = no_construct;
    bool is_call = false;
    Assigned waiting, arrived, continuing;
  };

  void read(Reg r) {
    if (number_[r] != none && now_.any && !now_.has[number_[r]]) unassigned_[r] = true;
  }
  void write(const Op& op) {
    visit_results(op, [&](Reg r) {
      if (number_[r] != none && now_.any) now_.has[number_[r]] = true;
    });
  }
  Assigned take() { return std::exchange(now_, Assigned::no_lane(count_)); }

  void control(const Op& op) {
    switch (op.code) {
      case Code::if_begin:
        open(op).waiting = now_;
        return;
      case Code::if_else:
        join(levels_.back().arrived, now_);
        now_ = std::exchange(levels_.back().waiting, Assigned::no_lane(count_));
        return;
      case Code::switch_begin:
        open(op).waiting = take();
        return;
      case Code::switch_case:
        join(now_, levels_.back().waiting);
        return;
      case Code::loop_begin:
        open(op);
        return;
      case Code::loop_test:
        if (op.as<LoopTest>().kind == LoopTest::Kind::asks) join(levels_.back().arrived, now_);
        return;
      case Code::trip_end:
        join(now_, std::exchange(levels_.back().continuing, Assigned::no_lane(count_)));
        return;
      case Code::loop_back:
        take();
        return;
      case Code::if_end:
      case Code::switch_end:
      case Code::loop_end:
        join(now_, levels_.back().waiting);
        join(now_, levels_.back().arrived);
        levels_.pop_back();
        return;
      case Code::call_begin:
        open(op);
        return;
      case Code::call_end:
        // Lanes that returned early have come from other places than the last return.
        join(now_, levels_.back().arrived);
        levels_.pop_back();
        return;
      case Code::leave_loop:
      case Code::leave_loop_around:
        leave_to(&Level::arrived, op);
        return;
      case Code::leave_trip:
        leave_to(&Level::continuing, op);
        return;
      case Code::retire:
        retire();
        return;
      default:
        return;
    }
  }

  Level& open(const Op& op) {
    levels_.push_back({construct_of(op), op.code == Code::call_begin, Assigned::no_lane(count_),
                       Assigned::no_lane(count_), Assigned::no_lane(count_)});
    return levels_.back();
  }
  void leave_to(Assigned Level::*place, const Op& op) {
    const auto to = std::ranges::find(levels_, construct_of(op), &Level::construct);
    join((*to).*place, now_);
    take();
  }
  /// Lanes return from the innermost function.
  void retire() {
    for (std::size_t k = levels_.size(); k-- > 0;) {
      if (!levels_[k].is_call) continue;
      join(levels_[k].arrived, now_);
      break;
    }
    take();
  }

  const Ir& ir_;
  std::vector<std::size_t> number_;  ///< by register
  std::size_t count_ = 0;
  std::vector<bool> unassigned_;
  Assigned now_;
  std::vector<Level> levels_;
};

}  // namespace

std::vector<bool> find_unassigned(const Ir& ir) { return Assignment(ir).find(); }

}  // namespace lockstep::spirv
