#include "shader/instruments/undefined/undefined_values.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "shader/instruments/undefined/shadows.hpp"
#include "shader/instruments/undefined/tracked_memory.hpp"
#include "shader/instruments/undefined/tracked_subgroup.hpp"
#include "shader/instruments/undefined/undefined_results.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

class UndefinedTracking {
 public:
  UndefinedTracking(Ir& ir, Checks rules) : shadows_(ir, rules) {}

  void run() {
    std::vector<Op> ops = std::move(shadows_.ir().ops);
    for (Op& op : ops) track(std::move(op));
    shadows_.ir().ops = shadows_.ops().take();
  }

 private:
  void track(Op&& op) {
    shadows_.ops().move_to(op.where);
    if (is_pure(op.code)) return track_pure(std::move(op));
    if (is_subgroup(op.code)) return subgroup_.track(std::move(op));
    (this->*function_of(op.code))(op);
    // Variables begin nowhere else.
    if (op.code != Code::declare) shadows_.ops().keep(std::move(op));
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

  void track_condition(const Op& op) {
    shadows_.report(shadows_.of(op.src[0]), UndefinedUse::Kind::condition);
  }
  void track_loop_test(const Op& op) {
    if (op.as<LoopTest>().kind == LoopTest::Kind::asks) track_condition(op);
  }
  void track_selector(const Op& op) {
    shadows_.report(shadows_.of(op.src[0]), UndefinedUse::Kind::selector);
  }

  // ---- Effects ----

  /// Each call of a function has variables of its own, although all calls in one place share registers.
  void track_declare(const Op& op) {
    for (const Reg r : op.as<Declared>().regs) shadows_.restart(r);
  }
  void track_query(const Op& op) {
    shadows_.report(shadows_.of_all(op.src), UndefinedUse::Kind::index);
  }
  void track_texel(const Op& op) {
    shadows_.report(shadows_.of_all(op.src), UndefinedUse::Kind::coordinate,
                    op.as<ImageOp>().resource);
  }
  void track_sample(const Op& op) {
    shadows_.report(shadows_.of_all(op.src), UndefinedUse::Kind::coordinate,
                    op.as<Sampling>().image.resource);
  }
  void track_image_store(const Op& op) {
    shadows_.report(shadows_.of_all(std::span(op.src).subspan(1, 4)), UndefinedUse::Kind::stored,
                    op.as<ImageOp>().resource);
  }
  void track_print(const Op& op) {
    shadows_.report(shadows_.of_all(op.src), UndefinedUse::Kind::printed);
  }

  void track_move(const Op& op) {
    const Reg to = op.dst[0];
    if (!shadows_.may(to)) return;
    const Reg from = shadows_.or_defined(shadows_.of(op.src[0]));
    shadows_.append(Code::move, Scalar::u32, {shadows_.of_variable(to)}, {from});
  }

  // ---- Arithmetic ----

  void track_pure(Op&& op) {
    if (shadows_.any_may(op.dst)) {
      const Reg taken = shadow_of_operands(op);
      shadows_.define(op.dst[0], begun(op, taken));
    }
    shadows_.ops().keep(std::move(op));
  }

  /// Where one of the operands that count is undefined.
  Reg shadow_of_operands(const Op& op) {
    if (op.code == Code::select) return shadow_of_selected(op);
    return can_decide(op) ? shadow_of_absorbed(op) : shadows_.of_all(op.src);
  }
  Reg shadow_of_selected(const Op& op) {
    Reg a = shadows_.of(op.src[1]), b = shadows_.of(op.src[2]);
    const Reg condition = shadows_.of(op.src[0]);
    if (a == no_reg && b == no_reg) return condition;
    a = shadows_.or_defined(a);
    b = shadows_.or_defined(b);
    return shadows_.joined(condition, a == b ? a : shadows_.select(op.src[0], a, b));
  }
  /// A defined operand that decides the result by itself makes it defined: false of an `and`, true of an `or`, zero of
  /// a product.
  Reg shadow_of_absorbed(const Op& op) {
    const Reg a = absorbed(op, op.src[0], op.src[1]), b = absorbed(op, op.src[1], op.src[0]);
    return shadows_.joined(a, b);
  }
  /// The shadow of r where the other operand does not decide the result.
  Reg absorbed(const Op& op, Reg r, Reg other) {
    const Reg shadow_r = shadows_.of(r);
    if (shadow_r == no_reg || r == other) return shadow_r;
    Reg decides = op.type != Scalar::boolean ? shadows_.is_zero(other, op.type)
                  : operation_of(op.code).decided == Decides::truth
                      ? other
                      : shadows_.emit(Code::bnot, Scalar::boolean, {other});
    if (const Reg shadow_other = shadows_.of(other); shadow_other != no_reg)
      decides = shadows_.both(decides, shadows_.is_zero(shadow_other));
    return shadows_.select(decides, shadows_.constant(0), shadow_r);
  }

  /// Adds the lanes in which the operation itself has no defined result.
  Reg begun(const Op& op, Reg taken) {
    const Emit emit_any = [&](Code code, Scalar type, std::vector<Reg> src) {
      return shadows_.emit(code, type, std::move(src));
    };
    if (!shadows_.may_be_undefined().begins_in(op)) return taken;
    const auto domain = emit_domain(op, shadows_.ir(), emit_any, shadows_.constants());
    if (!domain) return taken;
    return where_defined(
        taken, domain->lanes,
        shadows_.constant(shadows_.origin(domain_rule(op.code), domain->what, op.where)));
  }
  /// What was undefined before keeps its origin.
  Reg where_defined(Reg taken, Reg lanes, Reg number) {
    const Reg begun = shadows_.select(lanes, number, shadows_.constant(0));
    return taken == no_reg ? begun : shadows_.select(shadows_.is_zero(taken), begun, taken);
  }

  // ---- Memory ----

  void track_load(const Op& op) { memory_.load(op); }
  void track_store(const Op& op) { memory_.store(op); }
  void track_atomic(const Op& op) { memory_.atomic(op); }
  void track_load_indexed(const Op& op) { memory_.load_indexed(op); }
  void track_store_indexed(const Op& op) { memory_.store_indexed(op); }

  Shadows shadows_;
  TrackedMemory memory_{shadows_};
  TrackedSubgroup subgroup_{shadows_};
};

}  // namespace

void track_undefined(Ir& ir, Checks rules) { UndefinedTracking(ir, rules).run(); }

}  // namespace lockstep::spirv
