#pragma once

/// \file
/// Arrays for cases, and the subgroup sizes that a kernel may require.

#include <fmt/format.h>

#include <random>

#include "registry/kernel_case.hpp"

namespace lockstep::kernels {

/// The sources of the kernels.
namespace source {
inline constexpr std::string_view tutorial = "Vulkan Subgroup Tutorial";
inline constexpr std::string_view sample = "VK_KHR_shader_subgroup_uniform_control_flow";
inline constexpr std::string_view blog =
    "Fast Prefix Sum Implementation Using Subgroups in GLSL Compute Shaders";
inline constexpr std::string_view course = "Подгруппы в шейдерах в Vulkan";
inline constexpr std::string_view none = "beyond the sources";
}  // namespace source

template <class T>
Argument input(std::string name, std::vector<T> values) {
  return {std::move(name), Role::input, std::move(values)};
}
/// An output of n elements, initially `initial`.
template <class T>
Argument output(std::string name, std::size_t n, T initial = T(0)) {
  return {std::move(name), Role::output, std::vector<T>(n, initial)};
}
template <class T>
Argument scratch(std::string name, std::size_t n, T initial = T(0)) {
  return {std::move(name), Role::scratch, std::vector<T>(n, initial)};
}

/// n elements, each f(a random number of 64 bits).
template <class T, class F>
std::vector<T> random_values(std::size_t n, std::uint64_t seed, F f) {
  std::mt19937_64 random(seed);
  std::vector<T> values(n);
  for (T& value : values) value = f(std::uint64_t{random()});
  return values;
}
inline std::vector<std::uint32_t> random_values(std::size_t n, std::uint64_t seed) {
  return random_values<std::uint32_t>(
      n, seed, [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); });
}
/// n integers from 0 up to `end`, exclusive.
template <class T>
std::vector<T> random_below(std::size_t n, std::uint64_t seed, std::uint64_t end) {
  return random_values<T>(n, seed,
                          [end](std::uint64_t bits) { return static_cast<T>(bits % end); });
}

/// InputError unless all arrays have the size of the first.
inline void require_same_size(const std::vector<Argument>& inputs) {
  for (const Argument& argument : inputs) {
    if (size(argument) == size(inputs.front())) continue;
    throw InputError(fmt::format("the input {} has {} elements, but {} has {}; use equal lengths",
                                 argument.name, size(argument), inputs.front().name,
                                 size(inputs.front())));
  }
}

/// InputError unless the array consists of whole groups of that many elements.
inline void require_multiple(const Argument& argument, std::size_t each, std::string_view group) {
  if (size(argument) % each == 0) return;
  throw InputError(fmt::format("the input {} has {} elements, but a {} takes {}; use a multiple",
                               argument.name, size(argument), group, each));
}

/// Declares an array to be an image. InputError unless it has exactly as many elements as the texels take.
inline void make_image(Argument& argument, ImageFormat format, ImageKind kind, Size3 size) {
  const std::size_t each = format == ImageFormat::rgba32f ? 4 : 1;
  const std::size_t wanted = each * size.x * size.y * size.z;
  if (lockstep::kernels::size(argument) != wanted)
    throw InputError(fmt::format(
        "the input {} has {} elements, but an image of {} x {} x {} takes {}", argument.name,
        lockstep::kernels::size(argument), size.x, size.y, size.z, wanted));
  argument.texels = Texels{format, kind, size};
}

/// Kernels that work at every subgroup size.
inline std::string defined_everywhere(int) { return {}; }
/// Kernels whose lanes exchange values with lane ^ i.
inline std::string needs_power_of_two(int subgroup_size) {
  if (std::has_single_bit(static_cast<unsigned>(subgroup_size))) return {};
  return "lanes exchange values with partners, which requires a power of two; use 1, 2, 4, 8, 16, "
         "32, 64 or 128";
}
/// Kernels that work in groups of K lanes.
template <int K>
std::string needs_multiple_of(int subgroup_size) {
  if (subgroup_size % K == 0) return {};
  return fmt::format("its groups have {0} lanes; use a multiple of {0}", K);
}
/// Kernels that require all lanes to exist, in workgroups of 128.
inline std::string needs_full_subgroups(int subgroup_size) {
  if (128 % subgroup_size == 0) return {};
  return "workgroups of 128 leave a subgroup with lanes missing; use 1, 2, 4, 8, 16, 32, 64 or 128";
}

}  // namespace lockstep::kernels
