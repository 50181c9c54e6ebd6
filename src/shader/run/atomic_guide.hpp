#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <lockstep/exec/event.hpp>

#include "shader/ir/ir.hpp"

/// \file
/// Runs whose atomics return what another device may have got.

namespace lockstep::spirv {

/// One lane's atomic, before it is made.
struct AtomicTurn {
  const MemoryObject& object;
  const std::byte* at = nullptr;  ///< the number
  std::uint64_t byte = 0;         ///< where it starts in the object
  std::uint32_t bytes = 0;
  Operator op = Operator::add;
  std::uint64_t value = 0, compare = 0;  ///< operands, their bits zero-extended
  bool ordered = false;  ///< its result is used, or updates of this kind do not commute
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t subgroup = 0;
  int lane = 0;
};

/// An observer that also decides what atomics return. Updates that commute change memory as without it; others do what they
/// do where memory has what they return.
class AtomicGuide : public Observer {
 public:
  /// What a lane's atomic returns; nothing: what memory has.
  virtual std::optional<std::uint64_t> returned(const AtomicTurn& turn) = 0;
};

}  // namespace lockstep::spirv
