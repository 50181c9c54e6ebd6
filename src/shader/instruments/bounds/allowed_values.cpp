#include "shader/instruments/bounds/allowed_values.hpp"

#include "shader/ir/assigned.hpp"

namespace lockstep::spirv {

using oracle::Why;

AllowedValues::AllowedValues(Ir& ir)
    : ir_(ir),
      effects_(ir),
      unassigned_(find_unassigned(ir)),
      inexact_(ir, effects_, unassigned_),
      ops_(ir) {
  make_variables();
}

void AllowedValues::make_variables() {
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
}

void AllowedValues::start_variables() {
  for (const Variable& v : ir_.variables) {
    if (!unassigned_[v.reg] || !may(v.reg)) continue;
    ops_.move_to(v.where);
    fill(allowed_[v.reg], oracle::any(oracle::Allowed::Kind::undefined, Why::uninitialised, 0));
  }
}

Reg AllowedValues::of(Reg r) {
  if (!may(r)) return no_reg;
  if (ir_.regs[r].undefined && allowed_[r] == no_reg)
    return filled(oracle::any(oracle::Allowed::Kind::undefined, Why::uninitialised, 0));
  if (ir_.regs[r].open)
    return filled(oracle::any(oracle::Allowed::Kind::open, Why::implementation, 0));
  return allowed_[r];
}

std::vector<Reg> AllowedValues::of_all(std::span<const Reg> regs) {
  std::vector<Reg> all;
  for (const Reg r : regs) all.push_back(of(r));
  return all;
}

Reg AllowedValues::result(Reg r) {
  if (ir_.regs[r].variable) return allowed_[r];
  return allowed_[r] = new_allowed();
}

const std::uint32_t* AllowedValues::of_indexed(std::uint32_t variable) const {
  const auto found = indexed_.find(variable);
  return found == indexed_.end() ? nullptr : &found->second;
}

Bound& AllowedValues::append(Bound::Kind kind, std::vector<Reg> dst, std::vector<Reg> src,
                             std::shared_ptr<const Op> of) {
  Op& op = ops_.add(Code::bound, Scalar::u32, std::move(dst), std::move(src));
  op.detail = Bound{.kind = kind, .of = std::move(of), .origin = origin()};
  return op.as<Bound>();
}

void AllowedValues::fill(Reg dst, oracle::Allowed value) {
  value.origin = origin();
  append(Bound::Kind::fill, {dst}, {}).filled = std::make_shared<const oracle::Allowed>(value);
}

Reg AllowedValues::filled(const oracle::Allowed& value) {
  const Reg dst = new_allowed();
  fill(dst, value);
  return dst;
}

/// The number of the current line in Ir::bound_lines.
std::uint32_t AllowedValues::origin() {
  const SourceLocation& where = ops_.where();
  const auto [found, added] = lines_.try_emplace({where.file, where.line}, 0);
  if (added) {
    ir_.bound_lines.push_back(where);
    found->second = static_cast<std::uint32_t>(ir_.bound_lines.size());
  }
  return found->second;
}

}  // namespace lockstep::spirv
