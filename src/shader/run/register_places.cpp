#include "shader/run/register_places.hpp"

#include <algorithm>
#include <utility>

#include <lockstep/exec/error.hpp>

#include "shader/ir/regions.hpp"
#include "shader/run/bound_args.hpp"

namespace lockstep::spirv {
namespace {

constexpr std::uint32_t most_bytes = 1u << 28;

}  // namespace

RegisterPlaces::RegisterPlaces(const Ir& ir, const Program& program, std::uint32_t once)
    : ir_(ir),
      width_(static_cast<std::uint32_t>(program.width)),
      tangled_(program.on_stack()),
      any_order_(program.any_order),
      once_only_(ir.regs.size()),
      built_in_(ir.regs.size()),
      uses_(ir.regs.size()),
      ends_(ir.ops.size()),
      slots_(ir.regs.size(), nowhere) {
  for (std::uint32_t k = 0; k < once; ++k) {
    visit_results(ir.ops[k], [&](Reg r) { once_only_[r] = true; });
  }
  for (const BuiltInUse& use : ir.built_ins) {
    for (const Reg r : use.regs) built_in_[r] = true;
  }
  find_last_uses();
}

/// A value defined before a loop and used in it is live until the loop's end.
void RegisterPlaces::find_last_uses() {
  const Regions regions(ir_.ops);
  std::vector<std::uint32_t> made(ir_.regs.size(), 0), last(ir_.regs.size(), 0);
  for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) {
    visit_results(ir_.ops[k], [&](Reg r) {
      made[r] = k;
      last[r] = std::max(last[r], k);
    });
    visit_sources(ir_.ops[k], [&](Reg r) {
      ++uses_[r];
      std::uint32_t until = k;
      // The outermost loop that contains this use but not the definition.
      for (std::uint32_t at = k; regions.loop_end[at] < ir_.ops.size();) {
        const std::uint32_t begin = regions.loop_begin[at];
        if (begin <= made[r]) break;
        until = std::max(until, regions.loop_end[at]);
        at = begin;
      }
      last[r] = std::max(last[r], until);
    });
  }
  for (Reg r = 0; r < ir_.regs.size(); ++r) {
    if (!ir_.regs[r].variable && !ir_.regs[r].constant) ends_[last[r]].push_back(r);
  }
}

void RegisterPlaces::place_fixed(Program& program) {
  const std::vector<bool> used = find_used();
  for (const BuiltInUse& use : ir_.built_ins) {
    BuiltInSlots slots{use.built_in, {}};
    for (const Reg r : use.regs) slots.slots.push_back(used[r] ? slot(r) : Slot{nowhere, false});
    program.built_ins.push_back(std::move(slots));
  }
  const std::vector<bool> written_first = find_written_first();
  for (Reg r = 0; r < ir_.regs.size(); ++r) {
    const RegInfo& info = ir_.regs[r];
    if (!used[r] || (!info.constant && !info.variable)) continue;
    const Slot here = slot(r);
    if (info.constant)
      program.constants.push_back({here.at, info.type, info.value});
    else if (!written_first[r])
      program.cleared.push_back({here.at, bytes_of(r)});
  }
}

std::vector<bool> RegisterPlaces::find_used() const {
  std::vector<bool> used(ir_.regs.size());
  for (const Op& op : ir_.ops) {
    visit_sources(op, [&](Reg r) { used[r] = true; });
    visit_results(op, [&](Reg r) { used[r] = true; });
  }
  for (const IndexedVariable& v : ir_.indexed) {
    for (const Reg r : v.regs) used[r] = true;
  }
  return used;
}

/// Variables that need not be cleared at the start: their first access, outside loops, writes all lanes that access
/// them later.
std::vector<bool> RegisterPlaces::find_written_first() const {
  std::vector<bool> first(ir_.regs.size());
  if (tangled_) return first;
  const Regions regions(ir_.ops);
  std::vector<std::uint32_t> write(ir_.regs.size(), nowhere);
  for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) {
    const auto access = [&](Reg r, bool writes) {
      if (write[r] == nowhere) {
        write[r] = k;
        first[r] = writes && regions.loop_end[k] == ir_.ops.size();
      } else if (!regions.is_inside(regions.of[k], regions.of[write[r]])) {
        first[r] = false;
      }
    };
    visit_sources(ir_.ops[k], [&](Reg r) { access(r, false); });
    visit_results(ir_.ops[k], [&](Reg r) { access(r, true); });
  }
  for (const IndexedVariable& v : ir_.indexed) {
    for (const Reg r : v.regs) first[r] = false;
  }
  return first;
}

Slot RegisterPlaces::slot(Reg r) {
  if (slots_[r] == nowhere) slots_[r] = place(bytes_of(r));
  return {slots_[r], !ir_.regs[r].uniform};
}

std::uint32_t RegisterPlaces::bytes_of(Reg r) const {
  const RegInfo& info = ir_.regs[r];
  if (info.allowed) return width_ * allowed_bytes;
  if (info.type == Scalar::boolean) return 64;
  const std::uint32_t lanes = info.uniform ? chunk_lanes : width_;
  return std::max(64u, lanes * size_of(info.type));
}

std::uint32_t RegisterPlaces::place(std::uint32_t bytes) {
  auto& free = free_[bytes];
  if (!free.empty()) {
    const std::uint32_t at = free.back();
    free.pop_back();
    return at;
  }
  if (bytes > most_bytes - placed_)
    throw Error(
        "the shader needs more than 256 MiB of registers per subgroup; use smaller private arrays "
        "or keep them in buffers");
  const std::uint32_t at = placed_;
  placed_ += bytes;
  return at;
}

bool RegisterPlaces::is_fixed(Reg r) const {
  return ir_.regs[r].variable || ir_.regs[r].constant || built_in_[r] || once_only_[r];
}

void RegisterPlaces::list_lanes(Program& program) const {
  for (Reg r = 0; r < ir_.regs.size(); ++r) {
    if (slots_[r] != nowhere && !ir_.regs[r].uniform)
      program.lane_slots.push_back({slots_[r], ir_.regs[r].type});
  }
}

/// In another order than the code's, a value may be used after its last use in the code.
std::vector<Reg> RegisterPlaces::free_last_used(std::uint32_t op) {
  std::vector<Reg> freed;
  if (any_order_) return freed;
  for (const Reg r : ends_[op]) {
    if (is_fixed(r) || slots_[r] == nowhere) continue;
    free_[bytes_of(r)].push_back(slots_[r]);
    freed.push_back(r);
  }
  return freed;
}

}  // namespace lockstep::spirv
