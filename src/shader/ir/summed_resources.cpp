#include "shader/ir/summed_resources.hpp"

#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

bool has_address(Code code) {
  return code == Code::load_address || code == Code::store_address || code == Code::atomic_address;
}

/// Whether the operation is an addition that nobody sees happen.
bool adds_silently(const Op& op, const std::vector<bool>& used) {
  if (op.code != Code::atomic || is_float(op.type) || op.type == Scalar::boolean) return false;
  const auto& atomic = op.as<AtomicOp>();
  if (atomic.op != Operator::add && atomic.op != Operator::sub) return false;
  const std::uint32_t bytes = size_of(op.type);
  const bool has_index = op.src[0] != no_reg;
  const bool aligned =
      atomic.place.offset % bytes == 0 && (!has_index || atomic.place.stride % bytes == 0);
  return (op.dst.empty() || !used[op.dst[0]]) && bytes >= 4 && aligned;
}

}  // namespace

std::vector<SummedResource> find_summed_resources(const Ir& ir) {
  std::vector<bool> used(ir.regs.size());
  for (const Op& op : ir.ops) visit_sources(op, [&](Reg r) { used[r] = true; });
  constexpr std::uint32_t none = 0, mixed = 1;
  std::vector<std::uint32_t> bytes(ir.resources.size(), none);
  for (const Op& op : ir.ops) {
    if (has_address(op.code)) return {};
    if (op.code != Code::load && op.code != Code::store && op.code != Code::atomic) continue;
    std::uint32_t& known = bytes[place_of(op).resource];
    const std::uint32_t here = adds_silently(op, used) ? size_of(op.type) : mixed;
    known = known == none || known == here ? here : mixed;
  }
  std::vector<SummedResource> found;
  for (std::uint32_t r = 0; r < bytes.size(); ++r) {
    const ResourceUse& use = ir.resources[r];
    if (bytes[r] > mixed && use.kind == ResourceUse::Kind::buffer && !use.by_address)
      found.push_back({r, bytes[r]});
  }
  return found;
}

}  // namespace lockstep::spirv
