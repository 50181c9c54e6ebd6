#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

/// \file
/// Bytes for registers and workgroup memory.

namespace lockstep::spirv {

struct FreeAligned {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t{64}); }
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;

/// Zeroed bytes, with room for whole chunks after them: the last registers are read so.
inline AlignedBytes allocate_aligned(std::size_t count) {
  const std::size_t room = count + 1024;
  AlignedBytes bytes(new (std::align_val_t{64}) std::byte[room]);
  std::memset(bytes.get(), 0, room);
  return bytes;
}

}  // namespace lockstep::spirv
