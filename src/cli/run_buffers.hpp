#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/spirv/reflection.hpp>

#include "cli/run_options.hpp"
#include "npy/npy.hpp"
#include "run/arguments.hpp"

/// \file
/// The buffers of `lockstep run`: from its options and the shader's declarations to bytes.

namespace lockstep::cli {

/// A buffer of the shader, one element of an array of buffers, or memory that has only an address.
struct BoundBuffer {
  lockstep::run::Slot slot;
  std::uint32_t element = 0;
  std::string name;
  bool writable = false;
  npy::Array array;
  std::string save;     ///< a file; empty if none
  std::string against;  ///< a file; empty if none

  /// "buffer 1:3[2] (name)".
  std::string title() const;
};

/// The contents of all buffers. Declarations that share a binding are one buffer, which is writable if any of them is;
/// elements of an array for which there is no option stay unbound. Throws UsageError and InputError.
std::vector<BoundBuffer> make_buffers(const Reflection& shader, const RunOptions& options);

/// Reads the dump for --against, which must have the buffer's type and size. A buffer of bytes takes any type.
npy::Array read_dump(const BoundBuffer& buffer);

}  // namespace lockstep::cli
