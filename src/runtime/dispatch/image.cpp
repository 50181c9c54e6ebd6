#include <lockstep/dispatch/image.hpp>

#include <fmt/format.h>

namespace lockstep {
namespace {

/// Bytes of all texels. Throws Error if the extents are invalid.
std::size_t checked_bytes(ImageFormat format, ImageKind kind, Size3 size) {
  const std::string_view name = to_string(kind);
  if (size.x == 0 || size.y == 0 || size.z == 0) {
    throw Error(fmt::format("an {} of {} x {} x {} texels: give each extent at least 1", name,
                            size.x, size.y, size.z));
  }
  // Each product below stays under 2^64.
  const std::uint64_t slice = std::uint64_t{size.x} * size.y;
  if (slice > 0xffffffff || slice * size.z > 0xffffffff) {
    throw Error(fmt::format("an {} of {} x {} x {} texels: it may have 2^32 - 1 at most, split it",
                            name, size.x, size.y, size.z));
  }
  return static_cast<std::size_t>(slice * size.z) * texel_bytes(format);
}

/// Bytes of the number that a component is stored as.
std::size_t component_bytes(ImageFormat format) {
  const ImageFormatInfo& info = info_of(format);
  return info.packed() ? info.bytes : info.bits[0] / 8;
}

}  // namespace

std::string_view to_string(ImageFormat format) { return info_of(format).name; }

std::string_view to_string(ImageKind kind) {
  constexpr std::string_view names[] = {"image2D", "image3D", "image2DArray"};
  return names[static_cast<int>(kind)];
}

Image::Image(ImageFormat format, ImageKind kind, Size3 size)
    : format_(format),
      kind_(kind),
      size_(size),
      own_(checked_bytes(format, kind, size)),
      bytes_(own_) {}

Image::Image(ImageFormat format, ImageKind kind, Size3 size, std::span<std::byte> bytes)
    : format_(format), kind_(kind), size_(size), bytes_(bytes) {
  const std::size_t wanted = checked_bytes(format, kind, size);
  if (bytes.size() != wanted) {
    throw Error(fmt::format("an {} of {} x {} x {} texels in {} takes {} bytes, but {} are given",
                            to_string(kind), size.x, size.y, size.z, to_string(format), wanted,
                            bytes.size()));
  }
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % component_bytes(format) != 0) {
    throw Error(
        fmt::format("the bytes of an {} in {} are not aligned to {}: view an array of its "
                    "components",
                    to_string(kind), to_string(format), component_bytes(format)));
  }
}

namespace fail {

void image_type(std::uint32_t binding, std::string_view declared, ImageFormat format,
                ImageKind kind) {
  // In the order of TexelNumber.
  constexpr std::string_view letters[] = {"", "i", "u", "i64", "u64"};
  const std::string_view letter = letters[static_cast<int>(info_of(format).number())];
  throw Error(
      fmt::format("argument {} is an image in {}, of type {}{}, but the kernel declares it as {}",
                  binding, to_string(format), letter, to_string(kind), declared));
}

void image_atomic(std::string_view name, std::uint32_t binding, ImageFormat format) {
  throw Error(
      fmt::format("{} on argument {}, an image in {}: atomics take images in r32ui, r32i or r32f",
                  name, binding, to_string(format)));
}

}  // namespace fail
}  // namespace lockstep
