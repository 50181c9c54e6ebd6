#pragma once

#include <cstdint>
#include <vector>

#include "shader/lower/pointer.hpp"

/// \file
/// What the families of images share: storage images and texel buffers, and sampled images.

namespace lockstep::spirv {

/// Image operands that change nothing here: how texels are made available and visible, their sign, and whether they are
/// soon wanted again.
inline constexpr std::uint32_t harmless_image_operands =
    0x100 | 0x200 | 0x400 | 0x800 | 0x1000 | 0x2000 | 0x4000;

/// A variable that is an image, a sampler, or both.
void image_variable(Lowering& l, const Instruction& i, const Type& pointee);
/// Adds a sampler, or that of a combined image and sampler, to the pointer: one per descriptor.
void sampler_variable(Lowering& l, const Instruction& i, const Type& pointee, Pointer& p);

/// What changes a texel's coordinates.
struct TexelOperands {
  std::vector<Reg> offset;
  std::vector<Reg> sample;  ///< of a multisample image, where each is a slice
  std::vector<Reg> level;   ///< of detail
};

/// The number of the texel at the coordinates.
Reg texel(Lowering& l, const Pointer& image, Id coordinates, const Instruction& i,
          const TexelOperands& more = {});
/// The number of a texel that is read without a sampler.
Reg fetched_texel(Lowering& l, const Pointer& image, const Instruction& i);

}  // namespace lockstep::spirv
