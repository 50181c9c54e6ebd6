#include "cli/trace/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "allocate/allocate.hpp"
#include "allocate_broken/allocate_broken.hpp"
#include "allocate_nonuniform/allocate_nonuniform.hpp"
#include "collatz/collatz.hpp"
#include "mandelbrot/mandelbrot.hpp"
#include "max_reduce/max_reduce.hpp"
#include "prefix_sum/prefix_sum.hpp"

namespace lockstep::cli {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// K on one workgroup. One width for all sizes: each width takes compile time, and speed does not matter.
template <template <class> class K, class... A>
void dispatch(const Convergence& convergence, int subgroup_size, A&&... arguments) {
  Device{.subgroup_size = subgroup_size, .faults = Faults::counted}.dispatch<K, 128>(
      convergence, {1}, arguments...);
}

Numbers count_from_one(std::uint32_t n) {
  Numbers numbers(n);
  std::iota(numbers.begin(), numbers.end(), 1u);
  return numbers;
}

std::string first_difference(const Numbers& expected, const Numbers& got) {
  const auto [want, have] = std::ranges::mismatch(expected, got);
  if (want == expected.end()) return "";
  return fmt::format("element {}: expected {}, got {}", want - expected.begin(), *want, *have);
}

/// Stores the even ones of the values 1 to n after elements that are already in use.
template <template <class> class K>
std::string run_allocation(const Convergence& convergence, int subgroup_size, std::uint32_t n) {
  const auto in_use = static_cast<std::uint32_t>(subgroup_size + 1) / 2;
  const Numbers in = count_from_one(n);
  Numbers expected, data(in_use + n / 2), free_slot{in_use};
  for (std::uint32_t i = 0; i < in_use; ++i) expected.push_back(data[i] = 1000 + i);
  for (std::uint32_t value = 2; value <= n; value += 2) expected.push_back(value);
  dispatch<K>(convergence, subgroup_size, in, free_slot, data);
  // The kernel may store values in any order.
  std::sort(data.begin() + in_use, data.end());
  std::ptrdiff_t overwritten = 0, lost = 0;
  for (std::uint32_t i = 0; i < in_use; ++i) overwritten += data[i] != expected[i];
  for (std::uint32_t i = in_use; i < expected.size(); ++i)
    lost += !std::binary_search(data.begin() + in_use, data.end(), expected[i]);
  if (overwritten == 0 && lost == 0) return "";
  return fmt::format("{} of {} values missing, {} elements in use overwritten", lost, n / 2,
                     overwritten);
}

std::string run_allocate(const Convergence& convergence, int size) {
  return run_allocation<kernels::Allocate>(convergence, size, static_cast<std::uint32_t>(size));
}
std::string run_allocate_broken(const Convergence& convergence, int size) {
  return run_allocation<kernels::AllocateBroken>(convergence, size,
                                                 static_cast<std::uint32_t>(size));
}
/// The input ends inside the subgroup.
std::string run_allocate_nonuniform(const Convergence& convergence, int size) {
  return run_allocation<kernels::AllocateNonuniform>(
      convergence, size, static_cast<std::uint32_t>(size - 3 * size / 8));
}

std::string run_collatz(const Convergence& convergence, int size) {
  Numbers numbers, expected;
  for (std::uint32_t i = 0; i < std::min(static_cast<std::uint32_t>(size), 64u); ++i) {
    numbers.push_back(i * 5 % 26 + 1);
    std::uint32_t steps = 0;
    for (std::uint32_t n = numbers.back(); n > 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    expected.push_back(steps);
  }
  Numbers steps(numbers.size());
  dispatch<kernels::Collatz>(convergence, size, numbers, steps);
  return first_difference(expected, steps);
}

/// A line of pixels from the left of the set to its right.
std::string run_mandelbrot(const Convergence& convergence, int size) {
  const auto width = std::min(static_cast<std::uint32_t>(size), 64u);
  const kernels::MandelbrotView view{.width = width,
                                     .height = 1,
                                     .left = -1.5f,
                                     .bottom = 0.3f,
                                     .step = 2.25f / static_cast<float>(width),
                                     .max_iterations = 12};
  Numbers expected;
  for (std::uint32_t px = 0; px < width; ++px) {
    const float cx = view.left + static_cast<float>(px) * view.step;
    float x = 0, y = 0;
    std::uint32_t count = 0;
    for (; count < view.max_iterations && !(x * x + y * y > 4.0f); ++count) {
      const float x2 = x * x, y2 = y * y;
      y = 2.0f * x * y + view.bottom;
      x = x2 - y2 + cx;
    }
    expected.push_back(count);
  }
  Numbers iterations(width);
  dispatch<kernels::Mandelbrot>(convergence, size, iterations, view);
  return first_difference(expected, iterations);
}

std::string run_max_reduce(const Convergence& convergence, int size) {
  Numbers values, maximum(1);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(size - size / 4); ++i)
    values.push_back((i * 37 + 11) % 101);
  dispatch<kernels::MaxReduce>(convergence, size, values, maximum);
  return first_difference({*std::ranges::max_element(values)}, maximum);
}

/// The first of its three passes, on one workgroup whose last elements are missing.
std::string run_prefix_sum(const Convergence& convergence, int size) {
  const Numbers in = count_from_one(kernels::prefix_sum_local_size - 5);
  Numbers expected(in.size()), out(in.size()), workgroup_totals(1);
  std::inclusive_scan(in.begin(), in.end(), expected.begin());
  dispatch<kernels::ScanWorkgroups>(convergence, size, in, out, workgroup_totals);
  return first_difference(expected, out);
}

constexpr std::array kernels_by_name{
    TraceKernel{"allocate", "slots for a subgroup with one atomic; repaired", run_allocate},
    TraceKernel{"allocate_broken", "the same before its repair", run_allocate_broken},
    TraceKernel{"allocate_nonuniform", "the repair inside a selection that undoes it",
                run_allocate_nonuniform},
    TraceKernel{"collatz", "a loop and a selection in which every lane differs", run_collatz},
    TraceKernel{"mandelbrot", "lanes leave a loop with Break", run_mandelbrot},
    TraceKernel{"max_reduce", "the maximum, one atomic per subgroup", run_max_reduce},
    TraceKernel{"prefix_sum", "a workgroup's scan with barriers", run_prefix_sum},
};

}  // namespace

std::span<const TraceKernel> trace_kernels() { return kernels_by_name; }

}  // namespace lockstep::cli
