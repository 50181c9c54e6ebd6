#include "shader/instruments/bounds/bounded_values.hpp"

#include <span>
#include <utility>
#include <vector>

#include "shader/instruments/bounds/allowed_between_lanes.hpp"
#include "shader/instruments/bounds/allowed_control.hpp"
#include "shader/instruments/bounds/allowed_values.hpp"
#include "shader/instruments/undefined/undefined_results.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

using Kind = Bound::Kind;

class BoundsTracking {
 public:
  BoundsTracking(Ir& ir, bool ordered)
      : allowed_(ir),
        before_(ir.ops),
        control_(allowed_, before_),
        between_lanes_(allowed_, control_, ordered) {}

  void run() {
    allowed_.start_variables();
    for (Op& op : allowed_.ir().ops) {
      track(std::move(op));
      control_.step();
    }
    allowed_.ir().ops = allowed_.ops().take();
  }

 private:
  void track(Op&& op) {
    allowed_.ops().move_to(op.where);
    if (is_pure(op.code)) return track_pure(std::move(op));
    if (is_subgroup(op.code)) return between_lanes_.track(std::move(op));
    if (is_control(op.code)) return control_.track(std::move(op));
    const Rule& rule = rule_of(op.code);
    if (rule.around != nullptr) return (this->*rule.around)(std::move(op));
    (this->*rule.before)(op);
    allowed_.ops().keep(std::move(op));
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
    if (allowed_.may(op.dst[0]))
      allowed_.copy(allowed_.of_variable(op.dst[0]), allowed_.of(op.src[0]));
  }

  // ---- Arithmetic ----

  void track_pure(Op&& op) {
    const Reg dst = op.dst[0];
    if (!allowed_.may(dst)) {
      allowed_.ops().keep(std::move(op));
      return;
    }
    std::vector<Reg> src = op.src;
    src.push_back(dst);
    for (const Reg r : allowed_.of_all(op.src)) src.push_back(r);
    src.push_back(where_undefined(op));
    const auto of = kept(op);
    allowed_.ops().keep(std::move(op));
    allowed_.append(Kind::compute, {allowed_.result(dst)}, std::move(src), of);
  }
  /// The lanes in which an operation on integers has no defined result.
  Reg where_undefined(const Op& op) {
    if (is_float(op.type) || op.code == Code::convert || !has_domain(op, allowed_.ir().regs))
      return no_reg;
    const Emit emit_any = [&](Code code, Scalar type, std::vector<Reg> src) {
      return allowed_.ops().emit(code, type, std::move(src));
    };
    const auto domain = emit_domain(op, allowed_.ir(), emit_any, constants_);
    return domain ? domain->lanes : no_reg;
  }

  /// Results that are exact if the operands are.
  void track_of_operands(const Op& op) {
    if (op.dst.empty() || !allowed_.may(op.dst[0])) return;
    std::vector<Reg> src{no_reg, no_reg};
    for (const Reg r : allowed_.of_all(op.src)) src.push_back(r);
    for (const Reg r : op.dst) allowed_.append(Kind::between, {allowed_.result(r)}, src);
  }

  // ---- Memory ----

  void track_load(const Op& op) {
    if (!allowed_.inexact().any(op.dst)) return;
    std::vector<Reg> dst;
    for (const Reg r : op.dst) dst.push_back(allowed_.result(r));
    allowed_.append(Kind::load, std::move(dst), {index_of(op), allowed_.of(index_of(op))},
                    kept(op));
  }
  void track_store(const Op& op) {
    if (!allowed_.inexact().memory()) return;
    std::vector<Reg> src{index_of(op), allowed_.of(index_of(op)), control_.control()};
    const auto values = std::span(op.src).subspan(1);
    for (const Reg r : allowed_.of_all(values)) src.push_back(r);
    src.insert(src.end(), values.begin(), values.end());
    Bound& store = allowed_.append(Kind::store, {}, std::move(src), kept(op));
    store.placed = control_.is_returned(index_of(op));
    for (const Reg r : values) store.returned.push_back(control_.is_returned(r));
  }
  void track_atomic(const Op& op) {
    std::vector<Reg> dst;
    if (!op.dst.empty()) dst.push_back(allowed_.result(op.dst[0]));
    std::vector<Reg> src{index_of(op), allowed_.of(index_of(op)), control_.control()};
    const auto operands = std::span(op.src).subspan(1);
    src.insert(src.end(), operands.begin(), operands.end());
    for (const Reg r : allowed_.of_all(operands)) src.push_back(r);
    allowed_.append(Kind::atomic, std::move(dst), std::move(src), kept(op));
  }
  void track_load_indexed(const Op& op) {
    if (!allowed_.may(op.dst[0])) return;
    const std::uint32_t* const variable = allowed_.of_indexed(op.as<IndexedPlace>().variable);
    Bound& load = allowed_.append(Kind::load_indexed, {allowed_.result(op.dst[0])},
                                  {op.src[0], allowed_.of(op.src[0])}, kept(op));
    load.variable = variable == nullptr ? no_variable : *variable;
  }
  void track_store_indexed(const Op& op) {
    const std::uint32_t* const variable = allowed_.of_indexed(op.as<IndexedPlace>().variable);
    if (variable == nullptr) return;
    allowed_
        .append(Kind::store_indexed, {},
                {op.src[0], allowed_.of(op.src[0]), allowed_.of(op.src[1])}, kept(op))
        .variable = *variable;
  }
  /// The operand that chooses the image of an array, if there is one.
  static Reg choice_of(const Op& op) {
    return op.as<ImageOp>().choices > 0 ? op.src.back() : no_reg;
  }
  void track_image_load(Op&& op) {
    std::vector<Reg> dst, src{op.src[0], allowed_.of(op.src[0]), choice_of(op)};
    for (const Reg r : op.dst) {
      dst.push_back(allowed_.result(r));
      src.push_back(r);
    }
    const auto of = kept(op);
    allowed_.ops().keep(std::move(op));
    allowed_.append(Kind::load_texel, std::move(dst), std::move(src), of);
  }
  void track_image_store(const Op& op) {
    std::vector<Reg> src{op.src[0], allowed_.of(op.src[0]), control_.control(), choice_of(op)};
    const auto components = std::span(op.src).subspan(1, 4);
    src.insert(src.end(), components.begin(), components.end());
    for (const Reg r : allowed_.of_all(components)) src.push_back(r);
    allowed_.append(Kind::store_texel, {}, std::move(src), kept(op));
  }

  void track_image_sample(Op&& op) {
    const std::vector<Reg> operands = allowed_.of_all(op.src);
    std::vector<Reg> dst, src = op.src;
    for (const Reg r : op.dst) {
      dst.push_back(allowed_.result(r));
      src.push_back(r);
    }
    src.insert(src.end(), operands.begin(), operands.end());
    const auto of = kept(op);
    allowed_.ops().keep(std::move(op));
    allowed_.append(Kind::sample_texels, std::move(dst), std::move(src), of);
  }

  static constexpr std::uint32_t no_variable = ~0u;

  AllowedValues allowed_;
  std::vector<Op> before_;  ///< the operations before the pass
  AllowedControl control_;
  AllowedBetweenLanes between_lanes_;
  Constants constants_;
};

}  // namespace

void track_bounds(Ir& ir, bool ordered) { BoundsTracking(ir, ordered).run(); }

}  // namespace lockstep::spirv
