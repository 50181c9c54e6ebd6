#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

/// \file
/// The functions of GLSL.std.450 that functions.cpp omits, each against the C++ library in double.

using namespace lockstep;
using Uint = std::uint32_t;

namespace {

using Expected = std::function<double(double)>;

struct Function {
  const char* expression;  ///< of y, a float from -3.75 to 4
  Expected expected;
};

double at(Uint i) { return (static_cast<double>(i) - 30) / 8; }

/// Runs them all in one shader, each for 63 invocations, and compares to six digits.
void check(const std::string& declarations, const std::vector<Function>& functions) {
  std::string text = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 63) in;
layout(set = 0, binding = 0) buffer Out { float results[]; };
)" + declarations + R"(
void main() {
  uint i = gl_LocalInvocationIndex;
  float y = (float(i) - 30.0) / 8.0;
)";
  for (std::size_t k = 0; k < functions.size(); ++k)
    text += "results[i + " + std::to_string(63 * k) + "u] = " + functions[k].expression + ";\n";
  auto shader = Shader::from_glsl(text + "}\n");
  for (const int size : {1, 24, 64}) {
    std::vector<float> out(63 * functions.size(), -77);
    shader.bind(0, out).dispatch({1}, {.subgroup_size = size});
    for (std::size_t k = 0; k < functions.size(); ++k) {
      for (Uint i = 0; i < 63; ++i) {
        INFO(functions[k].expression << ", y = " << at(i) << ", subgroup size " << size);
        const double want = functions[k].expected(at(i)), got = out[63 * k + i];
        if (std::isnan(want))
          REQUIRE(std::isnan(got));
        else if (std::isinf(want))
          REQUIRE(got == want);
        else
          REQUIRE(std::fabs(got - want) <= 4e-6 * std::max(1.0, std::fabs(want)));
      }
    }
  }
}

double fold_to(double low, double high, double v) { return std::min(std::max(v, low), high); }

}  // namespace

TEST_CASE("trigonometry, powers and roots") {
  constexpr double pi = 3.14159265358979323846;
  const auto unit = [](double y) { return y / 8; };
  check("",
        {{"radians(y)", [](double y) { return y * pi / 180; }},
         {"degrees(y)", [](double y) { return y * 180 / pi; }},
         {"sin(y)", [](double y) { return std::sin(y); }},
         {"cos(y)", [](double y) { return std::cos(y); }},
         {"tan(y / 4.0)", [](double y) { return std::tan(y / 4); }},
         {"asin(y / 8.0)", [=](double y) { return std::asin(unit(y)); }},
         {"acos(y / 8.0)", [=](double y) { return std::acos(unit(y)); }},
         {"atan(y)", [](double y) { return std::atan(y); }},
         {"atan(y, -2.0)", [](double y) { return std::atan2(y, -2); }},
         {"sinh(y)", [](double y) { return std::sinh(y); }},
         {"cosh(y)", [](double y) { return std::cosh(y); }},
         {"tanh(y)", [](double y) { return std::tanh(y); }},
         {"asinh(y)", [](double y) { return std::asinh(y); }},
         {"acosh(abs(y) + 1.0)", [](double y) { return std::acosh(std::fabs(y) + 1); }},
         {"atanh(y / 8.0)", [=](double y) { return std::atanh(unit(y)); }},
         {"pow(abs(y) + 0.5, y)", [](double y) { return std::pow(std::fabs(y) + 0.5, y); }},
         {"exp(y)", [](double y) { return std::exp(y); }},
         {"log(abs(y))", [](double y) { return std::log(std::fabs(y)); }},
         {"exp2(y)", [](double y) { return std::exp2(y); }},
         {"log2(abs(y) + 1.0)", [](double y) { return std::log2(std::fabs(y) + 1); }},
         {"sqrt(abs(y))", [](double y) { return std::sqrt(std::fabs(y)); }},
         {"inversesqrt(abs(y) + 1.0)", [](double y) { return 1 / std::sqrt(std::fabs(y) + 1); }}});
}

TEST_CASE("rounding, selecting and splitting floats") {
  check("float whole; int power;",
        {{"abs(y)", [](double y) { return std::fabs(y); }},
         {"sign(y)", [](double y) { return double((y > 0) - (y < 0)); }},
         {"floor(y)", [](double y) { return std::floor(y); }},
         {"ceil(y)", [](double y) { return std::ceil(y); }},
         {"trunc(y)", [](double y) { return std::trunc(y); }},
         {"roundEven(y)", [](double y) { return std::nearbyint(y); }},
         {"fract(y)", [](double y) { return y - std::floor(y); }},
         {"modf(y, whole) * 100.0 + whole",
          [](double y) { return (y - std::trunc(y)) * 100 + std::trunc(y); }},
         {"frexp(y, power) + float(power) * 10.0",
          [](double y) {
            int power = 0;
            const double fraction = std::frexp(y, &power);
            return fraction + power * 10;
          }},
         {"ldexp(y, int(i % 5u) - 2)",
          [](double y) {
            const int i = static_cast<int>(y * 8 + 30);
            return std::ldexp(y, i % 5 - 2);
          }},
         {"fma(y, 3.0, 0.5)", [](double y) { return y * 3 + 0.5; }},
         {"mix(y, 8.0, 0.25)", [](double y) { return y * 0.75 + 2; }},
         {"mix(y, 8.0, y > 1.0)", [](double y) { return y > 1 ? 8 : y; }},
         {"step(0.5, y)", [](double y) { return y < 0.5 ? 0.0 : 1.0; }},
         {"smoothstep(-1.0, 2.0, y)",
          [](double y) {
            const double t = fold_to(0, 1, (y + 1) / 3);
            return t * t * (3 - 2 * t);
          }},
         {"clamp(y, -1.0, 2.0)", [](double y) { return fold_to(-1, 2, y); }},
         {"mod(y, -2.0)", [](double y) { return y + 2 * std::floor(y / -2); }},
         {"uintBitsToFloat(floatBitsToUint(y) ^ 0x80000000u)", [](double y) { return -y; }},
         {"intBitsToFloat(floatBitsToInt(y))", [](double y) { return y; }}});
}

TEST_CASE("packing and unpacking") {
  const auto snorm = [](double y, double top) { return std::round(fold_to(-1, 1, y) * top) / top; };
  const auto unorm = [](double y, double top) { return std::round(fold_to(0, 1, y) * top) / top; };
  check("", {{"unpackSnorm4x8(packSnorm4x8(vec4(0.1, y, 0.0, -1.0))).y",
              [=](double y) { return snorm(y, 127); }},
             {"unpackUnorm4x8(packUnorm4x8(vec4(0.1, 0.2, y, -1.0))).z",
              [=](double y) { return unorm(y, 255); }},
             {"unpackSnorm2x16(packSnorm2x16(vec2(y / 3.0, 1.0))).x",
              [=](double y) { return snorm(y / 3, 32767); }},
             {"unpackUnorm2x16(packUnorm2x16(vec2(1.0, y / 3.0))).y",
              [=](double y) { return unorm(y / 3, 65535); }},
             {"unpackHalf2x16(packHalf2x16(vec2(y, 1.0))).x", [](double y) { return y; }},
             {"float(packDouble2x32(unpackDouble2x32(double(y))))", [](double y) { return y; }}});
}

TEST_CASE("geometry and matrices") {
  const auto length = [](double y) { return std::sqrt(y * y + 5); };
  check(
      R"(
vec3 v(float y) { return vec3(y, 1.0, -2.0); }
mat4 m(float y) { return mat4(2.0, 0.0, 1.0, 0.0, y, 4.0, 0.0, 1.0, 0.0, 1.0, 3.0, 0.0, 1.0, 0.0, y, 5.0); })",
      {{"length(v(y))", length},
       {"distance(v(y), vec3(1.0))", [](double y) { return std::sqrt((y - 1) * (y - 1) + 9); }},
       {"normalize(v(y)).z", [=](double y) { return -2 / length(y); }},
       {"dot(v(y), vec3(2.0, 3.0, 4.0))", [](double y) { return 2 * y - 5; }},
       {"cross(v(y), vec3(2.0, 3.0, 4.0)).y", [](double y) { return -2.0 * 2 - y * 4; }},
       {"faceforward(v(y), vec3(1.0, 0.0, 0.0), v(y)).y",
        [](double y) { return y < 0 ? 1.0 : -1.0; }},
       {"reflect(v(y), vec3(0.0, 1.0, 0.0)).y", [](double) { return -1.0; }},
       {"refract(normalize(v(y)), vec3(0.0, -1.0, 0.0), 0.5).x",
        [=](double y) { return 0.5 * y / length(y); }},
       {"outerProduct(v(y), vec2(2.0, 3.0))[1].x", [](double y) { return 3 * y; }},
       {"matrixCompMult(mat2(y, 1.0, 2.0, 3.0), mat2(2.0))[0][0]", [](double y) { return 2 * y; }},
       {"(inverse(m(y)) * m(y))[2][2]", [](double) { return 1.0; }},
       {"(m(y) * inverse(m(y)))[0][3]", [](double) { return 0.0; }},
       {"determinant(mat3(1.0, 2.0, y, 0.0, 1.0, 4.0, 5.0, 6.0, 0.0))",
        [](double y) { return 1 * (0.0 - 24) - 2 * (0.0 - 20) + y * (0.0 - 5); }},
       {"transpose(mat3x2(1.0, 2.0, 3.0, y, 5.0, 6.0))[1][1]", [](double y) { return y; }}});
}

TEST_CASE("wide products, carries and borrows") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 40) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex, a = i * 0x12345679u, b = ~i * 0x0fedcba9u, carry, borrow, high, low;
  int high_, low_;
  uint sum = uaddCarry(a, b, carry), difference = usubBorrow(a, b, borrow);
  umulExtended(a, b, high, low);
  imulExtended(int(a), int(b), high_, low_);
  o[i * 8u] = sum; o[i * 8u + 1u] = carry; o[i * 8u + 2u] = difference; o[i * 8u + 3u] = borrow;
  o[i * 8u + 4u] = high; o[i * 8u + 5u] = low; o[i * 8u + 6u] = uint(high_); o[i * 8u + 7u] = uint(low_);
})");
  for (const int size : {1, 24, 64}) {
    std::vector<Uint> o(320);
    shader.bind(0, o).dispatch({1}, {.subgroup_size = size});
    for (Uint i = 0; i < 40; ++i) {
      const Uint a = i * 0x12345679u, b = ~i * 0x0fedcba9u;
      const std::uint64_t sum = std::uint64_t{a} + b, product = std::uint64_t{a} * b;
      const auto signed_product =
          static_cast<std::uint64_t>(std::int64_t{static_cast<int>(a)} * static_cast<int>(b));
      const Uint want[] = {static_cast<Uint>(sum),
                           static_cast<Uint>(sum >> 32),
                           a - b,
                           a < b ? 1u : 0u,
                           static_cast<Uint>(product >> 32),
                           static_cast<Uint>(product),
                           static_cast<Uint>(signed_product >> 32),
                           static_cast<Uint>(signed_product)};
      for (std::size_t k = 0; k < 8; ++k) REQUIRE(o[i * 8 + k] == want[k]);
    }
  }
}
