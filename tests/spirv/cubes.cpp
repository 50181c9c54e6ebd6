#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/descriptor_set.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/picture.hpp"

/// \file
/// Cube maps, against a cube whose neighbours are found by the directions of texels.

using namespace lockstep;
using namespace lockstep::test::sampled;

namespace {

/// A face and a place on it, each from 0 to 1.
struct OnFace {
  int face;
  double s, t;
};

/// Vulkan's table of faces, row by row.
OnFace on_face(double x, double y, double z) {
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  int face;
  double sc, tc, rc;
  if (az >= ax && az >= ay) {
    face = z >= 0 ? 4 : 5, sc = z >= 0 ? x : -x, tc = -y, rc = az;
  } else if (ay >= ax) {
    face = y >= 0 ? 2 : 3, sc = x, tc = y >= 0 ? z : -z, rc = ay;
  } else {
    face = x >= 0 ? 0 : 1, sc = x >= 0 ? -z : z, tc = -y, rc = ax;
  }
  return {face, (sc / rc + 1) / 2, (tc / rc + 1) / 2};
}

/// The direction of a place on a face, which may be beyond its edges.
std::array<double, 3> direction_of(const OnFace& on) {
  const double s = 2 * on.s - 1, t = 2 * on.t - 1;
  switch (on.face) {
    case 0:
      return {1, -t, -s};
    case 1:
      return {-1, -t, s};
    case 2:
      return {s, 1, t};
    case 3:
      return {s, -1, -t};
    case 4:
      return {s, -t, 1};
    default:
      return {-s, -t, -1};
  }
}

struct Cube {
  int edge;
  int cubes = 1;
  std::vector<float> texels{};

  Cube(int n, int count) : edge(n), cubes(count) {
    texels.resize(static_cast<std::size_t>(edge * edge * 6 * cubes));
    for (std::size_t k = 0; k < texels.size(); ++k)
      texels[k] = static_cast<float>((k * 71 + k / 7) % 128);
  }

  double inside(int cube, int face, int i, int j) const {
    return static_cast<double>(
        texels[static_cast<std::size_t>(i + edge * (j + edge * (face + 6 * cube)))]);
  }
  int texel_of(double s) const {
    const int at = static_cast<int>(std::floor(s * edge));
    return at < 0 ? 0 : at >= edge ? edge - 1 : at;
  }
  double nearest(int cube, const OnFace& on) const {
    return inside(cube, on.face, texel_of(on.s), texel_of(on.t));
  }
  /// A texel up to one beyond an edge: where the direction of its middle meets the cube.
  double at(int cube, int face, int i, int j) const {
    const bool beyond_s = i < 0 || i >= edge, beyond_t = j < 0 || j >= edge;
    if (beyond_s && beyond_t) {
      const int ii = i < 0 ? 0 : edge - 1, jj = j < 0 ? 0 : edge - 1;
      return (inside(cube, face, ii, jj) + at(cube, face, i, jj) + at(cube, face, ii, j)) / 3;
    }
    if (!beyond_s && !beyond_t) return inside(cube, face, i, j);
    const auto d = direction_of({face, (i + 0.5) / edge, (j + 0.5) / edge});
    return nearest(cube, on_face(d[0], d[1], d[2]));
  }
  double linear(int cube, const OnFace& on) const {
    const double u = on.s * edge - 0.5, v = on.t * edge - 0.5;
    const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
    const double a = u - i, b = v - j;
    return (at(cube, on.face, i, j) * (1 - a) + at(cube, on.face, i + 1, j) * a) * (1 - b) +
           (at(cube, on.face, i, j + 1) * (1 - a) + at(cube, on.face, i + 1, j + 1) * a) * b;
  }
};

Descriptor descriptor_of(std::vector<float>& texels, std::uint32_t edge, std::uint32_t layers,
                         const Sampler& sampler, std::uint32_t levels = 1) {
  return {.kind = Descriptor::Kind::texels,
          .bytes = std::as_writable_bytes(std::span(texels)),
          .format = ImageFormat::r32f,
          .extent = {edge, edge, layers},
          .levels = levels,
          .sampler = sampler};
}

OnFace at_lane(const std::vector<float>& where, std::size_t i) {
  return on_face(static_cast<double>(where[4 * i]), static_cast<double>(where[4 * i + 1]),
                 static_cast<double>(where[4 * i + 2]));
}

/// Directions to the faces, close to edges and to corners, with a fourth number for the array.
std::vector<float> directions() {
  std::vector<float> all = coordinates();
  for (std::size_t i = 0; i < lanes; ++i) {
    float* d = &all[4 * i];
    d[3] = static_cast<float>(static_cast<int>(i % 7)) / 2 - 0.75f;
    if (i % 4 == 3) continue;
    const auto sign = [&](std::size_t bit) { return (i >> bit & 1) != 0 ? 1.0f : -1.0f; };
    const float shift[] = {d[0] / 16, d[1] / 16, d[2] / 16};
    // To the middles of edges, or to corners.
    for (std::size_t k = 0; k < 3; ++k) d[k] = sign(k + 2) + shift[k];
    if (i % 4 == 1) d[i / 4 % 3] = shift[0] * 4;
  }
  return all;
}

}  // namespace

TEST_CASE("cubes are sampled through their edges and corners") {
  std::vector<float> where = directions();
  for (const int edge : {1, 2, 4, 7}) {
    for (const bool array : {false, true}) {
      Cube cube(edge, array ? 2 : 1);
      auto shader = Shader::from_glsl(source_of(
          "layout(set = 0, binding = 0) uniform sampler" +
              std::string(array ? "CubeArray" : "Cube") + " s;",
          array
              ? "vec4(textureLod(s, w, 0.0).xw, textureSize(s, 0).xz)"
              : "vec4(textureLod(s, w.xyz, 0.0).xw, textureSize(s, 0).x, textureQueryLevels(s))"));
      for (const Filter filter : {Filter::nearest, Filter::linear}) {
        // Cubes ignore address modes.
        const Sampler sampler{.mag_filter = filter,
                              .address_mode_u = AddressMode::clamp_to_border,
                              .address_mode_v = AddressMode::repeat};
        shader.bind_descriptor(
            0, 0,
            descriptor_of(cube.texels, static_cast<std::uint32_t>(edge), array ? 12 : 6, sampler));
        run(shader, where, [&](const std::vector<float>& got) {
          for (std::size_t i = 0; i < lanes; ++i) {
            const OnFace on = at_lane(where, i);
            const int number = array && where[4 * i + 3] > 0.5f ? 1 : 0;
            INFO("edge " << edge << ", lane " << i << ", face " << on.face << ", " << on.s << ", "
                         << on.t);
            const double want =
                filter == Filter::linear ? cube.linear(number, on) : cube.nearest(number, on);
            REQUIRE(static_cast<double>(got[4 * i]) == Approx(want).margin(1e-4));
            REQUIRE(got[4 * i + 1] == 1);
            REQUIRE(got[4 * i + 2] == static_cast<float>(edge));
            REQUIRE(got[4 * i + 3] == (array ? 2 : 1));
          }
        });
      }
    }
  }
}

TEST_CASE("the levels of a cube, chosen by number and by the gradients of directions") {
  Cube large(8, 1), small(4, 1), smallest(2, 1);
  std::vector<float> texels;
  for (Cube* level : {&large, &small, &smallest}) {
    for (float& texel : level->texels) texel += static_cast<float>(1000 * texels.size());
    texels.insert(texels.end(), level->texels.begin(), level->texels.end());
  }
  const Cube* levels[] = {&large, &small, &smallest};
  const Sampler sampler{.mag_filter = Filter::linear, .min_filter = Filter::linear};
  std::vector<float> where = directions();
  auto by_number =
      Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform samplerCube s;",
                                  "textureLod(s, w.xyz, float(i % 4u))"));
  by_number.bind_descriptor(0, 0, descriptor_of(texels, 8, 6, sampler, 3));
  run(by_number, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const double want = levels[std::min<std::size_t>(i % 4, 2)]->linear(0, at_lane(where, i));
      INFO("lane " << i);
      REQUIRE(static_cast<double>(got[4 * i]) == Approx(want));
    }
  });
  // A step of a direction moves by so many texels of the largest level as the places of both are apart.
  auto by_gradient = Shader::from_glsl(
      source_of("layout(set = 0, binding = 0) uniform samplerCube s;",
                "textureGrad(s, w.xyz, w.yzx * exp2(float(i % 5u) - 5.0), vec3(0.0))"));
  by_gradient.bind_descriptor(0, 0, descriptor_of(texels, 8, 6, sampler, 3));
  std::array<int, 3> chosen{};
  run(by_gradient, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const double x = static_cast<double>(where[4 * i]), y = static_cast<double>(where[4 * i + 1]),
                   z = static_cast<double>(where[4 * i + 2]);
      const double tiny = std::exp2(static_cast<double>(i % 5) - 5 - 20);
      const OnFace from = on_face(x, y, z), to = on_face(x + y * tiny, y + z * tiny, z + x * tiny);
      if (from.face != to.face) continue;
      const double moved = std::hypot(to.s - from.s, to.t - from.t) * 8 * std::exp2(20);
      const double detail = std::log2(moved);
      if (std::fabs(detail - 0.5) < 0.01 || std::fabs(detail - 1.5) < 0.01) continue;
      const std::size_t level = detail > 1.5 ? 2 : detail > 0.5 ? 1 : 0;
      ++chosen[level];
      INFO("lane " << i << ", level of detail " << detail);
      REQUIRE(static_cast<double>(got[4 * i]) == Approx(levels[level]->linear(0, from)));
    }
  });
  for (const int times : chosen) CHECK(times > 10);
}

TEST_CASE("cubes are gathered and compared") {
  Cube cube(4, 1);
  std::vector<float> where = directions();
  auto gather = Shader::from_glsl(
      source_of("layout(set = 0, binding = 0) uniform samplerCube s;", "textureGather(s, w.xyz)"));
  gather.bind_descriptor(0, 0, descriptor_of(cube.texels, 4, 6, {}));
  run(gather, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const OnFace on = at_lane(where, i);
      const int s = static_cast<int>(std::floor(on.s * 4 - 0.5)),
                t = static_cast<int>(std::floor(on.t * 4 - 0.5));
      const double want[] = {cube.at(0, on.face, s, t + 1), cube.at(0, on.face, s + 1, t + 1),
                             cube.at(0, on.face, s + 1, t), cube.at(0, on.face, s, t)};
      for (std::size_t k = 0; k < 4; ++k)
        REQUIRE(static_cast<double>(got[4 * i + k]) == Approx(want[k]));
    }
  });
  auto shadow =
      Shader::from_glsl(source_of("layout(set = 0, binding = 0) uniform samplerCubeShadow s;",
                                  "vec4(texture(s, vec4(w.xyz, 50.5)))"));
  shadow.bind_descriptor(
      0, 0, descriptor_of(cube.texels, 4, 6, {.compares = true, .compare_op = CompareOp::less}));
  run(shadow, where, [&](const std::vector<float>& got) {
    for (std::size_t i = 0; i < lanes; ++i)
      REQUIRE(got[4 * i] == (50.5 < cube.nearest(0, at_lane(where, i)) ? 1 : 0));
  });
}
