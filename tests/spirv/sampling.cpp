#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/picture.hpp"
#include "support/texels.hpp"

/// \file
/// Texture functions in compute shaders, against a sampler written texel by texel.

using namespace lockstep;
using namespace lockstep::test::sampled;

TEST_CASE("images are sampled with every filter and address mode, of every dimension") {
  struct Shape {
    const char* type;
    const char* coordinate;
    Picture picture;
  };
  const Shape shapes[] = {{"sampler1D", "w.x", {{16, 1, 1}, 1, false}},
                          {"sampler1DArray", "w.xy", {{8, 3, 1}, 1, true}},
                          {"sampler2D", "w.xy", {{4, 8, 1}, 2, false}},
                          {"sampler2DArray", "w.xyz", {{4, 2, 5}, 2, true}},
                          {"sampler3D", "w.xyz", {{2, 4, 8}, 3, false}}};
  std::vector<float> where = coordinates();
  for (const Shape& shape : shapes) {
    Picture picture = shape.picture;
    auto shader = Shader::from_glsl(
        source_of("layout(set = 0, binding = 0) uniform " + std::string(shape.type) + " s;",
                  "textureLod(s, " + std::string(shape.coordinate) + ", 0.0)"));
    Image image = picture.image();
    shader.bind_image(0, image);
    for (std::size_t k = 0; k < 10; ++k) {
      Sampler& sampler = picture.sampler;
      sampler.mag_filter = k < 5 ? Filter::nearest : Filter::linear;
      sampler.min_filter = k < 5 ? Filter::linear : Filter::nearest;
      sampler.address_mode_u = modes[k % 5];
      sampler.address_mode_v = modes[(k + 1) % 5];
      sampler.address_mode_w = modes[(k + 3) % 5];
      sampler.border_color = k % 2 == 0 ? BorderColor::opaque_white : BorderColor::opaque_black;
      shader.bind_sampler(0, sampler);
      INFO(shape.type << ", " << k);
      run(shader, where, [&](const std::vector<float>& got) {
        for (std::size_t i = 0; i < lanes; ++i) {
          const float* w = &where[4 * i];
          const double want = k < 5 ? picture.nearest(w) : picture.linear(w);
          REQUIRE(static_cast<double>(got[4 * i]) == want);
          REQUIRE(got[4 * i + 3] == 1);  // what the format lacks, and an opaque border's
        }
      });
    }
  }
}

TEST_CASE("linear filtering has the weights of the coordinate for images of any size") {
  Picture picture({7, 5, 1}, 2, false);
  picture.sampler.mag_filter = Filter::linear;
  auto shader = Shader::from_glsl(
      source_of("layout(set = 0, binding = 0) uniform sampler2D s;", "texture(s, w.xy * 0.37)"));
  Image image = picture.image();
  shader.bind_image(0, image).bind_sampler(0, picture.sampler);
  std::vector<float> where = coordinates();
  run(shader, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const float uv[] = {where[4 * i] * 0.37f, where[4 * i + 1] * 0.37f};
      REQUIRE(got[4 * i] == Approx(picture.linear(uv)).margin(1e-4));
    }
  });
}

TEST_CASE("the level of detail selects the filter") {
  Picture picture({8, 4, 1}, 2, false);
  Image image = picture.image();
  std::vector<float> where = coordinates();
  struct Way {
    const char* call;
    bool (*smaller)(const float* w);
  };
  const Way ways[] = {
      {"textureLod(s, w.xy, w.z)", [](const float* w) { return w[2] > 0; }},
      {"textureGrad(s, w.xy, vec2(w.z, 0) / 8.0, vec2(0, w.w) / 4.0)",
       [](const float* w) { return std::fabs(w[2]) > 1 || std::fabs(w[3]) > 1; }},
  };
  for (const Way& way : ways) {
    auto shader =
        Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform sampler2D s;", way.call));
    for (const bool mag_is_linear : {false, true}) {
      picture.sampler.mag_filter = mag_is_linear ? Filter::linear : Filter::nearest;
      picture.sampler.min_filter = mag_is_linear ? Filter::nearest : Filter::linear;
      shader.bind_image(0, image).bind_sampler(0, picture.sampler);
      run(shader, where, [&](const std::vector<float>& got) {
        for (std::size_t i = 0; i < lanes; ++i) {
          const float* w = &where[4 * i];
          const bool linear = way.smaller(w) != mag_is_linear;
          INFO(way.call << " lane " << i);
          REQUIRE(static_cast<double>(got[4 * i]) ==
                  (linear ? picture.linear(w) : picture.nearest(w)));
        }
      });
    }
    // A minimum above zero: always the one for minification.
    picture.sampler.mag_filter = Filter::nearest;
    picture.sampler.min_filter = Filter::linear;
    picture.sampler.min_lod = 0.5f;
    shader.bind_image(0, image).bind_sampler(0, picture.sampler);
    run(shader, where, [&](const std::vector<float>& got) {
      for (std::size_t i = 0; i < lanes; ++i)
        REQUIRE(static_cast<double>(got[4 * i]) == picture.linear(&where[4 * i]));
    });
    picture.sampler.min_lod = 0;
  }
}

TEST_CASE("texelFetch with offsets, textureSize and textureQueryLevels") {
  Picture picture({8, 4, 1}, 2, false);
  Image image = picture.image();
  auto shader = Shader::from_glsl(
      source_of("layout(set = 0, binding = 0) uniform sampler2D s;\n"
                "layout(set = 0, binding = 2) uniform texture2D t;",
                "vec4(texelFetch(s, ivec2(i % 8u, i / 8u % 4u), 0).x, "
                "texelFetchOffset(t, ivec2(i % 4u, i / 8u % 3u), 0, ivec2(3, 1)).x, "
                "textureSize(s, 0).x * 100 + textureSize(t, 0).y, textureQueryLevels(s))"));
  shader.bind_image(0, image).bind_image(2, image);
  std::vector<float> where = coordinates();
  run(shader, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const int n = static_cast<int>(i);
      REQUIRE(got[4 * i] == picture.at({n % 8, n / 8 % 4, 0}));
      REQUIRE(got[4 * i + 1] == picture.at({n % 4 + 3, n / 8 % 3 + 1, 0}));
      REQUIRE(got[4 * i + 2] == 804);
      REQUIRE(got[4 * i + 3] == 1);
    }
  });
}

TEST_CASE("a level of detail that an image does not have is a fault") {
  Picture picture({8, 4, 1}, 2, false);
  Image image = picture.image();
  auto shader = Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform sampler2D s;",
                                            "texelFetch(s, ivec2(1, 1), int(i % 2u))"));
  shader.bind_image(0, image);
  std::vector<float> where = coordinates(), results(4 * lanes);
  const auto done =
      shader.bind(1, 0, where).bind(1, 1, results).dispatch({1}, {.subgroup_size = 32});
  CHECK(done.faults == lanes / 2);
  for (std::size_t i = 0; i < lanes; ++i)
    REQUIRE(results[4 * i] == (i % 2 == 0 ? picture.at({1, 1, 0}) : 0));
}

TEST_CASE("sampling with offsets and projections") {
  Picture picture({8, 4, 1}, 2, false);
  picture.sampler.mag_filter = Filter::linear;
  picture.sampler.address_mode_u = AddressMode::clamp_to_edge;
  Image image = picture.image();
  auto shader =
      Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform sampler2D s;",
                                  "vec4(textureLodOffset(s, w.xy, 0.0, ivec2(2, -3)).x, "
                                  "textureProj(s, vec3(w.xy * 2.0, 2.0)).x, "
                                  "textureProjLod(s, vec4(w.xy * 0.5, 77.0, 0.5), 0.0).x, "
                                  "textureOffset(s, w.xy, ivec2(-1, 0)).x)"));
  shader.bind_image(0, image).bind_sampler(0, picture.sampler);
  std::vector<float> where = coordinates();
  run(shader, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const float* w = &where[4 * i];
      const float moved[] = {w[0] + 2.0f / 8, w[1] - 3.0f / 4}, left[] = {w[0] - 1.0f / 8, w[1]};
      REQUIRE(static_cast<double>(got[4 * i]) == picture.linear(moved));
      REQUIRE(static_cast<double>(got[4 * i + 1]) == picture.linear(w));
      REQUIRE(static_cast<double>(got[4 * i + 2]) == picture.linear(w));
      REQUIRE(static_cast<double>(got[4 * i + 3]) == picture.linear(left));
    }
  });
}

TEST_CASE("textureGather of each component, with one offset or four") {
  Picture picture({4, 8, 1}, 2, false);
  Image image = picture.image();
  std::vector<float> where = coordinates();
  const auto gather = [&](const std::string& call, auto want) {
    auto shader =
        Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform sampler2D s;", call));
    shader.bind_image(0, image).bind_sampler(0, picture.sampler);
    INFO(call);
    run(shader, where, [&](const std::vector<float>& got) {
      for (std::size_t i = 0; i < lanes; ++i) {
        const std::array<int, 3> low = picture.whole(&where[4 * i], 0.5);
        for (int k = 0; k < 4; ++k)
          REQUIRE(got[4 * i + static_cast<std::size_t>(k)] == want(low, k));
      }
    });
  };
  constexpr int right[] = {0, 1, 1, 0}, up[] = {1, 1, 0, 0};
  const auto moved = [&](std::array<int, 3> p, int x, int y) {
    return picture.at({p[0] + x, p[1] + y, 0});
  };
  gather("textureGather(s, w.xy)", [&](const auto& p, int k) { return moved(p, right[k], up[k]); });
  gather("textureGather(s, w.xy, 3)", [](const auto&, int) { return 1.0f; });
  gather("textureGatherOffset(s, w.xy, ivec2(2, -1))",
         [&](const auto& p, int k) { return moved(p, right[k] + 2, up[k] - 1); });
  constexpr int x[] = {0, 3, -2, 1}, y[] = {1, -1, 0, 2};
  gather(
      "textureGatherOffsets(s, w.xy, ivec2[](ivec2(0, 1), ivec2(3, -1), ivec2(-2, 0), ivec2(1, "
      "2)))",
      [&](const auto& p, int k) { return moved(p, x[k], y[k]); });
}

TEST_CASE("shadow samplers compare before they filter") {
  struct Comparison {
    CompareOp op;
    bool (*holds)(float reference, float texel);
  };
  const Comparison comparisons[] = {
      {CompareOp::never, [](float, float) { return false; }},
      {CompareOp::less, [](float r, float t) { return r < t; }},
      {CompareOp::equal, [](float r, float t) { return r == t; }},
      {CompareOp::less_or_equal, [](float r, float t) { return r <= t; }},
      {CompareOp::greater, [](float r, float t) { return r > t; }},
      {CompareOp::not_equal, [](float r, float t) { return r != t; }},
      {CompareOp::greater_or_equal, [](float r, float t) { return r >= t; }},
      {CompareOp::always, [](float, float) { return true; }},
  };
  Picture picture({4, 8, 1}, 2, false);
  for (float& texel : picture.texels) texel = std::floor(texel / 16);
  Image image = picture.image();
  std::vector<float> where = coordinates();
  for (std::size_t i = 0; i < lanes; ++i) where[4 * i + 2] = std::floor(where[4 * i + 2]);
  auto shader = Shader::from_glsl(
      source_of("layout(set = 0, binding = 0) uniform sampler2DShadow s;",
                "vec4(textureLod(s, w.xyz, 0.0), textureGather(s, w.xy, w.z).xyz)"));
  for (const Comparison& comparison : comparisons) {
    picture.sampler.mag_filter = Filter::linear;
    picture.sampler.compares = true;
    picture.sampler.compare_op = comparison.op;
    shader.bind_image(0, image).bind_sampler(0, picture.sampler);
    run(shader, where, [&](const std::vector<float>& got) {
      for (std::size_t i = 0; i < lanes; ++i) {
        const float* w = &where[4 * i];
        Picture answers = picture;
        for (float& t : answers.texels) t = comparison.holds(w[2], t) ? 1 : 0;
        REQUIRE(static_cast<double>(got[4 * i]) == answers.linear(w));
        const auto low = picture.whole(w, 0.5);
        REQUIRE(got[4 * i + 1] == answers.at({low[0], low[1] + 1, 0}));
        REQUIRE(got[4 * i + 2] == answers.at({low[0] + 1, low[1] + 1, 0}));
        REQUIRE(got[4 * i + 3] == answers.at({low[0] + 1, low[1], 0}));
      }
    });
  }
}

TEST_CASE("separate textures and samplers, in arrays and non-uniform") {
  auto shader = Shader::from_glsl(
      source_of("layout(set = 0, binding = 0) uniform texture2D t[3];\n"
                "layout(set = 0, binding = 1) uniform sampler how[2];\n"
                "layout(set = 0, binding = 2) uniform sampler2D both[];",
                "vec4(textureLod(sampler2D(t[1], how[0]), w.xy, 0.0).x, "
                "textureLod(nonuniformEXT(sampler2D(t[i % 3u], how[i % 2u])), w.xy, 0.0).x, "
                "textureLod(both[nonuniformEXT(i / 5u % 2u)], w.xy, 0.0).x, 0.0)"));
  std::vector<Picture> pictures;
  for (const int width : {2, 4, 8}) pictures.emplace_back(std::array{width, 4, 1}, 2, false);
  std::vector<Image> images;
  for (Picture& p : pictures) images.push_back(p.image());
  Sampler how[2];
  how[0].mag_filter = Filter::linear;
  how[1].address_mode_u = how[1].address_mode_v = AddressMode::clamp_to_edge;
  for (std::uint32_t k = 0; k < 3; ++k) shader.bind_image(0, 0, images[k], k);
  for (std::uint32_t k = 0; k < 2; ++k) {
    shader.bind_sampler(0, 1, how[k], k);
    shader.bind_image(0, 2, images[k + 1], k).bind_sampler(0, 2, how[1 - k], k);
  }
  std::vector<float> where = coordinates();
  const auto look = [&](std::size_t picture, std::size_t sampler, const float* w) {
    Picture p = pictures[picture];
    p.sampler = how[sampler];
    return sampler == 0 ? p.linear(w) : p.nearest(w);
  };
  run(shader, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const float* w = &where[4 * i];
      REQUIRE(static_cast<double>(got[4 * i]) == look(1, 0, w));
      REQUIRE(static_cast<double>(got[4 * i + 1]) == look(i % 3, i % 2, w));
      REQUIRE(static_cast<double>(got[4 * i + 2]) == look(i / 5 % 2 + 1, 1 - i / 5 % 2, w));
    }
  });
}

TEST_CASE("images of integers and of normalized numbers are sampled in their own types") {
  auto shader =
      Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform usampler2D u;\n"
                                  "layout(set = 0, binding = 1) uniform isampler2D n;\n"
                                  "layout(set = 0, binding = 2) uniform sampler2D f;",
                                  "vec4(textureLod(u, w.xy, 0.0).y, textureLod(n, w.xy, 0.0).x, "
                                  "textureLod(f, w.xy, 0.0).zw)"));
  Image2D u(ImageFormat::rg16ui, 4, 4), n(ImageFormat::r8i, 4, 4), f(ImageFormat::rgba8, 4, 4);
  for (Image* image : {static_cast<Image*>(&u), static_cast<Image*>(&n), static_cast<Image*>(&f)}) {
    std::uint32_t k = 0;
    for (std::byte& b : image->bytes()) b = static_cast<std::byte>(k++ * 29);
  }
  Sampler linear;
  linear.mag_filter = linear.min_filter = Filter::linear;
  shader.bind_image(0, u).bind_image(1, n).bind_image(2, f);
  shader.bind_sampler(0, {}).bind_sampler(1, {}).bind_sampler(2, linear);
  std::vector<float> where = coordinates();
  run(shader, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const float* w = &where[4 * i];
      Picture at({4, 4, 1}, 2, false);
      for (std::size_t k = 0; k < 16; ++k) {
        std::uint16_t raw;
        std::memcpy(&raw, &u.bytes()[4 * k + 2], 2);
        at.texels[k] = raw;
      }
      REQUIRE(static_cast<double>(got[4 * i]) == at.nearest(w));
      for (std::size_t k = 0; k < 16; ++k)
        at.texels[k] = static_cast<float>(static_cast<std::int8_t>(n.bytes()[k]));
      REQUIRE(static_cast<double>(got[4 * i + 1]) == at.nearest(w));
      for (std::size_t c = 2; c < 4; ++c) {
        for (std::size_t k = 0; k < 16; ++k)
          at.texels[k] = static_cast<float>(static_cast<unsigned>(f.bytes()[4 * k + c])) / 255.0f;
        REQUIRE(got[4 * i + c] == Approx(at.linear(w)).margin(1e-6));
      }
    }
  });
}

TEST_CASE("formats of floats are filtered with every address mode") {
  std::vector<float> where = coordinates();
  auto shader = Shader::from_glsl(
      source_of("layout(set = 0, binding = 0) uniform sampler2D s;", "texture(s, w.xy * 0.37)"));
  for (const ImageFormat format :
       {ImageFormat::r8, ImageFormat::rg8, ImageFormat::rgba8, ImageFormat::rgba8_snorm,
        ImageFormat::r16, ImageFormat::rg16_snorm, ImageFormat::rgba16, ImageFormat::r16f,
        ImageFormat::rgba16f, ImageFormat::rg32f, ImageFormat::rgba32f, ImageFormat::rgb10_a2}) {
    const auto components = test::components_of(to_string(format));
    for (const int width : {7, 2, 1}) {
      Picture picture({width, 5, 1}, 2, false);
      Image2D image(format, static_cast<std::uint32_t>(width), 5);
      // No NaN and no infinity.
      for (std::size_t b = 0; b < image.bytes().size(); ++b)
        image.bytes()[b] = static_cast<std::byte>((b * 89 + 7) & 0xbb);
      for (std::size_t k = 0; k < 10; ++k) {
        Sampler& sampler = picture.sampler;
        sampler.mag_filter = sampler.min_filter = k < 5 ? Filter::nearest : Filter::linear;
        sampler.address_mode_u = modes[k % 5];
        sampler.address_mode_v = modes[(k + 1) % 5];
        const BorderColor border =
            k % 2 == 0 ? BorderColor::opaque_white : BorderColor::transparent_black;
        sampler.border_color = border;
        shader.bind_image(0, image).bind_sampler(0, sampler);
        INFO(to_string(format) << ", width " << width << ", " << k);
        run(shader, where, [&](const std::vector<float>& got) {
          for (std::size_t c = 0; c < 4; ++c) {
            // What a format lacks is the same on the border.
            if (c >= components.size())
              sampler.border_color =
                  c == 3 ? BorderColor::opaque_white : BorderColor::transparent_black;
            else
              sampler.border_color = border;
            for (std::size_t t = 0; t < picture.texels.size(); ++t)
              picture.texels[t] =
                  c < components.size()
                      ? test::loaded_float(
                            components[c],
                            test::raw_component(&image.bytes()[t * texel_bytes(format)],
                                                components[c]))
                      : static_cast<float>(c == 3);
            for (std::size_t i = 0; i < lanes; ++i) {
              const float uv[] = {where[4 * i] * 0.37f, where[4 * i + 1] * 0.37f};
              const double want = k < 5 ? picture.nearest(uv) : picture.linear(uv);
              REQUIRE(got[4 * i + c] == static_cast<float>(want));
            }
          }
        });
      }
    }
  }
}

TEST_CASE("some lanes sample an image that is chosen for all of them") {
  std::vector<float> where = coordinates();
  Picture pictures[] = {Picture({7, 5, 1}, 2, false), Picture({4, 3, 1}, 2, false)};
  Image images[] = {pictures[0].image(), pictures[1].image()};
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 96) in;
layout(push_constant) uniform Push { uint which; };
layout(set = 0, binding = 0) uniform sampler2D s[2];
layout(set = 1, binding = 0) readonly buffer In { vec4 where[]; };
layout(set = 1, binding = 1) buffer Out { vec4 results[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i % 7u < 3u) results[i] = texture(s[which], where[i].xy);
})");
  for (std::uint32_t which = 0; which < 2; ++which) {
    for (const Filter filter : {Filter::nearest, Filter::linear}) {
      Sampler& sampler = pictures[which].sampler;
      sampler.mag_filter = sampler.min_filter = filter;
      for (std::uint32_t k = 0; k < 2; ++k)
        shader.bind_image(0, 0, images[k], k).bind_sampler(0, 0, sampler, k);
      shader.push(which);
      run(shader, where, [&](const std::vector<float>& got) {
        for (std::size_t i = 0; i < lanes; ++i) {
          const float* w = &where[4 * i];
          const double want =
              filter == Filter::nearest ? pictures[which].nearest(w) : pictures[which].linear(w);
          REQUIRE(got[4 * i] == (i % 7 < 3 ? static_cast<float>(want) : -1.0f));
        }
      });
    }
  }
}

TEST_CASE("unnormalized coordinates") {
  Picture picture({8, 4, 1}, 2, false);
  Image image = picture.image();
  picture.sampler.unnormalized_coordinates = true;
  picture.sampler.address_mode_u = picture.sampler.address_mode_v = AddressMode::clamp_to_edge;
  auto shader = Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform sampler2D s;",
                                            "textureLod(s, w.xy * vec2(8, 4), 0.0)"));
  shader.bind_image(0, image).bind_sampler(0, picture.sampler);
  std::vector<float> where = coordinates();
  run(shader, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i)
      REQUIRE(static_cast<double>(got[4 * i]) == picture.nearest(&where[4 * i]));
  });
}

TEST_CASE("NaN and distant coordinates read some texel") {
  Picture picture({8, 4, 1}, 2, false);
  Image image = picture.image();
  for (const AddressMode mode : modes) {
    Sampler sampler;
    sampler.mag_filter = Filter::linear;
    sampler.address_mode_u = sampler.address_mode_v = mode;
    auto shader = Shader::from_glsl(
        source_of("layout(set = 0, binding = 0) uniform sampler2D s;", "textureLod(s, w.xy, 0.0)"));
    shader.bind_image(0, image).bind_sampler(0, sampler);
    std::vector<float> where(4 * lanes);
    const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f};
    for (std::size_t k = 0; k < where.size(); ++k) where[k] = odd[k % 6];
    run(shader, where, [](const std::vector<float>& got) {
      for (std::size_t i = 0; i < lanes; ++i) REQUIRE(std::fabs(got[4 * i]) <= 44);
    });
  }
}

TEST_CASE("an image without texels, or one past the end of an array, is a fault") {
  auto shader = Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform sampler2D s[];",
                                            "textureLod(s[nonuniformEXT(i % 3u)], w.xy, 0.0)"));
  std::vector<float> texel{5}, where = coordinates(), results(4 * lanes, -1.0f);
  shader.bind_texels(0, 0, ImageFormat::r32f, std::as_writable_bytes(std::span(texel)), 0);
  shader.bind_texels(0, 0, ImageFormat::r32f, {}, 1);
  for (const std::uint32_t k : {0u, 1u, 2u}) shader.bind_sampler(0, 0, {}, k);
  const auto done =
      shader.bind(1, 0, where).bind(1, 1, results).dispatch({1}, {.subgroup_size = 32});
  CHECK(done.faults == lanes / 3 * 2);
  for (std::size_t i = 0; i < lanes; ++i) {
    REQUIRE(results[4 * i] == (i % 3 == 0 ? 5 : 0));
    REQUIRE(results[4 * i + 3] == (i % 3 == 0 ? 1 : 0));
  }
}

namespace {

struct Reads : Observer {
  void on(const Event& event) override {
    if (event.kind == Event::Kind::read && !event.name.empty()) events.push_back(event);
  }
  std::vector<Event> events;
};

}  // namespace

TEST_CASE("an observer receives the coordinates and results of sampling") {
  Picture picture({8, 4, 1}, 2, false);
  Image image = picture.image();
  auto shader = Shader::from_glsl(
      source_of("layout(set = 0, binding = 5) uniform sampler2D s;",
                "i % 2u == 0u ? textureLod(s, w.zw, 0.0) : textureGather(s, w.xy)"),
      {}, "look.comp");
  shader.bind_image(5, image).bind_sampler(5, {});
  std::vector<float> where = coordinates(), results(4 * lanes);
  Reads told;
  const Convergence convergence{.observer = &told};
  shader.bind(1, 0, where).bind(1, 1, results);
  shader.dispatch({1}, {.subgroup_size = 128, .convergence = &convergence});
  REQUIRE(told.events.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    const Event& event = told.events[k];
    CHECK(event.access.object.binding == 5);
    CHECK(event.access.bytes == 0);
    CHECK(event.where.line == 11);
    REQUIRE(event.operands.size() == 1);
    for (std::size_t i = 0; i < lanes; ++i) {
      REQUIRE(event.others.test(static_cast<int>(i)) == (i % 2 == k));
      if (i % 2 != k) continue;
      for (std::size_t c = 0; c < 2; ++c) {
        std::uint32_t bits;
        std::memcpy(&bits, &where[4 * i + (k == 0 ? 2 : 0) + c], 4);
        REQUIRE(event.operands[0].bits[2 * i + c] == bits);
      }
      for (std::size_t c = 0; c < 4; ++c) {
        std::uint32_t bits;
        std::memcpy(&bits, &results[4 * i + c], 4);
        REQUIRE(event.result.bits[4 * i + c] == bits);
      }
    }
  }
}

TEST_CASE("samplers of another type and missing ones are rejected") {
  const auto shader_of = [](const char* type, const char* call) {
    return Shader::from_glsl(
        source_of("layout(set = 0, binding = 3) uniform " + std::string(type) + " s;", call), {},
        "look.comp");
  };
  std::vector<float> where = coordinates(), results(4 * lanes);
  Image2D image(ImageFormat::r32f, 4, 4), whole(ImageFormat::r32ui, 4, 4);
  const auto message = [&](Shader& shader) -> std::string {
    try {
      shader.bind(1, 0, where).bind(1, 1, results).dispatch({1});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  auto plain = shader_of("sampler2D", "textureLod(s, w.xy, 0.0)");
  plain.bind_image(0, 3, image);
  CHECK(message(plain) == "look.comp: no sampler is bound to set 0, binding 3 (s): bind one to it");
  Sampler sampler;
  sampler.compares = true;
  plain.bind_sampler(0, 3, sampler);
  CHECK(message(plain) ==
        "look.comp:11: set 0, binding 3 (s) is not a shadow sampler, but the sampler bound to it "
        "compares");
  auto shadow = shader_of("sampler2DShadow", "vec4(textureLod(s, w.xyz, 0.0))");
  shadow.bind_image(0, 3, image).bind_sampler(0, 3, {});
  CHECK(message(shadow) ==
        "look.comp:11: set 0, binding 3 (s) is a shadow sampler, but the sampler "
        "bound to it does not compare");
  auto integers = shader_of("usampler2D", "vec4(textureLod(s, w.xy, 0.0))");
  sampler = {};
  sampler.min_filter = Filter::linear;
  integers.bind_image(0, 3, whole).bind_sampler(0, 3, sampler);
  CHECK(message(integers) ==
        "look.comp:11: set 0, binding 3 (s) filters integers, but the sampler bound to it is "
        "linear: use nearest");
}
