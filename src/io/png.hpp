#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lockstep::io {

/// Red, green, blue and alpha of each pixel, row by row.
struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels = {};
};

/// What is wrong with a file, or why none can be made.
class PngError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The picture in a PNG file. Components of 8 bits are kept as they are. Throws PngError, also if it has more pixels.
Picture decode_png(std::span<const std::byte> file, std::uint64_t most_pixels);
/// The file. Throws PngError.
std::string encode_png(const Picture& picture);

}  // namespace lockstep::io
