#include "shader/ir/predicate.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>

#include "shader/ir/operations.hpp"
#include "shader/ir/steps.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// The most operations of both sides together. More cost more than the selection's two or three calls where all
/// lanes take one side (docs/performance.md).
constexpr int most_predicated = 8;

/// Whether machine code has such numbers in registers.
bool is_common(Scalar type) {
  return type == Scalar::boolean || type == Scalar::f16 || size_of(type) >= 4;
}

/// Whether the operation takes a few instructions at most.
bool is_cheap(const Ir& ir, const Op& op) {
  if (op.code == Code::load_indexed)
    return op.type != Scalar::boolean && size_of(op.type) == 4 && ir.regs[op.src[0]].uniform;
  switch (operation_of(op.code).cost) {
    case Cost::cheap:
      return is_common(op.type);
    case Cost::cheap_if_uniform:
      return ir.regs[op.dst[0]].uniform;
    case Cost::cheap_by_power: {
      const RegInfo& divisor = ir.regs[op.src[1]];
      return op.type == Scalar::u32 && divisor.constant &&
             std::has_single_bit(static_cast<std::uint32_t>(divisor.value));
    }
    case Cost::costly:
      return false;
  }
  return false;
}

bool is_count(const Op& op) { return op.code == Code::count || op.code == Code::count_split; }

/// Whether it is cheap for all lanes, or writes a variable.
bool is_predicable(const Ir& ir, const Op& op) {
  if (is_count(op)) return true;
  if (op.code == Code::move) return op.type != Scalar::boolean && is_common(op.type);
  return is_cheap(ir, op) && !ir.regs[op.dst[0]].variable;
}

struct Selection {
  Index begin = 0, end = 0;
  std::optional<Index> other;  ///< its else
};

/// The selection that begins at k, if it contains only a few cheap operations.
std::optional<Selection> find_short(const Ir& ir, Index k) {
  const Op& begin = ir.ops[k];
  if (begin.code != Code::if_begin || ir.regs[begin.src[0]].uniform) return std::nullopt;
  Selection found{k, 0, std::nullopt};
  int operations = 0;
  for (Index at = k + 1; at < ir.ops.size(); ++at) {
    ++steps_of_passes;
    const Op& op = ir.ops[at];
    if (op.code == Code::if_end) {
      found.end = at;
      return found;
    }
    if (op.code == Code::if_else) {
      found.other = at;
      continue;
    }
    if (!is_predicable(ir, op) || (!is_count(op) && ++operations > most_predicated))
      return std::nullopt;
  }
  return std::nullopt;
}

Reg append_bool(Ir& ir, Code code, std::vector<Reg> src, const SourceLocation& where,
                std::vector<Op>& ops) {
  Op& op = ops.emplace_back();
  op.code = code;
  op.type = Scalar::boolean;
  op.dst = {add_register(ir, {.type = Scalar::boolean})};
  op.src = std::move(src);
  op.where = where;
  return op.dst[0];
}

/// Lets a counter count only the lanes of one side of a selection.
void restrict_count(Ir& ir, Op& op, Reg condition, bool first_side, std::vector<Op>& ops) {
  auto& counting = op.as<Counting>();
  const std::size_t others = op.code == Code::count_split ? 1 : 0;  // that operands come before it
  if (op.src.size() == others) {
    op.src.push_back(condition);
    counting.inverted = first_side;
    return;
  }
  const auto that_count = [&](Reg lanes, bool inverted) {
    return inverted ? lanes : append_bool(ir, Code::bnot, {lanes}, op.where, ops);
  };
  const Reg before = that_count(op.src[others], counting.inverted);
  const Reg here = that_count(condition, first_side);
  op.src[others] = append_bool(ir, Code::band, {before, here}, op.where, ops);
  counting.inverted = true;
}

/// Appends one side of a selection, the operations between two others, for all lanes.
void append_side(Ir& ir, Reg condition, bool first_side, Index after, Index before,
                 std::vector<Op>& ops) {
  for (Index k = after + 1; k < before; ++k) {
    Op& op = ir.ops[k];
    if (is_count(op)) restrict_count(ir, op, condition, first_side, ops);
    // A uniform variable lives in this side alone: lanes of the other do not read it.
    if (op.code == Code::move && !ir.regs[op.dst[0]].uniform) {
      Op choice = op;
      choice.code = Code::select;
      choice.src = {condition, op.src[0], op.dst[0]};
      if (!first_side) std::swap(choice.src[1], choice.src[2]);
      RegInfo chosen;
      chosen.type = op.type;
      ir.regs.push_back(chosen);
      choice.dst = {static_cast<Reg>(ir.regs.size() - 1)};
      op.src = choice.dst;
      ops.push_back(std::move(choice));
    }
    ops.push_back(std::move(op));
  }
}
void append_predicated(Ir& ir, const Selection& selection, std::vector<Op>& ops) {
  const Reg condition = ir.ops[selection.begin].src[0];
  const Index middle = selection.other.value_or(selection.end);
  if (ir.counted) {
    Op& split = ops.emplace_back();
    split.code = Code::count_split;
    split.type = Scalar::boolean;
    split.src = {condition};
    split.detail = Counting{};
    split.where = ir.ops[selection.begin].where;
  }
  append_side(ir, condition, true, selection.begin, middle, ops);
  append_side(ir, condition, false, middle, selection.end, ops);
}

/// Whether the other side of the selection that begins at k, an else that is not empty, holds nothing but a
/// few cheap operations. They can come first: they leave the first side's lanes unchanged, and no subgroup
/// operation reads other lanes.
std::optional<Selection> find_short_else(const Ir& ir, Index k) {
  const Op& begin = ir.ops[k];
  if (begin.code != Code::if_begin || ir.regs[begin.src[0]].uniform) return std::nullopt;
  Selection found{k, 0, std::nullopt};
  for (Index at = k + 1; at < ir.ops.size() && found.end == 0; ++at) {
    ++steps_of_passes;
    const Op& op = ir.ops[at];
    if (is_subgroup(op.code)) return std::nullopt;
    if (construct_of(op) != construct_of(begin)) continue;
    if (op.code == Code::if_else) found.other = at;
    if (op.code == Code::if_end) found.end = at;
  }
  if (!found.other || found.end - *found.other < 2) return std::nullopt;
  const auto counts =
      std::count_if(ir.ops.begin() + *found.other, ir.ops.begin() + found.end, is_count);
  if (found.end - *found.other - 1 - static_cast<Index>(counts) > most_predicated)
    return std::nullopt;
  for (Index at = *found.other + 1; at < found.end; ++at) {
    if (!is_predicable(ir, ir.ops[at])) return std::nullopt;
  }
  return found;
}

}  // namespace

bool predicate_selections(Ir& ir) {
  bool any = false;
  // An outer selection may become short once its inner ones are predicated.
  for (bool again = true; again; any |= again) {
    again = false;
    steps_of_passes += ir.ops.size();
    std::vector<Op> ops;  // from the first change on
    std::vector<bool> gone(ir.ops.size());
    const auto change = [&](Index k) {
      if (std::exchange(again, true)) return;
      ops.reserve(ir.ops.size());
      std::move(ir.ops.begin(), ir.ops.begin() + k, std::back_inserter(ops));
    };
    for (Index k = 0; k < gone.size(); ++k) {
      if (const auto found = find_short(ir, k)) {
        change(k);
        append_predicated(ir, *found, ops);
        k = found->end;
        continue;
      }
      if (const auto found = find_short_else(ir, k)) {
        change(k);
        append_side(ir, ir.ops[k].src[0], false, *found->other, found->end, ops);
        std::fill(gone.begin() + *found->other + 1, gone.begin() + found->end, true);
      }
      if (again && !gone[k]) ops.push_back(std::move(ir.ops[k]));
    }
    if (again) ir.ops = std::move(ops);
  }
  return any;
}

}  // namespace lockstep::spirv
