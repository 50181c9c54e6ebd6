#include "shader/ir/uniformity.hpp"

#include "shader/ir/built_ins.hpp"
#include "shader/ir/operations.hpp"
#include "shader/ir/steps.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::spirv {

void mark_built_ins(Ir& ir) {
  for (const BuiltInUse& use : ir.built_ins) {
    for (std::size_t k = 0; k < use.regs.size(); ++k) {
      RegInfo& reg = ir.regs[use.regs[k]];
      switch (use.built_in) {
        case spv::BuiltIn::LocalInvocationId:
        case spv::BuiltIn::GlobalInvocationId:
          reg.lanes = k < 3 && ir.local_size[k] > 1;
          break;
        case spv::BuiltIn::LocalInvocationIndex:
        case spv::BuiltIn::SubgroupLocalInvocationId:
        case spv::BuiltIn::SubgroupEqMask:
        case spv::BuiltIn::SubgroupGeMask:
        case spv::BuiltIn::SubgroupGtMask:
        case spv::BuiltIn::SubgroupLeMask:
        case spv::BuiltIn::SubgroupLtMask:
          reg.lanes = true;
          break;
        default:
          break;
      }
    }
  }
}

Uniformity::Uniformity(Ir& ir, bool tangled)
    : ir_(ir), tangled_(tangled), regions_(ir.ops), apart_(regions_.list.size()) {
  for (RegInfo& r : ir_.regs) r.uniform = !r.lanes;
  list_regions();
  find_homes();
  do {
    changed_ = false;
    steps_of_passes += ir_.ops.size();
    for (std::uint32_t at = 0; at < ir_.ops.size(); ++at) visit(at);
  } while (changed_);
}

void Uniformity::list_regions() {
  first_region_.resize(ir_.constructs);
  next_region_.resize(regions_.list.size());
  for (std::uint32_t r = 1; r < regions_.list.size(); ++r)
    next_region_[r] = std::exchange(first_region_[regions_.list[r].construct], r);
}

bool Uniformity::divergent(std::uint32_t region, std::uint32_t home) const {
  for (; region != home && region != 0; region = regions_.list[region].parent) {
    if (apart_[region]) return true;
  }
  if (region != home) return true;
  // Lanes of a selection's side differ only at its entry; other regions lose lanes on the way.
  const Code kind = regions_.list[home].kind;
  return kind != Code::if_begin && kind != Code::if_else && apart_[home];
}

/// The region that a variable lives in: the innermost around all its accesses, if the first of them is a write
/// directly in it; otherwise the whole program.
void Uniformity::find_homes() {
  std::vector<std::uint32_t> around(ir_.regs.size(), ~0u), first(ir_.regs.size(), ~0u);
  std::vector<bool> starts_with_write(ir_.regs.size());
  const auto access = [&](Reg r, std::uint32_t at, bool write) {
    if (!ir_.regs[r].variable) return;
    if (first[r] == ~0u) {
      first[r] = at;
      starts_with_write[r] = write;
      around[r] = regions_.of[at];
    } else {
      around[r] = common(around[r], regions_.of[at]);
    }
  };
  for (std::uint32_t at = 0; at < ir_.ops.size(); ++at) {
    visit_sources(ir_.ops[at], [&](Reg r) { access(r, at, false); });
    visit_results(ir_.ops[at], [&](Reg r) { access(r, at, true); });
  }
  home_.assign(ir_.regs.size(), 0);
  for (Reg r = 0; r < ir_.regs.size(); ++r) {
    if (first[r] != ~0u && starts_with_write[r] && regions_.of[first[r]] == around[r])
      home_[r] = around[r];
  }
}

void Uniformity::visit(std::uint32_t at) {
  const Op& op = ir_.ops[at];
  switch (op.code) {
    case Code::if_begin:
    case Code::switch_case:
      if (!all_uniform(op)) part(construct_of(op));
      return;
    case Code::loop_test:
      if (!all_uniform(op) || is_parted_inside(at, construct_of(op))) part(construct_of(op));
      return;
    case Code::leave_loop:
    case Code::leave_loop_around:
    case Code::leave_trip:
      if (is_parted_inside(at, construct_of(op))) part(construct_of(op));
      return;
    case Code::retire:
      return jump_out_of_call(at);
    case Code::move:
      if (!all_uniform(op) || divergent(regions_.of[at], home_[op.dst[0]])) differs(op.dst[0]);
      return;
    default:
      break;
  }
  if (is_control(op.code)) return;
  if (!result_is_uniform(op)) {
    visit_results(op, [&](Reg r) { differs(r); });
  }
}

/// Lanes of a function diverge at a return unless all of them take it.
void Uniformity::jump_out_of_call(std::uint32_t at) {
  bool parted = false;
  for (std::uint32_t r = regions_.of[at]; r != 0; r = regions_.list[r].parent) {
    const Region& region = regions_.list[r];
    if (region.kind == Code::call_begin) {
      if (parted) part(region.construct);
      return;
    }
    parted = parted || apart_[r];
  }
}

void Uniformity::part(std::uint32_t construct) {
  for (std::uint32_t r = first_region_[construct]; r != 0; r = next_region_[r]) {
    ++steps_of_passes;
    if (apart_[r]) continue;
    apart_[r] = true;
    changed_ = true;
  }
}

void Uniformity::differs(Reg r) {
  if (!ir_.regs[r].uniform) return;
  ir_.regs[r].uniform = false;
  changed_ = true;
}

/// Whether lanes diverge between the construct and the operation inside it.
bool Uniformity::is_parted_inside(std::uint32_t at, std::uint32_t construct) const {
  for (std::uint32_t r = regions_.of[at]; r != 0; r = regions_.list[r].parent) {
    if (regions_.list[r].construct == construct) return false;
    if (apart_[r]) return true;
  }
  return false;
}

bool Uniformity::all_uniform(const Op& op) const {
  bool all = true;
  visit_sources(op, [&](Reg r) { all = all && ir_.regs[r].uniform; });
  return all;
}

bool Uniformity::result_is_uniform(const Op& op) const {
  if (operation_of(op.code).uniformity == Uniform::of_operands) return all_uniform(op);
  if (!is_subgroup(op.code) || tangled_) return false;
  const spec::Result result = result_of(op.code);
  return result == spec::Result::one || (result == spec::Result::one_of_one && all_uniform(op));
}

std::uint32_t Uniformity::common(std::uint32_t a, std::uint32_t b) const {
  // Parents precede their children.
  while (a != b) (a > b ? a : b) = regions_.list[a > b ? a : b].parent;
  return a;
}

}  // namespace lockstep::spirv
