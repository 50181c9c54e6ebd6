#pragma once

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>

/// \file
/// The memory of machine code, and how errors propagate through it.

// Part of unwinding: registers the frames of code that no compiler made.
extern "C" void __register_frame(void*);
extern "C" void __deregister_frame(void*);

namespace lockstep::spirv {

inline constexpr std::size_t page = 4096;

/// The unwinding information of a range of code, so that errors propagate through it: one frame with three
/// saved registers, everywhere except in prologues, which call nothing.
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

/// A range of addresses for code, of which each piece of code takes some pages. All of it is registered for unwinding
/// at once: the registry is a list, so that thousands of entries would take long to search.
class CodeArena {
 public:
  /// data() is null if there is no such range near enough that a 32-bit distance reaches `near` and its neighbours.
  CodeArena(std::size_t bytes, const void* near);
  ~CodeArena();
  CodeArena(const CodeArena&) = delete;
  CodeArena& operator=(const CodeArena&) = delete;

  std::uint8_t* data() const { return data_; }
  bool has(const std::uint8_t* at) const { return at >= data_ && at < data_ + bytes_; }
  /// Whole pages, writable; null if there are not as many side by side.
  std::uint8_t* take(std::size_t bytes);
  void give_back(std::uint8_t* at, std::size_t bytes);

 private:
  bool find(std::intptr_t anchor, std::intptr_t step);
  bool reserve(std::intptr_t anchor, std::intptr_t hint);

  std::size_t bytes_;
  std::uint8_t* data_ = nullptr;
  std::map<std::size_t, std::size_t> free_;  ///< sizes of gaps by where they begin
  std::optional<UnwindTable> unwind_;
};

/// Memory for code, close enough to some function that a 32-bit distance reaches it and its neighbours. Thread-safe.
class CodeMemory {
 public:
  /// `near` is the same for all code of the process. data() is null without memory.
  CodeMemory(std::size_t bytes, const void* near);
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  /// Gives back what follows so many bytes.
  void shrink(std::size_t bytes);
  bool make_executable() const { return mprotect(data_, bytes_, PROT_READ | PROT_EXEC) == 0; }

 private:
  std::size_t bytes_;
  CodeArena* arena_ = nullptr;
  std::uint8_t* data_ = nullptr;
};

}  // namespace lockstep::spirv
