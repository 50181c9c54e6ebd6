#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/native_check.hpp"

/// \file
/// Floats of 16 bits: in machine code and without it they give what one invocation computes in C++.

using namespace lockstep;
using namespace lockstep::test;

namespace {

using U = std::uint32_t;
using H = float16_t;

constexpr const char* half_source = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint limit; };
uint bits(float16_t h) { return isnan(h) ? 1u : uint(float16BitsToUint16(h)); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = values[i], r = 0;
  precise float16_t l = float16_t(limit) / float16_t(16.0);
  for (uint k = 0; k < 6; ++k) {
    uint w = x ^ k * 2654435761u;
    precise f16vec2 p = unpackFloat2x16(w);
    precise float16_t a = p.x, b = p.y, c = float16_t(int(i) - 99), d = uint16BitsToFloat16(uint16_t(w >> 7));
    precise float16_t m = min(a, b), n = max(b, c), e = clamp(a, c, l), q = a / c, s = sqrt(abs(d));
    if (i % 3u != 1u) { m = max(m, l); q = mix(a, b, float16_t(0.3125)); }
    r = r * 31u + bits(m) + bits(n) * 3u + bits(e) * 5u + bits(q) * 7u + bits(s) * 11u;
    r ^= bits(floor(d)) + bits(ceil(a)) * 3u + bits(trunc(b)) * 5u + bits(roundEven(d)) * 7u + bits(fract(a)) * 11u;
    r += bits(mix(a, c, d)) * 13u + (a <= b ? bits(-a) : bits(l - b)) + (a != d && b < c ? 17u : 19u);
    if (x % 11u == k) break;
  }
  result[i] = r;
}
)";

float to_float(H h) { return static_cast<float>(h); }
H half_of(U word) { return std::bit_cast<H>(static_cast<std::uint16_t>(word)); }
H least_half(H x, H y) { return to_float(y) < to_float(x) ? y : x; }
H most_half(H x, H y) { return to_float(x) < to_float(y) ? y : x; }
H blend(H x, H y, H a) {
  const H rest = H(1.0f) - a, first = x * rest, second = y * a;
  return first + second;
}
U hash_of(H h) { return std::isnan(to_float(h)) ? 1 : h.bits; }

U half_result(U x, U i) {
  U r = 0;
  const H l = H(40.0f) / H(16.0f);
  for (U k = 0; k < 6; ++k) {
    const U w = x ^ k * 2654435761u;
    const H a = half_of(w), b = half_of(w >> 16), d = half_of(w >> 7);
    const auto c = H(static_cast<float>(static_cast<std::int32_t>(i) - 99));
    H m = least_half(a, b), q = a / c;
    const H n = most_half(b, c), e = least_half(most_half(a, c), l),
            s = H(std::sqrt(std::fabs(to_float(d))));
    if (i % 3 != 1) {
      m = most_half(m, l);
      q = blend(a, b, H(0.3125f));
    }
    r = r * 31 + hash_of(m) + hash_of(n) * 3 + hash_of(e) * 5 + hash_of(q) * 7 + hash_of(s) * 11;
    r ^= hash_of(H(std::floor(to_float(d)))) + hash_of(H(std::ceil(to_float(a)))) * 3 +
         hash_of(H(std::trunc(to_float(b)))) * 5 + hash_of(H(std::nearbyint(to_float(d)))) * 7 +
         hash_of(a - H(std::floor(to_float(a)))) * 11;
    r += hash_of(blend(a, c, d)) * 13 +
         (to_float(a) <= to_float(b) ? hash_of(-a) : hash_of(l - b)) +
         (to_float(a) != to_float(d) && to_float(b) < to_float(c) ? 17 : 19);
    if (x % 11 == k) break;
  }
  return r;
}

}  // namespace

TEST_CASE("floats of 16 bits, in loops and selections") {
  const auto in = numbers();
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(half_source);
    for (const int size : {1, 8, 24, 32, 33, 64, 128}) {
      std::vector<U> out(in.size(), 77);
      shader.bind(0, in).bind(1, out).push(U{40}).dispatch({3}, {.subgroup_size = size});
      CAPTURE(name_of(target), size);
      for (U i = 0; i < in.size(); ++i) {
        CAPTURE(i, in[i]);
        REQUIRE(out[i] == half_result(in[i], i));
      }
    }
  }
}
