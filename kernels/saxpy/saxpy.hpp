#pragma once

// Source: none; the smallest kernel with memory traffic, for measurements.
//
// Each lane multiplies one number by a constant and adds another.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

struct SaxpyConstants {
  float a;
};

template <class S>
struct Saxpy : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{256};

  Buffer<const float> x;
  Buffer<float> y;
  SaxpyConstants constants;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < y.length()) {
      const Float product =
          constants.a * x[i];  // C++ leaves open which of two reads in a statement is first
      y[i] = product + y[i];
    }
  }
};

/// y becomes a * x + y. Requires as many elements in x as in y.
template <int... Widths>
void saxpy(float a, std::span<const float> x, std::span<float> y, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((y.size() + 255) / 256);
  device.dispatch<Saxpy, Widths...>({workgroups}, x, y, SaxpyConstants{a});
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
