#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>

#include "support/settings.hpp"
#include "walker/judged.hpp"

/// \file
/// GLSL's functions, operators and conversions against their definitions in numbers of 240 bits.

namespace {

using namespace lockstep;
using walker_test::Seen;
using walker_test::Shader;

constexpr std::uint32_t invocations = 96;

/// An expression of a, b and c, whose components lie between low and high.
struct Expression {
  std::string text;
  double low = -4, high = 4;
};

const std::vector<Expression>& of_floats() {
  static const std::vector<Expression> all{{"a + b"},
                                           {"a - b"},
                                           {"a * b"},
                                           {"a / b"},
                                           {"-a"},
                                           {"mod(a, b)"},
                                           {"roundEven(a)"},
                                           {"trunc(a)"},
                                           {"abs(a)"},
                                           {"sign(a)"},
                                           {"floor(a)"},
                                           {"ceil(a)"},
                                           {"fract(a)"},
                                           {"min(a, b)"},
                                           {"max(a, b)"},
                                           {"clamp(a, b, c)"},
                                           {"mix(a, b, c)"},
                                           {"step(a, b)"},
                                           {"smoothstep(a, b, c)"},
                                           {"fma(a, b, c)"},
                                           {"sqrt(a)", 0, 9},
                                           {"inversesqrt(a)", 0.1, 9},
                                           {"a * b + c"},
                                           {"a < b ? a : c"},
                                           {"a == b ? b : c"}};
  return all;
}

/// Those that Vulkan has for 16 and 32 bits only.
const std::vector<Expression>& of_short_floats() {
  static const std::vector<Expression> all{{"radians(a)", -400, 400},
                                           {"degrees(a)"},
                                           {"sin(a)", -3, 3},
                                           {"cos(a)", -3, 3},
                                           {"tan(a)", -1.5, 1.5},
                                           {"asin(a)", -1.2, 1.2},
                                           {"acos(a)", -1.2, 1.2},
                                           {"atan(a)"},
                                           {"atan(a, b)"},
                                           {"sinh(a)"},
                                           {"cosh(a)"},
                                           {"tanh(a)"},
                                           {"asinh(a)"},
                                           {"acosh(a)", 0.5, 9},
                                           {"atanh(a)", -1.2, 1.2},
                                           {"exp(a)"},
                                           {"exp2(a)"},
                                           {"log(a)", -0.5, 9},
                                           {"log2(a)", -0.5, 9},
                                           {"pow(a, b)", -0.5, 4}};
  return all;
}

const std::vector<Expression>& of_vectors() {
  static const std::vector<Expression> all{{"vec3(length(a))"},
                                           {"vec3(distance(a, b))"},
                                           {"vec3(dot(a, b))"},
                                           {"cross(a, b)"},
                                           {"normalize(a)"},
                                           {"faceforward(a, b, c)"},
                                           {"reflect(a, b)"},
                                           {"refract(normalize(a), normalize(b), 0.5)"},
                                           {"mat3(a, b, c) * a"},
                                           {"a * mat3(a, b, c)"},
                                           {"(mat3(a, b, c) * mat3(c, a, b))[1]"},
                                           {"transpose(mat3(a, b, c))[2]"},
                                           {"outerProduct(a, b)[1]"},
                                           {"vec3(determinant(mat3(a, b, c)))"},
                                           {"ldexp(a, ivec3(b))"},
                                           {"unpackHalf2x16(packHalf2x16(a.xy)).xyx"},
                                           {"unpackSnorm4x8(packSnorm4x8(vec4(a, b.x))).xyz"},
                                           {"unpackUnorm2x16(packUnorm2x16(a.yz)).xyy"},
                                           {"unpackSnorm2x16(packSnorm2x16(a.yz)).xyy"},
                                           {"unpackUnorm4x8(packUnorm4x8(vec4(a, b.x))).wyz"},
                                           {"inverse(mat3(a, b, c) + mat3(9))[1]"},
                                           {"matrixCompMult(mat3(a, b, c), mat3(c, a, b))[2]"},
                                           {"vec3(isnan(sqrt(a))) + vec3(isinf(exp(40 * b)))"},
                                           {"vec3(lessThan(a, b)) - vec3(notEqual(a, c))"},
                                           {"vec3(ivec3(a)) + vec3(uvec3(abs(b)))"},
                                           {"vec3(dvec3(a) / dvec3(b))"},
                                           {"vec3(f16vec3(a) * f16vec3(b))"},
                                           {"a.zxy * b.x + c.yyz"}};
  return all;
}

const std::vector<Expression>& of_vectors_of_any_float() {
  static const std::vector<Expression> all{{"T(length(a))"},  {"T(distance(a, b))"},
                                           {"T(dot(a, b))"},  {"cross(a, b)"},
                                           {"normalize(a)"},  {"faceforward(a, b, c)"},
                                           {"reflect(a, b)"}, {"a.x * b"},
                                           {"a + b.y"},       {"a / c"}};
  return all;
}

/// Statements that leave a result in r.
const std::vector<Expression>& of_outputs() {
  static const std::vector<Expression> all{
      {"vec3 whole; r = modf(a, whole) + 8 * whole;"},
      {"ivec3 power; r = frexp(a, power); r += 8 * vec3(power);"},
      {"uvec3 carry; r = vec3(uaddCarry(floatBitsToUint(a), floatBitsToUint(b), carry)); r += "
       "vec3(carry);"},
      {"uvec3 high, low; umulExtended(floatBitsToUint(a), floatBitsToUint(b), high, low); r = "
       "vec3(high) - vec3(low);"},
      {"ivec3 high, low; imulExtended(floatBitsToInt(a), floatBitsToInt(b), high, low); r = "
       "vec3(high) - vec3(low);"},
      {"for (int k = 0; k < 5; ++k) { if (k > a.x) continue; r += a * k; if (r.y > b.y) break; }"},
      {"switch (int(a.x)) { case 0: r = b; case 1: r += c; break; case -1: r = a; break; default: "
       "r = b - c; }"}};
  return all;
}

const std::vector<Expression>& of_integers() {
  static const std::vector<Expression> all{{"a + b"},
                                           {"a - b"},
                                           {"a * b"},
                                           {"a / b"},
                                           {"a % b"},
                                           {"-a"},
                                           {"~a"},
                                           {"a & b"},
                                           {"a | b"},
                                           {"a ^ b"},
                                           {"a << (b & T(31))"},
                                           {"a >> (b & T(31))"},
                                           {"a << b"},
                                           {"min(a, b)"},
                                           {"max(a, b)"},
                                           {"clamp(a, b, c)"},
                                           {"a < b ? a : b"},
                                           {"a <= b ? c : b"},
                                           {"T(a == c)"}};
  return all;
}

/// Those of 32 bits only.
const std::vector<Expression>& of_words() {
  static const std::vector<Expression> all{{"T(bitCount(a))"},
                                           {"bitfieldReverse(a)"},
                                           {"T(findLSB(a))"},
                                           {"T(findMSB(a))"},
                                           {"bitfieldExtract(a, int(b & T(31)), int(c & T(15)))"},
                                           {"bitfieldInsert(a, b, int(c & T(15)), 7)"},
                                           {"T(float(a))"},
                                           {"T(double(a))"},
                                           {"T(int8_t(a))"},
                                           {"T(uint16_t(a))"},
                                           {"T(int64_t(a) >> 3)"},
                                           {"T(uint64_t(a) * 5ul)"},
                                           {"T(floatBitsToUint(float(b)))"}};
  return all;
}

std::string text_of(const std::string& type, const std::string& expression) {
  return fmt::format(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
#define T {0}
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, scalar) buffer Values {{ T values[]; }};
layout(set = 0, binding = 1, scalar) buffer Results {{ T results[]; }};
void main() {{
  const uint i = gl_GlobalInvocationID.x;
  const T a = values[3 * i], b = values[3 * i + 1], c = values[3 * i + 2];
  results[i] = {1};
}}
)",
                     type, expression);
}

template <class T>
Seen compare(const std::string& type, const Expression& e, std::size_t components,
             std::mt19937_64& random) {
  Shader shader{.text = text_of(type, e.text), .type = npy::DtypeOf<T>::value};
  shader.workgroups = invocations / 32;
  std::vector<T> values(3 * invocations * components);
  for (T& v : values) {
    if constexpr (std::is_integral_v<T>)
      v = static_cast<T>(random() % 4 == 0 ? random() % 40 : random());
    else  // a quarter are whole, for the functions that change there
      v = static_cast<T>(static_cast<float>(
          random() % 4 == 0
              ? std::floor(e.low) + static_cast<double>(random() % 8)
              : e.low + (e.high - e.low) * static_cast<double>(random() % 65536) / 65536));
  }
  const auto bytes = std::as_bytes(std::span(values));
  shader.buffers = {{bytes.begin(), bytes.end()}, std::vector<std::byte>(bytes.size() / 3)};
  return walker_test::compare(shader);
}

TEST_CASE("functions of floats") {
  std::mt19937_64 random(test::seed());
  std::size_t allowed = 0, undefined = 0;
  for (const auto* list : {&of_floats(), &of_short_floats()})
    for (const Expression& e : *list) {
      const Seen single = compare<float>("float", e, 1, random),
                 half = compare<float16_t>("float16_t", e, 1, random);
      allowed += single.allowed + half.allowed, undefined += single.undefined + half.undefined;
    }
  for (const Expression& e : of_floats())
    allowed += compare<double>("double", e, 1, random).allowed;
  CHECK(allowed > 100);
  CHECK(undefined > 50);
}

TEST_CASE("functions of vectors") {
  std::mt19937_64 random(test::seed());
  for (const Expression& e : of_vectors()) compare<float>("vec3", e, 3, random);
  for (const Expression& e : of_vectors_of_any_float()) {
    compare<float16_t>("f16vec3", e, 3, random);
    compare<double>("dvec3", e, 3, random);
  }
  for (Expression e : of_outputs()) {
    e.text = fmt::format("vec3(0); vec3 r = vec3(0); {} results[i] = r", e.text);
    compare<float>("vec3", e, 3, random);
  }
}

TEST_CASE("operations of integers") {
  std::mt19937_64 random(test::seed());
  std::size_t undefined = 0;
  for (const Expression& e : of_integers()) {
    undefined += compare<std::int32_t>("int", e, 1, random).undefined;
    undefined += compare<std::uint32_t>("uint", e, 1, random).undefined;
    compare<std::int64_t>("int64_t", e, 1, random);
    compare<std::uint64_t>("uint64_t", e, 1, random);
  }
  for (const Expression& e : of_integers()) {
    compare<std::int8_t>("int8_t", e, 1, random);
    compare<std::uint8_t>("uint8_t", e, 1, random);
    compare<std::int16_t>("int16_t", e, 1, random);
    compare<std::uint16_t>("uint16_t", e, 1, random);
  }
  for (const Expression& e : of_words()) {
    compare<std::int32_t>("int", e, 1, random);
    compare<std::uint32_t>("uint", e, 1, random);
  }
  CHECK(undefined > 20);
}

}  // namespace
