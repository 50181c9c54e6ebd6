#pragma once

// Beyond the sources: products of 4x4 matrices by shuffles.
//
// Sixteen lanes hold one element each of a pair of matrices, row by row, and compute one element of
// the product: they fetch its row of a and its column of b from each other.

#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct MatrixProduct : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const float> a;
  Buffer<const float> b;
  Buffer<float> product;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < a.length()) {
      const Float mine_of_a = a[i];
      const Float mine_of_b = b[i];
      const Uint row = gl_SubgroupInvocationID & ~3u;  // the first lane of its row
      const Uint column = gl_SubgroupInvocationID & ~12u;
      auto sum = var(0.0f);
      for (uint k = 0; k < 4; ++k) {
        const Float from_row = subgroupShuffle(mine_of_a, row + k);
        sum += from_row * subgroupShuffle(mine_of_b, column + 4 * k);
      }
      product[i] = sum;
    }
  }
};

/// Multiplies pairs of matrices, each 16 numbers in rows. Requires arrays of one size, a multiple
/// of 16, and a subgroup size that is one too.
template <int... Widths>
void matrix_product(std::span<const float> a, std::span<const float> b, std::span<float> product,
                    const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((a.size() + 127) / 128);
  device.dispatch<MatrixProduct, Widths...>({workgroups}, a, b, product);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
