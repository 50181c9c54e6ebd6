#include "shader/run/known_registers.hpp"

#include "shader/ir/regions.hpp"
#include "shader/run/fold.hpp"

namespace lockstep::spirv {

KnownRegisters::KnownRegisters(const Ir& ir) : ir_(ir), indexed_(ir.regs.size()) {
  for (const IndexedVariable& v : ir.indexed) {
    for (const Reg r : v.regs) indexed_[r] = true;
  }
}

std::optional<std::uint64_t> KnownRegisters::find(Reg r) const {
  if (r == no_reg) return {};
  const RegInfo& reg = ir_.regs[r];
  if (reg.constant && !reg.open && !reg.undefined) return reg.value;
  if (const auto found = values_.find(r); found != values_.end()) return found->second;
  return before_ != nullptr ? before_->find(r) : std::nullopt;
}

void KnownRegisters::follow(const Op& op) {
  const bool closes = closes_construct(op.code);
  if (opens_construct(op.code)) {
    open_.push_back(changed_.size());
  } else if (closes || op.code == Code::if_else || op.code == Code::switch_case ||
             op.code == Code::trip_end) {
    // Other lanes come here, without what these have written.
    for (std::size_t k = open_.back(); k < changed_.size(); ++k) values_[changed_[k]].reset();
    if (closes) open_.pop_back();
    if (open_.empty()) changed_.clear();
  }
  const std::optional<std::uint64_t> result =
      op.code == Code::move ? find(op.src[0]) : result_of(op);
  visit_results(op, [&](Reg r) { set(r, result); });
}

std::optional<std::uint64_t> KnownRegisters::result_of(const Op& op) const {
  if (op.dst.size() == 1 && ir_.regs[op.dst[0]].undefined) return {};
  return fold_known(ir_, op, [&](Reg r) { return find(r); });
}

void KnownRegisters::set(Reg r, std::optional<std::uint64_t> value) {
  if (is_indexed(r) || (!value && !find(r))) return;
  values_[r] = value;
  if (!open_.empty()) changed_.push_back(r);
}

bool KnownRegisters::is_indexed(Reg r) const {
  if (before_ != nullptr) return before_->is_indexed(r);
  return r < indexed_.size() && indexed_[r];
}

}  // namespace lockstep::spirv
