#include "shader/instruments/bounds/bounded_values.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "shader/instruments/bounds/bounded_control.hpp"
#include "shader/instruments/bounds/inexact.hpp"
#include "shader/instruments/bounds/known_index.hpp"
#include "shader/instruments/undefined/undefined_results.hpp"
#include "shader/ir/assigned.hpp"
#include "shader/ir/built_ins.hpp"
#include "shader/ir/checked_ops.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

using Kind = Bound::Kind;
using oracle::Why;

/// Whether the operation moves its first operand between lanes and does nothing else.
bool is_move_between_lanes(const Op& op) {
  using enum spec::Form;
  if (std::holds_alternative<Reduction>(op.detail)) return false;
  const spec::Form form = spec::function(name_of(op)).form;
  return form == value_index || form == value_index_cluster || form == value;
}

class BoundsTracking {
 public:
  BoundsTracking(Ir& ir, bool ordered)
      : ir_(ir),
        ordered_(ordered),
        effects_(ir),
        unassigned_(find_unassigned(ir)),
        inexact_(ir, effects_, unassigned_),
        added_(ir) {}

  void run() {
    make_variables();
    std::vector<Op> ops = std::move(ir_.ops);
    ops_ = ops;
    later_.emplace(ir_, ops_);
    start_variables();
    for (Op& op : ops) {
      track(std::move(op));
      ++position_;
    }
    ir_.ops = added_.take();
  }

 private:
  bool may(Reg r) const { return r != no_reg && inexact_.has(r); }

  // ---- Registers ----

  Reg new_allowed(bool variable = false) {
    return add_register(ir_, {.variable = variable, .lanes = true, .allowed = true});
  }
  Reg new_number(Scalar type) { return add_register(ir_, {.type = type}); }

  void make_variables() {
    const std::size_t size = ir_.regs.size();
    allowed_.assign(size, no_reg);
    for (Reg r = 0; r < size; ++r) {
      if (may(r) && ir_.regs[r].variable) allowed_[r] = new_allowed(true);
    }
    const std::size_t count = ir_.indexed.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (!may(ir_.indexed[k].regs.at(0))) continue;
      IndexedVariable shadow{ir_.indexed[k].name, {}};
      for (const Reg r : ir_.indexed[k].regs) shadow.regs.push_back(allowed_[r]);
      indexed_[static_cast<std::uint32_t>(k)] = static_cast<std::uint32_t>(ir_.indexed.size());
      ir_.indexed.push_back(std::move(shadow));
    }
    if (!inexact_.decides()) return;
    control_ = new_allowed(true);
    group_ = new_allowed(true);
  }

  /// Variables of an invocation have no value at the start.
  void start_variables() {
    for (const Variable& v : ir_.variables) {
      if (!unassigned_[v.reg] || !may(v.reg)) continue;
      added_.move_to(v.where);
      fill(allowed_[v.reg], oracle::any(oracle::Allowed::Kind::undefined, Why::uninitialised, 0));
    }
  }

  /// What is allowed for a value; no_reg if that is exact.
  Reg allowed(Reg r) {
    if (!may(r)) return no_reg;
    if (ir_.regs[r].undefined && allowed_[r] == no_reg)
      return filled(oracle::any(oracle::Allowed::Kind::undefined, Why::uninitialised, 0));
    if (ir_.regs[r].open)
      return filled(oracle::any(oracle::Allowed::Kind::open, Why::implementation, 0));
    return allowed_[r];
  }
  Reg filled(const oracle::Allowed& value) {
    const Reg dst = new_allowed();
    fill(dst, value);
    return dst;
  }
  std::vector<Reg> allowed_of(std::span<const Reg> regs) {
    std::vector<Reg> all;
    for (const Reg r : regs) all.push_back(allowed(r));
    return all;
  }
  /// A register for what is allowed for a result.
  Reg result(Reg r) {
    if (ir_.regs[r].variable) return allowed_[r];
    return allowed_[r] = new_allowed();
  }

  // ---- Operations ----

  std::uint32_t origin() {
    const SourceLocation& where = added_.where();
    const auto [found, added] = lines_.try_emplace({where.file, where.line}, 0);
    if (added) {
      ir_.bound_lines.push_back(where);
      found->second = static_cast<std::uint32_t>(ir_.bound_lines.size());
    }
    return found->second;
  }

  Bound& append(Kind kind, std::vector<Reg> dst, std::vector<Reg> src,
                std::shared_ptr<const Op> of = {}) {
    Op& op = added_.add(Code::bound, Scalar::u32, std::move(dst), std::move(src));
    op.detail = Bound{.kind = kind, .of = std::move(of), .origin = origin()};
    return op.as<Bound>();
  }
  void fill(Reg dst, oracle::Allowed value) {
    value.origin = origin();
    append(Kind::fill, {dst}, {}).filled = value;
  }
  void copy(Reg dst, Reg src) { append(Kind::copy, {dst}, {src}); }
  static std::shared_ptr<const Op> kept(const Op& op) { return std::make_shared<const Op>(op); }

  void track(Op&& op) {
    added_.move_to(op.where);
    if (is_pure(op.code)) return track_pure(std::move(op));
    if (is_subgroup(op.code)) return track_subgroup(std::move(op));
    if (is_control(op.code)) return track_control(std::move(op));
    const Rule& rule = rule_of(op.code);
    if (rule.around != nullptr) return (this->*rule.around)(std::move(op));
    (this->*rule.before)(op);
    added_.keep(std::move(op));
  }

  /// What the column `bounds` of effects names.
  struct Rule {
    using Before = void (BoundsTracking::*)(const Op& op);
    using Around = void (BoundsTracking::*)(Op&& op);
    constexpr Rule(Before f) : before(f) {}
    constexpr Rule(Around f) : around(f) {}

    Before before =
        nullptr;  ///< adds what depends on no result of the operation itself, and stands before it
    Around around = nullptr;  ///< also keeps the operation
  };
  static const Rule& rule_of(Code code) {
    static constexpr Rule of_effects[] = {
#define LOCKSTEP_ROW(code, operands, result, uniformity, undefined, bounds, event, instruction) \
  &BoundsTracking::track_##bounds,
        LOCKSTEP_EFFECTS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
    };
    return of_effects[static_cast<std::size_t>(code) - static_cast<std::size_t>(Code::move)];
  }

  void track_nothing(const Op&) {}
  void track_move(const Op& op) {
    if (may(op.dst[0])) copy(allowed_[op.dst[0]], allowed(op.src[0]));
  }
  // ---- Arithmetic ----

  void track_pure(Op&& op) {
    const Reg dst = op.dst[0];
    if (!may(dst)) {
      added_.keep(std::move(op));
      return;
    }
    std::vector<Reg> src = op.src;
    src.push_back(dst);
    for (const Reg r : allowed_of(op.src)) src.push_back(r);
    src.push_back(where_undefined(op));
    const auto of = kept(op);
    added_.keep(std::move(op));
    append(Kind::compute, {result(dst)}, std::move(src), of);
  }
  /// The lanes in which an operation on integers has no defined result.
  Reg where_undefined(const Op& op) {
    if (is_float(op.type) || op.code == Code::convert || !has_domain(op, ir_.regs)) return no_reg;
    const Emit emit_any = [&](Code code, Scalar type, std::vector<Reg> src) {
      return added_.emit(code, type, std::move(src));
    };
    const auto domain = emit_domain(op, ir_, emit_any, constants_);
    return domain ? domain->lanes : no_reg;
  }

  /// Results that are exact if the operands are.
  void track_of_operands(const Op& op) {
    if (op.dst.empty() || !may(op.dst[0])) return;
    std::vector<Reg> src{no_reg, no_reg};
    for (const Reg r : allowed_of(op.src)) src.push_back(r);
    for (const Reg r : op.dst) append(Kind::between, {result(r)}, src);
  }

  // ---- Memory ----

  static Reg index_of(const Op& op) { return op.src.empty() ? no_reg : op.src[0]; }

  void track_load(const Op& op) {
    if (!inexact_.any(op.dst)) return;
    std::vector<Reg> dst;
    for (const Reg r : op.dst) dst.push_back(result(r));
    append(Kind::load, std::move(dst), {index_of(op), allowed(index_of(op))}, kept(op));
  }
  void track_store(const Op& op) {
    if (!inexact_.memory()) return;
    std::vector<Reg> src{index_of(op), allowed(index_of(op)), control_};
    for (const Reg r : allowed_of(std::span(op.src).subspan(1))) src.push_back(r);
    append(Kind::store, {}, std::move(src), kept(op));
  }
  void track_atomic(const Op& op) {
    std::vector<Reg> dst;
    if (!op.dst.empty()) dst.push_back(result(op.dst[0]));
    std::vector<Reg> src{index_of(op), allowed(index_of(op)), control_};
    const auto operands = std::span(op.src).subspan(1);
    src.insert(src.end(), operands.begin(), operands.end());
    for (const Reg r : allowed_of(operands)) src.push_back(r);
    append(Kind::atomic, std::move(dst), std::move(src), kept(op));
  }
  void track_load_indexed(const Op& op) {
    if (!may(op.dst[0])) return;
    const auto found = indexed_.find(op.as<IndexedPlace>().variable);
    Bound& load =
        append(Kind::load_indexed, {result(op.dst[0])}, {op.src[0], allowed(op.src[0])}, kept(op));
    load.variable = found == indexed_.end() ? no_variable : found->second;
  }
  void track_store_indexed(const Op& op) {
    const auto found = indexed_.find(op.as<IndexedPlace>().variable);
    if (found == indexed_.end()) return;
    append(Kind::store_indexed, {}, {op.src[0], allowed(op.src[0]), allowed(op.src[1])}, kept(op))
        .variable = found->second;
  }
  /// The operand that chooses the image of an array, if there is one.
  static Reg choice_of(const Op& op) {
    return op.as<ImageOp>().choices > 0 ? op.src.back() : no_reg;
  }
  void track_image_load(Op&& op) {
    std::vector<Reg> dst, src{op.src[0], allowed(op.src[0]), choice_of(op)};
    for (const Reg r : op.dst) {
      dst.push_back(result(r));
      src.push_back(r);
    }
    const auto of = kept(op);
    added_.keep(std::move(op));
    append(Kind::load_texel, std::move(dst), std::move(src), of);
  }
  void track_image_store(const Op& op) {
    std::vector<Reg> src{op.src[0], allowed(op.src[0]), control_, choice_of(op)};
    const auto components = std::span(op.src).subspan(1, 4);
    src.insert(src.end(), components.begin(), components.end());
    for (const Reg r : allowed_of(components)) src.push_back(r);
    append(Kind::store_texel, {}, std::move(src), kept(op));
  }

  void track_image_sample(Op&& op) {
    const std::vector<Reg> operands = allowed_of(op.src);
    std::vector<Reg> dst, src = op.src;
    for (const Reg r : op.dst) {
      dst.push_back(result(r));
      src.push_back(r);
    }
    src.insert(src.end(), operands.begin(), operands.end());
    const auto of = kept(op);
    added_.keep(std::move(op));
    append(Kind::sample_texels, std::move(dst), std::move(src), of);
  }

  // ---- Control flow ----

  void track_control(Op&& op) {
    const std::uint32_t construct = construct_of(op);
    const bool decides =
        construct != no_construct && control_ != no_reg && effects_.of(construct).decides;
    switch (op.code) {
      case Code::if_begin:
      case Code::switch_begin:
      case Code::loop_begin:
      case Code::call_begin:
        if (decides) save(construct);
        if (op.code == Code::if_begin || op.code == Code::switch_begin) enter(op);
        break;
      case Code::loop_test:
        if (op.as<LoopTest>().kind == LoopTest::Kind::asks) enter(op);
        break;
      case Code::if_end:
      case Code::switch_end:
      case Code::loop_end:
      case Code::call_end:
        added_.keep(std::move(op));
        if (decides) leave(construct);
        return;
      default:
        break;
    }
    added_.keep(std::move(op));
  }
  void save(std::uint32_t construct) {
    const Reg control = new_allowed(true), group = new_allowed(true);
    saved_[construct] = {control, group};
    copy(control, control_);
    copy(group, group_);
  }
  void enter(const Op& op) {
    if (!may(op.src[0])) return;
    append(Kind::enter, {control_}, {control_, allowed(op.src[0])});
    const std::uint32_t reach = effects_.reach(construct_of(op));
    const auto& stores = reach == leaves_all ? effects_.all_stores() : effects_.of(reach).stores;
    for (const std::uint32_t k : stores) {
      if (later_->may_follow(k, position_, reach)) taint(k, reach);
    }
    append(Kind::spread, {group_}, {group_, control_});
  }
  /// What a later store may leave: in one element of each lane if that is known, or anywhere in the resource.
  void taint(std::uint32_t store, std::uint32_t reach) {
    const Op& op = ops_[store];
    const bool any_image = op.code == Code::image_store && op.as<ImageOp>().choices > 0;
    const Reg index = index_of(op);
    const auto known =
        any_image ? std::nullopt : later_->computed_by(index, store, position_, reach);
    std::vector<Reg> src{no_reg, control_};
    if (known) {
      src[0] = computed_here(index, known->ops);
      for (const Reg r : allowed_of(known->roots)) src.push_back(r);
    }
    append(Kind::taint, {}, std::move(src), kept(op)).element = known.has_value();
  }
  /// Repeats operations, and returns what a register is by them.
  Reg computed_here(Reg r, const std::vector<std::uint32_t>& ops) {
    std::map<Reg, Reg> copies;
    for (const std::uint32_t k : ops) {
      Op op = ops_[k];
      for (Reg& source : op.src) {
        if (const auto copy = copies.find(source); copy != copies.end()) source = copy->second;
      }
      if (op.code == Code::move) {
        copies[op.dst[0]] = op.src[0];
        continue;
      }
      RegInfo info = ir_.regs[op.dst[0]];
      info.variable = false;
      ir_.regs.push_back(info);
      const Reg copy = static_cast<Reg>(ir_.regs.size() - 1);
      copies[op.dst[0]] = copy;
      op.dst = {copy};
      op.silent = true;
      op.masked = false;
      op.where = added_.where();
      added_.keep(std::move(op));
    }
    const auto copy = copies.find(r);
    return copy == copies.end() ? r : copy->second;
  }
  void leave(std::uint32_t construct) {
    const ConstructEffects& effects = effects_.of(construct);
    for (const Reg r : effects.written) {
      if (may(r)) append(Kind::mark, {allowed_[r]}, {allowed_[r], control_});
    }
    // Lanes that jumped away are missing until where they went.
    if (effects.leaves != no_construct) return;
    copy(control_, saved_.at(construct).first);
    copy(group_, saved_.at(construct).second);
  }

  // ---- Subgroup operations ----

  void track_subgroup(Op&& op) {
    if (!inexact_.any(op.dst)) {
      added_.keep(std::move(op));
      return;
    }
    std::vector<Reg> src{lanes_undefined(op), group_};
    for (const Reg r : allowed_of(op.src)) src.push_back(r);
    const auto of = kept(op);
    if (is_reduction_of_floats(op)) {
      src.insert(src.begin(), {op.src[0], op.dst[0]});
      for (std::size_t k = 1; k < op.src.size(); ++k) src.push_back(op.src[k]);
      added_.keep(std::move(op));
      append(Kind::reduce, {result(of->dst[0])}, std::move(src), of).ordered = ordered_;
      return;
    }
    if (is_move_between_lanes(op)) {
      src.insert(src.begin(), source_lanes(op));
      append(Kind::gather, {result(op.dst[0])}, std::move(src), of);
    } else {
      std::vector<Reg> dst;
      for (const Reg r : op.dst) dst.push_back(may(r) ? result(r) : new_allowed());
      append(Kind::between, std::move(dst), std::move(src), of);
    }
    added_.keep(std::move(op));
  }
  /// The lane that each lane's value comes from: what the operation does to the lanes' numbers.
  Reg source_lanes(const Op& op) {
    if (lane_ == no_reg) {
      BuiltInUse use{spv::BuiltIn::SubgroupLocalInvocationId, {}};
      for (const BuiltInUse& known : ir_.built_ins) {
        if (known.built_in == use.built_in) lane_ = known.regs[0];
      }
      if (lane_ == no_reg) {
        lane_ = new_number(Scalar::u32);
        ir_.regs[lane_].lanes = true;
        use.regs = {lane_};
        ir_.built_ins.push_back(use);
      }
    }
    Op moved = op;
    const Reg dst = new_number(Scalar::u32);
    moved.type = Scalar::u32;
    moved.src[0] = lane_;
    moved.dst = {dst};
    moved.silent = true;
    moved.part = 0;
    moved.parts = 1;
    added_.keep(std::move(moved));
    return dst;
  }
  Reg lanes_undefined(const Op& op) {
    if (!undefined_rule(op)) return no_reg;
    const Reg where = new_number(Scalar::boolean);
    added_.add(Code::undefined_lanes, op.type, {where}, op.src).detail = undefined_lanes_of(op);
    return where;
  }

  static constexpr std::uint32_t no_variable = ~0u;

  Ir& ir_;
  bool ordered_;
  ControlEffects effects_;
  std::vector<bool> unassigned_;  ///< by register
  Inexact inexact_;
  std::vector<Reg> allowed_;  ///< by register
  Reg control_ = no_reg;      ///< why the lane may be somewhere else, if anything is open
  Reg group_ = no_reg;        ///< why a lane may be among those of the group, or not
  Reg lane_ = no_reg;         ///< the lanes' numbers
  std::map<std::uint32_t, std::pair<Reg, Reg>> saved_;  ///< control and group, by construct
  std::map<std::uint32_t, std::uint32_t> indexed_;      ///< shadows of indexed variables
  std::map<std::pair<const char*, int>, std::uint32_t> lines_;
  Constants constants_;
  std::vector<Op> ops_;  ///< before the pass
  std::optional<KnownIndex> later_;
  std::uint32_t position_ = 0;  ///< in ops_
  CheckedOps added_;
};

}  // namespace

void track_bounds(Ir& ir, bool ordered) { BoundsTracking(ir, ordered).run(); }

}  // namespace lockstep::spirv
