#pragma once

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// \file
/// The memory of machine code, and how errors propagate through it.

// Part of unwinding: registers the frames of code that no compiler made.
extern "C" void __register_frame(void*);
extern "C" void __deregister_frame(void*);

namespace lockstep::spirv {

inline constexpr std::size_t page = 4096;

/// Memory for code, close enough to some function that a 32-bit distance reaches it and its neighbours.
class CodeMemory {
 public:
  CodeMemory(std::size_t bytes, const void* near) : bytes_((bytes + page - 1) / page * page) {
    // Far apart first; where other programs' code is, closer together.
    for (const std::intptr_t step :
         {std::intptr_t{1} << 26, std::intptr_t{1} << 23, std::intptr_t{1} << 20}) {
      if (find(reinterpret_cast<std::intptr_t>(near), step)) return;
    }
  }
  ~CodeMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  bool make_executable() const { return mprotect(data_, bytes_, PROT_READ | PROT_EXEC) == 0; }

 private:
  static constexpr std::intptr_t reach = std::intptr_t{1} << 30;

  /// Takes the first free place at a multiple of the step.
  bool find(std::intptr_t anchor, std::intptr_t step) {
    for (std::intptr_t away = step; away < reach; away += step) {
      for (const std::intptr_t hint : {anchor - away, anchor + away}) {
        if (take(anchor, hint)) return true;
      }
    }
    return false;
  }
  bool take(std::intptr_t anchor, std::intptr_t hint) {
    void* at = mmap(reinterpret_cast<void*>(hint / std::intptr_t{page} * std::intptr_t{page}),
                    bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return false;
    const std::intptr_t distance = reinterpret_cast<std::intptr_t>(at) - anchor;
    if (distance < reach && -distance < reach) {
      data_ = static_cast<std::uint8_t*>(at);
      return true;
    }
    munmap(at, bytes_);
    return false;
  }

  std::size_t bytes_;
  std::uint8_t* data_ = nullptr;
};

/// The unwinding information of the code, so that errors propagate through it: one frame with three
/// saved registers, everywhere except in the prologue, which calls nothing.
class UnwindTable {
 public:
  UnwindTable(const void* code, std::size_t bytes) {
    constexpr std::uint8_t rsp = 7, rbx = 3, r12 = 12, r13 = 13, return_address = 16;
    constexpr std::uint8_t def_cfa = 0x0c, offset = 0x80;
    put<std::uint32_t>(20);  // bytes of the part that all frames share
    put<std::uint32_t>(0);
    put<std::uint8_t>(1);     // version
    put<std::uint8_t>(0);     // no augmentation
    put<std::uint8_t>(1);     // code alignment
    put<std::uint8_t>(0x78);  // data alignment: -8
    put(return_address);
    for (const std::uint8_t byte :
         {def_cfa, rsp, std::uint8_t{32}, std::uint8_t(offset | return_address), std::uint8_t{1},
          std::uint8_t(offset | rbx), std::uint8_t{2}, std::uint8_t(offset | r12), std::uint8_t{3},
          std::uint8_t(offset | r13), std::uint8_t{4}})
      put(byte);
    put<std::uint32_t>(20);                // bytes of the one frame
    put(static_cast<std::uint32_t>(at_));  // back to the common part, at 0
    put(code);
    put(bytes);
    __register_frame(table_.data());
  }
  ~UnwindTable() { __deregister_frame(table_.data()); }
  UnwindTable(const UnwindTable&) = delete;
  UnwindTable& operator=(const UnwindTable&) = delete;

 private:
  template <class T>
  void put(T value) {
    std::memcpy(table_.data() + at_, &value, sizeof value);
    at_ += sizeof value;
  }

  alignas(8) std::array<std::byte, 64> table_{};
  std::size_t at_ = 0;
};

}  // namespace lockstep::spirv
