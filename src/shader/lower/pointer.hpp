#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shader/lower/builder.hpp"

/// \file
/// Pointers of the module, and loads and stores through them.

namespace lockstep::spirv {

class Lowering;
using Pointer = Builder::Pointer;

/// What an id points to. Throws Error if it is no pointer, or one to something unsupported.
Pointer pointer(Lowering& l, Id id);
/// The pointer as a value: a resource pointer, or a device address if it came from one.
Reg address(Lowering& l, const Pointer& p, const Instruction& i);
inline Reg address_of(Lowering& l, Id id, const Instruction& i) {
  return address(l, pointer(l, id), i);
}
/// The pointer moved by bytes, to an object of another type.
Pointer moved_by_bytes(Lowering& l, Pointer p, Reg bytes, Id type);
/// A resource pointer to an element of a descriptor array; null past the array's end.
Reg descriptor_pointer(Lowering& l, std::uint32_t resource, std::uint32_t elements, Reg element);

/// Lowers an access chain. With `element_first`, its first index counts objects of the base's type.
void access_chain(Lowering& l, const Instruction& i, bool element_first);
std::vector<Reg> load(Lowering& l, const Pointer& p, const Instruction& i);
void store(Lowering& l, const Pointer& p, std::span<const Reg> value, const Instruction& i);

/// Expects of an access through the pointer that each index is inside what it is an index of, and that its address is
/// as aligned as it says, or as its first component's type needs.
void expect_access(Lowering& l, const Pointer& p, AccessKind access, Scalar component);
/// Expects that each component is the same in the active lanes.
void expect_same(Lowering& l, std::span<const Reg> components, const std::string& name);

/// Takes over the decorations Coherent and Volatile.
void add_qualifiers(Pointer& p, const Decorations& decorations);
/// Makes memory coherent where the source's language does so without a decoration: HLSL in a workgroup.
void add_default_coherence(Pointer& p, const Module& module);
/// How accesses through the pointer order memory; `change` is what a coherent one makes of its value.
MemoryOrder access_order(const Pointer& p, std::uint32_t change);
/// Takes over what the memory operands say about that, if the instruction has them from operand `at` on.
void add_memory_operands(Lowering& l, Pointer& p, const Instruction& i, std::size_t at);

}  // namespace lockstep::spirv
