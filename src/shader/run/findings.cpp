#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/exec/why_undefined.hpp>
#include <lockstep/spirv/detail/pointer_bits.hpp>

#include "shader/run/ops/lane_values.hpp"
#include "shader/run/program.hpp"

/// \file
/// What programs report: accesses outside memory, undefined values where they become visible, and prints.

namespace lockstep::spirv {
namespace {

Finding finding_at(const Context& c, const Inst* i, Check rule, LaneSet lanes) {
  Finding finding = finding_of(rule);
  finding.where = where(c, i);
  finding.workgroup = c.workgroup;
  finding.subgroup = c.subgroup;
  finding.lanes = lanes;
  return finding;
}

void keep_fault(Context& c, const Inst* i, const LaneAccess& access, int lane) {
  if (c.robust) return;
  ++c.run->faults;
  Finding finding = finding_at(c, i, Check::out_of_bounds, LaneSet::lane(lane));
  finding.access = access;
  c.run->findings.record(finding);
}

/// Whether the access was reported already, for an index of its own.
bool is_reported(const Context& c, const Inst* i, int lane) {
  return i->number == follows_expectations && c.reported.test(lane);
}

/// The object of an access that is expected to be inside it and aligned, and its size.
std::pair<MemoryObject, std::uint64_t> object_of(const Context& c, const Inst* i, int lane) {
  const Op& op = op_of(c, i);
  const auto& expected = op.as<Expectation>();
  if (expected.variable != nullptr)
    return {{.kind = MemoryObject::Kind::private_memory, .name = expected.variable}, 0};
  std::uint32_t resource = expected.place.resource;
  if (expected.has_address) {
    // The last operand.
    const bool second = expected.kind == Expectation::Kind::index;
    std::uint64_t address = 0;
    const std::size_t step = i->varying(second ? 1 : 0) ? 8 : 0;
    std::memcpy(&address, c.regs + (second ? i->b : i->a) + static_cast<std::size_t>(lane) * step,
                sizeof address);
    if (expected.place.pointer == PointerKind::device) {
      const AddressSpace::Object object = c.addresses->find(address);
      if (object.data == nullptr) return {};
      return {object_at_address(address - pointers::pointer_byte(address)), object.size};
    }
    resource =
        pointers::is_resource_pointer(address) ? pointers::pointer_number(address) : no_resource;
  }
  if (resource >= c.program->objects.size()) return {};
  return {c.program->objects[resource], resource < c.memory_count ? c.memory[resource].size : 0};
}

}  // namespace

void note_fault(Context& c, const Inst* i, AccessKind kind, std::uint32_t resource,
                std::uint64_t byte, int lane) {
  if (is_reported(c, i, lane)) return;
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
  if (is_reported(c, i, lane)) return;
  LaneAccess access{kind, {}, LaneAccess::Unit::byte, byte, size};
  if (c.addresses->find(address).data != nullptr) {
    const auto start = address - pointers::pointer_byte(address);
    access.object = object_at_address(start);
  }
  keep_fault(c, i, access, lane);
}

void note_index_outside(Context& c, const Inst* i, std::uint64_t index, int lane) {
  c.reported = c.reported | Mask<128>::lane(lane);
  const auto& expected = op_of(c, i).as<Expectation>();
  keep_fault(c, i,
             {expected.access, object_of(c, i, lane).first, LaneAccess::Unit::inner_element, index,
              expected.extent},
             lane);
}

void note_misaligned(Context& c, const Inst* i, std::uint64_t byte, int lane) {
  const auto& expected = op_of(c, i).as<Expectation>();
  const auto [object, size] = object_of(c, i, lane);
  if (object.kind == MemoryObject::Kind::none) return;  // an access to nothing has no place
  if (expected.has_address) byte = pointers::pointer_byte(byte);
  Finding finding = finding_at(c, i, Check::misaligned, LaneSet::lane(lane));
  finding.access = {expected.access, object, LaneAccess::Unit::byte, byte, size};
  finding.message =
      fmt::format("{} at byte {} of {}, which should be a multiple of {}",
                  to_string(expected.access), byte, to_string(object), expected.extent);
  c.run->findings.record(finding);
}

void note_not_uniform(Context& c, const Inst* i, LaneSet lanes) {
  const Op& op = op_of(c, i);
  const Slot slot{i->a, i->varying(0)};
  const LaneValues values = lane_values(c, std::span(&slot, 1), op.type);
  const int first = lanes.first();
  int other = first;
  for_each_lane(lanes, [&](int lane) {
    const auto bits = [&](int n) { return values.bits[static_cast<std::size_t>(n)]; };
    if (other == first && bits(lane) != bits(first)) other = lane;
  });
  Finding finding = finding_at(c, i, Check::subgroupuniform_broken, lanes);
  finding.message =
      fmt::format("{}, declared subgroupuniformEXT, differs: lane {} has {}, lane {} has {}",
                  op.as<Expectation>().variable, first, to_string(values, first), other,
                  to_string(values, other));
  finding.count = static_cast<std::uint64_t>(lanes.count());
  c.run->findings.record(finding);
}

void note_false_assumption(Context& c, const Inst* i, LaneSet lanes) {
  Finding finding = finding_at(c, i, Check::false_assumption, lanes);
  finding.message = "the condition that the shader assumes to be true is false";
  finding.count = static_cast<std::uint64_t>(lanes.count());
  c.run->findings.record(finding);
}

void note_undefined(Context& c, const Inst* i, LaneSet lanes) {
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
