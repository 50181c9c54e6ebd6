#pragma once

/// \file
/// Images and samplers on a command line.

#include <cstdint>
#include <string>
#include <string_view>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/workgroup/size3.hpp>

#include "npy/npy.hpp"
#include "run/types.hpp"

namespace lockstep::run {

/// How an image's bytes are texels; as a texel buffer it has one row.
struct ImageShape {
  ImageFormat format = ImageFormat::rgba8;
  Size3 size{1, 1, 1};
};

/// An image before a run: texels, as an array of slices, rows, texels and components. Texels of formats whose
/// components are not whole bytes are one number each.
struct NewImage {
  ImageShape shape;
  npy::Array array;
};

/// Makes the image that FORMAT:WxH[xD]:SPEC describes. SPEC is that of a buffer, or zeros; FORMAT:file.png has the
/// file's size.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that names the malformed part, or a file that cannot be used; npy::Error.
/// Cost          O(texels).
/// Spec          GLSL "Format Layout Qualifiers"
/// Example       tests/run/images.cpp
NewImage make_image(std::string_view text);

/// Whether the file's name ends in .png.
bool is_png(std::string_view path);
/// Writes the first slice as a PNG file with 8 bits of red, green, blue and alpha. Fractions and floats from 0 to 1 take
/// the whole range, integers are limited to it. Missing components are 0, a missing alpha is 255.
///
/// Requires      The array has the texels of the shape.
/// Active lanes  None.
/// Errors        InputError if the file cannot be written.
/// Cost          O(texels).
/// Spec          PNG
/// Example       tests/run/images.cpp
void write_png(const std::string& path, const ImageShape& shape, const npy::Array& array);

/// A sampler from words separated by commas: a filter, an address mode, a border color, a comparison, unnormalized.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that lists the words.
/// Cost          None.
/// Spec          VkSamplerCreateInfo
/// Example       tests/run/images.cpp
Sampler parse_sampler(std::string_view text);

}  // namespace lockstep::run
