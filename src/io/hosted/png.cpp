#include "io/png.hpp"

#include <bit>

#include <fmt/format.h>
#include <png.h>

namespace lockstep::io {
namespace {

/// A file of libpng's simplified interface.
struct PngImage {
  png_image image = {};

  PngImage() { image.version = PNG_IMAGE_VERSION; }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
  ~PngImage() { png_image_free(&image); }
};

[[noreturn]] void fail_reading(const PngImage& png) {
  throw PngError(fmt::format("cannot be read: {}", png.image.message));
}

}  // namespace

Picture decode_png(std::span<const std::byte> file, std::uint64_t most_pixels) {
  PngImage png;
  if (png_image_begin_read_from_memory(&png.image, file.data(), file.size()) == 0)
    fail_reading(png);
  if (std::uint64_t{png.image.width} * png.image.height > most_pixels)
    throw PngError(fmt::format("has more than 2^{} texels; use a smaller image",
                               std::bit_width(most_pixels) - 1));
  // The interface's 16 bits would be linear light.
  png.image.format = PNG_FORMAT_RGBA;
  Picture picture{png.image.width, png.image.height, {}};
  picture.pixels.resize(PNG_IMAGE_SIZE(png.image));
  if (png_image_finish_read(&png.image, nullptr, picture.pixels.data(), 0, nullptr) == 0)
    fail_reading(png);
  return picture;
}

std::string encode_png(const Picture& picture) {
  PngImage png;
  png.image.width = picture.width;
  png.image.height = picture.height;
  png.image.format = PNG_FORMAT_RGBA;
  const std::uint8_t* const pixels = picture.pixels.data();
  png_alloc_size_t size = 0;
  if (png_image_write_get_memory_size(png.image, size, 0, pixels, 0, nullptr) != 0) {
    std::string file(size, '\0');
    if (png_image_write_to_memory(&png.image, file.data(), &size, 0, pixels, 0, nullptr) != 0) {
      file.resize(size);
      return file;
    }
  }
  throw PngError(png.image.message);
}

}  // namespace lockstep::io
