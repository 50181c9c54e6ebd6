#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "io/arguments.hpp"
#include "io/columns.hpp"
#include "io/images.hpp"
#include "io/npy.hpp"
#include "shader_case/run_options.hpp"

/// \file
/// The buffers and images of `lockstep run`: from its options and the shader's declarations to bytes.

namespace lockstep::shader_case {

/// A buffer or image of the shader, one element of an array of them, or memory that has only an address.
struct BoundBuffer {
  lockstep::io::Slot slot;
  std::uint32_t element = 0;
  std::string name;
  bool writable = false;
  npy::Array array;
  std::string save;     ///< a file; empty if none
  std::string against;  ///< a file; empty if none
  std::optional<lockstep::io::ImageShape> image = {};
  /// A level of another image, whose texels it shares; its own array has what is shown, saved and compared.
  struct Level {
    std::size_t of = 0;  ///< the number of the image's buffer
    std::uint32_t level = 0;
  };
  std::optional<Level> level = {};
  /// The members of a block with numbers of several types; empty for one type, and where declarations differ.
  std::vector<lockstep::io::Column> columns = {};
  std::optional<lockstep::io::RecordType> record = {};  ///< of such a block in a file
  bool any_type = false;                                ///< its contents came as bytes

  /// "buffer 1:3[2] (name)".
  std::string title() const;
};

/// The contents of all buffers and images. Declarations that share a binding are one buffer, which is writable if any of them is;
/// elements of an array for which there is no option stay unbound. Throws UsageError and InputError.
std::vector<BoundBuffer> make_buffers(const Reflection& shader, const RunOptions& options);

/// A sampler of the shader, or one of an array.
struct BoundSampler {
  lockstep::io::Slot slot;
  std::uint32_t element = 0;
  Sampler sampler;
  std::string words;  ///< that it was made from
};
/// All samplers. Throws UsageError and InputError.
std::vector<BoundSampler> make_samplers(const Reflection& shader, const RunOptions& options);

/// The slot that a name means: that of the binding with this name in the shader, else memory.
lockstep::io::Slot resolved(const lockstep::io::Slot& slot, const Reflection& shader);

/// The buffer as a file holds it: a block of several types as records.
npy::Array saved(const BoundBuffer& buffer);

/// Reads the dump for --against, which must have the buffer's type and size. A buffer of bytes takes any type.
npy::Array read_dump(const BoundBuffer& buffer);

}  // namespace lockstep::shader_case
