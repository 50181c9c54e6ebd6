#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "shaders/measure.hpp"
#include "support/bandwidth.hpp"

/// \file
/// Memory reached by device addresses (buffer_reference), alternating with the same shader on bound buffers: a sum of two
/// arrays whose lanes access consecutive elements, and a walk along lists whose lanes access scattered ones. All on
/// one thread; each run's result is checked once before it is timed.
///
/// of_bound: time relative to the shader with bound buffers.

namespace lockstep::bench {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr const char* head = R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 128) in;
)";
constexpr const char* by_address = R"(
layout(buffer_reference, std430) buffer Numbers { uint v[]; };
layout(push_constant) uniform Push { Numbers a, b, c; };
#define A a.v
#define B b.v
#define C c.v
)";
constexpr const char* bound = R"(
layout(set = 0, binding = 0) buffer BufferA { uint a[]; };
layout(set = 0, binding = 1) buffer BufferB { uint b[]; };
layout(set = 0, binding = 2) buffer BufferC { uint c[]; };
#define A a
#define B b
#define C c
)";

/// A shader's main(), and what it stores to element i of C.
struct Work {
  const char* name;
  const char* body;
  std::uint32_t (*value)(const Words& a, const Words& b, std::uint32_t i);
};

constexpr std::uint32_t steps = 8;
const Work works[] = {
    {"sum", R"(
void main() {
  uint i = gl_GlobalInvocationID.x;
  C[i] = A[i] * 3u + B[i];
})",
     [](const Words& a, const Words& b, std::uint32_t i) { return a[i] * 3 + b[i]; }},
    {"list", R"(
void main() {
  uint at = gl_GlobalInvocationID.x, sum = 0u;
  for (uint k = 0u; k < 8u; ++k) {
    sum += B[at];
    at = A[at];
  }
  C[gl_GlobalInvocationID.x] = sum;
})",
     [](const Words& a, const Words& b, std::uint32_t i) {
       std::uint32_t sum = 0;
       for (std::uint32_t k = 0; k < steps; ++k) {
         sum += b[i];
         i = a[i];
       }
       return sum;
     }},
};

void run_work(benchmark::State& state, const Work& work, int subgroup_size) {
  const std::size_t count = shader_elements() / 128 * 128;
  Words a(count), b(count), c(count), want(count);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = static_cast<std::uint32_t>((i * 40503 + 977) % count);
    b[i] = static_cast<std::uint32_t>(i * 2654435761u);
  }
  for (std::size_t i = 0; i < count; ++i) want[i] = work.value(a, b, static_cast<std::uint32_t>(i));

  auto addressed = Shader::from_glsl(std::string(head) + by_address + work.body);
  auto with_buffers = Shader::from_glsl(std::string(head) + bound + work.body);
  struct {
    std::uint64_t a, b, c;
  } const push{addressed.address_of(a), addressed.address_of(b), addressed.address_of(c)};
  addressed.push(push);
  with_buffers.bind(0, a).bind(1, b).bind(2, c);
  const auto run = [&](Shader& shader) {
    shader.dispatch({static_cast<std::uint32_t>(count / 128)},
                    {.subgroup_size = subgroup_size, .threads = 1});
  };
  for (Shader* shader : {&addressed, &with_buffers}) {
    c.assign(count, 0);
    run(*shader);
    if (c != want) return state.SkipWithError("wrong result");
  }

  std::vector<double> mine, of_bound;
  for (auto _ : state) {
    const double seconds = seconds_of([&] { run(addressed); });
    state.SetIterationTime(seconds);
    mine.push_back(seconds);
    of_bound.push_back(seconds / seconds_of([&] { run(with_buffers); }));
  }
  state.counters["ns/element"] = median(mine) / static_cast<double>(count) * 1e9;
  state.counters["of_bound"] = median(of_bound);
}

const bool registered = [] {
  for (const Work& work : works) {
    benchmark::RegisterBenchmark((std::string("buffer_reference_") + work.name + "/32").c_str(),
                                 [&work](benchmark::State& state) { run_work(state, work, 32); })
        ->UseManualTime();
  }
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
