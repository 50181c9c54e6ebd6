#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include <lockstep/spirv/address_space.hpp>

#include "driver/formats.hpp"
#include "driver/handle.hpp"

namespace lockstep::driver {

/// A part of a memory object, once it is bound.
class Buffer {
 public:
  Buffer(AddressSpace& addresses, VkDeviceSize size) : addresses_(addresses), size_(size) {}
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void bind(std::span<std::byte> memory, VkDeviceSize offset) {
    bytes_ = memory.subspan(offset, size_);
  }
  VkDeviceSize size() const { return size_; }
  std::span<std::byte> bytes() const { return bytes_; }
  /// The bytes from an offset on; VK_WHOLE_SIZE are all.
  /// Throws Error for bytes outside the buffer, or without memory.
  std::span<std::byte> bytes(VkDeviceSize offset, VkDeviceSize size) const {
    if (size == VK_WHOLE_SIZE && offset <= bytes_.size()) size = bytes_.size() - offset;
    if (offset > bytes_.size() || size > bytes_.size() - offset) refuse(offset, size);
    return bytes_.subspan(offset, size);
  }
  /// The address of the first byte. Accesses through it may not leave the buffer.
  std::uint64_t address();

 private:
  [[noreturn]] void refuse(VkDeviceSize offset, VkDeviceSize size) const;

  AddressSpace& addresses_;
  VkDeviceSize size_;
  std::span<std::byte> bytes_;
  std::mutex addressing_;
  std::uint64_t address_ = 0;  ///< 0 before it was asked for
};

/// Bytes of a buffer as texels.
struct BufferView {
  TexelFormat format;
  std::span<std::byte> bytes;
};

/// The memory that a buffer or an image of so many bytes needs.
VkMemoryRequirements requirements_of(VkDeviceSize size, VkDeviceSize alignment);
/// Fills in the structures that extend VkMemoryRequirements2.
void write_requirements(VkMemoryRequirements2& out, const VkMemoryRequirements& requirements);

LOCKSTEP_ICD_HANDLE(VkBuffer, Buffer)
LOCKSTEP_ICD_HANDLE(VkBufferView, BufferView)

}  // namespace lockstep::driver
