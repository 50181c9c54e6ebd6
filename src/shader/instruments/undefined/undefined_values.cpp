#include "shader/instruments/undefined/undefined_values.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/why_undefined.hpp>

#include "shader/instruments/undefined/may_be_undefined.hpp"
#include "shader/instruments/undefined/undefined_results.hpp"
#include "shader/ir/built_ins.hpp"
#include "shader/ir/checked_ops.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

/// The shadow of shared memory: one word for each number of that many bytes in it.
struct SharedShadow {
  std::uint32_t resource = no_resource;  ///< no_resource: it is not tracked
  std::uint32_t granule = 4;
};

/// Which of a subgroup operation's operands must be the same in its whole tangle: from the first to one after the last.
std::pair<std::size_t, std::size_t> same_operands(const Op& op) {
  const spec::BuiltIn& built_in = spec::function(name_of(op));
  const auto* broadcast = std::get_if<Broadcast>(&op.detail);
  if (!built_in.rule.needs_same || (broadcast != nullptr && broadcast->any_index)) return {0, 0};
  return {built_in.form == spec::Form::ballot ? 0 : 1, op.src.size()};
}

class UndefinedTracking {
 public:
  UndefinedTracking(Ir& ir, Checks rules) : ir_(ir), rules_(rules), may_(ir, rules), ops_(ir) {}

  void run() {
    make_shadows();
    start_variables();
    std::vector<Op> ops = std::move(ir_.ops);
    for (Op& op : ops) track(std::move(op));
    ir_.ops = ops_.take();
  }

 private:
  using Kind = UndefinedUse::Kind;

  bool may(Reg r) const { return may_(r); }
  bool any_may(std::span<const Reg> regs) const { return may_.any(regs); }
  bool is_shared(const Op& op) const {
    return may_.is_shared(op) && shared_[place_of(op).resource].resource != no_resource;
  }

  // ---- Shadows ----

  void make_shadows() {
    const auto registers = static_cast<Reg>(ir_.regs.size());
    shadow_.resize(registers, no_reg);
    for (Reg r = 0; r < registers; ++r) {
      if (!may(r) || !ir_.regs[r].variable) continue;
      shadow_[r] = new_reg(Scalar::u32);
      ir_.regs[shadow_[r]].variable = true;
    }
    const std::size_t variables = ir_.indexed.size();
    for (std::size_t k = 0; k < variables; ++k) {
      if (!any_may(ir_.indexed[k].regs)) continue;
      IndexedVariable shadow{ir_.indexed[k].name, {}};
      for (const Reg r : ir_.indexed[k].regs) shadow.regs.push_back(shadow_[r]);
      indexed_[static_cast<std::uint32_t>(k)] = static_cast<std::uint32_t>(ir_.indexed.size());
      ir_.indexed.push_back(std::move(shadow));
    }
    find_granules();
    const std::size_t resources = shared_.size();
    for (std::size_t k = 0; k < resources; ++k) {
      if (may_.in_shared(k)) make_shared_shadow(k);
    }
  }
  void find_granules() {
    shared_.resize(ir_.resources.size());
    for (const Op& op : ir_.ops) {
      if (may_.is_shared(op) && op.type != Scalar::boolean && size_of(op.type) < 4)
        shared_[place_of(op).resource].granule = 1;
    }
  }
  void make_shared_shadow(std::size_t k) {
    const ResourceUse& memory = ir_.resources[k];
    ResourceUse shadow;
    shadow.kind = ResourceUse::Kind::workgroup;
    shadow.name = memory.name;
    shadow.silent = true;
    const auto words = [&](std::uint64_t bytes) {
      return (bytes + shared_[k].granule - 1) / shared_[k].granule * 4;
    };
    shadow.bytes = words(memory.bytes);
    shadow.zeroed = words(memory.zeroed);
    if (may_.starts_undefined(memory))
      shadow.fill = origin(Check::uninitialised_shared,
                           why_undefined(Check::uninitialised_shared,
                                         fmt::format("the shared variable {}", memory.name)),
                           {});
    shared_[k].resource = static_cast<std::uint32_t>(ir_.resources.size());
    ir_.resources.push_back(std::move(shadow));
  }

  /// Variables without a value are undefined at the start.
  void start_variables() {
    std::map<std::pair<const char*, int>, std::uint32_t> known;
    for (const Variable& v : ir_.variables) {
      if (!may_.is_unassigned(v.reg)) continue;
      auto [found, added] = known.try_emplace({v.name, v.where.line}, 0);
      if (added)
        found->second = origin(
            Check::uninitialised_variable,
            why_undefined(Check::uninitialised_variable, fmt::format("the variable {}", v.name)),
            v.where);
      origins_[v.reg] = found->second;
      ops_.move_to(v.where);
      start_variable(v.reg);
    }
  }
  void start_variable(Reg r) {
    append(Code::move, Scalar::u32, {shadow_[r]}, {constant(origins_.at(r))});
  }
  std::uint32_t origin(Check rule, std::string what, const SourceLocation& where) {
    ir_.origins.push_back({rule, std::move(what), where});
    return static_cast<std::uint32_t>(ir_.origins.size());
  }

  Reg new_reg(Scalar type) { return add_register(ir_, {.type = type}); }
  Reg constant(std::uint32_t value) { return constants_.of(ir_, Scalar::u32, value); }

  /// The shadow of a register that may be undefined; no_reg of others.
  Reg shadow(Reg r) {
    if (!may(r)) return no_reg;
    if (shadow_[r] == no_reg && ir_.regs[r].undefined)
      return constant(origin(Check::uninitialised_variable, "a value that is never set (OpUndef)",
                             ops_.where()));
    return shadow_[r];
  }

  // ---- Operations ----

  Op& append(Code code, Scalar type, std::vector<Reg> dst, std::vector<Reg> src) {
    return ops_.add(code, type, std::move(dst), std::move(src));
  }
  Reg emit(Code code, Scalar type, std::vector<Reg> src) {
    return ops_.emit(code, type, std::move(src));
  }
  Reg is_zero(Reg r, Scalar type = Scalar::u32) {
    return emit(Code::equal, type, {r, constants_.of(ir_, type, 0)});
  }
  Reg select(Reg condition, Reg a, Reg b) {
    return emit(Code::select, Scalar::u32, {condition, a, b});
  }
  Reg either(Reg a, Reg b) { return emit(Code::bor, Scalar::boolean, {a, b}); }
  Reg both(Reg a, Reg b) { return emit(Code::band, Scalar::boolean, {a, b}); }
  /// Undefined where one of them is.
  Reg joined(Reg a, Reg b) {
    if (a == no_reg) return b;
    if (b == no_reg || a == b) return a;
    return emit(Code::max, Scalar::u32, {a, b});
  }
  Reg joined_all(std::span<const Reg> regs) {
    Reg all = no_reg;
    for (const Reg r : regs) all = joined(all, shadow(r));
    return all;
  }

  void report(Reg shadow, Kind kind, std::uint32_t resource = no_resource) {
    if (shadow == no_reg) return;
    const Reg holds = emit(Code::not_equal, Scalar::u32, {shadow, constant(0)});
    append(Code::report_undefined, Scalar::u32, {}, {holds, shadow}).detail =
        UndefinedUse{kind, resource};
  }

  /// The value's shadow from here on.
  void define(Reg value, Reg shadow) {
    if (!may(value)) return;
    if (shadow == no_reg) shadow = constant(0);
    // A variable's shadow may change before the value's last use.
    if (ir_.regs[shadow].variable) {
      shadow_[value] = emit(Code::copy, Scalar::u32, {shadow});
      return;
    }
    shadow_[value] = shadow;
  }

  void track(Op&& op) {
    ops_.move_to(op.where);
    if (is_pure(op.code)) return track_pure(std::move(op));
    if (is_subgroup(op.code)) return track_subgroup(std::move(op));
    (this->*function_of(op.code))(op);
    // Variables begin nowhere else.
    if (op.code != Code::declare) ops_.keep(std::move(op));
  }

  using Function = void (UndefinedTracking::*)(const Op& op);
  /// What the column `undefined` names: reports operands that must not be undefined, since the operation makes them
  /// visible, and moves the shadows of what variables and shared memory take over and give back.
  static Function function_of(Code code) {
    static constexpr Function of_effects[] = {
#define LOCKSTEP_ROW(code, operands, result, uniformity, undefined, bounds, event, instruction) \
  &UndefinedTracking::track_##undefined,
        LOCKSTEP_EFFECTS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
    };
    static constexpr Function of_flow[] = {
#define LOCKSTEP_ROW(code, operands, undefined) &UndefinedTracking::track_##undefined,
        LOCKSTEP_FLOW(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
    };
    const auto after = [code](Code first) {
      return static_cast<std::size_t>(code) - static_cast<std::size_t>(first);
    };
    return is_control(code) ? of_flow[after(Code::if_begin)] : of_effects[after(Code::move)];
  }

  void track_nothing(const Op&) {}

  // ---- Control flow ----

  void track_condition(const Op& op) { report(shadow(op.src[0]), Kind::condition); }
  void track_loop_test(const Op& op) {
    if (op.as<LoopTest>().kind == LoopTest::Kind::asks) track_condition(op);
  }
  void track_selector(const Op& op) { report(shadow(op.src[0]), Kind::selector); }

  // ---- Effects ----

  /// Each call of a function has variables of its own, although all calls in one place share registers.
  void track_declare(const Op& op) {
    for (const Reg r : op.as<Declared>().regs)
      if (origins_.contains(r)) start_variable(r);
  }
  void track_query(const Op& op) { report(joined_all(op.src), Kind::index); }
  void track_texel(const Op& op) {
    report(joined_all(op.src), Kind::coordinate, op.as<ImageOp>().resource);
  }
  void track_sample(const Op& op) {
    report(joined_all(op.src), Kind::coordinate, op.as<Sampling>().image.resource);
  }
  void track_image_store(const Op& op) {
    report(joined_all(std::span(op.src).subspan(1, 4)), Kind::stored, op.as<ImageOp>().resource);
  }
  void track_print(const Op& op) { report(joined_all(op.src), Kind::printed); }

  void track_move(const Op& op) {
    const Reg to = op.dst[0];
    if (!may(to)) return;
    const Reg from = shadow(op.src[0]);
    append(Code::move, Scalar::u32, {shadow_[to]}, {from == no_reg ? constant(0) : from});
  }

  // ---- Arithmetic ----

  void track_pure(Op&& op) {
    if (any_may(op.dst)) {
      const Reg taken = shadow_of_operands(op);
      define(op.dst[0], begun(op, taken));
    }
    ops_.keep(std::move(op));
  }

  /// Where one of the operands that count is undefined.
  Reg shadow_of_operands(const Op& op) {
    if (op.code == Code::select) return shadow_of_selected(op);
    return can_decide(op) ? shadow_of_absorbed(op) : joined_all(op.src);
  }
  Reg shadow_of_selected(const Op& op) {
    Reg a = shadow(op.src[1]), b = shadow(op.src[2]);
    const Reg condition = shadow(op.src[0]);
    if (a == no_reg && b == no_reg) return condition;
    if (a == no_reg) a = constant(0);
    if (b == no_reg) b = constant(0);
    return joined(condition, a == b ? a : select(op.src[0], a, b));
  }
  /// A defined operand that decides the result by itself makes it defined: false of an `and`, true of an `or`, zero of
  /// a product.
  Reg shadow_of_absorbed(const Op& op) {
    const Reg a = absorbed(op, op.src[0], op.src[1]), b = absorbed(op, op.src[1], op.src[0]);
    return joined(a, b);
  }
  /// The shadow of r where the other operand does not decide the result.
  Reg absorbed(const Op& op, Reg r, Reg other) {
    const Reg shadow_r = shadow(r);
    if (shadow_r == no_reg || r == other) return shadow_r;
    Reg decides = op.type != Scalar::boolean ? is_zero(other, op.type)
                  : operation_of(op.code).decided == Decides::truth
                      ? other
                      : emit(Code::bnot, Scalar::boolean, {other});
    if (const Reg shadow_other = shadow(other); shadow_other != no_reg)
      decides = both(decides, is_zero(shadow_other));
    return select(decides, constant(0), shadow_r);
  }

  /// Adds the lanes in which the operation itself has no defined result.
  Reg begun(const Op& op, Reg taken) {
    const Emit emit_any = [&](Code code, Scalar type, std::vector<Reg> src) {
      return emit(code, type, std::move(src));
    };
    if (!may_.begins_in(op)) return taken;
    const auto domain = emit_domain(op, ir_, emit_any, constants_);
    if (!domain) return taken;
    return where_defined(taken, domain->lanes,
                         constant(origin(domain_rule(op.code), domain->what, op.where)));
  }
  /// What was undefined before keeps its origin.
  Reg where_defined(Reg taken, Reg lanes, Reg number) {
    const Reg begun = select(lanes, number, constant(0));
    return taken == no_reg ? begun : select(is_zero(taken), begun, taken);
  }

  // ---- Memory ----

  void report_index(const Op& op) {
    if (!op.src.empty() && op.src[0] != no_reg)
      report(shadow(op.src[0]), Kind::index, place_of(op).resource);
  }

  /// The access to the shadow of a component, or of all if its words lie as the components do.
  MemoryPlace shadow_place(const Op& op, std::size_t component) const {
    const MemoryPlace& place = place_of(op);
    const SharedShadow& shadow = shared_[place.resource];
    const std::uint32_t factor = 4 / shadow.granule;
    MemoryPlace to;
    to.resource = shadow.resource;
    to.offset = (place.offset + component * place.step) / shadow.granule * 4;
    to.stride = place.stride * factor;
    to.step = 4;
    return to;
  }
  /// Whether one access to the shadow does for all components.
  bool is_alike(const Op& op) const {
    return shared_[place_of(op).resource].granule == 4 && size_of(op.type) == 4;
  }
  std::size_t words(const Op& op) const {
    return std::max<std::size_t>(1, size_of(op.type) / shared_[place_of(op).resource].granule);
  }
  std::vector<Reg> index(const Op& op) const {
    if (op.src.empty()) return {};
    return {op.src[0]};
  }

  void track_load(const Op& op) {
    report_index(op);
    if (is_shared(op)) load_shadow(op);
  }
  void load_shadow(const Op& op) {
    if (is_alike(op)) {
      std::vector<Reg> dst;
      for (std::size_t k = 0; k < op.dst.size(); ++k) dst.push_back(new_reg(Scalar::u32));
      MemoryPlace place = shadow_place(op, 0);
      place.step = place_of(op).step;
      append(Code::load, Scalar::u32, dst, index(op)).detail = place;
      for (std::size_t k = 0; k < op.dst.size(); ++k) define(op.dst[k], dst[k]);
      return;
    }
    for (std::size_t k = 0; k < op.dst.size(); ++k) define(op.dst[k], load_words(op, k));
  }
  /// The shadow of a component that has several words.
  Reg load_words(const Op& op, std::size_t component) {
    MemoryPlace place = shadow_place(op, component);
    Reg all = no_reg;
    for (std::size_t left = words(op); left > 0;) {
      const std::size_t now = std::min<std::size_t>(left, 4);
      std::vector<Reg> dst;
      for (std::size_t k = 0; k < now; ++k) dst.push_back(new_reg(Scalar::u32));
      append(Code::load, Scalar::u32, dst, index(op)).detail = place;
      for (const Reg r : dst) all = joined(all, r);
      place.offset += 4 * now;
      left -= now;
    }
    return all;
  }

  void track_store(const Op& op) {
    report_index(op);
    if (is_shared(op)) return store_shadow(op);
    report(joined_all(std::span(op.src).subspan(1)), Kind::stored, place_of(op).resource);
  }
  void store_shadow(const Op& op) {
    const auto value = [&](std::size_t k) {
      const Reg r = shadow(op.src[k + 1]);
      return r == no_reg ? constant(0) : r;
    };
    const std::size_t components = op.src.size() - 1;
    if (is_alike(op)) {
      std::vector<Reg> src{op.src[0]};
      for (std::size_t k = 0; k < components; ++k) src.push_back(value(k));
      MemoryPlace place = shadow_place(op, 0);
      place.step = place_of(op).step;
      append(Code::store, Scalar::u32, {}, src).detail = place;
      return;
    }
    for (std::size_t k = 0; k < components; ++k) store_words(op, k, value(k));
  }
  void store_words(const Op& op, std::size_t component, Reg value) {
    MemoryPlace place = shadow_place(op, component);
    for (std::size_t left = words(op); left > 0;) {
      const std::size_t now = std::min<std::size_t>(left, 4);
      std::vector<Reg> src{op.src[0]};
      src.insert(src.end(), now, value);
      append(Code::store, Scalar::u32, {}, src).detail = place;
      place.offset += 4 * now;
      left -= now;
    }
  }

  /// Atomics are visible to others, so they report; exchanges, loads and stores of shared memory pass values on.
  void track_atomic(const Op& op) {
    report_index(op);
    report(joined_all(std::span(op.src).subspan(1)), Kind::atomic_operand, place_of(op).resource);
    if (!is_shared(op)) return;
    const Operator kind = op.as<AtomicOp>().op;
    if (kind == Operator::load) {
      if (!op.dst.empty()) define(op.dst[0], load_words(op, 0));
    } else if (kind == Operator::exchange) {
      exchange_shadow(op);
    } else {
      if (!MayBeUndefined::keeps_operand(kind))
        report(load_words(op, 0), Kind::atomic_memory, place_of(op).resource);
      store_words(op, 0, constant(0));
      if (!op.dst.empty()) define(op.dst[0], constant(0));
    }
  }
  /// In the order of the exchanges themselves: a lane reads what the one before it wrote.
  void exchange_shadow(const Op& op) {
    AtomicOp atomic;
    atomic.place = shadow_place(op, 0);
    atomic.op = Operator::exchange;
    Reg all = no_reg;
    for (std::size_t k = 0; k < words(op); ++k, atomic.place.offset += 4) {
      const Reg old = new_reg(Scalar::u32);
      append(Code::atomic, Scalar::u32, {old}, {op.src[0], constant(0)}).detail = atomic;
      all = joined(all, old);
    }
    if (!op.dst.empty()) define(op.dst[0], all);
  }

  void track_load_indexed(const Op& op) {
    report(shadow(op.src[0]), Kind::index);
    if (!may(op.dst[0])) return;
    IndexedPlace place = op.as<IndexedPlace>();
    place.variable = indexed_.at(place.variable);
    const Reg dst = new_reg(Scalar::u32);
    append(Code::load_indexed, Scalar::u32, {dst}, op.src).detail = place;
    define(op.dst[0], dst);
  }
  void track_store_indexed(const Op& op) {
    report(shadow(op.src[0]), Kind::index);
    IndexedPlace place = op.as<IndexedPlace>();
    const auto found = indexed_.find(place.variable);
    if (found == indexed_.end()) return;
    place.variable = found->second;
    const Reg value = shadow(op.src[1]);
    append(Code::store_indexed, Scalar::u32, {}, {op.src[0], value == no_reg ? constant(0) : value})
        .detail = place;
  }

  // ---- Subgroup operations ----

  void track_subgroup(Op&& op) {
    const auto [first, end] = same_operands(op);
    report(joined_all(std::span(op.src).subspan(first, end - first)), Kind::same_operand);
    if (any_may(op.dst)) {
      const Reg shadow = begun_between_lanes(op, moved(op));
      for (const Reg r : op.dst) define(r, shadow);
    }
    ops_.keep(std::move(op));
  }

  /// The shadow of the result where it is defined for the operation itself.
  Reg moved(const Op& op) {
    using enum spec::Form;
    switch (spec::function(name_of(op)).form) {
      case nothing:
        return no_reg;
      case condition:
        return of_vote(op);
      case condition_to_ballot:
      case comparison:
      case value_to_ballot:
        return in_any_lane(shadow(op.src[0]));
      case ballot:
      case ballot_index:
        return op.code == Code::inverse_ballot ? no_reg : joined_all(op.src);
      case value:
      case value_cluster:
      case value_ballot:
        return passed_on(op);
      case value_index:
      case value_index_cluster: {
        const bool same = same_operands(op).second != 0;
        return joined(passed_on(op), same ? no_reg : shadow(op.src[1]));
      }
    }
    return no_reg;
  }
  Reg in_any_lane(Reg shadow) {
    if (shadow == no_reg) return no_reg;
    const Reg dst = new_reg(Scalar::u32);
    append(Code::reduce, Scalar::u32, {dst}, {shadow}).detail = Reduction{Operator::max, 0};
    return dst;
  }
  /// One lane with a defined value can decide a vote.
  Reg of_vote(const Op& op) {
    const Reg mine = shadow(op.src[0]);
    if (mine == no_reg) return no_reg;
    if (op.code != Code::all && op.code != Code::any) {
      const Reg quad = new_reg(Scalar::u32);
      append(Code::clustered, Scalar::u32, {quad}, {mine}).detail = Reduction{Operator::max, 4};
      return quad;
    }
    const Reg counts =
        op.code == Code::any ? op.src[0] : emit(Code::bnot, Scalar::boolean, {op.src[0]});
    const Reg decided = new_reg(Scalar::boolean);
    append(Code::any, Scalar::boolean, {decided}, {both(counts, is_zero(mine))});
    return select(decided, constant(0), in_any_lane(mine));
  }
  /// The same operation moves shadows; the greatest is the result of a reduction.
  Reg passed_on(const Op& op) {
    const Reg mine = shadow(op.src[0]);
    if (mine == no_reg) return no_reg;
    std::vector<Reg> src = op.src;
    src[0] = mine;
    const Reg dst = new_reg(Scalar::u32);
    Op& to = append(op.code, Scalar::u32, {dst}, std::move(src));
    to.detail = op.detail;
    if (auto* reduction = std::get_if<Reduction>(&to.detail)) reduction->op = Operator::max;
    return dst;
  }

  /// Adds the lanes to which the operation itself gives nothing defined.
  Reg begun_between_lanes(const Op& op, Reg taken) {
    const auto undefined = may_.between_lanes(op);
    if (!undefined) return taken;
    const auto lanes = [&](bool outside) {
      const Reg where = new_reg(Scalar::boolean);
      Op& to = append(Code::undefined_lanes, op.type, {where}, op.src);
      UndefinedLanes detail = undefined_lanes_of(op);
      detail.outside = outside;
      detail.if_agreed = rules_.has(Check::broadcast_not_uniform);
      to.detail = detail;
      return where;
    };
    const auto number_of = [&](Check rule, const std::string& what) {
      return constant(rules_.has(rule) ? origin(rule, what, op.where) : 0);
    };
    Reg number = number_of(undefined->rule, undefined->what);
    if (undefined->is_relative)
      number =
          select(lanes(true), number_of(Check::shuffle_past_edge, undefined->what_outside), number);
    return select(lanes(false), number, taken == no_reg ? constant(0) : taken);
  }

  Ir& ir_;
  Checks rules_;
  MayBeUndefined may_;
  std::vector<Reg> shadow_;                         ///< by register
  std::vector<SharedShadow> shared_;                ///< by resource
  std::map<Reg, std::uint32_t> origins_;            ///< of variables without a value
  std::map<std::uint32_t, std::uint32_t> indexed_;  ///< shadows of indexed variables
  Constants constants_;
  CheckedOps ops_;
};

}  // namespace

void track_undefined(Ir& ir, Checks rules) { UndefinedTracking(ir, rules).run(); }

}  // namespace lockstep::spirv
