#pragma once

/// \file
/// Images and samplers on a command line.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/mip_levels.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/workgroup/size3.hpp>

#include "io/arguments.hpp"
#include "io/npy.hpp"
#include "io/types.hpp"

namespace lockstep::io {

/// How an image's bytes are texels; as a texel buffer it has one row.
struct ImageShape {
  ImageFormat format = ImageFormat::rgba8;
  MipLevels levels;
  std::uint32_t samples = 1;  ///< slices of each layer

  const Size3& size() const { return levels.size; }
};

/// An image before a run: texels, as an array of slices, rows, texels and components; of an image of several levels,
/// as one of texels and components, level by level. Texels of formats whose components are not whole bytes are one
/// number each.
struct NewImage {
  ImageShape shape;
  npy::Array array;
};

/// Makes the image that FORMAT:WxH[xD][,levels=N][,samples=N]:SPEC describes. SPEC is that of a buffer, or zeros;
/// FORMAT:file.png has the file's size, a file.png as SPEC the texels as write_png puts them. As many extents as there
/// are axes become smaller from level to level. Without a depth, samples are those of one layer.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that names the malformed part, or a file that cannot be used; npy::Error.
/// Cost          O(texels).
/// Spec          GLSL "Format Layout Qualifiers"
/// Example       tests/io/images.cpp
NewImage make_image(std::string_view text, std::uint32_t axes = 2);

/// An image that is a level of another: level:N:[SET:]BINDING[ELEMENT].
struct LevelOf {
  std::uint32_t level = 0;
  SlotArgument image;
};
/// The same from text; nothing if the text does not start with "level:". Throws InputError for malformed text.
std::optional<LevelOf> parse_level(std::string_view text);
/// The level's shape and texels. Throws InputError if the image lacks it.
NewImage level_of(const NewImage& image, std::uint32_t level);

/// Whether the file's name ends in .png.
bool is_png(std::string_view path);
/// Writes a PNG file with 8 bits of red, green, blue and alpha: level by level the slices, one below the other, with
/// transparent pixels beside smaller levels. Fractions and floats from 0 to 1 take
/// the whole range, integers are limited to it. Missing components are 0, a missing alpha is 255.
///
/// Requires      The array has the texels of the shape.
/// Active lanes  None.
/// Errors        InputError if the file cannot be written, or the picture would have more than 2^28 pixels.
/// Cost          O(texels).
/// Spec          PNG
/// Example       tests/io/images.cpp
void write_png(const std::string& path, const ImageShape& shape, const npy::Array& array);

/// A sampler from words separated by commas: a filter, one between levels, an address mode, a border color, a
/// comparison, unnormalized.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError that lists the words.
/// Cost          None.
/// Spec          VkSamplerCreateInfo
/// Example       tests/io/images.cpp
Sampler parse_sampler(std::string_view text);

}  // namespace lockstep::io
