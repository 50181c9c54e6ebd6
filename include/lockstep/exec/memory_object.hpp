#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// What a memory access refers to, and how it is made.

namespace lockstep {

/// The kinds of accesses.
enum class AccessKind : std::uint8_t { read, write, atomic };

/// A buffer, an image, an array in shared memory ...: anything that a kernel has a name for.
///
/// Requires      name lives as long as the process: a literal, or intern(text).
/// Active lanes  None.
/// Errors        None.
/// Cost          None.
/// Spec          SPIR-V storage classes; decorations DescriptorSet, Binding
/// Example       tests/exec/memory_object.cpp
struct MemoryObject {
  /// The kinds of memory.
  enum class Kind : std::uint8_t {
    none,  ///< an address outside all objects
    buffer,
    image,
    sampler,
    shared,
    push_constants,
    private_memory,  ///< an array of each invocation
  };

  Kind kind = Kind::none;
  std::uint32_t set = 0;
  /// In a C++ kernel the position among the dispatch's arguments; of shared and private memory a number.
  std::uint32_t binding = 0;
  std::uint32_t element = 0;  ///< of an array of buffers or images
  const char* name = "";  ///< the name in a shader, or of a Shared array; else empty in C++ kernels
  std::uint64_t address =
      0;  ///< of a buffer that is known by its device address alone; otherwise 0
  /// Bytes from one element to the next of the array that the object is; 0: it is none, or unknown.
  std::uint32_t stride = 0;

  friend bool operator==(const MemoryObject& a, const MemoryObject& b) {
    return a.kind == b.kind && a.set == b.set && a.binding == b.binding && a.element == b.element &&
           a.address == b.address && std::string_view(a.name) == b.name;
  }
};

std::string_view to_string(AccessKind kind);
std::string_view to_string(MemoryObject::Kind kind);
/// Its name and element, or kind, set and binding, or address: "A", "A[2]", "buffer 3", "image 1.3",
/// "memory at address 0x100000000"; of shared arrays in C++ kernels without a name their number, from 0: "shared array 1".
std::string to_string(const MemoryObject& object);
/// Its byte, as the element that starts there: "tile[16]", "element 16 of shared array 0", "byte 4 of element 2 of A",
/// "byte 64 of A".
std::string byte_to_string(const MemoryObject& object, std::uint64_t byte);

}  // namespace lockstep
