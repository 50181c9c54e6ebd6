#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/native_check.hpp"
#include "support/with_native.hpp"

/// \file
/// Random statements on numbers of 16, 32 and 64 bits, on arrays by an index of each lane and on functions that return
/// early, in loops and selections: in machine code and without it they give what one invocation computes in C++.

using namespace lockstep;
using namespace lockstep::test;

namespace {

using U = std::uint32_t;
using S = std::int32_t;
using W = std::uint64_t;
using L = std::int64_t;

/// The variables of an invocation.
struct Values {
  U u[3];
  S s[3];
  W w[3];
  L l[3];
  float f[3];
  double d[3];
  float16_t h[3];
  U few[12] = {};
  U many[40] = {};
};

/// A conversion of a float to an integer: zero for NaN, and the nearest number for one that does not fit.
template <class To, class From>
To whole(From x) {
  if (x != x) return 0;
  const double wide = x, low = std::numeric_limits<To>::min(),
               high = std::numeric_limits<To>::max();
  return static_cast<To>(std::min(std::max(wide, low), high));
}
template <class T>
T least(T x, T y) {
  return y < x ? y : x;
}
template <class T>
T most(T x, T y) {
  return x < y ? y : x;
}
U pick(U a, U b) {
  if (a % 3 == 0) return b * 5;
  if (a > b) {
    if (a % 5 == 1) return 7;
    return a - b;
  }
  return a ^ b;
}

/// A statement with the variables number D, A and B, in GLSL and in C++.
struct Statement {
  const char* text;
  void (*run)(Values& v, int d, int a, int b);
};

#define LOCKSTEP_STATEMENT(text, ...)                                                           \
  {                                                                                             \
    text, [](Values& v, [[maybe_unused]] int d, int a, [[maybe_unused]] int b) { __VA_ARGS__; } \
  }

const Statement statements[] = {
    LOCKSTEP_STATEMENT("u$D = u$A * 3u + u$B", v.u[d] = v.u[a] * 3 + v.u[b]),
    LOCKSTEP_STATEMENT("u$D = (u$A >> 7 | u$A << 25) ^ (u$A << 19 | u$A >> 13) ^ u$B",
                       v.u[d] = std::rotr(v.u[a], 7) ^ std::rotr(v.u[a], 13) ^ v.u[b]),
    LOCKSTEP_STATEMENT("u$D = (u$A >> 7 | u$B << 25) + (u$A << 20 | u$A >> 13)",
                       v.u[d] = (v.u[a] >> 7 | v.u[b] << 25) + (v.u[a] << 20 | v.u[a] >> 13)),
    LOCKSTEP_STATEMENT("u$D = (u$A & u$B) ^ (~u$A & u$D)",
                       v.u[d] = (v.u[a] & v.u[b]) ^ (~v.u[a] & v.u[d])),
    LOCKSTEP_STATEMENT("u$D = (u$A & u$B) ^ (u$A & u$D) ^ (u$B & u$D)",
                       v.u[d] = (v.u[a] & v.u[b]) ^ (v.u[a] & v.u[d]) ^ (v.u[b] & v.u[d])),
    LOCKSTEP_STATEMENT(
        "s$D = (s$A >> 9 | s$A << 23) | (s$B ^ s$D)",
        v.s[d] = (v.s[a] >> 9 | static_cast<S>(static_cast<U>(v.s[a]) << 23)) | (v.s[b] ^ v.s[d])),
    LOCKSTEP_STATEMENT("w$D = (w$A >> 41 | w$A << 23) & ~(w$B | w$D)",
                       v.w[d] = std::rotr(v.w[a], 41) & ~(v.w[b] | v.w[d])),
    LOCKSTEP_STATEMENT("u$D = u$A & (limit ^ u$B); u$A ^= limit | u$D",
                       v.u[d] = v.u[a] & (40 ^ v.u[b]);
                       v.u[a] ^= 40 | v.u[d]),
    LOCKSTEP_STATEMENT("u$D = pick(u$A, u$B)", v.u[d] = pick(v.u[a], v.u[b])),
    LOCKSTEP_STATEMENT("u$D = few[u$A % 13u] + u$B",
                       v.u[d] = (v.u[a] % 13 < 12 ? v.few[v.u[a] % 13] : 0) + v.u[b]),
    LOCKSTEP_STATEMENT("few[u$A % 13u] = u$B ^ u$D",
                       if (v.u[a] % 13 < 12) v.few[v.u[a] % 13] = v.u[b] ^ v.u[d]),
    LOCKSTEP_STATEMENT("few[5] += u$B; u$D = few[5] ^ u$A", v.few[5] += v.u[b];
                       v.u[d] = v.few[5] ^ v.u[a]),
    LOCKSTEP_STATEMENT("u$D = many[u$A % 42u] + u$B",
                       v.u[d] = (v.u[a] % 42 < 40 ? v.many[v.u[a] % 42] : 0) + v.u[b]),
    LOCKSTEP_STATEMENT("many[u$A % 42u] += u$B",
                       if (v.u[a] % 42 < 40) v.many[v.u[a] % 42] += v.u[b]),
    LOCKSTEP_STATEMENT("u$D = uint(f$A)", v.u[d] = whole<U>(v.f[a])),
    LOCKSTEP_STATEMENT("u$D = uint(d$A)", v.u[d] = whole<U>(v.d[a])),
    LOCKSTEP_STATEMENT("u$D = uint(w$A) ^ u$B", v.u[d] = static_cast<U>(v.w[a]) ^ v.u[b]),
    LOCKSTEP_STATEMENT(
        "s$D = int(f$A) + s$B",
        v.s[d] = static_cast<S>(static_cast<U>(whole<S>(v.f[a])) + static_cast<U>(v.s[b]))),
    LOCKSTEP_STATEMENT("s$D = int(d$A)", v.s[d] = whole<S>(v.d[a])),
    LOCKSTEP_STATEMENT("s$D = int(l$A) ^ s$B", v.s[d] = static_cast<S>(v.l[a]) ^ v.s[b]),
    LOCKSTEP_STATEMENT("s$D = clamp(s$A, -1000, 100000) - abs(s$B)",
                       v.s[d] = static_cast<S>(
                           static_cast<U>(std::min(std::max(v.s[a], -1000), 100000)) -
                           (v.s[b] < 0 ? 0u - static_cast<U>(v.s[b]) : static_cast<U>(v.s[b])))),
    LOCKSTEP_STATEMENT("w$D = w$A * w$B", v.w[d] = v.w[a] * v.w[b]),
    LOCKSTEP_STATEMENT("w$D = w$A * 6364136223846793005ul + w$B",
                       v.w[d] = v.w[a] * 6364136223846793005u + v.w[b]),
    LOCKSTEP_STATEMENT("w$D = (w$A - w$B) ^ ~w$D", v.w[d] = (v.w[a] - v.w[b]) ^ ~v.w[d]),
    LOCKSTEP_STATEMENT("w$D = (w$A & w$B) | (w$A >> 7)",
                       v.w[d] = (v.w[a] & v.w[b]) | (v.w[a] >> 7)),
    LOCKSTEP_STATEMENT("w$D = w$A << (u$B & 63u)", v.w[d] = v.w[a] << (v.u[b] & 63)),
    LOCKSTEP_STATEMENT("w$D = w$A >> (w$B & 63ul)", v.w[d] = v.w[a] >> (v.w[b] & 63)),
    LOCKSTEP_STATEMENT("w$D = uint64_t(u$A) * 64ul", v.w[d] = W{v.u[a]} * 64),
    LOCKSTEP_STATEMENT("w$D = w$A < w$B ? w$A : w$D + 1ul",
                       v.w[d] = v.w[a] < v.w[b] ? v.w[a] : v.w[d] + 1),
    LOCKSTEP_STATEMENT("if (w$A >= w$B || w$A == w$D) u$D += 3u",
                       if (v.w[a] >= v.w[b] || v.w[a] == v.w[d]) v.u[d] += 3),
    LOCKSTEP_STATEMENT("l$D = l$A * -3l - l$B",
                       v.l[d] = static_cast<L>(static_cast<W>(v.l[a]) * static_cast<W>(-3) -
                                               static_cast<W>(v.l[b]))),
    LOCKSTEP_STATEMENT("l$D = l$A >> 13", v.l[d] = v.l[a] >> 13),
    LOCKSTEP_STATEMENT("l$D = l$A >> (u$B & 63u)", v.l[d] = v.l[a] >> (v.u[b] & 63)),
    LOCKSTEP_STATEMENT("l$D = -l$A ^ int64_t(s$B)",
                       v.l[d] = static_cast<L>(0 - static_cast<W>(v.l[a])) ^ L{v.s[b]}),
    LOCKSTEP_STATEMENT("l$D = l$A <= l$B ? l$B : l$D", v.l[d] = v.l[a] <= v.l[b] ? v.l[b] : v.l[d]),
    LOCKSTEP_STATEMENT("f$D = f$A * 0.75 + f$B", const float p = v.f[a] * 0.75f;
                       v.f[d] = p + v.f[b]),
    LOCKSTEP_STATEMENT("f$D = f$A / (f$B + 1.5) - f$D", const float q = v.f[a] / (v.f[b] + 1.5f);
                       v.f[d] = q - v.f[d]),
    LOCKSTEP_STATEMENT("f$D = min(f$A, f$B) + max(f$D, -2.5)",
                       v.f[d] = least(v.f[a], v.f[b]) + most(v.f[d], -2.5f)),
    LOCKSTEP_STATEMENT("f$D = clamp(f$A, -8.5, 99.0)", v.f[d] = least(most(v.f[a], -8.5f), 99.0f)),
    LOCKSTEP_STATEMENT("f$D = floor(f$A) + ceil(f$B) - trunc(f$D)",
                       const float sum = std::floor(v.f[a]) + std::ceil(v.f[b]);
                       v.f[d] = sum - std::trunc(v.f[d])),
    LOCKSTEP_STATEMENT("f$D = fract(f$A) + roundEven(f$B)",
                       v.f[d] = (v.f[a] - std::floor(v.f[a])) + std::nearbyint(v.f[b])),
    LOCKSTEP_STATEMENT(
        "f$D = sqrt(abs(f$A)) - inversesqrt(abs(f$B) + 0.5)",
        v.f[d] = std::sqrt(std::fabs(v.f[a])) - 1 / std::sqrt(std::fabs(v.f[b]) + 0.5f)),
    LOCKSTEP_STATEMENT("f$D = fma(f$A, f$B, f$D)", v.f[d] = std::fma(v.f[a], v.f[b], v.f[d])),
    LOCKSTEP_STATEMENT("f$D = mix(f$A, f$B, 0.375)", const float p = v.f[a] * 0.625f,
                       q = v.f[b] * 0.375f;
                       v.f[d] = p + q),
    LOCKSTEP_STATEMENT("f$D = float(u$A)", v.f[d] = static_cast<float>(v.u[a])),
    LOCKSTEP_STATEMENT("f$D = float(s$A) * 0.001", v.f[d] = static_cast<float>(v.s[a]) * 0.001f),
    LOCKSTEP_STATEMENT("f$D = float(d$A)", v.f[d] = static_cast<float>(v.d[a])),
    LOCKSTEP_STATEMENT("f$D = float(h$A) - f$B", v.f[d] = static_cast<float>(v.h[a]) - v.f[b]),
    LOCKSTEP_STATEMENT("d$D = d$A * 1.25LF + d$B", const double p = v.d[a] * 1.25;
                       v.d[d] = p + v.d[b]),
    LOCKSTEP_STATEMENT("d$D = -d$A / (d$B + 0.5LF)", v.d[d] = -v.d[a] / (v.d[b] + 0.5)),
    LOCKSTEP_STATEMENT(
        "d$D = min(abs(d$A), sqrt(abs(d$B))) - max(d$D, d$A)",
        v.d[d] = least(std::fabs(v.d[a]), std::sqrt(std::fabs(v.d[b]))) - most(v.d[d], v.d[a])),
    LOCKSTEP_STATEMENT("d$D = floor(d$A) + fract(d$B)",
                       v.d[d] = std::floor(v.d[a]) + (v.d[b] - std::floor(v.d[b]))),
    LOCKSTEP_STATEMENT("d$D = fma(d$A, d$B, d$D)", v.d[d] = std::fma(v.d[a], v.d[b], v.d[d])),
    LOCKSTEP_STATEMENT("d$D = double(f$A) + double(s$B)",
                       v.d[d] = static_cast<double>(v.f[a]) + v.s[b]),
    LOCKSTEP_STATEMENT("d$D = double(u$A) - d$B", v.d[d] = v.u[a] - v.d[b]),
    LOCKSTEP_STATEMENT("if (d$A < d$B) d$D = d$A; else s$D -= 9",
                       if (v.d[a] < v.d[b]) v.d[d] = v.d[a];
                       else v.s[d] = static_cast<S>(static_cast<U>(v.s[d]) - 9)),
    LOCKSTEP_STATEMENT("h$D = h$A * float16_t(0.625) + h$B",
                       const float16_t p = v.h[a] * float16_t(0.625f);
                       v.h[d] = p + v.h[b]),
    LOCKSTEP_STATEMENT("h$D = -h$A - float16_t(f$B)", v.h[d] = -v.h[a] - float16_t(v.f[b])),
    LOCKSTEP_STATEMENT(
        "h$D = h$A < h$B ? h$B : h$D",
        v.h[d] = static_cast<float>(v.h[a]) < static_cast<float>(v.h[b]) ? v.h[b] : v.h[d]),
};

struct Chosen {
  const Statement* statement = nullptr;
  int d = 0, a = 0, b = 0;
  U when = 0;  ///< only where u0 % 5 is less than this, if it is not 0

  std::string text() const {
    std::string all = statement->text;
    for (const auto& [name, number] : {std::pair{"$D", d}, {"$A", a}, {"$B", b}}) {
      for (std::size_t at = all.find(name); at != std::string::npos; at = all.find(name))
        all.replace(at, 2, std::to_string(number));
    }
    all += ";";
    if (when != 0) all = "if (u0 % 5u < " + std::to_string(when) + "u) { " + all + " }";
    return "    " + all + "\n";
  }
  void run(Values& v) const {
    if (when == 0 || v.u[0] % 5 < when) statement->run(v, d, a, b);
  }
};

constexpr U iterations = 3;
const std::string start = R"(
  uint u0 = x, u1 = i * 77u, u2 = x ^ 0x5a5a5a5au;
  int s0 = int(x), s1 = -int(i), s2 = int(x) >> 3;
  uint64_t w0 = uint64_t(x), w1 = uint64_t(i) << 33, w2 = uint64_t(x) << 20;
  int64_t l0 = int64_t(s0), l1 = -int64_t(i), l2 = int64_t(s2) << 30;
  precise float f0 = float(x % 1000u) - 500.0, f1 = float(i), f2 = 0.25;
  precise double d0 = double(x), d1 = double(s1), d2 = 0.75LF;
  precise float16_t h0 = float16_t(float(i)), h1 = float16_t(0.5), h2 = float16_t(float(x % 64u));
  uint few[12], many[40];
  for (uint k = 0; k < 12; ++k) few[k] = x + k;
  for (uint k = 0; k < 40; ++k) many[k] = i * k;
)";
Values start_of(U x, U i) {
  Values v{};
  const auto s0 = static_cast<S>(x);
  v = {{x, i * 77, x ^ 0x5a5a5a5a},
       {s0, -static_cast<S>(i), s0 >> 3},
       {x, W{i} << 33, W{x} << 20},
       {s0, -L{i}, static_cast<L>(static_cast<W>(L{s0 >> 3}) << 30)},
       {static_cast<float>(x % 1000) - 500, static_cast<float>(i), 0.25f},
       {static_cast<double>(x), static_cast<double>(-static_cast<S>(i)), 0.75},
       {float16_t(static_cast<float>(i)), float16_t(0.5f), float16_t(static_cast<float>(x % 64))}};
  for (U k = 0; k < 12; ++k) v.few[k] = x + k;
  for (U k = 0; k < 40; ++k) v.many[k] = i * k;
  return v;
}

const std::string finish = R"(
  uint r = u0 + u1 * 3u + u2 * 5u + uint(s0) * 7u + uint(s1) * 11u + uint(s2) * 13u;
  uvec2 ww = unpackUint2x32(w0 ^ w1 * 3ul ^ w2 * 5ul), ll = unpackUint2x32(uint64_t(l0 ^ l1 ^ l2));
  r ^= ww.x + ww.y * 3u + ll.x * 5u + ll.y * 7u;
  r += f0 == f0 ? floatBitsToUint(f0) : 1u; r += f1 == f1 ? floatBitsToUint(f1) * 3u : 1u; r += f2 == f2 ? floatBitsToUint(f2) * 5u : 1u;
  r += d0 == d0 ? unpackDouble2x32(d0).y : 1u; r += d1 == d1 ? unpackDouble2x32(d1).x * 3u : 1u; r += d2 == d2 ? unpackDouble2x32(d2).y * 5u : 1u;
  float g0 = float(h0), g1 = float(h1), g2 = float(h2);
  r += g0 == g0 ? floatBitsToUint(g0) : 1u; r += g1 == g1 ? floatBitsToUint(g1) * 3u : 1u; r += g2 == g2 ? floatBitsToUint(g2) * 5u : 1u;
  for (uint k = 0; k < 12; ++k) r = r * 3u + few[k];
  for (uint k = 0; k < 40; ++k) r = r * 3u + many[k];
  result[i] = r;
)";
U result_of(const Values& v) {
  U r = v.u[0] + v.u[1] * 3 + v.u[2] * 5;
  r += static_cast<U>(v.s[0]) * 7 + static_cast<U>(v.s[1]) * 11 + static_cast<U>(v.s[2]) * 13;
  const W w = v.w[0] ^ v.w[1] * 3 ^ v.w[2] * 5, l = static_cast<W>(v.l[0] ^ v.l[1] ^ v.l[2]);
  r ^= static_cast<U>(w) + static_cast<U>(w >> 32) * 3 + static_cast<U>(l) * 5 +
       static_cast<U>(l >> 32) * 7;
  const auto of_float = [](float x, U times) { return x == x ? std::bit_cast<U>(x) * times : 1; };
  for (int k = 0; k < 3; ++k) {
    r += of_float(v.f[k], static_cast<U>(2 * k + 1));
    const auto bits = std::bit_cast<W>(v.d[k]);
    r += v.d[k] == v.d[k] ? static_cast<U>(k == 1 ? bits : bits >> 32) * static_cast<U>(2 * k + 1)
                          : 1;
    r += of_float(static_cast<float>(v.h[k]), static_cast<U>(2 * k + 1));
  }
  for (const U x : v.few) r = r * 3 + x;
  for (const U x : v.many) r = r * 3 + x;
  return r;
}

const std::string before = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint limit; };
uint pick(uint a, uint b) {
  if (a % 3u == 0u) return b * 5u;
  if (a > b) {
    if (a % 5u == 1u) return 7u;
    return a - b;
  }
  return a ^ b;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = values[i];
)";

/// The statements of an iteration. A few lanes leave the loop after one, or continue after another.
struct Program {
  std::vector<Chosen> body;
  bool breaks = false, continues = false;

  static constexpr std::size_t before_break = 9, before_continue = 13;

  explicit Program(U seed) : breaks(seed % 3 == 1), continues(seed % 3 == 2) {
    std::mt19937 random(seed);
    const auto number = [&](std::size_t below) { return static_cast<int>(random() % below); };
    for (int k = 0; k < 24; ++k) {
      const Statement& one = statements[random() % std::size(statements)];
      const int d = number(3), a = number(3), b = number(3);
      body.push_back({&one, d, a, b, seed % 2 == 0 ? 0 : static_cast<U>(number(5))});
    }
  }

  std::string source() const {
    std::string all = before + start;
    all += "  for (uint k = 0; k < 3; ++k) {\n";
    for (std::size_t k = 0; k < body.size(); ++k) {
      all += body[k].text();
      if (breaks && k == before_break) all += "    if (u0 % 7u == k) break;\n";
      if (continues && k == before_continue) all += "    if (u1 % 5u == k) continue;\n";
    }
    all += "  }\n";
    return all + finish + "}\n";
  }
  U result(U x, U i) const {
    Values v = start_of(x, i);
    for (U k = 0; k < iterations; ++k) {
      if (run(v, k)) break;
    }
    return result_of(v);
  }

 private:
  /// Whether the invocation leaves the loop.
  bool run(Values& v, U k) const {
    for (std::size_t at = 0; at < body.size(); ++at) {
      body[at].run(v);
      if (breaks && at == before_break && v.u[0] % 7 == k) return true;
      if (continues && at == before_continue && v.u[1] % 5 == k) return false;
    }
    return false;
  }
};

}  // namespace

TEST_CASE("random statements on numbers of all sizes, in loops and selections") {
  const auto in = numbers();
  for (U seed = 0; seed < 12; ++seed) {
    const Program program(seed);
    const std::string source = program.source();
    std::vector<U> want;
    for (U i = 0; i < in.size(); ++i) want.push_back(program.result(in[i], i));
    INFO(source);
    for (const spirv::Target target : native_targets()) {
      const WithNative native(target);
      auto shader = Shader::from_glsl(source);
      for (const int size : {1, 8, 24, 32, 33, 64, 128}) {
        std::vector<U> out(in.size(), 77);
        shader.bind(0, in).bind(1, out).push(U{40}).dispatch({3}, {.subgroup_size = size});
        CAPTURE(name_of(target), size, seed);
        for (U i = 0; i < in.size(); ++i) {
          CAPTURE(i, in[i]);
          REQUIRE(out[i] == want[i]);
        }
      }
    }
  }
}
