#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lockstep/lockstep.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

#include "shaders/rounds.hpp"
#include "support/bandwidth.hpp"

/// \file
/// One call of a function of GLSL: `function/sin/32`. A shader calls it four times in each iteration of a loop; its time
/// with few iterations is subtracted from that with many, and so is all that is not the loop. The C++ kernel and, if
/// there is one, lavapipe run the same in turns, all on one thread; results are checked before they are timed.
///
/// ns/call: of the shader, per lane. of_cpp: time relative to the C++ kernel. of_lavapipe: speed relative to lavapipe.
/// of_loop: speed relative to a plain loop over the C library's function.

namespace lockstep::bench {
namespace {

using Floats = std::vector<float>;
constexpr std::uint32_t elements = round_elements, many = many_rounds;
constexpr double calls = 4;  // in a round
constexpr float step = 0x1p-10f;

/// A function in three languages; its arguments are from `low` to `high`.
struct Function {
  const char* name;
  const char* call;  ///< of v
  float low, high;
  float (*of)(float v);
  void (*kernel)(const Device& device, const Floats& x, Floats& y, std::uint32_t rounds);
};

/// kernel_NAME, and `function_NAME`.
#define LOCKSTEP_BENCH_FUNCTION(name, glsl, low, high, c)                                      \
  template <class S>                                                                           \
  struct kernel_##name : Kernel<S> {                                                           \
    LOCKSTEP_GLSL(S);                                                                          \
    static constexpr Size3 local_size{128};                                                    \
    Buffer<const float> x;                                                                     \
    Buffer<float> y;                                                                           \
    std::uint32_t rounds;                                                                      \
    static Float of(const Float& v) { return glsl; }                                           \
    void main() {                                                                              \
      const Uint i = gl_GlobalInvocationID.x;                                                  \
      auto v = var(x[i]);                                                                      \
      auto sum = var(0.0f);                                                                    \
      for (std::uint32_t k = 0; k < rounds; ++k) {                                             \
        sum += of(v) + of(v + step) + of(v + 2 * step) + of(v + 3 * step);                     \
        v += 4 * step;                                                                         \
      }                                                                                        \
      y[i] = sum;                                                                              \
    }                                                                                          \
  };                                                                                           \
  const Function function_##name{                                                              \
      #name,                                                                                   \
      #glsl,                                                                                   \
      low,                                                                                     \
      high,                                                                                    \
      [](float v) -> float { return c; },                                                      \
      [](const Device& device, const Floats& from, Floats& to, std::uint32_t rounds) {         \
        device.dispatch<kernel_##name, 32>({elements / 128}, from, to, std::uint32_t{rounds}); \
      }};

LOCKSTEP_BENCH_FUNCTION(sin, sin(v), -3, 3, std::sin(v))
LOCKSTEP_BENCH_FUNCTION(cos, cos(v), -3, 3, std::cos(v))
LOCKSTEP_BENCH_FUNCTION(tan, tan(v), -1, 1, std::tan(v))
LOCKSTEP_BENCH_FUNCTION(asin, asin(v), -0.8f, 0.8f, std::asin(v))
LOCKSTEP_BENCH_FUNCTION(acos, acos(v), -0.8f, 0.8f, std::acos(v))
LOCKSTEP_BENCH_FUNCTION(atan, atan(v), -4, 4, std::atan(v))
LOCKSTEP_BENCH_FUNCTION(atan2, atan(v, v + 0.5f), -2, 2, std::atan2(v, v + 0.5f))
LOCKSTEP_BENCH_FUNCTION(sinh, sinh(v), -4, 4, std::sinh(v))
LOCKSTEP_BENCH_FUNCTION(cosh, cosh(v), -4, 4, std::cosh(v))
LOCKSTEP_BENCH_FUNCTION(tanh, tanh(v), -2, 2, std::tanh(v))
LOCKSTEP_BENCH_FUNCTION(asinh, asinh(v), -4, 4, std::asinh(v))
LOCKSTEP_BENCH_FUNCTION(acosh, acosh(v), 1.1f, 8, std::acosh(v))
LOCKSTEP_BENCH_FUNCTION(atanh, atanh(v), -0.8f, 0.8f, std::atanh(v))
LOCKSTEP_BENCH_FUNCTION(exp, exp(v), -4, 4, std::exp(v))
LOCKSTEP_BENCH_FUNCTION(exp2, exp2(v), -4, 4, std::exp2(v))
LOCKSTEP_BENCH_FUNCTION(log, log(v), 0.1f, 9, std::log(v))
LOCKSTEP_BENCH_FUNCTION(log2, log2(v), 0.1f, 9, std::log2(v))
LOCKSTEP_BENCH_FUNCTION(pow, pow(v, 2.2f), 0.1f, 4, std::pow(v, 2.2f))
LOCKSTEP_BENCH_FUNCTION(sqrt, sqrt(v), 0.1f, 4, std::sqrt(v))
#undef LOCKSTEP_BENCH_FUNCTION

const Function* const functions[] = {
    &function_sin,   &function_cos,   &function_tan,   &function_asin, &function_acos,
    &function_atan,  &function_atan2, &function_sinh,  &function_cosh, &function_tanh,
    &function_asinh, &function_acosh, &function_atanh, &function_exp,  &function_exp2,
    &function_log,   &function_log2,  &function_pow,   &function_sqrt};

std::string shader_of(const Function& function) {
  std::string body = function.call;
  return "#version 450\n#define F(v) " + body + R"(
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Arguments { float x[]; };
layout(binding = 1) buffer Results { float y[]; };
layout(push_constant) uniform Push { uint rounds; };
const float step = 1.0 / 1024.0;
float of(float v) { return F(v); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  float v = x[i], sum = 0.0;
  for (uint k = 0; k < rounds; ++k) {
    sum += of(v) + of(v + step) + of(v + 2.0 * step) + of(v + 3.0 * step);
    v += 4.0 * step;
  }
  y[i] = sum;
}
)";
}

void plain_loop(const Function& function, const Floats& x, Floats& y, std::uint32_t rounds) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    float v = x[i], sum = 0;
    for (std::uint32_t k = 0; k < rounds; ++k) {
      sum += function.of(v) + function.of(v + step) + function.of(v + 2 * step) +
             function.of(v + 3 * step);
      v += 4 * step;
    }
    y[i] = sum;
  }
}

bool near(const Floats& got, const Floats& want) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(std::fabs(got[i] - want[i]) <= 1e-4f * (1 + std::fabs(want[i])))) return false;
  }
  return true;
}

void run_function(benchmark::State& state, const Function& function) {
  Floats x(elements), y(elements), want(elements);
  for (std::uint32_t i = 0; i < elements; ++i) {
    const float part = static_cast<float>(i * 40503 % elements) / elements;
    x[i] = function.low + (function.high - function.low - many * 4 * step) * part;
  }
  const auto module = Module::from_glsl(shader_of(function));
  auto shader = Shader::from_module(module);
  shader.bind(0, x).bind(1, y);
  const Device device{.subgroup_size = 32, .threads = 1};
  const auto in_shader = [&](std::uint32_t rounds) {
    shader.push(rounds);
    return seconds_of(
        [&] { shader.dispatch({elements / 128}, {.subgroup_size = 32, .threads = 1}); });
  };
  const auto in_kernel = [&](std::uint32_t rounds) {
    return seconds_of([&] { function.kernel(device, x, y, rounds); });
  };
  plain_loop(function, x, want, many);
  in_shader(many);
  if (!near(y, want)) return state.SkipWithError("the shader's result is wrong");
  y.assign(elements, 0);
  in_kernel(many);
  if (!near(y, want)) return state.SkipWithError("the kernel's result is wrong");

  const auto rival = make_rival_rounds(module, std::as_bytes(std::span(x)));
  Difference mine, kernel, loop, other;
  for (auto _ : state) {
    mine.measure(in_shader);
    kernel.measure(in_kernel);
    if (rival != nullptr) other.measure([&](std::uint32_t rounds) { return rival->run(rounds); });
    loop.measure([&](std::uint32_t rounds) {
      return seconds_of([&] { plain_loop(function, x, y, rounds); });
    });
  }
  state.counters["ns/call"] = mine.per_round() / calls * 1e9;
  state.counters["of_cpp"] = mine.per_round() / kernel.per_round();
  state.counters["of_loop"] = loop.per_round() / mine.per_round();
  if (rival != nullptr) state.counters["of_lavapipe"] = other.per_round() / mine.per_round();
}

const bool registered = [] {
  for (const Function* function : functions) {
    benchmark::RegisterBenchmark(
        (std::string("function/") + function->name + "/32").c_str(),
        [function](benchmark::State& state) { run_function(state, *function); });
  }
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
