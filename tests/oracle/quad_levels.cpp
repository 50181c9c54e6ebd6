#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "oracle/texture_run.hpp"

/// \file
/// What the oracle knows of levels that follow from a quad: a device may take the derivatives of either row and column.

namespace {

using namespace lockstep;
using oracle::Allowed;
using oracle_test::number;
using oracle_test::random_numbers;
using oracle_test::TextureRun;
using oracle_test::with_bits;
using Kind = Allowed::Kind;

constexpr std::size_t lanes = 64;

std::string start(int size) {
  return "#version 460\n#extension GL_NV_compute_shader_derivatives : require\n"
         "#extension GL_EXT_nonuniform_qualifier : require\n"
         "layout(local_size_x = " +
         std::to_string(size) + ") in;\nlayout(derivative_group_linearNV) in;\n";
}

std::string sampled(const std::string& call, const std::string& image = "sampler2D image") {
  return start(64) + "layout(binding = 0) uniform " + image +
         ";\nlayout(binding = 1) readonly buffer In { vec4 x[]; };\n"
         "layout(binding = 2) buffer Out { vec4 res[]; };\nvoid main() {\n"
         "  uint i = gl_LocalInvocationIndex;\n  vec4 p = x[i];\n  res[i] = vec4(" +
         call + ");\n}\n";
}

/// An image of which each level has its own number, so that what is sampled is the level.
constexpr std::uint32_t levels = 6, size = 32;
std::vector<float> numbered_levels() {
  std::vector<float> texels;
  for (std::uint32_t level = 0; level < levels; ++level) {
    const std::uint32_t extent = size >> level;
    texels.insert(texels.end(), std::size_t{extent} * extent, static_cast<float>(level));
  }
  return texels;
}
Sampler between_levels() {
  Sampler sampler;
  sampler.mipmap_mode = Filter::linear;
  sampler.max_lod = 100;
  return sampler;
}

/// The levels of detail of a device: of this lane's row and column or the other's, and between what Vulkan lets it make of
/// the sizes along both axes.
struct Quad {
  const std::vector<float>& where;  ///< four numbers of each lane
  std::size_t lane = 0;

  double level(bool other_row, bool other_column, double share) const {
    const std::size_t first = lane / 4 * 4, row = (lane ^ (other_row ? 2 : 0)) & 2,
                      column = (lane ^ (other_column ? 1 : 0)) & 1;
    double largest = 0;
    for (const auto& [from, to] : {std::array{first + row, first + row + 1},
                                   std::array{first + column, first + column + 2}}) {
      const double x = moved(from, to, 0), y = moved(from, to, 1);
      const double least = std::max(x, y), most = std::sqrt(2.0) * (x + y);
      largest = std::max(largest, least + share * (most - least));
    }
    return std::log2(largest);
  }
  /// The least and the greatest.
  std::array<double, 2> range() const {
    std::array<double, 2> found{100, -100};
    for (const bool row : {false, true}) {
      for (const bool column : {false, true}) {
        found[0] = std::min(found[0], level(row, column, 0));
        found[1] = std::max(found[1], level(row, column, 1));
      }
    }
    return found;
  }

 private:
  double moved(std::size_t from, std::size_t to, std::size_t axis) const {
    return std::abs(number(where[4 * to + axis] - where[4 * from + axis])) * size;
  }
};

double limited(double level) { return std::clamp(level, 0.0, levels - 1.0); }

}  // namespace

TEST_CASE("implicit levels are those of either row, as Vulkan's approximations may have them") {
  const std::vector<float> where = random_numbers(4 * lanes, 0, 0.4f, 20);
  const TextureRun run(sampled("texture(image, p.xy).xxxx"), numbered_levels(), {size, size, 1},
                       levels, between_levels(), {where, std::vector<float>(4 * lanes)});
  std::mt19937 random(21);
  std::uniform_real_distribution<double> part(0, 1);
  for (std::size_t i = 0; i < lanes; ++i) {
    const Allowed allowed = run.allowed(1, 4 * i);
    const Quad quad{where, i};
    INFO("lane " << i);
    REQUIRE(allowed.is_number());
    for (int draw = 0; draw < 40; ++draw) {
      const double level = quad.level(random() % 2 == 0, random() % 2 == 0, part(random));
      CHECK(allowed.values.contains(
          with_bits(limited(level), 4 + static_cast<int>(random() % 5), random() % 2 == 0)));
    }
    const auto [least, most] = quad.range();
    CHECK(allowed.values.low > limited(least) - 0.13);
    CHECK(allowed.values.high < limited(most) + 0.13);
  }
}

TEST_CASE("a bias counts up to a device's limit") {
  std::vector<float> where = random_numbers(4 * lanes, 0, 0.1f, 22);
  for (std::size_t i = 0; i < lanes; ++i) where[4 * i + 3] = static_cast<float>(i % 9) - 4;
  const TextureRun run(sampled("texture(image, p.xy, p.w).xxxx"), numbered_levels(),
                       {size, size, 1}, levels, between_levels(),
                       {where, std::vector<float>(4 * lanes)});
  for (std::size_t i = 0; i < lanes; ++i) {
    const Allowed allowed = run.allowed(1, 4 * i);
    INFO("lane " << i << ", bias " << where[4 * i + 3]);
    REQUIRE(allowed.is_number());
    const auto [least, most] = Quad{where, i}.range();
    const double bias = number(where[4 * i + 3]), of_two = std::clamp(bias, -2.0, 2.0);
    for (const double b : {bias, of_two}) {
      CHECK(allowed.values.contains(limited(least + b)));
      CHECK(allowed.values.contains(limited(most + b)));
    }
    CHECK(allowed.values.low > limited(least + std::min(bias, of_two)) - 0.13);
    CHECK(allowed.values.high < limited(most + std::max(bias, of_two)) + 0.13);
  }
}

TEST_CASE("queried levels are bounded like those that are sampled") {
  std::vector<float> where = random_numbers(4 * lanes, 0, 0.4f, 23);
  // In the last quad nothing changes, so that the level of detail has no bound.
  for (std::size_t k = 4 * (lanes - 4); k < 4 * lanes; ++k) where[k] = 0.5f;
  for (const Filter mode : {Filter::linear, Filter::nearest}) {
    Sampler sampler = between_levels();
    sampler.mipmap_mode = mode;
    const TextureRun run(sampled("textureQueryLod(image, p.xy).xyxy"), numbered_levels(),
                         {size, size, 1}, levels, sampler, {where, std::vector<float>(4 * lanes)});
    std::mt19937 random(24);
    std::uniform_real_distribution<double> part(0, 1);
    for (std::size_t i = 0; i + 4 < lanes; ++i) {
      const Allowed accessed = run.allowed(1, 4 * i), detail = run.allowed(1, 4 * i + 1);
      const Quad quad{where, i};
      INFO("lane " << i);
      REQUIRE((accessed.is_number() && detail.is_number()));
      for (int draw = 0; draw < 40; ++draw) {
        const int bits = 4 + static_cast<int>(random() % 5);
        const double level =
            with_bits(quad.level(random() % 2 == 0, random() % 2 == 0, part(random)), bits,
                      random() % 2 == 0);
        CHECK(detail.values.contains(level));
        CHECK(accessed.values.contains(
            mode == Filter::linear ? limited(level) : std::ceil(limited(level) + 0.5) - 1));
      }
      const auto [least, most] = quad.range();
      CHECK(detail.values.low > least - 0.13);
      CHECK(detail.values.high < most + 0.13);
      const double room = mode == Filter::linear ? 0.13 : 0.63;
      CHECK(accessed.values.low > limited(least) - room);
      CHECK(accessed.values.high < limited(most) + room);
    }
    const std::size_t still = 4 * (lanes - 1);
    const Allowed accessed = run.allowed(1, still);
    CHECK(accessed.values.magnitude() < 1e-4);
    CHECK(run.allowed(1, still + 1).kind == Kind::open);
  }
}

TEST_CASE("a quad of several images has no implicit level") {
  const std::vector<float> where = random_numbers(4 * lanes, 0, 0.4f, 25);
  for (const bool apart : {false, true}) {
    const std::string element = apart ? "i & 1u" : "(i >> 2) & 1u";
    const TextureRun run(sampled("texture(images[nonuniformEXT(" + element + ")], p.xy).xxxx",
                                 "sampler2D images[2]"),
                         numbered_levels(), {size, size, 1}, levels, between_levels(),
                         {where, std::vector<float>(4 * lanes)}, 2);
    for (std::size_t i = 0; i < lanes; ++i)
      CHECK(run.allowed(1, 4 * i).kind == (apart ? Kind::undefined : Kind::within));
  }
}
