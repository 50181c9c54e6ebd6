#pragma once

/// \file
/// Makes the passes of a case from C++ kernels. Including it costs as much as compiling kernels.

#include <array>
#include <concepts>

#ifdef LOCKSTEP_CHECKED_KERNELS
#include <lockstep/checked.hpp>
#endif
#include <lockstep/lockstep.hpp>

#include "registry/kernel_case.hpp"

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

/// Dispatches of K on workgroups.
struct OnWorkgroups {
  template <template <class> class K, class... A>
  static FaultLog fast(const Device& device, Size3 workgroups, A&... arguments) {
#ifdef LOCKSTEP_CHECKED_KERNELS  // tests/checked
    return device.dispatch_checked<K, 128>(workgroups, arguments...);
#else
    return device.dispatch<K, LOCKSTEP_KERNEL_WIDTHS>(workgroups, arguments...);
#endif
  }
  template <template <class> class K, class... A>
  static FaultLog tangled(const Device& device, const Convergence& convergence, Size3 workgroups,
                          A&... arguments) {
#ifdef LOCKSTEP_CHECKED_KERNELS
    return device.dispatch_checked<K, 128>(convergence, workgroups, arguments...);
#else
    return device.dispatch<K, 128>(convergence, workgroups, arguments...);
#endif
  }
};

/// Dispatches of K on pixels.
struct OnPixels {
  template <template <class> class K, class... A>
  static FaultLog fast(const Device& device, Size3 pixels, A&... arguments) {
    return device.dispatch_pixels<K, LOCKSTEP_KERNEL_WIDTHS>(pixels.x, pixels.y, arguments...);
  }
  template <template <class> class K, class... A>
  static FaultLog tangled(const Device& device, const Convergence& convergence, Size3 pixels,
                          A&... arguments) {
    return device.dispatch_pixels<K, 128>(convergence, pixels.x, pixels.y, arguments...);
  }
};

/// The constants of a pass that has none.
struct NoConstants {};

/// run(what the pass binds: arrays with elements of types T, and its constants).
template <class Constants, class... T, class F, std::size_t... I>
FaultLog with_arguments(const Pass& pass, KernelCase& kernel_case, F run,
                        std::index_sequence<I...>) {
  if constexpr (std::same_as<Constants, NoConstants>) {
    return run(bound<T>(kernel_case.arguments[pass.bindings[I]])...);
  } else {
    Constants constants;
    std::memcpy(&constants, pass.push_constants.data(), sizeof constants);
    return run(bound<T>(kernel_case.arguments[pass.bindings[I]])..., constants);
  }
}

/// K on the tangled machine. It is compiled for one width, which runs all sizes: each takes compile time, and it is
/// not made for speed. For the same reason parts for other instruction sets use the baseline's, where Device has
/// another name and the same members.
template <class Grid, template <class> class K, class Constants, class... T>
FaultLog run_tangled(const void* device, const Convergence& convergence, const Pass& pass,
                     KernelCase& kernel_case);
#ifndef LOCKSTEP_PART
template <class Grid, template <class> class K, class Constants, class... T>
[[gnu::noinline, gnu::used]] FaultLog run_tangled(const void* device,
                                                  const Convergence& convergence, const Pass& pass,
                                                  KernelCase& kernel_case) {
  return with_arguments<Constants, T...>(
      pass, kernel_case,
      [&](auto&&... arguments) {
        return Grid::template tangled<K>(*static_cast<const Device*>(device), convergence,
                                         pass.workgroups, arguments...);
      },
      std::index_sequence_for<T...>{});
}
#endif

/// K on the fast machine, or on the tangled one where there is a rule of convergence.
template <class Grid, template <class> class K, class Constants, class... T>
FaultLog run(const Device& device, const Convergence* convergence, const Pass& pass,
             KernelCase& kernel_case) {
  if (convergence != nullptr)
    return run_tangled<Grid, K, Constants, T...>(&device, *convergence, pass, kernel_case);
  return with_arguments<Constants, T...>(
      pass, kernel_case,
      [&](auto&&... arguments) {
        return Grid::template fast<K>(device, pass.workgroups, arguments...);
      },
      std::index_sequence_for<T...>{});
}

}  // namespace detail

/// A pass that runs K on arrays with elements of types T.
template <template <class> class K, class... T>
Pass pass(std::string shader, Size3 workgroups,
          const std::array<std::uint32_t, sizeof...(T)>& bindings) {
  return {.shader = std::move(shader),
          .workgroups = workgroups,
          .bindings = {bindings.begin(), bindings.end()},
          .push_constants = {},
          .run = detail::run<detail::OnWorkgroups, K, detail::NoConstants, T...>};
}

/// The same with a struct of push constants, K's last member.
template <template <class> class K, class... T, class Constants>
Pass pass(std::string shader, Size3 workgroups,
          const std::array<std::uint32_t, sizeof...(T)>& bindings, const Constants& constants) {
  const auto bytes = std::as_bytes(std::span(&constants, 1));
  return {.shader = std::move(shader),
          .workgroups = workgroups,
          .bindings = {bindings.begin(), bindings.end()},
          .push_constants = {bytes.begin(), bytes.end()},
          .run = detail::run<detail::OnWorkgroups, K, Constants, T...>};
}

/// A pass that runs K on pixels; the last `attachments` bindings are colour attachments.
template <template <class> class K, class... T>
Pass pixel_pass(std::string shader, Size3 pixels,
                const std::array<std::uint32_t, sizeof...(T)>& bindings,
                std::uint32_t attachments) {
  return {.shader = std::move(shader),
          .workgroups = pixels,
          .bindings = {bindings.begin(), bindings.end()},
          .attachments = attachments,
          .push_constants = {},
          .run = detail::run<detail::OnPixels, K, detail::NoConstants, T...>};
}

}  // namespace lockstep::kernels
