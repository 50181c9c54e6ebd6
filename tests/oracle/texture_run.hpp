#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "oracle/bounds.hpp"

/// \file
/// Runs a shader on an image with a sampler for the oracle.

namespace lockstep::oracle_test {

/// A shader on an image with a sampler, or an array of that alone, and buffers of floats at bindings 1, 2, ...
struct TextureRun {
  std::vector<float> texels;
  std::vector<std::vector<float>> buffers;
  oracle::Bounds bounds = {};

  TextureRun(const std::string& glsl, std::vector<float> image, Size3 size, std::uint32_t levels,
             const Sampler& sampler, std::vector<std::vector<float>> arrays,
             std::uint32_t elements = 1)
      : texels(std::move(image)), buffers(std::move(arrays)) {
    const Module module = Module::from_glsl(glsl);
    const Pipeline pipeline(module, {.subgroup_size = 8});
    DescriptorTable table;
    table.set(0).bind_sampler(0, sampler);
    Descriptor descriptor{.kind = Descriptor::Kind::texels,
                          .bytes = std::as_writable_bytes(std::span(texels)),
                          .format = ImageFormat::r32f,
                          .extent = size,
                          .levels = levels};
    descriptor.sampler = table.set(0).find(0, 0)->sampler;
    for (std::uint32_t k = 0; k < elements; ++k) table.set(0).write(0, k, descriptor);
    for (std::uint32_t k = 0; k < buffers.size(); ++k) table.bind(k + 1, buffers[k]);
    pipeline.dispatch(table, {.workgroups = {1, 1, 1}, .bounds = &bounds});
  }

  /// What number k of a buffer may be.
  oracle::Allowed allowed(std::size_t buffer, std::size_t k) const {
    oracle::Allowed there =
        bounds.memory.load(reinterpret_cast<const std::byte*>(&buffers[buffer][k]), 4);
    if (there.kind == oracle::Allowed::Kind::exact)
      there.values = oracle::Interval::point(static_cast<double>(buffers[buffer][k]));
    return there;
  }
};

inline std::vector<float> random_numbers(std::size_t count, float low, float high, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> all(count);
  for (float& x : all) x = std::uniform_real_distribution<float>(low, high)(random);
  return all;
}

/// A place as a device sees it that has some bits behind the point, rounded to nearest or down.
inline double with_bits(double place, int bits, bool nearest) {
  const double scaled = std::ldexp(place, bits);
  return std::ldexp(nearest ? std::nearbyint(scaled) : std::floor(scaled), -bits);
}

inline double number(float x) { return static_cast<double>(x); }

}  // namespace lockstep::oracle_test
