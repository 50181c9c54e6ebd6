#pragma once

// Beyond the sources: one pixel per lane, and lanes leave the loop with Break when their point
// escapes. Each counts the iterations of z = z^2 + c until |z| exceeds 2.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

/// The picture: its size in pixels, its lower left corner and the distance between pixels.
struct MandelbrotView {
  std::uint32_t width = 512, height = 512;
  float left = -2.0f, bottom = -1.25f, step = 2.5f / 512;
  std::uint32_t max_iterations = 256;
};

template <class S>
struct Mandelbrot : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};

  Buffer<uint> iterations;
  MandelbrotView view;

  void main() {
    const Uint px = gl_GlobalInvocationID.x;
    const uint py = gl_WorkGroupID.y;
    If (px < view.width) {
      const Float cx = view.left + Float(px) * view.step;
      const float cy = view.bottom + static_cast<float>(py) * view.step;
      auto x = var(0.0f);
      auto y = var(0.0f);
      auto count = var(0u);
      While (count < view.max_iterations) {
        const Float x2 = x * x;
        const Float y2 = y * y;
        If (x2 + y2 > 4.0f) {
          Break;
        }
        y = 2.0f * x * y + cy;
        x = x2 - y2 + cx;
        count += 1u;
      }
      iterations[py * view.width + px] = count;
    }
  }
};

/// iterations[y * view.width + x] becomes the count of pixel (x, y). Requires room for all pixels.
template <int... Widths>
void mandelbrot(const MandelbrotView& view, std::span<std::uint32_t> iterations,
                const Device& device) {
  device.dispatch<Mandelbrot, Widths...>({(view.width + 63) / 64, view.height}, iterations, view);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
