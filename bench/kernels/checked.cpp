#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <lockstep/checked.hpp>

#include <butterfly/butterfly.hpp>
#include <collatz/collatz.hpp>
#include <prefix_sum/prefix_sum.hpp>
#include <strided_scan/strided_scan.hpp>

#include "shaders/measure.hpp"
#include "support/bandwidth.hpp"

/// \file
/// Checked dispatches of kernels in C++, alternating with unchecked ones: undefined values only, 32 lanes, one thread.
/// Each result is compared with that of plain loops before it is timed, and nothing may be found.
///
/// of_plain: time relative to the dispatch without checks.

namespace lockstep::bench {
namespace {

constexpr std::uint32_t elements = 1u << 18;

Device device() {
  return {.subgroup_size = 32, .threads = 1, .checks = undefined_checks() & kernel_checks()};
}

/// 1, 2, 3 ...
const Numbers& numbers() {
  static const Numbers all = [] {
    Numbers n(elements);
    std::iota(n.begin(), n.end(), 1u);
    return n;
  }();
  return all;
}

/// Times checked(), which gives its findings, and plain(); is_right() judges what each of them left.
template <class Checked, class Plain, class IsRight>
void compare(benchmark::State& state, Checked checked, Plain plain, IsRight is_right) {
  if (checked().count() > 0) return state.SkipWithError("something was found");
  if (!is_right()) return state.SkipWithError("wrong checked result");
  plain();
  if (!is_right()) return state.SkipWithError("wrong result");
  std::vector<double> of_plain;
  for (auto _ : state) {
    const double seconds = seconds_of(checked);
    state.SetIterationTime(seconds);
    of_plain.push_back(seconds / seconds_of(plain));
  }
  state.counters["of_plain"] = median(of_plain);
}

/// The same dispatch with and without checks.
template <template <class> class K, class IsRight, class... A>
void compare_dispatches(benchmark::State& state, IsRight is_right, std::uint32_t workgroups,
                        A&... arguments) {
  compare(
      state, [&] { return device().dispatch_checked<K, 32>({workgroups}, arguments...); },
      [&] {
        return Device{.subgroup_size = 32, .threads = 1}.dispatch<K, 32>({workgroups},
                                                                         arguments...);
      },
      is_right);
}

void collatz(benchmark::State& state) {
  Numbers starts(elements), steps(elements), want;
  // Small enough for 32 bits.
  for (std::uint32_t k = 0; k < elements; ++k) starts[k] = k % 32768 + 1;
  for (std::uint32_t n : starts) {
    want.push_back(0);
    for (; n > 1; ++want.back()) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  }
  const auto is_right = [&] { return std::exchange(steps, Numbers(elements)) == want; };
  compare_dispatches<kernels::Collatz>(state, is_right, elements / 64, starts, steps);
}

void butterfly(benchmark::State& state) {
  Numbers total(1);
  const std::uint32_t want = std::accumulate(numbers().begin(), numbers().end(), 0u);
  const auto is_right = [&] { return std::exchange(total[0], 0u) == want; };
  Numbers in = numbers();
  compare_dispatches<kernels::Butterfly>(state, is_right, elements / 128, in, total);
}

void strided_scan(benchmark::State& state) {
  using Vectors = std::vector<float>;
  Vectors x(std::size_t{elements} * 4), data(x.size()), want(x.size());
  // Powers of two, of which products are exact.
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = k % 3 == 0 ? 2.0f : k % 5 == 0 ? 0.5f : 1.0f;
  for (std::size_t k = 0; k < elements; ++k) {
    for (std::size_t c = 0; c < 4; ++c) {
      want[k * 4 + c] = x[k * 4 + c];
      if (k % 32 >= 2) want[k * 4 + c] *= want[(k - 2) * 4 + c];
    }
  }
  const auto is_right = [&] {
    const bool is_same = data == want;
    std::fill(data.begin(), data.end(), 0.0f);
    return is_same;
  };
  auto in = std::span(reinterpret_cast<const std430::vec4*>(x.data()), elements);
  auto out = std::span(reinterpret_cast<std430::vec4*>(data.data()), elements);
  compare_dispatches<kernels::StridedScan>(state, is_right, elements / 128, in, out);
}

void prefix_sum_scan_pass(benchmark::State& state) {
  constexpr std::uint32_t each = kernels::prefix_sum_local_size;
  Numbers sums(elements), totals(elements / each), want(elements);
  for (std::size_t k = 0; k < elements; ++k)
    want[k] = numbers()[k] + (k % each == 0 ? 0 : want[k - 1]);
  const auto is_right = [&] { return std::exchange(sums, Numbers(elements)) == want; };
  Numbers in = numbers();
  compare_dispatches<kernels::ScanWorkgroups>(state, is_right, elements / each, in, sums, totals);
}

BENCHMARK(collatz)->Name("checked/collatz/32")->UseManualTime();
BENCHMARK(prefix_sum_scan_pass)->Name("checked/prefix_sum_scan_pass/32")->UseManualTime();
BENCHMARK(strided_scan)->Name("checked/strided_scan/32")->UseManualTime();
BENCHMARK(butterfly)->Name("checked/butterfly/32")->UseManualTime();

}  // namespace
}  // namespace lockstep::bench
