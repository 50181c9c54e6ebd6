#include "io/images.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "support/directory.hpp"

using namespace lockstep;
using namespace lockstep::io;

TEST_CASE("an image has a format, a size and contents") {
  const NewImage zeros = make_image("rg16f:3x2:zeros");
  CHECK(zeros.shape.format == ImageFormat::rg16f);
  CHECK(zeros.shape.size() == Size3{3, 2, 1});
  CHECK(zeros.array.dtype == Dtype::float16);
  CHECK(zeros.array.shape == std::vector<std::size_t>{1, 2, 3, 2});
  const NewImage counted = make_image("r32ui:2x3x4:iota:u32:24");
  CHECK(counted.array.shape == std::vector<std::size_t>{4, 3, 2, 1});
  CHECK(counted.array.values<std::uint32_t>()[23] == 23);
  const NewImage row = make_image("rgba8:5:fill:u8:20:7");
  CHECK(row.shape.size() == Size3{5, 1, 1});
  CHECK(row.array.dtype == Dtype::uint8);
  CHECK(make_image("rgba8_snorm:1x1:zeros").array.dtype == Dtype::int8);
  CHECK(make_image("r64i:1x1:zeros").array.dtype == Dtype::int64);
  const NewImage packed = make_image("rgb10_a2:2x2:zeros");
  CHECK(packed.array.dtype == Dtype::uint32);
  CHECK(packed.array.shape == std::vector<std::size_t>{1, 2, 2, 1});
}

TEST_CASE("an image has levels of detail and samples, and a level is an image") {
  const NewImage flat = make_image("r32ui:4x2x3,levels=3:iota:u32:33");
  CHECK(flat.shape.levels.count == 3);
  CHECK(flat.array.shape == std::vector<std::size_t>{33, 1});
  const NewImage level = level_of(flat, 1);
  CHECK(level.shape.size() == Size3{2, 1, 3});
  CHECK(level.shape.levels.count == 1);
  CHECK(level.array.shape == std::vector<std::size_t>{3, 1, 2, 1});
  CHECK(level.array.values<std::uint32_t>()[0] == 24);
  CHECK(level.array.values<std::uint32_t>()[5] == 29);
  CHECK_THROWS_WITH(level_of(flat, 3), "there is no level 3; the image has 3");
  // The depth of a volume and the rows of a 1D array.
  CHECK(make_image("r8:4x4x4,levels=3:zeros", 3).array.shape[0] == 64 + 8 + 1);
  CHECK(make_image("r8:4x5,levels=2:zeros", 1).array.shape[0] == 20 + 10);
  const NewImage samples = make_image("r8:2x2x6,samples=3:zeros");
  CHECK(samples.shape.samples == 3);
  CHECK(samples.array.shape[0] == 6);
  CHECK(make_image("r8:8x8x6,levels=2,samples=6:zeros").shape.samples == 6);
  CHECK(make_image("r8:2x3,samples=4:zeros").shape.size() == Size3{2, 3, 4});
  CHECK(make_image("r8:2x3,samples=4,levels=2:zeros").array.shape[0] == 24 + 4);
  CHECK_FALSE(parse_level("rgba8:4x4:zeros"));
  const auto other = parse_level("level:2:1:3[4]");
  REQUIRE(other);
  CHECK(other->level == 2);
  CHECK(other->image.slot == Slot{1, 3});
  CHECK(other->image.element == 4u);
}

TEST_CASE("malformed images are explained") {
  const std::pair<const char*, const char*> wrong[] = {
      {"rgba8", "'rgba8': write FORMAT:WxH[xD][,levels=N][,samples=N]:SPEC or FORMAT:file.png"},
      {"rgba8:2x2",
       "'rgba8:2x2': write FORMAT:WxH[xD][,levels=N][,samples=N]:SPEC or FORMAT:file.png"},
      {"rgb8:2x2:zeros",
       "'rgb8:2x2:zeros': 'rgb8' is not an image format; use one of GLSL's, such as rgba8 or r32f"},
      {"rgba8:2x0:zeros",
       "'rgba8:2x0:zeros': '2x0' is not a size; write W, WxH or WxHxD with fewer than 2^32 texels"},
      {"r8:65536x65536:zeros",
       "'r8:65536x65536:zeros': '65536x65536' is not a size; write W, WxH or WxHxD with fewer than "
       "2^32 texels"},
      {"rgba8:2x2:iota:u32:5",
       "'rgba8:2x2:iota:u32:5': has 20 bytes, but 2 x 2 x 1 texels in rgba8 have 16"},
      {"rgba8:4x2,levels=4:zeros",
       "'rgba8:4x2,levels=4:zeros': 'levels=4' is not a number from 1 to 3"},
      {"rgba8:4x2,levels=0:zeros",
       "'rgba8:4x2,levels=0:zeros': 'levels=0' is not a number from 1 to 3"},
      {"rgba8:4x2,mips=2:zeros",
       "'rgba8:4x2,mips=2:zeros': 'mips=2' is not a property; write levels=N or samples=N"},
      {"rgba8:4x2x5,samples=2:zeros",
       "'rgba8:4x2x5,samples=2:zeros': the depth is 5, the slices of all layers: a multiple of the "
       "2 samples"},
      {"rgba8:4x2,samples=65:zeros",
       "'rgba8:4x2,samples=65:zeros': 'samples=65' is not a number from 1 to 64"},
      {"r8:65535x65535,levels=2:zeros",
       "'r8:65535x65535,levels=2:zeros': its levels have 2^32 texels or more; use a smaller image"},
      {"r32ui:4x2,levels=3:iota:u32:10",
       "'r32ui:4x2,levels=3:iota:u32:10': has 40 bytes, but 4 x 2 x 1 texels and 2 more levels in "
       "r32ui have 44"},
  };
  for (const auto& [text, message] : wrong) CHECK_THROWS_WITH(make_image(text), message);
  CHECK_THROWS_WITH(parse_level("level:x:2"),
                    Catch::StartsWith("'level:x:2': write level:N:BINDING"));
  CHECK_THROWS_WITH(parse_level("level:32:2"), Catch::StartsWith("'level:32:2': write level:N:"));
  CHECK_THROWS_WITH(parse_level("level:1:2["), Catch::Contains("is not a binding"));
  CHECK_THROWS_WITH(make_image("rgba8:/gone/x.png"),
                    Catch::Contains("/gone/x.png: does not exist"));
}

TEST_CASE("PNG files keep the bytes of 8-bit images, and the fractions of others") {
  const test::Directory directory;
  const std::string path = directory / "x.png";
  NewImage image = make_image("rgba8:2x3:iota:u8:24");
  write_png(path, image.shape, image.array);
  const NewImage same = make_image("rgba8:" + path);
  CHECK(same.shape.size() == Size3{2, 3, 1});
  CHECK(same.array.bytes == image.array.bytes);
  const NewImage real = make_image("rgba32f:" + path);
  for (std::size_t k = 0; k < 24; ++k)
    CHECK(real.array.values<float>()[k] == Approx(static_cast<float>(k) / 255.0f));
  write_png(path, real.shape, real.array);
  CHECK(make_image("rgba8ui:" + path).array.bytes == image.array.bytes);
  // One component: the others are 0, and alpha is opaque.
  const NewImage red = make_image("r16:1x1:fill:u16:1:65535");
  write_png(path, red.shape, red.array);
  const std::vector<std::byte> pixel{std::byte{255}, std::byte{0}, std::byte{0}, std::byte{255}};
  CHECK(make_image("rgba8:" + path).array.bytes == pixel);
  // Beyond the range of a PNG.
  const NewImage large = make_image("r32i:2x1:fill:i32:2:-7");
  write_png(path, large.shape, large.array);
  CHECK(make_image("r8ui:" + path).array.bytes == std::vector<std::byte>(2));
}

TEST_CASE("a PNG file has all slices and levels, one below the other") {
  const test::Directory directory;
  const std::string path = directory / "x.png";
  // 2 slices of 4 x 2 texels, 2 of 2 x 1 and 2 of one: the pictures' rows have 4, 2 and 1 pixels that count.
  const NewImage image = make_image("rgba8:4x2x2,levels=3:iota:u8:88");
  write_png(path, image.shape, image.array);
  const NewImage picture = make_image("rgba8:" + path);
  REQUIRE(picture.shape.size() == Size3{4, 4 + 2 + 2, 1});
  std::size_t texel = 0;
  for (std::size_t row = 0; row < 8; ++row) {
    const std::size_t filled = row < 4 ? 4 : row < 6 ? 2 : 1;
    for (std::size_t x = 0; x < 4; ++x) {
      for (std::size_t c = 0; c < 4; ++c) {
        const std::size_t expected = x < filled ? 4 * texel + c : 0;
        CHECK(static_cast<std::size_t>(picture.array.bytes[(row * 4 + x) * 4 + c]) == expected);
      }
      if (x < filled) ++texel;
    }
  }
  CHECK(texel == 22);
  CHECK(make_image("rgba8:4x2x2,levels=3:" + path).array.bytes == image.array.bytes);
  CHECK_THROWS_WITH(make_image("rgba8:4x2x2:" + path),
                    Catch::EndsWith("x.png has 4 x 8 pixels, but the image has 4 x 4: its levels "
                                    "and slices one below the other"));
}

TEST_CASE("a sampler is words") {
  const Sampler plain = parse_sampler("nearest");
  CHECK(plain.mag_filter == Filter::nearest);
  CHECK_FALSE(plain.compares);
  const Sampler all =
      parse_sampler("linear,mipmap_linear,clamp_to_border,opaque_white,less_or_equal,unnormalized");
  CHECK(all.mag_filter == Filter::linear);
  CHECK(all.min_filter == Filter::linear);
  CHECK(all.mipmap_mode == Filter::linear);
  CHECK(plain.mipmap_mode == Filter::nearest);
  CHECK(all.address_mode_u == AddressMode::clamp_to_border);
  CHECK(all.address_mode_w == AddressMode::clamp_to_border);
  CHECK(all.border_color == BorderColor::opaque_white);
  CHECK(all.compares);
  CHECK(all.compare_op == CompareOp::less_or_equal);
  CHECK(all.unnormalized_coordinates);
  CHECK_THROWS_WITH(parse_sampler("linear,soft"),
                    Catch::StartsWith("'linear,soft': 'soft' is not a property of samplers; use "
                                      "nearest, linear, repeat, "));
}
