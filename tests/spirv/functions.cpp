#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

using namespace lockstep;
using Uint = std::uint32_t;

namespace {

/// Runs `r = uint(expression)` of x, a uint, and y, a float, for 64 invocations.
void check(const std::string& expression, const std::function<Uint(Uint, float)>& expected) {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint results[]; };
uint bits(float f) { return floatBitsToUint(f); }
uint bits(uint u) { return u; }
uint bits(int i) { return uint(i); }
uint bits(bool b) { return b ? 1u : 0u; }
uint bits(vec2 v) { return bits(v.x) ^ bits(v.y) * 3u; }
uint bits(vec3 v) { return bits(v.xy) ^ bits(v.z) * 7u; }
uint bits(uint64_t u) { return uint(u) ^ uint(u >> 32u); }
uint bits(double d) { return bits(doubleBitsToUint64(d)); }
void main() {
  uint x = values[gl_LocalInvocationIndex];
  float y = float(int(x) - 30) / 8.0;
  results[gl_LocalInvocationIndex] = bits()" +
                                  expression + R"();
})");
  std::vector<Uint> in(64), out(64);
  for (Uint i = 0; i < 64; ++i) in[i] = i * 3;
  for (const int size : {1, 24, 64}) {
    shader.bind(0, in).bind(1, out).dispatch({1}, {.subgroup_size = size});
    for (Uint i = 0; i < 64; ++i) {
      INFO(expression << ", x = " << in[i]);
      REQUIRE(out[i] == expected(in[i], static_cast<float>(static_cast<int>(in[i]) - 30) / 8.0f));
    }
  }
}
Uint bits(float f) { return std::bit_cast<Uint>(f); }

}  // namespace

TEST_CASE("integers of all widths") {
  check("x * 40503u + (x << 3u) - (x >> 1u)",
        [](Uint x, float) { return x * 40503 + (x << 3) - (x >> 1); });
  check("int(x) / -7 + int(x) % 5", [](Uint x, float) {
    return static_cast<Uint>(static_cast<int>(x) / -7 + static_cast<int>(x) % 5);
  });
  check("uint(uint8_t(x * 3u) + uint8_t(200))", [](Uint x, float) { return (x * 3 + 200) & 255; });
  check("int(int8_t(x) * int8_t(7))", [](Uint x, float) {
    return static_cast<Uint>(static_cast<int>(static_cast<std::int8_t>(x * 7)));
  });
  check("int(int16_t(x * 700u) >> int16_t(2))",
        [](Uint x, float) { return static_cast<Uint>(static_cast<std::int16_t>(x * 700) >> 2); });
  check("uint64_t(x) * 0x100000001ul + (uint64_t(x) << 40u)", [](Uint x, float) {
    const std::uint64_t v = x * 0x100000001ull + (std::uint64_t{x} << 40);
    return static_cast<Uint>(v) ^ static_cast<Uint>(v >> 32);
  });
  check("bitCount(x) + findLSB(x) * 100 + findMSB(x) * 10000", [](Uint x, float) {
    const int low = x == 0 ? -1 : std::countr_zero(x),
              high = x == 0 ? -1 : 31 - std::countl_zero(x);
    return static_cast<Uint>(std::popcount(x) + low * 100 + high * 10000);
  });
  check("bitfieldExtract(x, 2, 3) + bitfieldInsert(x, 5u, 4, 3) + bitfieldReverse(x)",
        [](Uint x, float) {
          Uint reversed = 0;
          for (int k = 0; k < 32; ++k) reversed |= (x >> k & 1) << (31 - k);
          return (x >> 2 & 7) + ((x & ~0x70u) | 5 << 4) + reversed;
        });
  check("abs(int(x) - 50) + sign(int(x) - 50) + clamp(int(x), 10, 20) + max(int(x), -3)",
        [](Uint x, float) {
          const int i = static_cast<int>(x);
          return static_cast<Uint>(std::abs(i - 50) + (i > 50) - (i < 50) + std::clamp(i, 10, 20) +
                                   i);
        });
}

TEST_CASE("floats") {
  check("y * 1.5 + 2.0 / (y + 100.0)", [](Uint, float y) {
    const float product = y * 1.5f;
    return bits(product + 2.0f / (y + 100.0f));
  });
  check("floor(y) + ceil(y) * 3.0 + trunc(y) + roundEven(y)", [](Uint, float y) {
    return bits(std::floor(y) + std::ceil(y) * 3.0f + std::trunc(y) + std::nearbyint(y));
  });
  check("mod(y, 2.5)", [](Uint, float y) { return bits(y - 2.5f * std::floor(y / 2.5f)); });
  // Not to the last bit, which tests/glsl/functions/transcendental.cpp judges.
  check("round((sqrt(abs(y)) + sin(y) + exp2(y)) * 16.0)", [](Uint, float y) {
    const double v = y;
    return bits(static_cast<float>(
        std::round((std::sqrt(std::fabs(v)) + std::sin(v) + std::exp2(v)) * 16)));
  });
  check("round((pow(abs(y), 1.5) + atan(y, 2.0)) * 16.0)", [](Uint, float y) {
    const double v = y;
    return bits(
        static_cast<float>(std::round((std::pow(std::fabs(v), 1.5) + std::atan2(v, 2.0)) * 16)));
  });
  check("min(y, 2.0) + max(y, -1.0) + clamp(y, 0.0, 1.0) + fract(y) + step(0.5, y)",
        [](Uint, float y) {
          return bits(std::min(y, 2.0f) + std::max(y, -1.0f) + std::clamp(y, 0.0f, 1.0f) +
                      (y - std::floor(y)) + (y < 0.5f ? 0.0f : 1.0f));
        });
  check("isnan(y / (y - y)) || isinf(1.0 / y)",
        [](Uint, float y) { return Uint{std::isnan(y / (y - y)) || std::isinf(1.0f / y)}; });
  check("y < 1.0 ? int(y) : int(uint(y) + 3u)", [](Uint, float y) {
    return static_cast<Uint>(y < 1 ? static_cast<int>(y)
                                   : static_cast<int>(static_cast<Uint>(y) + 3));
  });
  check("double(y) * 3.0lf + sqrt(double(x))", [](Uint x, float y) {
    const auto d = std::bit_cast<std::uint64_t>(static_cast<double>(y) * 3.0 +
                                                std::sqrt(static_cast<double>(x)));
    return static_cast<Uint>(d) ^ static_cast<Uint>(d >> 32);
  });
  check("float(float16_t(y) * float16_t(2.0))", [](Uint, float y) { return bits(y * 2.0f); });
  check("packUnorm4x8(vec4(y / 20.0, 0.25, 1.0, -1.0)) ^ packHalf2x16(vec2(y, 1.0))",
        [](Uint, float y) {
          const float c = std::clamp(y / 20.0f, 0.0f, 1.0f);
          const Uint unorm = static_cast<Uint>(std::round(c * 255.0f)) | 64u << 8 | 255u << 16;
          // Eighths below 32 are exact in 16 bits.
          const auto half = [](float f) {
            if (f == 0) return bits(f) >> 16;
            const Uint b = bits(f);
            return (b >> 16 & 0x8000) | (((b >> 23 & 0xff) - 112) << 10 | (b >> 13 & 0x3ff));
          };
          return unorm ^ (half(y) | half(1.0f) << 16);
        });
}

TEST_CASE("vectors and matrices") {
  check("vec3(y, 1.0, 2.0).zxy * 2.0",
        [](Uint, float y) { return (bits(4.0f) ^ bits(y * 2) * 3) ^ bits(2.0f) * 7; });
  check("mat2(y, 1.0, 2.0, 3.0) * vec2(4.0, 5.0)",
        [](Uint, float y) { return bits(y * 4 + 2.0f * 5) ^ bits(1.0f * 4 + 3.0f * 5) * 3; });
  check("vec2(4.0, 5.0) * mat2(y, 1.0, 2.0, 3.0)",
        [](Uint, float y) { return bits(4 * y + 5.0f) ^ bits(8.0f + 15.0f) * 3; });
  check("(transpose(mat2(y, 1.0, 2.0, 3.0)) * mat2(1.0, 0.0, 0.0, 1.0))[1]",
        [](Uint, float) { return bits(1.0f) ^ bits(3.0f) * 3; });
  check(
      "determinant(mat3(y, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 4.0)) + inverse(mat2(2.0, 0.0, 0.0, "
      "4.0))[1][1]",
      [](Uint, float y) { return bits(y * 8 + 0.25f); });
  check(
      "dot(vec3(y, 2.0, 3.0), vec3(1.0, y, 2.0)) + length(vec2(3.0, 4.0)) + cross(vec3(1.0, 0.0, "
      "0.0), vec3(0.0, y, 0.0)).z",
      [](Uint, float y) { return bits(y + 2.0f * y + 6.0f + 5.0f + y); });
  check("all(lessThan(vec2(y, 1.0), vec2(2.0))) || any(equal(ivec2(x), ivec2(30, 31)))",
        [](Uint x, float y) { return Uint{y < 2 || x == 30}; });
}

TEST_CASE("debugPrintfEXT prints for each lane") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 4) in;
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i != 1u) debugPrintfEXT("lane %d: %v2f, 0x%08x %%", i, vec2(float(i) / 2.0, 1.0), i * 256u);
})");
  const auto run = shader.dispatch({1}, {.subgroup_size = 4, .threads = 1});
  REQUIRE(run.printed.size() == 3);
  CHECK(run.printed[0] == "lane 0: 0.000000, 1.000000, 0x00000000 %");
  CHECK(run.printed[2] == "lane 3: 1.500000, 1.000000, 0x00000300 %");
}
