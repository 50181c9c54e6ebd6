#pragma once

#include <cstdint>

/// \file
/// The 64 bits of a pointer that a shader computes with. There are two kinds:
///
/// - A device address (buffer_reference, PhysicalStorageBuffer) names an object of an AddressSpace and a byte
///   in it. It means the same in all pipelines that are dispatched with the address space.
/// - A resource pointer (variable pointers, an element of an array of descriptors) names a resource of
///   one pipeline and a byte in it. It means nothing elsewhere and never leaves the shader.
///
/// bit       63                    62 ... 40                  39 ... 0
/// device    0                     object, from 1             byte
/// resource  1                     resource of the pipeline   byte
///
/// Null is 0: object 0 does not exist. Bit 63 prevents confusion between the two kinds.

namespace lockstep::pointers {

inline constexpr int pointer_byte_bits = 40;
inline constexpr int pointer_number_bits = 23;
inline constexpr std::uint64_t pointer_byte_mask = (std::uint64_t{1} << pointer_byte_bits) - 1;
inline constexpr std::uint32_t pointer_number_mask = (std::uint32_t{1} << pointer_number_bits) - 1;
inline constexpr std::uint64_t resource_pointer_tag = std::uint64_t{1} << 63;

constexpr std::uint64_t device_address(std::uint32_t object, std::uint64_t byte = 0) {
  return std::uint64_t{object} << pointer_byte_bits | byte;
}
constexpr std::uint64_t resource_pointer(std::uint32_t resource, std::uint64_t byte = 0) {
  return resource_pointer_tag | std::uint64_t{resource} << pointer_byte_bits | byte;
}

constexpr bool is_resource_pointer(std::uint64_t pointer) {
  return (pointer & resource_pointer_tag) != 0;
}
/// The object of a device address, or the resource of a resource pointer.
constexpr std::uint32_t pointer_number(std::uint64_t pointer) {
  return static_cast<std::uint32_t>(pointer >> pointer_byte_bits) & pointer_number_mask;
}
constexpr std::uint64_t pointer_byte(std::uint64_t pointer) { return pointer & pointer_byte_mask; }

/// The pointer moved by a number of bytes, negative ones as two's complement. It stays in its
/// object: beyond either end it names the last byte that an object could have, which does not exist.
constexpr std::uint64_t moved_pointer(std::uint64_t pointer, std::uint64_t bytes) {
  const std::uint64_t moved = pointer + bytes;
  return (moved ^ pointer) <= pointer_byte_mask ? moved : pointer | pointer_byte_mask;
}

}  // namespace lockstep::pointers
