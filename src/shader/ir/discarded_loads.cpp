#include "shader/ir/discarded_loads.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "shader/ir/operations.hpp"
#include "shader/ir/regions.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// A condition, or its opposite.
struct Literal {
  Reg condition = no_reg;
  bool holds = true;
  Index any_in =
      0;  ///< of some lane of the tangle in this region, counted from 1; 0: of the lane itself

  friend auto operator<=>(const Literal&, const Literal&) = default;
};
/// In which lanes a value is needed: those where all of these are true, sorted. None: in all lanes.
using Literals = std::vector<Literal>;

struct Demand {
  bool any = false;  ///< in some lane
  Literals where;

  /// Adds lanes; where the conditions differ, all lanes where the common ones are true.
  void add(const Literals& more) {
    if (!std::exchange(any, true)) {
      where = more;
      return;
    }
    Literals common;
    std::ranges::set_intersection(where, more, std::back_inserter(common));
    where = std::move(common);
  }
};

bool is_load(Code code) {
  return code == Code::load || code == Code::load_address || code == Code::load_indexed ||
         code == Code::image_load;
}
/// Whether a lane gets the first operand of another one.
bool gives_other_lanes(Code code) {
  constexpr Code codes[] = {Code::broadcast,   Code::broadcast_first, Code::shuffle,
                            Code::shuffle_xor, Code::shuffle_up,      Code::shuffle_down};
  return std::ranges::find(codes, code) != std::end(codes);
}
bool computes(const Op& op) { return is_pure(op.code) || op.code == Code::move; }
/// Whether it is expected of a load, which comes after it.
bool is_of_load(const Op& op) {
  if (op.code != Code::expect) return false;
  const auto& expected = op.as<Expectation>();
  return expected.access == AccessKind::read && (expected.kind == Expectation::Kind::index ||
                                                 expected.kind == Expectation::Kind::alignment);
}

/// Registers that keep their value as long as it can be read: results, and variables with one write, which all their reads
/// follow in the same region.
class Values {
 public:
  explicit Values(const Ir& ir)
      : ir_(ir),
        regions_(ir.ops),
        written_(ir.regs.size()),
        writes_(ir.regs.size()),
        stays_(ir.regs.size(), true) {
    const auto count = static_cast<Index>(ir.ops.size());
    std::vector<Index> continues(
        regions_.list.size());  // by region: where lanes of all its parts meet
    for (Index k = 0; k < count; ++k) {
      if (ir.ops[k].code == Code::trip_end) continues[regions_.of[k]] = k;
      visit_results(ir.ops[k], [&](Reg r) {
        written_[r] = k + 1;
        writes_[r].push_back(k);
      });
    }
    for (Index k = 0; k < count; ++k) {
      visit_sources(ir.ops[k], [&](Reg r) {
        if (written_[r] == 0 || !ir.regs[r].variable) return;
        const Index write = written_[r] - 1, region = regions_.of[write], meet = continues[region];
        const bool follows = write < k && !(write < meet && meet < k);
        if (!follows || !regions_.is_inside(regions_.of[k], region)) stays_[r] = false;
      });
    }
    for (const IndexedVariable& v : ir.indexed) {
      for (const Reg r : v.regs) stays_[r] = false;
    }
  }

  bool stays(Reg r) const { return !ir_.regs[r].variable || (writes_[r].size() == 1 && stays_[r]); }
  bool is_constant(Reg r) const { return ir_.regs[r].constant; }
  /// Before which operation it is known; 0: from the start.
  Index known_at(Reg r) const { return written_[r]; }
  Index region_of(Index k) const { return regions_.of[k]; }
  /// Whether a region is inside that of an operation.
  bool is_inside(Index region, Index k) const { return regions_.is_inside(region, regions_.of[k]); }
  /// The operation that computes a register that stays, if it is one that others may repeat.
  const Op* computed_by(Reg r) const {
    if (written_[r] == 0) return nullptr;
    const Op& op = ir_.ops[written_[r] - 1];
    return computes(op) && op.dst.size() == 1 ? &op : nullptr;
  }
  /// Adds what follows from one more condition, in terms of what it was computed from.
  void add(Literals& where, const Literal& more, int depth = 0) const {
    const Literal l = origin_of(more);
    const Op* op = computed_by(l.condition);
    if (depth < deepest && op != nullptr && op->code == (l.holds ? Code::band : Code::bor) &&
        std::ranges::all_of(op->src, [&](Reg r) { return stays(r) && !is_constant(r); })) {
      for (const Reg r : op->src) add(where, {r, l.holds}, depth + 1);
      return;
    }
    const auto at = std::ranges::lower_bound(where, l);
    if (at == where.end() || *at != l) where.insert(at, l);
  }
  /// Whether operation k can use the value that operation `user` reads in the register: it is known there, or computed from
  /// such values in at most `most` operations.
  bool can_be_known(Reg r, Index k, Index user, int& most) const {
    if (r == no_reg || ir_.regs[r].constant) return true;
    if (!stays(r)) return is_same(r, k, user);
    if (written_[r] <= k) return true;
    const Op* op = computed_by(r);
    if (op == nullptr || --most < 0) return false;
    return std::ranges::all_of(
        op->src, [&](Reg source) { return can_be_known(source, k, written_[r] - 1, most); });
  }

 private:
  static constexpr int deepest = 4;  ///< of && in each other, which may share operands

  /// The condition where it was computed.
  Literal origin_of(Literal l) const {
    while (const Op* op = computed_by(l.condition)) {
      const bool inverts = op->code == Code::bnot;
      const bool same = op->code == Code::move || op->code == Code::copy;
      if ((!inverts && !same) || !stays(op->src[0])) break;
      l.condition = op->src[0];
      if (inverts) l.holds = !l.holds;
    }
    return l;
  }
  /// Whether a variable has the value in operation k that it has in a later one, in lanes that come from the one to the other.
  bool is_same(Reg r, Index k, Index later) const {
    if (!ir_.regs[r].variable || is_indexed(r)) return false;
    if (k > later || regions_.loop_begin[k] != regions_.loop_begin[later]) return false;
    const auto next = std::ranges::lower_bound(writes_[r], k);
    return next == writes_[r].end() || *next >= later;
  }
  bool is_indexed(Reg r) const {
    return std::ranges::any_of(ir_.indexed, [&](const IndexedVariable& v) {
      return std::ranges::find(v.regs, r) != v.regs.end();
    });
  }

  const Ir& ir_;
  Regions regions_;
  std::vector<Index> written_;              ///< by register: after how many operations
  std::vector<std::vector<Index>> writes_;  ///< by register
  std::vector<bool> stays_;                 ///< by register, for variables
};

/// For each operation, which conditions hold where it is executed.
class Paths {
 public:
  Paths(const Ir& ir, const Values& values) : values_(values), of_(ir.ops.size()) {
    all_.emplace_back();
    for (Index k = 0; k < ir.ops.size(); ++k) {
      const Op& op = ir.ops[k];
      const auto before = static_cast<Index>(all_.size() - 1);
      if (is_control(op.code)) follow(op, k == 0 ? Code::copy : ir.ops[k - 1].code);
      // What a selection reads is read by the lanes of both sides.
      of_[k] = opens_construct(op.code) ? before : static_cast<Index>(all_.size() - 1);
    }
  }
  const Literals& at(Index k) const { return all_[of_[k]]; }

 private:
  /// More make sets slow, and fewer are right, too: loads then happen in more lanes.
  static constexpr std::size_t most = 16;

  struct Frame {
    Literals before;
    Reg condition = no_reg;  ///< of a selection
    bool leaves = false;     ///< no lane comes from its first side to its end
  };

  static bool leaves(Code code) {
    return code == Code::retire || code == Code::leave_loop || code == Code::leave_trip ||
           code == Code::leave_loop_around;
  }
  void follow(const Op& op, Code last) {
    if (opens_construct(op.code)) {
      frames_.push_back({all_.back()});
      if (op.code != Code::if_begin) return;
      frames_.back().condition = op.src[0];
      set(all_.back(), op.src[0], true);
    } else if (op.code == Code::if_else) {
      frames_.back().leaves = leaves(last);
      set(frames_.back().before, frames_.back().condition, false);
    } else if (closes_construct(op.code)) {
      const Frame frame = std::move(frames_.back());
      frames_.pop_back();
      if (frame.leaves)
        set(frame.before, frame.condition, false);
      else
        all_.push_back(frame.before);
    } else if ((op.code == Code::switch_case || op.code == Code::trip_end) && !frames_.empty()) {
      all_.push_back(frames_.back().before);
    }
  }
  void set(Literals literals, Reg condition, bool holds) {
    if (literals.size() < most && values_.stays(condition) && !values_.is_constant(condition)) {
      values_.add(literals, {condition, holds});
    }
    all_.push_back(std::move(literals));
  }

  const Values& values_;
  std::vector<Frame> frames_;
  std::vector<Literals> all_;
  std::vector<Index> of_;  ///< by operation: in all_
};

/// Backwards over the operations: where each value is needed.
class DemandFinder {
 public:
  DemandFinder(const Ir& ir, const Values& values)
      : ir_(ir),
        values_(values),
        paths_(ir, values),
        demand_(ir.regs.size()),
        where_(ir.ops.size()) {}

  /// For each load, and what is expected of it, the lanes that need it.
  std::vector<Literals> find() {
    for (at_ = static_cast<Index>(ir_.ops.size()); at_-- > 0;) visit(at_);
    return std::move(where_);
  }

 private:
  void visit(Index k) {
    const Op& op = ir_.ops[k];
    if (op.code == Code::tell_variable) return;  // shows what there is
    if (is_of_load(op) && k + 1 < ir_.ops.size()) {
      where_[k] = where_[k + 1];
      return need_all(op, where_[k]);
    }
    if (is_load(op.code)) return is_of_dispatch(op) ? need_all(op, {}) : visit_load(k);
    const bool passes_on = op.dst.size() == 1 && values_.stays(op.dst[0]);
    if (passes_on && gives_other_lanes(op.code)) return visit_exchange(k);
    if (!(passes_on && computes(op)) && op.code != Code::image_texel) return need_all(op, {});
    const Demand& demand = demand_[op.dst[0]];
    if (!demand.any) return;
    const Literals here = demand.where;
    if (op.code == Code::select) {
      need(op.src[0], here);
      need(op.src[1], with(here, {op.src[0], true}));
      need(op.src[2], with(here, {op.src[0], false}));
    } else if (op.type == Scalar::boolean && (op.code == Code::band || op.code == Code::bor)) {
      need(op.src[0], here);
      need(op.src[1], with(here, {op.src[0], op.code == Code::band}));
    } else {
      need_all(op, here);
    }
  }

  /// Push constants are loaded once, for all lanes.
  bool is_of_dispatch(const Op& op) const {
    return op.code == Code::load &&
           ir_.resources[place_of(op).resource].kind == ResourceUse::Kind::push_constants;
  }

  /// A value that goes to other lanes is needed where one of them needs it.
  void visit_exchange(Index k) {
    const Op& op = ir_.ops[k];
    const Demand& demand = demand_[op.dst[0]];
    Literals where;
    for (Literal l : demand.where) {
      if (l.any_in != 0 || std::ranges::binary_search(paths_.at(k), l)) continue;
      l.any_in = values_.region_of(k) + 1;
      where.push_back(l);
    }
    need(op.src[0], where);
    for (std::size_t operand = 1; operand < op.src.size(); ++operand) {
      if (op.src[operand] != no_reg) need(op.src[operand], {});
    }
  }

  void visit_load(Index k) {
    const Op& op = ir_.ops[k];
    Demand demand;
    for (const Reg r : op.dst) {
      if (demand_[r].any) demand.add(demand_[r].where);
    }
    const Literals& here = paths_.at(k);
    std::erase_if(demand.where, [&](const Literal& l) {
      int most = most_repeated;
      // Lanes of the tangle where the value goes are together here, too, if they have been in this region since.
      if (l.any_in != 0 && !values_.is_inside(l.any_in - 1, k)) return true;
      return std::ranges::binary_search(here, l) ||
             !values_.can_be_known(l.condition, k, values_.known_at(l.condition), most);
    });
    where_[k] = demand.where;
    need_all(op, demand.where);
  }

  /// What is computed later than a load is repeated before it, in at most so many operations.
  static constexpr int most_repeated = 16;

  void need(Reg r, const Literals& where) {
    if (demand_[r].any && demand_[r].where.empty()) return;
    Literals all;
    std::ranges::set_union(where, paths_.at(at_), std::back_inserter(all));
    demand_[r].add(all);
  }
  void need_all(const Op& op, const Literals& where) {
    visit_sources(op, [&](Reg r) { need(r, where); });
  }
  /// With one more condition, if it keeps its value.
  Literals with(Literals where, const Literal& more) const {
    if (!values_.stays(more.condition) || ir_.regs[more.condition].constant) return where;
    values_.add(where, more);
    return where;
  }

  const Ir& ir_;
  const Values& values_;
  Paths paths_;
  Index at_ = 0;                 ///< the operation
  std::vector<Demand> demand_;   ///< by register
  std::vector<Literals> where_;  ///< by operation
};

class Restriction {
 public:
  Restriction(Ir& ir, const Values& values) : ir_(ir), values_(values) {}

  /// Appends loads, all restricted to the same lanes.
  void append(std::vector<Op>::iterator begin, std::vector<Op>::iterator end,
              const Literals& where) {
    place_ = begin->where;
    begin_ = static_cast<Index>(begin - ir_.ops.begin());
    repeated_.clear();
    const Reg condition = condition_of(where);
    const std::uint32_t construct = ir_.constructs++;
    add(Code::if_begin, {}, {condition}).detail = Branch{construct, true};
    for (auto op = begin; op != end; ++op) {
      std::vector<std::pair<Reg, Reg>> moves;
      for (Reg& r : op->dst) {
        const Reg loaded = add_register(ir_, {.type = ir_.regs[r].type});
        ir_.regs[r].variable = true;
        moves.emplace_back(Reg{r}, loaded);
        r = loaded;
      }
      place_ = op->where;
      ops.push_back(std::move(*op));
      for (const auto& [to, from] : moves) add(Code::move, {to}, {from}).type = ir_.regs[from].type;
    }
    add(Code::if_else, {}, {}).detail = Branch{construct, true};
    add(Code::if_end, {}, {}).detail = Branch{construct, true};
  }

  std::vector<Op> ops;

 private:
  Op& add(Code code, std::vector<Reg> dst, std::vector<Reg> src) {
    Op& op = ops.emplace_back();
    op.code = code;
    op.type = Scalar::boolean;
    op.dst = std::move(dst);
    op.src = std::move(src);
    op.where = place_;
    return op;
  }
  Reg computed(Code code, std::vector<Reg> src) {
    const Reg result = add_register(ir_, {.type = Scalar::boolean});
    add(code, {result}, std::move(src));
    return result;
  }
  /// The register, or where that is computed only later, another one with its value.
  Reg known(Reg r) {
    if (r == no_reg || ir_.regs[r].constant || !values_.stays(r) || values_.known_at(r) <= begin_)
      return r;
    const auto [at, is_new] = repeated_.try_emplace(r, no_reg);
    if (!is_new) return at->second;
    Op again = *values_.computed_by(r);
    for (Reg& source : again.src) source = known(source);
    if (again.code == Code::move) return repeated_[r] = again.src[0];
    const Reg result = add_register(ir_, {.type = ir_.regs[r].type});
    again.dst = {result};
    ops.push_back(std::move(again));
    return repeated_[r] = result;
  }
  Reg condition_of(const Literals& where) {
    Reg all = no_reg;
    for (const Literal& l : where) {
      const Reg condition = known(l.condition);
      Reg one = l.holds ? condition : computed(Code::bnot, {condition});
      if (l.any_in != 0) {
        const Reg own = one;
        one = computed(Code::any, {own});
        ops.back().silent = true;
      }
      all = all == no_reg ? one : computed(Code::band, {all, one});
    }
    return all;
  }

  Ir& ir_;
  const Values& values_;
  SourceLocation place_;
  Index begin_ = 0;              ///< where the loads are
  std::map<Reg, Reg> repeated_;  ///< before these loads
};

}  // namespace

void restrict_discarded_loads(Ir& ir) {
  const Values values(ir);
  const std::vector<Literals> where = DemandFinder(ir, values).find();
  if (std::ranges::all_of(where, &Literals::empty)) return;
  Restriction restriction(ir, values);
  for (std::size_t k = 0; k < where.size();) {
    std::size_t end = k + 1;
    if (where[k].empty()) {
      restriction.ops.push_back(std::move(ir.ops[k]));
    } else {
      while (end < where.size() && where[end] == where[k]) ++end;
      restriction.append(ir.ops.begin() + static_cast<std::ptrdiff_t>(k),
                         ir.ops.begin() + static_cast<std::ptrdiff_t>(end), where[k]);
    }
    k = end;
  }
  ir.ops = std::move(restriction.ops);
}

}  // namespace lockstep::spirv
