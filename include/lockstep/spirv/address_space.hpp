#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include <lockstep/spirv/detail/pointer_bits.hpp>

namespace lockstep {

/// Memory that shaders access by 64-bit addresses (buffer_reference). An object of memory is added
/// once and has the same address in every pipeline that is dispatched with the address space.
///
/// An address is the object's number and a byte, so it is the same in every run that adds the same
/// objects in the same order, wherever the host's memory is. A Vulkan driver adds each addressable
/// VkDeviceMemory, or each buffer if bounds should be the buffer's: VkDeviceAddress is add()'s
/// result plus an offset. The number of removed memory is not reused before a million others were:
/// its old addresses are findings instead of pointing to other memory.
///
/// Requires      Memory outlives its place here. Atomics require it to be aligned like their numbers.
/// Active lanes  None.
/// Errors        add throws Error for more than 1 TiB and beyond eight million objects; remove
///               throws if the address is not an object's first byte. The dispatch's result lists
///               accesses outside all objects; reads return zero and writes are dropped.
/// Cost          Two loads per access. 16 bytes per object. Functions may be called on any thread,
///               also while dispatches run.
/// Spec          VK_KHR_buffer_device_address · SPIR-V: PhysicalStorageBuffer64
/// Example       tests/spirv/address_space.cpp
class AddressSpace {
 public:
  /// The bytes of an object; none if there is no object.
  struct Object {
    std::byte* data = nullptr;
    std::uint64_t size = 0;
  };

  AddressSpace();
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Adds memory, and returns the address of its first byte.
  std::uint64_t add(std::span<std::byte> memory);
  template <class T>
  std::uint64_t add(std::vector<T>& array) {
    static_assert(std::is_trivially_copyable_v<T>);
    return add(std::as_writable_bytes(std::span(array)));
  }
  /// Removes the memory whose first byte has that address.
  void remove(std::uint64_t address);

  /// The object that an address names, whether or not its byte is inside.
  Object find(std::uint64_t address) const {
    if (pointers::is_resource_pointer(address)) return {};
    const std::uint32_t number = pointers::pointer_number(address);
    const Entry* const chunk = chunks_[number / chunk_entries].load(std::memory_order_acquire);
    if (chunk == nullptr) return {};
    const Entry& entry = chunk[number % chunk_entries];
    const std::uint64_t size = entry.size.load(std::memory_order_acquire);
    return {entry.data.load(std::memory_order_relaxed), size};
  }

  /// The address space of all Shaders in this process.
  static AddressSpace& of_process();

 private:
  struct Entry {
    std::atomic<std::byte*> data{nullptr};
    std::atomic<std::uint64_t> size{0};
  };
  static constexpr std::uint32_t chunk_entries = 4096;
  static constexpr std::uint32_t chunk_count =
      (std::uint32_t{1} << pointers::pointer_number_bits) / chunk_entries;

  std::uint32_t take_number();
  Entry& entry(std::uint32_t number);

  std::unique_ptr<std::atomic<Entry*>[]> chunks_;  ///< made when first needed, and kept
  std::mutex changing_;
  std::uint32_t next_ = 1;
  std::deque<std::uint32_t> removed_;  ///< numbers, the oldest first
};

}  // namespace lockstep
