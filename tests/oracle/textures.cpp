#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "oracle/bounds.hpp"
#include "oracle/texture_run.hpp"
#include "spirv/picture.hpp"

/// \file
/// What the oracle knows of gathers, comparisons, cubes, gradients, and images that were written inexactly: a device
/// written here, which knows places and levels to a few bits, stays inside the bounds, and they are narrow.

namespace {

using namespace lockstep;
using oracle::Allowed;
using oracle_test::number;
using oracle_test::random_numbers;
using oracle_test::TextureRun;
using oracle_test::with_bits;
using Kind = Allowed::Kind;

constexpr std::size_t lanes = 64;

std::string shader(const std::string& type, const std::string& call, const std::string& more = "") {
  return "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) uniform " + type +
         " image;\nlayout(binding = 1) readonly buffer In { vec4 x[]; };\n"
         "layout(binding = 2) buffer Out { vec4 res[]; };\n" +
         more +
         "void main() {\n  uint i = gl_LocalInvocationIndex;\n  vec4 p = x[i];\n  res[i] = vec4(" +
         call + ");\n}\n";
}

/// Whether the number is close to a whole one.
bool near_edge(double place, double by) { return std::abs(place - std::nearbyint(place)) < by; }

}  // namespace

TEST_CASE("a gather has four texels, exactly, where it is clear which") {
  constexpr int width = 8, height = 4;
  const std::vector<float> texels = random_numbers(width * height, -9, 9, 1);
  const std::vector<float> where = random_numbers(4 * lanes, -0.5f, 1.5f, 2);
  Sampler sampler;
  const TextureRun run(shader("sampler2D", "textureGather(image, p.xy)"), texels,
                       {width, height, 1}, 1, sampler, {where, std::vector<float>(4 * lanes)});
  constexpr int right[] = {0, 1, 1, 0}, up[] = {1, 1, 0, 0};
  std::mt19937 random(3);
  int exact = 0;
  for (std::size_t i = 0; i < lanes; ++i) {
    const double u = number(where[4 * i]) * width - 0.5,
                 v = number(where[4 * i + 1]) * height - 0.5;
    INFO("lane " << i << " at " << u << ", " << v);
    const bool clear = !near_edge(u, 0.08) && !near_edge(v, 0.08);
    for (int draw = 0; draw < 20; ++draw) {
      const int bits = 4 + static_cast<int>(random() % 5);
      const bool nearest = random() % 2 == 0;
      const int x = static_cast<int>(std::floor(with_bits(u, bits, nearest)));
      const int y = static_cast<int>(std::floor(with_bits(v, bits, nearest)));
      for (std::size_t k = 0; k < 4; ++k) {
        const int column = test::sampled::place(x + right[k], width, AddressMode::repeat);
        const int row = test::sampled::place(y + up[k], height, AddressMode::repeat);
        const float texel = texels[static_cast<std::size_t>(column + width * row)];
        const Allowed allowed = run.allowed(1, 4 * i + k);
        REQUIRE(allowed.is_number());
        CHECK(allowed.values.contains(number(texel)));
        if (clear) CHECK(allowed.values.is_point());
      }
    }
    exact += clear ? 1 : 0;
  }
  CHECK(exact > 30);
}

TEST_CASE("comparisons are 0 or 1, and their linear filter between them") {
  constexpr int size = 8;
  const std::vector<float> depths = random_numbers(size * size, 0, 1, 4);
  const std::vector<float> where = random_numbers(4 * lanes, 0, 1, 5);
  struct Case {
    CompareOp op;
    bool (*holds)(float, float);
  };
  const Case cases[] = {
      {CompareOp::less, [](float a, float b) { return a < b; }},
      {CompareOp::greater_or_equal, [](float a, float b) { return a >= b; }},
      {CompareOp::not_equal, [](float a, float b) { return a != b; }},
      {CompareOp::never, [](float, float) { return false; }},
  };
  std::mt19937 random(6);
  for (const Case& one : cases) {
    for (const bool linear : {false, true}) {
      Sampler sampler;
      sampler.compares = true;
      sampler.compare_op = one.op;
      sampler.address_mode_u = sampler.address_mode_v = AddressMode::clamp_to_edge;
      sampler.mag_filter = sampler.min_filter = linear ? Filter::linear : Filter::nearest;
      const TextureRun run(shader("sampler2DShadow", "texture(image, p.xyw)"), depths,
                           {size, size, 1}, 1, sampler, {where, std::vector<float>(4 * lanes)});
      for (std::size_t i = 0; i < lanes; ++i) {
        const Allowed allowed = run.allowed(1, 4 * i);
        REQUIRE(allowed.is_number());
        CHECK((allowed.values.low >= 0 && allowed.values.high <= 1));
        const double back = linear ? 0.5 : 0;
        const double u = number(where[4 * i]) * size - back,
                     v = number(where[4 * i + 1]) * size - back;
        INFO("operation " << static_cast<int>(one.op) << ", lane " << i << " at " << u << ", "
                          << v);
        if (!linear && !near_edge(u, 0.08) && !near_edge(v, 0.08)) CHECK(allowed.values.is_point());
        if (one.op == CompareOp::never) CHECK(allowed.values.high <= (linear ? 0.04 : 0));
        for (int draw = 0; draw < 10; ++draw) {
          const int bits = 4 + static_cast<int>(random() % 5);
          const bool nearest = random() % 2 == 0;
          const double x = with_bits(u, bits, nearest), y = with_bits(v, bits, nearest);
          double sum = 0;
          for (int corner = 0; corner < (linear ? 4 : 1); ++corner) {
            const int right = corner & 1, up = corner >> 1;
            const double a = x - std::floor(x), b = y - std::floor(y);
            const double weight = linear ? (right == 1 ? a : 1 - a) * (up == 1 ? b : 1 - b) : 1;
            const int column = test::sampled::place(static_cast<int>(std::floor(x)) + right, size,
                                                    AddressMode::clamp_to_edge);
            const int row = test::sampled::place(static_cast<int>(std::floor(y)) + up, size,
                                                 AddressMode::clamp_to_edge);
            const float depth = depths[static_cast<std::size_t>(column + size * row)];
            sum += one.holds(where[4 * i + 3], depth) ? weight : 0;
          }
          CHECK(allowed.values.low <= sum + 1e-9);
          CHECK(sum <= allowed.values.high + 1e-9);
        }
      }
    }
  }
}

namespace {

/// A cube by its geometry: faces in Vulkan's order, each with the direction of its middle, of s and of t.
struct CubeFace {
  std::array<int, 3> middle, s, t;
};
constexpr CubeFace cube_faces[] = {
    {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
    {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
    {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
};
using Vector = std::array<double, 3>;
double dot(const Vector& a, const std::array<int, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector along(const CubeFace& face, double middle, double s, double t) {
  Vector point{};
  for (std::size_t k = 0; k < 3; ++k)
    point[k] = middle * face.middle[k] + s * face.s[k] + t * face.t[k];
  return point;
}
std::size_t face_of(const Vector& direction) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < 6; ++k) {
    if (dot(direction, cube_faces[k].middle) > dot(direction, cube_faces[best].middle)) best = k;
  }
  return best;
}

/// The texel of a face at column and row, which may be one beyond one edge: there the surface goes on around the edge.
double cube_texel(const std::vector<float>& texels, int n, std::size_t face, int column, int row) {
  double s = (2.0 * column + 1) / n - 1, t = (2.0 * row + 1) / n - 1, middle = 1;
  if (std::abs(s) > 1) {
    middle = 2 - std::abs(s);
    s = s > 0 ? 1 : -1;
  } else if (std::abs(t) > 1) {
    middle = 2 - std::abs(t);
    t = t > 0 ? 1 : -1;
  }
  const Vector point = along(cube_faces[face], middle, s, t);
  const std::size_t on = face_of(point);
  const auto index = [&](double x) {
    return std::clamp(static_cast<int>(std::floor((x + 1) / 2 * n)), 0, n - 1);
  };
  const int x = index(dot(point, cube_faces[on].s)), y = index(dot(point, cube_faces[on].t));
  return number(texels[static_cast<std::size_t>(x + n * (y + n * static_cast<int>(on)))]);
}

}  // namespace

TEST_CASE("cubes are filtered over their edges, and clear about faces away from these") {
  constexpr int n = 4;
  const std::vector<float> texels = random_numbers(6 * n * n, -9, 9, 7);
  std::vector<float> where = random_numbers(4 * lanes, -1, 1, 8);
  for (std::size_t i = 0; i < 8; ++i) where[4 * i] = where[4 * i + 1] = -0.75f;  // on an edge
  std::mt19937 random(9);
  for (const bool linear : {false, true}) {
    Sampler sampler;
    sampler.mag_filter = sampler.min_filter = linear ? Filter::linear : Filter::nearest;
    const TextureRun run(shader("samplerCube", "textureLod(image, p.xyz, 0.0).xxxx"), texels,
                         {n, n, 6}, 1, sampler, {where, std::vector<float>(4 * lanes)});
    int points = 0;
    for (std::size_t i = 0; i < lanes; ++i) {
      const Vector direction{number(where[4 * i]), number(where[4 * i + 1]),
                             number(where[4 * i + 2])};
      const std::size_t face = face_of(direction);
      const double length = dot(direction, cube_faces[face].middle);
      const double back = linear ? 0.5 : 0;
      const double u = (dot(direction, cube_faces[face].s) / length + 1) / 2 * n - back;
      const double v = (dot(direction, cube_faces[face].t) / length + 1) / 2 * n - back;
      const Allowed allowed = run.allowed(1, 4 * i);
      REQUIRE(allowed.is_number());
      INFO("lane " << i << ", face " << face << " at " << u << ", " << v);
      points += allowed.values.is_point() ? 1 : 0;
      const bool clear = !near_edge(u, 0.08) && !near_edge(v, 0.08);
      if (!linear && clear) CHECK(allowed.values.is_point());
      if (linear) CHECK(allowed.values.high - allowed.values.low < 12);
      for (int draw = 0; draw < 20; ++draw) {
        const int bits = 4 + static_cast<int>(random() % 5);
        const double x = with_bits(u, bits, true), y = with_bits(v, bits, true);
        const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
        if (!linear) {
          const double texel =
              cube_texel(texels, n, face, std::clamp(column, 0, n - 1), std::clamp(row, 0, n - 1));
          CHECK(allowed.values.contains(texel));
          continue;
        }
        // Beyond a corner a device may take any mean of three texels.
        const bool corner = (column < 0 || column == n - 1) && (row < 0 || row == n - 1);
        if (corner) continue;
        const double a = x - column, b = y - row;
        const double sum = (1 - a) * (1 - b) * cube_texel(texels, n, face, column, row) +
                           a * (1 - b) * cube_texel(texels, n, face, column + 1, row) +
                           (1 - a) * b * cube_texel(texels, n, face, column, row + 1) +
                           a * b * cube_texel(texels, n, face, column + 1, row + 1);
        CHECK(allowed.values.contains(sum));
      }
    }
    if (!linear) CHECK(points > 30);
  }
}

TEST_CASE("gradients give the level that Vulkan's approximations may have") {
  // Each level has its own number, so that the result is the level.
  constexpr std::uint32_t levels = 6, size = 32;
  std::vector<float> texels;
  for (std::uint32_t level = 0; level < levels; ++level) {
    const std::uint32_t extent = size >> level;
    texels.insert(texels.end(), extent * extent, static_cast<float>(level));
  }
  const std::vector<float> where = random_numbers(4 * lanes, 0, 1, 10);
  const std::vector<float> steps = random_numbers(4 * lanes, -0.7f, 0.7f, 11);
  Sampler sampler;
  sampler.mipmap_mode = Filter::linear;
  const TextureRun run(shader("sampler2D", "textureGrad(image, p.xy, s[i].xy, s[i].zw).xxxx",
                              "layout(binding = 3) readonly buffer Steps { vec4 s[]; };\n"),
                       texels, {size, size, 1}, levels, sampler,
                       {where, std::vector<float>(4 * lanes), steps});
  std::mt19937 random(12);
  std::uniform_real_distribution<double> part(0, 1);
  for (std::size_t i = 0; i < lanes; ++i) {
    const Allowed allowed = run.allowed(1, 4 * i);
    REQUIRE(allowed.is_number());
    std::array<double, 4> m{};
    for (std::size_t k = 0; k < 4; ++k) m[k] = std::abs(number(steps[4 * i + k])) * size;
    const auto level_of = [&](double share) {
      double largest = 0;
      for (const std::size_t d : {0u, 2u}) {
        const double least = std::max(m[d], m[d + 1]);
        const double most = std::sqrt(2.0) * (m[d] + m[d + 1]);
        largest = std::max(largest, least + share * (most - least));
      }
      return std::clamp(std::log2(largest), 0.0, levels - 1.0);
    };
    INFO("lane " << i);
    for (int draw = 0; draw < 20; ++draw) {
      const double seen =
          with_bits(level_of(part(random)), 4 + static_cast<int>(random() % 5), random() % 2 == 0);
      CHECK(allowed.values.contains(seen));
    }
    CHECK(allowed.values.low > level_of(0) - 0.13);
    CHECK(allowed.values.high < level_of(1) + 0.13);
  }
}

TEST_CASE("an image that was written inexactly has bounds when it is sampled") {
  const std::string glsl =
      "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) uniform sampler2D image;\n"
      "layout(binding = 1, r32f) uniform writeonly image2D stored;\n"
      "layout(binding = 2) readonly buffer In { vec4 x[]; };\n"
      "layout(binding = 3) buffer Out { vec4 res[]; };\nvoid main() {\n"
      "  uint i = gl_LocalInvocationIndex;\n"
      "  imageStore(stored, ivec2(i % 8u, i / 8u), vec4(x[i].x / x[i].y));\n"
      "  memoryBarrierImage(); barrier();\n"
      "  res[i] = textureGather(image, (vec2(i % 8u, i / 8u) + 1.0) / 8.0);\n}\n";
  std::vector<float> texels(lanes), where = random_numbers(4 * lanes, 1, 9, 13);
  std::vector<float> results(4 * lanes);
  oracle::Bounds bounds;
  const Module module = Module::from_glsl(glsl);
  const Pipeline pipeline(module, {.subgroup_size = 8});
  DescriptorTable table;
  table.set(0).bind_sampler(0, Sampler());
  Descriptor descriptor{.kind = Descriptor::Kind::texels,
                        .bytes = std::as_writable_bytes(std::span(texels)),
                        .format = ImageFormat::r32f,
                        .extent = {8, 8, 1}};
  table.set(0).write(1, 0, descriptor);
  descriptor.sampler = table.set(0).find(0, 0)->sampler;
  table.set(0).write(0, 0, descriptor);
  table.bind(2, where);
  table.bind(3, results);
  pipeline.dispatch(table, {.workgroups = {1, 1, 1}, .bounds = &bounds});
  // The places are those of corners of four texels, away from where it is unclear which these are; a quotient may be off
  // by 2.5 ULP.
  constexpr std::size_t right[] = {0, 1, 1, 0}, up[] = {1, 1, 0, 0};
  for (std::size_t i = 0; i < lanes; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t column = (i % 8 + right[k]) % 8, row = (i / 8 + up[k]) % 8;
      const std::size_t from = 4 * (column + 8 * row);
      const double exact = number(where[from]) / number(where[from + 1]);
      const Allowed allowed =
          bounds.memory.load(reinterpret_cast<const std::byte*>(&results[4 * i + k]), 4);
      INFO("lane " << i << ", texel " << k);
      REQUIRE(allowed.kind == Kind::within);
      CHECK(allowed.values.contains(exact));
      CHECK(allowed.values.high - allowed.values.low < 1e-5);
    }
  }
}
