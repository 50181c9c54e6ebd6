#pragma once

#include <lockstep/dispatch/mip_levels.hpp>
#include <lockstep/spirv/address_space.hpp>

#include "shader/run/ops/chunk.hpp"

/// \file
/// The targets and bounds of memory accesses.

namespace lockstep::spirv {

/// An image's levels of detail.
inline MipLevels levels_of(const Memory& image) { return {image.extent, image.axes, image.levels}; }

/// Records the fault of an access by index.
[[gnu::cold, gnu::noinline]] inline void note_outside(Context& c, const Inst* i,
                                                      const MemoryArgs& m, AccessKind kind,
                                                      std::uint32_t index, int lane) {
  note_fault(c, i, kind, m.resource, m.offset + std::uint64_t{index} * m.stride, lane);
}

/// Whether the active lanes' indices are base + lane.
LOCKSTEP_INLINE bool is_consecutive(const std::byte* index, const Mask<128>& active,
                                    unsigned chunks, std::uint32_t& base) {
  using Uint = Chunk<std::uint32_t>;
  const int first = active.first();
  std::uint32_t at_first;
  std::memcpy(&at_first, index + static_cast<std::size_t>(first) * 4, 4);
  base = at_first - static_cast<std::uint32_t>(first);
  for (unsigned k = 0; k < chunks; ++k) {
    const Uint expected = Uint(base + k * chunk_lanes) + Uint::iota();
    const auto same =
        (get<std::uint32_t>(index + k * chunk_bytes<std::uint32_t>) == expected).mask();
    if (chunk_mask(active, static_cast<int>(k)).without(same).any_lane()) return false;
  }
  return true;
}

/// The target of a pointer: a resource of the dispatch, or an object of its address space.
struct Pointee {
  std::byte* data = nullptr;
  std::uint64_t size = 0;
  bool exists = false, writable = true;
  bool local = false;  ///< private to one workgroup, that is, to one thread
};
inline Pointee pointee_of(const Context& c, PointerKind kind, std::uint64_t pointer) {
  if (kind == PointerKind::device) {
    const AddressSpace::Object object = c.addresses->find(pointer);
    return {object.data, object.size, object.data != nullptr};
  }
  const std::uint32_t number = pointers::pointer_number(pointer);
  if (!pointers::is_resource_pointer(pointer) || number >= c.memory_count) return {};
  const Memory& memory = c.memory[number];
  return {memory.data, memory.size, true, memory.writable, memory.local};
}

/// The memory at a pointer plus the access's constant offset. If that is out of bounds, null, and a fault is recorded.
inline std::byte* at_pointer(Context& c, const Inst* i, const MemoryArgs& m, const Pointee& pointee,
                             AccessKind kind, bool writes, std::uint64_t pointer,
                             std::uint64_t bytes, int lane) {
  const std::uint64_t offset = pointers::pointer_byte(pointer) + m.offset;
  const std::uint64_t end = offset + (m.components - 1) * std::uint64_t{m.step} + bytes;
  if (end <= pointee.size && (pointee.writable || !writes)) return pointee.data + offset;
  if (m.pointer == PointerKind::device) {
    note_address_fault(c, i, kind, pointer, offset, pointee.size, lane);
  } else {
    const std::uint32_t resource = pointee.exists ? pointers::pointer_number(pointer) : no_resource;
    note_fault(c, i, kind, resource, offset, lane);
  }
  return nullptr;
}
inline std::byte* at_pointer(Context& c, const Inst* i, const MemoryArgs& m, AccessKind kind,
                             bool writes, std::uint64_t pointer, std::uint64_t bytes, int lane) {
  return at_pointer(c, i, m, pointee_of(c, m.pointer, pointer), kind, writes, pointer, bytes, lane);
}

}  // namespace lockstep::spirv
