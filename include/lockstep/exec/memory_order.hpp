#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// Scopes and memory semantics, with SPIR-V's numbers.

namespace lockstep {

/// The invocations that an atomic or a barrier concerns.
enum class Scope : std::uint8_t {
  cross_device,
  device,
  workgroup,
  subgroup,
  invocation,
  queue_family,
  shader_call,
};

/// The bits of memory semantics: at most one of the first four, then the storage that they order.
namespace memory_semantics {
inline constexpr std::uint32_t relaxed = 0;
inline constexpr std::uint32_t acquire = 0x2;
inline constexpr std::uint32_t release = 0x4;
inline constexpr std::uint32_t acquire_release = 0x8;
inline constexpr std::uint32_t sequentially_consistent = 0x10;
inline constexpr std::uint32_t buffers = 0x40;
inline constexpr std::uint32_t shared = 0x100;
inline constexpr std::uint32_t atomic_counters = 0x400;
inline constexpr std::uint32_t images = 0x800;
inline constexpr std::uint32_t outputs = 0x1000;
inline constexpr std::uint32_t make_available = 0x2000;
inline constexpr std::uint32_t make_visible = 0x4000;
inline constexpr std::uint32_t volatile_access = 0x8000;
}  // namespace memory_semantics

/// How an atomic or a barrier orders memory.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          None.
/// Spec          SPIR-V 3.27 Scope, 3.25 Memory Semantics
/// Example       tests/exec/memory_order.cpp
struct MemoryOrder {
  Scope scope = Scope::invocation;
  std::uint32_t semantics = memory_semantics::relaxed;

  friend bool operator==(const MemoryOrder&, const MemoryOrder&) = default;
};

/// A barrier: which invocations wait for each other, and what it orders.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          None.
/// Spec          GLSL barrier, memoryBarrier ... · SPIR-V OpControlBarrier, OpMemoryBarrier
/// Example       tests/exec/memory_order.cpp
struct Sync {
  std::optional<Scope> execution;  ///< none: a memory barrier, where no invocation waits
  MemoryOrder memory;

  friend bool operator==(const Sync&, const Sync&) = default;
};

/// "device", "queue family" ...
std::string_view to_string(Scope scope);
/// "device, acquire-release, buffers, shared memory".
std::string to_string(const MemoryOrder& order);
/// "execution workgroup, memory workgroup, acquire-release, shared memory".
std::string to_string(const Sync& sync);

}  // namespace lockstep
