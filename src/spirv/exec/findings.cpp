#include <cstring>
#include <string>
#include <utility>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/why_undefined.hpp>
#include <lockstep/spirv/detail/pointer_bits.hpp>

#include "spirv/exec/program.hpp"

/// \file
/// What programs report: accesses outside memory, undefined values where they become visible, and prints.

namespace lockstep::spirv {
namespace {

void keep_fault(Context& c, const Inst* i, const LaneAccess& access, int lane) {
  if (c.robust) return;
  ++c.run->faults;
  Finding finding = finding_of(Check::out_of_bounds);
  finding.where = where(c, i);
  finding.workgroup = c.workgroup;
  finding.subgroup = c.subgroup;
  finding.lanes = LaneSet::lane(lane);
  finding.access = access;
  c.run->findings.record(finding);
}

}  // namespace

void note_fault(Context& c, const Inst* i, AccessKind kind, std::uint32_t resource,
                std::uint64_t byte, int lane) {
  LaneAccess access{kind, {}, LaneAccess::Unit::byte, byte, 0};
  if (resource < c.program->objects.size()) access.object = c.program->objects[resource];
  if (resource < c.memory_count) {
    const Memory& memory = c.memory[resource];
    if (memory.null) return;
    access.size = memory.size;
    if (access.object.kind == MemoryObject::Kind::image) {
      access.unit = LaneAccess::Unit::texel;
      access.index /= texel_bytes(memory.format);
      access.size /= texel_bytes(memory.format);
    }
  }
  keep_fault(c, i, access, lane);
}
MemoryObject object_at_address(std::uint64_t start) {
  return {.kind = MemoryObject::Kind::buffer, .address = start};
}
void note_address_fault(Context& c, const Inst* i, AccessKind kind, std::uint64_t address,
                        std::uint64_t byte, std::uint64_t size, int lane) {
  LaneAccess access{kind, {}, LaneAccess::Unit::byte, byte, size};
  if (c.addresses->find(address).data != nullptr) {
    const auto start = address - pointers::pointer_byte(address);
    access.object = object_at_address(start);
  }
  keep_fault(c, i, access, lane);
}

void note_undefined(Context& c, const Inst* i, const Mask<128>& lanes) {
  const auto& use = op_of(c, i).as<UndefinedUse>();
  MemoryObject object;
  if (use.resource < c.program->objects.size()) object = c.program->objects[use.resource];
  for_each_lane(lanes, [&](int lane) {
    std::uint32_t number = 0;
    const std::size_t at = i->varying(1) ? static_cast<std::size_t>(lane) * 4 : 0;
    std::memcpy(&number, c.regs + i->b + at, sizeof number);
    const UndefinedOrigin& origin = c.program->origins[number - 1];
    Finding finding = finding_of(origin.rule);
    describe_undefined(finding, use.kind, object, origin.where, origin.what);
    finding.where = where(c, i);
    finding.workgroup = c.workgroup;
    finding.subgroup = c.subgroup;
    finding.lanes = LaneSet::lane(lane);
    c.run->findings.record(finding);
  });
}

void note_print(Context& c, std::string text) { c.run->printed.push_back(std::move(text)); }

}  // namespace lockstep::spirv
