#include <lockstep/glsl/element_functions.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/glsl/mat.hpp>

#include <lockstep/glsl/vec_functions.hpp>
#include <lockstep/lockstep.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

constexpr int run_sizes[] = {1, 3, 8, 32, 40, 128};

LOCKSTEP_STRUCT(Body, (vec3, position), (float, mass), (uint, hits, 2));

/// Elements as arguments of functions and constructors, where GLSL takes expressions.
template <class S>
struct TakesElements : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{40};
  Buffer<const uint> in;
  Buffer<uint> out;
  Buffer<Body> bodies;
  Buffer<vec4> vectors;
  Shared<uint, 40> shared{this};

  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
    shared[i] = in[i];
    out[i] = min(in[i], 9u) + max(7u, shared[i]) + clamp(in[i], 3u, in[0]);
    out[i] += Uint(Float(in[i]) / 2.0f) + Uint(Int(in[i])) + Uint(Bool(shared[i]));
    out[i] += Uint(floor(bodies[i].mass)) + Uint(Double(bodies[i].mass) * 2.0);
    out[i] += Uint(dot(bodies[i].position, bodies[i].position));
    out[i] += select(in[i] > 5u, in[i], shared[i]) + Uint(bitCount(in[i]));
    vectors[i] = vec4(bodies[i].position, in[i]);
    auto v = var(vec2(in[i], bodies[i].mass));
    v[0] = max(v[0], v[1]);
    v[1] = mix(v[1], v[0], bodies[i].mass);
    vectors[i].w += v[0] + length(vec2(v[0], v[1])) + vec3(vectors[i]).x;
    for (auto s = switch_on(in[i]); s.again();) {
      if (auto c = s.match(SourceLocation::current(), 3, 4)) out[i] += 1000u;
    }
    co_return;
  }
};

std::uint32_t expected(std::uint32_t x, std::uint32_t first, const Body& body) {
  std::uint32_t sum = std::min(x, 9u) + std::max(7u, x) + std::min(std::max(x, 3u), first);
  sum += static_cast<std::uint32_t>(static_cast<float>(x) / 2.0f) + x + (x != 0);
  sum += static_cast<std::uint32_t>(body.mass) + static_cast<std::uint32_t>(2.0 * body.mass);
  float squares = 0;
  for (const int k : {0, 1, 2}) squares += body.position[k] * body.position[k];
  sum += static_cast<std::uint32_t>(squares) + x;
  for (std::uint32_t bits = x; bits != 0; bits >>= 1) sum += bits & 1;
  return sum + (x == 3 || x == 4 ? 1000 : 0);
}

float expected_w(std::uint32_t x, const Body& body) {
  const float v0 = std::max(static_cast<float>(x), body.mass);
  const float v1 = body.mass * (1.0f - body.mass) + v0 * body.mass;
  return static_cast<float>(x) + (v0 + std::sqrt(v0 * v0 + v1 * v1) + body.position[0]);
}

void check(const Device& device, bool tangled) {
  std::vector<std::uint32_t> in(40), out(40);
  std::vector<Body> bodies(40);
  std::vector<std430::vec4> vectors(40);
  for (std::uint32_t i = 0; i < 40; ++i) {
    in[i] = (i * 7 + 20) % 23;
    const auto k = static_cast<float>(i);
    bodies[i] = {.position = {k, 2.0f, 1.0f}, .mass = 0.25f * k};
  }
  if (tangled)
    device.dispatch<TakesElements, 32>(Convergence{}, {1}, in, out, bodies, vectors);
  else
    device.dispatch<TakesElements, LOCKSTEP_TEST_WIDTHS>({1}, in, out, bodies, vectors);
  for (std::uint32_t i = 0; i < 40; ++i) {
    INFO("invocation " << i);
    CHECK(out[i] == expected(in[i], in[0], bodies[i]));
    CHECK(vectors[i][0] == bodies[i].position[0]);
    CHECK(vectors[i][3] == expected_w(in[i], bodies[i]));
  }
}

TEST_CASE("GLSL's functions and constructors take elements") {
  for (const int size : run_sizes) check(Device{.subgroup_size = size}, false);
  for (const int size : {5, 32}) check(Device{.subgroup_size = size}, true);
}

/// Components and selections of them wherever GLSL takes expressions.
template <class S>
struct TakesSwizzles : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  Buffer<uvec4> vectors;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    const uvec4 c(i, i + 10u, 30u, 40u);
    auto v = var(c.wzyx);                                   // 40, 30, i + 10, i
    auto n = var(v.a);                                      // i
    n += min(v.xy, v.yx).x + max(v.z, c.y);                 // 30 + i + 10
    n += subgroupMin(v.zw).y + select(c.r > 5u, c.g, c.r);  // 0, i or i + 10
    n += Uint(dot(vec2(c.rg), vec2(v.wz)));                 // i * i + (i + 10) * (i + 10)
    v.y = vectors[i].y;                                     // 7
    v.zw = v.wz;                                            // i, i + 10
    if (auto in = when(v.z == v.a - 10u)) v.rgb += uvec3(1u, 2u, 3u);
    if (auto in = when(all(lessThan(v.zy, v.xw)))) n += 1000u;  // i + 3 < 41, 9 < i + 10
    n += select(v.x > 40u, v.w, v.x);                           // i + 10
    for (auto s = switch_on(c.x); s.again();) {
      if (auto in = s.match(SourceLocation::current(), 3)) n += 5000u;
    }
    out[i] = n;
    atomicAdd(out[v.w - 10u], c.z);  // 30
    vectors[i] = v.abgr;
    vectors[i].x = v.y;
  }
};

TEST_CASE("components and selections are expressions, as in GLSL") {
  for (const bool tangled : {false, true}) {
    const Device device{.subgroup_size = 8};
    std::vector<std::uint32_t> out(8);
    std::vector<std430::uvec4> vectors(8, {0, 7, 0, 0});
    if (tangled)
      device.dispatch<TakesSwizzles, 8>(Convergence{}, {1}, out, vectors);
    else
      device.dispatch<TakesSwizzles, 8>({1}, out, vectors);
    for (std::uint32_t i = 0; i < 8; ++i) {
      CHECK(out[i] == i + 30 + (i + 10) + 0 + (i > 5 ? i + 10 : i) + i * i + (i + 10) * (i + 10) +
                          1000 + (i + 10) + (i == 3 ? 5000 : 0) + 30);
      CHECK(vectors[i] == std430::uvec4{9, i + 3, 9, 41});
    }
  }
}

}  // namespace
