#pragma once

/// \file
/// Makes the passes of a job from C++ kernels. Including it costs as much as compiling kernels.

#include <array>
#include <concepts>

#ifdef LOCKSTEP_CHECKED_KERNELS
#include <lockstep/checked.hpp>
#endif
#include <lockstep/lockstep.hpp>

#include "kernels/job.hpp"

// The widths that kernels are compiled for. Each more compiles longer; every subgroup size up to the widest runs.
#ifndef LOCKSTEP_KERNEL_WIDTHS
#define LOCKSTEP_KERNEL_WIDTHS 32, 128
#endif

namespace lockstep::kernels {

/// Invocations of K's workgroups.
template <template <class> class K>
constexpr Size3 local_size = K<FastMachine<1>>::local_size;

/// The number of K's workgroups, in a row, that n invocations need.
template <template <class> class K>
Size3 workgroups_for(std::size_t n) {
  const std::size_t each = local_size<K>.x;
  return {static_cast<std::uint32_t>((n + each - 1) / each)};
}

namespace detail {

/// A dispatch argument: the elements, of vectors and structs made of floats, or for Texels the image.
template <class T>
auto bound(Argument& argument) {
  if constexpr (std::same_as<T, Texels>) {
    const Texels& is = argument.texels.value();
    return std::visit(
        [&](auto& v) {
          return Image(is.format, is.kind, is.size, std::as_writable_bytes(std::span(v)));
        },
        argument.values);
  } else if constexpr (sizeof(T) > sizeof(float)) {
    const auto floats = values<float>(argument);
    return std::span(reinterpret_cast<T*>(floats.data()), floats.size_bytes() / sizeof(T));
  } else {
    return values<T>(argument);
  }
}

/// K on the fast machine, or on the tangled one where there is a rule of convergence. That is compiled for
/// one width, which runs all sizes: each takes compile time, and it is not made for speed.
template <template <class> class K, class... A>
FaultLog dispatch(const Device& device, const Convergence* convergence, Size3 workgroups,
                  A&&... arguments) {
#ifdef LOCKSTEP_CHECKED_KERNELS  // tests/checked
  if (convergence != nullptr)
    return device.dispatch_checked<K, 128>(*convergence, workgroups, arguments...);
  return device.dispatch_checked<K, 128>(workgroups, arguments...);
#else
  if (convergence != nullptr)
    return device.dispatch<K, 128>(*convergence, workgroups, arguments...);
  return device.dispatch<K, LOCKSTEP_KERNEL_WIDTHS>(workgroups, arguments...);
#endif
}

template <template <class> class K, class... T, std::size_t... I>
FaultLog dispatch_arrays(const Device& device, const Convergence* convergence, const Pass& pass,
                         Job& job, std::index_sequence<I...>) {
  return dispatch<K>(device, convergence, pass.workgroups,
                     bound<T>(job.arguments[pass.bindings[I]])...);
}

template <template <class> class K, class... T, std::size_t... I>
FaultLog dispatch_on_pixels(const Device& device, const Convergence* convergence, const Pass& pass,
                            Job& job, std::index_sequence<I...>) {
  const auto [width, height, depth] = pass.workgroups;
  if (convergence != nullptr)
    return device.dispatch_pixels<K, 128>(*convergence, width, height,
                                          bound<T>(job.arguments[pass.bindings[I]])...);
  return device.dispatch_pixels<K, LOCKSTEP_KERNEL_WIDTHS>(
      width, height, bound<T>(job.arguments[pass.bindings[I]])...);
}

template <template <class> class K, class Constants, class... T, std::size_t... I>
FaultLog dispatch_constants(const Device& device, const Convergence* convergence, const Pass& pass,
                            Job& job, std::index_sequence<I...>) {
  Constants constants;
  std::memcpy(&constants, pass.push_constants.data(), sizeof constants);
  return dispatch<K>(device, convergence, pass.workgroups,
                     bound<T>(job.arguments[pass.bindings[I]])..., constants);
}

}  // namespace detail

/// A pass that runs K on arrays with elements of types T.
template <template <class> class K, class... T>
Pass pass(std::string shader, Size3 workgroups,
          const std::array<std::uint32_t, sizeof...(T)>& bindings) {
  return {
      .shader = std::move(shader),
      .workgroups = workgroups,
      .bindings = {bindings.begin(), bindings.end()},
      .push_constants = {},
      .run = [](const Device& device, const Convergence* convergence, const Pass& pass, Job& job) {
        return detail::dispatch_arrays<K, T...>(device, convergence, pass, job,
                                                std::index_sequence_for<T...>{});
      }};
}

/// The same with a struct of push constants, K's last member.
template <template <class> class K, class... T, class Constants>
Pass pass(std::string shader, Size3 workgroups,
          const std::array<std::uint32_t, sizeof...(T)>& bindings, const Constants& constants) {
  const auto bytes = std::as_bytes(std::span(&constants, 1));
  return {
      .shader = std::move(shader),
      .workgroups = workgroups,
      .bindings = {bindings.begin(), bindings.end()},
      .push_constants = {bytes.begin(), bytes.end()},
      .run = [](const Device& device, const Convergence* convergence, const Pass& pass, Job& job) {
        return detail::dispatch_constants<K, Constants, T...>(device, convergence, pass, job,
                                                              std::index_sequence_for<T...>{});
      }};
}

/// A pass that runs K on pixels; the last `attachments` bindings are colour attachments.
template <template <class> class K, class... T>
Pass pixel_pass(std::string shader, Size3 pixels,
                const std::array<std::uint32_t, sizeof...(T)>& bindings,
                std::uint32_t attachments) {
  return {
      .shader = std::move(shader),
      .workgroups = pixels,
      .bindings = {bindings.begin(), bindings.end()},
      .attachments = attachments,
      .push_constants = {},
      .run = [](const Device& device, const Convergence* convergence, const Pass& pass, Job& job) {
        return detail::dispatch_on_pixels<K, T...>(device, convergence, pass, job,
                                                   std::index_sequence_for<T...>{});
      }};
}

}  // namespace lockstep::kernels
