#include "shader/instruments/undefined/shadows.hpp"

#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/why_undefined.hpp>

namespace lockstep::spirv {

Shadows::Shadows(Ir& ir, Checks rules) : ir_(ir), rules_(rules), may_(ir, rules), ops_(ir) {
  make_shadows();
  start_variables();
}

void Shadows::make_shadows() {
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

void Shadows::find_granules() {
  shared_.resize(ir_.resources.size());
  for (const Op& op : ir_.ops) {
    if (may_.is_shared(op) && op.type != Scalar::boolean && size_of(op.type) < 4)
      shared_[place_of(op).resource].granule = 1;
  }
}

void Shadows::make_shared_shadow(std::size_t k) {
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
void Shadows::start_variables() {
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
    restart(v.reg);
  }
}

bool Shadows::is_shared(const Op& op) const {
  return may_.is_shared(op) && shared_[place_of(op).resource].resource != no_resource;
}

Reg Shadows::of(Reg r) {
  if (!may(r)) return no_reg;
  if (shadow_[r] == no_reg && ir_.regs[r].undefined)
    return constant(
        origin(Check::uninitialised_variable, "a value that is never set (OpUndef)", ops_.where()));
  return shadow_[r];
}

Reg Shadows::of_all(std::span<const Reg> regs) {
  Reg all = no_reg;
  for (const Reg r : regs) all = joined(all, of(r));
  return all;
}

void Shadows::define(Reg value, Reg shadow) {
  if (!may(value)) return;
  if (shadow == no_reg) shadow = constant(0);
  // A variable's shadow may change before the value's last use.
  if (ir_.regs[shadow].variable) {
    shadow_[value] = emit(Code::copy, Scalar::u32, {shadow});
    return;
  }
  shadow_[value] = shadow;
}

void Shadows::restart(Reg r) {
  if (const auto found = origins_.find(r); found != origins_.end())
    append(Code::move, Scalar::u32, {shadow_[r]}, {constant(found->second)});
}

const std::uint32_t* Shadows::of_indexed(std::uint32_t variable) const {
  const auto found = indexed_.find(variable);
  return found == indexed_.end() ? nullptr : &found->second;
}

std::uint32_t Shadows::origin(Check rule, std::string what, const SourceLocation& where) {
  ir_.origins.push_back({rule, std::move(what), where});
  return static_cast<std::uint32_t>(ir_.origins.size());
}

Reg Shadows::joined(Reg a, Reg b) {
  if (a == no_reg) return b;
  if (b == no_reg || a == b) return a;
  return emit(Code::max, Scalar::u32, {a, b});
}

void Shadows::report(Reg shadow, UndefinedUse::Kind kind, std::uint32_t resource) {
  if (shadow == no_reg) return;
  const Reg holds = emit(Code::not_equal, Scalar::u32, {shadow, constant(0)});
  append(Code::report_undefined, Scalar::u32, {}, {holds, shadow}).detail =
      UndefinedUse{kind, resource};
}

}  // namespace lockstep::spirv
