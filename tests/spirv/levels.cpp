#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/descriptor_set.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/picture.hpp"

/// \file
/// Images with several levels of detail, against a chain of images of one level each.

using namespace lockstep;
using namespace lockstep::test::sampled;

namespace {

/// The levels of an image, each a picture of its own.
struct Chain {
  std::vector<Picture> levels{};
  std::vector<float> texels{};  ///< of all

  Chain(std::array<int, 3> size, int axes, bool layers, int count) {
    for (int n = 0; n < count; ++n) {
      levels.emplace_back(size, axes, layers);
      // Numbers that tell levels apart.
      for (float& texel : levels.back().texels) texel = texel * 2 + static_cast<float>(100 * n);
      texels.insert(texels.end(), levels.back().texels.begin(), levels.back().texels.end());
      for (int k = 0; k < axes; ++k) {
        int& extent = size[static_cast<std::size_t>(k)];
        if (extent > 1) extent /= 2;
      }
    }
  }

  void set(const Sampler& sampler) {
    for (Picture& level : levels) level.sampler = sampler;
  }

  Descriptor descriptor() {
    const auto& size = levels[0].size;
    return {.kind = Descriptor::Kind::texels,
            .bytes = std::as_writable_bytes(std::span(texels)),
            .format = ImageFormat::r32f,
            .extent = {static_cast<std::uint32_t>(size[0]), static_cast<std::uint32_t>(size[1]),
                       static_cast<std::uint32_t>(size[2])},
            .levels = static_cast<std::uint32_t>(levels.size()),
            .sampler = levels[0].sampler};
  }

  /// At a level of detail that is already limited by the sampler.
  double at(const float* w, double detail) const {
    const Sampler& s = levels[0].sampler;
    const Filter filter = detail <= 0 ? s.mag_filter : s.min_filter;
    const auto in = [&](int number) {
      const Picture& level = levels[static_cast<std::size_t>(number)];
      return filter == Filter::linear ? level.linear(w) : level.nearest(w);
    };
    const int last = static_cast<int>(levels.size()) - 1;
    if (detail <= 0) return in(0);
    if (detail >= last) return in(last);
    int whole = 0;
    while (whole + 1 <= detail) ++whole;
    const double rest = detail - whole;
    if (s.mipmap_mode == Filter::nearest) return in(rest > 0.5 ? whole + 1 : whole);
    return rest == 0 ? in(whole) : in(whole) * (1 - rest) + in(whole + 1) * rest;
  }
};

}  // namespace

TEST_CASE("texels of each level are fetched, and its size is known") {
  struct Shape {
    const char *type, *place, *size;
    Chain chain;
  };
  const Shape shapes[] = {
      {"sampler1D", "i % 13u", "ivec3(textureSize(s, lod), 1, 1)", {{13, 1, 1}, 1, false, 4}},
      {"sampler1DArray",
       "ivec2(i % 7u, i % 3u)",
       "ivec3(textureSize(s, lod), 1)",
       {{7, 3, 1}, 1, true, 3}},
      {"sampler2D",
       "ivec2(i % 5u, i / 5u % 3u)",
       "ivec3(textureSize(s, lod), 1)",
       {{13, 6, 1}, 2, false, 4}},
      {"sampler2DArray",
       "ivec3(i % 3u, i / 3u % 4u, i % 5u)",
       "textureSize(s, lod)",
       {{3, 9, 5}, 2, true, 4}},
      {"sampler3D",
       "ivec3(i % 4u, i / 4u % 3u, i % 5u)",
       "textureSize(s, lod)",
       {{5, 4, 11}, 3, false, 4}},
  };
  for (const Shape& shape : shapes) {
    Chain chain = shape.chain;
    const int count = static_cast<int>(chain.levels.size());
    // One level more than there are.
    auto shader = Shader::from_glsl(source_of(
        "layout(set = 0, binding = 0) uniform " + std::string(shape.type) +
            " s;\nlayout(set = 1, binding = 2) buffer Sizes { ivec4 sizes[]; };\n"
            "vec4 found(uint i) {\n  int lod = int(i) % " +
            std::to_string(count + 1) + ";\n  sizes[i] = ivec4(" + shape.size +
            ", textureQueryLevels(s));\n  return texelFetch(s, " +
            (shape.type == std::string("sampler1D") ? "int(" : "(") + shape.place + "), lod);\n}",
        "found(i)"));
    shader.bind_descriptor(0, 0, chain.descriptor());
    std::vector<float> where = coordinates();
    for (const int size : sizes) {
      std::vector<float> results(4 * lanes, -1.0f);
      std::vector<int> found(4 * lanes);
      const auto done = shader.bind(1, 0, where)
                            .bind(1, 1, results)
                            .bind(1, 2, found)
                            .dispatch({1}, {.subgroup_size = size});
      INFO(shape.type << ", subgroup size " << size);
      std::uint64_t outside = 0;
      for (std::size_t i = 0; i < lanes; ++i) {
        const int n = static_cast<int>(i), lod = n % (count + 1);
        REQUIRE(found[4 * i + 3] == count);
        std::array<int, 3> extent{0, 0, 0}, place{0, 0, 0};
        const std::string type = shape.type;
        if (type == "sampler1D") place = {n % 13, 0, 0};
        if (type == "sampler1DArray") place = {n % 7, n % 3, 0};
        if (type == "sampler2D") place = {n % 5, n / 5 % 3, 0};
        if (type == "sampler2DArray") place = {n % 3, n / 3 % 4, n % 5};
        if (type == "sampler3D") place = {n % 4, n / 4 % 3, n % 5};
        if (lod < count) extent = chain.levels[static_cast<std::size_t>(lod)].size;
        bool inside = true;
        for (std::size_t k = 0; k < 3; ++k) {
          inside = inside && place[k] < extent[k];
          const bool asked = k < (type == "sampler1D"         ? 1u
                                  : type.ends_with("1DArray") ? 2u
                                  : type == "sampler2D"       ? 2u
                                                              : 3u);
          if (asked) REQUIRE(found[4 * i + k] == extent[k]);
        }
        outside += inside ? 0 : 1;
        const float want = inside ? chain.levels[static_cast<std::size_t>(lod)].at(place) : 0;
        REQUIRE(results[4 * i] == want);
      }
      REQUIRE(done.faults == outside);
    }
  }
}

TEST_CASE("images are sampled at each level of detail, and between levels") {
  struct Shape {
    const char *type, *coordinate;
    Chain chain;
  };
  const Shape shapes[] = {{"sampler1DArray", "w.xy", {{8, 3, 1}, 1, true, 4}},
                          {"sampler2D", "w.xy", {{4, 8, 1}, 2, false, 4}},
                          {"sampler2DArray", "w.xyz", {{4, 2, 5}, 2, true, 3}},
                          {"sampler3D", "w.xyz", {{2, 4, 8}, 3, false, 3}}};
  std::vector<float> where = coordinates();
  for (const Shape& shape : shapes) {
    Chain chain = shape.chain;
    auto shader = Shader::from_glsl(source_of(
        "layout(set = 0, binding = 0) uniform " + std::string(shape.type) + " s;",
        "textureLod(s, " + std::string(shape.coordinate) + ", float(int(i % 25u) - 4) / 4.0)"));
    for (int k = 0; k < 12; ++k) {
      Sampler sampler;
      sampler.mag_filter = k % 2 == 0 ? Filter::nearest : Filter::linear;
      sampler.min_filter = k / 2 % 2 == 0 ? Filter::nearest : Filter::linear;
      sampler.mipmap_mode = k / 4 % 2 == 0 ? Filter::linear : Filter::nearest;
      sampler.address_mode_u = AddressMode::mirrored_repeat;
      sampler.address_mode_v = AddressMode::clamp_to_edge;
      if (k >= 8) {
        sampler.lod_bias = 0.5f;
        sampler.min_lod = 0.75f;
        sampler.max_lod = 2.25f;
      }
      chain.set(sampler);
      shader.bind_descriptor(0, 0, chain.descriptor());
      INFO(shape.type << ", " << k);
      run(shader, where, [&](const std::vector<float>& got) {
        for (std::size_t i = 0; i < lanes; ++i) {
          double detail = static_cast<double>(static_cast<int>(i % 25) - 4) / 4;
          if (k >= 8) detail = std::min(std::max(detail + 0.5, 0.75), 2.25);
          INFO("lane " << i << ", level of detail " << detail);
          REQUIRE(static_cast<double>(got[4 * i]) == chain.at(&where[4 * i], detail));
          REQUIRE(got[4 * i + 3] == 1);
        }
      });
    }
  }
}

TEST_CASE("gradients choose the level whose texels are as large as they are") {
  Chain chain({16, 16, 1}, 2, false, 5);
  Sampler sampler;
  sampler.min_filter = Filter::linear;
  sampler.mipmap_mode = Filter::linear;
  chain.set(sampler);
  // One gradient of 2^(i % 7 - 1) texels in y, one of a quarter of it in x.
  auto shader = Shader::from_glsl(
      source_of("layout(set = 0, binding = 0) uniform sampler2D s;",
                "textureGrad(s, w.xy, vec2(exp2(float(i % 7u) - 3.0) / 16.0, 0.0), vec2(0.0, "
                "exp2(float(i % 7u) - 1.0) / 16.0))"));
  shader.bind_descriptor(0, 0, chain.descriptor());
  std::vector<float> where = coordinates();
  run(shader, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      INFO("lane " << i);
      const double detail = static_cast<double>(i % 7) - 1;
      REQUIRE(static_cast<double>(got[4 * i]) == Approx(chain.at(&where[4 * i], detail)));
    }
  });
}

TEST_CASE("each sample of each layer of a multisample array is a slice") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_samplerless_texture_functions : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2DMSArray pixels;
layout(set = 0, binding = 1) uniform utexture2DMSArray before;
layout(set = 0, binding = 2) buffer Out { uint results[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  ivec3 p = ivec3(i % 2u, i / 2u % 2u, i / 4u % 4u);  // one layer more than there are
  int s = int(i / 16u);                               // and one sample
  uint old = imageLoad(pixels, p, s).x;
  imageStore(pixels, p, s, uvec4(old * 2u + uint(s)));
  if (s < 3 && p.z < 3) imageAtomicAdd(pixels, p, s, 1000u);
  results[i] = texelFetch(before, p, s).x * 10000u + old;
  if (i == 0u) {
    ivec3 size = imageSize(pixels);
    results[64] = uint(imageSamples(pixels) * 1000 + size.x * 100 + size.y * 10 + size.z);
    size = textureSize(before);
    results[65] = uint(textureSamples(before) * 1000 + size.x * 100 + size.y * 10 + size.z);
  }
})");
  for (const int size : {1, 8, 24, 64}) {
    INFO("subgroup size " << size);
    std::vector<std::uint32_t> texels(2 * 2 * 3 * 3), others(texels.size()), results(66, 7);
    for (std::uint32_t k = 0; k < texels.size(); ++k) {
      texels[k] = k * k + 1;
      others[k] = 99 - k;
    }
    const std::vector<std::uint32_t> before = texels;
    const auto with_samples = [](std::vector<std::uint32_t>& of) {
      return Descriptor{.kind = Descriptor::Kind::texels,
                        .bytes = std::as_writable_bytes(std::span(of)),
                        .format = ImageFormat::r32ui,
                        .extent = {2, 2, 9},
                        .samples = 3};
    };
    const auto run = shader.bind_descriptor(0, 0, with_samples(texels))
                         .bind_descriptor(0, 1, with_samples(others))
                         .bind(2, results)
                         .dispatch({1}, {.subgroup_size = size});
    std::uint64_t outside = 0;
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint32_t layer = i / 4 % 4, sample = i / 16;
      if (layer == 3 || sample == 3) {
        outside += 2;  // a load and a fetch; the store is discarded
        CHECK(results[i] == 0);
        continue;
      }
      const std::uint32_t k = (layer * 3 + sample) * 4 + i % 4;
      CHECK(texels[k] == before[k] * 2 + sample + 1000);
      CHECK(results[i] == others[k] * 10000 + before[k]);
    }
    CHECK(run.faults == outside);
    CHECK(results[64] == 3223);
    CHECK(results[65] == 3223);
  }
}

TEST_CASE("levels, faces and samples that an image cannot have are rejected") {
  std::vector<float> texels(64), where = coordinates(), results(4 * lanes);
  Descriptor image{.kind = Descriptor::Kind::texels,
                   .bytes = std::as_writable_bytes(std::span(texels)),
                   .format = ImageFormat::r32f,
                   .extent = {4, 4, 1},
                   .sampler = Sampler{}};
  const auto check = [&](const char* type, const char* call, const char* message) {
    auto shader = Shader::from_glsl(
        source_of("layout(set = 0, binding = 0) uniform " + std::string(type) + " s;", call));
    shader.bind(1, 0, where).bind(1, 1, results).bind_descriptor(0, 0, image);
    CHECK_THROWS_WITH(shader.dispatch({1}, {.subgroup_size = 32}), Catch::EndsWith(message));
  };
  image.levels = 4;
  check("sampler2D", "textureLod(s, w.xy, 0.0)",
        "binding 0 (s) has 4 levels, but an image of its size has 1 to 3");
  image.levels = 0;
  check("sampler2D", "textureLod(s, w.xy, 0.0)",
        "binding 0 (s) has 0 levels, but an image of its size has 1 to 3");
  image.extent = {8, 8, 1};
  image.levels = 4;
  check("sampler2D", "textureLod(s, w.xy, 0.0)",
        "binding 0 (s) has 85 texels in 4 levels in r32f, but 256 bytes are bound to it");
  image.levels = 1;
  check("samplerCube", "textureLod(s, w.xyz, 0.0)",
        "binding 0 (s) is a cube, but 8 x 8 x 1 texels are bound to it: each cube has six square "
        "layers");
  image.extent = {4, 4, 3};
  image.samples = 2;
  check("sampler2DMSArray", "texelFetch(s, ivec3(w.xyz), 0)",
        "binding 0 (s) has 3 slices of 2 samples: each layer has a slice for each sample");
}
