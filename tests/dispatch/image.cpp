#include <lockstep/dispatch/image.hpp>

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

std::string message_of(void (*f)()) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("Image: owns zeros, or views what the host has") {
  Image2D own(ImageFormat::rgba16f, 5, 3);
  CHECK(own.kind() == ImageKind::two_d);
  CHECK(own.format() == ImageFormat::rgba16f);
  CHECK(own.size() == Size3{5, 3, 1});
  CHECK(own.texels() == 15);
  CHECK(own.bytes().size() == 120);
  for (const std::byte b : own.bytes()) CHECK(b == std::byte{0});
  own.bytes()[7] = std::byte{9};
  const Image moved = std::move(own);
  CHECK(moved.bytes()[7] == std::byte{9});

  std::vector<float> host(24);
  Image3D view(ImageFormat::r32f, {2, 3, 4}, bytes_of(host));
  CHECK(view.kind() == ImageKind::three_d);
  CHECK(static_cast<void*>(view.bytes().data()) == static_cast<void*>(host.data()));
  CHECK(Image2DArray(ImageFormat::r16f, 2, 3, 4).kind() == ImageKind::two_d_array);
  CHECK(Image2DArray(ImageFormat::r16f, 2, 3, 4).bytes().size() == 48);
}

TEST_CASE("Image: bytes of a texel, and names") {
  // The others are in texel.cpp.
  const std::pair<ImageFormat, std::uint32_t> formats[] = {
      {ImageFormat::r16f, 2},     {ImageFormat::r32f, 4},  {ImageFormat::r32ui, 4},
      {ImageFormat::r32i, 4},     {ImageFormat::rgba8, 4}, {ImageFormat::rgba16f, 8},
      {ImageFormat::rgba32f, 16}, {ImageFormat::r64ui, 8}, {ImageFormat::rgb10_a2, 4},
      {ImageFormat::r8_snorm, 1}};
  const char* const names[] = {"r16f",    "r32f",    "r32ui", "r32i",     "rgba8",
                               "rgba16f", "rgba32f", "r64ui", "rgb10_a2", "r8_snorm"};
  for (std::size_t k = 0; k < std::size(formats); ++k) {
    CHECK(texel_bytes(formats[k].first) == formats[k].second);
    CHECK(to_string(formats[k].first) == names[k]);
  }
  CHECK(to_string(ImageKind::two_d) == "image2D");
  CHECK(to_string(ImageKind::three_d) == "image3D");
  CHECK(to_string(ImageKind::two_d_array) == "image2DArray");
}

TEST_CASE("Image: what does not fit is refused") {
  CHECK(message_of([] { Image2D(ImageFormat::r32f, 0, 4); }) ==
        "an image2D of 0 x 4 x 1 texels: give each extent at least 1");
  CHECK(message_of([] {
          Image3D(ImageFormat::r32f, {65536, 65536, 1});
        }) == "an image3D of 65536 x 65536 x 1 texels: it may have 2^32 - 1 at most, split it");
  CHECK(message_of([] {
          Image3D(ImageFormat::r32f, {65535, 65535, 65535});
        }).find("split it") != std::string::npos);
  CHECK(message_of([] {
          std::vector<float> host(7);
          Image2D(ImageFormat::r32f, 2, 4, bytes_of(host));
        }) == "an image2D of 2 x 4 x 1 texels in r32f takes 32 bytes, but 28 are given");
  CHECK(message_of([] {
          std::vector<float> host(9);
          Image2D(ImageFormat::r32f, 2, 4, bytes_of(host).subspan(2, 32));
        }) ==
        "the bytes of an image2D in r32f are not aligned to 4: view an array of its components");
  CHECK(message_of([] { fail::image_atomic("imageAtomicAdd", 2, ImageFormat::rgba8); }) ==
        "imageAtomicAdd on argument 2, an image in rgba8: atomics take images in r32ui, r32i or "
        "r32f");
  CHECK(message_of([] { fail::image_type(1, "image3D", ImageFormat::r32ui, ImageKind::two_d); }) ==
        "argument 1 is an image in r32ui, of type uimage2D, but the kernel declares it as image3D");
  CHECK(
      message_of([] { fail::image_type(1, "iimage2D", ImageFormat::r64i, ImageKind::two_d); }) ==
      "argument 1 is an image in r64i, of type i64image2D, but the kernel declares it as iimage2D");
}

}  // namespace
