#pragma once

/// \file
/// The data types and image formats of a script.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::amber {

/// How the bits of a number are interpreted.
enum class Encoding : std::uint8_t { signed_int, unsigned_int, floating };

/// One number in memory.
struct Number {
  Encoding encoding = Encoding::unsigned_int;
  std::uint32_t bits = 32;

  friend bool operator==(const Number&, const Number&) = default;
};

/// How a channel of an image encodes a value.
enum class Mode : std::uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, srgb, sfloat, ufloat };

/// A channel of an image format, possibly narrower than a byte.
struct Channel {
  char name = 'R';  ///< R, G, B, A, D, S or X
  Mode mode = Mode::unorm;
  std::uint32_t bits = 8;
  std::uint32_t shift = 0;  ///< bits before it, from the lowest bit of the first byte

  friend bool operator==(const Channel&, const Channel&) = default;
};

/// An image format, as Vulkan names it without VK_FORMAT_.
struct ImageFormat {
  std::string name;
  std::vector<Channel> channels;  ///< in the order of the name
  std::uint32_t bits = 0;         ///< of a texel
  bool packed = false;            ///< the texel is one number

  friend bool operator==(const ImageFormat&, const ImageFormat&) = default;
};

struct Struct;

/// A number, vector, matrix, image format or structure: the element type of a buffer.
struct Type {
  std::string name;
  Number number;
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  bool array = false;  ///< written with []: elements are laid out like those of an array
  std::shared_ptr<const Struct> structure;
  std::shared_ptr<const ImageFormat> format;
};

struct Member {
  std::string name;
  Type type;
  std::optional<std::uint32_t> offset, array_stride, matrix_stride;
};

struct Struct {
  std::vector<Member> members;
  std::optional<std::uint32_t> stride;
};

/// The type of that name, structures excepted: int8 to double, vec3<float>, mat2x3<float>, an image
/// format, any of the first three with []; nothing if there is none.
std::optional<Type> parse_type(std::string_view name);
/// The image format of that name.
std::optional<ImageFormat> parse_format(std::string_view name);

}  // namespace lockstep::amber
