#pragma once

// Beyond the sources: the shortest kernel whose lanes differ in their number of iterations and in
// the side of a selection that they take. Each lane counts the steps that its number needs to reach
// 1 when even numbers are halved and odd ones become 3 n + 1.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct Collatz : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};

  Buffer<const uint> numbers;
  Buffer<uint> steps;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < numbers.length()) {
      auto n = var(numbers[i]);
      auto count = var(0u);
      While (n > 1u) {
        If (n % 2u == 0u) {
          n = n / 2u;
        }
        Else { n = n * 3u + 1u; }
        count += 1u;
      }
      steps[i] = count;
    }
  }
};

/// steps[i] becomes the number of steps from numbers[i] to 1. Requires numbers whose sequence stays
/// below 2^32 (all below 159487 do), and as many steps as numbers.
template <int... Widths>
void collatz(std::span<const std::uint32_t> numbers, std::span<std::uint32_t> steps,
             const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((numbers.size() + 63) / 64);
  device.dispatch<Collatz, Widths...>({workgroups}, numbers, steps);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
