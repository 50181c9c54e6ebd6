#include "shader/ir/discarded_loads.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// A condition, or its opposite.
struct Literal {
  Reg condition = no_reg;
  bool holds = true;

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
/// Whether it is expected of a load, which comes after it.
bool is_of_load(const Op& op) {
  if (op.code != Code::expect) return false;
  const auto& expected = op.as<Expectation>();
  return expected.access == AccessKind::read && (expected.kind == Expectation::Kind::index ||
                                                 expected.kind == Expectation::Kind::alignment);
}

/// Backwards over the operations: where each value is needed.
class DemandFinder {
 public:
  explicit DemandFinder(const Ir& ir)
      : ir_(ir), demand_(ir.regs.size()), defined_(ir.regs.size()), where_(ir.ops.size()) {
    for (Index k = 0; k < ir.ops.size(); ++k)
      visit_results(ir.ops[k], [&](Reg r) { defined_[r] = k + 1; });
  }

  /// For each load, and what is expected of it, the lanes that need it.
  std::vector<Literals> find() {
    for (Index k = static_cast<Index>(ir_.ops.size()); k-- > 0;) visit(k);
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
    const bool passes_on = is_pure(op.code) && op.dst.size() == 1 && !ir_.regs[op.dst[0]].variable;
    if (!passes_on && op.code != Code::image_texel) return need_all(op, {});
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

  void visit_load(Index k) {
    const Op& op = ir_.ops[k];
    Demand demand;
    for (const Reg r : op.dst) {
      if (demand_[r].any) demand.add(demand_[r].where);
    }
    // What is computed later cannot decide.
    std::erase_if(demand.where, [&](const Literal& l) { return defined_[l.condition] > k; });
    where_[k] = demand.where;
    need_all(op, demand.where);
  }

  void need(Reg r, const Literals& where) { demand_[r].add(where); }
  void need_all(const Op& op, const Literals& where) {
    visit_sources(op, [&](Reg r) { need(r, where); });
  }
  /// With one more condition, if it keeps its value.
  Literals with(Literals where, const Literal& more) const {
    const RegInfo& reg = ir_.regs[more.condition];
    if (reg.variable || reg.constant) return where;
    const auto at = std::ranges::lower_bound(where, more);
    if (at == where.end() || *at != more) where.insert(at, more);
    return where;
  }

  const Ir& ir_;
  std::vector<Demand> demand_;   ///< by register
  std::vector<Index> defined_;   ///< by register: after how many operations
  std::vector<Literals> where_;  ///< by operation
};

class Restriction {
 public:
  explicit Restriction(Ir& ir) : ir_(ir) {}

  /// Appends loads, all restricted to the same lanes.
  void append(std::vector<Op>::iterator begin, std::vector<Op>::iterator end,
              const Literals& where) {
    place_ = begin->where;
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
  Reg condition_of(const Literals& where) {
    Reg all = no_reg;
    for (const Literal& l : where) {
      const Reg one = l.holds ? l.condition : computed(Code::bnot, {l.condition});
      all = all == no_reg ? one : computed(Code::band, {all, one});
    }
    return all;
  }

  Ir& ir_;
  SourceLocation place_;
};

}  // namespace

void restrict_discarded_loads(Ir& ir) {
  const std::vector<Literals> where = DemandFinder(ir).find();
  if (std::ranges::all_of(where, &Literals::empty)) return;
  Restriction restriction(ir);
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
