#pragma once

#include "spirv/exec/ops/chunk.hpp"

/// \file
/// Where accesses of memory go, and whether they may.

namespace lockstep::spirv {

inline constexpr int address_shift = 40;

/// Counts a fault of an access by index.
[[gnu::cold, gnu::noinline]] inline void note_outside(Context& c, const Inst* i,
                                                      const MemoryArgs& m, bool write,
                                                      std::uint32_t index, int lane) {
  note_fault(c, i, write, m.resource, m.offset + std::uint64_t{index} * m.stride, lane);
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

/// The memory an address names, or null.
inline const Memory* memory_of(const Context& c, std::uint64_t address) {
  const std::uint64_t number = address >> address_shift;
  return number == 0 || number > c.memory_count ? nullptr : &c.memory[number - 1];
}

/// The bytes behind an address and the access's constant offset; null, and a fault, if there are none.
inline std::byte* at_address(Context& c, const Inst* i, const MemoryArgs& m, bool write,
                             std::uint64_t address, std::uint64_t bytes, int lane) {
  const Memory* memory = memory_of(c, address);
  const std::uint64_t mask = (std::uint64_t{1} << address_shift) - 1;
  const std::uint64_t offset = (address & mask) + m.offset;
  const std::uint64_t end = offset + (m.components - 1) * std::uint64_t{m.step} + bytes;
  if (memory == nullptr || end > memory->size || (write && !memory->writable)) {
    const auto resource =
        memory == nullptr ? 0xffffffff : static_cast<std::uint32_t>(memory - c.memory);
    note_fault(c, i, write, resource, offset, lane);
    return nullptr;
  }
  return memory->data + offset;
}

}  // namespace lockstep::spirv
