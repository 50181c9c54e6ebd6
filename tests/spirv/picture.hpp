#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// A sampler written texel by texel, and shaders whose lanes call texture functions.

namespace lockstep::test::sampled {

constexpr int sizes[] = {1, 8, 24, 32, 128};
constexpr std::uint32_t lanes = 96;

/// The texels of a row of n as a mode continues it, from far below to far above.
inline int place(int at, int n, AddressMode mode) {
  std::vector<int> row;
  for (int k = 0; k < n; ++k) row.push_back(k);
  if (mode == AddressMode::mirrored_repeat)
    for (int k = n; k-- > 0;) row.push_back(k);
  const int period = static_cast<int>(row.size());
  switch (mode) {
    case AddressMode::repeat:
    case AddressMode::mirrored_repeat:
      while (at < 0) at += period;
      while (at >= period) at -= period;
      return row[static_cast<std::size_t>(at)];
    case AddressMode::clamp_to_edge:
      return at < 0 ? 0 : at >= n ? n - 1 : at;
    case AddressMode::mirror_clamp_to_edge:
      if (at < 0) at = -at - 1;
      return at >= n ? n - 1 : at;
    case AddressMode::clamp_to_border:
      return at < 0 || at >= n ? -1 : at;
  }
  return -1;
}

/// An image of floats with one component, and a sampler of it.
struct Picture {
  std::array<int, 3> size{1, 1, 1};
  int axes = 2;
  bool layers = false;
  std::vector<float> texels{};
  Sampler sampler{};

  Picture(std::array<int, 3> extent, int a, bool l) : size(extent), axes(a), layers(l) {
    texels.resize(static_cast<std::size_t>(size[0] * size[1] * size[2]));
    for (std::size_t k = 0; k < texels.size(); ++k)
      texels[k] = static_cast<float>(k * 37 % 64) - 20;
  }

  /// The texel at integer coordinates.
  float at(std::array<int, 3> p) const {
    const AddressMode modes[] = {sampler.address_mode_u, sampler.address_mode_v,
                                 sampler.address_mode_w};
    for (std::size_t k = 0; k < 3; ++k) {
      if (static_cast<int>(k) < axes) p[k] = place(p[k], size[k], modes[k]);
      if (p[k] < 0) return sampler.border_color == BorderColor::opaque_white ? 1 : 0;
    }
    return texels[static_cast<std::size_t>(p[0] + size[0] * (p[1] + size[1] * p[2]))];
  }

  /// The position that a lane samples, without the layer's rounding.
  std::array<int, 3> whole(const float* uvw, double shift) const {
    std::array<int, 3> p{};
    for (int k = 0; k < axes; ++k) {
      const auto u = static_cast<double>(uvw[k]) * size[static_cast<std::size_t>(k)];
      p[static_cast<std::size_t>(k)] = static_cast<int>(std::floor(u - shift));
    }
    if (layers) {
      const auto axis = static_cast<std::size_t>(axes);
      // Ties to even, then clamped to an existing layer.
      const double layer = uvw[axes];
      int whole_layer = static_cast<int>(std::floor(layer + 0.5));
      if (layer + 0.5 == std::floor(layer + 0.5) && whole_layer % 2 != 0) --whole_layer;
      p[axis] = std::min(std::max(whole_layer, 0), size[axis] - 1);
    }
    return p;
  }

  double nearest(const float* uvw) const { return at(whole(uvw, 0)); }

  /// Halfway between neighbours along one axis after another.
  double linear(const float* uvw) const {
    const std::array<int, 3> low = whole(uvw, 0.5);
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      std::array<int, 3> p = low;
      double weight = 1;
      for (int k = 0; k < 3; ++k) {
        const bool high = (corner >> k & 1) != 0;
        if (k >= axes) {
          if (high) weight = 0;
          continue;
        }
        const auto axis = static_cast<std::size_t>(k);
        const double u = static_cast<double>(uvw[k]) * size[axis] - 0.5;
        const double part = u - std::floor(u);
        weight *= high ? part : 1 - part;
        if (high) ++p[axis];
      }
      if (weight > 0) sum += weight * static_cast<double>(at(p));
    }
    return sum;
  }

  Image image() {
    const Size3 extent{static_cast<std::uint32_t>(size[0]), static_cast<std::uint32_t>(size[1]),
                       static_cast<std::uint32_t>(size[2])};
    return Image(ImageFormat::r32f, ImageKind::three_d, extent, bytes_of(texels));
  }
};

/// Coordinates from -2.5 to 2.5 whose products with powers of two, and weights, are exact.
inline std::vector<float> coordinates() {
  std::vector<float> all(4 * lanes);
  std::uint32_t random = 7;
  for (float& c : all) {
    random = random * 1664525 + 1013904223;
    c = static_cast<float>(static_cast<int>(random >> 20) % 321 - 160) / 64;
  }
  return all;
}

/// A shader whose lanes return vec4s; `where` holds their coordinates.
inline std::string source_of(const std::string& declarations, const std::string& result) {
  return "#version 460\n#extension GL_EXT_nonuniform_qualifier : require\n"
         "#extension GL_EXT_samplerless_texture_functions : require\n"
         "layout(local_size_x = 96) in;\n" +
         declarations +
         "\nlayout(set = 1, binding = 0) readonly buffer In { vec4 where[]; };\n"
         "layout(set = 1, binding = 1) buffer Out { vec4 results[]; };\n"
         "void main() {\n  uint i = gl_LocalInvocationIndex;\n  vec4 w = where[i];\n  results[i] "
         "= " +
         result + ";\n}";
}

/// Runs it at all sizes: check(results).
template <class Check>
void run(Shader& shader, std::vector<float>& where, Check check) {
  for (const int size : sizes) {
    std::vector<float> results(4 * lanes, -1.0f);
    shader.bind(1, 0, where).bind(1, 1, results);
    const auto done = shader.dispatch({1}, {.subgroup_size = size});
    INFO("subgroup size " << size);
    REQUIRE(done.faults == 0);
    check(results);
  }
}

constexpr AddressMode modes[] = {AddressMode::repeat, AddressMode::mirrored_repeat,
                                 AddressMode::clamp_to_edge, AddressMode::clamp_to_border,
                                 AddressMode::mirror_clamp_to_edge};

}  // namespace lockstep::test::sampled
