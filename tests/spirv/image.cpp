#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/lanes/float16.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"
#include "support/texels.hpp"

using namespace lockstep;
using Uint = std::uint32_t;

TEST_CASE("storage images are read, written and queried") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, rgba8) uniform image2D source;
layout(set = 0, binding = 1, r32f) uniform image3D target;
layout(set = 0, binding = 2, r32ui) uniform uimage2D counts;
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  vec4 texel = imageLoad(source, p);
  ivec3 size = imageSize(target);
  imageStore(target, ivec3(p, 1), vec4(texel.x * 255.0 + float(size.x * 100 + size.z)));
  imageStore(source, p, vec4(texel.yzw, 0.5));
  imageAtomicAdd(counts, ivec2(p.x % 2, 0), uint(p.y));
})");
  for (const int size : {4, 24, 32, 64}) {
    Image2D source(ImageFormat::rgba8, 8, 4), counts(ImageFormat::r32ui, 2, 1);
    Image3D target(ImageFormat::r32f, {8, 4, 2});
    for (std::size_t i = 0; i < 128; ++i) source.bytes()[i] = static_cast<std::byte>(i * 2 % 256);
    const auto before = std::vector<std::byte>(source.bytes().begin(), source.bytes().end());
    const auto run =
        shader.bind_image(0, source).bind_image(1, target).bind_image(2, counts).dispatch(
            {1}, {.subgroup_size = size});
    CHECK(run.faults == 0);
    const auto* floats = reinterpret_cast<const float*>(target.bytes().data());
    for (std::size_t i = 0; i < 32; ++i) {
      const float red = static_cast<float>(before[4 * i]) / 255.0f * 255.0f;
      REQUIRE(floats[32 + i] == red + 802);
      REQUIRE(floats[i] == 0);
      REQUIRE(source.bytes()[4 * i] == before[4 * i + 1]);
      REQUIRE(source.bytes()[4 * i + 3] == std::byte{128});
    }
    const auto* number = reinterpret_cast<const Uint*>(counts.bytes().data());
    CHECK(number[0] == 4 * (0 + 1 + 2 + 3));
    CHECK(number[1] == 4 * (0 + 1 + 2 + 3));
  }
}

// The number of a texel is x + y * 4 + z * 16: as 32 bits, those far outside have the numbers of others.
TEST_CASE("slices so far out of bounds that texel numbers overflow are out of bounds") {
  for (const std::string image : {"volume", "volumes[nonuniformEXT(i % 2)]"}) {
    INFO(image);
    auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, r32ui) uniform uimage3D volume;
layout(set = 0, binding = 1, r32ui) uniform uimage3D volumes[2];
layout(set = 0, binding = 2) buffer Out { uint o[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  ivec3 at = ivec3(i % 4, 0, i < 4 ? i / 2 : i << 28);
  o[i] = imageLoad()" + image + R"(, at).x;
})");
    Image3D volume(ImageFormat::r32ui, {4, 4, 2}), first(ImageFormat::r32ui, {4, 4, 2}),
        second(ImageFormat::r32ui, {4, 4, 2});
    for (Image3D* one : {&volume, &first, &second}) {
      for (Uint texel = 0; texel < 32; ++texel)
        reinterpret_cast<Uint*>(one->bytes().data())[texel] = 100 + texel;
    }
    std::vector<Uint> out(8, 7);
    shader.bind_image(0, volume).bind_image(0, 1, first, 0).bind_image(0, 1, second, 1);
    const auto run = shader.bind(2, out).dispatch({1}, {.subgroup_size = 8, .threads = 1});
    CHECK(run.faults == 4);
    for (Uint i = 0; i < 8; ++i) CHECK(out[i] == (i < 4 ? 100 + i % 4 + i / 2 * 16 : 0));
  }
}

TEST_CASE("texel buffers, and texels out of bounds of an image") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 16) in;
layout(set = 0, binding = 0, r32f) uniform imageBuffer texels;
layout(set = 0, binding = 1) uniform usamplerBuffer numbers;
void main() {
  int i = int(gl_LocalInvocationIndex);
  imageStore(texels, i, vec4(float(texelFetch(numbers, i).x) + float(imageSize(texels))));
})");
  std::vector<float> texels(12);
  std::vector<Uint> numbers(16);
  for (Uint i = 0; i < 16; ++i) numbers[i] = i * i;
  shader.bind_texels(0, 0, ImageFormat::r32f, bytes_of(texels))
      .bind_texels(0, 1, ImageFormat::r32ui, bytes_of(numbers));
  // Vulkan discards what is stored outside, so that only a checked run tells.
  const auto plain = shader.dispatch({1}, {.subgroup_size = 16, .threads = 1});
  CHECK(plain.faults == 0);
  CHECK(plain.findings.count() == 0);
  const auto run = shader.dispatch(
      {1}, {.subgroup_size = 16, .threads = 1, .checks = Checks{Check::out_of_bounds}});
  CHECK(run.faults == 4);
  REQUIRE(run.findings.findings().size() == 1);
  const Finding& first = run.findings.first();
  CHECK(std::string(first.access.object.name) == "texels");
  CHECK(first.access.object.kind == MemoryObject::Kind::image);
  CHECK(first.access.unit == LaneAccess::Unit::texel);
  CHECK(first.lanes == LaneSet::first_n(16).without(LaneSet::first_n(12)));
  for (Uint i = 0; i < 12; ++i) CHECK(texels[i] == static_cast<float>(i * i + 12));
}

TEST_CASE("an image of another type is rejected") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32f) uniform image2D pixels;
void main() { imageStore(pixels, ivec2(0), vec4(1.0)); })");
  Image2D numbers(ImageFormat::r32ui, 2, 2);
  shader.bind_image(0, numbers);
  CHECK_THROWS_WITH(shader.dispatch({1}), Catch::Contains("another type than the image bound"));
}

TEST_CASE("the index into an array of images may differ between lanes") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 40) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D images[3];
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer some[];
layout(set = 1, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint k = i % 3u;
  ivec2 at = ivec2(i / 3u % 4u, 0);
  uint old = imageLoad(images[nonuniformEXT(k)], at).x;
  imageStore(images[nonuniformEXT(k)], ivec2(at.x, 1), uvec4(old + i));
  uint width = uint(imageSize(images[nonuniformEXT(k)]).x);
  uint before = imageAtomicAdd(some[nonuniformEXT(i % 2u)], int(i / 2u), 1000u);
  o[i] = old + width * 100u + before * 10000u;
})");
  for (const int size : {1, 8, 24, 64, 128}) {
    std::vector<Image2D> images;
    for (int k = 0; k < 3; ++k) images.emplace_back(ImageFormat::r32ui, 4u + Uint(k), 2u);
    std::vector<Uint> some[2], out(40);
    for (Uint k = 0; k < 3; ++k) {
      auto* texels = reinterpret_cast<Uint*>(images[k].bytes().data());
      for (Uint x = 0; x < 4; ++x) texels[x] = k * 7 + x;
      shader.bind_image(0, 0, images[k], k);
    }
    for (Uint k = 0; k < 2; ++k) {
      for (Uint x = 0; x < 20; ++x) some[k].push_back(k + 2 * x);
      shader.bind_texels(0, 1, ImageFormat::r32ui, std::as_writable_bytes(std::span(some[k])), k);
    }
    const auto run = shader.bind(1, 0, out).dispatch({1}, {.subgroup_size = size, .threads = 1});
    INFO("subgroup size " << size);
    CHECK(run.faults == 0);
    for (Uint i = 0; i < 40; ++i) {
      const Uint k = i % 3, x = i / 3 % 4;
      REQUIRE(out[i] == k * 7 + x + (4 + k) * 100 + i * 10000);
      REQUIRE(some[i % 2][i / 2] == i + 1000);
    }
    // Of several lanes that write one texel, the last one's value stays.
    for (Uint k = 0; k < 3; ++k) {
      Uint last[4] = {};
      for (Uint i = k; i < 40; i += 3) last[i / 3 % 4] = k * 7 + i / 3 % 4 + i;
      const auto* texels = reinterpret_cast<const Uint*>(images[k].bytes().data());
      for (Uint x = 0; x < 4; ++x) REQUIRE(texels[4 + k + x] == last[x]);
    }
  }
}

// Lanes that ask for the same image and level are answered together.
TEST_CASE("some lanes ask for the size of an image that several or all of them chose") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 160) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D images[3];
layout(set = 0, binding = 1) buffer Choices { uint choices[]; };
layout(set = 0, binding = 2) buffer Out { ivec4 o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = ivec4(-1);
  if (i % 5u != 2u) o[i].xy = imageSize(images[nonuniformEXT(choices[i])]);
  if (i >= 70u && i < 90u) o[i].zw = imageSize(images[choices[160]]);
})");
  std::vector<Image2D> images;
  for (Uint k = 0; k < 3; ++k) {
    images.emplace_back(ImageFormat::r32ui, 4 + k, 20 + k);
    shader.bind_image(0, 0, images.back(), k);
  }
  const auto choice = [](Uint i) { return i < 40 ? 2u : i < 100 ? i / 16 % 3 : i % 3; };
  std::vector<Uint> choices(161);
  for (Uint i = 0; i < 160; ++i) choices[i] = i % 5 == 2 ? 77 : choice(i);
  choices[160] = 1;
  for (const int size : {1, 4, 24, 32, 64, 128}) {
    std::vector<std::array<int, 4>> out(160);
    const auto run =
        shader.bind(0, 1, choices).bind(0, 2, out).dispatch({1}, {.subgroup_size = size});
    INFO("subgroup size " << size);
    CHECK(run.faults == 0);
    for (Uint i = 0; i < 160; ++i) {
      INFO("invocation " << i);
      const int k = static_cast<int>(choice(i));
      const bool first = i % 5 != 2, second = i >= 70 && i < 90;
      REQUIRE(out[i] == std::array<int, 4>{first ? 4 + k : -1, first ? 20 + k : -1, second ? 5 : -1,
                                           second ? 21 : -1});
    }
  }
}

TEST_CASE("an image past the end of the array, or one that is not bound, is a fault") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, r32ui) uniform uimageBuffer images[];
layout(set = 0, binding = 1) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = imageLoad(images[nonuniformEXT(i * 500u)], 0).x;
})");
  std::vector<Uint> texel{77}, out(8, 1);
  shader.bind_texels(0, 0, ImageFormat::r32ui, std::as_writable_bytes(std::span(texel)));
  const auto run = shader.bind(1, out).dispatch({1}, {.subgroup_size = 8});
  CHECK(run.faults == 7);
  for (Uint i = 0; i < 8; ++i) REQUIRE(out[i] == (i == 0 ? 77 : 0));
}

namespace {

/// GLSL's type of the image and its numbers.
struct GlslNames {
  std::string image, vector, scalar;
};
GlslNames glsl_names(const ImageFormatInfo& format) {
  switch (format.number()) {
    case TexelNumber::int32:
      return {"iimage2D", "ivec4", "int"};
    case TexelNumber::uint32:
      return {"uimage2D", "uvec4", "uint"};
    case TexelNumber::int64:
      return {"i64image2D", "i64vec4", "int64_t"};
    case TexelNumber::uint64:
      return {"u64image2D", "u64vec4", "uint64_t"};
    default:
      return {"image2D", "vec4", "float"};
  }
}

}  // namespace

TEST_CASE("images of every format are loaded and stored as their components say") {
  constexpr Uint width = 10, height = 5, count = width * height;
  for (std::size_t k = 0; k < std::size(image_formats); ++k) {
    const ImageFormatInfo& format = image_formats[k];
    const GlslNames names = glsl_names(format);
    const auto components = test::components_of(format.name);
    const bool floats = test::is_float_format(format.name);
    const std::size_t bytes = components[0].bits == 64 ? 8 : 4;
    auto shader = Shader::from_glsl(
        "#version 460\n"
        "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
        "#extension GL_EXT_shader_image_int64 : require\n"
        "layout(local_size_x = 10, local_size_y = 5) in;\n"
        "layout(set = 0, binding = 0, " +
        std::string(format.name) + ") readonly uniform " + names.image +
        " source;\nlayout(set = 0, binding = 1, " + std::string(format.name) +
        ") writeonly uniform " + names.image +
        " target;\n"
        "layout(set = 0, binding = 2) buffer Loaded { " +
        names.scalar +
        " loaded[]; };\n"
        "layout(set = 0, binding = 3) readonly buffer In { " +
        names.scalar +
        " stored[]; };\n"
        "void main() {\n"
        "  ivec2 p = ivec2(gl_LocalInvocationID.xy);\n"
        "  uint i = gl_LocalInvocationIndex;\n  " +
        names.vector +
        " t = imageLoad(source, p);\n"
        "  for (int c = 0; c < 4; ++c) loaded[4u * i + uint(c)] = t[c];\n"
        "  imageStore(target, p, " +
        names.vector +
        "(stored[4u * i], stored[4u * i + 1u], stored[4u * i + 2u], "
        "stored[4u * i + 3u]));\n}");
    for (const int size : {1, 8, 24, 32, 128}) {
      Image2D source(static_cast<ImageFormat>(k), width, height);
      Image2D target(static_cast<ImageFormat>(k), width, height);
      std::vector<std::byte> loaded(4 * count * bytes), stored(4 * count * bytes);
      std::uint64_t random = static_cast<std::uint64_t>(size) * 977 + k;
      const auto draw = [&] {
        random = random * 6364136223846793005ull + 1442695040888963407ull;
        return random >> 24;
      };
      for (std::byte& b : source.bytes()) b = static_cast<std::byte>(draw());
      for (std::size_t n = 0; n < 4 * count; ++n) {
        // Floats around [-2, 2], some of them too large for small floats; integers of any size.
        const auto value = static_cast<float>(static_cast<double>(draw() % 40001) / 10000.0 - 2);
        const float real = n % 11 == 0 ? value * 50000.0f : value;
        const std::uint64_t whole = draw() << 12 ^ draw();
        if (floats)
          std::memcpy(&stored[n * bytes], &real, bytes);
        else
          std::memcpy(&stored[n * bytes], &whole, bytes);
      }
      const auto run = shader.bind_image(0, source)
                           .bind_image(1, target)
                           .bind(2, loaded)
                           .bind(3, stored)
                           .dispatch({1}, {.subgroup_size = size, .threads = 1});
      INFO(format.name << ", subgroup size " << size);
      REQUIRE(run.faults == 0);
      std::size_t wrong_loads = 0, wrong_stores = 0;
      for (std::size_t n = 0; n < 4 * count; ++n) {
        const std::size_t i = n / 4, c = n % 4;
        std::uint64_t got = 0, in = 0;
        std::memcpy(&got, &loaded[n * bytes], bytes);
        std::memcpy(&in, &stored[n * bytes], bytes);
        float got_float, in_float;
        std::memcpy(&got_float, &loaded[n * bytes], 4);
        std::memcpy(&in_float, &stored[n * bytes], 4);
        const std::byte* from = &source.bytes()[i * format.bytes];
        if (c >= components.size()) {
          wrong_loads += floats ? got_float != (c == 3 ? 1.0f : 0.0f) : got != (c == 3 ? 1 : 0);
          continue;
        }
        const std::uint64_t raw = test::raw_component(from, components[c]);
        if (floats) {
          const float want = test::loaded_float(components[c], raw);
          wrong_loads += want == want ? got_float != want : got_float == got_float;
        } else {
          const std::uint64_t want = test::loaded_integer(components[c], raw);
          wrong_loads += std::memcmp(&got, &want, bytes) != 0;
        }
        const std::uint64_t put =
            test::raw_component(&target.bytes()[i * format.bytes], components[c]);
        wrong_stores += put != (floats ? test::stored_float(components[c], in_float)
                                       : in & components[c].most_raw());
      }
      CHECK(wrong_loads == 0);
      CHECK(wrong_stores == 0);
    }
  }
}

TEST_CASE(
    "texels of every format are copied by some lanes, up to the ends of an image and beyond") {
  constexpr Uint lanes = 128;
  struct Extent {
    Uint width, height;
  };
  for (std::size_t k = 0; k < std::size(image_formats); ++k) {
    const ImageFormatInfo& format = image_formats[k];
    const auto image = std::string(format.name) + ") uniform " + glsl_names(format).image;
    auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, )" + image +
                                    R"( source;
layout(set = 0, binding = 1, )" + image +
                                    R"( target;
layout(set = 0, binding = 2) readonly buffer Places { ivec4 places[]; };
void main() {
  ivec4 at = places[gl_LocalInvocationIndex];
  if (gl_LocalInvocationIndex % 5u != 2u) imageStore(target, at.zw, imageLoad(source, at.xy));
})");
    for (const auto& [width, height] : {Extent{7, 5}, Extent{3, 1}, Extent{1, 1}}) {
      const Uint count = width * height;
      Image2D source(static_cast<ImageFormat>(k), width, height);
      // No NaN, and no lowest number, which would change.
      for (std::size_t b = 0; b < source.bytes().size(); ++b)
        source.bytes()[b] = static_cast<std::byte>((b * 89 + k) & 0x3b);
      std::vector<std::int32_t> places;
      std::vector<std::byte> want(source.bytes().size());
      for (Uint i = 0; i < lanes; ++i) {
        // Each texel is written once at most, the first and the last ones by lanes far apart.
        const Uint from = i * 5 % count, to = i * 37 % lanes;
        const bool inside = to < count;
        for (const Uint at :
             {from % width, from / width, inside ? to % width : width + i, inside ? to / width : 0})
          places.push_back(static_cast<std::int32_t>(at));
        if (inside && i % 5 != 2)
          std::memcpy(&want[to * format.bytes], &source.bytes()[from * format.bytes], format.bytes);
      }
      for (const int size : {1, 8, 24, 32, 128}) {
        Image2D target(static_cast<ImageFormat>(k), width, height);
        const auto run =
            shader.bind_image(0, source).bind_image(1, target).bind(2, places).dispatch(
                {1}, {.subgroup_size = size, .threads = 1});
        CAPTURE(format.name, width, size);
        REQUIRE(run.faults == 0);
        REQUIRE(std::memcmp(target.bytes().data(), want.data(), want.size()) == 0);
      }
    }
  }
}

TEST_CASE("cube images have six layers each") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 36) in;
layout(set = 0, binding = 0, r32ui) uniform uimageCubeArray cubes;
layout(set = 0, binding = 1, r32ui) uniform uimageCube cube;
layout(set = 0, binding = 2) buffer Out { ivec4 o[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  imageStore(cubes, ivec3(i % 3, 1, i / 3), uvec4(i + 1));
  o[i] = ivec4(imageSize(cubes), imageSize(cube).x * 10 + int(imageLoad(cube, ivec3(1, 0, i % 6)).x));
})");
  for (const int size : {1, 24, 64}) {
    Image2DArray cubes(ImageFormat::r32ui, 3, 3, 12), cube(ImageFormat::r32ui, 2, 2, 6);
    auto* faces = reinterpret_cast<Uint*>(cube.bytes().data());
    for (Uint face = 0; face < 6; ++face) faces[4 * face + 1] = face;
    std::vector<Uint> out(36 * 4);
    const auto run = shader.bind_image(0, cubes).bind_image(1, cube).bind(2, out).dispatch(
        {1}, {.subgroup_size = size});
    INFO("subgroup size " << size);
    CHECK(run.faults == 0);
    const auto* texels = reinterpret_cast<const Uint*>(cubes.bytes().data());
    for (Uint i = 0; i < 36; ++i) {
      REQUIRE(texels[9 * (i / 3) + 3 + i % 3] == i + 1);
      REQUIRE(out[4 * i] == 3);
      REQUIRE(out[4 * i + 1] == 3);
      REQUIRE(out[4 * i + 2] == 2);
      REQUIRE(out[4 * i + 3] == 20 + i % 6);
    }
  }
}

TEST_CASE("each active lane reads its own texel, in bounds or out of bounds") {
  constexpr Uint width = 7, height = 5, lanes = 128;
  struct Format {
    ImageFormat format;
    const char *name, *type;
    Uint others;  ///< the bits of the components that it lacks; the fourth's
  };
  const Format formats[] = {{ImageFormat::r16f, "r16f", "", 0x3f800000},
                            {ImageFormat::r32f, "r32f", "", 0x3f800000},
                            {ImageFormat::r32ui, "r32ui", "u", 1}};
  for (const Format& format : formats) {
    const std::string type = format.type;
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(push_constant) uniform Push { uint every; };
layout(set = 0, binding = 0, )" + std::string(format.name) +
                                    ") uniform readonly " + type + R"(image2D source;
layout(set = 0, binding = 1) readonly buffer Places { ivec2 places[]; };
layout(set = 0, binding = 2) buffer Out { uint result[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i % every == 0) {
    )" + type + R"(vec4 texel = imageLoad(source, places[i]);
    result[3 * i] = )" + (type.empty() ? "floatBitsToUint(texel.x)" : "texel.x") +
                                    R"(;
    result[3 * i + 1] = )" + (type.empty() ? "floatBitsToUint(texel.y)" : "texel.y") +
                                    R"(;
    result[3 * i + 2] = )" + (type.empty() ? "floatBitsToUint(texel.w)" : "texel.w") +
                                    R"(;
  }
})");
    Image2D source(format.format, width, height);
    std::vector<Uint> bits;  // of what the shader is to read
    for (Uint k = 0; k < width * height; ++k) {
      const float number = static_cast<float>(k) * 0.25f - 3;
      Uint word = k * 2654435761u;
      if (type.empty()) std::memcpy(&word, &number, sizeof word);
      bits.push_back(word);
      if (format.format == ImageFormat::r16f) {
        const lockstep::float16_t half(number);
        std::memcpy(source.bytes().data() + 2 * k, &half, 2);
      } else {
        std::memcpy(source.bytes().data() + 4 * k, &word, 4);
      }
    }
    for (const int outside : {0, 1}) {
      std::vector<std::int32_t> places;
      for (Uint i = 0; i < lanes; ++i) {
        const bool out = outside != 0 && i % 5 == 2;
        places.push_back(static_cast<std::int32_t>(i * 3 % width) - (out ? 40 : 0));
        places.push_back(static_cast<std::int32_t>(i % height));
      }
      for (const Uint every : {1u, 3u}) {
        for (const int size : test::sizes) {
          std::vector<Uint> result(3 * lanes, 77), want(3 * lanes, 77);
          std::uint64_t faults = 0;
          for (Uint i = 0; i < lanes; i += every) {
            const bool out = places[2 * i] < 0;
            const auto texel =
                static_cast<Uint>(places[2 * i + 1]) * width + static_cast<Uint>(places[2 * i]);
            faults += out ? 1 : 0;
            want[3 * i] = out ? 0 : bits[texel];
            want[3 * i + 1] = 0;
            want[3 * i + 2] = format.others;  // outside, too: robustImageAccess2
          }
          const auto run =
              shader.bind_image(0, source).bind(1, places).bind(2, result).push(every).dispatch(
                  {1}, {.subgroup_size = size, .threads = 1});
          CAPTURE(format.name, outside, every, size);
          REQUIRE(result == want);
          REQUIRE(run.faults == faults);
        }
      }
    }
  }
}

TEST_CASE("each sample of a multisample image is a slice") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_samplerless_texture_functions : enable
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2DMS pixels;
layout(set = 0, binding = 1) uniform utexture2DMS before;
layout(set = 0, binding = 2) buffer Out { uint results[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 p = ivec2(i % 4u, i / 4u % 2u);
  int s = int(i / 8u);  // one more than there are
  uint old = imageLoad(pixels, p, s).x;
  imageStore(pixels, p, s, uvec4(old * 2u + uint(s)));
  if (s < 3) imageAtomicAdd(pixels, p, s, 1000u);
  results[i] = texelFetch(before, p, s).x * 10000u + old;
  if (i == 0u) {
    ivec2 size = imageSize(pixels);
    results[32] = uint(imageSamples(pixels) * 100 + size.x * 10 + size.y);
    results[33] = uint(textureSamples(before) * 100 + textureSize(before).x * 10 + textureSize(before).y);
  }
})");
  for (const int size : {1, 8, 24, 32}) {
    INFO("subgroup size " << size);
    std::vector<Uint> texels(4 * 2 * 3), others(4 * 2 * 3), results(34, 7);
    for (Uint i = 0; i < texels.size(); ++i) {
      texels[i] = i * i + 1;
      others[i] = 23 - i;
    }
    const std::vector<Uint> before = texels;
    const auto bytes = [](std::vector<Uint>& of) { return std::as_writable_bytes(std::span(of)); };
    Image pixels(ImageFormat::r32ui, ImageKind::two_d_array, {4, 2, 3}, bytes(texels));
    Image old(ImageFormat::r32ui, ImageKind::two_d_array, {4, 2, 3}, bytes(others));
    const auto run = shader.bind_image(0, pixels)
                         .bind_image(1, old)
                         .bind(2, results)
                         .dispatch({1}, {.subgroup_size = size});
    // Eight lanes name a sample that is not there, for a load and a fetch each. Stores there are discarded.
    CHECK(run.faults == 16);
    for (Uint i = 0; i < 24; ++i) {
      CHECK(texels[i] == before[i] * 2 + i / 8 + 1000);
      CHECK(results[i] == others[i] * 10000 + before[i]);
    }
    for (Uint i = 24; i < 32; ++i) CHECK(results[i] == 0);
    CHECK(results[32] == 342);
    CHECK(results[33] == 342);
  }
}
