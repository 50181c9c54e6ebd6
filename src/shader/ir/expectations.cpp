#include "shader/ir/expectations.hpp"

#include <utility>
#include <vector>

namespace lockstep::spirv {
namespace {

Check rule_of(const Expectation& expected) {
  switch (expected.kind) {
    case Expectation::Kind::index:
      return Check::out_of_bounds;
    case Expectation::Kind::alignment:
      return Check::misaligned;
    case Expectation::Kind::assumption:
      return Check::false_assumption;
    case Expectation::Kind::uniform:
      break;
  }
  return Check::subgroupuniform_broken;
}

bool is_needed(const Op& op, Checks rules) {
  if (op.code == Code::declare) return rules.has(Check::uninitialised_variable);
  return op.code != Code::expect || rules.has(rule_of(op.as<Expectation>()));
}

/// Numbers are compared by their bits: a NaN is the same as itself.
Scalar compared_type(Scalar type) {
  return type == Scalar::boolean ? type : bits_of(size_of(type));
}

Op silent(const Op& like, Code code, Scalar type, Reg dst, Reg src) {
  Op op;
  op.code = code;
  op.type = type;
  op.dst = {dst};
  op.src = {src};
  op.where = like.where;
  op.silent = true;
  return op;
}

/// Each tangle is asked by itself, as the operation between lanes is.
void add_comparison(Ir& ir, Op& op, std::vector<Op>& out) {
  const Reg same = add_register(ir, {.type = Scalar::boolean}),
            differs = add_register(ir, {.type = Scalar::boolean});
  out.push_back(silent(op, Code::all_equal, compared_type(op.type), same, op.src[0]));
  out.push_back(silent(op, Code::bnot, Scalar::boolean, differs, same));
  op.src.push_back(differs);
}

}  // namespace

void choose_expectations(Ir& ir, Checks rules) {
  if (!rules.has(Check::subgroupuniform_broken)) {
    std::erase_if(ir.ops, [&](const Op& op) { return !is_needed(op, rules); });
    return;
  }
  std::vector<Op> out;
  out.reserve(ir.ops.size());
  for (Op& op : ir.ops) {
    if (!is_needed(op, rules)) continue;
    const bool compares =
        op.code == Code::expect && op.as<Expectation>().kind == Expectation::Kind::uniform;
    if (compares) add_comparison(ir, op, out);
    out.push_back(std::move(op));
  }
  ir.ops = std::move(out);
}

}  // namespace lockstep::spirv
