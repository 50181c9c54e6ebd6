#pragma once

#include <cstdint>

/// \file
/// The divergent loops of kernels/collatz and kernels/mandelbrot, hand-written in the build's
/// widest intrinsics: W lanes at a time, masks in mask registers if there are any. They are in a
/// translation unit of their own, so that the compiler sees no sizes to fold.

namespace lockstep::bench {

/// Whether the build has the registers that these need.
bool has_intrinsics();

/// steps[i] for each numbers[i], W at a time. Requires W = 16, 32 or 64, and count a multiple of it.
void collatz_by_hand(int W, const std::uint32_t* numbers, std::uint32_t* steps,
                     std::uint32_t count);

/// One row of the picture. Requires W = 16, 32 or 64, and width a multiple of it.
void mandelbrot_row_by_hand(int W, float left, float step, float cy, std::uint32_t width,
                            std::uint32_t max_iterations, std::uint32_t* iterations);

}  // namespace lockstep::bench
