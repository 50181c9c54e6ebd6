#include <numeric>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <collatz/collatz.hpp>
#include <mandelbrot/mandelbrot.hpp>

#include "baseline/divergent_loops.hpp"

/// \file
/// Divergent loops as kernels next to hand-written intrinsics, W lanes at a time. One thread.

namespace lockstep::bench {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Numbers whose lanes differ a lot in their steps.
const Numbers& numbers() {
  static const Numbers all = [] {
    Numbers n(1 << 15);
    std::iota(n.begin(), n.end(), 1u);
    return n;
  }();
  return all;
}
const Numbers& steps() {
  static const Numbers all = [] {
    Numbers result;
    for (std::uint32_t n : numbers()) {
      result.push_back(0);
      for (; n > 1; ++result.back()) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    }
    return result;
  }();
  return all;
}

constexpr kernels::MandelbrotView view{.width = 256, .height = 128, .step = 2.5f / 256};
const Numbers& picture() {
  static const Numbers all = [] {
    Numbers result;
    for (std::uint32_t py = 0; py < view.height; ++py) {
      for (std::uint32_t px = 0; px < view.width; ++px) {
        const float cx = view.left + static_cast<float>(px) * view.step;
        const float cy = view.bottom + static_cast<float>(py) * view.step;
        float x = 0, y = 0;
        result.push_back(0);
        for (; result.back() < view.max_iterations && x * x + y * y <= 4.0f; ++result.back()) {
          const float next = x * x - y * y + cx;
          y = 2.0f * x * y + cy;
          x = next;
        }
      }
    }
    return result;
  }();
  return all;
}

/// Times f(out), which must fill it with `want`.
template <class F>
void run(benchmark::State& state, const Numbers& want, F f) {
  Numbers out(want.size());
  f(out);
  if (out != want) {
    state.SkipWithError("wrong result");
    return;
  }
  for (auto _ : state) {
    f(out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(want.size()));
}

template <int W>
void collatz(benchmark::State& state) {
  run(state, steps(), [](Numbers& out) {
    kernels::collatz<W>(numbers(), out, Device{.subgroup_size = W, .threads = 1});
  });
}
template <int W>
void collatz_by_hand(benchmark::State& state) {
  if (!has_intrinsics()) return state.SkipWithError("this build has neither AVX-512 nor AVX2");
  run(state, steps(), [](Numbers& out) {
    bench::collatz_by_hand(W, numbers().data(), out.data(), static_cast<std::uint32_t>(out.size()));
  });
}
template <int W>
void mandelbrot(benchmark::State& state) {
  run(state, picture(), [](Numbers& out) {
    kernels::mandelbrot<W>(view, out, Device{.subgroup_size = W, .threads = 1});
  });
}
template <int W>
void mandelbrot_by_hand(benchmark::State& state) {
  if (!has_intrinsics()) return state.SkipWithError("this build has neither AVX-512 nor AVX2");
  run(state, picture(), [](Numbers& out) {
    for (std::uint32_t py = 0; py < view.height; ++py) {
      mandelbrot_row_by_hand(W, view.left, view.step,
                             view.bottom + static_cast<float>(py) * view.step, view.width,
                             view.max_iterations, out.data() + py * view.width);
    }
  });
}

#if defined(LOCKSTEP_BENCH_ONE_SIZE)
#define LOCKSTEP_BENCH_WIDTHS(name) BENCHMARK_TEMPLATE(name, 32)
#else
#define LOCKSTEP_BENCH_WIDTHS(name) \
  BENCHMARK_TEMPLATE(name, 16);     \
  BENCHMARK_TEMPLATE(name, 32);     \
  BENCHMARK_TEMPLATE(name, 64)
#endif
LOCKSTEP_BENCH_WIDTHS(collatz);
LOCKSTEP_BENCH_WIDTHS(collatz_by_hand);
LOCKSTEP_BENCH_WIDTHS(mandelbrot);
LOCKSTEP_BENCH_WIDTHS(mandelbrot_by_hand);

}  // namespace
}  // namespace lockstep::bench
