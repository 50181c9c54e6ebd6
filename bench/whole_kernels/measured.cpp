#include "whole_kernels/measured.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "support/bandwidth.hpp"

namespace lockstep::bench {
namespace {

using kernels::KernelCase;
using kernels::values;

void max_loop(KernelCase& kernel) {
  const auto in = values<std::uint32_t>(kernel.arguments[0]);
  std::uint32_t most = 0;
  for (const std::uint32_t x : in) most = std::max(most, x);
  values<std::uint32_t>(kernel.arguments[1])[0] = most;
}

void saxpy_loop(KernelCase& kernel) {
  float a = 0;
  std::memcpy(&a, kernel.passes[0].push_constants.data(), sizeof a);
  const float* x = values<float>(kernel.arguments[0]).data();
  const std::span<float> y = values<float>(kernel.arguments[1]);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = a * x[i] + y[i];
}

std::size_t elements() {
  const char* given = std::getenv("LOCKSTEP_BENCH_ELEMENTS");
  return given == nullptr ? bandwidth_elements : std::strtoull(given, nullptr, 10);
}

}  // namespace

std::span<const Measured> measured_kernels() {
  static const std::size_t n = elements();
  static const Measured kernels[] = {
      {"saxpy", n, saxpy_loop},
      {"max_reduce", n, max_loop},
      {"max_pool", n},
      {"butterfly", n},
      {"compact", n},
      {"prefix_sum", n},
      {"prefix_sum_lookback", n},
      {"histogram", n},
      {"collatz", n},
      {"mandelbrot", n},
      {"radix_sort", n},
  };
  return kernels;
}

}  // namespace lockstep::bench
