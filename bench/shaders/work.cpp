#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

#include "shaders/rounds.hpp"
#include "shaders/work.hpp"
#include "support/bandwidth.hpp"

namespace lockstep::bench {
namespace {

// ---- Patterns ----

const Work array_by_lane{"array_by_lane", "", R"(
  uint a[16];
  for (uint j = 0; j < 16; ++j) a[j] = v + j;
  for (uint j = 0; j < 16; ++j) { a[(v + j) & 15u] += v; v = v * 5u + a[(v >> 4) & 15u] + a[j]; }
)",
                         [](Group& v, Uint) {
                           each(v, [](Uint x) {
                             Uint a[16];
                             for (Uint j = 0; j < 16; ++j) a[j] = x + j;
                             for (Uint j = 0; j < 16; ++j) {
                               a[(x + j) & 15] += x;
                               x = x * 5 + a[(x >> 4) & 15] + a[j];
                             }
                             return x;
                           });
                         }};

const Work early_return{
    "early_return", R"(
uint next(uint v) {
  if ((v & 3u) == 0u) return v * 3u + 1u;
  if (v > 0x80000000u) return v ^ 0x5bd1e995u;
  return (v >> 1) + 7u;
}
)",
    "for (uint j = 0; j < 16; ++j) v = next(v);", [](Group& v, Uint) {
      each(v, [](Uint x) {
        for (int j = 0; j < 16; ++j)
          x = (x & 3) == 0 ? x * 3 + 1 : x > 0x80000000u ? x ^ 0x5bd1e995u : (x >> 1) + 7;
        return x;
      });
    }};

const Work uint64{"uint64", "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable\n",
                  R"(
  uint64_t w = uint64_t(v) << 32 | uint64_t(v ^ 0x9e3779b9u);
  for (uint j = 0; j < 8; ++j) { w = w * 6364136223846793005ul + 1442695040888963407ul; w ^= w >> 29; }
  v = uint(w >> 32) ^ uint(w);
)",
                  [](Group& v, Uint) {
                    each(v, [](Uint x) {
                      std::uint64_t w = std::uint64_t{x} << 32 | (x ^ 0x9e3779b9u);
                      for (int j = 0; j < 8; ++j) {
                        w = w * 6364136223846793005u + 1442695040888963407u;
                        w ^= w >> 29;
                      }
                      return static_cast<Uint>(w >> 32) ^ static_cast<Uint>(w);
                    });
                  }};

const Work doubles{"double", "", R"(
  double d = double(v & 0xffffu) + 0.25LF;
  for (uint j = 0; j < 8; ++j) { d = d * 0.75LF + 3.5LF; if (d > 1000.0LF) d = d - 900.0LF; }
  v = v * 3u + uint(d);
)",
                   [](Group& v, Uint) {
                     each(v, [](Uint x) {
                       double d = static_cast<double>(x & 0xffff) + 0.25;
                       for (int j = 0; j < 8; ++j) {
                         const double product = d * 0.75;
                         d = product + 3.5;
                         if (d > 1000.0) d = d - 900.0;
                       }
                       return x * 3 + static_cast<Uint>(d);
                     });
                   }};

const Work float16{"float16",
                   "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable\n", R"(
  float16_t h = float16_t(float(v & 0xffu)), s = float16_t(0.5);
  for (uint j = 0; j < 8; ++j) { s = s * float16_t(0.625) + h; h = h * float16_t(0.75) - s * float16_t(0.125); }
  v = v * 3u + uint(int(float(s)));
)",
                   [](Group& v, Uint) {
                     each(v, [](Uint x) {
                       float16_t h(static_cast<float>(x & 0xff)), s(0.5f);
                       for (int j = 0; j < 8; ++j) {
                         s = s * float16_t(0.625f) + h;
                         h = h * float16_t(0.75f) - s * float16_t(0.125f);
                       }
                       return x * 3 + static_cast<Uint>(static_cast<int>(static_cast<float>(s)));
                     });
                   }};

const Work shuffle_xor{"shuffle_xor", "#extension GL_KHR_shader_subgroup_shuffle : enable\n", R"(
  for (uint j = 0; j < 4; ++j) { v = v * 3u + subgroupShuffleXor(v, 1u); v = v * 5u + subgroupShuffleXor(v, 2u); }
)",
                       [](Group& v, Uint) {
                         for (int j = 0; j < 8; ++j) {
                           const Group before = v;
                           for (std::size_t k = 0; k < v.size(); ++k)
                             v[k] = before[k] * (j % 2 == 0 ? 3 : 5) +
                                    before[k ^ (j % 2 == 0 ? 1u : 2u)];
                         }
                       }};

const Work shared_gather{"shared_gather", "shared uint table[128];\n", R"(
  table[l] = v;
  barrier();
  uint at = l;
  for (uint j = 0; j < 8; ++j) { at = (table[at] >> 5 ^ j) & 127u; v += at; }
  barrier();
)",
                         [](Group& v, Uint) {
                           const Group table = v;
                           for (Uint k = 0; k < table.size(); ++k) {
                             Uint at = k;
                             for (Uint j = 0; j < 8; ++j) {
                               at = (table[at] >> 5 ^ j) & 127;
                               v[k] += at;
                             }
                           }
                         }};

const Work common_functions{"common_functions", "", R"(
  float f = uintBitsToFloat(v);
  for (uint j = 0; j < 4; ++j) {
    f = clamp(f * 1.25 - 2.0, -3.0, 5.0);
    f = abs(f) + max(floor(f), fract(f)) - min(f, 0.5) * mix(0.25, f, 0.125);
    f = sqrt(f * f + 1.0);
  }
  v = floatBitsToUint(f);
)",
                            [](Group& v, Uint) {
                              each_float(v, [](float f) {
                                for (int j = 0; j < 4; ++j) {
                                  f = std::fmin(std::fmax(f * 1.25f - 2, -3.0f), 5.0f);
                                  f = std::fabs(f) + std::fmax(std::floor(f), f - std::floor(f)) -
                                      std::fmin(f, 0.5f) * (0.25f * 0.875f + f * 0.125f);
                                  f = std::sqrt(f * f + 1);
                                }
                                return f;
                              });
                            },
                            true};

// ---- Kernels ----

/// The loop of SHA-256: two of its rounds.
const Work sha256{"sha256", R"(
uint turn(uint x, uint n) { return x >> n | x << (32u - n); }
)",
                  R"(
  uint a = v, b = v ^ 0xbb67ae85u, c = v + 0x3c6ef372u, d = ~v, e = v * 3u, f = v ^ 0x9b05688cu, g = v + 0x1f83d9abu, h = 0x5be0cd19u;
  for (uint j = 0; j < 8; ++j) {
    uint t = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + 0x428a2f98u + j * v;
    uint u = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g; g = f; f = e; e = d + t; d = c; c = b; b = a; a = t + u;
  }
  v = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
)",
                  [](Group& all, Uint) {
                    each(all, [](Uint v) {
                      Uint a = v, b = v ^ 0xbb67ae85u, c = v + 0x3c6ef372u, d = ~v, e = v * 3,
                           f = v ^ 0x9b05688cu, g = v + 0x1f83d9abu, h = 0x5be0cd19u;
                      for (Uint j = 0; j < 8; ++j) {
                        const Uint t = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                       ((e & f) ^ (~e & g)) + 0x428a2f98u + j * v;
                        const Uint u = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                                       ((a & b) ^ (a & c) ^ (b & c));
                        h = g, g = f, f = e, e = d + t, d = c, c = b, b = a, a = t + u;
                      }
                      return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
                    });
                  }};

const Work gelu{"gelu", "", R"(
  float x = uintBitsToFloat(v);
  x = 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))) + 0.75;
  v = floatBitsToUint(x);
)",
                [](Group& v, Uint) {
                  each_float(v, [](float x) {
                    return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x))) +
                           0.75f;
                  });
                },
                true};

const Work softmax{"softmax", R"(
#extension GL_KHR_shader_subgroup_arithmetic : enable
shared float part[16];
)",
                   R"(
  float x = uintBitsToFloat(v);
  float m = subgroupMax(x);
  if (subgroupElect()) part[gl_SubgroupID] = m;
  barrier();
  for (uint j = 0; j < gl_NumSubgroups; ++j) m = max(m, part[j]);
  barrier();
  float e = exp(x - m), s = subgroupAdd(e);
  if (subgroupElect()) part[gl_SubgroupID] = s;
  barrier();
  s = 0.0;
  for (uint j = 0; j < gl_NumSubgroups; ++j) s += part[j];
  barrier();
  v = floatBitsToUint(e / s * 64.0 + x * 0.25);
)",
                   [](Group& v, Uint) {
                     float most = as_float(v[0]), sum = 0;
                     for (const Uint x : v) most = std::fmax(most, as_float(x));
                     for (const Uint x : v) sum += std::exp(as_float(x) - most);
                     each_float(v,
                                [&](float x) { return std::exp(x - most) / sum * 64 + x * 0.25f; });
                   },
                   true};

const Work layer_norm{"layer_norm", R"(
#extension GL_KHR_shader_subgroup_arithmetic : enable
shared vec2 part[16];
)",
                      R"(
  float x = uintBitsToFloat(v);
  vec2 s = subgroupAdd(vec2(x, x * x));
  if (subgroupElect()) part[gl_SubgroupID] = s;
  barrier();
  s = vec2(0.0);
  for (uint j = 0; j < gl_NumSubgroups; ++j) s += part[j];
  barrier();
  float mean = s.x / 128.0, variance = s.y / 128.0 - mean * mean;
  v = floatBitsToUint((x - mean) * inversesqrt(variance + 1e-5) * 1.5 + 0.125);
)",
                      [](Group& v, Uint) {
                        float sum = 0, squares = 0;
                        for (const Uint x : v)
                          sum += as_float(x), squares += as_float(x) * as_float(x);
                        const float mean = sum / 128, variance = squares / 128 - mean * mean;
                        each_float(v, [&](float x) {
                          return (x - mean) / std::sqrt(variance + 1e-5f) * 1.5f + 0.125f;
                        });
                      },
                      true};

/// An 8 x 16 matrix times a 16 x 16 one of the same numbers, by tiles in shared memory.
const Work matrix_tile{"matrix_tile", "shared float a[128], b[256];\n", R"(
  float x = uintBitsToFloat(v);
  a[l] = x; b[l] = x * 0.5; b[l + 128] = x * 0.25;
  barrier();
  uint row = l / 16, column = l % 16;
  float sum = 0.0;
  for (uint j = 0; j < 16; ++j) sum += a[row * 16 + j] * b[j * 16 + column];
  barrier();
  v = floatBitsToUint(sum * 0.25 + 0.125);
)",
                       [](Group& v, Uint) {
                         const Group a = v;
                         for (Uint l = 0; l < 128; ++l) {
                           float sum = 0;
                           for (Uint j = 0; j < 16; ++j) {
                             const Uint at = j * 16 + l % 16;
                             const float b = as_float(a[at % 128]) * (at < 128 ? 0.5f : 0.25f);
                             sum += as_float(a[l / 16 * 16 + j]) * b;
                           }
                           v[l] = bits_of(sum * 0.25f + 0.125f);
                         }
                       },
                       true};

/// One pass of a transform of 128 numbers: sums and turned differences of pairs.
const Work fft_pass{"fft_pass", "shared vec2 points[128];\n", R"(
  float x = uintBitsToFloat(v);
  points[l] = vec2(x, x * 0.5);
  barrier();
  uint distance = 1u << (k % 7u);
  bool upper = (l & distance) != 0u;
  vec2 mine = points[l], other = points[l ^ distance];
  float angle = -3.14159265 * float(l & (distance - 1u)) / float(distance);
  vec2 turn = vec2(cos(angle), sin(angle));
  vec2 far = upper ? mine : other, near = upper ? other : mine;
  vec2 turned = vec2(far.x * turn.x - far.y * turn.y, far.x * turn.y + far.y * turn.x);
  vec2 both = upper ? near - turned : near + turned;
  barrier();
  v = floatBitsToUint((both.x + both.y) * 0.5 + 0.0625);
)",
                    [](Group& v, Uint round) {
                      const Group before = v;
                      const Uint distance = 1u << (round % 7);
                      for (Uint l = 0; l < 128; ++l) {
                        const bool upper = (l & distance) != 0;
                        const float mine = as_float(before[l]),
                                    other = as_float(before[l ^ distance]);
                        const float angle = -3.14159265f * static_cast<float>(l & (distance - 1)) /
                                            static_cast<float>(distance);
                        const float c = std::cos(angle), s = std::sin(angle);
                        const float far = upper ? mine : other, near = upper ? other : mine;
                        const float tx = far * c - far * 0.5f * s, ty = far * s + far * 0.5f * c;
                        const float x = upper ? near - tx : near + tx;
                        const float y = upper ? near * 0.5f - ty : near * 0.5f + ty;
                        v[l] = bits_of((x + y) * 0.5f + 0.0625f);
                      }
                    },
                    true};

/// Of an image of 16 x 8 in shared memory, clamped at its edges.
const Work filter_3x3{"filter_3x3", "shared float image[128];\n", R"(
  image[l] = uintBitsToFloat(v);
  barrier();
  int x = int(l % 16u), y = int(l / 16u);
  float sum = 0.0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx)
      sum += image[clamp(y + dy, 0, 7) * 16 + clamp(x + dx, 0, 15)] * float((2 - abs(dx)) * (2 - abs(dy)));
  }
  barrier();
  v = floatBitsToUint(sum * 0.0625 + 0.03125);
)",
                      [](Group& v, Uint) {
                        const Group image = v;
                        for (int l = 0; l < 128; ++l) {
                          float sum = 0;
                          for (int dy = -1; dy <= 1; ++dy) {
                            for (int dx = -1; dx <= 1; ++dx) {
                              const int y = std::min(std::max(l / 16 + dy, 0), 7);
                              const int x = std::min(std::max(l % 16 + dx, 0), 15);
                              sum += as_float(image[static_cast<std::size_t>(y * 16 + x)]) *
                                     static_cast<float>((2 - std::abs(dx)) * (2 - std::abs(dy)));
                            }
                          }
                          v[static_cast<std::size_t>(l)] = bits_of(sum * 0.0625f + 0.03125f);
                        }
                      },
                      true};

/// The pull of 16 bodies.
const Work bodies{"n_body", "shared vec4 body[16];\n", R"(
  float p = uintBitsToFloat(v);
  if (l < 16u) body[l] = vec4(p, p * 0.5, p + 1.0, 0.25);
  barrier();
  vec3 here = vec3(p, 0.5 - p, p * p), pull = vec3(0.0);
  for (uint j = 0; j < 16u; ++j) {
    vec3 away = body[j].xyz - here;
    float near = inversesqrt(dot(away, away) + 0.01);
    pull += away * (body[j].w * near * near * near);
  }
  barrier();
  v = floatBitsToUint(p * 0.5 + (pull.x + pull.y + pull.z) * 0.01);
)",
                  [](Group& v, Uint) {
                    const Group before = v;
                    each_float(v, [&](float p) {
                      float sum = 0;
                      for (std::size_t j = 0; j < 16; ++j) {
                        const float q = as_float(before[j]);
                        const float x = q - p, y = q * 0.5f - (0.5f - p), z = q + 1 - p * p;
                        const float near = 1 / std::sqrt(x * x + y * y + z * z + 0.01f);
                        sum += (x + y + z) * (0.25f * near * near * near);
                      }
                      return p * 0.5f + sum * 0.01f;
                    });
                  },
                  true};

const Work* const all_work[] = {&array_by_lane, &early_return, &uint64,        &doubles,
                                &float16,       &shuffle_xor,  &shared_gather, &sha256,
                                &gelu,          &softmax,      &layer_norm,    &common_functions,
                                &matrix_tile,   &fft_pass,     &filter_3x3,    &bodies};

std::string shader_of(const Work& work) {
  return std::string("#version 450\n#extension GL_KHR_shader_subgroup_basic : enable\n") +
         work.head + R"(
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Arguments { uint arguments[]; };
layout(binding = 1) buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint rounds; };
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x, v = arguments[i];
  for (uint k = 0; k < rounds; ++k) {
)" + work.body +
         "  }\n  results[i] = v;\n}\n";
}

bool same(const Work& work, Uint got, Uint want) {
  if (!work.floats) return got == want;
  return std::fabs(as_float(got) - as_float(want)) <= 2e-3f * (1 + std::fabs(as_float(want)));
}

void run_work(benchmark::State& state, const Work& work) {
  std::vector<Uint> x(round_elements), y(round_elements);
  for (Uint i = 0; i < round_elements; ++i)
    x[i] = work.floats ? bits_of(static_cast<float>(i * 40503 % round_elements) / round_elements)
                       : i * 2654435761u;
  const auto module = Module::from_glsl(shader_of(work));
  auto shader = Shader::from_module(module);
  shader.bind(0, x).bind(1, y);
  const auto run = [&](Uint rounds) {
    shader.push(rounds);
    return seconds_of(
        [&] { shader.dispatch({round_workgroups}, {.subgroup_size = 32, .threads = 1}); });
  };
  run(few_rounds);
  for (Uint first = 0; first < round_elements; first += 128) {
    Group want;
    std::copy_n(x.begin() + first, 128, want.begin());
    for (Uint round = 0; round < few_rounds; ++round) work.of(want, round);
    for (Uint l = 0; l < 128; ++l) {
      if (!same(work, y[first + l], want[l])) return state.SkipWithError("the result is wrong");
    }
  }
  const auto rival = make_rival_rounds(module, std::as_bytes(std::span(x)));
  Difference mine, other;
  for (auto _ : state) {
    mine.measure(run);
    if (rival != nullptr) other.measure([&](Uint rounds) { return rival->run(rounds); });
  }
  state.counters["ns/round"] = mine.per_round() * 1e9;
  if (rival != nullptr) state.counters["of_lavapipe"] = other.per_round() / mine.per_round();
}

const bool registered = [] {
  for (const Work* work : all_work) add_work(*work);
  return true;
}();

}  // namespace

void add_work(const Work& work) {
  benchmark::RegisterBenchmark((std::string("work/") + work.name + "/32").c_str(),
                               [&work](benchmark::State& state) { run_work(state, work); });
}

}  // namespace lockstep::bench
