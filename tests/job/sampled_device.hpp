#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <lockstep/exec/error.hpp>

#include "capture/job/job.hpp"
#include "job/numbers.hpp"
#include "oracle/device.hpp"
#include "spirv/picture.hpp"

/// \file
/// A device that samples the image of a job of sample.comp or texture.comp, and knows places between texels
/// and between levels to as few bits as Vulkan demands. Not cubes, gathers, comparisons and gradients.

namespace lockstep::test {

class SampledDevice {
 public:
  /// The image is binding 0, the places are binding 1, the results binding 2.
  explicit SampledDevice(const job::Job& job)
      : image_(numbered(job, 0)), places_(numbered(job, 1)) {
    const auto has = [&](const char* word) {
      return ("," + image_.sampler + ",").find("," + std::string(word) + ",") != std::string::npos;
    };
    const auto is = [&](const char* part) { return job.name.find(part) != std::string::npos; };
    linear_ = has("linear");
    linear_levels_ = has("mipmap_linear");
    mode_ = has("mirrored_repeat")        ? AddressMode::mirrored_repeat
            : has("clamp_to_edge")        ? AddressMode::clamp_to_edge
            : has("clamp_to_border")      ? AddressMode::clamp_to_border
            : has("mirror_clamp_to_edge") ? AddressMode::mirror_clamp_to_edge
                                          : AddressMode::repeat;
    axes_ = is(".1d") ? 1 : is("3d") ? 3 : 2;
    layers_ = is("array");
    per_lane_ = job.source.ends_with("/sample.comp") ? 2 : 4;
    if (job.name == "offset") offset_ = {1, -2, 0};
    last_ = image_.image->levels.count - 1;
  }
  static bool knows(const job::Job& job) {
    const auto is = [&](const char* part) { return job.name.find(part) != std::string::npos; };
    const bool cube = is("cube"), integers = is("32ui") || is("8i");
    return !cube && !integers &&
           (job.name == "offset" || job.name.starts_with("sampled.") ||
            job.name.starts_with("levels.") || job.name.starts_with("shape."));
  }

  /// A result, as the bits that are left of the place and the level make it.
  double result(std::size_t index, oracle_test::LegalDevice& device) const {
    const std::size_t lane = index / 4, component = index % 4;
    const int bits = 4 + static_cast<int>(device.random()() % 5);
    const auto seen = [&](double x) {
      const double scaled = std::ldexp(x, bits);
      return std::ldexp(device.coin() ? std::nearbyint(scaled) : std::floor(scaled), -bits);
    };
    const double wanted = last_ == 0 ? 0 : input(4 * lane + 3);
    const double level = std::clamp(seen(std::clamp(wanted, 0.0, last_)), 0.0, last_);
    const auto in = [&](double number) {
      const auto k = static_cast<std::uint32_t>(number);
      std::array<double, 3> at{};
      for (std::size_t axis = 0; axis < axes_; ++axis)
        at[axis] = seen(input(per_lane_ * lane + axis) * extent(k, axis) - (linear_ ? 0.5 : 0));
      return in_level(k, at, layer_of(lane), component);
    };
    if (!linear_levels_) return in(std::max(0.0, std::ceil(level + 0.5) - 1));
    const double high = std::floor(level), part = level - high;
    return part == 0 ? in(high) : (1 - part) * in(high) + part * in(high + 1);
  }

 private:
  /// Jobs have their bindings in any order.
  static const job::Binding& numbered(const job::Job& job, std::uint32_t number) {
    for (const job::Binding& binding : job.bindings)
      if (binding.binding == number) return binding;
    throw Error("the job has no binding " + std::to_string(number));
  }
  double input(std::size_t index) const { return number_at(places_.input, places_.type, index); }
  double extent(std::uint32_t level, std::size_t axis) const {
    const Size3 size = image_.image->levels.extent(level);
    return axis == 0 ? size.x : axis == 1 ? size.y : size.z;
  }
  int layer_of(std::size_t lane) const {
    if (!layers_) return 0;
    const double layer = std::floor(input(per_lane_ * lane + axes_) + 0.5);
    return static_cast<int>(std::clamp(layer, 0.0, extent(0, axes_) - 1));
  }
  double in_level(std::uint32_t level, const std::array<double, 3>& at, int layer,
                  std::size_t component) const {
    double sum = 0;
    for (std::size_t corner = 0; corner < (linear_ ? std::size_t{1} << axes_ : 1); ++corner) {
      std::array<int, 3> place{};
      double weight = 1;
      for (std::size_t axis = 0; axis < axes_; ++axis) {
        const bool upper = (corner >> axis & 1) != 0;
        const double part = at[axis] - std::floor(at[axis]);
        place[axis] = static_cast<int>(std::floor(at[axis])) + (upper ? 1 : 0) + offset_[axis];
        if (linear_) weight *= upper ? part : 1 - part;
      }
      sum += weight * texel(level, place, layer, component);
    }
    return sum;
  }
  double texel(std::uint32_t level, std::array<int, 3> place, int layer,
               std::size_t component) const {
    std::size_t number = 0, before = 1;
    for (std::uint32_t k = 0; k < level; ++k)
      number += static_cast<std::size_t>(extent(k, 0) * extent(k, 1) * extent(k, 2));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int size = static_cast<int>(extent(level, axis));
      const int at = axis < axes_               ? sampled::place(place[axis], size, mode_)
                     : layers_ && axis == axes_ ? layer
                                                : 0;
      if (at < 0) return 0;
      number += static_cast<std::size_t>(at) * before;
      before *= static_cast<std::size_t>(size);
    }
    const std::size_t index = 4 * number + component;
    if (is_float(image_.type)) return number_at(image_.input, image_.type, index);
    const std::uint64_t bits = bits_at(image_.input, image_.type, index);
    if (image_.type == npy::Dtype::uint8) return static_cast<double>(bits) / 255;
    return std::max(-1.0, static_cast<double>(static_cast<std::int8_t>(bits)) / 127);
  }

  const job::Binding& image_;
  const job::Binding& places_;
  bool linear_ = false, linear_levels_ = false, layers_ = false;
  AddressMode mode_ = AddressMode::repeat;
  std::size_t axes_ = 2, per_lane_ = 4;
  std::array<int, 3> offset_{};
  double last_ = 0;
};

}  // namespace lockstep::test
